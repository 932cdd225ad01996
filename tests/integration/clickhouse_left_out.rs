//! Values that `binlog_row_image=NOBLOB` leaves out keep what the table in ClickHouse has; the placeholder is never stored.

use crate::support::clickhouse::{client, run, values};
use crate::support::database::variable;
use crate::support::process::{LIMIT, wait_until};
use crate::support::sink::{Sink, pair, sql};

const COLUMNS: [&str; 6] = ["id", "n", "t", "b", "w", "d"];

/// A row by its old key while that key is given to another row, several changes of a row in one transaction, deletions between, and
/// the same records again after a kill.
#[test]
fn values_that_were_left_out_are_carried_forward() {
    for (schemas, sequence) in [("false", "true"), ("true", "false")] {
        let name = format!("left_out_{schemas}");
        let (mut source, sink) = pair(
            &name,
            &[
                "CREATE TABLE t (id INT, k VARCHAR(9) NOT NULL, n INT, t TEXT, b BLOB, w MEDIUMTEXT NOT NULL, d VARCHAR(9), \
                 PRIMARY KEY (id, k))",
                "INSERT INTO t VALUES (1,'a',1,'one','blob',REPEAT('x',70000),'a'),(2,'b',2,NULL,'','ö\"',NULL),\
                 (3,'c',3,'','3','three',NULL),(4,'d',4,'four','4','4',NULL)",
            ],
        );
        source
            .set("tidewire.sequence.header", sequence)
            .set("key.converter.schemas.enable", schemas)
            .set("value.converter.schemas.enable", schemas);
        let _source = source.start_streaming();
        let process = sink.start();
        sink.wait_for_rows(&process, &source, "t", &COLUMNS);
        let noblob =
            |statements: &str| sql(&source, &format!("SET binlog_row_image = 'NOBLOB'; {statements}"));
        noblob(
            "UPDATE t SET n = 10; UPDATE t SET t = 'changed' WHERE id = 1; UPDATE t SET b = NULL, d = 'x' WHERE id = 3; \
             BEGIN; UPDATE t SET n = 11 WHERE id = 1; UPDATE t SET w = 'w' WHERE id = 1; UPDATE t SET n = 12 WHERE id = 1; COMMIT; \
             DELETE FROM t WHERE id = 4; INSERT INTO t VALUES (4,'d',5,'again',NULL,'again',NULL); UPDATE t SET n = 6 WHERE id = 4;",
        );
        sink.wait_for_rows(&process, &source, "t", &COLUMNS);
        // Keys move in a circle, and twice in one transaction.
        noblob(
            "UPDATE t SET id = 9 WHERE id = 1; UPDATE t SET id = 1, k = 'b' WHERE id = 2; UPDATE t SET id = 2 WHERE id = 9; \
             BEGIN; UPDATE t SET id = 30 WHERE id = 3; UPDATE t SET n = 31 WHERE id = 30; UPDATE t SET id = 31 WHERE id = 30; COMMIT; \
             DELETE FROM t WHERE id = 4",
        );
        sink.wait_for_rows(&process, &source, "t", &COLUMNS);
        process.kill();
        noblob("UPDATE t SET n = n + 1; UPDATE t SET n = n + 1; UPDATE t SET t = NULL WHERE id = 31");
        let process = sink.start();
        sink.wait_for_rows(&process, &source, "t", &COLUMNS);
        process.terminate().expect(0, &[]);
        // From the beginning of the topics once more.
        let mut again = Sink::of(&source, &variable("TIDEWIRE_KAFKA"));
        again.name.push_str("_again");
        let process = again.start();
        noblob("UPDATE t SET n = n + 1");
        again.wait_for_rows(&process, &source, "t", &COLUMNS);
        process.terminate().expect(0, &[]);
        let stored = format!(
            "SELECT toString(count()) FROM {name}.t WHERE t = '__debezium_unavailable_value' OR b LIKE '%debezium%'"
        );
        assert_eq!(values(&client(), &stored), [Some("0".to_owned())]);
    }
}

/// Nobody knows the value: the table stops and says what to do. A table without a key has whole images whatever is set.
#[test]
fn a_value_that_nobody_knows_stops_its_table() {
    let (source, mut sink) = pair(
        "left_out_unknown",
        &["CREATE TABLE t (id INT PRIMARY KEY, n INT, t TEXT)", "CREATE TABLE keyless (n INT, t TEXT)"],
    );
    sink.set("keyless.mode", "row_hash");
    let _source = source.start_streaming();
    let process = sink.start();
    sql(&source, "INSERT INTO t VALUES (1,1,'one'); INSERT INTO keyless VALUES (1,'one')");
    sink.wait_for_rows(&process, &source, "t", &["id", "n", "t"]);
    sink.wait_for_rows(&process, &source, "keyless", &["n", "t"]);
    run(&client(), "ALTER TABLE left_out_unknown.t DELETE WHERE id = 1 SETTINGS mutations_sync = 2");
    sql(&source, "SET binlog_row_image = 'NOBLOB'; UPDATE t SET n = 2; UPDATE keyless SET n = 2");
    sink.wait_for_rows(&process, &source, "keyless", &["n", "t"]);
    wait_until("the table stops", LIMIT, || process.log().contains("a table stops, the others go on"));
    process.terminate().expect(
        0,
        &[
            "left_out_unknown.t",
            "column t of type Nullable(String): the server left the value out",
            "binlog_row_image=FULL",
        ],
    );
}
