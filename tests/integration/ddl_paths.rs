//! Statements that other change data capture programs stumbled over, each with its rows from the stream of a connector that
//! saw it happen, and from the snapshot of one that came later.

mod alterations;
mod beside_tables;
mod definitions;

use serde_json::{Value, json};

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL97};
use crate::support::records::Record;
use tidewire::source::mysql::Connection;

/// A table with keys and rows.
type Rows = (&'static str, Vec<(Value, Value)>);

/// Statements.
type Sql = &'static [&'static str];

/// One of them. `{db}` in statements is the database, `{db}_b` another one.
struct Case {
    /// The number of the bug.
    number: &'static str,
    properties: &'static [(&'static str, &'static str)],
    statements: &'static [&'static str],
    /// Table, and what the stream gives of it: key, row after the change (of a delete: before).
    stream: Vec<Rows>,
    /// The same for the snapshot.
    snapshot: Vec<Rows>,
    /// The columns of a table's last row in order.
    fields: Option<(&'static str, &'static str)>,
}

fn run(session: &mut Connection, database: &str, statements: &[&str]) {
    for statement in statements {
        let statement = statement.replace("{db}", database);
        session.execute(&statement).unwrap_or_else(|error| panic!("{error}: {statement}"));
    }
}

fn connector(server: &Database, name: &str, properties: &[(&str, &str)]) -> Connector {
    let mut connector = Connector::to_files(server, name);
    connector.set("database.include.list", &format!("{name},{name}_b"));
    for (property, value) in properties {
        connector.set(property, &value.replace("{db}", name));
    }
    connector
}

/// Waits for as many records as are expected, and compares.
fn check(connector: &Connector, path: &str, name: &str, expected: &[Rows]) {
    for (table, rows) in expected {
        let (database, table) = table.split_once('.').unwrap_or(("{db}", table));
        let topic = format!("{}.{}.{table}", connector.prefix, database.replace("{db}", name));
        let records = connector.wait_for_topic(&topic, rows.len());
        let found: Vec<(Value, Value)> = records.iter().map(key_and_row).collect();
        assert_eq!(found.len(), rows.len(), "{name}, {path}: {table}: {found:?}");
        for ((key, row), (wanted_key, wanted)) in found.iter().zip(rows) {
            assert_eq!(key, wanted_key, "{name}, {path}: key of {table} {row}");
            // Of a table with very many columns the expectation names a few.
            for (column, value) in wanted.as_object().expect("a row") {
                assert_eq!(&row[column], value, "{name}, {path}: {table}.{column} of {row}");
            }
            if wanted.as_object().map_or(0, serde_json::Map::len) < 8 {
                assert_eq!(row, wanted, "{name}, {path}: {table}");
            }
        }
    }
}

fn key_and_row(record: &Record) -> (Value, Value) {
    let after = &record.value["after"];
    let row = if after.is_null() { &record.value["before"] } else { after };
    (record.key.clone(), row.clone())
}

fn judge(server: &Database, of: &str, case: &Case) {
    let name = format!("ddl_{}_{of}", case.number);
    let mut session = database(server.variable(), &name);
    run(&mut session, &name, &["DROP DATABASE IF EXISTS {db}_b"]);
    let streaming = connector(server, &name, case.properties);
    let process = streaming.start_streaming();
    run(&mut session, &name, case.statements);
    check(&streaming, "stream", &name, &case.stream);
    process.terminate().expect(0, &["stopped"]);
    let late = connector(server, &name, case.properties);
    let process = late.start_streaming();
    check(&late, "snapshot", &name, &case.snapshot);
    process.terminate().expect(0, &["stopped"]);
    if let Some((table, fields)) = case.fields {
        for connector in [&streaming, &late] {
            let records = connector.records(table);
            let row = &records.last().expect("a record").value["after"];
            let row = if row.is_null() { &records.last().expect("a record").value["before"] } else { row };
            let found: Vec<_> = row.as_object().expect("a row").keys().cloned().collect();
            assert_eq!(found.join(" "), fields, "{name}");
        }
    }
}

fn id(id: i32) -> Value {
    json!({"id": id})
}

/// Bugs 084 and 085: statements while the connector is down are applied where they stand in the log.
#[test]
fn statements_while_the_connector_is_down() {
    let cases: [(&str, Sql, Sql, Sql, Vec<Rows>); 2] = [
        (
            "084",
            &[
                "CREATE TABLE drift (id INT PRIMARY KEY, c1 VARCHAR(10), c2 VARCHAR(10))",
                "INSERT INTO drift VALUES (1,'11','10')",
            ],
            &[
                "INSERT INTO drift VALUES (2,'22','20')",
                "ALTER TABLE drift DROP COLUMN c1, ADD COLUMN c3 VARCHAR(10) NULL FIRST",
                "INSERT INTO drift VALUES ('300',3,'30')",
                "ALTER TABLE drift MODIFY c2 INT NULL, MODIFY c3 INT NULL AFTER c2, ALGORITHM=COPY",
            ],
            &["INSERT INTO drift VALUES (4,44,444)"],
            vec![(
                "drift",
                vec![
                    (id(1), json!({"id": 1, "c1": "11", "c2": "10"})),
                    (id(2), json!({"id": 2, "c1": "22", "c2": "20"})),
                    (id(3), json!({"c3": "300", "id": 3, "c2": "30"})),
                    (id(4), json!({"id": 4, "c2": 44, "c3": 444})),
                ],
            )],
        ),
        (
            "085",
            &[
                "CREATE TABLE rec (id INT PRIMARY KEY, v INT UNSIGNED)",
                "CREATE TABLE gone (id INT PRIMARY KEY, v VARCHAR(5))",
                "INSERT INTO rec VALUES (1, 4294967295)",
                "INSERT INTO gone VALUES (1,'a')",
            ],
            &[
                "INSERT INTO rec VALUES (2, 4294967294)",
                "DELETE FROM gone WHERE id = 1",
                "INSERT INTO gone VALUES (2,'b')",
                "DROP TABLE gone",
                "DROP TABLE rec",
                "CREATE TABLE rec (id CHAR(3) PRIMARY KEY, v ENUM('lo','hi') NOT NULL, w DATE)",
                "INSERT INTO rec VALUES ('x1','hi','2024-05-06')",
            ],
            &["INSERT INTO rec VALUES ('x2','lo',NULL)"],
            vec![
                (
                    "rec",
                    vec![
                        (id(1), json!({"id": 1, "v": 4_294_967_295_u32})),
                        (id(2), json!({"id": 2, "v": 4_294_967_294_u32})),
                        (json!({"id": "x1"}), json!({"id": "x1", "v": "hi", "w": 19849})),
                        (json!({"id": "x2"}), json!({"id": "x2", "v": "lo", "w": null})),
                    ],
                ),
                (
                    "gone",
                    vec![
                        (id(1), json!({"id": 1, "v": "a"})),
                        (id(1), json!({"id": 1, "v": "a"})),
                        (id(2), json!({"id": 2, "v": "b"})),
                    ],
                ),
            ],
        ),
    ];
    for (number, before, while_down, after, expected) in cases {
        let name = format!("ddl_{number}");
        let mut session = database(MYSQL97.variable(), &name);
        run(&mut session, &name, before);
        let connector = connector(&MYSQL97, &name, &[("tombstones.on.delete", "false")]);
        connector.start_streaming().terminate().expect(0, &["stopped"]);
        run(&mut session, &name, while_down);
        let process = connector.start_streaming();
        run(&mut session, &name, after);
        check(&connector, "stream", &name, &expected);
        process.terminate().expect(0, &["stopped"]);
    }
}

/// Bug 094: a statement that is not in the log is noticed at the next row, before a value goes under a wrong name.
#[test]
fn a_statement_that_was_not_logged() {
    let name = "ddl_094";
    let mut session = database(MYSQL97.variable(), name);
    let connector = connector(&MYSQL97, name, &[]);
    let process = connector.start_streaming();
    run(
        &mut session,
        name,
        &[
            "CREATE TABLE slb (id INT PRIMARY KEY, a VARCHAR(5))",
            "INSERT INTO slb VALUES (1,'ok')",
            "SET sql_log_bin = 0",
            "ALTER TABLE slb ADD COLUMN b INT NOT NULL DEFAULT 9 AFTER id",
            "SET sql_log_bin = 1",
            "INSERT INTO slb VALUES (2, 7, 'x')",
        ],
    );
    process
        .wait(crate::support::process::LIMIT)
        .expect(1, &["has 3 columns for table ddl_094.slb", "schema history has 2"]);
    check(&connector, "stream", name, &[("slb", vec![(id(1), json!({"id": 1, "a": "ok"}))])]);
}
