//! A partition: the batch that takes its records, and those that are not acknowledged, in the order of their sequence.
//!
//! Order through failures: several batches may be in flight, and a broker refuses one whose predecessor it misses. As
//! soon as one has failed, the others in flight are waited for, then all are sent again one at a time from the first
//! on, with the sequences that they had; a broker that has one already says so. Two more rules close gaps: batches never
//! go to a new leader while the old one still owes an answer, and until a producer's first batch is acknowledged there
//! is only one in flight, because a broker that never heard of the producer takes any first sequence.

use std::collections::VecDeque;
use std::time::Instant;

use crate::kafka::producer::record_batch::{ClosedBatch, OpenBatch};

/// What Kafka's brokers remember of a producer's batches, and so what may be in flight.
pub const MOST_IN_FLIGHT: usize = 5;

/// A closed batch and what happened to it.
#[derive(Debug)]
pub struct Batch {
    /// The records.
    pub data: ClosedBatch,
    /// The number of the first record.
    pub sequence: i32,
    /// Tells it from every other batch.
    pub ticket: u64,
    /// Whether an answer is awaited.
    pub in_flight: bool,
    /// How often it was sent.
    pub attempts: u32,
    /// It was sent and may be written, although it was not acknowledged.
    pub in_doubt: bool,
}

/// Whether a partition is in the running transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Membership {
    /// It is not, or there are no transactions.
    #[default]
    Outside,
    /// The coordinator is to be told.
    Joining,
    /// It may get records.
    Inside,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Partition {
    /// The broker that leads it; `None` while there is none.
    pub leader: Option<i32>,
    /// Takes records.
    pub open: Option<OpenBatch>,
    /// Closed batches, oldest first.
    pub unacknowledged: VecDeque<Batch>,
    /// The sequence of the next record.
    pub next_sequence: i32,
    /// Whether a batch was acknowledged under the present identity.
    pub proven: bool,
    /// Nothing is sent before this.
    pub not_before: Option<Instant>,
    /// Failures in a row.
    pub failures: u32,
    /// The node (its place in the list) that owes answers.
    pub asked: Option<usize>,
    /// Whether it stands in the list of those that wait to send.
    pub queued: bool,
    /// Whether it is in the running transaction.
    pub membership: Membership,
}

impl Partition {
    /// Adds a closed batch behind the others.
    pub fn push(&mut self, data: ClosedBatch, ticket: u64) {
        let sequence = self.next_sequence;
        self.next_sequence = add_to_sequence(sequence, data.records);
        self.unacknowledged.push_back(Batch {
            data,
            sequence,
            ticket,
            in_flight: false,
            attempts: 0,
            in_doubt: false,
        });
    }

    /// Whether a batch waits to be sent, now or later.
    pub fn has_waiting(&self) -> bool {
        self.unacknowledged.iter().any(|batch| !batch.in_flight)
    }

    /// The place of the batch to be sent now to a node, if any.
    pub fn next_to_send(&self, now: Instant, node: usize, most_in_flight: usize) -> Option<usize> {
        if self.not_before.is_some_and(|instant| now < instant) {
            return None;
        }
        let waiting = self.unacknowledged.iter().position(|batch| !batch.in_flight)?;
        if waiting == 0 {
            // Those behind it, if any are in flight, were sent before it failed.
            return self.unacknowledged.iter().all(|batch| !batch.in_flight).then_some(0);
        }
        let repeating = self.unacknowledged.iter().take(waiting + 1).any(|batch| {
            // In flight for another time, or back after a failure.
            batch.attempts > u32::from(batch.in_flight)
        });
        let at_most = if self.proven { most_in_flight } else { 1 };
        (!repeating && waiting < at_most && self.asked == Some(node)).then_some(waiting)
    }

    /// The place of a batch.
    pub fn position(&self, ticket: u64) -> Option<usize> {
        self.unacknowledged.iter().position(|batch| batch.ticket == ticket)
    }

    /// Puts the halves of a batch in its place.
    pub fn replace(&mut self, place: usize, halves: (ClosedBatch, ClosedBatch), tickets: (u64, u64)) {
        let Some(whole) = self.unacknowledged.remove(place) else { return };
        let second_sequence = add_to_sequence(whole.sequence, halves.0.records);
        let half = |data, sequence, ticket| Batch {
            data,
            sequence,
            ticket,
            in_flight: false,
            attempts: whole.attempts,
            in_doubt: whole.in_doubt,
        };
        self.unacknowledged.insert(place, half(halves.1, second_sequence, tickets.1));
        self.unacknowledged.insert(place, half(halves.0, whole.sequence, tickets.0));
    }

    /// Numbers everything anew, for another identity.
    pub fn restart_sequence(&mut self) {
        self.proven = false;
        self.next_sequence = 0;
        for batch in &mut self.unacknowledged {
            batch.sequence = self.next_sequence;
            self.next_sequence = add_to_sequence(self.next_sequence, batch.data.records);
        }
    }
}

/// Sequences begin again at 0 behind 2^31-1.
fn add_to_sequence(sequence: i32, records: i32) -> i32 {
    sequence.wrapping_add(records) & i32::MAX
}

#[cfg(test)]
mod tests;
