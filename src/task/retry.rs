//! What is tried again, and when: the only place that reads the class of an error.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::config::source::SourceConfig;
use crate::error::{Classify, ErrorClass, chain};
use crate::source::mysql::backoff::Backoff;
use crate::task::error::TaskError;

/// The first wait; each further one is longer, up to `retriable.restart.connector.wait.ms`.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// An attempt that ran for so long was a good one: the next fault starts with short waits again.
const GOOD_RUN: Duration = Duration::from_secs(60);

/// Attempts until one ends well, a fault is fatal, or `errors.max.retries` retriable ones came in a row.
pub fn with_retries(
    config: &SourceConfig,
    stop: &AtomicBool,
    mut attempt: impl FnMut() -> Result<(), TaskError>,
) -> Result<(), TaskError> {
    let mut backoff = Backoff::new(FIRST_WAIT.min(config.retry_wait), config.retry_wait);
    loop {
        let began = Instant::now();
        let Err(error) = attempt() else { return Ok(()) };
        if stop.load(Ordering::Relaxed) {
            // Whatever it was, the user asked for the end, and nothing that is durable is lost by it.
            tracing::warn!(error = chain(&error), "an error while stopping");
            return Ok(());
        }
        if error.class() == ErrorClass::Fatal {
            return Err(error);
        }
        if began.elapsed() > GOOD_RUN {
            backoff.reset();
        }
        if i64::from(config.errors_max_retries) >= 0
            && i64::from(backoff.attempts()) >= i64::from(config.errors_max_retries)
        {
            return Err(error);
        }
        let wait = backoff.next_wait();
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        tracing::warn!(
            connector = config.connector_name.as_str(),
            error = chain(&error),
            remedy = error.remedy(),
            attempt = backoff.attempts(),
            wait_ms,
            "the connector starts again"
        );
        let until = Instant::now() + wait;
        while Instant::now() < until {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50).min(wait));
        }
    }
}
