//! Rules of the sink against real servers: what others got wrong about versions and delivery cannot happen here.
//!
//! Numbers are those of the specification's sections 2.1 and 2.2; `src/sink/version/tests.rs` has the arithmetic of R-1.
//!
//! | fault of others | test |
//! |---|---|
//! | 1, 2, 8: constant versions, versions beyond a signed number | `r_1_a_version_fits_a_signed_number` |
//! | 3: a repeated deletion wins | `r_1_a_replay_of_any_part_changes_nothing`, `r_1_topics_that_are_read_again_change_nothing` |
//! | 4: a long transaction loses | `r_1_a_statement_that_began_earlier_and_committed_later_wins` |
//! | 5, 10: versions begin anew after a restart; tagged GTIDs | `r_1_versions_go_on_after_restarts_and_with_tagged_gtids` |
//! | 6, 9, 11: changes at one moment, in one transaction | `r_1_changes_at_one_moment_stay_in_their_order`, `r_1_changes_of_one_transaction_have_versions_of_their_own` |
//! | 7: no way back after an upgrade | `r_1_one_domain_for_both_schemes_up_and_down` |
//! | 12: the user's own column | `r_4_a_column_of_the_user_keeps_its_name` |
//! | 13, 16, 21: offsets ahead of rows | `r_2_offsets_are_committed_behind_stored_rows` |
//! | 14: a missing table takes others along | `r_2_a_table_that_is_gone_stops_alone` |
//! | 15, 25: failures skipped; a whole batch put aside | `r_2_a_row_that_the_server_refuses_is_put_aside_or_stops_its_table` |
//! | 17: retries without a reason | `r_2_offsets_are_committed_behind_stored_rows` |
//! | 18: state deleted and written again | `r_2_state_is_only_ever_added_to` |
//! | 19: a DROP at the end | `r_2_a_drop_at_the_end_is_no_obstacle_to_a_start` |
//! | 20: rows between snapshot and stream | `r_2_nothing_is_lost_between_snapshot_and_stream` |
//! | the server lacks parts, memory, a column | `r_2_too_many_parts_are_waited_for`, `r_2_an_insert_that_wants_too_much_memory_is_cut`, `r_2_a_table_that_somebody_changed_stops_alone` |
//! | the topic of schema changes loses its oldest records | `r_2_descriptions_outlive_their_topic` |
//! | 22, 23, 24: a member that slept; tokens that are forgotten or collide | `r_2_a_member_that_slept_stores_nothing_twice` |

use std::time::Duration;

use crate::support::clickhouse::{client, new_database, run, values};
use crate::support::database::{MYSQL97, variable};
use crate::support::process::{LIMIT, wait_until};
use crate::support::sink::{Sink, pair, sql};
use crate::support::topic::committed;

/// ALT#1452: the event's time is that of its statement, which waited for a lock.
#[test]
fn r_1_a_statement_that_began_earlier_and_committed_later_wins() {
    let (source, sink) =
        pair("r1_waits", &["CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1,0),(2,0)"]);
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            sql(&source, "BEGIN; UPDATE t SET v = 1 WHERE id = 1; SELECT SLEEP(3); UPDATE t SET v = 2 WHERE id = 1; COMMIT");
        });
        scope.spawn(|| {
            // Its second statement begins before the other's second one, and is done after it.
            sql(&source, "SELECT SLEEP(1); BEGIN; UPDATE t SET v = 3 WHERE id = 2; UPDATE t SET v = 4 WHERE id = 1; COMMIT");
        });
    });
    assert_eq!(MYSQL97.sql("SELECT v FROM r1_waits.t ORDER BY id"), ["4", "3"]);
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    process.terminate().expect(0, &[]);
}

/// ALT#1478, MCR#138: source and sink are killed between changes of the same rows; transactions with tags in between.
#[test]
fn r_1_versions_go_on_after_restarts_and_with_tagged_gtids() {
    let (source, sink) = pair(
        "r1_restarts",
        &["CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1,0),(2,0),(3,0)"],
    );
    let mut first = source.start_streaming();
    let mut process = sink.start();
    for round in 1..=3 {
        sql(&source, &format!("UPDATE t SET v = {round}0 WHERE id < 3"));
        sql(
            &source,
            &format!(
                "SET gtid_next = 'AUTOMATIC:tag_{round}'; UPDATE t SET v = {round}1 WHERE id = 1; DELETE FROM t WHERE id = 3"
            ),
        );
        sql(
            &source,
            &format!(
                "SET gtid_next = 'AUTOMATIC'; UPDATE t SET v = {round}2 WHERE id = 1; INSERT INTO t VALUES (3, {round})"
            ),
        );
        sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
        first.kill();
        process.kill();
        sql(&source, &format!("UPDATE t SET v = {round}3 WHERE id = 2"));
        first = source.start_streaming();
        process = sink.start();
    }
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    process.terminate().expect(0, &[]);
}

/// ALT#523, #550, #552, #569: the server's clock stands still.
#[test]
fn r_1_changes_at_one_moment_stay_in_their_order() {
    let (source, sink) = pair("r1_moment", &["CREATE TABLE t (id INT PRIMARY KEY, v INT)"]);
    let _source = source.start_streaming();
    let process = sink.start();
    let mut changes = String::from("SET timestamp = 1700000000; ");
    for v in 0..50 {
        changes.push_str(&format!(
            "INSERT INTO t VALUES (1,{v}) ON DUPLICATE KEY UPDATE v = {v}; DELETE FROM t WHERE id = 2; INSERT INTO t VALUES (2,{v}); "
        ));
    }
    sql(&source, &changes);
    sql(&source, "SET timestamp = 1600000000; UPDATE t SET v = 100 WHERE id = 1; DELETE FROM t WHERE id = 2");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    process.terminate().expect(0, &[]);
}

/// ALT#1346: everything is deleted and inserted again, and the topics are read from anywhere once more.
#[test]
fn r_1_topics_that_are_read_again_change_nothing() {
    let (source, sink) = pair(
        "r1_again",
        &["CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1,1),(2,2),(3,3)"],
    );
    let _source = source.start_streaming();
    let process = sink.start();
    sql(
        &source,
        "DELETE FROM t; INSERT INTO t VALUES (1,10),(2,20); DELETE FROM t; INSERT INTO t VALUES (1,100),(3,300)",
    );
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    process.terminate().expect(0, &[]);
    let everything = || {
        values(
            &client(),
            "SELECT toString(cityHash64(groupArray(tuple(*)))) FROM (SELECT * EXCEPT _synced_at FROM r1_again.t FINAL ORDER BY id)",
        )
    };
    let before = everything();
    for from in 0..6 {
        let mut again = Sink::of(&source, &variable("TIDEWIRE_KAFKA"));
        again.name.push_str(&format!("_{from}"));
        let topic = format!("{}.r1_again.t", source.prefix);
        crate::support::topic::commit(&format!("connect-{}", again.name), &topic, from * 2);
        let process = again.start();
        wait_until("it has read everything", LIMIT, || {
            committed(&format!("connect-{}", again.name), &topic, 1)[0].is_some_and(|offset| offset > 12)
        });
        process.terminate().expect(0, &[]);
        assert_eq!(everything(), before, "from {}", from * 2);
    }
}

/// ALT#1299, #1142, #1471, CKC#458, and ALT#611: the server does not answer, and the log says so.
#[test]
fn r_2_offsets_are_committed_behind_stored_rows() {
    let (source, mut sink) = pair("r2_offsets", &["CREATE TABLE t (id INT PRIMARY KEY, v INT)"]);
    let server = crate::support::restarted::clickhouse();
    new_database(&server.clickhouse(), "r2_offsets");
    sink.set("clickhouse.url", &server.url()).set("clickhouse.request.timeout.ms", "1000");
    sink.url = Some(server.url());
    let _source = source.start_streaming();
    let process = sink.start();
    sql(&source, "INSERT INTO t VALUES (1,1),(2,2),(3,3)");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    let (group, topic) = (format!("connect-{}", sink.name), format!("{}.r2_offsets.t", source.prefix));
    wait_until("three are committed", LIMIT, || committed(&group, &topic, 1) == [Some(3)]);
    server.pause();
    sql(&source, "INSERT INTO t VALUES (4,4); UPDATE t SET v = 0");
    wait_until("an insert fails", LIMIT, || process.log().contains("an insert failed and is repeated"));
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(committed(&group, &topic, 1), [Some(3)]);
    assert!(process.log().contains("timeout") || process.log().contains("not answer"), "{}", process.log());
    process.kill();
    assert_eq!(committed(&group, &topic, 1), [Some(3)]);
    server.go_on();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    wait_until("all are committed", LIMIT, || committed(&group, &topic, 1) == [Some(8)]);
    process.terminate().expect(0, &[]);
}

/// ALT#1285, #1230.
#[test]
fn r_2_a_table_that_is_gone_stops_alone() {
    let (source, sink) = pair(
        "r2_gone",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY)",
            "CREATE TABLE u (id INT PRIMARY KEY)",
            "INSERT INTO t VALUES (1)",
            "INSERT INTO u VALUES (1)",
        ],
    );
    let _source = source.start_streaming();
    let process = sink.start();
    for table in ["t", "u"] {
        sink.wait_for_rows(&process, &source, table, &["id"]);
    }
    run(&client(), "DROP TABLE r2_gone.t SYNC");
    sql(&source, "BEGIN; INSERT INTO t VALUES (2); INSERT INTO u VALUES (2); COMMIT");
    sink.wait_for_rows(&process, &source, "u", &["id"]);
    wait_until("the table stops", LIMIT, || process.log().contains("a table stops, the others go on"));
    sql(&source, "INSERT INTO t VALUES (3); INSERT INTO u VALUES (3)");
    sink.wait_for_rows(&process, &source, "u", &["id"]);
    let topic = format!("{}.r2_gone.t", source.prefix);
    assert_eq!(committed(&format!("connect-{}", sink.name), &topic, 1), [Some(1)]);
    process.terminate().expect(0, &["UNKNOWN_TABLE", "table=\"r2_gone.t\""]);
}

/// ALT#1185: no line of the state is changed or deleted.
#[test]
fn r_2_state_is_only_ever_added_to() {
    let (source, sink) =
        pair("r2_state", &["CREATE TABLE t (id INT PRIMARY KEY)", "INSERT INTO t VALUES (1)"]);
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id"]);
    for id in 2..5 {
        sql(&source, &format!("TRUNCATE t; INSERT INTO t VALUES ({id})"));
        sink.wait_for_rows(&process, &source, "t", &["id"]);
    }
    process.terminate().expect(0, &[]);
    let mutations = "SELECT command FROM system.mutations WHERE database = '_tidewire'";
    assert!(values(&client(), mutations).is_empty(), "{:?}", values(&client(), mutations));
    let floor = "SELECT toString(uniqExact(version)) FROM _tidewire.state WHERE kind = 'floor' AND name = 'r2_state.t'";
    assert_ne!(values(&client(), floor), [Some("0".to_owned())]);
}

/// ALT#872.
#[test]
fn r_2_a_drop_at_the_end_is_no_obstacle_to_a_start() {
    let (source, sink) = pair(
        "r2_drop",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY)",
            "CREATE TABLE u (id INT PRIMARY KEY)",
            "INSERT INTO t VALUES (1)",
            "INSERT INTO u VALUES (1)",
        ],
    );
    let first = source.start_streaming();
    let process = sink.start();
    for table in ["t", "u"] {
        sink.wait_for_rows(&process, &source, table, &["id"]);
    }
    sql(&source, "DROP TABLE t");
    std::thread::sleep(Duration::from_secs(2));
    process.terminate().expect(0, &[]);
    first.terminate().expect(0, &[]);
    let _second = source.start_streaming();
    let process = sink.start();
    sql(&source, "INSERT INTO u VALUES (2)");
    sink.wait_for_rows(&process, &source, "u", &["id"]);
    process.terminate().expect(0, &[]);
}

/// ALT#1026, #40: rows change all the time while the snapshot is read.
#[test]
fn r_2_nothing_is_lost_between_snapshot_and_stream() {
    let (source, sink) = pair(
        "r2_handover",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT)",
            "INSERT INTO t (v) SELECT 0 FROM information_schema.columns LIMIT 2000",
        ],
    );
    let stop = std::sync::atomic::AtomicBool::new(false);
    let process = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                sql(&source, "INSERT INTO t (v) VALUES (1); UPDATE t SET v = v + 1 WHERE id % 97 = 3; DELETE FROM t WHERE id % 101 = 5 LIMIT 1");
            }
        });
        let running = source.start_streaming();
        let process = sink.start();
        std::thread::sleep(Duration::from_secs(3));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        writer.join().expect("the writer");
        sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
        running.terminate().expect(0, &[]);
        process
    });
    process.terminate().expect(0, &[]);
}

/// CKC#24, CH#83491: it sleeps with rows in hand until another member has its partitions, and wakes up.
#[test]
fn r_2_a_member_that_slept_stores_nothing_twice() {
    let (source, mut sink) = pair(
        "r2_sleeper",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
            "CREATE TABLE changes (v INT)",
            "INSERT INTO changes VALUES (0)",
            "INSERT INTO t VALUES (1,0)",
        ],
    );
    sink.set("keyless.mode", "append").set("flush.interval.ms", "2000");
    let _source = source.start_streaming();
    let sleeper = sink.start();
    let rows = "SELECT toString(v) FROM r2_sleeper.changes ORDER BY v";
    sink.wait_for(&sleeper, rows, &["0"]);
    sink.wait_for_rows(&sleeper, &source, "t", &["id", "v"]);
    sql(&source, "INSERT INTO changes VALUES (1),(2),(3); UPDATE t SET v = 1");
    // It has read them and not sent them yet.
    std::thread::sleep(Duration::from_millis(900));
    sleeper.pause();
    let other = sink.start_beside(&[], "log.other");
    sink.wait_for(&other, rows, &["0", "1", "2", "3"]);
    sql(&source, "INSERT INTO changes VALUES (4); UPDATE t SET v = 2");
    sink.wait_for(&other, rows, &["0", "1", "2", "3", "4"]);
    sleeper.go_on();
    std::thread::sleep(Duration::from_secs(5));
    sql(&source, "INSERT INTO changes VALUES (5)");
    sink.wait_for(&other, rows, &["0", "1", "2", "3", "4", "5"]);
    sink.wait_for_rows(&other, &source, "t", &["id", "v"]);
    for process in [sleeper, other] {
        process.terminate().expect(0, &[]);
    }
    let left = values(&client(), rows);
    assert_eq!(left.into_iter().flatten().collect::<Vec<_>>(), ["0", "1", "2", "3", "4", "5"]);
}

const TWO_TABLES: [&str; 4] = [
    "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
    "CREATE TABLE u (id INT PRIMARY KEY, v INT)",
    "INSERT INTO t VALUES (1,1)",
    "INSERT INTO u VALUES (1,1)",
];

/// CH#71443: the table waits, the others go on, and nothing is lost.
#[test]
fn r_2_too_many_parts_are_waited_for() {
    let (source, sink) = pair("r2_parts", &TWO_TABLES);
    let _source = source.start_streaming();
    let process = sink.start();
    for table in ["t", "u"] {
        sink.wait_for_rows(&process, &source, table, &["id", "v"]);
    }
    run(&client(), "SYSTEM STOP MERGES r2_parts.t");
    run(
        &client(),
        "ALTER TABLE r2_parts.t MODIFY SETTING parts_to_delay_insert = 1, parts_to_throw_insert = 1",
    );
    sql(&source, "INSERT INTO t VALUES (2,2); UPDATE t SET v = 3; INSERT INTO u VALUES (2,2)");
    sink.wait_for_rows(&process, &source, "u", &["id", "v"]);
    wait_until("an insert fails", LIMIT, || process.log().contains("TOO_MANY_PARTS"));
    let topic = format!("{}.r2_parts.t", source.prefix);
    assert_eq!(committed(&format!("connect-{}", sink.name), &topic, 1), [Some(1)]);
    run(
        &client(),
        "ALTER TABLE r2_parts.t MODIFY SETTING parts_to_delay_insert = 1000, parts_to_throw_insert = 3000",
    );
    run(&client(), "SYSTEM START MERGES r2_parts.t");
    sink.wait_for_rows(&process, &source, "t", &["id", "v"]);
    process.terminate().expect(0, &["an insert failed and is repeated"]);
}

/// ALT#307, #574: the server has not the memory for an insert; it is cut until it has.
#[test]
fn r_2_an_insert_that_wants_too_much_memory_is_cut() {
    let (source, mut sink) = pair("r2_memory", &["CREATE TABLE t (id INT PRIMARY KEY, v LONGTEXT)"]);
    sink.set("clickhouse.user", "small")
        .set("clickhouse.password", "small-secret")
        .set("flush.interval.ms", "2000");
    let _source = source.start_streaming();
    let process = sink.start();
    sql(&source, "INSERT INTO t VALUES (1,'x')");
    sink.wait_for_rows(&process, &source, "t", &["id", "length(v)"]);
    let rows: Vec<String> = (2..200).map(|id| format!("({id},REPEAT('{}',200000))", id % 10)).collect();
    sql(&source, &format!("INSERT INTO t VALUES {}", rows.join(",")));
    sink.wait_for_rows(&process, &source, "t", &["id", "length(v)"]);
    process.terminate().expect(0, &["MEMORY_LIMIT_EXCEEDED"]);
}

/// A column is taken from the table by hand: it stops by name, and goes on when the column is back.
#[test]
fn r_2_a_table_that_somebody_changed_stops_alone() {
    let (source, sink) = pair("r2_changed", &TWO_TABLES);
    let _source = source.start_streaming();
    let process = sink.start();
    for table in ["t", "u"] {
        sink.wait_for_rows(&process, &source, table, &["id", "v"]);
    }
    run(&client(), "ALTER TABLE r2_changed.t DROP COLUMN v");
    sql(&source, "INSERT INTO t VALUES (2,2); INSERT INTO u VALUES (2,2)");
    sink.wait_for_rows(&process, &source, "u", &["id", "v"]);
    wait_until("the table stops", LIMIT, || process.log().contains("a table stops, the others go on"));
    sql(&source, "INSERT INTO u VALUES (3,3)");
    sink.wait_for_rows(&process, &source, "u", &["id", "v"]);
    process.terminate().expect(0, &["table=\"r2_changed.t\""]);
    run(&client(), "ALTER TABLE r2_changed.t ADD COLUMN v Nullable(Int32) AFTER id");
    let process = sink.start();
    let rows =
        "SELECT concat(toString(id), ' ', ifNull(toString(v), 'NULL')) FROM r2_changed.t FINAL ORDER BY id";
    // What was dropped is gone; everything since is there.
    sink.wait_for(&process, rows, &["1 NULL", "2 2"]);
    process.terminate().expect(0, &[]);
}

/// The broker's retention takes the schema changes away, of tables that nobody altered since.
#[test]
fn r_2_descriptions_outlive_their_topic() {
    for sequence in ["true", "false"] {
        let name = format!("r2_retention_{sequence}");
        let (mut source, sink) = pair(
            &name,
            &[
                "CREATE TABLE t (id INT PRIMARY KEY, d DECIMAL(9,3), at DATETIME(3), b VARBINARY(9))",
                "INSERT INTO t VALUES (1,1.5,'2024-02-29 01:02:03.456','a')",
                "CREATE TABLE u (id INT PRIMARY KEY)",
            ],
        );
        source
            .set("tidewire.sequence.header", sequence)
            .set("key.converter.schemas.enable", "false")
            .set("value.converter.schemas.enable", "false");
        let _source = source.start_streaming();
        let process = sink.start();
        let columns = ["id", "round(d * 1000)", "at", "b"];
        sink.wait_for_rows(&process, &source, "t", &columns);
        process.terminate().expect(0, &[]);
        sql(
            &source,
            "ALTER TABLE u ADD COLUMN v INT; INSERT INTO u VALUES (1,1); INSERT INTO t VALUES (2,2.25,'2024-03-01 00:00:00.001','b')",
        );
        // All but the last one.
        std::thread::sleep(Duration::from_secs(2));
        let end = crate::support::topic::end(&source.prefix);
        crate::support::topic::delete_below(&source.prefix, 0, end - 1);
        for (id, value) in [(3, "c"), (4, "d")] {
            let process = sink.start();
            sql(
                &source,
                &format!(
                    "INSERT INTO t VALUES ({id},{id}.125,'2024-03-01 00:00:00.00{id}','{value}'); UPDATE t SET d = d + 1 WHERE id = 1"
                ),
            );
            sink.wait_for_rows(&process, &source, "t", &columns);
            sink.wait_for_rows(&process, &source, "u", &["id", "v"]);
            process.terminate().expect(0, &[]);
        }
    }
}
