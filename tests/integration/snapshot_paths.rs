//! Tables that other change data capture programs stumbled over in a snapshot. What is expected is what the real Debezium
//! published of the same statements.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::MYSQL97;
use crate::support::records::Record;
use crate::support::writer::EnoughAtEnd;

/// Key, row and marker of each record.
fn told(records: &[Record]) -> Vec<(Value, Value, Value)> {
    let part = |record: &Record| {
        (record.key.clone(), record.value["after"].clone(), record.value["source"]["snapshot"].clone())
    };
    records.iter().map(part).collect()
}

/// Bug 066: hyphens, dots, blanks, quotes, backticks and per cent signs in names.
#[test]
fn odd_names_in_a_snapshot_and_in_the_stream() {
    let name = "snap_066";
    let statements = [
        "CREATE TABLE `a-b.c` (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE `per%cent's` (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE `ba``ck` (id INT PRIMARY KEY, `v``w` INT)",
        "CREATE TABLE `123` (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE `sel ect` (`from` INT PRIMARY KEY, `desc` INT)",
        "INSERT INTO `a-b.c` VALUES (1,1)",
        "INSERT INTO `per%cent's` VALUES (2,2)",
        "INSERT INTO `ba``ck` VALUES (3,3)",
        "INSERT INTO `123` VALUES (4,4)",
        "INSERT INTO `sel ect` VALUES (5,5)",
    ];
    let expected = [
        ("123", "123", json!({"id": 4}), json!({"id": 4, "v": 4}), "first"),
        ("a-b.c", "a-b.c", json!({"id": 1}), json!({"id": 1, "v": 1}), "last_in_data_collection"),
        ("ba_ck", "ba`ck", json!({"id": 3}), json!({"id": 3, "v`w": 3}), "last_in_data_collection"),
        ("per_cent_s", "per%cent's", json!({"id": 2}), json!({"id": 2, "v": 2}), "last_in_data_collection"),
        ("sel_ect", "sel ect", json!({"from": 5}), json!({"from": 5, "desc": 5}), "last"),
    ];
    let mut session = database(MYSQL97.variable(), name);
    let streaming = Connector::to_files(&MYSQL97, name);
    let process = streaming.start_streaming();
    for statement in statements {
        session.execute(statement).unwrap();
    }
    for (topic, table, key, row, _) in &expected {
        let records = streaming.wait_for_records(topic, 1);
        assert_eq!(told(&records), [(key.clone(), row.clone(), json!("false"))]);
        assert_eq!(records[0].value["source"]["table"], *table);
    }
    process.terminate().expect(0, &["stopped"]);
    for threads in ["1", "4"] {
        let mut late = Connector::to_files(&MYSQL97, name);
        late.set("snapshot.max.threads", threads);
        late.start_streaming().terminate().expect(0, &["stopped"]);
        for (topic, table, key, row, marker) in &expected {
            let records = late.wait_for_records(topic, 1);
            // The order in which several readers come to their ends is not known.
            let marker =
                if threads == "1" { json!(marker) } else { records[0].value["source"]["snapshot"].clone() };
            assert_eq!(told(&records), [(key.clone(), row.clone(), marker)]);
            assert_eq!(records[0].value["source"]["table"], *table);
        }
    }
}

/// Bug 067: empty tables at both ends, and one with a single row, which has a single marker.
#[test]
fn markers_beside_empty_tables() {
    let name = "snap_067";
    let mut session = database(MYSQL97.variable(), name);
    for statement in [
        "CREATE TABLE a_empty (id INT PRIMARY KEY)",
        "CREATE TABLE b_one (id INT PRIMARY KEY)",
        "CREATE TABLE c_three (id INT PRIMARY KEY)",
        "CREATE TABLE d_empty (id INT PRIMARY KEY)",
        "INSERT INTO b_one VALUES (1)",
        "INSERT INTO c_three VALUES (1),(2),(3)",
    ] {
        session.execute(statement).unwrap();
    }
    let connector = Connector::to_files(&MYSQL97, name);
    connector.start_streaming().terminate().expect(0, &["stopped"]);
    let row = |id: i32, marker: &str| (json!({"id": id}), json!({"id": id}), json!(marker));
    assert_eq!(told(&connector.records("b_one")), [row(1, "last_in_data_collection")]);
    assert_eq!(
        told(&connector.records("c_three")),
        [row(1, "first_in_data_collection"), row(2, "true"), row(3, "last")]
    );
    assert_eq!(connector.records("a_empty").len() + connector.records("d_empty").len(), 0);
}

/// Bug 069: a transfer between two tables is seen whole or not at all, however many readers there are; and snapshot and
/// stream together have every transfer.
#[test]
fn transfers_between_tables_while_they_are_read() {
    let name = "snap_069";
    let mut session = database(MYSQL97.variable(), name);
    for statement in [
        "CREATE TABLE acc_a (id INT PRIMARY KEY, bal INT NOT NULL)",
        "CREATE TABLE filler (id INT AUTO_INCREMENT PRIMARY KEY, pad CHAR(200) NOT NULL DEFAULT 'x')",
        "CREATE TABLE acc_z (id INT PRIMARY KEY, bal INT NOT NULL)",
        "INSERT INTO acc_a VALUES (1,1000)",
        "INSERT INTO acc_z VALUES (1,1000)",
        "SET SESSION cte_max_recursion_depth = 5000",
        "INSERT INTO filler (id) WITH RECURSIVE q AS (SELECT 1 n UNION ALL SELECT n+1 FROM q WHERE n < 5000) SELECT n FROM q",
    ] {
        session.execute(statement).unwrap();
    }
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let transfers = scope.spawn(|| {
            let mut count = 0;
            while !enough.load(Ordering::Relaxed) {
                for statement in [
                    "START TRANSACTION",
                    "UPDATE acc_a SET bal = bal - 7 WHERE id = 1",
                    "UPDATE acc_z SET bal = bal + 7 WHERE id = 1",
                    "COMMIT",
                ] {
                    session.execute(statement).unwrap();
                }
                count += 1;
                std::thread::sleep(Duration::from_millis(3));
            }
            count
        });
        let connectors: Vec<Connector> = (0..6)
            .map(|run| {
                let mut connector = Connector::to_files(&MYSQL97, name);
                let threads = if run % 2 == 0 { "1" } else { "4" };
                connector.set("snapshot.max.threads", threads).set("snapshot.fetch.size", "100");
                connector.start_streaming().terminate().expect(0, &["stopped"]);
                connector
            })
            .collect();
        enough.store(true, Ordering::Relaxed);
        let count: i64 = transfers.join().expect("the transfers");
        for connector in connectors {
            let first = |table: &str| {
                let records = connector.records(table);
                assert_eq!(records[0].op(), "r", "{table}");
                records[0].value["after"]["bal"].as_i64().expect("a balance")
            };
            let (a, z) = (first("acc_a"), first("acc_z"));
            assert_eq!(a + z, 2000, "{a} and {z}");
            assert_eq!(connector.records("filler").len(), 5000);
            // The changes behind the view: every transfer that it does not have, one after the other.
            let process = connector.start_streaming();
            let later = usize::try_from(count - (z - 1000) / 7).expect("no more transfers than there were");
            for (table, from, step) in [("acc_a", a, -7), ("acc_z", z, 7)] {
                let records = connector.wait_for_records(table, later + 1);
                let balances: Vec<i64> = records
                    .iter()
                    .map(|record| record.value["after"]["bal"].as_i64().expect("a balance"))
                    .collect();
                let wanted: Vec<i64> = (0..=later as i64).map(|transfer| from + transfer * step).collect();
                assert_eq!(balances, wanted, "{table}");
            }
            process.terminate().expect(0, &["stopped"]);
        }
    });
}
