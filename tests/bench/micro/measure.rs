//! CPU time and allocations of a case.

use rustix::time::{ClockId, clock_gettime};
use stats_alloc::Region;

use crate::{ALLOCATOR, Outcome};

/// Runs of which the least is taken: what else the machine does only adds to it.
const RUNS: usize = 15;
/// CPU time of one run, nanoseconds: far above what reading the clock takes.
const RUN: u64 = 15_000_000;

/// Work in passes of so many units: rows or cells.
pub trait Measured {
    /// Its name.
    fn name(&self) -> &str;
    /// Units of a pass.
    fn units(&self) -> usize;
    /// Whether all buffers have grown.
    fn is_steady(&self) -> bool;
    /// Does all of it once.
    fn pass(&mut self) -> Outcome<usize>;
    /// The mean size of what a unit became.
    fn bytes_per_unit(&self) -> f64;
}

/// What a unit costs.
pub struct Cost {
    /// CPU time.
    pub nanos: f64,
    /// Allocations and reallocations.
    pub allocations: f64,
    /// Bytes of what it became.
    pub bytes: f64,
}

impl Cost {
    /// `0`, or with two digits.
    pub fn allocations_shown(&self) -> String {
        if self.allocations == 0.0 { "0".to_owned() } else { format!("{:.2}", self.allocations) }
    }
}

/// CPU time of this thread so far, nanoseconds. The clock is exact, while `/proc/thread-self/schedstat` only moves with the
/// scheduler's ticks, some milliseconds apart (clock_getres(2), Documentation/scheduler/sched-stats.rst).
pub fn thread_nanos() -> Outcome<u64> {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Ok(u64::try_from(time.tv_sec)? * 1_000_000_000 + u64::try_from(time.tv_nsec)?)
}

/// Measures a case once its buffers have grown.
pub fn cost(case: &mut impl Measured) -> Outcome<Cost> {
    while !case.is_steady() {
        case.pass()?;
    }
    let region = Region::new(ALLOCATOR);
    let passes = 20;
    for _ in 0..passes {
        case.pass()?;
    }
    let change = region.change();
    let allocations = (change.allocations + change.reallocations) as f64 / (passes * case.units()) as f64;
    let mut passes = 1;
    loop {
        if timed(case, passes)? >= RUN {
            break;
        }
        passes *= 2;
    }
    let mut runs = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        runs.push(timed(case, passes)?);
    }
    let least = runs.into_iter().min().unwrap_or_default();
    let nanos = least as f64 / (passes * case.units()) as f64;
    Ok(Cost { nanos, allocations, bytes: case.bytes_per_unit() })
}

fn timed(case: &mut impl Measured, passes: usize) -> Outcome<u64> {
    let before = thread_nanos()?;
    for _ in 0..passes {
        case.pass()?;
    }
    Ok(thread_nanos()? - before)
}
