//! `tombstones.keep.ms`: old deletions go, what they hid never comes back, and what is older than they are is refused.

use std::time::Duration;

use crate::support::clickhouse::{client, run, values};
use crate::support::database::variable;
use crate::support::process::{LIMIT, wait_until};
use crate::support::sink::{Sink, pair, sql};

#[test]
fn old_deletions_are_removed_and_older_rows_refused() {
    let (source, mut sink) = pair(
        "cleanup",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
            "INSERT INTO t VALUES (1,1),(2,2),(3,3),(4,4)",
            "CREATE TABLE other (id INT PRIMARY KEY)",
        ],
    );
    sink.set("tombstones.keep.ms", "2000")
        .set("tombstones.cleanup.interval.ms", "500")
        .set("errors.tolerance", "all");
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    // Parts stay apart: what a deletion hides is there when it goes.
    run(&client(), "SYSTEM STOP MERGES cleanup.t");
    sql(
        &source,
        "DELETE FROM t WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2,20); UPDATE t SET id = 30 WHERE id = 3",
    );
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    let deletions = || values(&client(), "SELECT toString(id) FROM cleanup.t WHERE _deleted = 1 ORDER BY id");
    assert!(!deletions().is_empty());
    run(&client(), "SYSTEM START MERGES cleanup.t");
    let mut round = 0;
    wait_until("the deletions of dead keys are gone", LIMIT, || {
        round += 1;
        sql(&source, &format!("UPDATE t SET v = {round} WHERE id = 4"));
        std::thread::sleep(Duration::from_millis(300));
        let left = deletions();
        !left.contains(&Some("1".to_owned())) && !left.contains(&Some("3".to_owned()))
    });
    // Nothing of these keys is left that could come back.
    let hidden = values(&client(), "SELECT toString(id) FROM cleanup.t WHERE id IN (1, 3)");
    assert!(hidden.is_empty(), "{hidden:?}");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    // What is put aside may still be written: deletions above it stay.
    run(&client(), "ALTER TABLE cleanup.t ADD CONSTRAINT small CHECK v < 1000");
    sql(&source, "INSERT INTO t VALUES (5,5000); INSERT INTO t VALUES (6,6); DELETE FROM t WHERE id = 6");
    wait_until("it is put aside", LIMIT, || process.log().contains("a record is put aside"));
    for _ in 0..15 {
        round += 1;
        sql(&source, &format!("UPDATE t SET v = {round} WHERE id = 4"));
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(deletions().last(), Some(&Some("6".to_owned())));
    process.terminate().expect(0, &["old deletions removed"]);

    // From the beginning once more: a record that may have been deleted since stops its table.
    let mut again = Sink::of(&source, &variable("TIDEWIRE_KAFKA"));
    again.name.push_str("_again");
    let process = again.start();
    sql(&source, "INSERT INTO other VALUES (1)");
    again.wait_for_rows(&process, &source, "other", &["id"]);
    wait_until("the table stops", LIMIT, || process.log().contains("a table stops, the others go on"));
    process
        .terminate()
        .expect(0, &["is older than the deletions that were removed", "drop the table in ClickHouse"]);
    assert!(values(&client(), "SELECT toString(id) FROM cleanup.t FINAL WHERE id IN (1, 3)").is_empty());
    // Made anew it takes them all.
    run(&client(), "DROP TABLE cleanup.t SYNC");
    let process = again.start();
    again.wait_for_rows(&process, &source, "t", &["id", "v"]);
    process.terminate().expect(0, &[]);
}
