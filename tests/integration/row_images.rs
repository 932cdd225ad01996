//! `binlog_row_image` of a session: NOBLOB goes on with a placeholder, MINIMAL is refused (`streaming_faults`).

use serde_json::{Value, json};

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97};

const PLACEHOLDER: &str = "__debezium_unavailable_value";

/// Before and after of the records of a table, from a session with NOBLOB.
fn images(
    server: &Database,
    name: &str,
    set: &[(&str, &str)],
    table: &str,
    changes: &[&str],
) -> Vec<[Value; 3]> {
    let mut session = database(server.variable(), name);
    session.execute(table).unwrap();
    let mut connector = Connector::to_files(server, name);
    for (property, value) in set {
        connector.set(property, value);
    }
    let process = connector.start_streaming();
    session.execute("SET SESSION binlog_row_image = 'NOBLOB'").unwrap();
    for change in changes {
        session.execute(change).unwrap_or_else(|error| panic!("{error}: {change}"));
    }
    let records = connector.wait_for_records("t", changes.len());
    process.terminate().expect(0, &["stopped"]);
    let part = |value: &Value, name: &str| value[name].clone();
    records.into_iter().map(|r| [r.key.clone(), part(&r.value, "before"), part(&r.value, "after")]).collect()
}

/// Bug 100, on every server: only TEXT and BLOB are left out; JSON, geometry and what changed are there.
#[test]
fn what_is_left_out_is_marked() {
    let table = "CREATE TABLE t (id INT PRIMARY KEY, t TEXT, a INT, b VARCHAR(10) NOT NULL, bl BLOB, tt TINYTEXT NOT NULL, j JSON)";
    let changes = [
        "INSERT INTO t VALUES (1, 'text', 1, 'b1', 'blob', 'tiny', '{\"k\": 1}')",
        "UPDATE t SET a = 10 WHERE id = 1",
        "UPDATE t SET t = 'changed', j = '[]' WHERE id = 1",
        "UPDATE t SET bl = NULL WHERE id = 1",
        "DELETE FROM t WHERE id = 1",
    ];
    for (server, name) in [(&MYSQL97, "noblob_97"), (&MYSQL80, "noblob_80"), (&MYSQL57, "noblob_57")] {
        let row = |t: &str, a: i32, bl: Value, tt: &str, j: &str| json!({"id": 1, "t": t, "a": a, "b": "b1", "bl": bl, "tt": tt, "j": j});
        let bytes = json!("X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==");
        let hidden = |a: i32, j: &str| row(PLACEHOLDER, a, bytes.clone(), PLACEHOLDER, j);
        let images = images(server, name, &[("tombstones.on.delete", "false")], table, &changes);
        let rows: Vec<[Value; 2]> = images
            .into_iter()
            .map(|[key, before, after]| {
                assert_eq!(key, json!({"id": 1}));
                [before, after]
            })
            .collect();
        assert_eq!(
            rows,
            [
                [Value::Null, row("text", 1, json!("YmxvYg=="), "tiny", r#"{"k":1}"#)],
                [hidden(1, r#"{"k":1}"#), hidden(10, r#"{"k":1}"#)],
                [hidden(10, r#"{"k":1}"#), row("changed", 10, bytes.clone(), PLACEHOLDER, "[]")],
                [hidden(10, "[]"), row(PLACEHOLDER, 10, Value::Null, PLACEHOLDER, "[]")],
                [hidden(10, "[]"), Value::Null],
            ]
        );
    }
}

#[test]
fn the_placeholder_has_the_form_of_its_column() {
    let table = "CREATE TABLE t (bl LONGBLOB NOT NULL, id INT PRIMARY KEY, t MEDIUMTEXT)";
    let changes = ["INSERT INTO t VALUES ('x', 1, 'y')", "UPDATE t SET id = id"];
    for (set, bl, t) in [
        ([("binary.handling.mode", "hex"), ("unavailable.value.placeholder", "gone")], "676f6e65", "gone"),
        (
            [("binary.handling.mode", "base64"), ("unavailable.value.placeholder", "hex:3F3f3E")],
            "Pz8+",
            "??>",
        ),
        (
            [("binary.handling.mode", "base64-url-safe"), ("unavailable.value.placeholder", "hex:3F3f3E")],
            "Pz8-",
            "??>",
        ),
        ([("binary.handling.mode", "bytes"), ("unavailable.value.placeholder", "gone")], "Z29uZQ==", "gone"),
    ] {
        let images = images(&MYSQL97, "noblob_forms", &set, table, &[changes[0], "UPDATE t SET id = 2"]);
        // A key that changes is a delete and a create.
        let [_, before, _] = &images[1];
        assert_eq!(before, &json!({"bl": bl, "id": 1, "t": t}), "{set:?}");
    }
    let mut refused = Connector::to_files(&MYSQL97, "noblob_forms");
    refused.set("unavailable.value.placeholder", "hex:3F3");
    let limit = crate::support::process::LIMIT;
    refused.start().wait(limit).expect(2, &["unavailable.value.placeholder", "hexadecimal"]);
}

/// The image after lacks what did not change, but the one before has it: all of a row without a primary key, and a TEXT
/// that is the key.
#[test]
fn what_the_image_before_has_is_no_loss() {
    let table = "CREATE TABLE t (a INT, t TEXT, j JSON)";
    let changes = ["INSERT INTO t VALUES (1, 'one', '[1]')", "UPDATE t SET a = 2"];
    let keyless = images(&MYSQL97, "noblob_keyless", &[], table, &changes);
    let row = |a: i32| json!({"a": a, "t": "one", "j": "[1]"});
    assert_eq!(keyless[1], [Value::Null, row(1), row(2)]);

    let table = "CREATE TABLE t (v INT, k TEXT NOT NULL, o TEXT, PRIMARY KEY (k(5)))";
    let changes =
        ["INSERT INTO t VALUES (1, 'key', 'o')", "UPDATE t SET v = 2", "UPDATE t SET o = 'p', v = 3"];
    let keyed = images(&MYSQL97, "noblob_key", &[], table, &changes);
    let row = |v: i32, o: &str| json!({"v": v, "k": "key", "o": o});
    let key = json!({"k": "key"});
    assert_eq!(keyed[1], [key.clone(), row(1, PLACEHOLDER), row(2, PLACEHOLDER)]);
    assert_eq!(keyed[2], [key, row(2, PLACEHOLDER), row(3, "p")]);
}

/// A column that nobody publishes may be missing.
#[test]
fn a_filtered_column_is_not_missed() {
    let name = "minimal_filtered";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT)").unwrap();
    session.execute("INSERT INTO t VALUES (1, 1, 1)").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("column.include.list", &format!("{name}\\.t\\.id"));
    let process = connector.start_streaming();
    session.execute("SET SESSION binlog_row_image = 'MINIMAL'").unwrap();
    session.execute("DELETE FROM t").unwrap();
    let records = connector.wait_for_records("t", 3);
    process.terminate().expect(0, &["stopped"]);
    assert_eq!(records[1].value["before"], json!({"id": 1}));
}
