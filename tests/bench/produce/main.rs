//! What one message costs through librdkafka: `cargo bench --bench produce -- HOST:PORT [messages]`.
//!
//! A message is what a row of ten columns becomes: a key, 600 bytes of JSON, Debezium's four context headers and
//! `tidewire.seq`. The broker is usually the slower side and shares the machine, so the wall clock says little: the
//! figures are the CPU time of this process over all its threads (`/proc/self/stat`) and the instructions it executed
//! (`perf stat`, or callgrind where the machine hides its counters). Each variant changes one thing of the settings
//! that `kafka/producer.rs` uses; the last line is about these.

mod cost;
mod own_batch;
mod variant;

use std::io::{self, Write};
use std::process::ExitCode;

use variant::{VARIANTS, Variant};

/// Messages per variant when none are named.
const MESSAGES: u64 = 300_000;
/// More would only fill disks.
const MOST_MESSAGES: u64 = 2_000_000;
/// The variant that the product uses, first in the table.
const PRODUCT: usize = 0;

fn main() -> ExitCode {
    match run(std::env::args().skip(1).filter(|arg| arg != "--bench").collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "produce: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Vec<String>) -> Result<(), String> {
    // The child whose instructions are counted: `--one VARIANT HOST:PORT MESSAGES`.
    if let [first, number, broker, messages] = args.as_slice()
        && first == "--one"
    {
        let index: usize = number.parse().map_err(|_| "a number of a variant is wanted")?;
        let variant = VARIANTS.get(index).ok_or("no such variant")?;
        let messages = messages.parse().map_err(|_| "a count of messages is wanted")?;
        return variant::send(variant, broker, messages).map(|_| ());
    }
    let (broker, rest) =
        args.split_first().ok_or("usage: cargo bench --bench produce -- HOST:PORT [messages]")?;
    let messages = match rest.first() {
        Some(count) => count.parse().map_err(|_| "a count of messages is wanted")?,
        None => MESSAGES,
    };
    if messages > MOST_MESSAGES {
        return Err(format!("at most {MOST_MESSAGES} messages"));
    }
    table(broker, messages).map_err(|problem| problem.to_string())
}

fn table(broker: &str, messages: u64) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{:<52} {:>7} {:>7} {:>7} {:>9}", "variant", "us/msg", "user", "system", "thousand/s")?;
    let mut product = 0.0;
    for (number, variant) in VARIANTS.iter().enumerate() {
        // The first messages pay for connections, metadata and a cold broker.
        let spent = variant::send(variant, broker, messages / 10).and_then(|_| {
            let before = cost::CpuTime::of_this_process()?;
            let seconds = variant::send(variant, broker, messages)?;
            Ok((cost::CpuTime::of_this_process()?.since(&before), seconds))
        });
        match spent {
            Ok((cpu, seconds)) => {
                let each = |time: f64| time * 1e6 / messages as f64;
                let total = each(cpu.user + cpu.system);
                if number == PRODUCT {
                    product = total;
                }
                writeln!(
                    out,
                    "{:<52} {:>7.2} {:>7.2} {:>7.2} {:>9.0}",
                    variant.name,
                    total,
                    each(cpu.user),
                    each(cpu.system),
                    messages as f64 / seconds / 1e3,
                )?;
            }
            Err(problem) => writeln!(out, "{:<52} {problem}", variant.name)?,
        }
        out.flush()?;
    }
    let before = cost::CpuTime::of_this_process().map_err(io::Error::other)?;
    let seconds = own_batch::encode(messages * 4);
    let cpu = cost::CpuTime::of_this_process().map_err(io::Error::other)?.since(&before);
    let own = (messages * 4) as f64;
    writeln!(
        out,
        "{:<52} {:>7.2} {:>7.2} {:>7.2} {:>9.0}",
        "own record batches into memory, no socket",
        (cpu.user + cpu.system) * 1e6 / own,
        cpu.user * 1e6 / own,
        cpu.system * 1e6 / own,
        own / seconds / 1e3,
    )?;
    let settings = VARIANTS.get(PRODUCT).map(Variant::settings).unwrap_or_default();
    let instructions = match cost::instructions_per_message(PRODUCT, broker) {
        Ok(counted) => format!("{:.0} instructions/message ({})", counted.each, counted.with),
        Err(problem) => format!("instructions not counted ({problem})"),
    };
    writeln!(out, "produce: {product:.2} us/message, {instructions}, settings {settings}")
}
