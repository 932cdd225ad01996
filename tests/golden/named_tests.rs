//! One named test per case, run and reported as Rust's own harness does.
//!
//! `cargo test --test golden -- [FILTER...] [--exact] [--list]`: a case runs when a filter is part of its name (or is
//! its name). No case at all is a failure. Cases of a lane run one after the other: they are short, or share a server.
//! Lanes run side by side.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

/// What a test is called and what it does; the error says what is wrong.
pub struct NamedTest<'a> {
    pub name: String,
    pub run: Box<dyn FnOnce() -> Result<String, String> + Send + 'a>,
    lane: &'static str,
}

impl<'a> NamedTest<'a> {
    pub fn new(name: impl Into<String>, run: impl FnOnce() -> Result<String, String> + Send + 'a) -> Self {
        NamedTest { name: name.into(), run: Box::new(run), lane: "" }
    }

    /// The lane; tests that name none share one.
    #[allow(dead_code, reason = "not every program of tests has lanes")]
    pub fn in_lane(self, lane: &'static str) -> Self {
        NamedTest { lane, ..self }
    }
}

/// Runs the tests that the command line asks for.
pub fn main(tests: Vec<NamedTest<'_>>) -> ExitCode {
    let mut filters = Vec::new();
    let (mut exact, mut list) = (false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--exact" => exact = true,
            "--list" => list = true,
            // Options of the usual harness that take a value.
            "--test-threads" | "--format" | "--color" | "--skip" | "--logfile" | "-Z" => {
                arguments.next();
            }
            option if option.starts_with('-') => {}
            filter => filters.push(filter.to_owned()),
        }
    }
    let all = tests.len();
    let chosen: Vec<_> = tests
        .into_iter()
        .filter(|t| {
            filters.is_empty()
                || filters.iter().any(|f| if exact { t.name == *f } else { t.name.contains(f) })
        })
        .collect();
    match report(chosen, all, list) {
        Ok(true) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn report(chosen: Vec<NamedTest<'_>>, all: usize, list: bool) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    if list {
        for test in &chosen {
            writeln!(out, "{}: test", test.name)?;
        }
        return Ok(true);
    }
    let (began, count) = (Instant::now(), chosen.len());
    writeln!(out, "\nrunning {count} tests")?;
    let mut failures = Vec::new();
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut lanes: Vec<(&str, Vec<NamedTest<'_>>)> = Vec::new();
        for test in chosen {
            match lanes.iter_mut().find(|(name, _)| *name == test.lane) {
                Some((_, tests)) => tests.push(test),
                None => lanes.push((test.lane, vec![test])),
            }
        }
        for (_, tests) in lanes {
            let sender = sender.clone();
            scope.spawn(move || {
                for test in tests {
                    // Nobody listens any more when the output is gone.
                    let _ = sender.send((test.name, (test.run)()));
                }
            });
        }
        drop(sender);
        for (name, result) in results {
            match result {
                Ok(what) => writeln!(out, "test {name} ... ok  {what}")?,
                Err(why) => {
                    writeln!(out, "test {name} ... FAILED")?;
                    failures.push((name, why));
                }
            }
        }
        io::Result::Ok(())
    })?;
    for (name, why) in &failures {
        writeln!(out, "\n---- {name} ----\n{why}")?;
    }
    let passed = failures.is_empty() && count > 0;
    writeln!(
        out,
        "\ntest result: {}. {} passed; {} failed; 0 ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if passed { "ok" } else { "FAILED" },
        count - failures.len(),
        failures.len(),
        all - count,
        began.elapsed().as_secs_f64()
    )?;
    Ok(passed)
}
