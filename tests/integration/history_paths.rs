//! Faults of schema histories that people met, each with its rows from the stream of a connector that saw it happen and
//! from the snapshot of one that came later.

use serde_json::{Value, json};

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{MYSQL57, MYSQL80, MYSQL97};
use crate::support::process::LIMIT;

/// Keys and rows of a topic.
fn rows(connector: &Connector, topic: &str) -> Vec<(Value, Value)> {
    let topic = format!("{}.{topic}", connector.prefix);
    connector.topic(&topic).into_iter().map(|record| (record.key, record.value["after"].clone())).collect()
}

/// DROP DATABASE takes the tables of that database alone, and new ones of the same name inherit nothing (DBZ-6945, DBZ-871).
#[test]
fn a_database_is_dropped_and_made_again() {
    for (server, name) in [(&MYSQL97, "dropped97"), (&MYSQL80, "dropped80"), (&MYSQL57, "dropped57")] {
        let other = format!("{name}_b");
        let mut session = database(server.variable(), name);
        session.execute(&format!("DROP DATABASE IF EXISTS {other}")).unwrap();
        let mut streaming = Connector::to_files(server, name);
        streaming.set("database.include.list", &format!("{name},{other}"));
        let process = streaming.start_streaming();
        for statement in [
            format!("CREATE DATABASE {other}"),
            format!("CREATE TABLE {other}.same (id INT PRIMARY KEY, keepme INT)"),
            "CREATE TABLE same (id INT PRIMARY KEY, a INT, b INT)".to_owned(),
            "CREATE TABLE other (id INT PRIMARY KEY)".to_owned(),
            "INSERT INTO same VALUES (1, 1, 1)".to_owned(),
            format!("DROP DATABASE {name}"),
            format!("CREATE SCHEMA {name} CHARACTER SET latin1"),
            format!("CREATE TABLE {name}.same (id CHAR(2) PRIMARY KEY, z VARCHAR(5))"),
            format!("INSERT INTO {name}.same VALUES ('é', 'ü')"),
            format!("INSERT INTO {other}.same VALUES (1, 1)"),
        ] {
            session.execute(&statement).unwrap();
        }
        let kept = (json!({"id": 1}), json!({"id": 1, "keepme": 1}));
        let new = (json!({"id": "é"}), json!({"id": "é", "z": "ü"}));
        streaming.wait_for_topic(&format!("{name}.{other}.same"), 1);
        process.terminate().expect(0, &["stopped"]);
        let old = (json!({"id": 1}), json!({"id": 1, "a": 1, "b": 1}));
        assert_eq!(rows(&streaming, &format!("{name}.same")), [old, new.clone()]);
        assert_eq!(rows(&streaming, &format!("{other}.same")), std::slice::from_ref(&kept));
        let ended = streaming.history("verify", &[]);
        ended.expect(0, &["verify: 2 tables, 0 differences"]);
        let shown: Value = serde_json::from_str(&streaming.history("show", &["--json"]).log).unwrap();
        let ids: Vec<&Value> = shown["tables"].as_array().unwrap().iter().map(|table| &table["id"]).collect();
        assert_eq!(ids, [&json!(format!("\"{name}\".\"same\"")), &json!(format!("\"{other}\".\"same\""))]);

        // Went on from what was stored.
        let process = streaming.start_streaming();
        session.execute(&format!("INSERT INTO {name}.same VALUES ('ß', 'ä')")).unwrap();
        streaming.wait_for_records("same", 3);
        process.terminate().expect(0, &["stopped"]);
        let last = (json!({"id": "ß"}), json!({"id": "ß", "z": "ä"}));
        assert_eq!(rows(&streaming, &format!("{name}.same"))[2], last);

        let mut late = Connector::to_files(server, name);
        late.set("database.include.list", &format!("{name},{other}"));
        late.start_streaming().terminate().expect(0, &["stopped"]);
        assert_eq!(rows(&late, &format!("{name}.same")).len(), 2);
        assert!(
            rows(&late, &format!("{name}.same")).contains(&new),
            "{:?}",
            rows(&late, &format!("{name}.same"))
        );
        assert_eq!(rows(&late, &format!("{other}.same")), [kept]);
    }
}

/// A column that the log does not tell of (DBZ-7093, DBZ-588): a stop with table, counts and position; nothing of it is
/// published under another column's name. A snapshot afterwards has all of it.
#[test]
fn a_column_that_the_log_does_not_tell_of() {
    for (server, name) in [(&MYSQL97, "gap97"), (&MYSQL80, "gap80"), (&MYSQL57, "gap57")] {
        let mut session = database(server.variable(), name);
        let connector = Connector::to_files(server, name);
        let process = connector.start_streaming();
        for statement in [
            "CREATE TABLE slb (id INT PRIMARY KEY, a VARCHAR(5))",
            "INSERT INTO slb VALUES (1, 'ok')",
            "SET sql_log_bin = 0",
            "ALTER TABLE slb ADD COLUMN b INT NOT NULL DEFAULT 9 AFTER id",
            "SET sql_log_bin = 1",
            "INSERT INTO slb VALUES (2, 7, 'x')",
        ] {
            session.execute(statement).unwrap();
        }
        let stopped = process.wait(LIMIT);
        let said = format!("the binlog has 3 columns for table {name}.slb, the schema history has 2");
        stopped.expect(1, &[&said, "the binlog event at ", "sql_log_bin=0"]);
        let ok = (json!({"id": 1}), json!({"id": 1, "a": "ok"}));
        assert_eq!(rows(&connector, &format!("{name}.slb")), [ok]);
        // The remedy's way: told apart by name, then by a new snapshot.
        connector.history("verify", &[]).expect(
            1,
            &[&format!(
                "{name}.slb: columns in order\n  believed: id, a\n  actual:   id, b, a\n  remedy:   "
            )],
        );
        let late = Connector::to_files(server, name);
        late.start_streaming().terminate().expect(0, &["stopped"]);
        let [first, second] = rows(&late, &format!("{name}.slb")).try_into().expect("two rows");
        assert_eq!(first.1, json!({"id": 1, "b": 9, "a": "ok"}));
        assert_eq!(second.1, json!({"id": 2, "b": 7, "a": "x"}));
    }
}
