//! Storable offsets on their way into the offset topic.
//!
//! Offsets become storable far more often than they are stored: a later one of the same key replaces an earlier one
//! until the flush interval is over. Then a round begins. Its offsets are written one after the other, each after the
//! one before it was acknowledged, because two keys may live in two partitions of the topic and the order in which
//! they become durable is the order in which they were given. What becomes storable meanwhile belongs to the next round.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::connect::record::StoredOffset;

/// What waits, what is being written, and when the next round is due.
#[derive(Debug)]
pub struct PendingOffsets {
    interval: Duration,
    last_round: Instant,
    storable: Vec<StoredOffset>,
    round: VecDeque<StoredOffset>,
    /// The front of the round is sent and not yet acknowledged.
    sent: bool,
}

impl PendingOffsets {
    /// Rounds of at most one in `interval` (`offset.flush.interval.ms`).
    pub fn new(interval: Duration) -> Self {
        PendingOffsets {
            interval,
            last_round: Instant::now(),
            storable: Vec::new(),
            round: VecDeque::new(),
            sent: false,
        }
    }

    /// Takes up an offset that became storable.
    pub fn put(&mut self, offset: StoredOffset) {
        self.storable.retain(|earlier| earlier.key != offset.key);
        self.storable.push(offset);
    }

    /// The offset to be sent now, if any: when the interval is over, or at once when `hurry`.
    pub fn next(&mut self, hurry: bool) -> Option<&StoredOffset> {
        if self.sent {
            return None;
        }
        if self.round.is_empty()
            && !self.storable.is_empty()
            && (hurry || self.last_round.elapsed() >= self.interval)
        {
            self.last_round = Instant::now();
            self.round.extend(self.storable.drain(..));
        }
        self.round.front()
    }

    /// The offset that `next` gave was sent.
    pub fn sent(&mut self) {
        self.sent = true;
    }

    /// Whether an acknowledgement is awaited.
    pub fn awaits_acknowledgement(&self) -> bool {
        self.sent
    }

    /// The offset that was sent is durable.
    pub fn stored(&mut self) {
        self.sent = false;
        self.round.pop_front();
    }

    /// Whether everything is stored.
    pub fn is_empty(&self) -> bool {
        self.storable.is_empty() && self.round.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(key: &str, value: &str) -> StoredOffset {
        StoredOffset { key: key.to_owned(), value: Some(value.to_owned()) }
    }

    #[test]
    fn pairs_are_written_in_order_one_at_a_time() {
        let mut pending = PendingOffsets::new(Duration::from_secs(3600));
        pending.put(offset("debezium", "1"));
        pending.put(offset("seq", "1"));
        assert_eq!(pending.next(false), None, "the interval is not over");
        assert_eq!(pending.next(true), Some(&offset("debezium", "1")));
        pending.sent();
        pending.put(offset("debezium", "2"));
        pending.put(offset("seq", "2"));
        assert_eq!(pending.next(true), None, "unacknowledged");
        pending.stored();
        assert_eq!(pending.next(true), Some(&offset("seq", "1")));
        pending.sent();
        pending.stored();
        assert_eq!(pending.next(true), Some(&offset("debezium", "2")));
        assert!(!pending.is_empty());
    }

    #[test]
    fn the_last_value_of_a_key_is_the_one_written() {
        let mut pending = PendingOffsets::new(Duration::ZERO);
        for value in ["1", "2", "3"] {
            pending.put(offset("debezium", value));
            pending.put(offset("seq", value));
        }
        assert_eq!(pending.next(false), Some(&offset("debezium", "3")));
        pending.sent();
        pending.stored();
        assert_eq!(pending.next(false), Some(&offset("seq", "3")));
    }
}
