//! The `source` block: where an event stood in the log.
//!
//! Its seventeen fields have a fixed order. On the way of rows they are printed by two templates: a `SourceTemplate` has
//! what is constant for a table, and a `SourceEvent` has a whole rows event printed but for the number of the row, so
//! that each row costs two copies and one integer.

use std::sync::{Arc, LazyLock};

use crate::connect::digits::write_integer;
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::converter::json::text::write_string;

/// The field `version`: the release whose records are reproduced.
pub const VERSION: &str = "3.6.1.Final";

/// The field `connector`.
pub const CONNECTOR: &str = "mysql";

/// The field `snapshot`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapshotMarker {
    /// A streamed event.
    #[default]
    False,
    /// A snapshot's event that is none of the following.
    True,
    /// The first row of the first table.
    First,
    /// The first row of a later table.
    FirstInDataCollection,
    /// The last row of a table that is not the last.
    LastInDataCollection,
    /// The last event of the snapshot.
    Last,
    /// A row of an incremental snapshot.
    Incremental,
}

impl SnapshotMarker {
    /// What stands in the field: a streamed event has null there, which a converter prints as the field's default,
    /// `false`, unless `replace.null.with.default=false`.
    pub const fn stored(self) -> Option<&'static str> {
        match self {
            SnapshotMarker::False => None,
            marker => Some(marker.as_str()),
        }
    }

    /// The value of the field, the default of null included.
    pub const fn as_str(self) -> &'static str {
        match self {
            SnapshotMarker::False => "false",
            SnapshotMarker::True => "true",
            SnapshotMarker::First => "first",
            SnapshotMarker::FirstInDataCollection => "first_in_data_collection",
            SnapshotMarker::LastInDataCollection => "last_in_data_collection",
            SnapshotMarker::Last => "last",
            SnapshotMarker::Incremental => "incremental",
        }
    }
}

/// What is true of one event, whatever its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourcePosition<'a> {
    /// The source time in nanoseconds since 1970 (UTC); `ts_ms`, `ts_us` and `ts_ns` are cut from it.
    pub timestamp_nanos: i64,
    /// The marker.
    pub snapshot: SnapshotMarker,
    /// The server that wrote the event; 0 in a snapshot.
    pub server_id: i64,
    /// The transaction.
    pub gtid: Option<&'a str>,
    /// The binlog file.
    pub file: &'a str,
    /// Where the event starts in the file.
    pub pos: i64,
    /// The number of the row in its event, from 0.
    pub row: i32,
    /// The client's connection.
    pub thread: Option<i64>,
    /// The statement (`include.query`).
    pub query: Option<&'a str>,
}

/// The whole block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceInfo<'a> {
    /// `topic.prefix`.
    pub name: &'a str,
    /// The database; empty when there is none.
    pub database: &'a str,
    /// The table, or several joined by commas for a statement that names several.
    pub table: Option<&'a str>,
    /// Where it stood.
    pub position: SourcePosition<'a>,
}

impl SourceInfo<'_> {
    /// The block as owned data, under `schema()`.
    pub fn to_value(&self) -> Value {
        let position = &self.position;
        let nanos = position.timestamp_nanos;
        Value::Struct(vec![
            VERSION.into(),
            CONNECTOR.into(),
            self.name.into(),
            nanos.div_euclid(1_000_000).into(),
            position.snapshot.stored().into(),
            self.database.into(),
            Value::Null,
            nanos.div_euclid(1000).into(),
            nanos.into(),
            self.table.into(),
            position.server_id.into(),
            position.gtid.into(),
            position.file.into(),
            position.pos.into(),
            position.row.into(),
            position.thread.into(),
            position.query.into(),
        ])
    }
}

/// The schema of the block.
pub fn schema() -> &'static Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let string = || Schema::new(Type::String);
        let int64 = || Schema::new(Type::Int64);
        let snapshot = string()
            .optional()
            .named("io.debezium.data.Enum", Some(1))
            .parameter(
                "allowed",
                "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental",
            )
            .with_default("false".into());
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.mysql.Source", Some(1))
            .field("version", string())
            .field("connector", string())
            .field("name", string())
            .field("ts_ms", int64())
            .field("snapshot", snapshot)
            .field("db", string())
            .field("sequence", string().optional())
            .field("ts_us", int64().optional())
            .field("ts_ns", int64().optional())
            .field("table", string().optional())
            .field("server_id", int64())
            .field("gtid", string().optional())
            .field("file", string())
            .field("pos", int64())
            .field("row", Schema::new(Type::Int32))
            .field("thread", int64().optional())
            .field("query", string().optional());
        Arc::new(schema)
    });
    &SCHEMA
}

/// The parts of the block that are the same for all events of a table, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTemplate {
    /// From the start to the value of `ts_ms`.
    head: Vec<u8>,
    /// The value of `snapshot` of a streamed event.
    streamed: &'static str,
    /// `"db"` and `"sequence"`, to the value of `ts_us`.
    database: Vec<u8>,
    /// `"table"`, to the value of `server_id`.
    table: Vec<u8>,
}

impl SourceTemplate {
    /// The template of a table; `defaults_for_null` is the converter's `replace.null.with.default`.
    pub fn new(name: &str, database: &str, table: Option<&str>, defaults_for_null: bool) -> Self {
        let mut head = Vec::new();
        head.extend_from_slice(br#"{"version":"#);
        write_string(VERSION, &mut head);
        head.extend_from_slice(br#","connector":"#);
        write_string(CONNECTOR, &mut head);
        head.extend_from_slice(br#","name":"#);
        write_string(name, &mut head);
        head.extend_from_slice(br#","ts_ms":"#);
        let mut db = br#","db":"#.to_vec();
        write_string(database, &mut db);
        db.extend_from_slice(br#","sequence":null,"ts_us":"#);
        let mut columns = br#","table":"#.to_vec();
        write_optional_string(table, &mut columns);
        columns.extend_from_slice(br#","server_id":"#);
        let streamed = if defaults_for_null { r#""false""# } else { "null" };
        SourceTemplate { head, streamed, database: db, table: columns }
    }

    /// Appends the whole block of one event.
    pub fn write(&self, position: &SourcePosition<'_>, out: &mut Vec<u8>) {
        self.write_head(position, out);
        write_integer(position.row.into(), out);
        write_tail(position, out);
    }

    /// Up to the value of `row`.
    fn write_head(&self, position: &SourcePosition<'_>, out: &mut Vec<u8>) {
        let nanos = position.timestamp_nanos;
        out.extend_from_slice(&self.head);
        write_integer(nanos.div_euclid(1_000_000), out);
        out.extend_from_slice(br#","snapshot":"#);
        match position.snapshot.stored() {
            None => out.extend_from_slice(self.streamed.as_bytes()),
            Some(marker) => write_string(marker, out),
        }
        out.extend_from_slice(&self.database);
        write_integer(nanos.div_euclid(1000), out);
        out.extend_from_slice(br#","ts_ns":"#);
        write_integer(nanos, out);
        out.extend_from_slice(&self.table);
        write_integer(position.server_id, out);
        out.extend_from_slice(br#","gtid":"#);
        write_optional_string(position.gtid, out);
        out.extend_from_slice(br#","file":"#);
        write_string(position.file, out);
        out.extend_from_slice(br#","pos":"#);
        write_integer(position.pos, out);
        out.extend_from_slice(br#","row":"#);
    }
}

/// After the value of `row`.
fn write_tail(position: &SourcePosition<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","thread":"#);
    match position.thread {
        Some(thread) => write_integer(thread, out),
        None => out.extend_from_slice(b"null"),
    }
    out.extend_from_slice(br#","query":"#);
    write_optional_string(position.query, out);
    out.push(b'}');
}

fn write_optional_string(text: Option<&str>, out: &mut Vec<u8>) {
    match text {
        Some(text) => write_string(text, out),
        None => out.extend_from_slice(b"null"),
    }
}

/// The block of one rows event, printed but for the row. Reused from event to event.
#[derive(Clone, Debug, Default)]
pub struct SourceEvent {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl SourceEvent {
    /// Prints the block of an event; the position's row does not matter.
    pub fn begin(&mut self, template: &SourceTemplate, position: &SourcePosition<'_>) {
        self.head.clear();
        self.tail.clear();
        template.write_head(position, &mut self.head);
        write_tail(position, &mut self.tail);
    }

    /// Appends the block of a row.
    #[inline]
    pub fn write_row(&self, row: i32, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head);
        write_integer(row.into(), out);
        out.extend_from_slice(&self.tail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::converter::json::JsonOptions;
    use crate::converter::json::schema::schema_json;
    use crate::converter::json::value::write_value;

    /// basic_crud, as published.
    const SCHEMA: &str = r#"{"type":"struct","fields":[{"type":"string","optional":false,"field":"version"},{"type":"string","optional":false,"field":"connector"},{"type":"string","optional":false,"field":"name"},{"type":"int64","optional":false,"field":"ts_ms"},{"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,"parameters":{"allowed":"true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"},"default":"false","field":"snapshot"},{"type":"string","optional":false,"field":"db"},{"type":"string","optional":true,"field":"sequence"},{"type":"int64","optional":true,"field":"ts_us"},{"type":"int64","optional":true,"field":"ts_ns"},{"type":"string","optional":true,"field":"table"},{"type":"int64","optional":false,"field":"server_id"},{"type":"string","optional":true,"field":"gtid"},{"type":"string","optional":false,"field":"file"},{"type":"int64","optional":false,"field":"pos"},{"type":"int32","optional":false,"field":"row"},{"type":"int64","optional":true,"field":"thread"},{"type":"string","optional":true,"field":"query"}],"optional":false,"name":"io.debezium.connector.mysql.Source","version":1,"field":"source"}"#;
    const STREAMED: &str = r#"{"version":"3.6.1.Final","connector":"mysql","name":"basic_crud","ts_ms":1795984446670,"snapshot":"false","db":"inventory","sequence":null,"ts_us":1795984446670700,"ts_ns":1795984446670700000,"table":"customers","server_id":1,"gtid":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:6","file":"binlog.000001","pos":2151,"row":0,"thread":508,"query":null}"#;
    const SNAPSHOT: &str = r#"{"version":"3.6.1.Final","connector":"mysql","name":"basic_crud","ts_ms":1795984446212,"snapshot":"true","db":"","sequence":null,"ts_us":1795984446212142,"ts_ns":1795984446212142347,"table":null,"server_id":0,"gtid":null,"file":"binlog.000001","pos":1907,"row":0,"thread":null,"query":null}"#;

    fn streamed() -> SourcePosition<'static> {
        SourcePosition {
            timestamp_nanos: 1795984446670700000,
            server_id: 1,
            gtid: Some("8f828cbf-ec2e-11f1-b6f4-02fc00000001:6"),
            file: "binlog.000001",
            pos: 2151,
            thread: Some(508),
            ..SourcePosition::default()
        }
    }

    fn snapshot() -> SourcePosition<'static> {
        SourcePosition {
            timestamp_nanos: 1795984446212142347,
            snapshot: SnapshotMarker::True,
            file: "binlog.000001",
            pos: 1907,
            ..SourcePosition::default()
        }
    }

    #[test]
    fn the_schema_is_the_published_one() {
        assert_eq!(schema_json(schema(), Some("source")), SCHEMA);
    }

    #[test]
    fn templates_and_owned_data_print_the_published_text() {
        for (database, table, position, json) in
            [("inventory", Some("customers"), streamed(), STREAMED), ("", None, snapshot(), SNAPSHOT)]
        {
            let template = SourceTemplate::new("basic_crud", database, table, true);
            let mut out = Vec::new();
            template.write(&position, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), json);

            let mut event = SourceEvent::default();
            event.begin(&template, &position);
            let mut out = Vec::new();
            event.write_row(0, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), json);

            let info = SourceInfo { name: "basic_crud", database, table, position };
            let mut out = Vec::new();
            write_value(schema(), &info.to_value(), &JsonOptions::default(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), json);
        }
    }
}
