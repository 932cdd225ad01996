//! The snapshot of new tables: what the snapshot of everything does, for these alone.
//!
//! Where only they are locked, or nothing is, a table may appear, change or go away between the list, the definitions and
//! the view. So all is read once more after the view was opened, and what is not the same begins again.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::config::modes::SnapshotLockingMode;
use crate::offset::captured_tables::{AwaitedTable, AwaitedTables, CaptureLists};
use crate::offset::context::{INITIAL, OffsetContext};
use crate::offset::error::OffsetError;
use crate::offset::gtid::GtidSet;
use crate::offset::position::BinlogPosition;
use crate::schema::table_id::TableId;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error_codes::ER_NO_SUCH_TABLE;
use crate::source::mysql::position::{BinlogStatus, binlog_status};
use crate::source::pause::pause;
use crate::source::snapshot::locking::SnapshotLock;
use crate::source::snapshot::new_tables::{of_tables, reads_rows};
use crate::source::snapshot::progress::Progress;
use crate::source::snapshot::schema_reader::SchemaReader;
use crate::source::snapshot::table_reader::TableReader;
use crate::source::snapshot::{open_view, release, row_counts, schema_events, session};

/// How often tables are looked for before tables that change all the time are an error.
const ATTEMPTS: u32 = 10;

/// What the lock gave: definitions, position, and the view that shows the tables.
struct Taken {
    schema: SchemaReader,
    status: BinlogStatus,
    lock: SnapshotLock,
}

/// New tables in a view of a position.
pub(super) struct TableSnapshot {
    position: BinlogPosition,
    gtids: Option<GtidSet>,
    /// None where there is no new table.
    schema: Option<SchemaReader>,
    reader: Connection,
    /// The lock, where it is held until the rows are read.
    held: Option<(SnapshotLock, Connection)>,
    began: Instant,
}

impl TableSnapshot {
    /// Finds the tables that did not pass the lists of before.
    pub(super) fn begin(
        dispatcher: &EventDispatcher,
        earlier: &Filters,
        stop: &AtomicBool,
    ) -> Result<Self, SourceError> {
        let config = dispatcher.config.clone();
        let began = Instant::now();
        pause(config.snapshot.delay, stop)?;
        let mut locker = session(&config)?;
        let mut reader = session(&config)?;
        if let Some(status) = position_without_tables(&mut locker, dispatcher, earlier)? {
            tracing::info!("the include and exclude lists let in no other table that is there than before");
            let (position, gtids) = position_of(dispatcher, &status)?;
            return Ok(TableSnapshot { position, gtids, schema: None, reader, held: None, began });
        }
        let mut attempt = 0;
        let Taken { schema, status, lock } = loop {
            attempt += 1;
            match take(dispatcher, earlier, &mut locker, &mut reader, stop)? {
                Ok(taken) => break taken,
                Err(table) if attempt == ATTEMPTS => return Err(SourceError::TableChanged { table }),
                Err(table) => {
                    tracing::info!(
                        table,
                        "a new table was changed while its snapshot began, which begins again"
                    );
                    // What was locked ends with its session.
                    locker = session(&config)?;
                }
            }
        };
        let mut held = Some((lock, locker));
        if config.snapshot.locking != SnapshotLockingMode::Extended || !reads_rows(&config.snapshot) {
            release(&mut held)?;
        }
        let (position, gtids) = position_of(dispatcher, &status)?;
        tracing::info!(
            tables = schema.tables.len(),
            binlog_file = position.file.as_str(),
            binlog_pos = position.pos,
            gtids = status.executed_gtids,
            "snapshot of new tables started"
        );
        Ok(TableSnapshot { position, gtids, schema: Some(schema), reader, held, began })
    }

    /// What is stored of it.
    pub(super) fn awaited(&self, lists: CaptureLists) -> AwaitedTables {
        let found = self.schema.iter().flat_map(|schema| &schema.tables);
        let tables = found.map(|(id, definition)| AwaitedTable {
            database: id.database.clone(),
            table: id.table.clone(),
            definition: Some(definition.clone()),
        });
        AwaitedTables::new(lists, &self.position, self.gtids.as_ref(), tables.collect())
    }

    /// Publishes definitions and rows. Durable when this returns; position and schema are afterwards what they were.
    pub(super) fn publish(
        self,
        dispatcher: &mut EventDispatcher,
        stop: &AtomicBool,
    ) -> Result<(), SourceError> {
        let TableSnapshot { position, gtids, schema, mut reader, mut held, began } = self;
        let Some(schema) = schema else { return Ok(()) };
        let config = dispatcher.config.clone();
        let key = dispatcher.offset.key().to_owned();
        let mut offset = OffsetContext::new(key, position, gtids);
        offset.set_ts_sec(dispatcher.clock.now_nanos() / 1_000_000_000);
        offset.set_snapshot(Some(INITIAL));
        let offset_before = std::mem::replace(&mut dispatcher.offset, offset);
        let schema_before = dispatcher.schema.clone();
        dispatcher.hold_position(true);

        let statements = of_tables(schema.tables.iter().map(|(id, text)| (id.clone(), text.clone())));
        let held_back = schema_events::show(dispatcher, &statements, stop)?;
        let mut tables = match reads_rows(&config.snapshot) {
            true => schema.to_read(&dispatcher.filters),
            false => Vec::new(),
        };
        let counts = row_counts::estimate(&mut reader, &tables, &config.snapshot.select_overrides)?;
        row_counts::sort(&mut tables, &counts, config.snapshot.order_by_row_count);
        let mut progress = Progress::new(&counts);
        let mut table_reader = TableReader::new(held_back);
        for table in &tables {
            match table_reader.read(&mut reader, table, dispatcher, &mut progress, stop) {
                Err(SourceError::MySql(error)) if error.code() == Some(ER_NO_SUCH_TABLE) => {
                    return Err(SourceError::TableChanged { table: table.to_string() });
                }
                read => read?,
            }
        }
        table_reader.finish(dispatcher)?;
        release(&mut held)?;
        dispatcher.barrier()?;
        progress.finish(began.elapsed());

        dispatcher.hold_position(false);
        dispatcher.offset = offset_before;
        dispatcher.schema = schema_before;
        Ok(())
    }
}

/// Where there is no new table, the end of the log, without a lock: what is created from here on is in the log.
fn position_without_tables(
    session: &mut Connection,
    dispatcher: &EventDispatcher,
    earlier: &Filters,
) -> Result<Option<BinlogStatus>, SourceError> {
    if !list(session, dispatcher, earlier)?.tables.is_empty() {
        return Ok(None);
    }
    let status = binlog_status(session)?;
    Ok(list(session, dispatcher, earlier)?.tables.is_empty().then_some(status))
}

/// Lists the new tables, without their definitions.
fn list(
    session: &mut Connection,
    dispatcher: &EventDispatcher,
    earlier: &Filters,
) -> Result<SchemaReader, SourceError> {
    let filters = &dispatcher.filters;
    let mut schema = SchemaReader::read_names(session, filters, &dispatcher.config.history)?;
    schema.tables.retain(|id, _| filters.table_captured(id) && !earlier.table_captured(id));
    Ok(schema)
}

/// Takes the lock, the definitions, the position and the view. The inner error is a table that was changed meanwhile, which
/// can be where less is locked than everything.
fn take(
    dispatcher: &EventDispatcher,
    earlier: &Filters,
    locker: &mut Connection,
    reader: &mut Connection,
    stop: &AtomicBool,
) -> Result<Result<Taken, String>, SourceError> {
    let mut lock = SnapshotLock::acquire(locker, &dispatcher.config.snapshot)?;
    let all_are_stopped = lock.stops_writers();
    let mut schema = list(locker, dispatcher, earlier)?;
    let ids: Vec<TableId> = schema.tables.keys().cloned().collect();
    if lock.needs_table_locks() && gone(lock.lock_tables(locker, &ids))? {
        return Ok(Err(some_of(&ids)));
    }
    if gone(define(&mut schema, locker, dispatcher))? {
        return Ok(Err(some_of(&ids)));
    }
    let status = open_view(locker, reader, &lock, stop)?;
    if !all_are_stopped {
        let mut again = list(locker, dispatcher, earlier)?;
        // Tables that are locked cannot have changed, and others cannot be read now.
        if lock.stops_writers() {
            for (id, definition) in &mut again.tables {
                schema.tables.get(id).cloned().unwrap_or_default().clone_into(definition);
            }
        } else if gone(define(&mut again, locker, dispatcher))? {
            return Ok(Err(some_of(&ids)));
        }
        if let Some(table) = changed(&schema, &again) {
            return Ok(Err(table));
        }
    }
    Ok(Ok(Taken { schema, status, lock }))
}

fn define(
    schema: &mut SchemaReader,
    session: &mut Connection,
    dispatcher: &EventDispatcher,
) -> Result<(), SourceError> {
    if schema.tables.is_empty() {
        return Ok(());
    }
    schema.read_definitions(session, &dispatcher.filters)
}

/// Whether a statement met a table that is no longer there.
fn gone(result: Result<(), SourceError>) -> Result<bool, SourceError> {
    match result {
        Err(SourceError::MySql(error)) if error.code() == Some(ER_NO_SUCH_TABLE) => Ok(true),
        other => other.map(|()| false),
    }
}

fn some_of(ids: &[TableId]) -> String {
    ids.iter().map(TableId::to_string).collect::<Vec<_>>().join(", ")
}

/// A table that is not the same in both, but for the next number that it would give.
fn changed(before: &SchemaReader, after: &SchemaReader) -> Option<String> {
    let all = before.tables.keys().chain(after.tables.keys());
    let definition = |schema: &SchemaReader, id| schema.tables.get(id).map(|text| without_next_number(text));
    all.into_iter().find(|id| definition(before, id) != definition(after, id)).map(|id| id.to_string())
}

/// A printed definition without the AUTO_INCREMENT of its options, which every insert changes.
fn without_next_number(definition: &str) -> String {
    const OPTION: &str = " AUTO_INCREMENT=";
    let options = definition.rfind("\n)").unwrap_or_default();
    let Some(at) = definition.get(options..).and_then(|text| text.find(OPTION)) else {
        return definition.to_owned();
    };
    let (before, option) = definition.split_at(options + at);
    let rest = option.get(OPTION.len()..).unwrap_or_default();
    format!("{before}{}", rest.trim_start_matches(|digit: char| digit.is_ascii_digit()))
}

fn position_of(
    dispatcher: &EventDispatcher,
    status: &BinlogStatus,
) -> Result<(BinlogPosition, Option<GtidSet>), SourceError> {
    let gtids = match dispatcher.offset.gtids() {
        Some(_) => {
            let text = status.executed_gtids.as_str();
            Some(text.parse::<GtidSet>().map_err(|source| OffsetError::Gtids { source })?)
        }
        None => None,
    };
    Ok((BinlogPosition::new(status.file.as_str(), status.position), gtids))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insert_does_not_change_a_definition() {
        let text = "CREATE TABLE `t` (\n  `id` int NOT NULL COMMENT ' AUTO_INCREMENT=5'\n) ENGINE=InnoDB AUTO_INCREMENT=42 COMMENT='x'";
        let expected = "CREATE TABLE `t` (\n  `id` int NOT NULL COMMENT ' AUTO_INCREMENT=5'\n) ENGINE=InnoDB COMMENT='x'";
        assert_eq!(without_next_number(text), expected);
        assert_eq!(without_next_number(expected), expected);
    }
}
