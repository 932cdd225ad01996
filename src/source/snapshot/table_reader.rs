//! The rows of the tables, one after the other, with one row held back for its marker.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::event::operation::Operation;
use crate::event::source_info::{SnapshotMarker, SourceEvent, SourcePosition};
use crate::offset::position::BinlogPosition;
use crate::plan::image::RowCells;
use crate::plan::row_plan::RowPlan;
use crate::plan::row_writer::{RowContext, RowSequence, RowWriter};
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::error_codes::ER_TABLE_DEF_CHANGED;
use crate::source::snapshot::locking::{quote, quoted};
use crate::source::snapshot::markers::RowPlace;
use crate::source::snapshot::progress::Progress;
use crate::source::snapshot::schema_events::HeldBack;

/// Rows between two looks at the clock and at the wish to stop.
const ROWS_A_LOOK: u64 = 64;

/// The row that is held back.
struct HeldRow {
    plan: Arc<RowPlan>,
    packet: Vec<u8>,
    seconds: i64,
    place: RowPlace,
}

/// Reads tables and publishes their rows.
pub struct TableReader {
    schema_change: Option<HeldBack>,
    held: Option<HeldRow>,
    spare: Vec<u8>,
    writer: RowWriter,
    source: SourceEvent,
    now_nanos: i64,
    marker: Option<SnapshotMarker>,
    tables: usize,
}

impl TableReader {
    /// A reader; `schema_change` is published before the first row, or as the last record.
    pub fn new(schema_change: Option<HeldBack>) -> Self {
        TableReader {
            schema_change,
            held: None,
            spare: Vec::new(),
            writer: RowWriter::default(),
            source: SourceEvent::default(),
            now_nanos: 0,
            marker: None,
            tables: 0,
        }
    }

    /// Reads one table.
    pub fn read(
        &mut self,
        session: &mut Connection,
        id: &TableId,
        dispatcher: &mut EventDispatcher,
        progress: &mut Progress,
        stop: &AtomicBool,
    ) -> Result<(), SourceError> {
        let first_table = self.tables == 0;
        self.tables += 1;
        let Some(table) = dispatcher.schema.table(id).cloned() else {
            return Err(SourceError::UnknownTable {
                position: dispatcher.offset.position(),
                table: id.to_string(),
            });
        };
        let config = Arc::clone(&dispatcher.config);
        let columns = RowPlan::snapshot_columns(&table, &dispatcher.filters);
        let sql = match config.snapshot.select_overrides.get(&id.to_string()) {
            Some(own) => in_order(own, &table, &columns, session).map_err(|error| table_error(id, error))?,
            None => {
                let list: Vec<String> = columns.iter().map(|name| quote(name)).collect();
                format!("SELECT {} FROM {}", list.join(", "), quoted(id))
            }
        };
        let seconds: i64 = session
            .query_value("SELECT UNIX_TIMESTAMP()")?
            .and_then(|text| text.parse().ok())
            .unwrap_or(dispatcher.clock.now_nanos() / 1_000_000_000);
        progress.table_started(id);
        let mut stream = session.prepare_and_stream(&sql).map_err(|error| table_error(id, error))?;
        let definitions: Vec<_> = stream
            .columns()
            .iter()
            .map(|column| (column.column_type, column.flags, column.charset))
            .collect();
        // The server names the columns as they were asked for; a statement of the user's own may select others.
        let columns: Vec<String> = stream.columns().iter().map(|column| column.name.clone()).collect();
        let plan = RowPlan::for_result_set(&table, &columns, &definitions, &config, &dispatcher.filters)
            .map_err(SourceError::SnapshotRow)?;
        let plan = Arc::new(plan);
        let mut rows: u64 = 0;
        self.marker = None;
        loop {
            let packet = match stream.next_row() {
                Ok(Some(packet)) => packet,
                Ok(None) => break,
                Err(error) => return Err(table_error(id, error)),
            };
            if rows == 0 {
                self.first_row_of_all(dispatcher)?;
            }
            let mut copy = std::mem::take(&mut self.spare);
            copy.clear();
            copy.extend_from_slice(packet);
            if rows > 0 {
                self.publish_held(dispatcher, rows)?;
            } else if let Some(before) = &mut self.held {
                before.place.last_in_table = true;
                self.publish_held(dispatcher, 0)?;
                self.marker = None;
            }
            let place = RowPlace {
                first: first_table && rows == 0,
                first_in_table: rows == 0,
                ..RowPlace::default()
            };
            self.held = Some(HeldRow { plan: Arc::clone(&plan), packet: copy, seconds, place });
            rows += 1;
            if rows.is_multiple_of(ROWS_A_LOOK) {
                progress.rows(ROWS_A_LOOK);
                if stop.load(Ordering::Relaxed) {
                    return Err(SourceError::Stopped);
                }
            }
        }
        progress.table_finished(id, rows, rows % ROWS_A_LOOK);
        Ok(())
    }

    /// Publishes what is held back: it is the last record of the snapshot.
    pub fn finish(&mut self, dispatcher: &mut EventDispatcher) -> Result<(), SourceError> {
        if let Some(row) = &mut self.held {
            row.place.last_in_table = true;
            row.place.last = true;
            dispatcher.hand_over()?;
            dispatcher.offset.set_snapshot(None);
            return self.publish_held(dispatcher, 0);
        }
        if let Some(change) = self.schema_change.take() {
            dispatcher.hand_over()?;
            dispatcher.offset.set_snapshot(None);
            let position = dispatcher.offset.position();
            change.publish(dispatcher, &position, SnapshotMarker::Last)?;
        }
        Ok(())
    }

    fn first_row_of_all(&mut self, dispatcher: &mut EventDispatcher) -> Result<(), SourceError> {
        if let Some(change) = self.schema_change.take() {
            let position = dispatcher.offset.position();
            change.publish(dispatcher, &position, SnapshotMarker::True)?;
        }
        Ok(())
    }

    fn publish_held(&mut self, dispatcher: &mut EventDispatcher, rows: u64) -> Result<(), SourceError> {
        let Some(row) = self.held.take() else { return Ok(()) };
        let marker = row.place.marker();
        if self.marker != Some(marker) {
            let position = dispatcher.offset.position();
            self.begin_source(&row, marker, &position);
            self.marker = Some(marker);
        }
        if rows.is_multiple_of(ROWS_A_LOOK) {
            self.now_nanos = dispatcher.clock.now_nanos();
        }
        let columns = row.plan.full.cells.len();
        let table = || row.plan.name.to_string();
        let mut cells = RowCells::of_result_set(&row.packet, columns)
            .map_err(|source| SourceError::ResultSet { table: table(), source })?;
        let events = &dispatcher.config.events;
        let context = RowContext {
            source: &self.source,
            row: 0,
            now_nanos: self.now_nanos,
            transaction: None,
            sequence: RowSequence::Fixed(events.sequence_header.then_some(dispatcher.sequence.last())),
            tombstones: false,
            context_headers: events.extended_headers,
        };
        self.writer
            .insert(&row.plan, Operation::Read, (&row.plan.full, &mut cells), context, &mut dispatcher.batch)
            .map_err(SourceError::SnapshotRow)?;
        self.spare = row.packet;
        dispatcher.offset.record_made();
        dispatcher.hand_over_if_full()
    }

    fn begin_source(&mut self, row: &HeldRow, marker: SnapshotMarker, position: &BinlogPosition) {
        let position = SourcePosition {
            timestamp_nanos: row.seconds.saturating_mul(1_000_000_000),
            snapshot: marker,
            file: &position.file,
            pos: position.pos.cast_signed(),
            ..SourcePosition::default()
        };
        self.source.begin(&row.plan.source, &position);
    }
}

/// A statement of the user's own, with its columns in the order of the table and NULL for those that it does not select. One
/// that selects what the table has not stays as it is: it is an error.
fn in_order(
    own: &str,
    table: &Table,
    wanted: &[String],
    session: &mut Connection,
) -> Result<String, MySqlError> {
    let own = own.trim().trim_end_matches(';');
    let selected = session.query(&format!("SELECT * FROM ({own}) AS own LIMIT 0"))?;
    let places: Vec<Option<usize>> = selected
        .columns
        .iter()
        .map(|name| table.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name)))
        .collect();
    let is_foreign = places.contains(&None);
    let is_whole = places.is_sorted() && wanted.iter().all(|name| selected.column(name).is_some());
    if is_foreign || is_whole {
        return Ok(own.to_owned());
    }
    let columns: Vec<String> = wanted
        .iter()
        .map(|name| match selected.column(name) {
            Some(_) => format!("own.{}", quote(name)),
            None => format!("NULL AS {}", quote(name)),
        })
        .collect();
    Ok(format!("SELECT {} FROM ({own}) AS own", columns.join(", ")))
}

/// InnoDB refuses to show a table in a view that is older than the table's definition.
fn table_error(id: &TableId, error: MySqlError) -> SourceError {
    if error.code() == Some(ER_TABLE_DEF_CHANGED) {
        return SourceError::TableChanged { table: id.to_string() };
    }
    error.into()
}
