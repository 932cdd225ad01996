//! What is wrong at a start is told with its remedy, ends the process with the right code, and shows no password.

use crate::mysql_server::{account, database, root};
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{MYSQL97, MYSQL97_RESTARTED};
use crate::support::process::{LIMIT, Process, tidewire};
use crate::support::restarted;

/// A database with a table of one row.
fn shop(name: &str) -> Connector {
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))").unwrap();
    session.execute("INSERT INTO t VALUES (1, 'one')").unwrap();
    Connector::to_files(&MYSQL97, name)
}

#[test]
fn a_wrong_password_is_fatal_and_not_shown() {
    let mut connector = shop("wrong_password");
    connector.set("database.password", "hunter2-secret");
    let ended = connector.start().wait(LIMIT);
    ended.expect(1, &["1045", "dbz", "connector wrong_password failed", "database.password"]);
    assert!(!ended.log.contains("hunter2"), "{}", ended.log);
}

#[test]
fn an_unreachable_host_is_waited_for() {
    let cases = [
        ("127.0.0.1", "1", "cannot connect to mysql server 127.0.0.1:1"),
        ("no.such.host.invalid", "3306", "cannot resolve"),
    ];
    for (index, (host, port, said)) in cases.into_iter().enumerate() {
        let mut connector = Connector::to_files(&MYSQL97, &format!("unreachable{index}"));
        connector.set("database.hostname", host).set("database.port", port);
        let mut process = connector.start();
        process.wait_for("the connector starts again", 2);
        let ended = process.terminate();
        ended.expect(0, &[said, "check database.hostname"]);
        // With an end to its patience it ends.
        connector.set("errors.max.retries", "1").set("retriable.restart.connector.wait.ms", "100");
        connector.start().wait(LIMIT).expect(1, &[said]);
    }
}

#[test]
fn an_unknown_property_is_a_warning_with_the_nearest_name_and_a_finding_of_validate() {
    let mut connector = shop("unknown_property");
    connector.set("snapshot.mod", "initial").set("snapshot.mode", "initial_only");
    connector.start().wait(LIMIT).expect(0, &["snapshot.mod", "snapshot.mode", "WARN"]);
    let [worker, path] = connector.write_files();
    let log = connector.file("validate.log");
    let validate = || {
        let command = tidewire(["validate", "--worker", &worker, &path]);
        Process::start(command, &log).wait(LIMIT)
    };
    validate().expect(2, &["snapshot.mod", "snapshot.mode", "validate: 1 problem"]);
    connector.properties.remove("snapshot.mod");
    connector.write_files();
    validate().expect(0, &["validate: ok"]);
}

#[test]
fn wrong_values_and_arguments_end_with_code_2() {
    let mut connector = shop("wrong_values");
    connector.set("snapshot.mode", "initiall").set("max.batch.size", "many");
    connector.start().wait(LIMIT).expect(2, &["snapshot.mode", "initial", "max.batch.size", "2 problems"]);
    let log = connector.file("log");
    Process::start(tidewire(["run", "/no/such/file.json"]), &log)
        .wait(LIMIT)
        .expect(2, &["/no/such/file.json"]);
    Process::start(tidewire(["walk"]), &log).wait(LIMIT).expect(2, &["walk"]);
    Process::start(tidewire(["--version"]), &log).wait(LIMIT).expect(0, &["tidewire 0."]);
}

#[test]
fn each_missing_privilege_is_named() {
    let connector = shop("privileges");
    let all =
        ["SELECT", "RELOAD", "SHOW DATABASES", "REPLICATION SLAVE", "REPLICATION CLIENT", "LOCK TABLES"];
    for missing in ["SELECT", "REPLICATION SLAVE", "REPLICATION CLIENT"] {
        let user = format!("lacks_{}", missing.replace(' ', "_").to_lowercase());
        let mut session = account(MYSQL97.variable(), &user, "caching_sha2_password", "pw-7261");
        let granted: Vec<&str> = all.into_iter().filter(|privilege| *privilege != missing).collect();
        session.execute(&format!("GRANT {} ON *.* TO '{user}'@'%'", granted.join(", "))).unwrap();
        let mut lacking = Connector::to_files(&MYSQL97, &connector.name);
        lacking.set("database.user", &user).set("database.password", "pw-7261");
        let ended = lacking.start().wait(LIMIT);
        ended.expect(1, &[missing, &format!("GRANT {missing} ON *.* TO '{user}'")]);
        assert!(!ended.log.contains("pw-7261"), "{}", ended.log);
        assert!(lacking.records("t").is_empty());
        session.execute(&format!("DROP USER '{user}'@'%'")).unwrap();
    }
}

#[test]
fn without_reload_the_tables_are_locked_and_without_select_on_a_table_it_is_named() {
    let mut connector = shop("lock_tables");
    let mut session = account(MYSQL97.variable(), "lacks_reload", "caching_sha2_password", "pw");
    session
        .execute("GRANT SELECT, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT, LOCK TABLES ON *.* TO lacks_reload@'%'")
        .unwrap();
    connector
        .set("database.user", "lacks_reload")
        .set("database.password", "pw")
        .set("snapshot.mode", "initial_only");
    connector.start().wait(LIMIT).expect(0, &["the captured tables are locked instead", "table locks"]);
    assert_eq!(connector.records("t").len(), 1);

    // SELECT on another database only.
    let mut session = account(MYSQL97.variable(), "elsewhere", "caching_sha2_password", "pw");
    session
        .execute(
            "GRANT RELOAD, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO elsewhere@'%'",
        )
        .unwrap();
    session.execute("GRANT SELECT ON lock_nothing.* TO elsewhere@'%'").unwrap();
    let mut connector = Connector::to_files(&MYSQL97, "lock_tables");
    connector.set("database.user", "elsewhere").set("database.password", "pw");
    let ended = connector.start().wait(LIMIT);
    ended.expect(1, &["lock_tables", "SELECT"]);
    for user in ["lacks_reload", "elsewhere"] {
        session.execute(&format!("DROP USER '{user}'@'%'")).unwrap();
    }
}

#[test]
fn statement_format_and_partial_images_are_refused_at_the_start() {
    let _server = restarted::mysql();
    let name = "wrong_settings";
    let mut session = database(MYSQL97_RESTARTED.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))").unwrap();
    let connector = Connector::to_files(&MYSQL97_RESTARTED, name);
    let cases = [
        ("binlog_format", "STATEMENT", "ROW"),
        ("binlog_format", "MIXED", "ROW"),
        ("binlog_row_image", "MINIMAL", "FULL"),
    ];
    for (variable, wrong, right) in cases {
        session.execute(&format!("SET GLOBAL {variable} = '{wrong}'")).unwrap();
        let ended = connector.start().wait(LIMIT);
        session.execute(&format!("SET GLOBAL {variable} = '{right}'")).unwrap();
        ended.expect(1, &[variable, wrong, &format!("SET PERSIST {variable} = {right}")]);
        assert!(!connector.file("offsets.dat").exists());
    }
    session.execute("SET GLOBAL binlog_row_image = 'NOBLOB'").unwrap();
    let mut process = connector.start_streaming();
    session.execute("SET GLOBAL binlog_row_image = 'FULL'").unwrap();
    process.wait_for("unavailable.value.placeholder", 1);
    process.terminate().expect(0, &["stopped"]);
}

#[test]
fn an_offset_without_its_history_or_its_binlog_is_refused() {
    let server = restarted::mysql();
    let name = "lost_past";
    let variable = MYSQL97_RESTARTED.variable();
    let mut session = database(variable, name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let connector = Connector::to_files(&MYSQL97_RESTARTED, name);
    connector.start_streaming().terminate().expect(0, &[]);

    let history = connector.file("history.jsonl");
    let kept = std::fs::read(&history).unwrap();
    std::fs::remove_file(&history).unwrap();
    connector.start().wait(LIMIT).expect(1, &["schema history", "remove the stored offset"]);
    std::fs::write(&history, "").unwrap();
    connector.start().wait(LIMIT).expect(1, &["schema history", "remove the stored offset"]);
    std::fs::write(&history, kept).unwrap();

    session.execute("INSERT INTO t VALUES (1)").unwrap();
    session.execute("FLUSH BINARY LOGS").unwrap();
    let logs = session.query("SHOW BINARY LOGS").unwrap();
    let last = logs.rows.last().and_then(|row| row.first()).cloned().flatten().unwrap();
    session.execute(&format!("PURGE BINARY LOGS TO '{last}'")).unwrap();
    connector.start().wait(LIMIT).expect(1, &["gtid_purged", "take a new snapshot"]);
    // The refusal changed nothing: a server that has the rows again would be read from the same place.
    connector.start().wait(LIMIT).expect(1, &["gtid_purged"]);

    // A stored set that the server has never executed: another server, or one that was reset.
    session.execute("RESET BINARY LOGS AND GTIDS").unwrap();
    connector
        .start()
        .wait(LIMIT)
        .expect(1, &["gtid_executed", "connect to the server that the offset is from"]);
    drop(server);
    root(variable).execute(&format!("DROP DATABASE {name}")).unwrap();
}

#[test]
fn a_snapshot_that_is_all_is_done_once() {
    let mut connector = shop("only_once");
    connector.set("snapshot.mode", "initial_only");
    connector.start().wait(LIMIT).expect(0, &["initial_only"]);
    root(MYSQL97.variable()).execute("INSERT INTO only_once.t VALUES (2, 'two')").unwrap();
    let ended = connector.start().wait(LIMIT);
    ended.expect(0, &["initial_only"]);
    assert!(!ended.log.contains(STREAMING), "{}", ended.log);
    assert_eq!(connector.records("t").len(), 1);
}
