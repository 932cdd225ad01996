//! What all readers of a snapshot share: the dispatcher, and who knows which row is the last one.
//!
//! Only when a later table is known to have a row is it known that the last row of a table is not the last one of all. So
//! the last rows of tables are held back one at a time: that of the furthest table with a row, until a table beyond it has
//! one or all is read.

use std::sync::Arc;

use crate::connect::record::RecordBatch;
use crate::event::source_info::SnapshotMarker;
use crate::plan::row_plan::RowPlan;
use crate::schema::table_id::TableId;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::snapshot::markers::RowPlace;
use crate::source::snapshot::progress::Progress;
use crate::source::snapshot::schema_events::HeldBack;

/// A row that is not published yet.
pub struct HeldRow {
    /// How it is published.
    pub plan: Arc<RowPlan>,
    /// The row packet.
    pub packet: Vec<u8>,
    /// The time of its table: seconds since 1970.
    pub seconds: i64,
    /// What is known of it.
    pub place: RowPlace,
}

/// See the module.
pub struct Output<'a> {
    /// Where batches go.
    pub dispatcher: &'a mut EventDispatcher,
    /// What the user sees.
    pub progress: Progress,
    schema_change: Option<HeldBack>,
    /// The furthest table that has a row.
    furthest: Option<usize>,
    /// The last row of a table.
    tail: Option<(usize, HeldRow)>,
}

impl<'a> Output<'a> {
    /// `schema_change` is published before the first row, or as the last record.
    pub fn new(
        dispatcher: &'a mut EventDispatcher,
        progress: Progress,
        schema_change: Option<HeldBack>,
    ) -> Self {
        Output { dispatcher, progress, schema_change, furthest: None, tail: None }
    }

    /// A table has a row. Gives back the last row of an earlier one, which is to be published first.
    pub fn first_row(&mut self, table: usize) -> Result<Option<HeldRow>, SourceError> {
        if let Some(change) = self.schema_change.take() {
            let position = self.dispatcher.offset.position();
            change.publish(self.dispatcher, &position, SnapshotMarker::True)?;
            self.dispatcher.hand_over()?;
        }
        self.furthest = self.furthest.max(Some(table));
        Ok(match self.tail.take() {
            Some((of, row)) if of < table => Some(row),
            tail => {
                self.tail = tail;
                None
            }
        })
    }

    /// The last row of a table. Gives back one that is to be published now: this one, or that of an earlier table.
    pub fn last_row(&mut self, table: usize, row: HeldRow) -> Option<HeldRow> {
        if self.furthest > Some(table) {
            return Some(row);
        }
        self.tail.replace((table, row)).map(|(_, earlier)| earlier)
    }

    /// Hands over rows and gives an empty batch back.
    pub fn hand_over(&mut self, rows: RecordBatch) -> Result<RecordBatch, SourceError> {
        self.progress.rows(rows.records.len());
        self.dispatcher.hand_over_rows(rows)
    }

    /// A table is read.
    pub fn table_finished(&mut self, id: &TableId, rows: u64) {
        self.progress.table_finished(id, rows);
    }

    /// The last row of all; the last schema change where there is none.
    pub fn into_last(self) -> (Option<HeldRow>, Option<HeldBack>, Progress) {
        (self.tail.map(|(_, row)| row), self.schema_change, self.progress)
    }
}
