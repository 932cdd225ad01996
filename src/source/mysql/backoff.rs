//! How long to wait before the next attempt: doubling up to a cap, with jitter so that many tasks that lost the same
//! server do not come back at the same instant.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The waits between attempts.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    cap: Duration,
    attempt: u32,
    random: u64,
}

impl Backoff {
    /// Waits from about `first` to at most `cap`.
    pub fn new(first: Duration, cap: Duration) -> Self {
        // The standard library seeds its hash maps with the operating system's randomness.
        Self::with_seed(first, cap, RandomState::new().hash_one(0))
    }

    fn with_seed(first: Duration, cap: Duration, random: u64) -> Self {
        Backoff { first, cap, attempt: 0, random }
    }

    /// The wait before the next attempt: between half and the whole of `first × 2^n`, or of the cap.
    pub fn next_wait(&mut self) -> Duration {
        let factor = 1u32.checked_shl(self.attempt).unwrap_or(u32::MAX);
        let whole = self.first.saturating_mul(factor).min(self.cap);
        self.attempt = self.attempt.saturating_add(1);
        let half = whole / 2;
        // One part in 1024 is fine enough.
        half + (whole - half).mul_f64((self.random() % 1024) as f64 / 1024.0)
    }

    /// How many waits there were since the last success.
    pub fn attempts(&self) -> u32 {
        self.attempt
    }

    /// After a success: the next failure waits shortly again.
    pub fn reset(&mut self) {
        self.attempt = 0;
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_cap_and_start_over() {
        for seed in 0..50 {
            let mut backoff = Backoff::with_seed(Duration::from_millis(100), Duration::from_secs(1), seed);
            for whole in [100, 200, 400, 800, 1000, 1000] {
                let wait = backoff.next_wait().as_millis();
                assert!(wait >= whole / 2 && wait <= whole, "{wait} of {whole}");
            }
            for _ in 0..100 {
                assert!(backoff.next_wait() <= Duration::from_secs(1));
            }
            backoff.reset();
            assert!(backoff.next_wait() <= Duration::from_millis(100));
        }
    }
}
