//! Kills while tables are let in: at every stage, with writers, and in the middle of the last step.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tidewire::source::mysql::Connection;

use crate::mysql_server::root;
use crate::new_tables::{
    AWAITED, REACHED, STARTED, all, keep_the_stream_busy, kill_while_awaited, of_one_table, replayed, rows,
};
use crate::support::connector::Connector;
use crate::support::database::{MYSQL97, MYSQL97_NOGTID, variable};
use crate::support::process::{LIMIT, wait_until};
use crate::support::records::{Record, changes};
use crate::support::writer::EnoughAtEnd;

/// Rows of `b` change all the time, and the connector is killed at every stage.
fn killed(connector: &mut Connector, session: &mut Connection, other: &mut Connection) {
    let name = connector.name.clone();
    all(
        session,
        &[
            "SET SESSION cte_max_recursion_depth = 100000",
            "CREATE TABLE b (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO b WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 50000) \
             SELECT n, 'first' FROM n",
        ],
    );
    connector.start_streaming().terminate().expect(0, &[]);
    keep_the_stream_busy(session);
    connector.set("table.include.list", &format!("{name}.a,{name}.b")).set("snapshot.max.threads", "2");
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        scope.spawn(|| {
            other.execute(&format!("USE {name}")).unwrap();
            let mut number: i64 = 0;
            while !enough.load(Ordering::Relaxed) {
                number += 1;
                let id = number * 7919 % 50_000 + 1;
                all(
                    other,
                    &[
                        &format!("UPDATE b SET v = 'u{number}' WHERE id = {id}"),
                        &format!("DELETE FROM b WHERE id = {}", number + 1),
                        &format!("INSERT INTO b (id, v) VALUES ({}, 'i{number}')", 200_000 + number),
                        &format!("INSERT INTO a VALUES ({}, 'a')", 10 + number),
                    ],
                );
                if number % 40 == 0 {
                    all(other, &[&format!("ALTER TABLE b ADD COLUMN w{number} INT, ALGORITHM = INSTANT")]);
                }
                std::thread::sleep(Duration::from_millis(3));
            }
        });
        let mut process = connector.start();
        process.wait_for(STARTED, 1);
        // The topic is made, or the file, when the first rows are published.
        let topic = format!("{}.{name}.b", connector.prefix);
        let file = connector.file("records").join(format!("{topic}.jsonl"));
        wait_until("the first rows of b\n", LIMIT, || {
            process.log().contains(&format!("topic=\"{topic}\"")) || file.exists()
        });
        std::thread::sleep(Duration::from_millis(100));
        let ended = process.kill();
        assert!(!ended.log.contains(AWAITED), "the rows came too soon: {}", ended.log);
        let mut process = connector.start();
        process.wait_for("they are read again", 1);
        process.wait_for(AWAITED, 1);
        let ended = process.kill();
        assert!(!ended.log.contains(REACHED), "{}", ended.log);
        let mut process = connector.start();
        process.wait_for(REACHED, 1);
        process.kill();
        enough.store(true, Ordering::Relaxed);
    });
    all(session, &["INSERT INTO a VALUES (1000000, 'end')"]);
    let process = connector.start_streaming();
    let has_end = |records: &[Record]| records.iter().any(|record| record.key["id"] == 1_000_000);
    wait_until("the last row\n", LIMIT, || has_end(&connector.records("a")));
    process.terminate().expect(0, &[]);
    assert_eq!(replayed(&connector.records("b")), rows(session, "b"));
    assert_eq!(replayed(&connector.records("a")), rows(session, "a"));
    connector.history("verify", &[]).expect(0, &[]);
}

#[test]
fn killed_at_every_stage_into_kafka() {
    let name = "new_tables_killed";
    let (files, mut session) = of_one_table(&MYSQL97, name, &[]);
    let mut connector = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA"));
    for property in ["tidewire.snapshot.new.tables", "table.include.list"] {
        connector.set(property, &files.properties[property]);
    }
    connector.set("schema.history.internal.store.only.captured.tables.ddl", "true");
    killed(&mut connector, &mut session, &mut root(MYSQL97.variable()));
}

#[test]
fn killed_at_every_stage_into_files_without_gtids() {
    let name = "new_tables_killed_nogtid";
    let (mut connector, mut session) = of_one_table(&MYSQL97_NOGTID, name, &[]);
    killed(&mut connector, &mut session, &mut root(MYSQL97_NOGTID.variable()));
}

/// The history has none, some or all of the definitions, and the stored offset is still that of before.
#[test]
fn killed_while_the_definitions_go_into_the_history() {
    let name = "new_tables_killed_last";
    let (mut connector, mut session) = of_one_table(
        &MYSQL97,
        name,
        &["CREATE TABLE b (id INT PRIMARY KEY, v VARCHAR(20))", "INSERT INTO b VALUES (1, 'one')"],
    );
    connector.start_streaming().terminate().expect(0, &[]);
    keep_the_stream_busy(&mut session);
    all(&mut session, &["ALTER TABLE b ADD COLUMN w INT FIRST"]);
    connector.set("table.include.list", &format!("{name}.a,{name}.b"));
    let ended = kill_while_awaited(&connector);
    assert!(!ended.log.contains(REACHED), "{}", ended.log);
    let stored =
        ["offsets.dat", "offsets.dat.lengths"].map(|file| (file, fs::read(connector.file(file)).unwrap()));
    let mut process = connector.start();
    process.wait_for(REACHED, 1);
    process.terminate().expect(0, &[]);
    let history = fs::read_to_string(connector.file("history.jsonl")).unwrap();
    let lines: Vec<&str> = history.split_inclusive('\n').collect();
    assert!(lines[lines.len() - 1].contains("CREATE TABLE `b`"), "{}", lines[lines.len() - 1]);
    let mut next = 2;
    for cut in 0..=3 {
        let whole = lines[..lines.len() - cut].concat();
        for length in [whole.len(), whole.len() - 20] {
            fs::write(connector.file("history.jsonl"), &whole[..length]).unwrap();
            for (file, bytes) in &stored {
                fs::write(connector.file(file), bytes).unwrap();
            }
            let mut process = connector.start();
            process.wait_for(REACHED, 1);
            all(&mut session, &[&format!("INSERT INTO b VALUES (7, {next}, 'new')")]);
            next += 1;
            let expected = (2..next).map(|id| format!(" c{id}")).collect::<String>();
            connector.wait_for_records("b", usize::try_from(next).unwrap() - 1);
            process.terminate().expect(0, &[]);
            assert_eq!(changes(&connector.records("b")), format!("r1{expected}"), "{cut} {length}");
            connector.history("verify", &[]).expect(0, &[]);
        }
    }
}
