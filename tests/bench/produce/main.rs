//! What one message costs: `cargo bench --bench produce -- HOST:PORT [messages] [librdkafka]`.
//!
//! A message is what a row of ten columns becomes: a key, 600 bytes of JSON, Debezium's four context headers and
//! `tidewire.seq`. The broker is usually the slower side and shares the machine, so the wall clock says little: the
//! figures are the CPU time of this process over all its threads (`/proc/self/stat`) and the instructions it executed
//! (`perf stat`, or callgrind where the machine hides its counters). The first line is the product; the second is
//! librdkafka with the best settings that were found, which the product used before; with the word `librdkafka` more
//! lines follow, each of which changes one thing of these. The last line is about the product.

mod cost;
mod own_batch;
mod product;
mod variant;

use std::io::{self, Write};
use std::process::ExitCode;

use variant::VARIANTS;

/// Messages per variant when none are named.
const MESSAGES: u64 = 300_000;
/// More would only fill disks.
const MOST_MESSAGES: u64 = 2_000_000;
/// The product among the variants of librdkafka.
const PRODUCT: &str = "product";

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
    if let [first, variant, broker, messages] = args.as_slice()
        && first == "--one"
    {
        let messages = messages.parse().map_err(|_| "a count of messages is wanted")?;
        return send(variant, broker, messages).map(|_| ());
    }
    let (broker, rest) = args
        .split_first()
        .ok_or("usage: cargo bench --bench produce -- HOST:PORT [messages] [librdkafka]")?;
    let messages = match rest.iter().find(|word| *word != "librdkafka") {
        Some(count) => count.parse().map_err(|_| "a count of messages is wanted")?,
        None => MESSAGES,
    };
    if messages > MOST_MESSAGES {
        return Err(format!("at most {MOST_MESSAGES} messages"));
    }
    let variants = if rest.iter().any(|word| word == "librdkafka") { VARIANTS.len() } else { 1 };
    table(broker, messages, variants).map_err(|problem| problem.to_string())
}

/// Sends with the product or a variant of librdkafka, by its number.
fn send(variant: &str, broker: &str, messages: u64) -> Result<f64, String> {
    if variant == PRODUCT {
        return product::send(broker, messages);
    }
    let variant = variant.parse().ok().and_then(|number: usize| VARIANTS.get(number));
    variant::send(variant.ok_or("no such variant")?, broker, messages)
}

fn table(broker: &str, messages: u64, variants: usize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{:<52} {:>7} {:>7} {:>7} {:>9}", "variant", "us/msg", "user", "system", "thousand/s")?;
    let mut product = 0.0;
    let numbered = VARIANTS.iter().enumerate().map(|(number, variant)| (number.to_string(), variant.name));
    let all = std::iter::once((PRODUCT.to_owned(), "the product")).chain(numbered.take(variants));
    for (variant, name) in all {
        // The first messages pay for connections, metadata and a cold broker.
        let spent = send(&variant, broker, messages / 10).and_then(|_| {
            let before = cost::CpuTime::of_this_process()?;
            let seconds = send(&variant, broker, messages)?;
            Ok((cost::CpuTime::of_this_process()?.since(&before), seconds))
        });
        match spent {
            Ok((cpu, seconds)) => {
                let each = |time: f64| time * 1e6 / messages as f64;
                let total = each(cpu.user + cpu.system);
                if variant == PRODUCT {
                    product = total;
                }
                writeln!(
                    out,
                    "{:<52} {:>7.2} {:>7.2} {:>7.2} {:>9.0}",
                    name,
                    total,
                    each(cpu.user),
                    each(cpu.system),
                    messages as f64 / seconds / 1e3,
                )?;
            }
            Err(problem) => writeln!(out, "{:<52} {problem}", name)?,
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
    let instructions = match cost::instructions_per_message(PRODUCT, broker) {
        Ok(counted) => format!("{:.0} instructions/message ({})", counted.each, counted.with),
        Err(problem) => format!("instructions not counted ({problem})"),
    };
    writeln!(out, "produce: {product:.2} us/message, {instructions}")
}
