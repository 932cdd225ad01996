//! Which batches are delivered, and so which offsets may be stored.
//!
//! Every batch gets a number, and every record of it carries the number to its delivery report. A report is one
//! decrement of the batch's counter: no box, no allocation, no lock. Acknowledgements come in any order, because
//! partitions have different leaders; the offsets of a batch become storable when its counter and those of all earlier
//! batches are at zero. Accepted is not durable: with acknowledgements of batches 1, 2 and 4 the stored offset stays at
//! that of 2 until batch 3 is through.
//!
//! The counters stand in a ring of fixed size. When it is full, the home waits for the oldest batch: with many small
//! batches this is one more bound on what is in flight.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::connect::record::StoredOffset;

/// Batches in flight at most; a power of two.
const RING: usize = 4096;

/// How many records of each batch are still on their way. Shared with the delivery reports.
#[derive(Debug)]
pub struct DeliveryCounters {
    open: Box<[AtomicU32]>,
}

impl DeliveryCounters {
    fn new() -> Self {
        DeliveryCounters { open: (0..RING).map(|_| AtomicU32::new(0)).collect() }
    }

    fn slot(&self, batch: usize) -> Option<&AtomicU32> {
        self.open.get(batch % RING)
    }

    /// A record of this batch was delivered.
    pub fn delivered(&self, batch: usize) {
        if let Some(slot) = self.slot(batch) {
            // The reader only compares with zero and reads nothing else that this thread wrote.
            slot.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn is_through(&self, batch: usize) -> bool {
        self.slot(batch).is_some_and(|slot| slot.load(Ordering::Relaxed) == 0)
    }
}

/// The batches that were published and are not yet known to be delivered, oldest first.
#[derive(Debug)]
pub struct InFlight {
    counters: Arc<DeliveryCounters>,
    /// The number of the batch at the front of `offsets`.
    oldest: usize,
    offsets: VecDeque<Vec<StoredOffset>>,
}

impl Default for InFlight {
    fn default() -> Self {
        InFlight { counters: Arc::new(DeliveryCounters::new()), oldest: 0, offsets: VecDeque::new() }
    }
}

impl InFlight {
    /// The counters, for the delivery reports.
    pub fn counters(&self) -> Arc<DeliveryCounters> {
        Arc::clone(&self.counters)
    }

    /// Takes up a batch of so many records before the first of them is sent, and gives its number. `None` while the
    /// ring is full.
    pub fn begin(&mut self, records: u32, offsets: &[StoredOffset]) -> Option<usize> {
        if self.offsets.len() == RING {
            return None;
        }
        let batch = self.oldest.wrapping_add(self.offsets.len());
        self.counters.slot(batch)?.store(records, Ordering::Relaxed);
        self.offsets.push_back(offsets.to_vec());
        Some(batch)
    }

    /// Gives the offsets of every batch that has become storable to `each`, in order of publication.
    pub fn take_storable(&mut self, mut each: impl FnMut(StoredOffset)) {
        while self.counters.is_through(self.oldest) {
            let Some(offsets) = self.offsets.pop_front() else { return };
            self.oldest = self.oldest.wrapping_add(1);
            offsets.into_iter().for_each(&mut each);
        }
    }

    /// Whether every batch is delivered and its offsets are taken.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(value: &str) -> [StoredOffset; 1] {
        [StoredOffset { key: "k".to_owned(), value: Some(value.to_owned()) }]
    }

    fn storable(in_flight: &mut InFlight) -> Vec<String> {
        let mut all = Vec::new();
        in_flight.take_storable(|offset| all.extend(offset.value));
        all
    }

    #[test]
    fn acknowledgements_out_of_order_hold_the_offset_back() {
        let mut in_flight = InFlight::default();
        let counters = in_flight.counters();
        let numbers: Vec<usize> =
            ["1", "2", "3", "4"].iter().filter_map(|value| in_flight.begin(2, &offset(value))).collect();
        for batch in [0, 1, 3] {
            counters.delivered(numbers[batch]);
            counters.delivered(numbers[batch]);
        }
        counters.delivered(numbers[2]);
        assert_eq!(storable(&mut in_flight), ["1", "2"]);
        assert!(!in_flight.is_empty());
        counters.delivered(numbers[2]);
        assert_eq!(storable(&mut in_flight), ["3", "4"]);
        assert!(in_flight.is_empty());
    }

    #[test]
    fn a_batch_without_records_waits_for_those_before_it() {
        let mut in_flight = InFlight::default();
        let first = in_flight.begin(1, &offset("rows")).unwrap();
        in_flight.begin(0, &offset("heartbeat")).unwrap();
        assert!(storable(&mut in_flight).is_empty());
        in_flight.counters().delivered(first);
        assert_eq!(storable(&mut in_flight), ["rows", "heartbeat"]);
    }

    #[test]
    fn the_ring_is_bounded_and_turns() {
        let mut in_flight = InFlight::default();
        let counters = in_flight.counters();
        for round in 0..3 {
            let numbers: Vec<usize> = (0..RING).filter_map(|_| in_flight.begin(1, &offset("x"))).collect();
            assert_eq!(numbers.len(), RING, "round {round}");
            assert_eq!(in_flight.begin(1, &[]), None);
            numbers.into_iter().for_each(|batch| counters.delivered(batch));
            assert_eq!(storable(&mut in_flight).len(), RING);
        }
    }
}
