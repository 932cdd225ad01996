//! Waiting for a time that the configuration names.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::source::error::SourceError;

/// Between two looks at the wish to stop.
const TICK: Duration = Duration::from_millis(50);

/// Waits; the wish to stop ends it as an error.
pub fn pause(time: Duration, stop: &AtomicBool) -> Result<(), SourceError> {
    let began = Instant::now();
    while began.elapsed() < time {
        if stop.load(Ordering::Relaxed) {
            return Err(SourceError::Stopped);
        }
        std::thread::sleep(TICK.min(time.saturating_sub(began.elapsed())));
    }
    Ok(())
}
