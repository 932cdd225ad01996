//! The snapshot of new tables: what the snapshot of everything does, for these alone.
//!
//! Their definitions are stored before their rows are read. Where no lock keeps them, they are read before and after the
//! views are opened, and if they are not the same the whole begins anew.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::config::modes::SnapshotLockingMode;
use crate::config::source::SourceConfig;
use crate::offset::captured_tables::{AwaitedTable, AwaitedTables, CaptureLists};
use crate::offset::context::{INITIAL, OffsetContext};
use crate::offset::gtid::GtidSet;
use crate::offset::position::BinlogPosition;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::position::{BinlogStatus, binlog_status};
use crate::source::pause::pause;
use crate::source::snapshot::new_tables::{of_tables, reads_rows};
use crate::source::snapshot::opening::{Opened, open};
use crate::source::snapshot::schema_reader::SchemaReader;
use crate::source::snapshot::view::{View, position_of, reader_sessions};
use crate::source::snapshot::{schema_events, session};

/// How often tables that change all the time are looked for.
const ATTEMPTS: u32 = 10;

/// New tables in a view of a position.
pub(super) struct TableSnapshot {
    position: BinlogPosition,
    gtids: Option<GtidSet>,
    /// None where there is no new table.
    view: Option<View>,
    began: Instant,
}

impl TableSnapshot {
    /// Finds the tables that did not pass the lists of before.
    pub(super) fn begin(
        dispatcher: &EventDispatcher,
        earlier: &Filters,
        stop: &AtomicBool,
    ) -> Result<Self, SourceError> {
        let began = Instant::now();
        let filters = dispatcher.filters.new_since(earlier);
        let mut config = (*dispatcher.config).clone();
        config.history.only_captured_tables = true;
        config.history.only_captured_databases = true;
        pause(config.snapshot.delay, stop)?;
        let mut control = session(&config)?;
        if let Some(status) = position_without_tables(&mut control, &filters, &config)? {
            tracing::info!("the include and exclude lists let in no other table that is there than before");
            let (position, gtids) = position_of(&dispatcher.offset, &status)?;
            return Ok(TableSnapshot { position, gtids, view: None, began });
        }
        let rows = reads_rows(&config.snapshot);
        let readers = reader_sessions(&config, rows)?;
        let view = View::open(control, readers, (rows, open_stable), &filters, &config, stop)?;
        let (position, gtids) = position_of(&dispatcher.offset, &view.status)?;
        tracing::info!(
            tables = view.schema.tables.len(),
            readers = view.readers.len(),
            binlog_file = position.file.as_str(),
            binlog_pos = position.pos,
            gtids = view.status.executed_gtids,
            "snapshot of new tables started"
        );
        Ok(TableSnapshot { position, gtids, view: Some(view), began })
    }

    /// What is stored of it.
    pub(super) fn awaited(&self, lists: CaptureLists) -> AwaitedTables {
        let found = self.view.iter().flat_map(|view| &view.schema.tables);
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
        let TableSnapshot { position, gtids, view, began } = self;
        let Some(mut view) = view else { return Ok(()) };
        let key = dispatcher.offset.key().to_owned();
        let mut offset = OffsetContext::new(key, position, gtids);
        offset.set_ts_sec(dispatcher.clock.now_nanos() / 1_000_000_000);
        offset.set_snapshot(Some(INITIAL));
        let offset_before = std::mem::replace(&mut dispatcher.offset, offset);
        let schema_before = dispatcher.schema.clone();
        dispatcher.hold_position(true);

        let statements = of_tables(view.schema.tables.iter().map(|(id, text)| (id.clone(), text.clone())));
        let held_back = schema_events::show(dispatcher, &statements, stop)?;
        let mut progress = view.read_rows(dispatcher, held_back, stop)?;
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
    filters: &Filters,
    config: &SourceConfig,
) -> Result<Option<BinlogStatus>, SourceError> {
    if !SchemaReader::read_names(session, filters, &config.history)?.tables.is_empty() {
        return Ok(None);
    }
    let status = binlog_status(session)?;
    let is_empty = SchemaReader::read_names(session, filters, &config.history)?.tables.is_empty();
    Ok(is_empty.then_some(status))
}

/// Opens the views, with definitions that hold at their position.
fn open_stable(
    control: &mut Connection,
    readers: &mut [Connection],
    filters: &Filters,
    config: &SourceConfig,
    stop: &AtomicBool,
) -> Result<Opened, SourceError> {
    use SnapshotLockingMode::{Extended, Minimal};
    let mut changed = String::new();
    for _ in 0..ATTEMPTS {
        let before = match config.snapshot.locking {
            Minimal | Extended => None,
            _ => {
                let mut schema = SchemaReader::read_names(control, filters, &config.history)?;
                schema.read_definitions(control, filters)?;
                Some(schema)
            }
        };
        let opened = open(control, readers, filters, config, stop)?;
        let difference = before.and_then(|before| difference(&before, &opened.schema));
        match difference.filter(|_| !opened.lock.stops_writers()) {
            None => return Ok(opened),
            Some(table) => {
                tracing::info!(table, "a new table was changed while its snapshot began, which begins again");
                opened.lock.release(control)?;
                changed = table;
            }
        }
    }
    Err(SourceError::TableChanged { table: changed })
}

/// A table that is not the same in both, but for the next number that it would give.
fn difference(before: &SchemaReader, after: &SchemaReader) -> Option<String> {
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
