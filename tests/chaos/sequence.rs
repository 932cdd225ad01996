//! `tidewire.seq`: numbers that grow, and that a change gets again however often it is sent.
//!
//! What was sent by a transaction that never committed, because somebody was killed, is still there for who reads uncommitted:
//! it must have had the number that the change got in the end.

use std::collections::HashMap;

use serde_json::Value;

use crate::Outcome;
use crate::findings::Findings;
use crate::reader::{Published, UNCOMMITTED, read_each};

/// A change of a key: the versions before and after it. Neither has both, a tombstone none.
type Change = (Option<i64>, Option<i64>, Option<i64>);

fn change(record: &Published) -> Change {
    let key = record.key.as_ref().map(|key| key.get("payload").unwrap_or(key));
    let version = |side: &str| record.value.as_ref().map(|value| &value[side]["v"]).and_then(Value::as_i64);
    (key.and_then(|key| key["id"].as_i64()), version("before"), version("after"))
}

/// The numbers of a topic's committed records grow. Records of Debezium have none.
#[derive(Default)]
pub struct Growth {
    /// By partition.
    last: HashMap<usize, u64>,
}

impl Growth {
    /// The next record of a partition.
    pub fn see(&mut self, topic: &str, partition: usize, record: &Published, findings: &mut Findings) {
        let Some(sequence) = record.sequence.filter(|_| !is_snapshot(record)) else { return };
        let last = self.last.entry(partition).or_default();
        // A tombstone has its delete's.
        if sequence < *last || (sequence == *last && record.value.is_some()) {
            findings.reordered(format!("{topic}: {sequence} behind {last}: {:?}", change(record)));
        }
        *last = sequence;
    }
}

/// What was sent more often had the same number each time. Where Debezium has been at work in between it may have another one,
/// above all that are committed.
pub fn is_the_same_again(brokers: &str, topic: &str, findings: &mut Findings) -> Outcome<()> {
    let mut known: HashMap<Change, u64> = HashMap::new();
    read_each(brokers, topic, UNCOMMITTED, |_, record| {
        let Some(sequence) = record.sequence else { return Ok(()) };
        let before = *known.entry(change(&record)).or_insert(sequence);
        if before != sequence {
            findings.reordered(format!("{topic}: {sequence}, before {before}: {:?}", change(&record)));
        }
        Ok(())
    })
}

fn is_snapshot(record: &Published) -> bool {
    record.value.as_ref().is_some_and(|value| value["op"] == "r")
}
