//! Tables that the include list lets in later: a snapshot of their own, then their changes, and nothing of before.

use std::collections::BTreeMap;

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::mysql_server::{account, database};
use crate::support::connector::Connector;
use crate::support::database::{Database, MYSQL97, MYSQL97_NOGTID};
use crate::support::process::Ended;
use crate::support::records::{Record, changes};

pub const STARTED: &str = "snapshot of new tables started";
pub const AWAITED: &str = "the stream goes on as before until it reaches";
pub const REACHED: &str = "they are captured from here on";

pub fn all(session: &mut Connection, statements: &[&str]) {
    for statement in statements {
        session.execute(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
}

/// What the records of a table come to, by id.
pub fn replayed(records: &[Record]) -> BTreeMap<i64, String> {
    let mut rows = BTreeMap::new();
    for record in records.iter().filter(|record| !record.value.is_null()) {
        match record.op() {
            "d" => drop(rows.remove(&record.id())),
            _ => drop(rows.insert(record.id(), record.cell("v").as_str().unwrap_or("NULL").to_owned())),
        }
    }
    rows
}

/// What the server has.
pub fn rows(session: &mut Connection, table: &str) -> BTreeMap<i64, String> {
    let found = session.query(&format!("SELECT id, COALESCE(v, 'NULL') FROM {table}")).unwrap();
    let cell = |row: &[Option<String>], at: usize| row[at].clone().unwrap();
    found.rows.iter().map(|row| (cell(row, 0).parse().unwrap(), cell(row, 1))).collect()
}

fn markers(records: &[Record]) -> String {
    let marker = |record: &Record| record.value["source"]["snapshot"].as_str().unwrap_or("-").to_owned();
    records.iter().map(marker).collect::<Vec<_>>().join(" ")
}

/// The statements of the schema-change topic since its record `from`, each with its marker.
fn statements(connector: &Connector, from: usize) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let changes = connector.topic(&connector.prefix);
    changes[from..]
        .iter()
        .map(|record| {
            let first_line = text(&record.value["ddl"]).lines().next().unwrap_or_default().to_owned();
            format!("{} {first_line}", text(&record.value["source"]["snapshot"]))
        })
        .collect()
}

/// A connector of table `a` alone that has streamed.
pub fn of_one_table(server: &Database, name: &str, more: &[&str]) -> (Connector, Connection) {
    let mut session = database(server.variable(), name);
    all(
        &mut session,
        &["CREATE TABLE a (id INT PRIMARY KEY, v VARCHAR(20))", "INSERT INTO a VALUES (1, 'a')"],
    );
    all(&mut session, more);
    let mut connector = Connector::to_files(server, name);
    connector
        .set("tidewire.snapshot.new.tables", "true")
        .set("table.include.list", &format!("{name}.a"))
        .set("schema.history.internal.store.only.captured.tables.ddl", "true");
    (connector, session)
}

fn tables_of_every_fate(server: &Database, name: &str, history_of_captured: bool, locking: &str) {
    let (mut connector, mut session) = of_one_table(
        server,
        name,
        &[
            "CREATE TABLE b (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO b VALUES (1, 'one'), (2, 'two')",
            "CREATE TABLE old (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO old VALUES (1, 'renamed')",
            "CREATE TABLE b3 (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO b3 VALUES (1, 'truncated')",
            "CREATE TABLE b4 (id INT PRIMARY KEY, v VARCHAR(20))",
        ],
    );
    connector
        .set("schema.history.internal.store.only.captured.tables.ddl", &history_of_captured.to_string())
        .set("snapshot.locking.mode", locking);
    let process = connector.start_streaming();
    all(&mut session, &["INSERT INTO a VALUES (2, 'a')", "INSERT INTO b VALUES (3, 'three')"]);
    connector.wait_for_records("a", 2);
    process.terminate().expect(0, &[]);
    all(
        &mut session,
        &[
            "INSERT INTO a VALUES (3, 'a')",
            "INSERT INTO b VALUES (4, 'four')",
            "ALTER TABLE b ADD COLUMN w INT DEFAULT 7 FIRST",
            "DELETE FROM b WHERE id = 1",
            "CREATE TABLE b9 (id INT PRIMARY KEY)",
            "INSERT INTO b9 VALUES (1)",
            "DROP TABLE b9",
            "RENAME TABLE old TO b2",
            "UPDATE b2 SET v = 'and changed'",
            "TRUNCATE TABLE b3",
            "DROP TABLE b4",
            "INSERT INTO a VALUES (4, 'a')",
        ],
    );
    let published = connector.topic(&connector.prefix).len();
    connector.set("table.include.list", &format!(r"{name}\.a,{name}\.b\d*"));
    let mut process = connector.start_streaming();
    process.wait_for(REACHED, 1);
    all(
        &mut session,
        &[
            "INSERT INTO a VALUES (5, 'a')",
            "UPDATE b SET v = 'new' WHERE id = 2",
            "ALTER TABLE b DROP COLUMN w",
            "INSERT INTO b VALUES (5, 'five')",
            "INSERT INTO b3 VALUES (2, 'later')",
            "CREATE TABLE b6 (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO b6 VALUES (1, 'created')",
        ],
    );
    connector.wait_for_records("b6", 1);
    process.terminate().expect(0, &[STARTED]);
    assert_eq!(changes(&connector.records("a")), "r1 c2 c3 c4 c5");
    let b = connector.records("b");
    assert_eq!(changes(&b), "r2 r3 r4 u2 c5");
    assert_eq!(b[0].cell("w"), 7, "the definition is that of the rows");
    assert_eq!(b[3].cell("w"), 7);
    assert_eq!(b[4].cell("w"), &Value::Null, "dropped");
    assert_eq!(markers(&b), "first true last_in_data_collection false false");
    let b2 = connector.records("b2");
    assert_eq!((changes(&b2), markers(&b2)), ("r1".to_owned(), "last".to_owned()));
    assert_eq!(replayed(&b2), rows(&mut session, "b2"));
    assert_eq!(changes(&connector.records("b3")), "c2");
    assert!(connector.records("b9").is_empty() && connector.records("b4").is_empty());
    let shown = statements(&connector, published);
    let expected = [
        format!("true DROP TABLE IF EXISTS `{name}`.`b`"),
        format!("true DROP TABLE IF EXISTS `{name}`.`b2`"),
        format!("true DROP TABLE IF EXISTS `{name}`.`b3`"),
        "true CREATE TABLE `b` (".to_owned(),
        "true CREATE TABLE `b2` (".to_owned(),
        "true CREATE TABLE `b3` (".to_owned(),
    ];
    assert_eq!(shown[..6], expected, "{shown:#?}");
    let streamed: Vec<&String> = shown[6..].iter().filter(|ddl| ddl.contains(" b")).collect();
    assert_eq!(
        streamed,
        ["false ALTER TABLE b DROP COLUMN w", "false CREATE TABLE b6 (id INT PRIMARY KEY, v VARCHAR(20))"],
        "what the definitions have already is not published again: {shown:#?}"
    );

    // The history has the definitions, and nothing is new any more.
    connector.history("verify", &[]).expect(0, &[]);
    let process = connector.start_streaming();
    all(&mut session, &["INSERT INTO b2 VALUES (2, 'second')"]);
    connector.wait_for_records("b2", 2);
    let ended = process.terminate();
    ended.expect(0, &[]);
    assert!(!ended.log.contains(STARTED) && !ended.log.contains(AWAITED), "{}", ended.log);
}

#[test]
fn tables_of_every_fate_before_the_snapshot() {
    tables_of_every_fate(&MYSQL97, "new_tables_fates", true, "minimal");
}

#[test]
fn tables_of_every_fate_without_gtids() {
    tables_of_every_fate(&MYSQL97_NOGTID, "new_tables_nogtid", true, "extended");
}

#[test]
fn tables_of_every_fate_that_the_history_knows() {
    tables_of_every_fate(&MYSQL97, "new_tables_known", false, "none");
}

/// Where the global lock is refused the new tables alone are locked: a writer of another one need not wait.
#[test]
fn only_new_tables_are_locked_where_the_global_lock_is_refused() {
    let name = "new_tables_locks";
    let (mut connector, mut session) = of_one_table(
        &MYSQL97,
        name,
        &["CREATE TABLE b (id INT PRIMARY KEY, v VARCHAR(20))", "INSERT INTO b VALUES (1, 'one')"],
    );
    let mut grants = account(MYSQL97.variable(), "locks_tables", "caching_sha2_password", "pw");
    let privileges = "SELECT, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT, LOCK TABLES";
    grants.execute(&format!("GRANT {privileges} ON *.* TO locks_tables@'%'")).unwrap();
    connector
        .set("database.user", "locks_tables")
        .set("database.password", "pw")
        .set("snapshot.max.threads", "3");
    connector.start_streaming().terminate().expect(0, &[]);
    // It holds a lock on `a` that a lock for all tables would wait for.
    all(&mut session, &["LOCK TABLES a WRITE"]);
    connector.set("table.include.list", &format!("{name}.a,{name}.b"));
    let mut process = connector.start();
    process.wait_for(REACHED, 1);
    all(&mut session, &["UNLOCK TABLES", "INSERT INTO b VALUES (2, 'two')"]);
    connector.wait_for_records("b", 2);
    process.terminate().expect(0, &["lock=\"table locks\""]);
    assert_eq!(changes(&connector.records("b")), "r1 c2");
}

/// A table that was captured, was altered while it was not, and is let in again.
#[test]
fn a_table_that_comes_back_has_the_columns_that_it_has_now() {
    let name = "new_tables_back";
    let (mut connector, mut session) = of_one_table(
        &MYSQL97,
        name,
        &["CREATE TABLE b (id INT PRIMARY KEY, v VARCHAR(20), w INT)", "INSERT INTO b VALUES (1, 'one', 1)"],
    );
    let (one, both) = (format!("{name}.a"), format!("{name}.a,{name}.b"));
    connector.set("table.include.list", &both);
    connector.start_streaming().terminate().expect(0, &[]);
    connector.set("table.include.list", &one);
    let mut process = connector.start_streaming();
    process.wait_for(REACHED, 1);
    all(
        &mut session,
        &[
            "ALTER TABLE b ADD COLUMN x INT DEFAULT 3",
            "INSERT INTO b VALUES (2, 'two', 2, 2)",
            "INSERT INTO a VALUES (2, 'a')",
        ],
    );
    connector.wait_for_records("a", 2);
    process.terminate().expect(0, &[]);
    all(&mut session, &["ALTER TABLE b DROP COLUMN w, RENAME COLUMN x TO y", "DELETE FROM b WHERE id = 1"]);
    connector.set("table.include.list", &both);
    let mut process = connector.start_streaming();
    process.wait_for(REACHED, 1);
    all(&mut session, &["INSERT INTO b VALUES (3, 'three', 5)"]);
    connector.wait_for_records("b", 3);
    process.terminate().expect(0, &[]);
    let b = connector.records("b");
    assert_eq!(changes(&b), "r1 r2 c3");
    assert_eq!((b[1].cell("y"), b[2].cell("y")), (&2.into(), &5.into()));
    connector.history("verify", &[]).expect(0, &[]);
}

/// Without the property nothing is stored and no snapshot is taken; switched on later, it takes the lists as they are.
#[test]
fn the_property_begins_to_hold_when_it_is_set() {
    let name = "new_tables_off";
    let (mut connector, mut session) = of_one_table(
        &MYSQL97,
        name,
        &[
            "CREATE TABLE b (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO b VALUES (1, 'one')",
            "CREATE TABLE c (id INT PRIMARY KEY, v VARCHAR(20))",
        ],
    );
    connector
        .set("tidewire.snapshot.new.tables", "false")
        .set("schema.history.internal.store.only.captured.tables.ddl", "false");
    let stored = |connector: &Connector| {
        let bytes = std::fs::read(connector.file("offsets.dat")).unwrap();
        String::from_utf8_lossy(&bytes).contains("captured")
    };
    connector.start_streaming().terminate().expect(0, &[]);
    connector.set("table.include.list", &format!("{name}.a,{name}.b"));
    connector.start_streaming().terminate().expect(0, &[]);
    assert!(!stored(&connector) && connector.records("b").is_empty());

    connector.set("tidewire.snapshot.new.tables", "true");
    connector.start_streaming().terminate().expect(0, &["are taken for those in force"]);
    assert!(stored(&connector) && connector.records("b").is_empty());
    // A list with a table that is not there, and no table that is new.
    connector.set("table.include.list", &format!("{name}.a,{name}.b,{name}.d"));
    let mut process = connector.start_streaming();
    process.wait_for(REACHED, 1);
    all(
        &mut session,
        &["CREATE TABLE d (id INT PRIMARY KEY, v VARCHAR(20))", "INSERT INTO d VALUES (1, 'created')"],
    );
    connector.wait_for_records("d", 1);
    process.terminate().expect(0, &["let in no other table"]);
    assert_eq!(changes(&connector.records("d")), "c1");

    // A schema alone is what no_data reads.
    connector
        .set("snapshot.mode", "no_data")
        .set("table.include.list", &format!("{name}.a,{name}.b,{name}.c,{name}.d"));
    all(&mut session, &["INSERT INTO c VALUES (1, 'before')"]);
    let mut process = connector.start_streaming();
    process.wait_for(REACHED, 1);
    all(&mut session, &["INSERT INTO c VALUES (2, 'after')"]);
    connector.wait_for_records("c", 1);
    process.terminate().expect(0, &[]);
    assert_eq!(changes(&connector.records("c")), "c2");

    connector.set("tidewire.snapshot.new.tables", "false");
    connector.start_streaming().terminate().expect(0, &[]);
    assert!(!stored(&connector), "what is no longer kept up is removed");
}

/// Starts a connector and kills it while it waits for the position of its new tables.
pub fn kill_while_awaited(connector: &Connector) -> Ended {
    let mut process = connector.start();
    process.wait_for(AWAITED, 1);
    process.kill()
}

/// Statements that take the stream some time: a barrier each.
pub fn keep_the_stream_busy(session: &mut Connection) {
    for number in 0..150 {
        all(session, &[&format!("ALTER TABLE a COMMENT = '{number}'")]);
    }
}

#[test]
fn lists_that_change_again_while_tables_are_awaited() {
    let name = "new_tables_again";
    let (mut connector, mut session) = of_one_table(
        &MYSQL97,
        name,
        &[
            "CREATE TABLE b (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO b VALUES (1, 'one')",
            "CREATE TABLE c (id INT PRIMARY KEY, v VARCHAR(20))",
            "INSERT INTO c VALUES (1, 'one')",
        ],
    );
    connector.start_streaming().terminate().expect(0, &[]);
    keep_the_stream_busy(&mut session);
    connector.set("table.include.list", &format!("{name}.a,{name}.b"));
    let ended = kill_while_awaited(&connector);
    assert!(!ended.log.contains(REACHED), "{}", ended.log);
    all(&mut session, &["INSERT INTO b VALUES (2, 'two')", "UPDATE c SET v = 'new'"]);
    // Stopped in between and started again, it is awaited still.
    let ended = kill_while_awaited(&connector);
    assert!(!ended.log.contains(STARTED), "{}", ended.log);
    connector.set("table.include.list", &format!("{name}.c,{name}.a,{name}.b"));
    let mut process = connector.start();
    process.wait_for(REACHED, 1);
    all(&mut session, &["INSERT INTO b VALUES (3, 'three')", "INSERT INTO c VALUES (3, 'three')"]);
    connector.wait_for_records("c", 2);
    process.terminate().expect(0, &[STARTED]);
    assert_eq!(changes(&connector.records("b")), "r1 r1 r2 c3");
    assert_eq!(changes(&connector.records("c")), "r1 c3");
    assert_eq!(replayed(&connector.records("b")), rows(&mut session, "b"));
    assert_eq!(replayed(&connector.records("c")), rows(&mut session, "c"));
    connector.history("verify", &[]).expect(0, &[]);
}
