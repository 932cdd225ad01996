//! What all readers of a snapshot share: the dispatcher, and who knows which row is the last one.
//!
//! The last row of a table is published behind all its other rows, whoever reads them, and only when a later table is known
//! to have a row is it known that it is not the last one of all. So it is held back until both are so.

use std::collections::BTreeMap;
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
    /// The last rows of tables.
    last_rows: BTreeMap<usize, LastRow>,
}

struct LastRow {
    row: HeldRow,
    /// All others of the table are handed over.
    is_due: bool,
}

impl<'a> Output<'a> {
    /// `schema_change` is published before the first row, or as the last record.
    pub fn new(
        dispatcher: &'a mut EventDispatcher,
        progress: Progress,
        schema_change: Option<HeldBack>,
    ) -> Self {
        Output { dispatcher, progress, schema_change, furthest: None, last_rows: BTreeMap::new() }
    }

    /// A table has a row. Gives back the last rows of earlier ones that are to be published now.
    pub fn first_row(&mut self, table: usize) -> Result<Vec<HeldRow>, SourceError> {
        if let Some(change) = self.schema_change.take() {
            let position = self.dispatcher.offset.position();
            change.publish(self.dispatcher, &position, SnapshotMarker::True)?;
            self.dispatcher.hand_over()?;
        }
        self.furthest = self.furthest.max(Some(table));
        Ok(self.due())
    }

    /// The last row of a table.
    pub fn last_row(&mut self, table: usize, row: HeldRow) {
        self.last_rows.insert(table, LastRow { row, is_due: false });
    }

    /// A table of so many rows is read, and all of them but the last one are handed over. Gives back last rows that are to be
    /// published now.
    pub fn table_finished(&mut self, (table, id): (usize, &TableId), rows: u64) -> Vec<HeldRow> {
        self.progress.table_finished(id, rows);
        if let Some(last) = self.last_rows.get_mut(&table) {
            last.is_due = true;
        }
        self.due()
    }

    fn due(&mut self) -> Vec<HeldRow> {
        let furthest = self.furthest;
        let due = self.last_rows.extract_if(.., |table, last| last.is_due && Some(*table) < furthest);
        due.map(|(_, last)| last.row).collect()
    }

    /// Hands over rows and gives an empty batch back.
    pub fn hand_over(&mut self, rows: RecordBatch) -> Result<RecordBatch, SourceError> {
        self.progress.rows(rows.records.len());
        self.dispatcher.hand_over_rows(rows)
    }

    /// The last row of all; the last schema change where there is none.
    pub fn into_last(self) -> (Option<HeldRow>, Option<HeldBack>, Progress) {
        let mut last_rows = self.last_rows;
        (last_rows.pop_last().map(|(_, last)| last.row), self.schema_change, self.progress)
    }
}
