//! `tidewire.seq` grows whatever clocks do, and is the same however often a change is read.

use std::fs;

use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL80, MYSQL97, MYSQL97_NOGTID};
use crate::support::records::Record;

/// The records of `t` and of statements, in the order of their numbers: number, what it is, whether it is a tombstone.
fn numbers(connector: &Connector) -> Vec<(u64, String)> {
    let statements = connector.topic(&connector.prefix);
    let streamed = statements.into_iter().filter(|record| record.value["source"]["snapshot"] == "false");
    let all = connector.records("t").into_iter().chain(streamed);
    let mut all: Vec<(u64, String)> = all.map(|record| (number(&record), told(&record))).collect();
    all.sort();
    all
}

fn number(record: &Record) -> u64 {
    record.sequence.unwrap_or_else(|| panic!("no tidewire.seq: {record:?}"))
}

fn told(record: &Record) -> String {
    let id = record.key["id"].as_i64();
    let text = record.value["ddl"].as_str().unwrap_or(record.op());
    id.map_or_else(|| text.to_owned(), |id| format!("{text}{id}"))
}

/// A transaction that the clock of its server puts so many seconds from now.
fn at_clock(session: &mut Connection, seconds: i64, statements: &[&str]) {
    let now =
        session.query_value("SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)").unwrap().unwrap();
    let micros = now.parse::<i64>().unwrap() + seconds * 1_000_000;
    session.execute(&format!("SET SESSION original_commit_timestamp = {micros}")).unwrap();
    session.execute(&format!("SET SESSION timestamp = {}", micros / 1_000_000)).unwrap();
    for statement in [&["BEGIN"], statements, &["COMMIT"]].concat() {
        session.execute(statement).unwrap();
    }
}

fn grows(server: &Database, name: &str) {
    let mut session = database(server.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)").unwrap();
    let connector = Connector::to_files(server, name);
    connector.start_streaming().terminate().expect(0, &[]);
    let stored = ["offsets.dat", "offsets.dat.lengths"].map(|file| fs::read(connector.file(file)).unwrap());
    // What happens, and in which order its numbers have to be.
    let day = 86_400;
    let steps: [(i64, &[&str], &[&str]); 6] = [
        (0, &["INSERT INTO t VALUES (1, 0), (2, 0)"], &["c1", "c2"]),
        (day, &["UPDATE t SET v = 1", "INSERT INTO t (id, v) VALUES (3, 0)"], &["u1", "u2", "c3"]),
        (-day, &["UPDATE t SET v = 2 WHERE id = 1"], &["u1"]),
        // A key change takes two, and a tombstone has its delete's.
        (0, &["UPDATE t SET id = 4 WHERE id = 2"], &["2", "d2", "c4"]),
        (
            -40 * 365 * day,
            &["DELETE FROM t WHERE id = 4", "UPDATE t SET v = 3 WHERE id = 1"],
            &["4", "d4", "u1"],
        ),
        (1, &["INSERT INTO t (id, v) VALUES (9, 0)"], &["c9"]),
    ];
    let mut expected: Vec<&str> = Vec::new();
    for (place, (seconds, statements, published)) in steps.iter().enumerate() {
        let process = connector.start_streaming();
        at_clock(&mut session, *seconds, statements);
        let ddl = format!("ALTER TABLE t ADD COLUMN c{place} INT");
        session.execute(&ddl).unwrap();
        expected.extend_from_slice(published);
        connector.wait_for_records("t", expected.len());
        connector.wait_for_topic(&connector.prefix, 1);
        // Half of them is killed, and reads again what was not stored.
        if place % 2 == 0 {
            process.kill()
        } else {
            process.terminate()
        };
    }
    let process = connector.start_streaming();
    session.execute("INSERT INTO t (id) VALUES (10)").unwrap();
    expected.push("c10");
    connector.wait_for_records("t", expected.len());
    process.terminate().expect(0, &["stopped"]);
    let first = numbers(&connector);
    let rows: Vec<&str> = first.iter().map(|(_, what)| what.as_str()).filter(|what| what.len() < 9).collect();
    assert_eq!(rows, expected, "{first:?}");
    for pair in first.windows(2) {
        let tombstone = pair[0].1.parse::<i64>().is_ok();
        assert!(pair[0].0 < pair[1].0 || (tombstone && pair[0].0 == pair[1].0), "{pair:?}");
    }
    let last = first.last().unwrap().0;
    assert!(last < 1 << 63, "{last}");
    // All of it once more, from the beginning.
    fs::remove_dir_all(connector.file("records")).unwrap();
    for (file, bytes) in ["offsets.dat", "offsets.dat.lengths"].iter().zip(stored) {
        fs::write(connector.file(file), bytes).unwrap();
    }
    let process = connector.start_streaming();
    connector.wait_for_records("t", expected.len());
    process.terminate().expect(0, &["stopped"]);
    assert_eq!(numbers(&connector), first);
}

#[test]
fn the_change_sequence_with_gtids() {
    grows(&MYSQL97, "sequence_gtid");
}

#[test]
fn the_change_sequence_without_gtids() {
    grows(&MYSQL97_NOGTID, "sequence_file");
}

#[test]
fn the_change_sequence_of_mysql_80() {
    grows(&MYSQL80, "sequence_80");
}
