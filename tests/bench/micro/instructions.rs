//! Instructions a row or a cell, counted by callgrind in a child process for each case.
//!
//! Only what `measured_passes` does is counted, so that what comes before does not matter.

use std::io::{self, Write};
use std::process::Command;

use crate::Outcome;
use crate::measure::Measured;

/// The first argument of the child; the case's name is the second.
pub const CHILD: &str = "--count-instructions";
/// Passes that are counted.
const PASSES: usize = 3;

/// The child: buffers have grown before the counting begins.
pub fn run_counted(case: &mut impl Measured) -> Outcome<()> {
    while !case.is_steady() {
        case.pass()?;
    }
    measured_passes(case)
}

#[inline(never)]
fn measured_passes(case: &mut impl Measured) -> Outcome<()> {
    for _ in 0..PASSES {
        case.pass()?;
    }
    Ok(())
}

/// Instructions a unit, or `n/a` where valgrind is not installed.
pub fn per_unit(case: &impl Measured) -> String {
    match count(case.name()) {
        Ok(count) => format!("{:.0}", count / (case.units() * PASSES) as f64),
        Err(problem) => {
            let _ = writeln!(io::stderr(), "micro: instructions are not counted: {problem}");
            "n/a".to_owned()
        }
    }
}

fn count(name: &str) -> Outcome<f64> {
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*measured_passes*"])
        .arg(std::env::current_exe()?)
        .args([CHILD, name])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        return Err(text.lines().last().unwrap_or("valgrind failed").into());
    }
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    Ok(line.ok_or("callgrind counted nothing")?.1.trim().parse()?)
}
