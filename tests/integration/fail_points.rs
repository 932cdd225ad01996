//! The connector is killed at every named point (`tidewire::fail_point`), one after the other, with rows and a statement on
//! their way: the first time that it comes there, and a later time.

use std::time::Duration;

use tidewire::source::mysql::Connection;

use crate::exactly_once::assert_marks;
use crate::mysql_server::database;
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{Database, MYSQL97, MYSQL97_NOGTID, variable};
use crate::support::process::{LIMIT, wait_until};

/// What is written while a point is armed.
struct Writer {
    session: Connection,
    /// A database that is not captured.
    other: String,
    rows: i64,
    columns: usize,
}

impl Writer {
    fn new(server: &Database, name: &str) -> Self {
        let mut session = database(server.variable(), name);
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10))").unwrap();
        let other = format!("{name}_not_captured");
        for statement in ["DROP DATABASE IF EXISTS", "CREATE DATABASE"] {
            session.execute(&format!("{statement} {other}")).unwrap();
        }
        session.execute(&format!("CREATE TABLE {other}.t (id INT)")).unwrap();
        Writer { session, other, rows: 0, columns: 0 }
    }

    fn row(&mut self) {
        self.rows += 1;
        self.session.execute(&format!("INSERT INTO t (id, v) VALUES ({}, 'v')", self.rows)).unwrap();
    }

    /// A transaction without a record of its own but BEGIN and END.
    fn row_elsewhere(&mut self) {
        self.session.execute(&format!("INSERT INTO {}.t VALUES (1)", self.other)).unwrap();
    }

    /// The same as an XA transaction that is prepared, and held until the next one is.
    fn prepare_elsewhere(&mut self) {
        let (name, rounds) = (&self.other, self.columns);
        let statements = [
            format!("XA START '{name}_{rounds}'"),
            format!("INSERT INTO {name}.t VALUES (2)"),
            format!("XA END '{name}_{rounds}'"),
            format!("XA PREPARE '{name}_{rounds}'"),
        ];
        for statement in statements {
            self.session.execute(&statement).unwrap();
        }
    }

    fn end_prepared(&mut self) {
        if let Some(last) = self.columns.checked_sub(1) {
            let end = if last.is_multiple_of(3) { "ROLLBACK" } else { "COMMIT" };
            self.session.execute(&format!("XA {end} '{}_{last}'", self.other)).unwrap();
        }
    }

    /// A transaction of several rows, a statement, a row; between them rows of a table that is not captured.
    fn round(&mut self) {
        self.session.execute("BEGIN").unwrap();
        for _ in 0..5 {
            self.row();
        }
        self.session.execute("COMMIT").unwrap();
        self.row_elsewhere();
        self.prepare_elsewhere();
        self.end_prepared();
        self.columns += 1;
        self.session.execute(&format!("ALTER TABLE t ADD COLUMN c{} INT", self.columns)).unwrap();
        self.row_elsewhere();
        self.row();
        self.row_elsewhere();
    }
}

/// Kills at each point, and goes on to the end.
fn killed_at(connector: &Connector, server: &Database, points: &[&str]) -> Writer {
    let mut writer = Writer::new(server, &connector.name);
    connector.start_streaming().terminate().expect(0, &[]);
    for point in points {
        for time in [1, 3] {
            let armed = format!("{point}:{time}");
            let mut process = connector.start_armed(&armed);
            // A point may be in front of that.
            wait_until("it streams or is killed", LIMIT, || {
                !process.is_running() || process.log().contains(STREAMING)
            });
            let mut rounds = 0;
            while process.is_running() {
                assert!(rounds < 20, "{armed} is never reached:\n{}", process.log());
                rounds += 1;
                writer.round();
                std::thread::sleep(Duration::from_millis(300));
            }
            let ended = process.wait(LIMIT);
            assert_eq!(ended.code, None, "{armed}: {}", ended.log);
        }
    }
    let process = connector.start_streaming();
    writer.end_prepared();
    writer.row();
    let id = |records: Vec<crate::support::records::Record>| records.last().map(|record| record.id());
    wait_until("the last row", LIMIT, || id(connector.records("t")) == Some(writer.rows));
    process.terminate().expect(0, &["stopped"]);
    writer
}

/// How often each statement is in the texts.
fn counts(texts: &[String], columns: usize) -> Vec<usize> {
    let added = (1..=columns).map(|column| format!("ADD COLUMN c{column} INT"));
    added.map(|added| texts.iter().filter(|text| text.contains(&added)).count()).collect()
}

fn ddl(connector: &Connector, topic: &str) -> Vec<String> {
    let records = connector.topic(topic);
    records.iter().map(|record| record.value["ddl"].as_str().unwrap_or_default().to_owned()).collect()
}

fn assert_once(connector: &Connector, writer: &Writer, stored: &[String]) {
    let ids: Vec<i64> = connector.records("t").iter().map(|record| record.id()).collect();
    assert_eq!(ids, (1..=writer.rows).collect::<Vec<_>>());
    let once = vec![1; writer.columns];
    assert_eq!(counts(&ddl(connector, &connector.prefix), writer.columns), once, "published");
    assert_eq!(counts(stored, writer.columns), once, "stored");
}

const SOURCE: [&str; 3] = ["handed-over", "history-due", "history-stored"];

fn exactly_once(server: &Database, name: &str) {
    let mut connector = Connector::to_kafka(server, name, &variable("TIDEWIRE_KAFKA"));
    connector
        .set("exactly.once.support", "required")
        .set("provide.transaction.metadata", "true")
        .set("max.batch.size", "3")
        .set("tidewire.transaction.interval.ms", "10")
        .set_worker("exactly.once.source.support", "enabled");
    let home = ["records-sent", "offset-appended", "all-acknowledged", "commit-asked", "committed"];
    let writer = killed_at(&connector, server, &[SOURCE.as_slice(), &home].concat());
    assert_once(&connector, &writer, &ddl(&connector, &format!("history.{}", connector.prefix)));
    assert_marks(&connector);
}

#[test]
fn killed_at_every_point_of_exactly_once() {
    exactly_once(&MYSQL97, "points_once");
}

#[test]
fn killed_at_every_point_of_exactly_once_without_gtids() {
    exactly_once(&MYSQL97_NOGTID, "points_once_file");
}

#[test]
fn killed_at_every_point_of_files() {
    let mut connector = Connector::to_files(&MYSQL97, "points_files");
    connector.set("max.batch.size", "3").set_worker("offset.flush.interval.ms", "10");
    let home = ["records-synced", "lengths-stored", "offset-file-stored"];
    let writer = killed_at(&connector, &MYSQL97, &[SOURCE.as_slice(), &home].concat());
    let stored = std::fs::read_to_string(connector.file("history.jsonl")).unwrap();
    let stored: Vec<String> = stored.lines().map(str::to_owned).collect();
    assert_once(&connector, &writer, &stored);
}

/// Nothing is lost, and each record that comes again follows those that it followed the first time.
#[test]
fn killed_at_every_point_of_at_least_once() {
    let name = "points_least";
    let mut connector = Connector::to_kafka(&MYSQL97_NOGTID, name, &variable("TIDEWIRE_KAFKA"));
    connector.set("max.batch.size", "3").set_worker("offset.flush.interval.ms", "10");
    let writer = killed_at(
        &connector,
        &MYSQL97_NOGTID,
        &[SOURCE.as_slice(), &["records-sent", "offset-sent"]].concat(),
    );
    let mut last = 0;
    for record in connector.records("t") {
        assert!(record.id() <= last + 1, "{} behind {last}", record.id());
        last = last.max(record.id());
    }
    assert_eq!(last, writer.rows);
    let published = counts(&ddl(&connector, &connector.prefix), writer.columns);
    assert!(published.iter().all(|count| *count >= 1), "{published:?}");
    let stored = ddl(&connector, &format!("history.{}", connector.prefix));
    assert_eq!(counts(&stored, writer.columns), vec![1; writer.columns]);
}
