//! The same small story on every server: snapshot, changes, a key that changes, statements, a truncated table, a restart.

use crate::mysql_server::{data_file, database};
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{Database, MYSQL57, MYSQL80, MYSQL97, MYSQL97_NOGTID};
use crate::support::process::LIMIT;
use crate::support::records::changes;

fn story(server: &Database, name: &str, mode: &str) {
    let mut session = database(server.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), n DECIMAL(8,2))").unwrap();
    session.execute("INSERT INTO t VALUES (1, 'one', 1.5), (2, 'two', NULL)").unwrap();
    let mut connector = Connector::to_files(server, name);
    connector.set("snapshot.mode", mode).set("skipped.operations", "none");
    let snapshot = if mode == "no_data" { "" } else { "r1 r2 " };
    if mode == "initial_only" {
        connector.start().wait(LIMIT).expect(0, &["nothing is left to do"]);
        assert_eq!(changes(&connector.records("t")), snapshot.trim());
        // The stored offset is where a stream would begin.
        session.execute("INSERT INTO t VALUES (3, 'three', 3)").unwrap();
        connector.set("snapshot.mode", "initial");
        let process = connector.start_streaming();
        connector.wait_for_records("t", 3);
        process.terminate().expect(0, &[]);
        assert_eq!(changes(&connector.records("t")), "r1 r2 c3");
        return;
    }
    let process = connector.start_streaming();
    session.execute("INSERT INTO t VALUES (3, 'three', 3)").unwrap();
    session.execute("UPDATE t SET v = 'zwei' WHERE id = 2").unwrap();
    session.execute("DELETE FROM t WHERE id = 1").unwrap();
    let first = snapshot.split_whitespace().count() + 4;
    connector.wait_for_records("t", first);
    process.terminate().expect(0, &["stopped"]);
    session.execute("UPDATE t SET id = 30 WHERE id = 3").unwrap();
    session.execute("ALTER TABLE t ADD COLUMN extra DATETIME(3) DEFAULT '2024-05-06 07:08:09.123'").unwrap();
    session.execute("INSERT INTO t (id, v) VALUES (4, 'four')").unwrap();
    let process = connector.start_streaming();
    session.execute("TRUNCATE TABLE t").unwrap();
    session.execute("INSERT INTO t (id) VALUES (5)").unwrap();
    let records = connector.wait_for_records("t", first + 6);
    process.terminate().expect(0, &["stopped"]);
    let (truncate, others): (Vec<_>, Vec<_>) = records.into_iter().partition(|record| record.op() == "t");
    assert_eq!(changes(&others), format!("{snapshot}c3 u2 d1 -1 d3 -3 c30 c4 c5"));
    assert_eq!(truncate.len(), 1);
    assert_eq!(others[others.len() - 2].cell("extra"), 1_714_979_289_123_i64);
    let statements = connector.topic(name);
    let of = |text: &str| {
        statements.iter().filter(|r| r.value["ddl"].as_str().is_some_and(|ddl| ddl.contains(text))).count()
    };
    assert_eq!((of("ADD COLUMN extra"), of("TRUNCATE")), (1, 0));
}

#[test]
fn gtids_off() {
    story(&MYSQL97_NOGTID, "story_nogtid", "initial");
    story(&MYSQL97_NOGTID, "story_nogtid", "no_data");
    story(&MYSQL97_NOGTID, "story_nogtid", "initial_only");
}

#[test]
fn mysql_97() {
    story(&MYSQL97, "story_97", "initial");
    story(&MYSQL97, "story_97", "no_data");
    story(&MYSQL97, "story_97", "initial_only");
}

#[test]
fn mysql_80() {
    story(&MYSQL80, "story_80", "initial");
    story(&MYSQL80, "story_80", "no_data");
    story(&MYSQL80, "story_80", "initial_only");
}

#[test]
fn mysql_57() {
    story(&MYSQL57, "story_57", "initial");
    story(&MYSQL57, "story_57", "no_data");
    story(&MYSQL57, "story_57", "initial_only");
}

#[test]
fn tls_as_the_mode_says() {
    let name = "tls_run";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let authority = data_file("ca.pem").display().to_string();
    // The server's own certificate names no host.
    let cases = [
        ("disabled", None, None),
        ("preferred", None, None),
        ("required", None, None),
        ("verify_ca", Some(&authority), None),
        ("verify_ca", None, Some("TLS handshake")),
        ("verify_identity", Some(&authority), Some("TLS handshake")),
    ];
    for (mode, authority, said) in cases {
        let mut connector = Connector::to_files(&MYSQL97, name);
        connector.set("database.ssl.mode", mode);
        if let Some(file) = authority {
            connector.set("tidewire.ssl.ca", file);
        }
        match said {
            Some(said) => connector.start().wait(LIMIT).expect(1, &[said]),
            None => connector.start_streaming().terminate().expect(0, &[STREAMING]),
        }
    }
    let mut connector = Connector::to_files(&MYSQL57, name);
    connector.set("database.ssl.mode", "required");
    connector.start().wait(LIMIT).expect(1, &["does not offer TLS"]);
}
