//! XA transactions: published when they are committed, once, in the order of commits; never what was rolled back.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use tidewire::source::mysql::Connection;

use crate::exactly_once::assert_marks;
use crate::mysql_server::{database, root};
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97, MYSQL97_NOGTID, MYSQL97_RESTARTED};
use crate::support::process::{LIMIT, wait_until};
use crate::support::records::changes;
use crate::support::restarted;

const TABLE: &str = "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(250), j JSON)";

/// What the log says of prepared transactions that another reader has passed.
const UNKNOWN: &str = "was prepared before the position";

/// Ids of XA transactions are the server's, so each test has its own.
fn id(database: &str, xid: &str) -> String {
    format!("'{database}.{xid}','branch',7")
}

fn all(session: &mut Connection, statements: &[&str]) {
    for statement in statements {
        session.execute(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
}

/// Prepares a transaction in a session that ends then.
fn prepare(server: &Database, database: &str, xid: &str, variables: &str, statements: &[&str]) {
    let mut session = root(server.variable());
    let xid = id(database, xid);
    all(&mut session, &[&format!("USE {database}")]);
    if !variables.is_empty() {
        all(&mut session, &[&format!("SET SESSION {variables}")]);
    }
    all(&mut session, &[&format!("XA START {xid}")]);
    all(&mut session, statements);
    all(&mut session, &[&format!("XA END {xid}"), &format!("XA PREPARE {xid}")]);
}

/// `XA COMMIT` or `XA ROLLBACK` from another session: the server may still be busy with the end of the first one.
fn finish(session: &mut Connection, verb: &str, database: &str, xid: &str) {
    let statement = format!("XA {verb} {}", id(database, xid));
    wait_until(&statement, LIMIT, || session.execute(&statement).is_ok());
}

/// No transaction of a test's own was unknown; those of other tests may be.
fn assert_all_known(log: &str, database: &str) {
    let own: String = database.bytes().map(|byte| format!("{byte:02x}")).collect();
    let is_unknown = |line: &str| line.contains(UNKNOWN) && line.contains(&format!("X'{own}2e"));
    assert!(!log.lines().any(is_unknown), "{log}");
}

/// BEGIN and END of each transaction once, in pairs; how many were ended and have rows. Those of other databases have none, and
/// a stop may have come between their BEGIN and END.
fn transactions(connector: &Connector) -> usize {
    let marks = assert_marks(connector);
    marks.iter().filter(|mark| mark.value["event_count"].as_i64().is_some_and(|count| count > 0)).count()
}

/// Several are prepared at once, over kills, and end in another order.
fn in_the_order_of_commits(server: &Database, name: &str, variables: &str) {
    let mut session = database(server.variable(), name);
    all(&mut session, &[TABLE]);
    let mut connector = Connector::to_files(server, name);
    connector
        .set("provide.transaction.metadata", "true")
        .set("max.batch.size", "1")
        .set("max.queue.size", "4");
    let process = connector.start_streaming();
    let insert = |id: i64| format!("INSERT INTO t VALUES ({id}, 'é', '{{\"a\": [1, 2]}}')");
    prepare(
        server,
        name,
        "a",
        variables,
        &[&insert(1), &insert(2), "UPDATE t SET j = JSON_SET(j, '$.a[0]', 7) WHERE id = 1"],
    );
    all(&mut session, &[&insert(3)]);
    prepare(server, name, "b", variables, &[&insert(4)]);
    finish(&mut session, "ROLLBACK", name, "b");
    prepare(server, name, "c", variables, &[&insert(5)]);
    connector.wait_for_records("t", 1);
    process.kill();
    all(&mut session, &["FLUSH BINARY LOGS"]);
    let process = connector.start_streaming();
    all(&mut session, &[&insert(6), "CREATE TABLE beside (id INT PRIMARY KEY)"]);
    finish(&mut session, "COMMIT", name, "c");
    connector.wait_for_records("t", 3);
    process.kill();
    prepare(server, name, "d", variables, &[&insert(7)]);
    finish(&mut session, "COMMIT", name, "a");
    let one_phase = id(name, "e");
    all(
        &mut session,
        &[
            &format!("XA START {one_phase}"),
            &insert(8),
            "DELETE FROM t WHERE id = 3",
            &format!("XA END {one_phase}"),
            &format!("XA COMMIT {one_phase} ONE PHASE"),
        ],
    );
    let process = connector.start_streaming();
    connector.wait_for_records("t", 8);
    process.kill();
    let process = connector.start_streaming();
    finish(&mut session, "ROLLBACK", name, "d");
    all(&mut session, &[&insert(9)]);
    let records = connector.wait_for_records("t", 10);
    let ended = process.terminate();
    ended.expect(0, &[]);
    assert_all_known(&ended.log, name);
    assert_eq!(changes(&records), "c3 c6 c5 c1 c2 u1 c8 d3 -3 c9");
    assert_eq!(records[5].value["after"]["j"], r#"{"a":[7,2]}"#);
    let count = |table: &str| connector.topic(&format!("{name}.{name}.{table}")).len();
    assert_eq!((count("t"), count("beside")), (10, 0));
    assert_eq!(transactions(&connector), 6);
    let places: HashSet<String> = [3, 4, 5]
        .iter()
        .map(|at| {
            let source = &records[*at].value["source"];
            assert_eq!(records[*at].value["transaction"]["total_order"], at - 2, "{records:?}");
            format!("{} {} {} {}", source["gtid"], source["file"], source["pos"], source["row"])
        })
        .collect();
    assert_eq!(places.len(), 3, "{places:?}");
}

#[test]
fn xa_with_gtids() {
    in_the_order_of_commits(&MYSQL97, "xa_gtid", "");
}

#[test]
fn xa_in_compressed_transactions_with_json_diffs() {
    let variables = "binlog_transaction_compression = ON, SESSION binlog_row_value_options = PARTIAL_JSON";
    in_the_order_of_commits(&MYSQL97, "xa_compressed", variables);
}

#[test]
fn xa_with_tagged_gtids() {
    in_the_order_of_commits(&MYSQL97, "xa_tagged", "gtid_next = 'AUTOMATIC:xa'");
}

#[test]
fn xa_without_gtids() {
    in_the_order_of_commits(&MYSQL97_NOGTID, "xa_nogtid", "");
}

#[test]
fn xa_on_mysql_80() {
    in_the_order_of_commits(&MYSQL80, "xa_80", "");
}

#[test]
fn xa_on_mysql_57() {
    in_the_order_of_commits(&MYSQL57, "xa_57", "");
}

/// A commit that was the last thing before a stop leaves nothing prepared: the GTID of XA PREPARE is in the stored set, too.
#[test]
fn xa_committed_before_a_stop() {
    let name = "xa_stop";
    let mut session = database(MYSQL97.variable(), name);
    all(&mut session, &[TABLE]);
    let connector = Connector::to_files(&MYSQL97, name);
    let process = connector.start_streaming();
    // Its own tag makes the GTID of XA PREPARE known.
    prepare(&MYSQL97, name, "a", "gtid_next = 'AUTOMATIC:xa_stop'", &["INSERT INTO t VALUES (1, 'a', '{}')"]);
    finish(&mut session, "COMMIT", name, "a");
    connector.wait_for_records("t", 1);
    process.terminate().expect(0, &[]);
    for id in 2..4 {
        let process = connector.start_streaming();
        all(&mut session, &[&format!("INSERT INTO t VALUES ({id}, 'a', '{{}}')")]);
        connector.wait_for_records("t", id);
        process.terminate().expect(0, &[]);
    }
    let stored = std::fs::read(connector.file("offsets.dat")).unwrap();
    let stored = String::from_utf8_lossy(&stored);
    let gtids = stored.split(r#""gtids":""#).nth(1).unwrap().split('"').next().unwrap();
    assert!(gtids.contains(":xa_stop:"), "{gtids}");
    assert_eq!(changes(&connector.wait_for_records("t", 3)), "c1 c2 c3");
}

/// A transaction of many events is published over kills, while another one is prepared before it and others are written.
fn killed_while_published(server: &Database, name: &str, variables: &str) {
    const ROWS: i64 = 9_000;
    let mut session = database(server.variable(), name);
    all(&mut session, &[TABLE]);
    let mut connector = Connector::to_files(server, name);
    connector
        .set("provide.transaction.metadata", "true")
        .set("max.batch.size", "99")
        .set("max.queue.size", "200")
        .set_worker("offset.flush.interval.ms", "1");
    connector.start_streaming().terminate().expect(0, &[]);
    prepare(server, name, "held", "", &["INSERT INTO t VALUES (1000001, '', NULL)"]);
    let insert: Vec<String> = (0..18)
        .map(|part| {
            let (first, last) = (part * ROWS / 18, (part + 1) * ROWS / 18);
            format!(
                "INSERT INTO t WITH RECURSIVE n (n) AS (SELECT {} UNION ALL SELECT n + 1 FROM n WHERE n < {last}) \
                 SELECT n, REPEAT('x', 200), NULL FROM n",
                first + 1
            )
        })
        .collect();
    prepare(server, name, "large", variables, &insert.iter().map(String::as_str).collect::<Vec<_>>());
    all(&mut session, &["FLUSH BINARY LOGS", "INSERT INTO t VALUES (1000002, '', NULL)"]);
    finish(&mut session, "COMMIT", name, "large");
    all(&mut session, &["INSERT INTO t VALUES (1000003, '', NULL)"]);
    // Each kill comes some hundred rows behind the last one.
    let file = connector.file("records").join(format!("{name}.{name}.t.jsonl"));
    let size = || std::fs::metadata(&file).map_or(0, |file| file.len());
    for more in [1, 300_000, 133_333, 500_000, 50_000] {
        let (process, end) = (connector.start(), size() + more);
        let limit = Instant::now() + LIMIT;
        while size() < end {
            assert!(Instant::now() < limit, "{}", process.log());
            std::thread::sleep(Duration::from_millis(1));
        }
        process.kill();
    }
    let seen = connector.records("t").len();
    assert!(seen < 9_000, "the kills came too late: {seen}");
    let process = connector.start_streaming();
    let last = |connector: &Connector| connector.records("t").last().map(|record| record.id());
    wait_until("the last row", LIMIT, || last(&connector) == Some(1_000_003));
    finish(&mut session, "COMMIT", name, "held");
    let records = connector.wait_for_records("t", 9_003);
    process.terminate().expect(0, &[]);
    let ids: Vec<i64> = records.iter().map(|record| record.id()).collect();
    let mut wanted = vec![1_000_002];
    wanted.extend(1..=ROWS);
    wanted.extend([1_000_003, 1_000_001]);
    assert!(ids == wanted, "{} records, not {}", ids.len(), wanted.len());
    assert_eq!(transactions(&connector), 4);
}

#[test]
fn xa_killed_while_published() {
    killed_while_published(&MYSQL97, "xa_killed", "");
}

#[test]
fn xa_killed_while_published_without_gtids() {
    killed_while_published(&MYSQL97_NOGTID, "xa_killed_nogtid", "");
}

#[test]
fn xa_killed_while_published_compressed() {
    killed_while_published(&MYSQL97, "xa_killed_zstd", "binlog_transaction_compression = ON");
}

#[test]
fn rows_that_are_kept_have_a_bound() {
    let name = "xa_bound";
    let mut session = database(MYSQL97.variable(), name);
    all(&mut session, &[TABLE]);
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("tidewire.xa.spill.max.bytes", "300");
    let process = connector.start_streaming();
    all(&mut session, &["INSERT INTO t VALUES (1, '', NULL)"]);
    prepare(&MYSQL97, name, "a", "", &["INSERT INTO t VALUES (2, REPEAT('x', 250), NULL)"]);
    let said = "are more than 300 bytes (tidewire.xa.spill.max.bytes) with the one that begins at ";
    process.wait(LIMIT).expect(1, &[said, "to do: "]);
    // Enough room, and nothing is lost.
    connector.set("tidewire.xa.spill.max.bytes", "3000");
    let process = connector.start_streaming();
    finish(&mut session, "COMMIT", name, "a");
    assert_eq!(changes(&connector.wait_for_records("t", 2)), "c1 c2");
    process.terminate().expect(0, &[]);
}

/// MySQL 5.7 lets a table be dropped under a prepared transaction whose session is gone.
#[test]
fn xa_on_a_table_that_is_dropped_before_the_commit() {
    let name = "xa_dropped";
    let mut session = database(MYSQL57.variable(), name);
    all(&mut session, &[TABLE]);
    let connector = Connector::to_files(&MYSQL57, name);
    let process = connector.start_streaming();
    prepare(&MYSQL57, name, "a", "", &["INSERT INTO t VALUES (1, 'é', NULL)"]);
    all(&mut session, &["DROP TABLE t", "CREATE TABLE t (v INT, id INT PRIMARY KEY)"]);
    finish(&mut session, "COMMIT", name, "a");
    all(&mut session, &["INSERT INTO t VALUES (7, 2)"]);
    let records = connector.wait_for_records("t", 2);
    process.terminate().expect(0, &[]);
    assert_eq!(changes(&records), "c1 c2");
    assert_eq!((&records[0].value["after"]["v"], &records[1].value["after"]["v"]), (&"é".into(), &7.into()));
}

#[test]
fn xa_over_a_restart_of_the_server() {
    let server = restarted::mysql();
    let name = "xa_recovered";
    let mut session = database(MYSQL97_RESTARTED.variable(), name);
    all(&mut session, &[TABLE]);
    let connector = Connector::to_files(&MYSQL97_RESTARTED, name);
    let process = connector.start_streaming();
    prepare(&MYSQL97_RESTARTED, name, "a", "", &["INSERT INTO t VALUES (1, 'é', NULL)"]);
    prepare(&MYSQL97_RESTARTED, name, "b", "", &["INSERT INTO t VALUES (2, 'é', NULL)"]);
    all(&mut session, &["INSERT INTO t VALUES (3, 'é', NULL)"]);
    connector.wait_for_records("t", 1);
    server.kill();
    server.start();
    let mut session = root(MYSQL97_RESTARTED.variable());
    finish(&mut session, "ROLLBACK", name, "a");
    finish(&mut session, "COMMIT", name, "b");
    assert_eq!(changes(&connector.wait_for_records("t", 2)), "c3 c2");
    let ended = process.terminate();
    ended.expect(0, &[]);
    assert_all_known(&ended.log, name);
}
