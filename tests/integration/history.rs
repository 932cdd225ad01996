//! `tidewire history show|verify|compact`, and what becomes of a schema history that is lost, hidden or stored twice.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::mysql_server::database;
use crate::support::connector::Connector;
use crate::support::database::{MYSQL97, MYSQL97_NOGTID, variable};
use crate::support::process::{Ended, LIMIT, wait_until};

fn history(connector: &Connector, command: &str, arguments: &[&str]) -> Ended {
    connector.history(command, arguments)
}

/// What the command prints as JSON.
fn shown(connector: &Connector, arguments: &[&str]) -> Value {
    let ended = history(connector, "show", &[arguments, &["--json"]].concat());
    ended.expect(0, &[]);
    serde_json::from_str(&ended.log).unwrap_or_else(|error| panic!("{error}: {}", ended.log))
}

/// A connector with a table, caught up and stopped.
fn shop(name: &str) -> (tidewire::source::mysql::Connection, Connector) {
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT UNSIGNED PRIMARY KEY, v VARCHAR(20), UNIQUE uv (v))").unwrap();
    session.execute("INSERT INTO t VALUES (1, 'one')").unwrap();
    let connector = Connector::to_files(&MYSQL97, name);
    connector.start_streaming().terminate().expect(0, &[]);
    (session, connector)
}

/// Streams until so many records of a table are there.
fn stream(connector: &Connector, table: &str, records: usize) {
    let process = connector.start_streaming();
    connector.wait_for_records(table, records);
    process.terminate().expect(0, &[]);
}

/// The golden history of the real Debezium.
#[test]
fn a_history_of_debezium_is_shown_at_any_position() {
    let mut connector = Connector::to_files(&MYSQL97, "ddl_rename");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/corpus/ddl_rename/history.jsonl");
    connector.set("schema.history.internal.file.filename", &golden.display().to_string());
    let records = fs::read_to_string(&golden).unwrap();
    let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let all = shown(&connector, &[]);
    assert_eq!(all["records"]["read"], records.len());
    assert_eq!(all["records"]["applied"], records.len());
    // The last change of a table is what is believed of it at the end.
    let last = records.iter().rev().find_map(|record| {
        let change = record["tableChanges"].as_array()?.first()?;
        (change["type"] != "DROP").then(|| change.clone())
    });
    let last = last.expect("a change");
    let tables = all["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["id"] == last["id"]).expect("the table");
    assert_eq!(table["table"], last["table"]);
    // At the snapshot's position only its own records hold.
    let first = &records[0]["position"];
    let at = format!("{}:{}", first["file"].as_str().unwrap(), first["pos"]);
    let snapshot = records.iter().filter(|record| record["position"]["snapshot"].is_string()).count();
    assert_eq!(shown(&connector, &["--position", &at])["records"]["applied"], snapshot);
    let gtids = first["gtids"].as_str().unwrap();
    assert_eq!(shown(&connector, &["--position", gtids])["records"]["applied"], snapshot);
    let one = table["id"].as_str().unwrap().replace('"', "");
    let text = history(&connector, "show", &["--table", &one.replace('.', r"\.")]);
    text.expect(0, &["history: 1 of ", &one]);
    history(&connector, "show", &["--position", "binlog.000001:4"])
        .expect(1, &["no record of topic.prefix ddl_rename"]);
    history(&connector, "show", &["--position", "nowhere"]).expect(1, &["expected end, stored, FILE:POS"]);
    connector.set("schema.history.internal.file.filename", "/nowhere/at/all");
    history(&connector, "show", &[])
        .expect(1, &["file /nowhere/at/all does not exist or is empty", "to do: correct"]);
    connector.set("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory");
    history(&connector, "show", &[]).expect(1, &["a history in memory cannot be looked at"]);
}

#[test]
fn every_difference_from_the_server_is_named() {
    let (mut session, connector) = shop("verify_differences");
    session.execute("CREATE TABLE gone (id INT PRIMARY KEY)").unwrap();
    session.execute("INSERT INTO gone VALUES (1)").unwrap();
    stream(&connector, "gone", 1);
    history(&connector, "verify", &[]).expect(0, &["verify: 2 tables, 0 differences"]);
    session.execute("SET sql_log_bin = 0").unwrap();
    session
        .execute("ALTER TABLE t MODIFY v VARCHAR(30) CHARACTER SET latin1, ADD w INT, DROP INDEX uv")
        .unwrap();
    session.execute("DROP TABLE gone").unwrap();
    session.execute("CREATE TABLE hidden (id INT)").unwrap();
    let ended = history(&connector, "verify", &[]);
    let name = &connector.name;
    ended.expect(
        1,
        &[
            &format!("{name}.t: columns in order\n  believed: id, v\n  actual:   id, v, w\n  remedy:   "),
            &format!("{name}.t: unique keys\n  believed: PRIMARY(id), uv(v)\n  actual:   PRIMARY(id)\n"),
            &format!("{name}.t.v: type\n  believed: VARCHAR(20)\n  actual:   VARCHAR(30)\n"),
            &format!("{name}.t.v: character set\n  believed: utf8mb4\n  actual:   latin1\n"),
            &format!("{name}.gone: table\n  believed: exists\n  actual:   does not exist\n"),
            &format!("{name}.hidden: table\n  believed: is not known\n  actual:   exists\n"),
            "verify: 2 tables, 6 differences",
        ],
    );
    let json = history(&connector, "verify", &["--json", "--table", r".*\.hidden"]);
    let found: Value = serde_json::from_str(&json.log).unwrap();
    assert_eq!((json.code, found["differences"].as_array().map(Vec::len)), (Some(1), Some(1)));
    session.execute("DROP TABLE hidden").unwrap();
}

#[test]
fn a_compacted_history_goes_on_like_the_long_one() {
    let name = "compacted";
    let (mut session, mut connector) = shop(name);
    for number in 0..10 {
        session
            .execute(&format!("ALTER TABLE t ADD c{number} INT, DROP COLUMN c{}", number + 100))
            .unwrap_err();
        session.execute(&format!("ALTER TABLE t ADD c{number} INT")).unwrap();
        session.execute(&format!("ALTER TABLE t DROP c{number}")).unwrap();
    }
    session.execute("ALTER TABLE t DROP PRIMARY KEY, MODIFY v VARCHAR(20) NOT NULL").unwrap();
    session.execute("CREATE TABLE l (id INT PRIMARY KEY, v VARCHAR(5)) CHARACTER SET latin1").unwrap();
    session.execute("INSERT INTO l VALUES (1, 'é')").unwrap();
    stream(&connector, "l", 1);
    // Read, but not part of the offset: it stays behind the tables as it is.
    let [offsets, lengths] = [connector.file("offsets.dat"), connector.file("offsets.dat.lengths")];
    let before = [fs::read(&offsets).unwrap(), fs::read(&lengths).unwrap()];
    session.execute("ALTER TABLE l ADD later INT").unwrap();
    session.execute("INSERT INTO l VALUES (2, 'ü', 2)").unwrap();
    stream(&connector, "l", 2);
    fs::write(&offsets, &before[0]).unwrap();
    fs::write(&lengths, &before[1]).unwrap();

    let believed = shown(&connector, &["--position", "stored"]);
    let short = connector.file("short.jsonl").display().to_string();
    let long = connector.properties["schema.history.internal.file.filename"].clone();
    let records = fs::read_to_string(&long).unwrap().lines().count();
    let said = format!("compact: 2 tables, {records} records became 5");
    history(&connector, "compact", &["--to", &short]).expect(0, &[&said, "kept"]);
    assert_eq!(fs::read_to_string(&long).unwrap().lines().count(), records);
    history(&connector, "compact", &["--to", &short]).expect(1, &["short.jsonl exists already", "--to"]);
    connector.set("schema.history.internal.file.filename", &short);
    let again = shown(&connector, &["--position", "stored"]);
    assert_eq!(again["tables"], believed["tables"]);
    assert_eq!(again["databases"], believed["databases"]);

    // The unique key is the record key now, and the statement behind the offset comes once.
    session.execute("INSERT INTO t VALUES (2, 'two')").unwrap();
    stream(&connector, "t", 2);
    let last = connector.records("t").pop().unwrap();
    assert_eq!(last.key.to_string(), r#"{"v":"two"}"#);
    let rows: Vec<String> =
        connector.records("l").iter().map(|record| record.value["after"].to_string()).collect();
    assert_eq!(rows, [r#"{"id":1,"v":"é"}"#, r#"{"id":2,"v":"ü","later":2}"#]);
    history(&connector, "verify", &[]).expect(0, &["verify: 2 tables, 0 differences"]);
    let shorter = connector.file("shorter.jsonl").display().to_string();
    history(&connector, "compact", &["--to", &shorter, "--delete-old"]).expect(0, &["deleted"]);
    assert!(!Path::new(&short).exists());
}

#[test]
fn a_history_is_not_compacted_while_its_positions_are_unclear() {
    let (mut session, mut connector) = shop("unclear");
    session.execute("ALTER TABLE t ADD w INT").unwrap();
    session.execute("INSERT INTO t VALUES (2, 'two', 2)").unwrap();
    stream(&connector, "t", 2);
    let to = connector.file("short.jsonl").display().to_string();
    let file = connector.file("history.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    // A record of another server's transactions.
    let last = whole.lines().last().unwrap();
    let mut record: Value = serde_json::from_str(last).unwrap();
    record["position"]["gtids"] = "00000000-0000-0000-0000-000000000001:1-5".into();
    fs::write(&file, format!("{whole}{record}\n")).unwrap();
    history(&connector, "compact", &["--to", &to])
        .expect(1, &["cannot be put in order", "each has transactions that the other one has not"]);
    assert!(!Path::new(&to).exists());
    fs::write(&file, whole).unwrap();
    connector.set_worker("offset.storage.file.filename", &connector.file("none.dat").display().to_string());
    history(&connector, "compact", &["--to", &to])
        .expect(1, &["no offset is stored of connector unclear", "--worker"]);
    assert!(!Path::new(&to).exists());
}

#[test]
fn a_lost_history_is_told_with_its_name() {
    let (_, connector) = shop("lost_history");
    fs::write(connector.file("history.jsonl"), "").unwrap();
    let said = [
        "the schema history file ",
        "history.jsonl is missing or has nothing up to it",
        "remove the stored offset",
    ];
    connector.start().wait(LIMIT).expect(1, &said);
    fs::remove_file(connector.file("history.jsonl")).unwrap();
    connector.start().wait(LIMIT).expect(1, &said);

    let name = "lost_topic";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let mut connector = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA"));
    connector.start_streaming().terminate().expect(0, &[]);
    let topic = format!("other.{}", connector.prefix);
    connector.set("schema.history.internal.kafka.topic", &topic);
    connector.start().wait(LIMIT).expect(1, &[&format!("the schema history topic {topic} is missing")]);
}

/// The process is killed when a statement's history record is durable and its offset is not. What came before it decides
/// whether GTIDs tell the two apart.
#[test]
fn a_statement_that_is_only_in_the_history_is_done_once() {
    for (server, name) in [(&MYSQL97, "half_done"), (&MYSQL97_NOGTID, "half_done_nogtid")] {
        for before in ["INSERT INTO t VALUES (2, 'x')", "CREATE DATABASE IF NOT EXISTS elsewhere"] {
            let mut session = database(server.variable(), name);
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))").unwrap();
            session.execute("INSERT INTO t VALUES (1, 'one')").unwrap();
            let connector = Connector::to_files(server, name);
            let process = connector.start_streaming();
            session.execute(before).unwrap();
            // Other tests move the server on at the same time.
            let reached = |position: u64| {
                let bytes = fs::read(connector.file("offsets.dat")).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let digits =
                    |rest: &str| rest.split(|digit: char| !digit.is_ascii_digit()).next()?.parse().ok();
                text.split("\"pos\":").skip(1).filter_map(digits).any(|found: u64| found >= position)
            };
            let rows = if before.starts_with("INSERT") { 2 } else { 1 };
            connector.wait_for_records("t", rows);
            let position = server.sql("SHOW BINARY LOG STATUS").pop().unwrap();
            let position: u64 = position.split('\t').nth(1).unwrap().parse().unwrap();
            if rows == 1 {
                wait_until("the silent position", LIMIT, || reached(position));
            }
            process.terminate().expect(0, &[]);
            let [offsets, lengths] = [connector.file("offsets.dat"), connector.file("offsets.dat.lengths")];
            let stored = [fs::read(&offsets).unwrap(), fs::read(&lengths).unwrap()];

            session.execute("ALTER TABLE t RENAME COLUMN v TO w").unwrap();
            session.execute("ALTER TABLE t ADD x INT").unwrap();
            let process = connector.start_streaming();
            let record = |text: &str| {
                fs::read_to_string(connector.file("history.jsonl")).unwrap().matches(text).count()
            };
            wait_until("the history record", LIMIT, || record("ADD x INT") == 1);
            process.kill();
            fs::write(&offsets, &stored[0]).unwrap();
            fs::write(&lengths, &stored[1]).unwrap();

            session.execute("INSERT INTO t VALUES (9, 'w', 1)").unwrap();
            for _ in 0..2 {
                stream(&connector, "t", rows + 1);
            }
            let last = connector.records("t").pop().unwrap();
            assert_eq!(last.value["after"].to_string(), r#"{"id":9,"w":"w","x":1}"#);
            let published = connector.topic(name);
            let times = |text: &str| {
                published
                    .iter()
                    .filter(|one| one.value["ddl"].as_str().is_some_and(|ddl| ddl.contains(text)))
                    .count()
            };
            assert_eq!((times("RENAME COLUMN"), times("ADD x")), (1, 1));
            history(&connector, "verify", &[]).expect(0, &["verify: 1 tables, 0 differences"]);
        }
    }
}

/// The last event before each stop is a statement (D-5, D-6).
#[test]
fn the_last_statement_before_a_stop_is_published_and_applied_once() {
    for kafka in [false, true] {
        let name = if kafka { "ddl_last_kafka" } else { "ddl_last" };
        let mut session = database(MYSQL97.variable(), name);
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, a INT)").unwrap();
        let connector = match kafka {
            true => Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA")),
            false => Connector::to_files(&MYSQL97, name),
        };
        let statements = [
            "ALTER TABLE t RENAME COLUMN a TO b",
            "ALTER TABLE t ADD a INT",
            "CREATE TABLE u LIKE t",
            "DROP TABLE u",
        ];
        let published = || -> Vec<String> {
            let records = connector.topic(&connector.prefix);
            let streamed = records.iter().filter(|record| record.value["source"]["snapshot"] == "false");
            streamed.filter_map(|record| record.value["ddl"].as_str().map(str::to_owned)).collect()
        };
        for count in 0..=statements.len() {
            let process = connector.start_streaming();
            if let Some(statement) = statements.get(count) {
                session.execute(statement).unwrap();
                wait_until("the statement", LIMIT, || published().len() > count);
            } else {
                session.execute("INSERT INTO t VALUES (1, 2, 3)").unwrap();
                connector.wait_for_records("t", 1);
            }
            process.terminate().expect(0, &[]);
        }
        let dropped = format!("DROP TABLE `{name}`.`u`");
        let wanted = [&statements[..3], &[dropped.as_str()]].concat();
        assert_eq!(published(), wanted);
        assert_eq!(connector.records("t")[0].value["after"].to_string(), r#"{"id":1,"b":2,"a":3}"#);
    }
}
