//! A kill at every point between the record of a statement, its entry in the schema history and the stored offset.
//!
//! What is durable at such a point is put together: the offset that was stored behind one statement, and the history as
//! it was being written for a later one, cut behind any of its lines or inside one. From each the connector goes on to
//! the end of the log, and everything must be there once.

use std::fs;

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL97, MYSQL97_NOGTID};
use crate::support::process::{LIMIT, wait_until};

/// Statements that go wrong when they are done twice, or done to the tables of another time.
const STATEMENTS: [&str; 9] = [
    "ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a",
    "RENAME TABLE t TO x, u TO t, x TO u",
    "ALTER TABLE u DROP COLUMN a",
    "CREATE TABLE v LIKE t",
    "ALTER TABLE v ADD a BIGINT FIRST, RENAME TO w",
    "DROP TABLE t, w",
    "CREATE TABLE t (id INT PRIMARY KEY, z VARCHAR(5))",
    "ALTER TABLE t RENAME COLUMN z TO y, ADD z YEAR",
    "CREATE UNIQUE INDEX uy ON t (y)",
];

/// What is durable.
struct Stored {
    offsets: Vec<u8>,
    lengths: Vec<u8>,
    /// Lines of the history.
    lines: usize,
}

impl Stored {
    fn of(connector: &Connector) -> Self {
        let read = |name: &str| fs::read(connector.file(name)).unwrap();
        let lines = fs::read_to_string(connector.file("history.jsonl")).unwrap().lines().count();
        Stored { offsets: read("offsets.dat"), lengths: read("offsets.dat.lengths"), lines }
    }
}

/// Statements and marks in order, as they were published.
fn published(connector: &Connector) -> (Vec<String>, Vec<i64>) {
    let changes = connector.topic(&connector.name);
    let ddl = changes.iter().filter(|record| record.value["source"]["snapshot"] == "false");
    let ddl = ddl.map(|record| record.value["ddl"].as_str().unwrap_or_default().to_owned());
    (ddl.collect(), connector.records("mark").iter().map(|record| record.id()).collect())
}

/// Goes on until the log's end. Of a statement that comes again nothing may be published.
fn go_on(connector: &Connector, session: &mut Connection, marks: &mut i64) {
    let process = connector.start_streaming();
    *marks += 1;
    session.execute(&format!("INSERT INTO mark VALUES ({marks})")).unwrap();
    wait_until("the last mark", LIMIT, || published(connector).1.last() == Some(marks));
    process.terminate().expect(0, &["stopped"]);
}

fn killed_at_every_point(server: &Database, name: &str) {
    let mut session = database(server.variable(), name);
    for table in [
        "t (id INT PRIMARY KEY, a INT, b VARCHAR(5))",
        "u (id INT PRIMARY KEY, c INT)",
        "mark (id INT PRIMARY KEY)",
    ] {
        session.execute(&format!("CREATE TABLE {table}")).unwrap();
    }
    let connector = Connector::to_files(server, name);
    let mut marks = 0;
    go_on(&connector, &mut session, &mut marks);
    let mut stored = vec![Stored::of(&connector)];
    for statement in STATEMENTS {
        session.execute(statement).unwrap();
        go_on(&connector, &mut session, &mut marks);
        stored.push(Stored::of(&connector));
    }
    let (expected, _) = published(&connector);
    let tables = shown(&connector);
    let history = fs::read_to_string(connector.file("history.jsonl")).unwrap();
    let lines: Vec<&str> = history.split_inclusive('\n').collect();
    assert_eq!(expected.len(), STATEMENTS.len() + 3, "two more of RENAME, one more of DROP");

    for (place, at) in stored.iter().enumerate() {
        // As far as the next statement was being written; and all, as where only the offset file was lost.
        let end = stored.get(place + 1).map_or(lines.len(), |later| later.lines);
        for line in (at.lines..=end).chain([lines.len()]) {
            let whole: String = lines[..line].concat();
            let next = lines.get(line).filter(|_| line == at.lines);
            let torn = next.map(|next| &next[..next.len() * (place + 1) / (STATEMENTS.len() + 2)]);
            let torn = torn.map(|torn| format!("{whole}{torn}"));
            for history in [Some(whole), torn].into_iter().flatten() {
                fs::write(connector.file("history.jsonl"), history).unwrap();
                fs::write(connector.file("offsets.dat"), &at.offsets).unwrap();
                fs::write(connector.file("offsets.dat.lengths"), &at.lengths).unwrap();
                go_on(&connector, &mut session, &mut marks);
                let (ddl, seen) = published(&connector);
                let what = format!("{name}: offset of {place}, {line} lines of history");
                assert_eq!(ddl, expected, "{what}");
                assert_eq!(seen, (1..=marks).collect::<Vec<_>>(), "{what}");
                assert_eq!(shown(&connector), tables, "{what}");
            }
        }
    }
}

/// The tables that the history leads to.
fn shown(connector: &Connector) -> Value {
    let ended = connector.history("show", &["--json"]);
    ended.expect(0, &[]);
    let mut shown: Value = serde_json::from_str(&ended.log).unwrap();
    shown["tables"].take()
}

#[test]
fn nothing_is_published_or_applied_twice_after_a_kill() {
    killed_at_every_point(&MYSQL97, "killed_between");
}

#[test]
fn nothing_is_published_or_applied_twice_after_a_kill_without_gtids() {
    killed_at_every_point(&MYSQL97_NOGTID, "killed_between_nogtid");
}
