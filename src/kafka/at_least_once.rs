//! At least once: offsets are stored behind the records that they follow.
//!
//! What is durable at a kill:
//!
//! | killed | records | offset | after the restart |
//! |---|---|---|---|
//! | before a record was acknowledged | maybe | before them | published again |
//! | after all were acknowledged, before the offset was | yes | before them | published again |
//! | between the two pairs of a round | yes | the first pair new, the second old | from the first pair |
//! | after the offset was acknowledged | yes | behind them | goes on behind them |
//!
//! So every record is there at least once, and none is lost.

use std::time::Duration;

use crate::connect::record::StoredOffset;
use crate::kafka::in_flight::InFlight;
use crate::kafka::pending_offsets::PendingOffsets;

/// What an offset carries instead of the number of a batch.
pub const OFFSET: usize = usize::MAX;

/// Batches that are not durable, and the offsets that wait for them.
#[derive(Debug)]
pub struct AtLeastOnce {
    in_flight: InFlight,
    pending: PendingOffsets,
}

impl AtLeastOnce {
    /// Offsets are stored once in `offset_flush_interval`.
    pub fn new(offset_flush_interval: Duration) -> Self {
        AtLeastOnce { in_flight: InFlight::default(), pending: PendingOffsets::new(offset_flush_interval) }
    }

    /// Takes up a batch of so many records and gives the number that they carry; `None` while too many are on their way.
    pub fn begin(&mut self, records: u32, offsets: &[StoredOffset]) -> Option<usize> {
        self.in_flight.begin(records, offsets)
    }

    /// So many records of a number have become durable.
    pub fn delivered(&mut self, number: usize, records: u32) {
        match number {
            OFFSET => self.pending.stored(),
            number => self.in_flight.delivered(number, records),
        }
    }

    /// The offset to be stored now, if any.
    pub fn next_offset(&mut self, hurry: bool) -> Option<&StoredOffset> {
        let pending = &mut self.pending;
        self.in_flight.take_storable(|offset| pending.put(offset));
        pending.next(hurry)
    }

    /// That offset was handed to the producer.
    pub fn sent(&mut self) {
        self.pending.sent();
    }

    /// Whether everything is durable, the offsets too.
    pub fn is_empty(&self) -> bool {
        self.in_flight.is_empty() && self.pending.is_empty()
    }
}
