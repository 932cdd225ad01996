//! What a row costs: `cargo bench --bench micro -- [FILTER...]`.
//!
//! Rows that MySQL 9.7 wrote (`tests/binlogs/rows-97.binlog`, from `rows.sql`) go through a compiled row plan, over and
//! over: a table of ten columns, one of seven with much text, one of 200 integers; inserted, updated, deleted, and read by
//! a snapshot; without and with schemas. Then the whole file goes through the event handler into a queue that is emptied
//! at once.
//!
//! The machine may be busy, so times are the CPU time of the thread that converts, the median of several runs. What a
//! change really does is seen in the instructions a row, which callgrind counts in a child process where valgrind is
//! installed. A row plan that allocates in its steady state has failed, and so has the bench.

mod case;
mod end_to_end;
mod fixture;
mod instructions;
mod measure;
mod packet;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use case::Case;
use fixture::Recording;

/// Counts what is allocated.
#[global_allocator]
static ALLOCATOR: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

/// What can go wrong is for a person to read.
type Outcome<T> = Result<T, Box<dyn Error>>;

/// The case of the last line.
const NARROW: &str = "narrow insert";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "micro: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether no row plan allocated.
fn run(arguments: &[String]) -> Outcome<bool> {
    let recording = Recording::read()?;
    if let [first, name] = arguments
        && first == instructions::CHILD
    {
        let mut cases = Case::all(&recording, |case| case == name)?;
        instructions::run_counted(cases.first_mut().ok_or("there is no such case")?)?;
        return Ok(true);
    }
    let wanted =
        |name: &str| arguments.is_empty() || arguments.iter().any(|filter| name.contains(filter.as_str()));
    let mut cases = Case::all(&recording, wanted)?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:<28} {:>8} {:>11} {:>10} {:>9} {:>9}",
        "row plan", "ns/row", "rows/s", "instr/row", "alloc/row", "bytes/row"
    )?;
    let mut steady = true;
    let mut last = None;
    for case in &mut cases {
        let cost = measure::cost(case)?;
        let counted = instructions::per_row(case);
        writeln!(
            out,
            "{:<28} {:>8.0} {:>11.0} {:>10} {:>9} {:>9.0}",
            case.name,
            cost.nanos,
            1e9 / cost.nanos,
            counted,
            cost.allocations_shown(),
            cost.bytes
        )?;
        out.flush()?;
        if cost.allocations != 0.0 {
            steady = false;
            writeln!(out, "micro: {} allocates; a row in the steady state must not", case.name)?;
        }
        if case.name == NARROW || last.is_none() {
            last = Some((case.name.clone(), cost, counted));
        }
    }
    if wanted(end_to_end::NAME) {
        end_to_end::print(&recording, &mut out)?;
    }
    if let Some((name, cost, counted)) = last {
        let what = name.strip_suffix(" insert").unwrap_or(&name);
        let allocations = cost.allocations_shown();
        writeln!(
            out,
            "micro: {:.0} ns/row {what}, {counted} instructions/row, {allocations} allocations/row",
            cost.nanos
        )?;
    }
    Ok(steady)
}
