//! Fuzzing: what a server recorded, changed at random, must give records or a typed error: never a panic, never more
//! memory than its size explains, and never an endless loop.
//!
//! Inputs are events that real servers wrote (`tests/binlogs`), documents in them, diffs to documents, and the statements of
//! `tests/ddl`. `proptest` changes them and makes what fails small. `tests/run fuzz MINUTES` (or `TIDEWIRE_FUZZ_MINUTES=10 cargo test --test fuzz`) sets how
//! long it goes on; `TIDEWIRE_FUZZ_SEED` repeats a run's inputs. It ends with `fuzz: N inputs, M faults`.

mod events;
mod json;
mod mutation;
mod statements;

use std::alloc::System;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use events::Events;
use json::Documents;
use statements::Statements;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Inputs of one target between two looks at the clock.
const ROUND: u32 = 256;
/// How long an input may take.
const LIMIT: Duration = Duration::from_secs(10);
/// What may be allocated for an input, all in all: the buffers of a handler and its queue, and a multiple of the input.
const MEMORY: usize = 64 << 20;
const MEMORY_A_BYTE: usize = 4096;

/// Runs some inputs; the error tells of one that failed.
type Target<'t> = dyn Fn(&mut TestRunner) -> Result<(), String> + 't;
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stdout(), "fuzz: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<bool> {
    let minutes: f64 = std::env::var("TIDEWIRE_FUZZ_MINUTES").map_or(Ok(0.1), |text| text.parse())?;
    let seed = match std::env::var("TIDEWIRE_FUZZ_SEED") {
        Ok(text) => text.parse()?,
        Err(_) => std::time::UNIX_EPOCH.elapsed()?.as_secs(),
    };
    let (events, documents, statements) = (Events::read()?, Documents::read()?, Statements::read()?);
    let targets: [(&str, &Target); 6] = [
        ("rows", &|runner| events.rows(runner)),
        ("table maps", &|runner| events.table_maps(runner)),
        ("any event", &|runner| events.any_event(runner)),
        ("transaction payloads", &|runner| events.payloads(runner)),
        ("documents and diffs", &|runner| documents.documents(runner)),
        ("statements", &|runner| statements.statements(runner)),
    ];
    let deadline = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let (mut inputs, mut faults, mut round) = (0u64, 0u64, 0u64);
    let mut out = io::stdout();
    writeln!(out, "seed {seed}, {minutes} minutes")?;
    while round == 0 || Instant::now() < deadline {
        for (name, target) in &targets {
            let mut bytes = [0; 32];
            let numbers = seed.to_le_bytes().into_iter().chain(round.to_le_bytes());
            bytes.iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
            let config = Config { cases: ROUND, failure_persistence: None, ..Config::default() };
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
            inputs += u64::from(ROUND);
            if let Err(fault) = target(&mut TestRunner::new_with_rng(config, rng)) {
                faults += 1;
                writeln!(out, "{name}: {fault}")?;
            }
        }
        round += 1;
    }
    let word = if faults == 0 { "ok" } else { "FAILED" };
    writeln!(out, "test result: {word}. {} passed; {faults} failed", u64::from(faults == 0))?;
    writeln!(out, "fuzz: {inputs} inputs, {faults} faults")?;
    Ok(faults == 0)
}

/// Runs one input: memory and time are measured; a panic is caught by the runner.
fn measured(size: usize, work: impl FnOnce()) -> Result<(), TestCaseError> {
    within(MEMORY + size * MEMORY_A_BYTE, size, work)
}

/// The same with a bound of its own.
fn within(memory: usize, size: usize, work: impl FnOnce()) -> Result<(), TestCaseError> {
    let (region, began) = (Region::new(ALLOCATOR), Instant::now());
    work();
    let (allocated, took) = (region.change().bytes_allocated, began.elapsed());
    if allocated > memory {
        return Err(TestCaseError::fail(format!("{allocated} bytes allocated for {size} bytes")));
    }
    if took > LIMIT {
        return Err(TestCaseError::fail(format!("{size} bytes took {} s", took.as_secs())));
    }
    Ok(())
}

/// What a run found, with the smallest input.
fn told<T: std::fmt::Debug>(result: Result<(), TestError<T>>) -> Result<(), String> {
    result.map_err(|error| error.to_string())
}
