//! A lease while it is held.
//!
//! It is good for `session.timeout.ms` from the moment when the last heartbeat that was answered had been sent. The coordinator
//! counts from the moment when the heartbeat came to it, which is later, so the lease ends here before another member can have it.
//! This is a matter of the clock, not of anybody's being told: a process that slept sees it before it does anything else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// See the module. Clones are of the same lease.
#[derive(Clone, Debug)]
pub struct Holding(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    stop: Arc<AtomicBool>,
    lost: AtomicBool,
    began: Instant,
    /// Nanoseconds from `began`.
    good_for: AtomicU64,
}

impl Holding {
    /// A lease that is good until then.
    pub fn until(end: Instant) -> Self {
        let inner = Inner {
            stop: Arc::default(),
            lost: AtomicBool::new(false),
            began: Instant::now(),
            good_for: AtomicU64::new(0),
        };
        let holding = Holding(Arc::new(inner));
        holding.extend(end);
        holding
    }

    /// The lease is good until then; it never ends earlier than was said before.
    pub(super) fn extend(&self, end: Instant) {
        let good_for = end.saturating_duration_since(self.0.began);
        let good_for = u64::try_from(good_for.as_nanos()).unwrap_or(u64::MAX);
        self.0.good_for.fetch_max(good_for, Ordering::Relaxed);
    }

    /// Set when whatever the lease was for has to end: the lease is lost, or the process is to stop.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.0.stop
    }

    /// The lease is lost.
    pub(super) fn lose(&self) {
        self.0.lost.store(true, Ordering::Relaxed);
        self.0.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the lease is lost, by what the coordinator said or by the clock. Nothing may be published from then on.
    pub fn is_lost(&self) -> bool {
        if !self.0.lost.load(Ordering::Relaxed) {
            let good_for = Duration::from_nanos(self.0.good_for.load(Ordering::Relaxed));
            if self.0.began.elapsed() < good_for {
                return false;
            }
            self.lose();
        }
        true
    }

    /// How long it has been held.
    pub fn age(&self) -> Duration {
        self.0.began.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_by_the_clock() {
        let now = Instant::now();
        let holding = Holding::until(now + Duration::from_secs(60));
        assert!(!holding.is_lost() && !holding.stop().load(Ordering::Relaxed));
        holding.extend(now);
        assert!(!holding.is_lost(), "an older heartbeat takes nothing away");
        let holding = Holding::until(now);
        let task = holding.clone();
        assert!(holding.is_lost() && task.stop().load(Ordering::Relaxed));
        holding.extend(now + Duration::from_secs(60));
        assert!(task.is_lost(), "what is lost stays lost");
    }
}
