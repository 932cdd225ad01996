//! No room for the temporary file of an XA transaction's rows.

use std::process::Command;

use crate::mysql_server::database;
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{MYSQL97, variable};
use crate::support::process::Process;

const ROWS: i64 = 400;

/// A limit on the size of files stops a write in the middle of an event, as a full disk does; then there is room again.
#[test]
fn an_xa_transaction_without_room_for_its_rows_is_waited_for() {
    let name = "full_spill";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    let [worker, path] = connector.write_files();
    let mut limited = Command::new("bash");
    let script = r#"trap "" XFSZ; ulimit -S -f 1500; exec "$0" run --worker "$1" "$2""#;
    limited.args(["-c", script, &variable("TIDEWIRE_BIN"), &worker, &path]);
    let mut process = Process::start(limited, &connector.file("log"));
    process.wait_for(STREAMING, 1);
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
    assert_eq!(ids(&connector), [0]);
    let id = process.id().to_string();
    let raised = Command::new("prlimit").args(["--fsize=unlimited:", "--pid", &id]).status().unwrap();
    assert!(raised.success());
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
    assert_eq!(ids(&connector), expected);
}

fn ids(connector: &Connector) -> Vec<i64> {
    connector.records("t").iter().map(|record| record.id()).collect()
}
