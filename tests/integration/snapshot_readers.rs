//! A snapshot by four readers: every row once, whatever the key is, and whatever happens to tables meanwhile.

use std::collections::BTreeMap;

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::keys::KEYS;
use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MARIADB, MYSQL57, MYSQL80, MYSQL97};
use crate::support::process::LIMIT;

/// Rows of each table: ten chunks of 125.
const ROWS: u32 = 1_200;

fn fill(session: &mut Connection, table: &str, value: impl Fn(u32) -> String, rows: u32) {
    let numbers: Vec<u32> = (1..=rows).collect();
    for some in numbers.chunks(500) {
        let values: Vec<String> = some.iter().map(|n| format!("({}, {n})", value(*n))).collect();
        session.execute(&format!("INSERT INTO {table} VALUES {}", values.join(", "))).unwrap();
    }
}

/// How often each number was read.
fn numbers(connector: &Connector, table: &str) -> BTreeMap<u64, u32> {
    let mut seen = BTreeMap::new();
    for record in connector.records(table) {
        assert_eq!(record.value["op"], "r", "{table}");
        *seen.entry(record.value["after"]["n"].as_u64().unwrap()).or_default() += 1;
    }
    seen
}

fn markers(connector: &Connector, table: &str, marker: &str) -> usize {
    let is = |value: &Value| value["source"]["snapshot"] == marker;
    connector.records(table).iter().filter(|record| is(&record.value)).count()
}

fn all_keys(server: &Database, name: &str) {
    let mut session = database(server.variable(), name);
    session.execute("SET SESSION time_zone = '+00:00'").unwrap();
    for key in KEYS {
        let (table, definition) = (key.name, key.definition);
        session.execute(&format!("CREATE TABLE {table} ({definition}, n INT NOT NULL)")).unwrap();
        fill(&mut session, table, key.value, ROWS);
    }
    session
        .execute("CREATE TABLE k_engine (k INT NOT NULL PRIMARY KEY, n INT NOT NULL) ENGINE=MyISAM")
        .unwrap();
    fill(&mut session, "k_engine", |n| n.to_string(), ROWS);
    session.execute("CREATE TABLE k_empty (k INT NOT NULL PRIMARY KEY, n INT NOT NULL)").unwrap();
    let mut connector = Connector::to_files(server, name);
    connector
        .set("snapshot.mode", "initial_only")
        .set("snapshot.max.threads", "4")
        .set("snapshot.max.threads.multiplier", "8")
        .set(&format!("snapshot.max.threads.multiplier.{name}.k_int"), "50");
    let ended = connector.start().wait(LIMIT);
    ended.expect(0, &["readers=4"]);
    let whole: BTreeMap<u64, u32> = (1..=u64::from(ROWS)).map(|n| (n, 1)).collect();
    let mut last = 0;
    let tables = KEYS.iter().map(|key| (key.name, key.is_cut)).chain([("k_engine", false)]);
    for (table, is_cut) in tables {
        assert_eq!(numbers(&connector, table), whole, "{table}");
        let said = format!("table={name}.{table} reason=");
        assert_eq!(!ended.log.contains(&said), is_cut, "{table}");
        // `last` is the very last record, `first` the first one of the first table.
        let (first, own_last) =
            (markers(&connector, table, "first"), markers(&connector, table, "last_in_data_collection"));
        assert_eq!(first, usize::from(table == "k_binary"), "{table}");
        last += markers(&connector, table, "last");
        assert_eq!(own_last + markers(&connector, table, "last"), 1, "{table}");
    }
    assert_eq!(last, 1);
}

#[test]
fn every_row_once_on_mysql_9_7() {
    all_keys(&MYSQL97, "readers97");
}

#[test]
fn every_row_once_on_mysql_8_0() {
    all_keys(&MYSQL80, "readers80");
}

#[test]
fn every_row_once_on_mysql_5_7() {
    all_keys(&MYSQL57, "readers57");
}

#[test]
fn every_row_once_on_mariadb() {
    all_keys(&MARIADB, "readersmaria");
}
