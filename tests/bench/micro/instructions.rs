//! Instructions a row or a cell, counted by callgrind in a child process that does the passes of all cases.
//!
//! Only what `measured_passes` does is counted, and what was counted is written into a file of its own behind each, so that
//! what comes before does not matter. Nearly all the child's time goes into its start, which is why there is but one.

use std::fs;
use std::process::Command;

use crate::Outcome;
use crate::measure::Measured;

/// The first argument of the child; the cases' names follow.
pub const CHILD: &str = "--count-instructions";
/// Passes that are counted.
const PASSES: usize = 3;

/// In the child: buffers have grown before the counting begins.
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

/// What was counted of a case, a unit, or `n/a` where valgrind is not installed.
pub fn per_unit(counted: Option<f64>, case: &impl Measured) -> String {
    match counted {
        Some(count) => format!("{:.0}", count / (case.units() * PASSES) as f64),
        None => "n/a".to_owned(),
    }
}

/// The instructions of the counted passes of cases, in the order in which the child does them.
pub fn count(names: &[&str]) -> Outcome<Vec<f64>> {
    let folder = tempfile::tempdir()?;
    let files = folder.path().join("passes");
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*measured_passes*"])
        .args(["--dump-after=*::measured_passes*", &format!("--callgrind-out-file={}", files.display())])
        .arg(std::env::current_exe()?)
        .arg(CHILD)
        .args(names)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    if !done.status.success() {
        let text = String::from_utf8_lossy(&done.stderr);
        return Err(text.lines().last().unwrap_or("valgrind failed").into());
    }
    let count = |number: usize| -> Outcome<f64> {
        let text = fs::read_to_string(files.with_extension(number.to_string()))?;
        let line = text.lines().find_map(|line| line.strip_prefix("summary: "));
        Ok(line.ok_or("callgrind counted nothing")?.trim().parse()?)
    };
    (1..=names.len()).map(count).collect()
}
