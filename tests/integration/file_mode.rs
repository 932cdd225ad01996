//! Records, offsets and history in files: their layout, two connectors, standard output, and a disk that is full.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::mysql_server::database;
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::MYSQL97;
use crate::support::process::{LIMIT, Process, tidewire};
use crate::support::records::{changes, of_lines};
use crate::support::writer::{Writer, written};

#[test]
fn the_layout_is_that_of_kafka_connect_and_debezium() {
    let name = "layout";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))").unwrap();
    session.execute("INSERT INTO t VALUES (1, 'ä\"\\\\')").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("extended.headers.enabled", "true");
    let process = connector.start_streaming();
    session.execute("DELETE FROM t").unwrap();
    connector.wait_for_records("t", 3);
    process.terminate().expect(0, &[]);

    let mut files: Vec<String> = fs::read_dir(connector.file("records"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["layout.jsonl", "layout.layout.t.jsonl"]);
    let text = fs::read_to_string(connector.file("records/layout.layout.t.jsonl")).unwrap();
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        let json: Value = serde_json::from_str(line).unwrap();
        let members: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, ["topic", "partition", "headers", "key", "value"]);
        assert_eq!(json["partition"], 0);
        assert_eq!(json["key"], r#"{"id":1}"#);
    }
    assert_eq!(changes(&connector.records("t")), "r1 d1 -1");
    assert_eq!(connector.records("t")[0].cell("v"), "ä\"\\");

    let offsets = fs::read(connector.file("offsets.dat")).unwrap();
    let class = b"\xAC\xED\x00\x05sr\x00\x11java.util.HashMap";
    assert!(offsets.starts_with(class), "{offsets:x?}");
    let offsets = String::from_utf8_lossy(&offsets).into_owned();
    for part in [r#"["layout",{"server":"layout"}]"#, r#""file":"binlog.0"#, r#""gtids":""#, r#""pos":"#] {
        assert!(offsets.contains(part), "{part} is missing in {offsets}");
    }
    let history = fs::read_to_string(connector.file("history.jsonl")).unwrap();
    assert!(history.lines().count() >= 4);
    for line in history.lines() {
        let json: Value = serde_json::from_str(line).unwrap();
        assert_eq!(json["source"]["server"], "layout");
        assert!(json["ddl"].is_string() && json["position"]["file"].is_string(), "{line}");
    }
}

#[test]
fn two_connectors_in_one_process_share_the_offset_file() {
    let mut writers = Vec::new();
    let mut connectors = Vec::new();
    for name in ["pair_a", "pair_b"] {
        writers.push(Writer::new(database(MYSQL97.variable(), name)));
        connectors.push(Connector::to_files(&MYSQL97, name));
    }
    let home = connectors[0].worker.clone();
    connectors[1].worker = home;
    let [worker, first] = connectors[0].write_files();
    let [_, second] = connectors[1].write_files();
    let start = || {
        let command = tidewire(["run", "--worker", &worker, &first, &second]);
        let mut process = Process::start(command, &connectors[0].file("log"));
        process.wait_for(STREAMING, 2);
        process
    };
    for killed in [true, false] {
        let process = start();
        for writer in &mut writers {
            for _ in 0..10 {
                assert!(writer.transaction());
            }
        }
        if killed {
            process.kill();
        } else {
            for (writer, name) in writers.iter().zip(["pair_a", "pair_b"]) {
                let topic = format!("{name}.{name}.t");
                crate::support::process::wait_until(name, LIMIT, || {
                    connectors[0].topic(&topic).len() >= writer.expected().len()
                });
                assert_eq!(written(&connectors[0].topic(&topic)), writer.expected());
            }
            process.terminate().expect(0, &[]);
        }
    }
}

#[test]
fn one_of_two_connectors_fails_and_the_other_goes_on() {
    let mut session = database(MYSQL97.variable(), "pair_good");
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let good = Connector::to_files(&MYSQL97, "pair_good");
    let mut bad = Connector::to_files(&MYSQL97, "pair_bad");
    bad.worker = good.worker.clone();
    bad.set("database.password", "wrong");
    let [worker, first] = good.write_files();
    let [_, second] = bad.write_files();
    let mut process =
        Process::start(tidewire(["run", "--worker", &worker, &second, &first]), &good.file("log"));
    process.wait_for("the connector failed for good", 1);
    process.wait_for(STREAMING, 1);
    session.execute("INSERT INTO t VALUES (1)").unwrap();
    good.wait_for_records("t", 1);
    process.terminate().expect(1, &["connector pair_bad failed"]);
}

#[test]
fn without_a_worker_records_go_to_standard_output() {
    let name = "to_stdout";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO t VALUES (1), (2)").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("snapshot.mode", "initial_only");
    let [_, path] = connector.write_files();
    let output = tidewire(["run", &path]).current_dir(connector.folder()).output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{log}");
    let records = of_lines(&String::from_utf8(output.stdout).unwrap());
    let rows: Vec<_> = records.into_iter().filter(|record| record.topic == "to_stdout.to_stdout.t").collect();
    assert_eq!(changes(&rows), "r1 r2");
}

/// `/dev/full` takes nothing: what a full disk says, on every machine.
#[test]
fn a_full_disk_is_waited_for() {
    let name = "disk_full";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))").unwrap();
    session.execute("CREATE TABLE u (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO t VALUES (1, 'x')").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    fs::create_dir_all(connector.file("records")).unwrap();
    let file = connector.file("records/disk_full.disk_full.u.jsonl");
    symlink("/dev/full", &file).unwrap();
    let mut process = connector.start_streaming();
    for id in 2..40 {
        session.execute("BEGIN").unwrap();
        session.execute(&format!("INSERT INTO t VALUES ({id}, 'secret-cell')")).unwrap();
        session.execute(&format!("INSERT INTO u VALUES ({id})")).unwrap();
        session.execute("COMMIT").unwrap();
    }
    // The server is idle from here on.
    process.wait_for("the connector starts again", 2);
    fs::remove_file(&file).unwrap();
    connector.wait_for_records("u", 38);
    let ended = process.terminate();
    let remedy = "make room on the file system of";
    ended.expect(0, &["cannot write", "disk_full.disk_full.u.jsonl", "No space left on device", remedy]);
    assert!(!ended.log.contains("secret-cell"), "{}", ended.log);
    let ids = |from: i64| (from..40).collect::<Vec<i64>>();
    assert_eq!((connector.ids("t"), connector.ids("u")), (ids(1), ids(2)));
}

/// A limit on the size of files stops a write in the middle of a line.
#[test]
fn a_file_at_its_limit_is_named_and_nothing_half_written_stays() {
    let name = "file_limit";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    let mut process = connector.start_limited(100);
    for id in 0..300 {
        session.execute(&format!("INSERT INTO t VALUES ({id}, REPEAT('x', 700))")).unwrap();
    }
    process.wait_for("the connector starts again", 2);
    let said = ["cannot write", "file_limit.file_limit.t.jsonl", "File too large", "raise the limit"];
    process.terminate().expect(0, &said);
    let whole = connector.records("t").len();
    assert!(whole < 200, "{whole} records");
    let process = connector.start_streaming();
    connector.wait_for_records("t", 300);
    process.terminate().expect(0, &[]);
    let ids: Vec<i64> = connector.records("t").iter().map(|record| record.id()).collect();
    assert_eq!(ids, (0..300).collect::<Vec<i64>>());
}
