//! `binlog_row_value_options=PARTIAL_JSON`: what is published is what the server stored, whatever was changed and however.

use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL80, MYSQL97};

/// Choices that are the same in every run.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn path(&mut self) -> String {
        let legs = [
            ".a",
            ".b",
            ".c",
            ".long_key",
            ".\"a b\"",
            ".\"q\\\\\"x\"",
            ".é",
            ".\"\"",
            "[0]",
            "[1]",
            "[3]",
            "[last]",
            "[last-1]",
        ];
        let mut path = "$".to_owned();
        for _ in 0..1 + self.below(4) {
            path.push_str(self.one(&legs));
        }
        path
    }

    fn value(&mut self) -> &'static str {
        self.one(&[
            "1",
            "-70000",
            "9223372036854775807",
            "'text'",
            "''",
            "true",
            "NULL",
            "CAST('[1,[2],{\"a\":3}]' AS JSON)",
            "CAST('{\"a\":{\"b\":[]},\"long_key\":1}' AS JSON)",
            "CAST('{}' AS JSON)",
            "REPEAT('z',300)",
            "REPEAT('y',70000)",
        ])
    }

    /// A change of a column by one to three calls.
    fn change(&mut self, column: &str) -> String {
        let mut expression = column.to_owned();
        for _ in 0..1 + self.below(3) {
            let (path, value) = (self.path(), self.value());
            expression = match self.below(4) {
                0 => format!("JSON_REMOVE({expression}, '{path}')"),
                1 => format!("JSON_REPLACE({expression}, '{path}', {value})"),
                _ => {
                    format!("JSON_SET({expression}, '{path}', {value}, '{}', {})", self.path(), self.value())
                }
            };
        }
        format!("{column} = {expression}")
    }
}

/// A document as the server prints it, in the stream's spelling; no string in the test has a comma or colon.
fn stored(session: &mut Connection, column: &str, id: usize) -> Option<String> {
    let text = session.query_value(&format!("SELECT {column} FROM t WHERE id = {id}")).unwrap();
    text.map(|text| text.replace(", ", ",").replace(": ", ":"))
}

fn story(server: &Database, name: &str, compression: bool) {
    let mut session = database(server.variable(), name);
    session.execute("SET NAMES utf8mb4").unwrap();
    session
        .execute("CREATE TABLE t (id INT PRIMARY KEY, a JSON, n INT NOT NULL, tx TEXT, b JSON, v VARCHAR(9))")
        .unwrap();
    for id in 1..=4 {
        let document = "{\"a\":[1,2,{\"b\":[true,null]}],\"b\":{\"a\":{},\"c\":\"text\"},\"long_key\":\"0123456789\",\"é\":[]}";
        session
            .execute(&format!("INSERT INTO t VALUES ({id}, '{document}', 0, 'tx', '[{document}]', 'v')"))
            .unwrap();
    }
    let connector = Connector::to_files(server, name);
    let process = connector.start_streaming();
    session.execute("SET SESSION binlog_row_value_options = 'PARTIAL_JSON'").unwrap();
    let mut choices = Choices(name.len() as u64);
    let mut expected = Vec::new();
    for number in 1..=250 {
        let id = 1 + choices.below(4);
        let setting = match choices.below(12) {
            0 => "binlog_row_image = 'NOBLOB'",
            1 => "binlog_row_image = 'FULL'",
            2 if compression => "binlog_transaction_compression = ON",
            3 if compression => "binlog_transaction_compression = OFF",
            _ => "binlog_row_value_options = 'PARTIAL_JSON'",
        };
        session.execute(&format!("SET SESSION {setting}")).unwrap();
        let mut changes = vec![format!("n = {number}")];
        match choices.below(8) {
            0 => changes.push(format!("tx = 'text {number}'")),
            1 => changes.push(format!("v = 'v{number}', a = '{{\"whole\":[{number}]}}'")),
            2 => changes.push("b = NULL".to_owned()),
            3 => changes.push(format!("b = COALESCE(b, '[{{\"a\":[1,2]}}]'), {}", choices.change("a"))),
            4 => changes.push(format!("{}, {}", choices.change("a"), choices.change("b"))),
            _ => changes.push(choices.change("a")),
        }
        let statement = format!("UPDATE t SET {} WHERE id = {id}", changes.join(", "));
        // What the server refuses (a document that is too deep, the root that cannot be removed) it does not log.
        if session.execute(&statement).is_ok() {
            expected.push((number, stored(&mut session, "a", id), stored(&mut session, "b", id)));
        }
    }
    assert!(expected.len() > 200, "{} updates", expected.len());
    let records = connector.wait_for_records("t", 4 + expected.len());
    process.terminate().expect(0, &["stopped"]);
    for (record, (number, a, b)) in records.iter().skip(4).zip(&expected) {
        assert_eq!((record.op(), record.cell("n").as_i64()), ("u", Some(*number)));
        for (column, stored) in [("a", a), ("b", b)] {
            assert_eq!(record.cell(column).as_str(), stored.as_deref(), "update {number}, column {column}");
        }
    }
    // Between FULL images what was published after one change is what the next one has before it.
    let partial = session.query_value("SELECT @@session.binlog_row_value_options").unwrap();
    assert_eq!(partial.as_deref(), Some("PARTIAL_JSON"));
}

#[test]
fn documents_are_those_that_the_server_stored() {
    story(&MYSQL97, "partial_json_97", true);
    story(&MYSQL80, "partial_json_80", false);
}

/// Bug 045.
#[test]
fn four_updates_and_a_delete() {
    let name = "partial_json_045";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE pj (id INT PRIMARY KEY, n INT, doc JSON, doc2 JSON)").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    let process = connector.start_streaming();
    // Not captured: nobody's loss.
    let mut other = database(MYSQL97.variable(), "partial_json_elsewhere");
    other.execute("CREATE TABLE t (id INT PRIMARY KEY, v JSON)").unwrap();
    other.execute("INSERT INTO t VALUES (1, JSON_OBJECT('b', REPEAT('b', 99)))").unwrap();
    other.execute("SET SESSION binlog_row_value_options = 'PARTIAL_JSON'").unwrap();
    other.execute("UPDATE t SET v = JSON_SET(v, '$.b', 22)").unwrap();
    for statement in [
        "INSERT INTO pj VALUES (1, 1, JSON_OBJECT('a', REPEAT('p',200), 'b', JSON_ARRAY(1,2,3), 'c', 'keep'), \
         JSON_OBJECT('x',REPEAT('q',100),'y',2)), (2, 2, JSON_OBJECT('a',REPEAT('r',200),'b',JSON_ARRAY(9)), NULL)",
        "SET SESSION binlog_row_value_options = 'PARTIAL_JSON'",
        "UPDATE pj SET doc = JSON_SET(doc, '$.c', 'new') WHERE id = 1",
        "UPDATE pj SET n = 5, doc = JSON_REPLACE(doc, '$.b[1]', 22), doc2 = JSON_REMOVE(doc2, '$.y') WHERE id = 1",
        "UPDATE pj SET doc = JSON_ARRAY_INSERT(doc, '$.b[0]', 'head') WHERE id = 2",
        "UPDATE pj SET doc = JSON_SET(JSON_REMOVE(doc,'$.b'), '$.new', CAST('{\"deep\":[1]}' AS JSON)) WHERE id = 2",
        "SET SESSION binlog_row_value_options = ''",
        "DELETE FROM pj WHERE id = 2",
    ] {
        session.execute(statement).unwrap();
    }
    let records = connector.wait_for_records("pj", 8);
    process.terminate().expect(0, &["stopped"]);
    let (p, q, r) = ("p".repeat(200), "q".repeat(100), "r".repeat(200));
    let documents: Vec<_> =
        records[2..7].iter().map(|r| r.cell("doc").as_str().unwrap().to_owned()).collect();
    assert_eq!(
        documents,
        [
            format!(r#"{{"a":"{p}","b":[1,2,3],"c":"new"}}"#),
            format!(r#"{{"a":"{p}","b":[1,22,3],"c":"new"}}"#),
            format!(r#"{{"a":"{r}","b":["head",9]}}"#),
            format!(r#"{{"a":"{r}","new":{{"deep":[1]}}}}"#),
            format!(r#"{{"a":"{r}","new":{{"deep":[1]}}}}"#),
        ]
    );
    assert_eq!(records[3].cell("doc2"), &format!(r#"{{"x":"{q}"}}"#));
    assert_eq!(records[3].value["before"]["doc"], documents[0]);
    assert_eq!(records[6].op(), "d");
}
