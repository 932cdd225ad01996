//! What a start does by `snapshot.mode`, which locks it takes, and tables that are read by a statement of the user's own.

use serde_json::{Value, json};

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{MYSQL80, MYSQL97};
use crate::support::process::LIMIT;
use crate::support::records::changes;

fn rows(connector: &Connector, table: &str) -> Vec<Value> {
    connector.records(table).iter().map(|record| record.value["after"].clone()).collect()
}

/// A server of other GTIDs has nothing of what follows the stored position.
#[test]
fn when_needed_takes_a_new_snapshot_where_the_position_is_lost() {
    let name = "snap_when_needed";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)").unwrap();
    session.execute("INSERT INTO t VALUES (1, 1)").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.start_streaming().terminate().expect(0, &[]);
    let mut elsewhere = database(MYSQL80.variable(), name);
    elsewhere.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT)").unwrap();
    elsewhere.execute("INSERT INTO t VALUES (2, 2, 2), (3, 3, 3)").unwrap();
    let (host, port) = MYSQL80.address();
    connector.set("database.hostname", &host).set("database.port", &port.to_string());
    connector
        .start()
        .wait(LIMIT)
        .expect(1, &["gtid_executed", "to do: connect to the server that the offset is from"]);
    connector.set("snapshot.mode", "when_needed");
    let process = connector.start_streaming();
    elsewhere.execute("INSERT INTO t VALUES (4, 4, 4)").unwrap();
    connector.wait_for_records("t", 4);
    process.terminate().expect(0, &["a new snapshot is taken"]);
    assert_eq!(changes(&connector.records("t")), "r1 r2 r3 c4");
    // From now on there is a position.
    connector.start_streaming().terminate().expect(0, &[]);
    assert_eq!(changes(&connector.records("t")), "r1 r2 r3 c4");
}

#[test]
fn always_takes_a_snapshot_at_every_start() {
    let name = "snap_always";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO t VALUES (1)").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("snapshot.mode", "always").set("snapshot.locking.mode", "extended");
    connector.start_streaming().terminate().expect(0, &["the lock is released"]);
    session.execute("INSERT INTO t VALUES (2)").unwrap();
    // It needs nothing of what was.
    std::fs::remove_file(connector.file("history.jsonl")).unwrap();
    let process = connector.start_streaming();
    session.execute("INSERT INTO t VALUES (3)").unwrap();
    connector.wait_for_records("t", 4);
    process.terminate().expect(0, &[]);
    assert_eq!(changes(&connector.records("t")), "r1 r1 r2 c3");
}

/// Debezium's former `never`: everything from the first binlog on.
#[test]
fn flags_for_the_stream_alone_read_all_that_the_server_has() {
    let name = "snap_flags";
    let mut session = database(MYSQL80.variable(), name);
    for statement in [
        "CREATE TABLE t (id INT PRIMARY KEY)",
        "INSERT INTO t VALUES (1)",
        "ALTER TABLE t ADD COLUMN v INT",
        "INSERT INTO t VALUES (2, 2)",
    ] {
        session.execute(statement).unwrap();
    }
    let mut connector = Connector::to_files(&MYSQL80, name);
    connector
        .set("snapshot.mode", "configuration_based")
        .set("snapshot.mode.configuration.based.start.stream", "true")
        .set("table.include.list", "snap_flags.t");
    let process = connector.start_streaming();
    connector.wait_for_records("t", 2);
    process.terminate().expect(0, &[]);
    assert_eq!(rows(&connector, "t"), [json!({"id": 1}), json!({"id": 2, "v": 2})]);
}

#[test]
fn a_lost_history_is_recovered_and_nothing_is_read_again() {
    let name = "snap_recovery";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO t VALUES (1)").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("snapshot.mode", "recovery");
    connector.start().wait(LIMIT).expect(1, &["wants a stored offset", "to do: set snapshot.mode=initial"]);
    connector.set("snapshot.mode", "initial");
    connector.start_streaming().terminate().expect(0, &[]);
    session.execute("INSERT INTO t VALUES (2)").unwrap();
    std::fs::remove_file(connector.file("history.jsonl")).unwrap();
    connector.start().wait(LIMIT).expect(1, &["history.jsonl is missing", "snapshot.mode=recovery"]);
    connector.set("snapshot.mode", "recovery");
    let process = connector.start_streaming();
    connector.wait_for_records("t", 2);
    process.terminate().expect(0, &[]);
    connector.set("snapshot.mode", "initial");
    let process = connector.start_streaming();
    session.execute("INSERT INTO t VALUES (3)").unwrap();
    connector.wait_for_records("t", 3);
    process.terminate().expect(0, &[]);
    assert_eq!(changes(&connector.records("t")), "r1 c2 c3");
}

/// Columns come by name; one that the statement leaves out is null.
#[test]
fn tables_read_by_a_statement_of_ones_own() {
    let name = "snap_select";
    let mut session = database(MYSQL97.variable(), name);
    for statement in [
        "CREATE TABLE a (id INT PRIMARY KEY, v VARCHAR(10), w DATETIME)",
        "INSERT INTO a VALUES (1, 'one', NOW()), (2, 'two', NOW()), (3, 'three', NOW())",
        "CREATE TABLE b (id INT PRIMARY KEY, v INT)",
        "INSERT INTO b VALUES (1, 10), (2, 20)",
        "CREATE TABLE c (id INT PRIMARY KEY)",
        "INSERT INTO c VALUES (1), (2), (3)",
    ] {
        session.execute(statement).unwrap();
    }
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector
        .set("snapshot.select.statement.overrides", "snap_select.a, snap_select.b")
        .set(
            "snapshot.select.statement.overrides.snap_select.a",
            "SELECT v, id FROM snap_select.a WHERE id > 1 ORDER BY id DESC",
        )
        .set("snapshot.select.statement.overrides.snap_select.b", "SELECT * FROM snap_select.b WHERE v = 20")
        .set("snapshot.tables.order.by.row.count", "descending")
        .set("snapshot.locking.mode", "none");
    connector.start_streaming().terminate().expect(0, &[]);
    assert_eq!(
        rows(&connector, "a"),
        [json!({"id": 3, "v": "three", "w": null}), json!({"id": 2, "v": "two", "w": null})]
    );
    assert_eq!(rows(&connector, "b"), [json!({"id": 2, "v": 20})]);
    let markers: Vec<_> =
        connector.records("c").iter().map(|record| record.value["source"]["snapshot"].clone()).collect();
    assert_eq!(markers, ["first", "true", "last_in_data_collection"]);

    let mut wrong = Connector::to_files(&MYSQL97, name);
    wrong.set("snapshot.select.statement.overrides", "snap_select.b").set(
        "snapshot.select.statement.overrides.snap_select.b",
        "SELECT id, v * 2 AS twice FROM snap_select.b",
    );
    wrong.start().wait(LIMIT).expect(1, &["has a column twice"]);
}
