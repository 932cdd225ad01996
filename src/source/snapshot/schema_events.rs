//! The schema of a snapshot as statements: what the history stores and the schema-change topic gets.
//!
//! The order is Debezium's: the server's default character set; `DROP TABLE IF EXISTS` for every table; then for each
//! database `DROP DATABASE IF EXISTS`, `CREATE DATABASE`, `USE`, and its tables as the server printed them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

use crate::connect::record::RecordHeaders;
use crate::event::schema_change;
use crate::event::source_info::{SnapshotMarker, SourceInfo, SourcePosition};
use crate::offset::position::BinlogPosition;
use crate::schema::database_schema::Statement;
use crate::schema::history::record::HistoryRecord;
use crate::schema::schema_change::SchemaChange;
use crate::source::binlog::statement::history_record;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::snapshot::locking::{quote, quoted};
use crate::source::snapshot::schema_reader::SchemaReader;

/// History records that are stored at once.
const STORED_AT_ONCE: usize = 1_024;

/// A schema change with its time: published once it is known whether anything follows it.
pub struct HeldBack {
    change: SchemaChange,
    nanos: i64,
}

/// Applies, stores and publishes the schema. `members` are the position in history records. The last schema change is given
/// back unpublished: it may be the snapshot's last record.
pub fn publish(
    dispatcher: &mut EventDispatcher,
    schema: &SchemaReader,
    members: &Map<String, Value>,
    stop: &AtomicBool,
) -> Result<Option<HeldBack>, SourceError> {
    publish_each(dispatcher, &statements(schema), Some(members), stop)
}

/// Applies and publishes statements, each given with its database, and stores nothing.
pub fn show(
    dispatcher: &mut EventDispatcher,
    statements: &[(String, String)],
    stop: &AtomicBool,
) -> Result<Option<HeldBack>, SourceError> {
    publish_each(dispatcher, statements, None, stop)
}

/// Applies and stores statements, each given with its database, and publishes nothing.
pub fn record(
    dispatcher: &mut EventDispatcher,
    statements: &[(String, String)],
    members: &Map<String, Value>,
) -> Result<(), SourceError> {
    let mut pending = Vec::new();
    for (database, text) in statements {
        for change in apply(dispatcher, database, text)? {
            let now_ms = dispatcher.clock.now_nanos() / 1_000_000;
            pending.push(history_record(&dispatcher.config.topic_prefix, members, &change, now_ms));
        }
        store_records(dispatcher, &mut pending, STORED_AT_ONCE)?;
    }
    store_records(dispatcher, &mut pending, 1)
}

fn publish_each(
    dispatcher: &mut EventDispatcher,
    statements: &[(String, String)],
    members: Option<&Map<String, Value>>,
    stop: &AtomicBool,
) -> Result<Option<HeldBack>, SourceError> {
    let position = dispatcher.offset.position();
    let mut held: Option<HeldBack> = None;
    let mut records: Vec<HistoryRecord> = Vec::new();
    for (database, text) in statements {
        if stop.load(Ordering::Relaxed) {
            return Err(SourceError::Stopped);
        }
        for change in apply(dispatcher, database, text)? {
            let nanos = dispatcher.clock.now_nanos();
            let prefix = &dispatcher.config.topic_prefix;
            records
                .extend(members.map(|members| history_record(prefix, members, &change, nanos / 1_000_000)));
            if let Some(before) = held.replace(HeldBack { change, nanos }) {
                before.publish(dispatcher, &position, SnapshotMarker::True)?;
            }
        }
        store_records(dispatcher, &mut records, STORED_AT_ONCE)?;
    }
    store_records(dispatcher, &mut records, 1)?;
    Ok(held)
}

/// What a statement changes, with its whole text as it was made here.
fn apply(
    dispatcher: &mut EventDispatcher,
    database: &str,
    text: &str,
) -> Result<Vec<SchemaChange>, SourceError> {
    if dispatcher.filters.passed_over().iter().any(|pattern| pattern.matches(text)) {
        return Ok(Vec::new());
    }
    let mut changes = match dispatcher.schema.apply_ddl(&Statement::printed(text, database)) {
        Ok(changes) => changes,
        Err(error) if dispatcher.config.history.skip_unparseable => {
            tracing::warn!(%error, "a table definition that cannot be understood is passed over");
            vec![SchemaChange::other(database, text)]
        }
        Err(source) => return Err(SourceError::Ddl { position: dispatcher.offset.position(), source }),
    };
    for change in &mut changes {
        text.clone_into(&mut change.ddl);
    }
    Ok(changes)
}

/// Stores records when there are so many.
fn store_records(
    dispatcher: &mut EventDispatcher,
    records: &mut Vec<HistoryRecord>,
    least: usize,
) -> Result<(), SourceError> {
    if records.len() >= least {
        dispatcher.record_history(std::mem::take(records))?;
    }
    Ok(())
}

/// Each statement with its database.
fn statements(schema: &SchemaReader) -> Vec<(String, String)> {
    let server = &schema.server;
    let set = format!("SET character_set_server={}, collation_server={}", server.charset, server.collation);
    let mut statements = vec![(String::new(), set)];
    for id in schema.tables.keys() {
        statements.push((id.database.clone(), format!("DROP TABLE IF EXISTS {}", quoted(id))));
    }
    for (database, defaults) in &schema.databases {
        let mut tables = schema.tables.iter().filter(|(id, _)| &id.database == database).peekable();
        if tables.peek().is_none() {
            continue;
        }
        let name = quote(database);
        let mut add = |text: String| statements.push((database.clone(), text));
        add(format!("DROP DATABASE IF EXISTS {name}"));
        add(format!("CREATE DATABASE {name} CHARSET {} COLLATE {}", defaults.charset, defaults.collation));
        add(format!("USE {name}"));
        for (_, definition) in tables {
            add(definition.clone());
        }
    }
    statements
}

impl HeldBack {
    /// Publishes the record with its marker.
    pub fn publish(
        self,
        dispatcher: &mut EventDispatcher,
        position: &BinlogPosition,
        marker: SnapshotMarker,
    ) -> Result<(), SourceError> {
        let config = Arc::clone(&dispatcher.config);
        if !config.events.include_schema_changes {
            return Ok(());
        }
        let change = &self.change;
        let info = SourceInfo {
            name: &config.topic_prefix,
            database: &change.database,
            table: change.source_table.as_deref(),
            position: SourcePosition {
                timestamp_nanos: self.nanos,
                snapshot: marker,
                file: &position.file,
                pos: position.pos.cast_signed(),
                ..SourcePosition::default()
            },
        };
        let now_ms = dispatcher.clock.now_nanos() / 1_000_000;
        let key = schema_change::key(&change.database);
        let (database, ddl) = (&change.database, &change.ddl);
        let value = schema_change::value(info.to_value(), now_ms, database, ddl, &change.table_changes);
        let (key_schema, value_schema) = (schema_change::key_schema(), schema_change::value_schema());
        let headers = RecordHeaders {
            key_change: None,
            context: config.events.extended_headers,
            sequence: config.events.sequence_header.then_some(dispatcher.sequence.last()),
        };
        let topic: Arc<str> = config.topic_prefix.as_str().into();
        dispatcher.push_event(&topic, Some(0), Some((key_schema, &key)), (value_schema, &value), headers)
    }
}
