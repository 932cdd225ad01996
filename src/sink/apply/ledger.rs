//! What has to outlive a process and belongs to no table: the database `_tidewire`.
//!
//! `state` has what no record tells for ever (`Kind`). A line is never changed: a newer one takes its place. The records that
//! could not be written have a module of their own (`quarantine`).

use std::collections::HashMap;

use crate::clock::Clock;
use crate::config::sink::TableConfig;
use crate::config::sink::modes::TableEngine;
use crate::sink::apply::quarantine::{QUARANTINE, QUARANTINE_COLUMNS};
use crate::sink::apply::server::Server;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::insert::{InsertStatement, Rows};
use crate::sink::clickhouse::system_tables;
use crate::sink::row_binary::header::write_string;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::identifier::literal;

/// The database.
pub const DATABASE: &str = "_tidewire";
const STATE: &str = "state";

const STATE_COLUMNS: [(&str, &str); 4] =
    [("kind", "String"), ("name", "String"), ("value", "String"), ("version", "UInt64")];

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

/// The database `_tidewire`, as it was when it was opened and as it was changed since.
pub struct Ledger {
    pub(super) connector: String,
    lines: HashMap<(&'static str, String), String>,
    state: InsertStatement,
    pub(super) quarantine: InsertStatement,
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
}

fn insert(table: &str, columns: &[(&'static str, &str)]) -> InsertStatement {
    let typed: Vec<(&str, ColumnType)> =
        columns.iter().map(|(name, column_type)| (*name, ColumnType::parse(column_type))).collect();
    let columns: Vec<(&str, &ColumnType)> =
        typed.iter().map(|(name, column_type)| (*name, column_type)).collect();
    InsertStatement::new(DATABASE, table, &columns)
}

pub(super) fn send(server: &Server, insert: &InsertStatement, row: &[u8]) -> Result<(), ClickHouseError> {
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
