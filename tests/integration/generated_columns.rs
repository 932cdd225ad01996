//! Columns that nobody wrote: generated, invisible, and those that indexes hide.

use serde_json::{Value, json};
use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97};

/// Statements before and after the start of the connector; the rows of the table's records.
fn rows(
    server: &Database,
    name: &str,
    before: &[&str],
    after: &[&str],
    count: usize,
) -> Vec<(String, Value)> {
    let mut session = database(server.variable(), name);
    let run = |session: &mut Connection, statements: &[&str]| {
        for statement in statements {
            session.execute(statement).unwrap_or_else(|error| panic!("{error}: {statement}"));
        }
    };
    run(&mut session, before);
    let connector = Connector::to_files(server, name);
    let process = connector.start_streaming();
    run(&mut session, after);
    let records = connector.wait_for_records("t", count);
    process.terminate().expect(0, &["stopped"]);
    records.iter().map(|r| (format!("{} {}", r.op(), r.key), r.value["after"].clone())).collect()
}

/// Bug 054, on every server.
#[test]
fn virtual_and_stored_columns_are_columns() {
    let table = "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT GENERATED ALWAYS AS (a * 2) VIRTUAL, \
                 c VARCHAR(20) AS (CONCAT('n=', a)) STORED NOT NULL, doc JSON, \
                 tag VARCHAR(10) GENERATED ALWAYS AS (doc->>'$.tag') VIRTUAL, \
                 j2 JSON AS (JSON_EXTRACT(doc,'$.list')) VIRTUAL, KEY (tag))";
    let insert = "INSERT INTO t (id,a,doc) VALUES (1,21,'{\"tag\":\"t1\",\"list\":[1,2]}')";
    let stream = [
        "INSERT INTO t (id,a,doc) VALUES (2,-3,NULL)",
        "UPDATE t SET a = 5 WHERE id = 1",
        "ALTER TABLE t ADD COLUMN d INT AS (a + 1) VIRTUAL AFTER a",
        "INSERT INTO t (id,a) VALUES (3,4)",
    ];
    for (server, name) in [(&MYSQL97, "generated_97"), (&MYSQL80, "generated_80"), (&MYSQL57, "generated_57")]
    {
        let rows = rows(server, name, &[table, insert], &stream, 4);
        let first = |a: i32, spaced: bool| {
            let (doc, list) = if spaced {
                (r#"{"tag": "t1", "list": [1, 2]}"#, "[1, 2]")
            } else {
                (r#"{"tag":"t1","list":[1,2]}"#, "[1,2]")
            };
            json!({"id": 1, "a": a, "b": 2 * a, "c": format!("n={a}"), "doc": doc, "tag": "t1", "j2": list})
        };
        let none = Value::Null;
        assert_eq!(
            rows,
            [
                (r#"r {"id":1}"#.to_owned(), first(21, true)),
                (
                    r#"c {"id":2}"#.to_owned(),
                    json!({"id": 2, "a": -3, "b": -6, "c": "n=-3", "doc": none, "tag": none, "j2": none})
                ),
                (r#"u {"id":1}"#.to_owned(), first(5, false)),
                (
                    r#"c {"id":3}"#.to_owned(),
                    json!({"id": 3, "a": 4, "d": 5, "b": 8, "c": "n=4", "doc": none, "tag": none, "j2": none})
                ),
            ]
        );
    }
}

/// The columns behind functional and multi-valued indexes are in no row image and in no result set.
#[test]
fn indexes_hide_their_columns() {
    let functional = "CREATE TABLE t (id INT PRIMARY KEY, a INT, doc JSON, v INT, KEY ((a * 2)), \
                      KEY ((CAST(doc->>'$.n' AS UNSIGNED))))";
    let multi_valued = "CREATE TABLE t (id INT PRIMARY KEY, a INT, doc JSON, v INT, \
                        KEY z ((CAST(doc->'$.zip' AS UNSIGNED ARRAY))), KEY n ((CAST(doc->'$.names' AS CHAR(20) ARRAY)), v))";
    let insert = "INSERT INTO t VALUES (1, 10, '{\"n\":5,\"zip\":[1,2],\"names\":[\"x\"]}', 7)";
    let stream = [
        "INSERT INTO t VALUES (2, 20, '{}', 8)",
        "SET SESSION binlog_row_value_options = 'PARTIAL_JSON'",
        "UPDATE t SET doc = JSON_SET(doc, '$.zip[1]', 77), v = 9 WHERE id = 1",
    ];
    for (server, name, table) in [
        (&MYSQL97, "hidden_97", functional),
        (&MYSQL97, "hidden_mv", multi_valued),
        (&MYSQL80, "hidden_80", functional),
    ] {
        let rows = rows(server, name, &[table, insert], &stream, 3);
        let values: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
        assert_eq!(
            values,
            [
                json!({"id": 1, "a": 10, "doc": r#"{"n": 5, "zip": [1, 2], "names": ["x"]}"#, "v": 7}),
                json!({"id": 2, "a": 20, "doc": "{}", "v": 8}),
                json!({"id": 1, "a": 10, "doc": r#"{"n":5,"zip":[1,77],"names":["x"]}"#, "v": 9}),
            ]
        );
    }
}

/// Bug 055; a server that does not show generated keys is asked to.
#[test]
fn invisible_columns_and_generated_keys_are_there() {
    let invisible = "CREATE TABLE t (id INT PRIMARY KEY, seen INT, unseen INT INVISIBLE DEFAULT 77)";
    let stream = [
        "INSERT INTO t (id,seen,unseen) VALUES (2,20,88)",
        "ALTER TABLE t ALTER COLUMN unseen SET VISIBLE, ALTER COLUMN seen SET INVISIBLE",
        "INSERT INTO t (id,seen,unseen) VALUES (3,30,99)",
    ];
    let insert = "INSERT INTO t (id,seen) VALUES (1,10)";
    let values: Vec<Value> = rows(&MYSQL97, "invisible", &[invisible, insert], &stream, 3)
        .into_iter()
        .map(|(_, row)| row)
        .collect();
    let row = |id: i32, seen: i32, unseen: i32| json!({"id": id, "seen": seen, "unseen": unseen});
    assert_eq!(values, [row(1, 10, 77), row(2, 20, 88), row(3, 30, 99)]);

    for shown in ["ON", "OFF"] {
        let show = format!("SET GLOBAL show_gipk_in_create_table_and_information_schema = {shown}");
        let before = [
            show.as_str(),
            "SET SESSION sql_generate_invisible_primary_key = ON",
            "CREATE TABLE t (a INT, b VARCHAR(5))",
            "INSERT INTO t VALUES (1,'x')",
        ];
        let after = [
            "CREATE TABLE streamed (a INT)",
            "INSERT INTO t VALUES (1,'x')",
            "DELETE FROM t WHERE a = 1 LIMIT 1",
            "SET GLOBAL show_gipk_in_create_table_and_information_schema = ON",
        ];
        let rows = rows(&MYSQL97, "gipk", &before, &after, 4);
        let row = |key: i32| json!({"my_row_id": key, "a": 1, "b": "x"});
        assert_eq!(
            rows,
            [
                (r#"r {"my_row_id":1}"#.to_owned(), row(1)),
                (r#"c {"my_row_id":2}"#.to_owned(), row(2)),
                (r#"d {"my_row_id":1}"#.to_owned(), Value::Null),
                (r#" {"my_row_id":1}"#.to_owned(), Value::Null),
            ]
        );
    }
}
