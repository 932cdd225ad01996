//! What a row costs, and what a cell of each type: `cargo bench --bench micro -- [FILTER...]`.
//!
//! Rows that MySQL 9.7 wrote (`tests/binlogs/rows-97.binlog`, from `rows.sql`) go through a compiled row plan, over and
//! over: a table of ten columns, one of seven with much text, one of 200 integers; inserted, updated, deleted, and read by
//! a snapshot; without and with schemas. Then cells of every type and character set (`cells-97.binlog`, from `cells.sql`)
//! go through decoder, mapping and printing alone. Then records of nine columns become ClickHouse's rows, as in the sink. Last,
//! the whole file of rows goes through the event handler into a queue that is emptied at once.
//!
//! The machine may be busy, so times are the CPU time of the thread that converts, the least of several runs. What a
//! change really does is seen in the instructions, which callgrind counts in a child process where valgrind is
//! installed. A row plan or a type that allocates in its steady state has failed, and so has a type of fixed size whose
//! cells take more than 100 ns (of a DECIMAL of more than 38 digits, as much a digit), and with them the bench.

mod case;
mod cell_case;
mod end_to_end;
mod fixture;
mod instructions;
mod measure;
mod packet;
mod result_cell;
mod sink_case;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use case::Case;
use cell_case::CellCase;
use fixture::{CELLS, ROWS, Recording};
use measure::{Cost, Measured};
use sink_case::SinkCase;

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

/// Whether nothing allocated, and no cell took too long.
fn run(arguments: &[String]) -> Outcome<bool> {
    let recording = Recording::read(ROWS)?;
    let cells = Recording::read(CELLS)?;
    if let [first, names @ ..] = arguments
        && first == instructions::CHILD
    {
        let wanted = |case: &str| names.iter().any(|name| name == case);
        Case::all(&recording, wanted)?.iter_mut().try_for_each(instructions::run_counted)?;
        CellCase::all(&cells, wanted)?.iter_mut().try_for_each(instructions::run_counted)?;
        SinkCase::all(wanted)?.iter_mut().try_for_each(instructions::run_counted)?;
        return Ok(true);
    }
    let wanted =
        |name: &str| arguments.is_empty() || arguments.iter().any(|filter| name.contains(filter.as_str()));
    let mut out = io::stdout().lock();
    let mut steady = true;
    let mut summary = Vec::new();
    let mut cases = Case::all(&recording, wanted)?;
    let mut cell_cases = CellCase::all(&cells, wanted)?;
    let mut sink_cases = SinkCase::all(wanted)?;
    let names = cases.iter().map(Measured::name).chain(cell_cases.iter().map(Measured::name));
    let names = names.chain(sink_cases.iter().map(Measured::name));
    let counted = instructions::count(&names.collect::<Vec<_>>());
    if let Err(problem) = &counted {
        writeln!(io::stderr(), "micro: instructions are not counted: {problem}")?;
    }
    let mut counted = counted.unwrap_or_default().into_iter();
    if !cases.is_empty() {
        heading("row plan", "row", &mut out)?;
        let mut last = None;
        for case in &mut cases {
            let (cost, counted) = measured(case, counted.next(), &mut out)?;
            steady &= cost.allocations == 0.0;
            if case.name == NARROW || last.is_none() {
                let what = case.name.strip_suffix(" insert").unwrap_or(&case.name);
                let allocations = cost.allocations_shown();
                last = Some(format!(
                    "{:.0} ns/row {what}, {counted} instructions/row, {allocations} allocations/row",
                    cost.nanos
                ));
            }
        }
        summary.extend(last);
    }
    if !cell_cases.is_empty() {
        heading("cell", "cell", &mut out)?;
        let mut slowest: Option<(f64, String)> = None;
        for case in &mut cell_cases {
            let (cost, _) = measured(case, counted.next(), &mut out)?;
            steady &= cost.allocations == 0.0;
            let Some(limit) = case.limit else { continue };
            if cost.nanos > limit {
                steady = false;
                writeln!(out, "micro: {} takes more than {limit:.0} ns", case.name)?;
            }
            if slowest.as_ref().is_none_or(|(nanos, _)| cost.nanos > *nanos) {
                slowest = Some((cost.nanos, case.name.clone()));
            }
        }
        let slowest = slowest.map(|(nanos, name)| format!(", of fixed size at most {nanos:.0} ns ({name})"));
        summary.push(format!("{} types and forms{}", cell_cases.len(), slowest.unwrap_or_default()));
    }
    if !sink_cases.is_empty() {
        heading("sink", "row", &mut out)?;
        let mut most = 0.0f64;
        for case in &mut sink_cases {
            let (cost, _) = measured(case, counted.next(), &mut out)?;
            steady &= cost.allocations == 0.0;
            most = most.max(cost.nanos);
        }
        summary.push(format!("sink at most {most:.0} ns/row"));
    }
    if wanted(end_to_end::NAME) {
        end_to_end::print(&recording, &mut out)?;
    }
    writeln!(out, "micro: {}", summary.join("; "))?;
    Ok(steady)
}

fn heading(what: &str, unit: &str, out: &mut impl Write) -> Outcome<()> {
    let [nanos, count, instructions, allocations, bytes] =
        ["ns/", "…s/s", "instr/", "alloc/", "bytes/"].map(|head| match head.strip_prefix('…') {
            Some(rest) => format!("{unit}{rest}"),
            None => format!("{head}{unit}"),
        });
    writeln!(out, "{what:<32} {nanos:>8} {count:>11} {instructions:>10} {allocations:>10} {bytes:>10}")?;
    Ok(())
}

/// Measures a case and prints its line.
fn measured(case: &mut impl Measured, counted: Option<f64>, out: &mut impl Write) -> Outcome<(Cost, String)> {
    let cost = measure::cost(case)?;
    let counted = instructions::per_unit(counted, case);
    writeln!(
        out,
        "{:<32} {:>8.0} {:>11.0} {:>10} {:>10} {:>10.0}",
        case.name(),
        cost.nanos,
        1e9 / cost.nanos,
        counted,
        cost.allocations_shown(),
        cost.bytes
    )?;
    if cost.allocations != 0.0 {
        writeln!(out, "micro: {} allocates; in the steady state it must not", case.name())?;
    }
    out.flush()?;
    Ok((cost, counted))
}
