//! What has to outlive a process and belongs to no table: the database `_tidewire`.
//!
//! `state` has what no record tells for ever (`Kind`). A line is never changed: a newer one takes its
//! place. `quarantine` has the records that could not be written, whole, with their version: written later by it, a row takes
//! its own place among all changes of its row (`tidewire sink retry-quarantine`). What was written is deleted there by a newer line.

use std::collections::HashMap;

use crate::clock::Clock;
use crate::config::sink::TableConfig;
use crate::config::sink::modes::TableEngine;
use crate::sink::apply::record::OwnedRecord;
use crate::sink::apply::server::Server;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::hex::from_hex;
use crate::sink::clickhouse::insert::{InsertStatement, Rows};
use crate::sink::clickhouse::system_tables;
use crate::sink::row_binary::header::write_string;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::identifier::literal;
use crate::sink::version::Version;

/// The database.
pub const DATABASE: &str = "_tidewire";
const STATE: &str = "state";
const QUARANTINE: &str = "quarantine";

const STATE_COLUMNS: [(&str, &str); 4] =
    [("kind", "String"), ("name", "String"), ("value", "String"), ("version", "UInt64")];
const QUARANTINE_COLUMNS: [(&str, &str); 12] = [
    ("connector", "String"),
    ("topic", "String"),
    ("partition", "Int32"),
    ("offset", "Int64"),
    ("table", "String"),
    ("version", "UInt64"),
    ("key", "Nullable(String)"),
    ("value", "Nullable(String)"),
    ("sequence", "Nullable(String)"),
    ("old_key", "Nullable(String)"),
    ("error", "String"),
    ("done", "UInt8"),
];

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The version up to which a table has no rows; by `database.table` in ClickHouse.
    Floor,
    /// The incarnation of a topic; by its name.
    Incarnation,
    /// The version of the snapshot after which a table was swept last; by `database.table` in ClickHouse.
    Snapshot,
    /// The version up to which deletions of a table were removed; by `database.table` in ClickHouse.
    Cleanup,
    /// The last schema change of a table; by the topic and `database.table` in MySQL.
    Description,
}

/// All kinds.
const KINDS: [Kind; 5] = [Kind::Floor, Kind::Incarnation, Kind::Snapshot, Kind::Cleanup, Kind::Description];

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Kind::Floor => "floor",
            Kind::Incarnation => "incarnation",
            Kind::Snapshot => "snapshot",
            Kind::Cleanup => "cleanup",
            Kind::Description => "description",
        }
    }
}

/// A record that is put aside.
#[derive(Clone, Copy, Debug)]
pub struct Quarantined<'a> {
    /// Its topic.
    pub topic: &'a str,
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// `database.table` in ClickHouse.
    pub table: &'a str,
    /// Its version; 0 where it has none.
    pub version: u64,
    /// Its key.
    pub key: Option<&'a [u8]>,
    /// Its value.
    pub value: Option<&'a [u8]>,
    /// Its header `tidewire.seq`.
    pub sequence: Option<&'a [u8]>,
    /// Its header `__debezium.oldkey`.
    pub old_key: Option<&'a [u8]>,
    /// Why, without values.
    pub error: &'a str,
}

/// A record that was put aside, as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Its topic.
    pub topic: String,
    /// Its partition.
    pub partition: i32,
    /// Its offset.
    pub offset: i64,
    /// `database.table` in ClickHouse.
    pub table: String,
    /// Its version; none where it had none.
    pub version: Option<Version>,
    /// Its key, value and headers.
    pub record: OwnedRecord,
    /// When, as the server's clock has it.
    pub at: String,
    /// Why.
    pub error: String,
}

/// Records are read so many at a time.
pub const PAGE: usize = 500;

/// The database `_tidewire`, as it was when it was opened and as it was changed since.
pub struct Ledger {
    connector: String,
    lines: HashMap<(&'static str, String), String>,
    state: InsertStatement,
    quarantine: InsertStatement,
}

impl Ledger {
    /// Makes what is missing and reads the state.
    pub fn open(server: &Server, connector: &str, config: &TableConfig) -> Result<Ledger, ClickHouseError> {
        for statement in statements(config) {
            server.run("make the tables of _tidewire", &statement)?;
        }
        let mut ledger = Ledger::unread(connector);
        ledger.read(server)?;
        Ok(ledger)
    }

    /// The state as it is, without making anything; none before the first run of a sink.
    pub fn look(server: &Server, connector: &str) -> Result<Option<Ledger>, ClickHouseError> {
        let has_state = system_tables::table(&server.client, DATABASE, STATE)?.is_some();
        if !has_state {
            return Ok(None);
        }
        let mut ledger = Ledger::unread(connector);
        ledger.read(server)?;
        Ok(Some(ledger))
    }

    fn unread(connector: &str) -> Ledger {
        Ledger {
            connector: connector.to_owned(),
            lines: HashMap::new(),
            state: insert(STATE, &STATE_COLUMNS),
            quarantine: insert(QUARANTINE, &QUARANTINE_COLUMNS),
        }
    }

    /// Reads the state anew: other members write it, too.
    pub fn read(&mut self, server: &Server) -> Result<(), ClickHouseError> {
        let sql = format!("SELECT kind, name, value FROM {DATABASE}.{STATE} FINAL");
        let rows: Vec<(String, String, String)> = server.client.rows(Query::new("read the state", &sql))?;
        for (kind, name, value) in rows {
            let known = KINDS.into_iter().find(|known| known.word() == kind);
            if let Some(known) = known {
                self.lines.insert((known.word(), name), value);
            }
        }
        Ok(())
    }

    /// What is stored.
    pub fn get(&self, kind: Kind, name: &str) -> Option<&str> {
        self.lines.get(&(kind.word(), name.to_owned())).map(String::as_str)
    }

    /// All lines of a kind, with their names.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = (&str, &str)> {
        let is_its = move |((known, _), _): &(&(&str, String), &String)| *known == kind.word();
        self.lines.iter().filter(is_its).map(|((_, name), value)| (name.as_str(), value.as_str()))
    }

    /// Stores a line; returns when the server has it.
    pub fn set(
        &mut self,
        server: &Server,
        kind: Kind,
        name: &str,
        value: String,
    ) -> Result<(), ClickHouseError> {
        self.set_all(server, kind, vec![(name.to_owned(), value)])
    }

    /// Stores lines, in one insert.
    pub fn set_all(
        &mut self,
        server: &Server,
        kind: Kind,
        lines: Vec<(String, String)>,
    ) -> Result<(), ClickHouseError> {
        if lines.is_empty() {
            return Ok(());
        }
        let now = u64::try_from(Clock::System.now_nanos() / 1000).unwrap_or_default();
        let mut rows = Vec::new();
        for (name, value) in &lines {
            for text in [kind.word(), name, value] {
                write_string(text.as_bytes(), &mut rows);
            }
            rows.extend_from_slice(&now.to_le_bytes());
        }
        send(server, &self.state, &rows)?;
        self.lines.extend(lines.into_iter().map(|(name, value)| ((kind.word(), name), value)));
        Ok(())
    }

    /// Keeps a copy of a record; returns when the server has it. The same record twice is there once.
    pub fn put_aside(&self, server: &Server, record: Quarantined<'_>) -> Result<(), ClickHouseError> {
        send(server, &self.quarantine, &quarantine_row(&self.connector, record, false))
    }

    /// Deletes a record that was put aside and is written by now.
    pub fn done(&self, server: &Server, aside: &Aside) -> Result<(), ClickHouseError> {
        let Aside { topic, partition, offset, table, .. } = aside;
        let record = Quarantined {
            topic,
            partition: *partition,
            offset: *offset,
            table,
            version: 0,
            key: None,
            value: None,
            sequence: None,
            old_key: None,
            error: "",
        };
        send(server, &self.quarantine, &quarantine_row(&self.connector, record, true))
    }

    /// The records that were put aside before a time of the server's, of one table or of all, behind one of them: so many that memory
    /// does not matter.
    pub fn aside(
        &self,
        server: &Server,
        table: Option<&str>,
        before: &str,
        behind: Option<&Aside>,
    ) -> Result<Vec<Aside>, ClickHouseError> {
        let mut conditions = format!(
            "connector = {} AND at < toDateTime64({}, 3, 'UTC')",
            literal(&self.connector),
            literal(before)
        );
        if let Some(table) = table {
            conditions.push_str(&format!(" AND table = {}", literal(table)));
        }
        if let Some(Aside { topic, partition, offset, .. }) = behind {
            conditions.push_str(&format!(
                " AND (topic, partition, offset) > ({}, {partition}, {offset})",
                literal(topic)
            ));
        }
        let sql = format!(
            "SELECT topic, partition, offset, table, version, [hex(key), hex(value), hex(sequence), hex(old_key)], \
             toString(at), error FROM {DATABASE}.{QUARANTINE} FINAL WHERE {conditions} \
             ORDER BY topic, partition, offset LIMIT {PAGE}"
        );
        type Line = (String, i32, i64, String, u64, [Option<String>; 4], String, String);
        let lines: Vec<Line> = server.client.rows(Query::new("read what was put aside", &sql))?;
        let aside = |(topic, partition, offset, table, version, parts, at, error): Line| {
            let [key, value, sequence, old_key] = parts.map(|part| part.map(|digits| from_hex(&digits)));
            let version = Version::new(version).filter(|version| *version != Version::ZERO);
            let record = OwnedRecord { key, value, sequence, old_key };
            Aside { topic, partition, offset, table, version, record, at, error }
        };
        Ok(lines.into_iter().map(aside).collect())
    }

    /// The lowest version of a table that any connector has put aside.
    pub fn lowest_aside(&self, server: &Server, table: &str) -> Result<Option<Version>, ClickHouseError> {
        let sql = format!(
            "SELECT min(version) FROM {DATABASE}.{QUARANTINE} FINAL WHERE table = {} HAVING count() > 0",
            literal(table)
        );
        let rows: Vec<(u64,)> = server.client.rows(Query::new("read what was put aside", &sql))?;
        Ok(rows.first().and_then(|&(version,)| Version::new(version)))
    }

    /// The server's time, as [`Self::aside`] takes it.
    pub fn now(server: &Server) -> Result<String, ClickHouseError> {
        let rows: Vec<(String,)> =
            server.client.rows(Query::new("ask for the time", "SELECT toString(now64(3, 'UTC'))"))?;
        Ok(rows.into_iter().next().unwrap_or_default().0)
    }
}

fn quarantine_row(connector: &str, record: Quarantined<'_>, done: bool) -> Vec<u8> {
    let mut row = Vec::new();
    write_string(connector.as_bytes(), &mut row);
    write_string(record.topic.as_bytes(), &mut row);
    row.extend_from_slice(&record.partition.to_le_bytes());
    row.extend_from_slice(&record.offset.to_le_bytes());
    write_string(record.table.as_bytes(), &mut row);
    row.extend_from_slice(&record.version.to_le_bytes());
    for bytes in [record.key, record.value, record.sequence, record.old_key] {
        match bytes {
            None => row.push(1),
            Some(bytes) => {
                row.push(0);
                write_string(bytes, &mut row);
            }
        }
    }
    write_string(record.error.as_bytes(), &mut row);
    row.push(u8::from(done));
    row
}

fn insert(table: &str, columns: &[(&'static str, &str)]) -> InsertStatement {
    let typed: Vec<(&str, ColumnType)> =
        columns.iter().map(|(name, column_type)| (*name, ColumnType::parse(column_type))).collect();
    let columns: Vec<(&str, &ColumnType)> =
        typed.iter().map(|(name, column_type)| (*name, column_type)).collect();
    InsertStatement::new(DATABASE, table, &columns)
}

fn send(server: &Server, insert: &InsertStatement, row: &[u8]) -> Result<(), ClickHouseError> {
    let rows = Rows {
        bytes: row,
        token: None,
        guard: None,
        compression: server.compression,
        settings: &[],
        id_prefix: "tidewire",
    };
    insert.send(&server.client, rows, &mut Vec::new()).map(|_| ())
}

/// The statements that make database and tables.
fn statements(config: &TableConfig) -> [String; 3] {
    let on_cluster = config.cluster.as_ref().map(|name| format!(" ON CLUSTER {}", literal(name)));
    let on_cluster = on_cluster.unwrap_or_default();
    let replicated =
        if config.engine == TableEngine::ReplicatedReplacingMergeTree { "Replicated" } else { "" };
    let table = |name: &str, columns: &[(&str, &str)], more: &str, arguments: &str, key: &str| {
        let columns: Vec<String> =
            columns.iter().map(|(name, column_type)| format!("`{name}` {column_type}")).collect();
        format!(
            "CREATE TABLE IF NOT EXISTS {DATABASE}.{name}{on_cluster} ({}{more}) \
             ENGINE = {replicated}ReplacingMergeTree({arguments}) ORDER BY ({key})",
            columns.join(", ")
        )
    };
    [
        format!("CREATE DATABASE IF NOT EXISTS {DATABASE}{on_cluster}"),
        table(STATE, &STATE_COLUMNS, "", "version", "kind, name"),
        table(
            QUARANTINE,
            &QUARANTINE_COLUMNS,
            ", `at` DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')",
            "at, done",
            "connector, topic, partition, offset",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_that_is_put_aside_keeps_null_apart_from_nothing() {
        let record = Quarantined {
            topic: "t",
            partition: 1,
            offset: 2,
            table: "d.t",
            version: 3,
            key: Some(b""),
            value: None,
            sequence: Some(&[9]),
            old_key: Some(b"o"),
            error: "why",
        };
        let wanted: &[&[u8]] = &[
            b"\x01c\x01t",
            &[1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
            b"\x03d.t",
            &[3, 0, 0, 0, 0, 0, 0, 0],
            &[0, 0],
            &[1],
            &[0, 1, 9],
            b"\x00\x01o\x03why\x00",
        ];
        assert_eq!(quarantine_row("c", record, false), wanted.concat());
    }
}
