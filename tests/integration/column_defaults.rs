//! The default in a column's schema is the value that the server stores when the column is left out.
//!
//! Hundreds of definitions, in every spelling of a literal that the server takes: the stream reads the statement as it was
//! written, a snapshot reads what SHOW CREATE TABLE makes of it, and both must come to the stored value. The server is the
//! judge: it says which definitions are valid, and what they mean.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use serde_json::Value;

use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97};
use crate::support::process::{LIMIT, wait_until};

const INTEGERS: &[&str] = &[
    "TINYINT",
    "TINYINT UNSIGNED",
    "SMALLINT",
    "SMALLINT UNSIGNED ZEROFILL",
    "MEDIUMINT",
    "INT",
    "INTEGER UNSIGNED",
    "INT(6) ZEROFILL",
    "BIGINT",
    "BIGINT UNSIGNED",
    "BOOL",
    "BOOLEAN",
];
const INTEGER_LITERALS: &[&str] = &[
    "0",
    "1",
    "-1",
    "+5",
    "007",
    "- 5",
    "1e1",
    "1.5",
    "2.5",
    "-1.5",
    "0x10",
    "x'7f'",
    "b'101'",
    "0b11",
    "true",
    "FALSE",
    "'42'",
    "'-7'",
    "' 42'",
    "'1e1'",
    "'1.5'",
    "_utf8mb4'6'",
    "NULL",
];
const DECIMALS: &[&str] = &[
    "DECIMAL(10,2)",
    "DECIMAL",
    "NUMERIC(5,0)",
    "DECIMAL(65,30)",
    "DECIMAL(8,3) UNSIGNED ZEROFILL",
    "FLOAT",
    "FLOAT(7,3)",
    "FLOAT(30)",
    "DOUBLE",
    "DOUBLE(10,2)",
    "REAL",
    "DOUBLE PRECISION UNSIGNED",
];
const DECIMAL_LITERALS: &[&str] = &[
    "0",
    "1.005",
    "-1.005",
    "1.015",
    "2.5",
    "1e3",
    "1.5e-3",
    "0.1",
    ".5",
    "5.",
    "-0",
    "-0.0",
    "0x10",
    "b'11'",
    "true",
    "'12.345'",
    "'1e2'",
    "' 1.5'",
    "16777217",
    "1.23456789",
    "12345.675",
    "99999.9995",
    "NULL",
];
const BITS: &[&str] = &["BIT", "BIT(1)", "BIT(8)", "BIT(10)", "BIT(64)"];
const BIT_LITERALS: &[&str] = &[
    "b'0'",
    "b'1'",
    "b'101'",
    "0b101",
    "1",
    "5",
    "10",
    "11",
    "0x41",
    "x'ff'",
    "'A'",
    "'1'",
    "true",
    "NULL",
    "b'00001010'",
];
const TEXTS: &[&str] = &[
    "CHAR(12)",
    "VARCHAR(12)",
    "VARCHAR(12) CHARACTER SET latin1",
    "VARCHAR(12) CHARACTER SET utf16",
    "VARCHAR(12) BINARY",
    "NCHAR(12)",
    "NATIONAL VARCHAR(12)",
    "CHAR(12) CHARACTER SET utf32",
    "VARCHAR(12) CHARACTER SET ucs2",
    "TINYTEXT",
    "VARCHAR(12) CHARACTER SET binary",
    "CHAR(12) CHARACTER SET binary",
    "BINARY(6)",
    "VARBINARY(12)",
    "BLOB",
];
const TEXT_LITERALS: &[&str] = &[
    "''",
    "'abc'",
    "'it''s'",
    r"'it\'s'",
    r"'a\\b'",
    r"'a\nb\tc'",
    r"'100\%\_'",
    r"'\0\Z\b\r'",
    "\"dq \"\"x\"\" 'y'\"",
    "'é'",
    "'日本'",
    "'😀'",
    "_utf8mb4'é'",
    "_latin1'abc'",
    "_latin1 0xE9",
    "_utf8mb4 0xC3A9",
    "0xC3A9",
    "0x41",
    "x'4142'",
    "b'01000001'",
    "N'é'",
    "n'q'",
    "_binary'abc'",
    "'a' 'b'",
    "'NULL'",
    "'trail  '",
    "' lead'",
    "123",
    "1.50",
    "-1",
    "1e3",
    "true",
    "0x00FF00",
    "x'000102'",
    "'0x4142'",
    "'current_timestamp'",
    "'`b`'",
    "'/* c */'",
    "'-- c'",
    "';'",
    "NULL",
];
const MEMBERS: &[&str] = &[
    "ENUM('a','b''c','ü','x,y','','1','2')",
    "SET('a','b''c','ü','x y','2')",
    "ENUM('ä','Z') CHARACTER SET latin1",
    "ENUM('a','ü') CHARACTER SET utf16",
    "ENUM('A','B') COLLATE utf8mb4_bin",
];
const MEMBER_LITERALS: &[&str] = &[
    "'a'",
    "'A'",
    "'b''c'",
    "'ü'",
    "'x,y'",
    "''",
    "1",
    "2",
    "'1'",
    "'2'",
    "0x61",
    "x'C3BC'",
    "_latin1 0xFC",
    "'a,ü'",
    "'ü,a'",
    "'a,a'",
    "'Z'",
    "NULL",
];
const DATES: &[&str] = &[
    "DATE",
    "DATETIME",
    "DATETIME(3)",
    "DATETIME(6)",
    "TIMESTAMP NULL",
    "TIMESTAMP(6) NULL",
    "TIMESTAMP(2) NULL",
];
const DATE_LITERALS: &[&str] = &[
    "'2020-02-29'",
    "'2020-2-9'",
    "'20200229'",
    "20200229",
    "'20-02-09'",
    "'200102'",
    "200102",
    "'0000-00-00'",
    "0",
    "'2020-00-00'",
    "'2020/01/02'",
    "'2020.01.02'",
    "DATE'2020-01-02'",
    "'2020-01-02 03:04:05'",
    "'2020-01-02T03:04:05'",
    "'2020-01-02 03:04'",
    "'2020-01-02 03:04:05.123456'",
    "'2020-01-02 03:04:05.9999996'",
    "'2020-01-02 03:04:05.12'",
    "20200102030405",
    "'20200102030405'",
    "'2020-1-2 3:4:5'",
    "'2020-01-02 3'",
    "TIMESTAMP'2020-01-02 03:04:05'",
    "TIMESTAMP'2020-01-02 03:04:05.5'",
    "'2020@01@02 03*04*05'",
    "20200102030405.5",
    "'70-01-02 03:04:05'",
    "'9999-12-31'",
    "'9999-12-31 23:59:59'",
    "'0001-01-01'",
    "'1000-01-01'",
    "'1970-01-01 00:00:01'",
    "'2038-01-19 03:14:07'",
    "'2020-01-02 03:04:05+02:00'",
    "'2020-01-02 03:04:05.5-10:30'",
    "700102",
    "'20200102T030405'",
    "NULL",
];
const TIMES: &[&str] = &["TIME", "TIME(3)", "TIME(6)"];
const TIME_LITERALS: &[&str] = &[
    "'10:11:12'",
    "'-838:59:59'",
    "'1 02:03:04'",
    "'10:11'",
    "101112",
    "'101112'",
    "'10:11:12.5555'",
    "'10:11:12.9999999'",
    "10.5",
    "'-00:00:01'",
    "TIME'10:11:12'",
    "TIME'-10:11:12.5'",
    "0",
    "'1:2:3'",
    "'34'",
    "'2 10'",
    "'-1 1:1:1.5'",
    "-12",
    "'1112'",
    "'838:59:59'",
    "12.25",
    "NULL",
];
const YEARS: &[&str] = &["YEAR", "YEAR(4)"];
const YEAR_LITERALS: &[&str] = &[
    "'2020'", "2020", "'70'", "70", "'69'", "0", "'0'", "'00'", "00", "'0000'", "0000", "1", "99", "'1901'",
    "2155", "NULL",
];

const KINDS: &[(&[&str], &[&str])] = &[
    (INTEGERS, INTEGER_LITERALS),
    (DECIMALS, DECIMAL_LITERALS),
    (BITS, BIT_LITERALS),
    (TEXTS, TEXT_LITERALS),
    (MEMBERS, MEMBER_LITERALS),
    (DATES, DATE_LITERALS),
    (TIMES, TIME_LITERALS),
    (YEARS, YEAR_LITERALS),
];

/// The tables, by name, each with what its columns `c0`, `c1`… were declared as. The server says which declarations are
/// valid.
type Tables = BTreeMap<String, Vec<String>>;

fn create(session: &mut Connection) -> Tables {
    let mut tables = Tables::new();
    for (data_type, literals) in
        KINDS.iter().flat_map(|(types, literals)| types.iter().map(move |data_type| (data_type, literals)))
    {
        let mut valid = Vec::new();
        for literal in *literals {
            let declared = format!("{data_type} DEFAULT {literal}");
            if session.execute(&format!("CREATE TEMPORARY TABLE probe (c {declared})")).is_ok() {
                session.execute("DROP TEMPORARY TABLE probe").expect("the end of the probe");
                valid.push(declared);
            }
        }
        let table = format!("t{:02}", tables.len());
        let columns = valid.iter().enumerate().map(|(number, declared)| format!(", c{number} {declared}"));
        let columns: String = columns.collect();
        session.execute(&format!("CREATE TABLE {table} (id INT PRIMARY KEY{columns})")).expect("a table");
        session.execute(&format!("INSERT INTO {table} (id) VALUES (1)")).expect("a row of defaults");
        tables.insert(table, valid);
    }
    tables
}

/// The first record of a table.
fn first_record(connector: &Connector, table: &str) -> Option<Value> {
    let topic = format!("{}.{}.{table}.jsonl", connector.prefix, connector.name);
    let text = fs::read_to_string(connector.file("records").join(topic)).ok()?;
    let line = text.split_inclusive('\n').next().filter(|line| line.ends_with('\n'))?;
    let record: Value = serde_json::from_str(line).expect("a record");
    Some(serde_json::from_str(record["value"].as_str().expect("a value")).expect("JSON"))
}

/// An instant without the zeros at the end of its fraction, which a snapshot does not print.
fn shortest(instant: &Value) -> Value {
    let Some((whole, fraction)) =
        instant.as_str().and_then(|text| text.trim_end_matches('Z').split_once('.'))
    else {
        return instant.clone();
    };
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{whole}{point}{fraction}Z").into()
}

/// A FLOAT as the schema can have it: SHOW CREATE TABLE prints six digits, and FLOAT(M,D) is published as a DOUBLE.
fn single(number: &Value, path: &str) -> Value {
    match number.as_f64() {
        Some(number) if path == "snapshot" => format!("{number:.5e}").into(),
        Some(number) => Value::from(number as f32),
        None => Value::Null,
    }
}

/// Holds the default in the schema against the value in the row, for all columns; what differs.
fn differences(path: &str, tables: &Tables, connector: &Connector) -> String {
    let mut out = String::new();
    for (table, columns) in tables {
        let record = first_record(connector, table).unwrap_or_else(|| panic!("no record of {table}"));
        for (number, declared) in columns.iter().enumerate() {
            let field = &record["schema"]["fields"][1]["fields"][number + 1];
            let name = format!("c{number}");
            assert_eq!(field["field"], name);
            let (mut default, mut stored) =
                (field["default"].clone(), record["payload"]["after"][&name].clone());
            if field["name"] == "io.debezium.time.ZonedTimestamp" {
                (default, stored) = (shortest(&default), shortest(&stored));
            }
            if declared.starts_with("FLOAT") {
                (default, stored) = (single(&default, path), single(&stored, path));
            }
            if default != stored {
                writeln!(out, "{path}: {declared}: the schema has {default}, the row {stored}")
                    .expect("a line");
            }
        }
    }
    out
}

fn schema_defaults_are_stored_values(server: &Database, name: &str) {
    let mut session = database(server.variable(), name);
    let connector = |mode: &str| {
        let mut connector = Connector::to_files(server, name);
        connector
            .set("snapshot.mode", mode)
            .set("value.converter.schemas.enable", "true")
            .set("value.converter.replace.null.with.default", "false");
        connector
    };
    let streaming = connector("no_data");
    let mut process = streaming.start_streaming();
    session.execute("SET SESSION sql_mode='', time_zone='+00:00'").expect("the session's modes");
    let tables = create(&mut session);
    let count: usize = tables.values().map(Vec::len).sum();
    assert!(count > 500, "the server took {count} definitions only");
    wait_until("the streamed rows", LIMIT, || {
        assert!(process.is_running(), "{}", process.log());
        tables.keys().all(|table| first_record(&streaming, table).is_some())
    });
    process.terminate().expect(0, &[]);
    let mut snapshot = connector("initial_only");
    snapshot.set("database.initial.statements", "SET SESSION sql_mode='ANSI_QUOTES,PAD_CHAR_TO_FULL_LENGTH'");
    snapshot.start().wait(LIMIT).expect(0, &[]);
    let wrong = differences("stream", &tables, &streaming) + &differences("snapshot", &tables, &snapshot);
    assert!(wrong.is_empty(), "{count} definitions on two paths, {} wrong:\n{wrong}", wrong.lines().count());
}

#[test]
fn mysql_97() {
    schema_defaults_are_stored_values(&MYSQL97, "defaults_97");
}

#[test]
fn mysql_80() {
    schema_defaults_are_stored_values(&MYSQL80, "defaults_80");
}

#[test]
fn mysql_57() {
    schema_defaults_are_stored_values(&MYSQL57, "defaults_57");
}
