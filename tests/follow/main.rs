//! Follows random statements on a real server, and the corpus of statements in `tests/ddl`.
//!
//! `tests/run follow SERVER SEED COUNT` runs that many random statements on a server; `tests/run follow` runs the corpus
//! and a few random ones on each server.

mod believed;
mod chance;
mod corpus;
mod facts;
mod follower;
mod ground;
mod information_schema;
#[path = "../golden/named_tests.rs"]
mod named_tests;
mod run;
mod statements;

use std::io::{self, Write};
use std::process::ExitCode;

use ground::Server;
use named_tests::NamedTest;

/// The random statements that run along with all other tests: seed and number for each server.
const SHORT_RUNS: [(u64, usize); 1] = [(1, 150)];

/// The least number of statements in `tests/ddl`.
const STATEMENTS: usize = 1_500;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [server, seed, count] = arguments.as_slice()
        && let (Ok(server), Ok(seed), Ok(count)) = (Server::named(server), seed.parse(), count.parse())
    {
        return report(server, seed, count).unwrap_or(ExitCode::FAILURE);
    }
    let tests = match corpus_tests() {
        Ok(tests) => tests.into_iter().chain(random_tests()).collect(),
        Err(why) => vec![NamedTest::new("corpus", move || Err(why))],
    };
    named_tests::main(tests)
}

fn corpus_tests() -> Result<Vec<NamedTest<'static>>, String> {
    let mut tests = vec![
        NamedTest::new("files_are_read_rightly", corpus::proof),
        NamedTest::new("corpus_is_large_enough", || match corpus::count()? {
            count if count >= STATEMENTS => Ok(format!("{count} statements")),
            count => Err(format!("{count} statements, {STATEMENTS} are promised")),
        }),
    ];
    for path in corpus::files()? {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        for server in ground::ALL {
            let path = path.clone();
            let run = move || corpus::run(server, &path).map(|count| format!("{count} statements"));
            tests.push(NamedTest::new(format!("{name}_{}", server.name()), run).in_lane(server.name()));
        }
    }
    Ok(tests)
}

fn random_tests() -> Vec<NamedTest<'static>> {
    let mut tests = Vec::new();
    for server in ground::ALL.into_iter().chain([Server::MySql57Lower]) {
        for (seed, count) in SHORT_RUNS {
            let run = move || {
                let outcome = run::run(server, seed, count)?;
                match outcome.differences.as_slice() {
                    [] if outcome.statements == count => {
                        Ok(format!("{count} statements, {} refused", outcome.refused))
                    }
                    [] => Err(format!("{} statements ran", outcome.statements)),
                    found => Err(found.join("\n")),
                }
            };
            tests
                .push(NamedTest::new(format!("random_{}_{seed}", server.name()), run).in_lane(server.name()));
        }
    }
    tests
}

fn report(server: Server, seed: u64, count: usize) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    match run::run(server, seed, count) {
        Ok(outcome) => {
            for difference in &outcome.differences {
                writeln!(out, "{difference}")?;
            }
            writeln!(out, "refused by the server, and not counted: {}", outcome.refused)?;
            writeln!(
                out,
                "follow: {} statements, {} differences",
                outcome.statements,
                outcome.differences.len()
            )?;
            let passed = outcome.differences.is_empty() && outcome.statements == count && count > 0;
            Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Err(error) => {
            writeln!(out, "seed {seed}, {}: {error}", server.name())?;
            writeln!(out, "follow: no result")?;
            Ok(ExitCode::FAILURE)
        }
    }
}
