//! MySQL → Tidewire → Kafka → Tidewire → ClickHouse: what is in the tables afterwards is what MySQL has.

use crate::mysql_server::database;
use crate::support::clickhouse::{client, new_database, run, values};
use crate::support::connector::Connector;
use crate::support::database::{MYSQL97, variable};
use crate::support::process::{LIMIT, wait_until};
use crate::support::sink::Sink;

/// A database of MySQL and one of ClickHouse of the same name, a source and a sink.
fn pair(name: &str, statements: &[&str]) -> (Connector, Sink) {
    let mut session = database(MYSQL97.variable(), name);
    for statement in statements {
        session.execute(statement).expect(statement);
    }
    new_database(&client(), name);
    let mut source = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA"));
    source
        .set("skipped.operations", "none")
        .set("key.converter.replace.null.with.default", "false")
        .set("value.converter.replace.null.with.default", "false");
    let sink = Sink::of(&source, &variable("TIDEWIRE_KAFKA"));
    (source, sink)
}

fn sql(source: &Connector, statements: &str) {
    MYSQL97.sql(&format!("USE {}; {statements}", source.name));
}

#[test]
fn tables_follow_inserts_updates_deletes_key_changes_and_truncates() {
    let (source, sink) = pair(
        "sink_rows",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), n DECIMAL(10,2) NOT NULL, at DATETIME(3))",
            "INSERT INTO t VALUES (1,'a',1.55,'2024-02-29 01:02:03.456'),(2,NULL,-0.01,NULL),(3,'ö',99999999.99,'1000-01-01')",
            "CREATE TABLE no_rows (id BIGINT UNSIGNED PRIMARY KEY, e ENUM('x','y') NOT NULL)",
        ],
    );
    let _source = source.start_streaming();
    let process = sink.start();
    let columns = ["id", "v", "n", "at"];
    sink.wait_for_rows(&process, &source, "t", &columns);
    // Every change of a row in one transaction, and keys that move in a circle.
    sql(
        &source,
        "BEGIN; INSERT INTO t VALUES (4,'new',4.04,NULL); UPDATE t SET v='newer' WHERE id=4; UPDATE t SET v='newest' WHERE id=4; COMMIT; \
         UPDATE t SET v='b' WHERE id=1; DELETE FROM t WHERE id=2; \
         BEGIN; UPDATE t SET id=9 WHERE id=3; UPDATE t SET id=3 WHERE id=1; UPDATE t SET id=1 WHERE id=9; COMMIT; \
         BEGIN; INSERT INTO t VALUES (5,'x',1.01,NULL); DELETE FROM t WHERE id=5; INSERT INTO t VALUES (5,'y',2.02,NULL); COMMIT;",
    );
    sink.wait_for_rows(&process, &source, "t", &columns);
    // Made from the description alone.
    sink.wait_for(
        &process,
        "SELECT concat(name, ' ', type) FROM system.columns WHERE database = 'sink_rows' AND table = 'no_rows' ORDER BY position",
        &[
            "id UInt64",
            "e LowCardinality(String)",
            "_version UInt64",
            "_deleted UInt8",
            "_synced_at DateTime64(3, 'UTC')",
        ],
    );
    sql(&source, "TRUNCATE t; INSERT INTO t VALUES (1,'after',7.07,NULL)");
    sink.wait_for_rows(&process, &source, "t", &columns);
    process.terminate().expect(0, &["table truncated"]);
    // All that was read is committed: nothing comes twice, and the floor is there.
    let floor = values(
        &client(),
        "SELECT value FROM _tidewire.state FINAL WHERE kind = 'floor' AND name = 'sink_rows.t'",
    );
    assert_eq!(floor.len(), 1);
    sql(&source, "INSERT INTO t VALUES (2,'later',8.08,NULL)");
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &columns);
    process.terminate().expect(0, &[]);
}

#[test]
fn added_and_widened_columns_have_the_values_of_mysql() {
    let (source, sink) = pair(
        "sink_ddl",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, v SMALLINT NOT NULL)",
            "INSERT INTO t VALUES (1,1),(2,2)",
            "CREATE TABLE gone (id INT PRIMARY KEY, v INT)",
            "INSERT INTO gone VALUES (1,1)",
        ],
    );
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    sink.wait_for_rows(&process, &source, "gone", &["id", "v"]);
    sql(
        &source,
        "INSERT INTO t VALUES (3,3); ALTER TABLE t ADD COLUMN w VARCHAR(9) NOT NULL DEFAULT 'its', ADD COLUMN x INT DEFAULT 7 FIRST; \
         INSERT INTO t (id,v) VALUES (4,4); ALTER TABLE t MODIFY v BIGINT NULL; INSERT INTO t VALUES (NULL,5,5000000000,'z'),(6,6,NULL,'z');",
    );
    let columns = ["id", "v", "w", "x"];
    sink.wait_for_rows(&process, &source, "t", &columns);
    // Without a row behind it, too.
    sql(&source, "ALTER TABLE t ADD COLUMN y INT NOT NULL DEFAULT 8");
    sink.wait_for_rows(&process, &source, "t", &["id", "v", "w", "x", "y"]);
    // The rest of DDL stops its table with its name, and no other one.
    sql(
        &source,
        "ALTER TABLE gone DROP COLUMN v; INSERT INTO gone VALUES (2); INSERT INTO t (id,v) VALUES (7,7)",
    );
    sink.wait_for_rows(&process, &source, "t", &["id", "v", "w", "x", "y"]);
    wait_until("a table stops", LIMIT, || process.log().contains("a table stops, the others go on"));
    let stopped = process.log();
    assert!(stopped.contains("the column v was dropped or renamed"), "{stopped}");
    process.terminate().expect(0, &[]);
    // From the beginning of the topics, over the finished table: nothing changes.
    let everything = "SELECT toString(cityHash64(groupArray(tuple(*)))) FROM (SELECT * EXCEPT _synced_at FROM sink_ddl.t FINAL ORDER BY id)";
    let before = values(&client(), everything);
    let mut again = Sink::of(&source, &variable("TIDEWIRE_KAFKA"));
    again.name.push_str("_again");
    let process = again.start();
    sql(&source, "INSERT INTO t (id,v) VALUES (8,8)");
    again.wait_for_rows(&process, &source, "t", &["id", "v", "w", "x", "y"]);
    sql(&source, "DELETE FROM t WHERE id = 8");
    again.wait_for_rows(&process, &source, "t", &["id", "v", "w", "x", "y"]);
    assert_eq!(values(&client(), everything), before);
    process.terminate().expect(0, &[]);
}

#[test]
fn killed_in_the_middle_of_batches_it_ends_equal() {
    let (source, mut sink) =
        pair("sink_kills", &["CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT, s VARCHAR(40))"]);
    sink.set("flush.rows", "500").set("inserts.per.second", "1000");
    let _source = source.start_streaming();
    for round in 0..5 {
        let process = sink.start();
        for _ in 0..20 {
            sql(
                &source,
                "INSERT INTO t (v,s) SELECT 1, UUID() FROM information_schema.columns LIMIT 60; \
                 UPDATE t SET v=v+1 WHERE id % 7 = 1; DELETE FROM t WHERE id % 11 = 3; UPDATE t SET id=id+1000000 WHERE id % 13 = 5 AND id < 1000000",
            );
        }
        if round < 4 {
            process.kill();
        } else {
            sink.wait_for_rows(&process, &source, "t", &["id", "v", "s"]);
            process.terminate().expect(0, &[]);
        }
    }
}

#[test]
fn a_row_that_the_server_refuses_is_put_aside_or_stops_its_table() {
    let (source, mut sink) = pair(
        "sink_bad_rows",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
            "CREATE TABLE other (id INT PRIMARY KEY)",
            "INSERT INTO t VALUES (1,1)",
        ],
    );
    sink.set("errors.tolerance", "all");
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    run(&client(), "ALTER TABLE sink_bad_rows.t ADD CONSTRAINT small CHECK v < 100");
    sql(&source, "INSERT INTO t VALUES (2,2),(3,300),(4,4); INSERT INTO other VALUES (1)");
    sink.wait_for(&process, "SELECT toString(id) FROM sink_bad_rows.t FINAL ORDER BY id", &["1", "2", "4"]);
    let aside = format!(
        "SELECT concat(table, ' ', JSONExtractRaw(ifNull(value, ''), 'after'), ' ', toString(version > 0)) FROM _tidewire.quarantine FINAL WHERE connector = '{}'",
        sink.name
    );
    sink.wait_for(&process, &aside, &[r#"sink_bad_rows.t {"id":3,"v":300} 1"#]);
    process.terminate().expect(0, &["a record is put aside"]);
    sink.set("errors.tolerance", "none");
    let process = sink.start();
    sql(&source, "INSERT INTO t VALUES (5,500),(6,6); INSERT INTO other VALUES (2)");
    sink.wait_for_rows(&process, &source, "other", &["id"]);
    wait_until("a table stops", LIMIT, || process.log().contains("a table stops, the others go on"));
    process.terminate().expect(0, &["VIOLATED_CONSTRAINT"]);
    // What it stands at is not lost.
    run(&client(), "ALTER TABLE sink_bad_rows.t DROP CONSTRAINT small");
    let process = sink.start();
    sink.wait_for(
        &process,
        "SELECT toString(id) FROM sink_bad_rows.t FINAL ORDER BY id",
        &["1", "2", "4", "5", "6"],
    );
    process.terminate().expect(0, &[]);
}
