//! Stops, kills and starts: nothing is lost, and into files everything comes exactly once.

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL97, MYSQL97_NOGTID, variable};
use crate::support::process::{LIMIT, wait_until};
use crate::support::records::changes;
use crate::support::writer::{EnoughAtEnd, Writer, assert_at_least_once, written};

/// Kills the connector at these times after it began to stream, while rows are written; it is left running.
fn kill_again_and_again(connector: &Connector, writer: &mut Writer, times: &[u64]) {
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let writing = scope.spawn(|| writer.write_until(&enough, Duration::from_millis(12)));
        for after in times {
            let process = connector.start_streaming();
            std::thread::sleep(Duration::from_millis(*after));
            process.kill();
        }
        enough.store(true, Ordering::Relaxed);
        writing.join().expect("the writer");
    });
}

fn assert_exactly_once(connector: &Connector, writer: &Writer) {
    let process = connector.start_streaming();
    let wanted = writer.expected();
    connector.wait_for_records("t", wanted.len());
    process.terminate().expect(0, &["stopped"]);
    let came = written(&connector.records("t"));
    if let Some(place) =
        (0..wanted.len().max(came.len())).find(|place| wanted.get(*place) != came.get(*place))
    {
        panic!("record {place} of {} is {:?}, not {:?}", came.len(), came.get(place), wanted.get(place));
    }
}

/// Kills at many places, also inside of transactions: a batch is one to three records.
fn killed(server: &Database, name: &str, batch: &str, compressed: bool) {
    let mut writer = Writer::new(database(server.variable(), name));
    if compressed {
        writer.session().execute("SET SESSION binlog_transaction_compression = ON").unwrap();
    }
    let mut connector = Connector::to_files(server, name);
    connector
        .set("max.batch.size", batch)
        .set("max.queue.size", "4")
        .set("provide.transaction.metadata", "true")
        .set_worker("offset.flush.interval.ms", "1");
    connector.start_streaming().terminate().expect(0, &[]);
    kill_again_and_again(&connector, &mut writer, &[150, 40, 320, 90, 210]);
    assert_exactly_once(&connector, &writer);
    // Each transaction, also those of other databases, has one BEGIN and one END; the stop may fall into the last one.
    let marks = connector.topic(&format!("{name}.transaction"));
    let mut ids = HashSet::new();
    for pair in marks.chunks_exact(2) {
        let statuses: Vec<&str> = pair.iter().filter_map(|mark| mark.value["status"].as_str()).collect();
        assert_eq!(statuses, ["BEGIN", "END"], "{pair:?}");
        assert_eq!(pair[0].value["id"], pair[1].value["id"]);
        assert!(ids.insert(pair[0].value["id"].to_string()), "{pair:?} twice");
    }
    assert!(ids.len() >= writer.expected().len() / 8);
}

#[test]
fn killed_while_rows_are_written_into_files() {
    killed(&MYSQL97, "killed_gtid", "3", false);
}

#[test]
fn killed_without_gtids() {
    killed(&MYSQL97_NOGTID, "killed_nogtid", "1", false);
}

#[test]
fn killed_in_compressed_transactions() {
    killed(&MYSQL97, "killed_compressed", "2", true);
}

#[test]
fn killed_while_rows_are_written_into_kafka() {
    let name = "killed_kafka";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let mut connector = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA"));
    connector.set("max.batch.size", "3");
    connector.start_streaming().terminate().expect(0, &[]);
    kill_again_and_again(&connector, &mut writer, &[200, 500, 100, 350]);
    let process = connector.start_streaming();
    let last = writer.expected().last().cloned().unwrap();
    wait_until("the last change", LIMIT, || written(&connector.records("t")).last() == Some(&last));
    process.terminate().expect(0, &[]);
    assert_at_least_once(writer.expected(), &written(&connector.records("t")));
}

#[test]
fn sigterm_publishes_what_was_read_and_stores_its_offset() {
    let name = "sigterm";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let mut connector = Connector::to_files(&MYSQL97, name);
    // Only the stop stores an offset.
    connector.set_worker("offset.flush.interval.ms", "600000");
    for _ in 0..3 {
        let process = connector.start_streaming();
        for _ in 0..20 {
            assert!(writer.transaction());
        }
        wait_until("the records", LIMIT, || connector.records("t").len() == writer.expected().len());
        let ended = process.terminate();
        ended.expect(0, &["stopped"]);
        assert!(ended.after < Duration::from_secs(5), "{:?}", ended.after);
    }
    assert_exactly_once(&connector, &writer);
}

#[test]
fn a_statement_is_stored_and_published_once() {
    for (server, name) in [(&MYSQL97, "ddl_gtid"), (&MYSQL97_NOGTID, "ddl_nogtid")] {
        let mut session = database(server.variable(), name);
        session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
        let connector = Connector::to_files(server, name);
        connector.start_streaming().terminate().expect(0, &[]);
        let count = |text: &str| {
            let history = fs::read_to_string(connector.file("history.jsonl")).unwrap();
            let published = connector.topic(name);
            let published =
                published.iter().filter(|r| r.value["ddl"].as_str().is_some_and(|ddl| ddl.contains(text)));
            (history.matches(text).count(), published.count())
        };
        for round in 0..6 {
            let statement = format!("ALTER TABLE t ADD COLUMN c{round} INT");
            let process = connector.start_streaming();
            session.execute(&statement).unwrap();
            match round {
                // At any time around it; the history may then have it twice, which changes nothing.
                0..=2 => {
                    std::thread::sleep(Duration::from_millis(round * 12));
                    process.kill();
                }
                // Right behind it.
                _ => {
                    wait_until("the schema change", LIMIT, || count(&statement).1 == 1);
                    if round == 3 {
                        process.kill()
                    } else {
                        process.terminate()
                    };
                }
            }
            let process = connector.start_streaming();
            session.execute(&format!("INSERT INTO t (id, c{round}) VALUES ({round}, 7)")).unwrap();
            let rows = connector.wait_for_records("t", usize::try_from(round + 1).unwrap());
            assert_eq!(rows.last().map(|row| row.cell(&format!("c{round}")).clone()), Some(7.into()));
            process.terminate().expect(0, &[]);
            let (stored, published) = count(&statement);
            assert_eq!(published, 1, "{name} {round}");
            assert!(
                stored == 1 || (round <= 3 && stored == 2),
                "{name} {round}: {stored} times in the history"
            );
        }
        assert_eq!(changes(&connector.records("t")), "c0 c1 c2 c3 c4 c5");
    }
}

#[test]
fn a_statement_with_several_changes_is_not_cut() {
    let name = "several_changes";
    let mut session = database(MYSQL97.variable(), name);
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("max.batch.size", "1").set_worker("offset.flush.interval.ms", "1");
    connector.start_streaming().terminate().expect(0, &[]);
    for table in ["a", "b", "c"] {
        session.execute(&format!("CREATE TABLE {table} (id INT PRIMARY KEY)")).unwrap();
    }
    session.execute("RENAME TABLE a TO a2, b TO b2, c TO c2").unwrap();
    session.execute("DROP TABLE a2, b2, c2").unwrap();
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO t VALUES (1)").unwrap();
    for after in [10, 25, 40, 60] {
        let process = connector.start_streaming();
        std::thread::sleep(Duration::from_millis(after));
        process.kill();
    }
    let process = connector.start_streaming();
    connector.wait_for_records("t", 1);
    process.terminate().expect(0, &[]);
    let statements = connector.topic(name);
    let of = |word: &str| {
        statements.iter().filter(|r| r.value["ddl"].as_str().is_some_and(|ddl| ddl.starts_with(word))).count()
    };
    assert_eq!((of("RENAME"), of("DROP TABLE"), of("CREATE TABLE t")), (3, 3, 1), "{statements:#?}");
}

#[test]
fn a_stopped_or_killed_snapshot_begins_again() {
    let name = "half_snapshot";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(200))").unwrap();
    session.execute("INSERT INTO t (v) VALUES (REPEAT('x', 200)), (REPEAT('x', 200))").unwrap();
    for _ in 0..14 {
        session.execute("INSERT INTO t (v) SELECT v FROM t").unwrap();
    }
    let rows = 1 << 15;
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set_worker("offset.flush.interval.ms", "1");
    let file = connector.file(&format!("records/{name}.{name}.t.jsonl"));
    let length = || fs::metadata(&file).map_or(0, |metadata| metadata.len());
    for killed in [false, true] {
        let began = length();
        let process = connector.start();
        wait_until("rows of a snapshot", LIMIT, || length() > began + 500_000);
        if killed {
            process.kill();
        } else {
            let ended = process.terminate();
            ended.expect(0, &["stopped"]);
            assert!(!ended.log.contains("snapshot finished"), "the table is too small:\n{}", ended.log);
        }
    }
    let process = connector.start_streaming();
    session.execute("DELETE FROM t WHERE id = 1").unwrap();
    wait_until("the change behind the snapshot", LIMIT, || {
        fs::read_to_string(&file).is_ok_and(|text| text.contains("\\\"op\\\":\\\"d\\\""))
    });
    process.terminate().expect(0, &["snapshot finished"]);
    let records = connector.records("t");
    let last: Vec<_> = records.iter().rev().filter(|record| record.op() == "r").take(rows).collect();
    let mut ids: Vec<i64> = last.iter().map(|record| record.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), rows, "the last snapshot has every row once");
}

#[test]
fn without_schema_change_records_statements_still_count() {
    let name = "quiet_ddl";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("include.schema.changes", "false").set_worker("offset.flush.interval.ms", "1");
    for round in 0..3 {
        let process = connector.start_streaming();
        session.execute(&format!("ALTER TABLE t ADD COLUMN c{round} INT")).unwrap();
        session.execute(&format!("INSERT INTO t (id, c{round}) VALUES ({round}, 1)")).unwrap();
        let records = connector.wait_for_records("t", round + 1);
        assert_eq!(records[round].cell(&format!("c{round}")), 1);
        if round == 1 {
            process.kill()
        } else {
            process.terminate()
        };
    }
    assert_eq!(changes(&connector.records("t")), "c0 c1 c2");
    assert!(connector.topic(name).is_empty());
}
