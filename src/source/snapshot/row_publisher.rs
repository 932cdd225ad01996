//! Rows of result sets → `r` records in a batch of the reader's own, handed over when it is full.

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::source::SourceConfig;
use crate::connect::record::RecordBatch;
use crate::event::operation::Operation;
use crate::event::source_info::{SnapshotMarker, SourceEvent, SourcePosition};
use crate::offset::position::BinlogPosition;
use crate::plan::image::RowCells;
use crate::plan::row_writer::{RowContext, RowSequence, RowWriter};
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::snapshot::output::{HeldRow, Output};
use crate::source::snapshot::table_reader::Shared;

/// What is kept for the next row's packet; more was needed by a huge row.
const KEPT: usize = 1 << 20;

/// See the module. Holds only memory that is used again.
pub struct RowPublisher {
    /// The row that is held back.
    pub held: Option<HeldRow>,
    spare: Vec<u8>,
    writer: RowWriter,
    source: SourceEvent,
    now_nanos: i64,
    marker: Option<SnapshotMarker>,
    batch: RecordBatch,
    most_records: usize,
}

impl RowPublisher {
    /// Of batches of so many records.
    pub fn new(most_records: usize) -> Self {
        RowPublisher {
            held: None,
            spare: Vec::new(),
            writer: RowWriter::default(),
            source: SourceEvent::default(),
            now_nanos: 0,
            marker: None,
            batch: RecordBatch::default(),
            most_records,
        }
    }

    /// The rows of another table, or of another part of one, begin.
    pub fn begin(&mut self) {
        self.marker = None;
    }

    /// Processing times are those of now.
    pub fn look_at_clock(&mut self, clock: Clock) {
        self.now_nanos = clock.now_nanos();
    }

    /// A copy of a packet, in memory that was used before.
    pub fn copy(&mut self, packet: &[u8]) -> Vec<u8> {
        let mut copy = std::mem::take(&mut self.spare);
        copy.clear();
        copy.extend_from_slice(packet);
        copy
    }

    /// Publishes a row of the table that is being read.
    pub fn publish(&mut self, row: HeldRow, shared: &Shared<'_>) -> Result<(), SourceError> {
        self.write(row, (shared.config, shared.clock), (&shared.position, shared.sequence))?;
        if EventDispatcher::is_full(&self.batch, self.most_records) {
            self.hand_over(&mut shared.output())?;
        }
        Ok(())
    }

    /// Rows of other tables than the one that is being read.
    pub fn publish_all(&mut self, rows: Vec<HeldRow>, shared: &Shared<'_>) -> Result<(), SourceError> {
        for row in rows {
            self.begin();
            self.publish(row, shared)?;
        }
        self.begin();
        Ok(())
    }

    /// Hands over what there is.
    pub fn hand_over(&mut self, output: &mut Output<'_>) -> Result<(), SourceError> {
        if !self.batch.records.is_empty() {
            self.writer.give_back();
            self.batch = output.hand_over(std::mem::take(&mut self.batch))?;
        }
        Ok(())
    }

    /// Publishes the last record of a snapshot.
    pub fn last(
        mut self,
        mut row: HeldRow,
        position: &BinlogPosition,
        dispatcher: &mut EventDispatcher,
    ) -> Result<(), SourceError> {
        row.place.last = true;
        let config = Arc::clone(&dispatcher.config);
        let sequence = config.events.sequence_header.then_some(dispatcher.sequence.last());
        self.write(row, (&config, dispatcher.clock), (position, sequence))?;
        dispatcher.hand_over_rows(self.batch)?;
        Ok(())
    }

    fn write(
        &mut self,
        row: HeldRow,
        (config, clock): (&SourceConfig, Clock),
        (position, sequence): (&BinlogPosition, Option<u64>),
    ) -> Result<(), SourceError> {
        let marker = row.place.marker();
        if self.marker != Some(marker) {
            let position = SourcePosition {
                timestamp_nanos: row.seconds.saturating_mul(1_000_000_000),
                snapshot: marker,
                file: &position.file,
                pos: position.pos.cast_signed(),
                ..SourcePosition::default()
            };
            self.source.begin(&row.plan.source, &position);
            self.now_nanos = clock.now_nanos();
            self.marker = Some(marker);
        }
        let columns = row.plan.full.cells.len();
        let mut cells = RowCells::of_result_set(&row.packet, columns)
            .map_err(|source| SourceError::ResultSet { table: row.plan.name.to_string(), source })?;
        let context = RowContext {
            source: &self.source,
            row: 0,
            now_nanos: self.now_nanos,
            transaction: None,
            sequence: RowSequence::Fixed(sequence),
            tombstones: false,
            context_headers: config.events.extended_headers,
        };
        self.writer
            .insert(&row.plan, Operation::Read, (&row.plan.full, &mut cells), context, &mut self.batch)
            .map_err(SourceError::SnapshotRow)?;
        if row.packet.capacity() <= KEPT {
            self.spare = row.packet;
        }
        Ok(())
    }
}
