//! Text in any character set gives the same record from the stream as from a snapshot: values, names, labels, defaults.

use serde_json::{Value, json};

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97};
use tidewire::source::mysql::Connection;

/// The rows of the records of a table: after the change each, from a connector that saw the statements happen, and
/// from the snapshot of one that came later.
fn both(
    server: &Database,
    name: &str,
    tables: &[(&str, usize)],
    act: impl FnOnce(&mut Connection),
) -> [Vec<Vec<Value>>; 2] {
    let mut session = database(server.variable(), name);
    let streaming = Connector::to_files(server, name);
    let rows = |connector: &Connector, count: Option<usize>, table: &str| -> Vec<Value> {
        let records = connector.wait_for_records(table, count.unwrap_or(1));
        records.iter().map(|record| record.value["after"].clone()).collect()
    };
    let process = streaming.start_streaming();
    act(&mut session);
    let stream = tables.iter().map(|(table, count)| rows(&streaming, Some(*count), table)).collect();
    process.terminate().expect(0, &["stopped"]);
    let late = Connector::to_files(server, name);
    let process = late.start_streaming();
    let snapshot = tables.iter().map(|(table, _)| rows(&late, None, table)).collect();
    process.terminate().expect(0, &["stopped"]);
    [stream, snapshot]
}

fn run(session: &mut Connection, statements: &[&str]) {
    for statement in statements {
        session.execute(statement).unwrap_or_else(|error| panic!("{error}: {statement}"));
    }
}

/// Bug 060: latin1 is Windows-1252 with five control characters.
#[test]
fn latin1_is_windows_1252() {
    let [stream, snapshot] = both(&MYSQL97, "charset_060", &[("l1", 3)], |session| {
        run(
            session,
            &[
                "CREATE TABLE l1 (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET latin1, c CHAR(5) CHARACTER SET latin1, \
             t TEXT CHARACTER SET latin1, k VARCHAR(10) CHARACTER SET latin1 NOT NULL, UNIQUE KEY (k))",
                "INSERT INTO l1 VALUES (1,'Lüftung €','ñ','“q” œ Ž','é'),(2,CONVERT(X'818D8F909D' USING latin1),\
             CONVERT(X'80' USING latin1),CONVERT(X'A0FF' USING latin1),'ÿ')",
                "UPDATE l1 SET v='naïve' WHERE k='é'",
            ],
        );
    });
    let first = json!({"id": 1, "v": "Lüftung €", "c": "ñ", "t": "“q” œ Ž", "k": "é"});
    let second = json!({"id": 2, "v": "\u{81}\u{8d}\u{8f}\u{90}\u{9d}", "c": "€", "t": "\u{a0}ÿ", "k": "ÿ"});
    let updated = json!({"id": 1, "v": "naïve", "c": "ñ", "t": "“q” œ Ž", "k": "é"});
    assert_eq!(stream[0], [first, second.clone(), updated.clone()]);
    assert_eq!(snapshot[0], [updated, second]);
}

/// Bug 061: sets of several bytes.
#[test]
fn multibyte_sets() {
    for (server, name) in
        [(&MYSQL97, "charset_061_97"), (&MYSQL80, "charset_061_80"), (&MYSQL57, "charset_061_57")]
    {
        let texts = [
            ("gbk", "测试"),
            ("gb18030", "测试😀"),
            ("big5", "功許"),
            ("sjis", "ソ表"),
            ("cp932", "①髙"),
            ("euckr", "한글"),
            ("ujis", "日本"),
            ("utf16", "😀é"),
            ("utf32", "😀é"),
            ("ucs2", "é測"),
            ("koi8r", "Привет"),
            ("cp1251", "Ёж"),
            ("utf16le", "a😀"),
            ("greek", "αβγ"),
            ("hebrew", "שלום"),
            ("tis620", "ไทย"),
            ("armscii8", "Բարի"),
            ("geostd8", "გამარჯობა"),
            ("hp8", "éñü"),
            ("keybcs2", "žluť"),
            ("swe7", "Åäö"),
            ("koi8u", "Привіт"),
            ("eucjpms", "～－"),
            ("macce", "žluť"),
            ("dec8", "éü"),
        ];
        let columns: Vec<_> =
            texts.iter().map(|(set, _)| format!("{set} VARCHAR(20) CHARACTER SET {set}")).collect();
        let labels: Vec<_> = texts
            .iter()
            .map(|(set, text)| format!("e_{set} ENUM('{text}') CHARACTER SET {set} DEFAULT '{text}'"))
            .collect();
        let values: Vec<_> = texts.iter().map(|(_, text)| format!("'{text}'")).collect();
        let names: Vec<_> = texts.iter().map(|(set, _)| *set).collect();
        let [stream, snapshot] = both(server, name, &[("mb", 1)], |session| {
            run(
                session,
                &[
                    &format!(
                        "CREATE TABLE mb (id INT PRIMARY KEY, {}, {})",
                        columns.join(", "),
                        labels.join(", ")
                    ),
                    &format!("INSERT INTO mb (id, {}) VALUES (1, {})", names.join(", "), values.join(", ")),
                ],
            );
        });
        for (set, text) in texts {
            assert_eq!(stream[0][0][set], text, "{name}: {set}");
            assert_eq!(stream[0][0][format!("e_{set}")], text, "{name}: labels of {set}");
        }
        assert_eq!(stream, snapshot, "{name}");
    }
}

/// Bug 063: the server reads a statement in the client's set, so the labels and names here are those of mojibake.
#[test]
fn statements_are_read_in_the_clients_set() {
    let [stream, snapshot] = both(&MYSQL97, "charset_063", &[("ddlcs", 3)], |session| {
        run(
            session,
            &[
                "SET NAMES latin1",
                "CREATE TABLE ddlcs (id INT PRIMARY KEY, e ENUM('é','b') CHARACTER SET utf8mb4, `col_ü` INT COMMENT 'ö') \
             CHARACTER SET latin1",
                "INSERT INTO ddlcs VALUES (1, 1, 5)",
                "SET NAMES utf8mb4",
                "INSERT INTO ddlcs VALUES (2, 2, 6)",
                "ALTER TABLE ddlcs ADD COLUMN f ENUM('ñ','€') CHARACTER SET latin1",
                "INSERT INTO ddlcs VALUES (3, 1, 7, '€')",
            ],
        );
    });
    let row =
        |id: i32, e: &str, col: i32, f: Value| json!({"id": id, "e": e, "col_\u{c3}\u{bc}": col, "f": f});
    let third = row(3, "\u{c3}\u{a9}", 7, json!("€"));
    let before = |id: i32, e: &str, col: i32| json!({"id": id, "e": e, "col_\u{c3}\u{bc}": col});
    assert_eq!(stream[0], [before(1, "\u{c3}\u{a9}", 5), before(2, "b", 6), third.clone()]);
    assert_eq!(snapshot[0], [row(1, "\u{c3}\u{a9}", 5, Value::Null), row(2, "b", 6, Value::Null), third]);
}

/// Bug 064: CONVERT TO is for the columns that are there, DEFAULT CHARSET for those that come.
#[test]
fn converted_tables() {
    let [stream, snapshot] = both(&MYSQL97, "charset_064", &[("conv", 3)], |session| {
        run(
            session,
            &[
                "CREATE TABLE conv (id INT PRIMARY KEY, a VARCHAR(20), t TEXT, b BLOB, e ENUM('y','x')) CHARACTER SET latin1",
                "INSERT INTO conv VALUES (1,'é','ü',X'E9','y')",
                "ALTER TABLE conv CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci",
                "INSERT INTO conv VALUES (2,'😀','日',X'F0','y')",
                "ALTER TABLE conv DEFAULT CHARSET = cp1251",
                "ALTER TABLE conv ADD COLUMN n VARCHAR(10)",
                "INSERT INTO conv VALUES (3,'😀','日',X'F0','x','Ж')",
            ],
        );
    });
    let row = |id: i32, a: &str, t: &str, b: &str, e: &str| json!({"id": id, "a": a, "t": t, "b": b, "e": e});
    let with = |mut row: Value, n: Value| {
        row["n"] = n;
        row
    };
    let third = with(row(3, "😀", "日", "8A==", "x"), json!("Ж"));
    let (first, second) = (row(1, "é", "ü", "6Q==", "y"), row(2, "😀", "日", "8A==", "y"));
    assert_eq!(stream[0], [first.clone(), second.clone(), third.clone()]);
    assert_eq!(snapshot[0], [with(first, Value::Null), with(second, Value::Null), third]);
}

/// Sends a statement in a client's set, whatever its bytes: the server converts the text when it prepares it.
fn in_set(session: &mut Connection, charset: &str, statement: &str) {
    let hex: String = statement.bytes().map(|byte| format!("{byte:02X}")).collect();
    run(
        session,
        &[
            &format!("SET NAMES {charset}"),
            &format!("SET @statement = _utf8mb4 x'{hex}'"),
            "PREPARE p FROM @statement",
            "EXECUTE p",
            "DEALLOCATE PREPARE p",
            "SET NAMES utf8mb4",
        ],
    );
}

/// Names, labels, defaults and comments of statements in all sets that a client may have, also with characters whose last
/// byte is a backslash; and of statements that the server writes itself.
#[test]
fn definitions_in_any_set() {
    let texts = [
        ("latin1", "é"),
        ("latin2", "ž"),
        ("cp1251", "Ж"),
        ("koi8r", "Ж"),
        ("greek", "Ω"),
        ("hebrew", "ש"),
        ("tis620", "ก"),
        ("sjis", "ソ表"),
        ("cp932", "ソ①"),
        ("gbk", "誠"),
        ("big5", "功許"),
        ("euckr", "한글"),
        ("ujis", "日本"),
        ("eucjpms", "日本"),
        ("gb18030", "测"),
        ("utf8mb3", "日"),
        ("armscii8", "Բ"),
        ("binary", "日"),
    ];
    for (server, name) in [(&MYSQL97, "charset_ddl_97"), (&MYSQL57, "charset_ddl_57")] {
        let mut tables: Vec<(String, usize)> = texts.iter().map(|(set, _)| (format!("t_{set}"), 1)).collect();
        tables.extend([("copy".to_owned(), 1), ("literals".to_owned(), 1)]);
        let tables: Vec<_> = tables.iter().map(|(table, count)| (table.as_str(), *count)).collect();
        let [stream, snapshot] = both(server, name, &tables, |session| {
            for (set, text) in texts {
                let named = if set == "utf8mb3" { "utf8" } else { set };
                // To such a client's literals no set but the column's is known: nothing is converted.
                let other = if set == "binary" { "utf8mb3" } else { "utf16" };
                in_set(
                    session,
                    named,
                    &format!(
                        "CREATE TABLE t_{set} (id INT PRIMARY KEY, `{text}` INT COMMENT '{text}', e ENUM('x','{text}'), \
                     s SET('{text}') CHARACTER SET {other}, v VARCHAR(9) NOT NULL DEFAULT '{text}') CHARACTER SET utf8mb4"
                    ),
                );
                run(session, &[&format!("INSERT INTO t_{set} (id, e, s) VALUES (1, 2, 1)")]);
            }
            in_set(
                session,
                "latin1",
                "CREATE TEMPORARY TABLE model (id INT PRIMARY KEY, `é` ENUM('x','ü')) CHARACTER SET utf8mb4",
            );
            in_set(session, "latin1", "CREATE TABLE copy LIKE model");
            run(
                session,
                &[
                    "INSERT INTO copy VALUES (1, 2)",
                    "CREATE TABLE literals (id INT PRIMARY KEY, e ENUM(x'E9',0x61,b'01100010') CHARACTER SET latin1, \
                 u ENUM(x'E9') CHARACTER SET utf16, a VARCHAR(9) CHARACTER SET ucs2 NOT NULL DEFAULT x'61', \
                 b VARCHAR(9) CHARACTER SET utf8 NOT NULL DEFAULT _latin1 x'E9', \
                 c VARCHAR(9) CHARACTER SET latin1 NOT NULL DEFAULT _utf8'é', \
                 d VARCHAR(9) CHARACTER SET utf8mb4 NOT NULL DEFAULT _latin1'é', n NCHAR(3) NOT NULL DEFAULT N'é', \
                 f VARCHAR(9) CHARACTER SET cp1250 NOT NULL DEFAULT x'B9') CHARACTER SET koi8r",
                    "INSERT INTO literals (id, e, u) VALUES (1, 1, 1)",
                ],
            );
        });
        for (rows, (set, text)) in stream.iter().zip(texts) {
            assert_eq!(
                rows[0],
                json!({"id": 1, text: null, "e": text, "s": text, "v": text}),
                "{name}: {set}"
            );
        }
        assert_eq!(stream[texts.len()][0], json!({"id": 1, "é": "ü"}), "{name}");
        let literals =
            json!({"id": 1, "e": "é", "u": "é", "a": "a", "b": "é", "c": "é", "d": "Ã©", "n": "é", "f": "ą"});
        assert_eq!(stream[texts.len() + 1][0], literals, "{name}");
        for ((of_stream, of_snapshot), (table, _)) in stream.iter().zip(&snapshot).zip(&tables) {
            assert_eq!(of_stream, of_snapshot, "{name}: {table}");
        }
    }
}
