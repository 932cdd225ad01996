//! Which batches are delivered, and so which offsets may be stored.
//!
//! Every batch gets a number, and the producer gives it back with the records of it that have become durable.
//! Acknowledgements come in any order, because partitions have different leaders; the offsets of a batch become storable
//! when nothing of it and of all earlier batches is on its way any more. Accepted is not durable: with acknowledgements
//! of batches 1, 2 and 4 the stored offset stays at that of 2 until batch 3 is through.
//!
//! The number of batches is bounded. When it is reached, the home waits for the oldest: with many small batches this is
//! one more bound on what is in flight.

use std::collections::VecDeque;

use crate::connect::record::StoredOffset;

/// Batches in flight at most.
const MOST: usize = 4096;

/// A batch on its way.
#[derive(Debug)]
struct Batch {
    /// Records that are not durable.
    open: u32,
    offsets: Vec<StoredOffset>,
}

/// The batches that were published and are not yet known to be delivered, oldest first.
#[derive(Debug, Default)]
pub struct InFlight {
    /// The number of the batch at the front.
    oldest: usize,
    batches: VecDeque<Batch>,
}

impl InFlight {
    /// Takes up a batch of so many records before the first of them is sent, and gives its number. `None` while there
    /// are too many.
    pub fn begin(&mut self, records: u32, offsets: &[StoredOffset]) -> Option<usize> {
        if self.batches.len() == MOST {
            return None;
        }
        let number = self.oldest.wrapping_add(self.batches.len());
        self.batches.push_back(Batch { open: records, offsets: offsets.to_vec() });
        Some(number)
    }

    /// So many records of a batch were delivered.
    pub fn delivered(&mut self, batch: usize, records: u32) {
        if let Some(batch) = self.batches.get_mut(batch.wrapping_sub(self.oldest)) {
            batch.open = batch.open.saturating_sub(records);
        }
    }

    /// Gives the offsets of every batch that has become storable to `each`, in order of publication.
    pub fn take_storable(&mut self, mut each: impl FnMut(StoredOffset)) {
        while self.batches.front().is_some_and(|batch| batch.open == 0) {
            let Some(batch) = self.batches.pop_front() else { return };
            self.oldest = self.oldest.wrapping_add(1);
            batch.offsets.into_iter().for_each(&mut each);
        }
    }

    /// Whether every batch is delivered and its offsets are taken.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
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
        let numbers: Vec<usize> =
            ["1", "2", "3", "4"].iter().filter_map(|value| in_flight.begin(2, &offset(value))).collect();
        for batch in [0, 1, 3] {
            in_flight.delivered(numbers[batch], 2);
        }
        in_flight.delivered(numbers[2], 1);
        assert_eq!(storable(&mut in_flight), ["1", "2"]);
        assert!(!in_flight.is_empty());
        in_flight.delivered(numbers[2], 1);
        assert_eq!(storable(&mut in_flight), ["3", "4"]);
        assert!(in_flight.is_empty());
    }

    #[test]
    fn a_batch_without_records_waits_for_those_before_it() {
        let mut in_flight = InFlight::default();
        let first = in_flight.begin(1, &offset("rows")).unwrap();
        in_flight.begin(0, &offset("heartbeat")).unwrap();
        assert!(storable(&mut in_flight).is_empty());
        in_flight.delivered(first, 1);
        assert_eq!(storable(&mut in_flight), ["rows", "heartbeat"]);
    }

    #[test]
    fn the_number_of_batches_is_bounded() {
        let mut in_flight = InFlight::default();
        for round in 0..3 {
            let numbers: Vec<usize> = (0..MOST).filter_map(|_| in_flight.begin(1, &offset("x"))).collect();
            assert_eq!(numbers.len(), MOST, "round {round}");
            assert_eq!(in_flight.begin(1, &[]), None);
            numbers.into_iter().for_each(|batch| in_flight.delivered(batch, 1));
            assert_eq!(storable(&mut in_flight).len(), MOST);
        }
    }
}
