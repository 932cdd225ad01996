//! Tables that are altered, dropped, renamed, truncated or created between the opening of a snapshot's view and their turn;
//! and a snapshot that loses a connection.
//!
//! Table `a` is read by a statement that takes its time, so that what happens to `b` meanwhile happens in between.

use std::time::{Duration, Instant};

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::mysql_server::{database, root};
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97};
use crate::support::process::{LIMIT, Process};
use crate::support::records::{Record, changes};

const POSITION: &str = "snapshot position";
const AGAIN: &str = "was changed while the snapshot began";

/// A database with `a`, whose only row takes five seconds, and `b` with two rows. The statement that reads `a` opens no table:
/// the global lock of another test's snapshot waits for a table that is open, with all writers behind it.
fn ground(server: &Database, name: &str) -> (Connection, Connector) {
    let mut session = database(server.variable(), name);
    for statement in [
        "CREATE TABLE a (id INT PRIMARY KEY)",
        "INSERT INTO a VALUES (1)",
        "CREATE TABLE b (id INT PRIMARY KEY, v INT)",
        "INSERT INTO b VALUES (1, 1), (2, 2)",
    ] {
        session.execute(statement).unwrap();
    }
    let mut connector = Connector::to_files(server, name);
    connector
        .set("snapshot.select.statement.overrides", &format!("{name}.a"))
        .set(
            &format!("snapshot.select.statement.overrides.{name}.a"),
            &format!("SELECT 1 AS id FROM DUAL WHERE SLEEP(5) = 0 AND '{name}' <> ''"),
        )
        .set("skipped.operations", "none");
    (session, connector)
}

/// Starts, runs the statements while `a` is read, and waits for the stream.
fn change_meanwhile(session: &mut Connection, connector: &Connector, statements: &[&str]) -> Process {
    let mut process = connector.start();
    process.wait_for(POSITION, 1);
    // Its rows are counted first, which must not lock it.
    std::thread::sleep(Duration::from_millis(500));
    for statement in statements {
        session.execute(statement).unwrap();
    }
    // `a` is not done yet: nothing of this had to wait for it.
    assert!(
        !process.log().contains("snapshot of a table finished"),
        "{statements:?} waited for the snapshot"
    );
    process.wait_for(STREAMING, 1);
    process
}

/// The records of `b` once the last one is of the stream.
fn up_to_a_change(connector: &Connector) -> Vec<Record> {
    let mut records = connector.wait_for_records("b", 3);
    while records.last().is_some_and(|record| record.op() == "r") {
        records = connector.wait_for_records("b", records.len() + 1);
    }
    records
}

fn after(connector: &Connector, table: &str) -> Vec<Value> {
    connector.records(table).iter().map(|record| record.value["after"].clone()).collect()
}

fn altered(server: &Database, name: &str) {
    let (mut session, connector) = ground(server, name);
    let statements = ["ALTER TABLE b MODIFY v VARCHAR(10)", "INSERT INTO b VALUES (3, 'three')"];
    let process = change_meanwhile(&mut session, &connector, &statements);
    session.execute("INSERT INTO b VALUES (4, 'four')").unwrap();
    connector.wait_for_records("b", 4);
    process.terminate().expect(0, &[AGAIN, &format!("table {name}.b ")]);
    assert_eq!(changes(&connector.records("b")), "r1 r2 r3 c4");
    let values: Vec<String> = after(&connector, "b").iter().map(|row| row["v"].to_string()).collect();
    assert_eq!(values, [r#""1""#, r#""2""#, r#""three""#, r#""four""#]);
}

#[test]
fn an_altered_table_on_mysql_9_7() {
    altered(&MYSQL97, "changed_alter97");
}

#[test]
fn an_altered_table_on_mysql_5_7() {
    altered(&MYSQL57, "changed_alter57");
}

/// Tables that change their names as tools for schema changes do it: `b` is now another table with the same columns, and in
/// an old view its rows would be read as if nothing had happened.
fn swapped(server: &Database, name: &str) {
    let (mut session, connector) = ground(server, name);
    session.execute("CREATE TABLE z_new LIKE b").unwrap();
    session.execute("INSERT INTO z_new VALUES (1, 1)").unwrap();
    // Old enough for the server's clock of seconds to tell them apart from what comes now.
    std::thread::sleep(Duration::from_millis(1_100));
    let statements =
        ["INSERT INTO z_new SELECT * FROM b WHERE id > 1", "RENAME TABLE b TO z_old, z_new TO b"];
    let process = change_meanwhile(&mut session, &connector, &statements);
    session.execute("INSERT INTO b VALUES (4, 4)").unwrap();
    connector.wait_for_records("b", 3);
    process.terminate().expect(0, &[AGAIN]);
    assert_eq!(changes(&connector.records("b")), "r1 r2 c4");
}

#[test]
fn swapped_tables_on_mysql_9_7() {
    swapped(&MYSQL97, "changed_swap97");
}

#[test]
fn swapped_tables_on_mysql_5_7() {
    swapped(&MYSQL57, "changed_swap57");
}

#[test]
fn a_dropped_table() {
    let (mut session, connector) = ground(&MYSQL80, "changed_drop80");
    let process = change_meanwhile(&mut session, &connector, &["DROP TABLE b"]);
    session.execute("CREATE TABLE b (id INT PRIMARY KEY, w INT)").unwrap();
    session.execute("INSERT INTO b VALUES (7, 7)").unwrap();
    connector.wait_for_records("b", 1);
    process.terminate().expect(0, &[AGAIN]);
    assert_eq!(changes(&connector.records("b")), "c7");
}

fn truncated(server: &Database, name: &str, begins_again: bool) {
    let (mut session, connector) = ground(server, name);
    let statements = ["TRUNCATE TABLE b", "INSERT INTO b VALUES (5, 5)"];
    let process = change_meanwhile(&mut session, &connector, &statements);
    session.execute("INSERT INTO b VALUES (6, 6)").unwrap();
    connector.wait_for_records("b", if begins_again { 2 } else { 3 });
    let ended = process.terminate();
    ended.expect(0, &[]);
    assert_eq!(ended.log.contains(AGAIN), begins_again);
    let operations: Vec<String> =
        connector.records("b").iter().map(|record| record.op().to_owned()).collect();
    assert_eq!(operations, if begins_again { vec!["r", "c"] } else { vec!["t", "c", "c"] });
}

#[test]
fn a_truncated_table_on_mysql_9_7() {
    truncated(&MYSQL97, "changed_truncate97", true);
}

/// It shows an old view the table as empty, which is what the TRUNCATE in the log leaves of it, too.
#[test]
fn a_truncated_table_on_mysql_5_7() {
    truncated(&MYSQL57, "changed_truncate57", false);
}

/// What is created after the position comes from the binlog.
#[test]
fn a_table_that_is_created_meanwhile() {
    let (mut session, connector) = ground(&MYSQL97, "changed_create");
    let statements =
        ["CREATE TABLE c (id INT PRIMARY KEY)", "INSERT INTO c VALUES (1)", "INSERT INTO b VALUES (3, 3)"];
    let process = change_meanwhile(&mut session, &connector, &statements);
    connector.wait_for_records("c", 1);
    connector.wait_for_records("b", 3);
    process.terminate().expect(0, &[]);
    assert_eq!(changes(&connector.records("c")), "c1");
    assert_eq!(changes(&connector.records("b")), "r1 r2 c3");
}

/// A reader whose session is ended has lost its view: the snapshot begins again, with all rows of a new view.
#[test]
fn a_reader_that_loses_its_connection() {
    let (mut session, mut connector) = ground(&MYSQL97, "changed_reader");
    connector.set("snapshot.max.threads", "3");
    let mut process = connector.start();
    process.wait_for(POSITION, 1);
    std::thread::sleep(Duration::from_millis(500));
    let reading = "SELECT id FROM information_schema.processlist WHERE info LIKE '%SLEEP(5) = 0 AND %changed_reader%' \
                   AND info NOT LIKE '%processlist%'";
    let id = session.query_value(reading).unwrap().expect("a session that reads a");
    session.execute(&format!("KILL {id}")).unwrap();
    session.execute("INSERT INTO b VALUES (3, 3)").unwrap();
    process.wait_for(STREAMING, 1);
    session.execute("INSERT INTO b VALUES (4, 4)").unwrap();
    let records = up_to_a_change(&connector);
    process.terminate().expect(0, &["the connector starts again", "snapshot finished"]);
    // Rows of `b` may have been published before.
    let seen = changes(&records);
    assert!(seen.ends_with("r1 r2 r3 c4"), "{seen}");
}

/// Killed in the middle, it begins again.
#[test]
fn a_killed_snapshot() {
    let (mut session, mut connector) = ground(&MYSQL80, "changed_killed");
    connector.set("snapshot.max.threads", "2");
    let mut process = connector.start();
    process.wait_for(POSITION, 1);
    std::thread::sleep(Duration::from_millis(500));
    process.kill();
    session.execute("UPDATE b SET v = 9 WHERE id = 2").unwrap();
    let process = connector.start_streaming();
    session.execute("INSERT INTO b VALUES (4, 4)").unwrap();
    let records = up_to_a_change(&connector);
    process.terminate().expect(0, &["snapshot finished"]);
    let seen = changes(&records);
    assert!(seen.ends_with("r1 r2 c4"), "{seen}");
    assert_eq!(after(&connector, "b")[records.len() - 2]["v"], 9);
}

/// Somebody waits to alter a table that is being read: whoever has begun it goes on, the others do not wait for ever, and
/// neither does the ALTER.
#[test]
fn an_alter_that_waits_for_the_readers() {
    let name = "changed_waiting";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(200))").unwrap();
    let rows = |from: u32| (from..from + 1_000).map(|id| format!("({id}, REPEAT('x', 200))"));
    for from in (0..40_000).step_by(1_000) {
        session
            .execute(&format!("INSERT INTO t VALUES {}", rows(from).collect::<Vec<_>>().join(", ")))
            .unwrap();
    }
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector
        .set("snapshot.max.threads", "4")
        .set("snapshot.max.threads.multiplier", "10")
        .set("snapshot.lock.timeout.ms", "1000");
    let mut process = connector.start();
    process.wait_for(POSITION, 1);
    while connector.records("t").is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    session.execute("ALTER TABLE t ADD COLUMN w INT DEFAULT 5, ALGORITHM=COPY").unwrap();
    process.wait_for(STREAMING, 1);
    session.execute("INSERT INTO t VALUES (99999, 'last', 6)").unwrap();
    let began = Instant::now();
    let mut records = connector.records("t");
    while records.last().is_none_or(|record| record.id() != 99_999) {
        assert!(began.elapsed() < LIMIT, "{}", process.log());
        records = connector.records("t");
    }
    let log = process.terminate();
    log.expect(0, &[]);
    let read: std::collections::BTreeSet<i64> =
        records.iter().filter(|record| record.op() == "r").map(|record| record.id()).collect();
    assert_eq!(read.len(), 40_000);
    // Unless the ALTER came first, each of them was read once.
    if !log.log.contains(AGAIN) {
        assert_eq!(records.len(), 40_001);
    }
}

/// A prepared XA transaction is in the log before the position and in no view: the snapshot waits for its end.
#[test]
fn a_prepared_transaction() {
    let name = "changed_xa";
    let (mut session, mut connector) = ground(&MYSQL97, name);
    for statement in [
        "CREATE USER IF NOT EXISTS 'xa'@'%' IDENTIFIED BY 'xa'",
        "GRANT SELECT, RELOAD, LOCK TABLES, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT, XA_RECOVER_ADMIN \
         ON *.* TO 'xa'@'%'",
        "XA START 'changed'",
        "INSERT INTO b VALUES (3, 3)",
        "XA END 'changed'",
        "XA PREPARE 'changed'",
    ] {
        session.execute(statement).unwrap();
    }
    connector.set("database.user", "xa").set("database.password", "xa");
    let mut process = connector.start();
    process.wait_for("waits until prepared XA transactions", 1);
    // Others are not kept waiting meanwhile.
    let mut other = root(MYSQL97.variable());
    other.execute(&format!("INSERT INTO {name}.b VALUES (4, 4)")).unwrap();
    session.execute("XA COMMIT 'changed'").unwrap();
    process.wait_for(STREAMING, 1);
    session.execute("INSERT INTO b VALUES (5, 5)").unwrap();
    let records = up_to_a_change(&connector);
    process.terminate().expect(0, &[]);
    assert_eq!(changes(&records), "r1 r2 r3 r4 c5");
}
