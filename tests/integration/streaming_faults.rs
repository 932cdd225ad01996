//! What must not be published while the log is read stops the connector with its place and remedy; what came before is
//! published, and nothing is told of cell values.

use std::time::Duration;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::MYSQL97;
use crate::support::process::LIMIT;
use crate::support::records::changes;

#[test]
fn statement_format_in_mid_stream() {
    let name = "statement_format";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(40))").unwrap();
    session.execute("CREATE TABLE other (id INT PRIMARY KEY, v VARCHAR(40))").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector.set("table.include.list", "statement_format.t");
    let process = connector.start_streaming();
    session.execute("INSERT INTO t VALUES (1, 'row')").unwrap();
    session.execute("SET SESSION binlog_format = 'STATEMENT'").unwrap();
    // Not captured: this is nobody's loss.
    session.execute("INSERT INTO other VALUES (1, 'any')").unwrap();
    session.execute("INSERT INTO t VALUES (2, 'secret-cell')").unwrap();
    session.execute("SET SESSION binlog_format = 'ROW'").unwrap();
    session.execute("INSERT INTO t VALUES (3, 'row')").unwrap();
    let ended = process.wait(LIMIT);
    ended.expect(1, &["INSERT at binlog.", "table statement_format.t", "SET PERSIST binlog_format = ROW"]);
    assert!(!ended.log.contains("secret-cell"), "{}", ended.log);
    assert_eq!(changes(&connector.records("t")), "c1");
    // It stops there again, and passes over when it is told to.
    connector.start().wait(LIMIT).expect(1, &["binlog_format"]);
    connector.set("event.processing.failure.handling.mode", "warn");
    let process = connector.start_streaming();
    assert_eq!(changes(&connector.wait_for_records("t", 2)), "c1 c3");
    let ended = process.terminate();
    ended.expect(0, &["are passed over"]);
    assert!(!ended.log.contains("secret-cell"), "{}", ended.log);
}

#[test]
fn partial_images_in_mid_stream() {
    let name = "partial_images";
    let mut session = database(MYSQL97.variable(), name);
    let cases = [
        ("MINIMAL", "INSERT INTO {table} (id) VALUES (3)"),
        ("MINIMAL", "UPDATE {table} SET v = 'secret-cell' WHERE id = 1"),
        ("MINIMAL", "DELETE FROM {table} WHERE id = 1"),
    ];
    for (number, (image, statement)) in cases.into_iter().enumerate() {
        let table = format!("t{number}");
        session
            .execute(&format!("CREATE TABLE {table} (id INT PRIMARY KEY, v VARCHAR(40), b BLOB)"))
            .unwrap();
        session.execute(&format!("INSERT INTO {table} VALUES (1, 'x', 'y')")).unwrap();
        let mut connector = Connector::to_files(&MYSQL97, name);
        connector.set("table.include.list", &format!("{name}.{table}"));
        let process = connector.start_streaming();
        session.execute(&format!("INSERT INTO {table} VALUES (2, 'x', 'y')")).unwrap();
        session.execute(&format!("SET SESSION binlog_row_image = '{image}'")).unwrap();
        session.execute(&statement.replace("{table}", &table)).unwrap();
        session.execute("SET SESSION binlog_row_image = 'FULL'").unwrap();
        let ended = process.wait(LIMIT);
        ended.expect(
            1,
            &[&format!("{name}.{table}"), "binlog_row_image", "SET PERSIST binlog_row_image=FULL"],
        );
        assert!(!ended.log.contains("secret-cell"), "{}", ended.log);
        assert_eq!(changes(&connector.records(&table)), "r1 c2");

        // Who wishes so goes on without these rows.
        connector.set("event.processing.failure.handling.mode", "warn");
        let mut process = connector.start_streaming();
        process.wait_for("binlog_row_image is MINIMAL", 1);
        session.execute(&format!("INSERT INTO {table} VALUES (9, 'x', 'y')")).unwrap();
        connector.wait_for_records(&table, 3);
        process.terminate().expect(0, &["stopped"]);
        assert_eq!(changes(&connector.records(&table)), "r1 c2 c9");
    }
}

#[test]
fn a_table_changed_behind_the_log_is_not_mislabelled() {
    let name = "behind_the_log";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR(10))").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    let process = connector.start_streaming();
    session.execute("INSERT INTO t VALUES (1, 2, 'x')").unwrap();
    session.execute("SET SESSION sql_log_bin = 0").unwrap();
    session.execute("ALTER TABLE t ADD c INT AFTER id").unwrap();
    session.execute("SET SESSION sql_log_bin = 1").unwrap();
    session.execute("INSERT INTO t VALUES (2, 3, 4, 'y')").unwrap();
    process.wait(LIMIT).expect(1, &["behind_the_log.t", "sql_log_bin", "binlog."]);
    assert_eq!(changes(&connector.records("t")), "c1");
}

#[test]
fn heartbeats_come_from_an_idle_server() {
    let name = "idle";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    session.execute("CREATE TABLE beats (id INT AUTO_INCREMENT PRIMARY KEY)").unwrap();
    session.execute("GRANT INSERT ON idle.beats TO dbz@'%'").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, name);
    connector
        .set("heartbeat.interval.ms", "300")
        .set("heartbeat.action.query", "INSERT INTO idle.beats VALUES ()")
        .set("database.query.timeout.ms", "5000");
    let process = connector.start_streaming();
    std::thread::sleep(Duration::from_secs(3));
    process.terminate().expect(0, &[]);
    let beats = connector.topic("__debezium-heartbeat.idle");
    assert!((7..=12).contains(&beats.len()), "{} beats in 3 s", beats.len());
    for beat in &beats {
        assert_eq!(beat.key["serverName"], "idle");
        assert!(beat.value["ts_ms"].is_i64(), "{beat:?}");
    }
    assert!(connector.records("beats").len() >= 6);
}
