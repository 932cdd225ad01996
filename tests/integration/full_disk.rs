//! No room for a file: a limit on the size of files stops a write in its middle, as a full disk does; then there is room again.

use std::process::Command;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::MYSQL97;
use crate::support::process::Process;

const ROWS: i64 = 400;

/// There is room again.
fn unlimit(process: &Process) {
    let id = process.id().to_string();
    let raised = Command::new("prlimit").args(["--fsize=unlimited:", "--pid", &id]).status().unwrap();
    assert!(raised.success());
}

#[test]
fn an_xa_transaction_without_room_for_its_rows_is_waited_for() {
    let name = "full_spill";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    let mut process = connector.start_limited(1500);
    session.execute("INSERT INTO t VALUES (0, 'before')").unwrap();
    session.execute("XA START 'full_spill'").unwrap();
    for id in 1..=ROWS {
        session.execute(&format!("INSERT INTO t VALUES ({id}, REPEAT('x', 10000))")).unwrap();
    }
    for statement in ["XA END 'full_spill'", "XA PREPARE 'full_spill'", "XA COMMIT 'full_spill'"] {
        session.execute(statement).unwrap();
    }
    session.execute("INSERT INTO t VALUES (1000, 'behind')").unwrap();
    process.wait_for("the connector starts again", 2);
    // What was before it is there, and nothing of it.
    assert_eq!(connector.ids("t"), [0]);
    unlimit(&process);
    connector.wait_for_records("t", ROWS as usize + 2);
    process.terminate().expect(
        0,
        &[
            "the rows of the XA transaction that begins at binlog.",
            "cannot be kept in a temporary file",
            "File too large",
            "make room in the system's temporary folder",
        ],
    );
    let expected: Vec<i64> = (0..=ROWS).chain([1000]).collect();
    assert_eq!(connector.ids("t"), expected);
}

/// Statements are stored whole, once, and in front of the rows behind them.
#[test]
fn a_history_without_room_is_waited_for() {
    let name = "full_history";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("include.schema.changes", "false");
    let mut process = connector.start_limited(60);
    let statements: Vec<String> =
        (1..=40).map(|id| format!("ALTER TABLE t COMMENT = '{id} {}'", "x".repeat(2_000))).collect();
    for (id, statement) in (1..).zip(&statements) {
        session.execute(statement).unwrap();
        session.execute(&format!("INSERT INTO t VALUES ({id})")).unwrap();
    }
    process.wait_for("the connector starts again", 2);
    let before = connector.ids("t");
    assert!(!before.is_empty() && before.len() < statements.len(), "{before:?}");
    unlimit(&process);
    connector.wait_for_records("t", statements.len());
    process.terminate().expect(0, &["history.jsonl", "File too large", "raise the limit"]);
    assert_eq!(connector.ids("t"), (1..=40).collect::<Vec<i64>>());
    let history = std::fs::read_to_string(connector.file("history.jsonl")).unwrap();
    let streamed: Vec<serde_json::Value> = history
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|record| record["position"]["snapshot"].is_null())
        .collect();
    let stored: Vec<&str> = streamed.iter().filter_map(|record| record["ddl"].as_str()).collect();
    assert_eq!(stored, statements);
}

/// A stop does not wait for room, and the next start goes on where the room has ended.
#[test]
fn a_stop_without_room_ends_in_time() {
    let name = "full_stop";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    let mut process = connector.start_limited(100);
    for id in 1..=ROWS {
        session.execute(&format!("INSERT INTO t VALUES ({id}, REPEAT('x', 1000))")).unwrap();
    }
    process.wait_for("the connector starts again", 2);
    let ended = process.terminate();
    assert!(ended.log.contains("File too large"), "{}", ended.log);
    // Those that are there have an offset behind them, which may be none.
    let before = connector.ids("t");
    assert!(before.len() < ROWS as usize && before.iter().copied().eq(1..=before.len() as i64), "{before:?}");
    let process = connector.start_streaming();
    connector.wait_for_records("t", ROWS as usize);
    process.terminate().expect(0, &["stopped"]);
    assert_eq!(connector.ids("t"), (1..=ROWS).collect::<Vec<i64>>());
}
