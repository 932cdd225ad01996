//! The change sequence, published as `tidewire.seq`: a hybrid logical clock over the binlog.
//!
//! A transaction that was committed at `t` microseconds starts at `base = max(last + 1, t << 11)`; its i-th row image
//! has `base + i`, where images that a filter drops count too and a change of key takes two. `last` is the highest number
//! used so far. A replay starts with the `last` of the start of the transaction, which is stored beside Debezium's own
//! offset, and so gives every row the same number again; after a failover, a RESET or a clock that was set back, the
//! numbers still only grow. All numbers stay below 2^63.

use serde_json::{Map, Value};

use crate::connect::record::StoredOffset;

/// Bits below the microsecond: 2,048 rows a microsecond before the clock runs ahead of time.
const SHIFT: u32 = 11;

/// The clock of one connector.
#[derive(Clone, Debug)]
pub struct ChangeSequence {
    key: String,
    last: u64,
    /// The first number of the running transaction.
    first: u64,
    next: u64,
}

impl ChangeSequence {
    /// A clock that has never been stored, at `now` microseconds since 1970.
    pub fn starting_at(connector: &str, prefix: &str, now_micros: i64) -> Self {
        ChangeSequence::from_last(connector, prefix, shifted(now_micros))
    }

    /// A clock whose last number is known.
    pub fn from_last(connector: &str, prefix: &str, last: u64) -> Self {
        let name = serde_json::json!([connector, { "server": prefix, "tidewire": "seq" }]);
        let last = last.min(u64::MAX >> 1);
        ChangeSequence { key: name.to_string(), last, first: last + 1, next: last + 1 }
    }

    /// Reads what `to_stored` wrote; nothing if it is something else.
    pub fn last_of(stored: &str) -> Option<u64> {
        serde_json::from_str::<Value>(stored).ok()?.get("last")?.as_u64()
    }

    /// The highest number that was used by then, in what `to_stored` wrote; nothing if it is something else.
    pub fn highest_of(stored: &str) -> Option<u64> {
        let stored = serde_json::from_str::<Value>(stored).ok()?;
        let next = stored.get("next").and_then(Value::as_u64).unwrap_or_default();
        Some(stored.get("last")?.as_u64()?.max(next.saturating_sub(1)))
    }

    /// The key under which it is stored.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The highest number used before the running transaction: what snapshot rows carry.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The running transaction is over, and the stored position is behind it.
    pub fn settle(&mut self) {
        self.last = self.next - 1;
    }

    /// A transaction begins that was committed at this time. What the one before it used is settled.
    pub fn begin(&mut self, commit_micros: i64) {
        self.settle();
        self.next = (self.last + 1).max(shifted(commit_micros));
        self.first = self.next;
    }

    /// How many numbers the running transaction has taken.
    pub fn taken(&self) -> u64 {
        self.next - self.first
    }

    /// The number that is taken next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// What begins now gets no number below `next`.
    pub fn raise(&mut self, next: u64) {
        self.settle();
        self.last = self.last.max(next.min(u64::MAX >> 1).saturating_sub(1));
        self.next = self.last + 1;
        self.first = self.next;
    }

    /// Takes so many numbers and gives the first.
    pub fn take(&mut self, count: u64) -> u64 {
        let first = self.next;
        self.next += count;
        first
    }

    /// What to store with an offset inside or at the end of the running transaction, with what else is known of it.
    pub fn to_stored(&self, more: Map<String, Value>) -> StoredOffset {
        let mut members = Map::from_iter([("last".to_owned(), self.last.into())]);
        members.extend(more);
        StoredOffset { key: self.key.clone(), value: Some(Value::Object(members).to_string()) }
    }
}

/// Microseconds at the clock's scale; a time before 1970 is 0.
fn shifted(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or_default().min(u64::MAX >> (SHIFT + 1)) << SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_gives_the_same_numbers_and_a_clock_set_back_never_lowers_them() {
        let mut first = ChangeSequence::from_last("c", "p", 41);
        first.begin(1_000);
        let stored = first.to_stored(Map::new());
        let numbers = [first.take(1), first.take(2), first.take(1)];
        assert_eq!(numbers, [1_000 << 11, (1_000 << 11) + 1, (1_000 << 11) + 3]);

        let last = ChangeSequence::last_of(stored.value.as_deref().unwrap()).unwrap();
        let mut replay = ChangeSequence::from_last("c", "p", last);
        replay.begin(1_000);
        assert_eq!([replay.take(1), replay.take(2), replay.take(1)], numbers);

        first.begin(5); // committed earlier by the clock of another server
        assert_eq!(first.take(1), (1_000 << 11) + 4);
        assert_eq!(stored.key, r#"["c",{"server":"p","tidewire":"seq"}]"#);
    }
}
