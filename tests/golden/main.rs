//! Golden tests: recorded binlogs through `tidewire decode`, compared with what the real Debezium published.
//!
//! Every folder of `corpus/` is a case (`case.rs` says what is in it). Its binlog is decoded from where the connector's
//! streaming began, with the schema that the stored history gives there, and the records of the stream are compared
//! exactly: topics, order, partitions, headers, keys, values, schemas, and the published text where it was recorded.
//! `scrub.rs` is the only list of what may differ, `fixes.jsonl` the only list of what shall.

#[allow(dead_code, reason = "a live run asks for more of a case than a replay")]
mod case;
#[allow(dead_code, reason = "a live run asks for more than a replay")]
mod compare;
mod comparison_proof;
#[allow(dead_code, reason = "as above")]
mod fixes;
mod json;
mod named_tests;
mod record;
mod scrub;

use case::Case;
use named_tests::NamedTest;
use std::process::{Command, ExitCode};

/// Differences that are shown of one case.
const SHOWN: usize = 5;

fn main() -> ExitCode {
    let mut tests = vec![NamedTest::new("comparison_finds_what_it_must", || {
        comparison_proof::cases().map(|()| String::new())
    })];
    match (Case::all(), case::fixes()) {
        (Ok(cases), Ok(fixes)) => {
            let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
            let every = fixes.clone();
            tests.push(NamedTest::new("fixes_name_cases", move || {
                let stray: Vec<_> =
                    fixes::scenarios(&every).into_iter().filter(|s| !names.contains(s)).collect();
                if stray.is_empty() {
                    Ok(String::new())
                } else {
                    Err(format!("no such case: {}", stray.join(", ")))
                }
            }));
            tests.extend(cases.into_iter().filter(Case::can_be_replayed).map(|case| {
                let fixes = fixes.clone();
                NamedTest::new(case.name.clone(), move || replay(&case, &fixes))
            }));
        }
        (Err(why), _) | (_, Err(why)) => tests.push(NamedTest::new("corpus", move || Err(why))),
    }
    named_tests::main(tests)
}

/// Decodes a case's binlog and compares.
fn replay(case: &Case, fixes: &str) -> Result<String, String> {
    let (file, position) = &case.start;
    let mut decode = Command::new(env!("CARGO_BIN_EXE_tidewire"));
    decode.arg("decode").arg("--config").arg(case.folder.join("config.json"));
    // A scenario that loses its history has only the statements in the binlog.
    let history = case.folder.join("history.jsonl");
    if !case::read(&history)?.is_empty() {
        decode.arg("--schema-history").arg(history);
    }
    let output = decode
        .arg("--start-position")
        .arg(format!("{file}:{position}"))
        .args(case.binlogs()?)
        .output()
        .map_err(|e| format!("tidewire decode: {e}"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    // Where Debezium stopped we may, too, having said what to do about it.
    let stopped = case.debezium_failed && complaint.contains("to do: ");
    if !output.status.success() && !stopped {
        return Err(format!("tidewire decode: {}\n{complaint}", output.status));
    }
    let published =
        String::from_utf8(output.stdout).map_err(|e| format!("decode printed other than UTF-8: {e}"))?;
    let outcome = compare::compare(
        case.expectation(fixes)?,
        record::Record::from_lines(&published)?,
        scrub::Run::Replay,
    );
    outcome.report(SHOWN)
}
