//! Time, so that tests can hold it still.

use std::time::{SystemTime, UNIX_EPOCH};

/// Where the processing times of records come from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// Always this instant, in nanoseconds since 1970 (UTC).
    Fixed(i64),
}

impl Clock {
    /// Nanoseconds since 1970 (UTC).
    pub fn now_nanos(self) -> i64 {
        match self {
            Clock::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
            }
            Clock::Fixed(nanos) => nanos,
        }
    }
}
