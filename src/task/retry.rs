//! What is tried again, and when: the only place that reads the class of an error.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::config::sink::SinkConfig;
use crate::config::source::SourceConfig;
use crate::error::{Classify, ErrorClass, chain};
use crate::source::mysql::backoff::Backoff;
use crate::task::error::TaskError;

/// The first wait; each further one is longer, up to `retriable.restart.connector.wait.ms`.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// An attempt that ran for so long was a good one: the next fault starts with short waits again.
const GOOD_RUN: Duration = Duration::from_secs(60);

/// How often and how soon a connector is tried again.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy<'a> {
    connector: &'a str,
    /// -1 for no end.
    most: i32,
    longest_wait: Duration,
}

impl<'a> From<&'a SourceConfig> for RetryPolicy<'a> {
    fn from(config: &'a SourceConfig) -> Self {
        let most = config.errors_max_retries;
        RetryPolicy { connector: &config.connector_name, most, longest_wait: config.retry_wait }
    }
}

/// What may pass is waited for without end; `errors.retry.timeout` is about single inserts.
impl<'a> From<&'a SinkConfig> for RetryPolicy<'a> {
    fn from(config: &'a SinkConfig) -> Self {
        RetryPolicy { connector: &config.name, most: -1, longest_wait: config.errors.longest_delay }
    }
}

/// Attempts until one ends well, a fault is fatal, or `errors.max.retries` retriable ones came in a row.
pub fn with_retries<'a>(
    policy: impl Into<RetryPolicy<'a>>,
    stop: &AtomicBool,
    mut attempt: impl FnMut() -> Result<(), TaskError>,
) -> Result<(), TaskError> {
    let policy = policy.into();
    let mut backoff = Backoff::new(FIRST_WAIT.min(policy.longest_wait), policy.longest_wait);
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
        if policy.most >= 0 && i64::from(backoff.attempts()) >= i64::from(policy.most) {
            return Err(error);
        }
        let wait = backoff.next_wait();
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        tracing::warn!(
            connector = policy.connector,
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
