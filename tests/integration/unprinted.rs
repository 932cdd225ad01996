//! What SHOW CREATE TABLE prints as `?` is what the server stores all the same: labels of ENUM and SET with characters of four
//! bytes, and defaults. A snapshot asks for them; where a server does not tell a label, it says so.

use std::fs;

use serde_json::{Value, json};

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97};
use crate::support::process::Ended;

const TABLE: &str = "CREATE TABLE t (id INT PRIMARY KEY, \
    e ENUM('a😀','b🎉','?','it''s 🐬\\\\','🐳') CHARACTER SET utf8mb4 NOT NULL DEFAULT 'b🎉' COMMENT 'which?', \
    s SET('p😀','q🎉','r🐬') CHARACTER SET utf16 DEFAULT 'p😀,q🎉', \
    z SET('','z😀') CHARACTER SET utf8mb4, \
    g ENUM('g🎉') CHARACTER SET gb18030, \
    x ENUM('plain?','b') CHARACTER SET latin1 DEFAULT 'plain?', \
    `c``?` ENUM('a',X'61FF') CHARACTER SET binary DEFAULT X'61FF', \
    v VARCHAR(10) CHARACTER SET utf8mb4 DEFAULT 'v😀?''', \
    u CHAR(10) CHARACTER SET utf32 DEFAULT '😀', \
    b VARBINARY(5) DEFAULT X'FF003FFE', \
    f BINARY(3) DEFAULT X'FF')";

/// A snapshot of the database, then an insert of every label by number; the process's end, and the records of the table.
fn captured(server: &Database, name: &str, rows: &[&str]) -> (Ended, Vec<Value>) {
    let mut session = database(server.variable(), name);
    session.execute(TABLE).unwrap();
    for row in rows {
        session.execute(&format!("INSERT INTO t (id, e, s, z, g) VALUES {row}")).unwrap();
    }
    let mut connector = Connector::to_files(server, name);
    connector.set("value.converter.schemas.enable", "true");
    let process = connector.start_streaming();
    session
        .execute("INSERT INTO t (id, e, s, g, x) VALUES (11, 1, 4, 1, 2), (12, 4, 7, 1, 1), (13, 5, 1, 1, 1)")
        .unwrap();
    connector.wait_for_records("t", rows.len() + 3);
    let ended = process.terminate();
    ended.expect(0, &[]);
    let file = connector.file("records").join(format!("{name}.{name}.t.jsonl"));
    let records = fs::read_to_string(file).unwrap().lines().map(value).collect();
    (ended, records)
}

fn value(line: &str) -> Value {
    let line: Value = serde_json::from_str(line).unwrap();
    serde_json::from_str(line["value"].as_str().unwrap()).unwrap()
}

/// The labels in the schema of each ENUM and SET, and the default of every column.
fn schema(record: &Value) -> (Vec<&Value>, Vec<Value>) {
    let fields = record["schema"]["fields"][1]["fields"].as_array().unwrap();
    let allowed = fields[1..7].iter().map(|field| &field["parameters"]["allowed"]).collect();
    (allowed, fields[1..].iter().map(|field| field["default"].clone()).collect())
}

fn cells(record: &Value, columns: &[&str]) -> Vec<Value> {
    columns.iter().map(|column| record["payload"]["after"][column].clone()).collect()
}

/// The defaults of the table's columns, from its statement.
fn declared_defaults() -> [Value; 10] {
    [
        json!("b🎉"),
        json!("p😀,q🎉"),
        Value::Null,
        Value::Null,
        json!("plain?"),
        json!("a\u{ff}"),
        json!("v😀?'"),
        json!("😀"),
        json!("/wA//g=="),
        json!("/wAA"),
    ]
}

const LABELS: [&str; 5] = ["a😀,b🎉,?,it's 🐬\\\\,🐳", "p😀,q🎉,r🐬", ",z😀", "g🎉", "plain?,b"];

#[test]
fn labels_and_defaults_of_a_table_without_rows() {
    let (_, records) = captured(&MYSQL97, "unprinted_97", &[]);
    let (allowed, defaults) = schema(&records[0]);
    assert_eq!(allowed[..5], LABELS);
    assert_eq!(defaults, declared_defaults());
    let rows: Vec<_> = records.iter().map(|record| cells(record, &["e", "s", "g", "x"])).collect();
    assert_eq!(
        rows,
        [
            [json!("a😀"), json!("r🐬"), json!("g🎉"), json!("b")],
            [json!("it's 🐬\\"), json!("p😀,q🎉,r🐬"), json!("g🎉"), json!("plain?")],
            [json!("🐳"), json!("p😀"), json!("g🎉"), json!("plain?")],
        ]
    );
}

/// They learn labels from rows and from the default; here every label is in one but 🐳 and g🎉.
#[test]
fn older_servers_tell_defaults_and_the_labels_in_use() {
    for (server, name) in [(&MYSQL80, "unprinted_80"), (&MYSQL57, "unprinted_57")] {
        let (ended, records) = captured(server, name, &["(1, 1, 4, 3, NULL)", "(2, 4, 3, 1, NULL)"]);
        let (allowed, defaults) = schema(&records[0]);
        assert_eq!(
            allowed[..5],
            ["a😀,b🎉,?,it's 🐬\\\\,?", "p😀,q🎉,r🐬", ",z😀", "g?", "plain?,b"],
            "{name}"
        );
        assert_eq!(defaults, declared_defaults(), "{name}");
        let streamed = records.iter().find(|record| record["payload"]["after"]["id"] == 12).unwrap();
        assert_eq!(cells(streamed, &["e", "s"]), [json!("it's 🐬\\"), json!("p😀,q🎉,r🐬")], "{name}");
        for column in ["e", "g"] {
            let warned = ended.log.lines().any(|line| {
                line.contains("no row was found that holds") && line.contains(&format!("column=\"{column}\""))
            });
            assert!(warned, "{name}: {column}: {}", ended.log);
        }
    }
}
