//! MySQL → Tidewire → Kafka → Tidewire → ClickHouse: what is in the tables afterwards is what MySQL has.

use crate::support::clickhouse::{client, new_database, run, values};
use crate::support::database::{MYSQL97, variable};
use crate::support::process::{LIMIT, Process, tidewire, wait_until};
use crate::support::sink::{Sink, pair, sql};

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
fn r_2_a_row_that_the_server_refuses_is_put_aside_or_stops_its_table() {
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

/// Topics as the real Debezium writes them: no sequence, so that offsets order the changes of a row.
#[test]
fn topics_without_a_sequence_are_ordered_by_offsets() {
    for schemas in ["true", "false"] {
        let name = format!("sink_offsets_{schemas}");
        let (mut source, sink) = pair(
            &name,
            &[
                "CREATE TABLE t (id INT PRIMARY KEY, v SMALLINT, w VARCHAR(9))",
                "INSERT INTO t VALUES (1,1,'a'),(2,2,'b')",
            ],
        );
        source
            .set("tidewire.sequence.header", "false")
            .set("key.converter.schemas.enable", schemas)
            .set("value.converter.schemas.enable", schemas);
        let _source = source.start_streaming();
        let process = sink.start();
        sink.wait_for_rows(&process, &source, "t", &["id", "v", "w"]);
        sql(
            &source,
            "BEGIN; INSERT INTO t VALUES (3,3,'c'); UPDATE t SET v=4 WHERE id=3; UPDATE t SET v=5 WHERE id=3; COMMIT; \
             UPDATE t SET id=9 WHERE id=2; DELETE FROM t WHERE id=1; \
             ALTER TABLE t ADD COLUMN x INT NOT NULL DEFAULT 7; INSERT INTO t VALUES (4,4,'d',8); ALTER TABLE t MODIFY v BIGINT; \
             INSERT INTO t VALUES (5,5000000000,'e',9)",
        );
        sink.wait_for_rows(&process, &source, "t", &["id", "v", "w", "x"]);
        sql(&source, "TRUNCATE t; INSERT INTO t VALUES (1,1,'z',1)");
        sink.wait_for_rows(&process, &source, "t", &["id", "v", "w", "x"]);
        process.kill();
        sql(&source, "UPDATE t SET v=2 WHERE id=1; INSERT INTO t VALUES (2,2,'y',2)");
        let process = sink.start();
        sink.wait_for_rows(&process, &source, "t", &["id", "v", "w", "x"]);
        let comment = values(
            &client(),
            &format!("SELECT comment FROM system.tables WHERE database = '{name}' AND name = 't'"),
        );
        assert!(comment[0].as_ref().expect("a comment").contains("off47"), "{comment:?}");
        process.terminate().expect(0, &[]);
    }
}

/// Without the schema-change topic the records' schemas describe the table.
#[test]
fn tables_are_made_and_changed_by_the_schemas_of_records() {
    let (mut source, mut sink) = pair(
        "sink_record_schemas",
        &["CREATE TABLE t (id INT PRIMARY KEY, v DECIMAL(5,2))", "INSERT INTO t VALUES (1,1.55)"],
    );
    source.set("key.converter.schemas.enable", "true").set("value.converter.schemas.enable", "true");
    sink.properties.remove("schema.changes.topic");
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    sql(
        &source,
        "ALTER TABLE t ADD COLUMN w INT NOT NULL DEFAULT 3; INSERT INTO t VALUES (2,2.22,2); UPDATE t SET v=9.99 WHERE id=1; DELETE FROM t WHERE id=2",
    );
    sink.wait_for_rows(&process, &source, "t", &["id", "v", "w"]);
    process.terminate().expect(0, &[]);
}

#[test]
fn tables_without_a_key_by_mode() {
    for mode in ["append", "row_hash", "refuse"] {
        let name = format!("sink_keyless_{mode}");
        let (source, mut sink) = pair(
            &name,
            &[
                "CREATE TABLE t (a INT, b VARCHAR(9))",
                "INSERT INTO t VALUES (1,'x'),(1,'x'),(2,NULL)",
                "CREATE TABLE k (id INT PRIMARY KEY)",
            ],
        );
        sink.set("keyless.mode", mode);
        let _source = source.start_streaming();
        let mut process = sink.start();
        let rows = |wanted: &[&str], process: &Process| {
            let (table, count) = match mode {
                "append" => (format!("{name}.t"), "sum(if(_deleted = 1, -1, 1)) AS n"),
                _ => (format!("{name}.t FINAL"), "count() AS n"),
            };
            let query = format!(
                "SELECT concat(toString(a), ' ', ifNull(b, 'NULL'), ' ', toString(n)) FROM (SELECT a, b, {count} FROM {table} GROUP BY a, b HAVING n > 0) ORDER BY a, b"
            );
            sink.wait_for(process, &query, wanted);
        };
        match mode {
            "append" => rows(&["1 x 2", "2 NULL 1"], &process),
            "row_hash" => rows(&["1 x 1", "2 NULL 1"], &process),
            _ => {
                sql(&source, "INSERT INTO k VALUES (1)");
                sink.wait_for_rows(&process, &source, "k", &["id"]);
                assert!(
                    process.log().contains("neither a primary key nor a unique key"),
                    "{}",
                    process.log()
                );
                process.terminate().expect(0, &[]);
                continue;
            }
        }
        for round in 0..4 {
            sql(
                &source,
                "INSERT INTO t VALUES (3,'y'),(3,'z'); UPDATE t SET b='w' WHERE a=3 LIMIT 1; DELETE FROM t WHERE a=3 AND b='z' LIMIT 1",
            );
            if round < 3 {
                std::thread::sleep(std::time::Duration::from_millis(150 * round));
                process.kill();
                process = sink.start();
            }
        }
        let wanted = MYSQL97.sql(&format!(
            "SELECT concat(a, ' ', ifnull(b, 'NULL'), ' ', {}) FROM {name}.t GROUP BY a, b ORDER BY a, b",
            if mode == "append" { "count(*)" } else { "1" }
        ));
        rows(&wanted.iter().map(String::as_str).collect::<Vec<_>>(), &process);
        process.terminate().expect(0, &[]);
    }
}

/// Bug 129: rows that were deleted while no source looked are found by the next snapshot, and nothing else goes.
#[test]
fn a_new_snapshot_sweeps_what_it_does_not_find() {
    sweeps("sink_sweep", "true");
}

/// The same of a topic of one partition whose offsets are versions.
#[test]
fn a_new_snapshot_sweeps_by_offsets() {
    sweeps("sink_sweep_offsets", "false");
}

fn sweeps(name: &str, sequence: &str) {
    let (mut source, mut sink) = pair(
        name,
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
            "INSERT INTO t VALUES (1,1),(2,2),(3,3)",
            "CREATE TABLE keyless (id INT, v INT)",
            "INSERT INTO keyless VALUES (1,1),(2,2),(3,3)",
        ],
    );
    sink.set("keyless.mode", "row_hash");
    source.set("tidewire.sequence.header", sequence);
    let first = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    sink.wait_for_rows(&process, &source, "keyless", &["id", "v"]);
    first.terminate().expect(0, &[]);
    sql(&source, "DELETE FROM t WHERE id=2; UPDATE t SET v=9 WHERE id=3; INSERT INTO t VALUES (4,4)");
    sql(
        &source,
        "DELETE FROM keyless WHERE id=2; UPDATE keyless SET v=9 WHERE id=3; INSERT INTO keyless VALUES (4,4)",
    );
    // Another offset topic: the source knows nothing of before.
    let offsets = format!("offsets.{}.2", source.prefix);
    source.set_worker("offset.storage.topic", &offsets);
    source.set("schema.history.internal.kafka.topic", &format!("history.{}.2", source.prefix));
    let _second = source.start_streaming();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    sink.wait_for_rows(&process, &source, "keyless", &["id", "v"]);
    sql(&source, "INSERT INTO t VALUES (2,22); INSERT INTO keyless VALUES (2,22)");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    sink.wait_for_rows(&process, &source, "keyless", &["id", "v"]);
    process.terminate().expect(0, &["what the snapshot did not find is deleted"]);
}

/// Two tasks of one process and a second process share the partitions; each goes away at a time.
#[test]
fn partitions_move_between_members_in_the_middle_of_batches() {
    let (mut source, mut sink) = pair(
        "sink_members",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT)",
            "CREATE TABLE u (id INT PRIMARY KEY AUTO_INCREMENT, v INT)",
        ],
    );
    source
        .set("topic.creation.default.partitions", "3")
        .set("topic.creation.default.replication.factor", "1");
    sink.set("tasks.max", "2").set("flush.rows", "100").set("inserts.per.second", "1000");
    let _source = source.start_streaming();
    let write = || {
        for table in ["t", "u"] {
            let change = format!(
                "INSERT INTO {table} (v) SELECT 1 FROM information_schema.columns LIMIT 40; UPDATE {table} SET v=v+1 WHERE id % 5 = 1; DELETE FROM {table} WHERE id % 9 = 2"
            );
            sql(&source, &change);
        }
    };
    let first = sink.start();
    write();
    let second = sink.start_beside(&[], "log.2");
    for _ in 0..8 {
        write();
    }
    first.kill();
    for _ in 0..8 {
        write();
    }
    let third = sink.start_beside(&[], "log.3");
    for _ in 0..8 {
        write();
    }
    second.terminate().expect(0, &[]);
    write();
    for table in ["t", "u"] {
        sink.wait_for_rows(&third, &source, table, &["id", "v"]);
    }
    third.terminate().expect(0, &[]);
}

/// A server of the test's own is killed and started again: what it did not confirm is sent again, and records wait for it.
#[test]
fn a_server_that_is_away_is_waited_for() {
    let (source, mut sink) =
        pair("sink_away", &["CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT)"]);
    let server = crate::support::restarted::clickhouse();
    // Its tables outlive the test.
    new_database(&server.clickhouse(), "sink_away");
    sink.set("clickhouse.url", &server.url());
    sink.url = Some(server.url());
    let _source = source.start_streaming();
    let process = sink.start();
    sql(&source, "INSERT INTO t VALUES (1,1)");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    for _ in 0..2 {
        server.kill();
        for _ in 0..10 {
            sql(
                &source,
                "INSERT INTO t (v) SELECT 1 FROM information_schema.columns LIMIT 50; UPDATE t SET v=v+1",
            );
        }
        wait_until("an insert fails", LIMIT, || process.log().contains("an insert failed and is repeated"));
        server.start();
        sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    }
    process.terminate().expect(0, &["inserts succeed again"]);
}

#[test]
fn a_source_and_a_sink_run_in_one_process() {
    let (source, sink) =
        pair("sink_beside", &["CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1,1)"]);
    let [_, connector] = source.write_files();
    let process = sink.start_beside(&[&connector], "log");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    sql(&source, "UPDATE t SET v=2; INSERT INTO t VALUES (2,2)");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    process.terminate().expect(0, &["stopped"]);
}

/// `deploy/demo --clickhouse`.
#[test]
fn the_demonstration_mirrors_its_shop() {
    let (mysql, url) = (variable("TIDEWIRE_MYSQL97"), format!("http://{}", variable("TIDEWIRE_CLICKHOUSE")));
    let arguments = ["demo", "--mysql", &mysql, "--kafka", &variable("TIDEWIRE_KAFKA"), "--clickhouse", &url];
    let done = tidewire(arguments).output().expect("it runs");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}{}", String::from_utf8_lossy(&done.stderr));
    assert!(
        text.contains("demo: 30 changes made, 2 tables, 9 rows compared, 0 differences, at most"),
        "{text}"
    );
    assert!(text.contains("ClickHouse, equal"), "{text}");
}
