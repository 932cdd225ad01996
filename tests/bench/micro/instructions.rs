//! Instructions a row, counted by callgrind in a child process that runs each case once.
//!
//! Callgrind starts from zero when `counted` is entered and writes a file when it is left, so that what comes before
//! does not count. The files are numbered in the order of the cases.

use std::fs;
use std::process::Command;

use crate::{Outcome, case::Case};

/// The argument that makes a process the child.
pub const CHILD: &str = "--count-instructions";
/// Passes that are counted.
const PASSES: usize = 3;

/// The child: each case once outside and once inside of what is counted.
pub fn run_counted(cases: &mut [Case<'_>]) -> Outcome<()> {
    for case in cases {
        while case.batches_filled < 1 {
            case.pass()?;
        }
        counted(case)?;
    }
    Ok(())
}

#[inline(never)]
fn counted(case: &mut Case<'_>) -> Outcome<()> {
    for _ in 0..PASSES {
        case.pass()?;
    }
    // How many rows, for the parent: a file of callgrind holds nothing of ours.
    eprint_rows(case.rows * PASSES)
}

fn eprint_rows(rows: usize) -> Outcome<()> {
    use std::io::Write;
    Ok(writeln!(std::io::stderr(), "rows: {rows}")?)
}

/// Instructions a row of each case.
pub fn of_child(filters: &[String], cases: usize) -> Outcome<Vec<f64>> {
    let folder = std::env::temp_dir().join(format!("tidewire-micro-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let counts = count(&folder, filters, cases);
    fs::remove_dir_all(&folder)?;
    counts
}

fn count(folder: &std::path::Path, filters: &[String], cases: usize) -> Outcome<Vec<f64>> {
    let file = folder.join("count");
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--zero-before=*instructions*counted", "--dump-after=*instructions*counted"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(std::env::current_exe()?)
        .arg(CHILD)
        .args(filters)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        return Err(text.lines().last().unwrap_or("valgrind failed").into());
    }
    let rows = text.lines().filter_map(|line| line.strip_prefix("rows: ")).map(str::parse::<f64>);
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    if rows.len() != cases {
        return Err("the child ran other cases".into());
    }
    let counts = rows.iter().enumerate().map(|(number, rows)| {
        let dump = fs::read_to_string(folder.join(format!("count.{}", number + 1)))?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
        Ok(total.ok_or("callgrind counted nothing")?.trim().parse::<f64>()? / rows)
    });
    counts.collect()
}
