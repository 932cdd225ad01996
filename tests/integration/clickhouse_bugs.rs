//! Faults that users of other tools report of ClickHouse types and of versions and deletes, by their numbers in our collection
//! (109, 112, 113, 116, 123, 125, 126, 127; 129 is in `clickhouse_sink`): the rows of MySQL are in ClickHouse, whether they were
//! streamed or read by a snapshot, and once more after everything is read again.

use crate::support::clickhouse::{client, values};
use crate::support::sink::{mirrored, pair, sql};

#[test]
fn r_5_bug_109_dates_from_the_first_to_the_last() {
    mirrored(
        "bug109",
        &["CREATE TABLE rng (id INT PRIMARY KEY, d DATE, dt DATETIME, dt6 DATETIME(6), ts TIMESTAMP NULL)"],
        "SET time_zone = '+00:00'; INSERT INTO rng VALUES \
         (1,'1899-12-31','1899-12-31 23:59:59','1899-12-31 23:59:59.999999','1970-01-01 00:00:01'),\
         (2,'2300-01-01','2299-12-31 23:59:59','2299-12-31 23:59:59.999999','2038-01-19 03:14:07'),\
         (3,'1000-01-01','9999-12-31 23:59:59','2262-04-11 23:47:16.854776',NULL),\
         (4,'2149-06-07','2106-02-07 06:28:16','1969-12-31 23:59:59.999999',NULL),\
         (5,'1925-01-01','1925-01-01 00:00:00','1970-01-01 00:00:00',NULL)",
        "rng",
        &["id", "d", "dt", "dt6"],
        "1000",
    );
    let instants = "SELECT ifNull(toString(ts), 'NULL') FROM bug109_stream.rng FINAL ORDER BY id LIMIT 3";
    assert_eq!(
        values(&client(), instants).into_iter().flatten().collect::<Vec<_>>(),
        ["1970-01-01 00:00:01", "2038-01-19 03:14:07", "NULL"]
    );
}

#[test]
fn r_5_bug_112_times_are_durations() {
    mirrored(
        "bug112",
        &["CREATE TABLE ct (id INT PRIMARY KEY, t TIME, t6 TIME(6))"],
        "INSERT INTO ct VALUES (1,'-12:00:00','-838:59:59.000000'),(2,'100:00:01','838:59:59.000000'),\
         (3,'16:01:25','16:01:25.000001'),(4,NULL,'00:00:00')",
        "ct",
        &["id", "t", "t6"],
        "1000",
    );
}

#[test]
fn r_5_bug_113_labels_are_added_in_the_middle() {
    mirrored(
        "bug113",
        &["CREATE TABLE ce (id INT PRIMARY KEY, st ENUM('new','done') NOT NULL)"],
        "SET SESSION sql_mode = ''; INSERT INTO ce VALUES (1,'new'),(2,'done'),(3,'bogus'); \
         ALTER TABLE ce MODIFY st ENUM('draft','new','done','void') NOT NULL; INSERT INTO ce VALUES (4,'draft'),(5,'void')",
        "ce",
        &["id", "st"],
        "1000",
    );
    let stored = "SELECT toString(st) FROM bug113_stream.ce FINAL ORDER BY id";
    let stored: Vec<_> = values(&client(), stored).into_iter().flatten().collect();
    assert_eq!(stored, ["new", "done", "", "draft", "void"]);
}

#[test]
fn r_4_bug_116_one_key_in_several_spellings() {
    mirrored(
        "bug116",
        &["CREATE TABLE ckey (code VARCHAR(10) COLLATE utf8mb4_general_ci PRIMARY KEY, v INT)"],
        "INSERT INTO ckey VALUES ('abc',1),('straße',2); UPDATE ckey SET code = 'ABC', v = 10 WHERE code = 'abc'; \
         UPDATE ckey SET v = 11 WHERE code = 'aBc '; INSERT INTO ckey VALUES ('AbC  ', 12) ON DUPLICATE KEY UPDATE v = 13; \
         REPLACE INTO ckey VALUES ('abc', 14); DELETE FROM ckey WHERE code = 'STRAßE'",
        "ckey",
        &["code", "v"],
        "1000",
    );
    assert_eq!(
        values(&client(), "SELECT concat(code, toString(v)) FROM bug116_stream.ckey FINAL"),
        [Some("abc14".to_owned())]
    );
}

#[test]
fn r_1_bug_123_a_key_that_is_deleted_and_comes_again() {
    mirrored(
        "bug123",
        &["CREATE TABLE dri (id INT PRIMARY KEY, v INT)"],
        "INSERT INTO dri VALUES (1,1),(2,2),(3,3); BEGIN; DELETE FROM dri; INSERT INTO dri VALUES (1,10),(2,20); COMMIT; \
         DELETE FROM dri WHERE id = 2; INSERT INTO dri VALUES (2,21); DELETE FROM dri WHERE id = 2; INSERT INTO dri VALUES (2,22); \
         REPLACE INTO dri VALUES (1,11); INSERT INTO dri VALUES (4,4); DELETE FROM dri WHERE id = 4",
        "dri",
        &["id", "v"],
        "3",
    );
}

#[test]
fn r_4_bug_125_keys_move_in_chains_and_circles() {
    mirrored(
        "bug125",
        &["CREATE TABLE pku (id INT, sub CHAR(1), v VARCHAR(5), PRIMARY KEY (id, sub))"],
        "INSERT INTO pku VALUES (1,'a','one'),(2,'a','two'),(3,'a','three'); UPDATE pku SET id = 100 WHERE id = 1; \
         UPDATE pku SET id = id + 1 WHERE id < 10 ORDER BY id DESC; \
         BEGIN; UPDATE pku SET sub = 't' WHERE id = 3; UPDATE pku SET id = 3 WHERE id = 4; \
         UPDATE pku SET id = 4, sub = 'a' WHERE sub = 't'; COMMIT; \
         UPDATE pku SET id = 1 WHERE id = 100; UPDATE pku SET id = 1, v = 'same' WHERE id = 1",
        "pku",
        &["id", "sub", "v"],
        "1",
    );
    assert_eq!(values(&client(), "SELECT v FROM bug125_stream.pku FINAL ORDER BY id").len(), 3);
}

#[test]
fn r_4_bug_126_rows_without_a_key_stay_countable() {
    let (source, mut sink) = pair("bug126", &["CREATE TABLE kl (a INT NULL, b VARCHAR(5) NULL)"]);
    sink.set("keyless.mode", "append");
    let _source = source.start_streaming();
    let process = sink.start();
    sql(
        &source,
        "INSERT INTO kl VALUES (1,'x'),(1,'x'),(2,'y'),(NULL,NULL),(NULL,NULL); UPDATE kl SET b = 'z' WHERE a = 1 LIMIT 1; \
         DELETE FROM kl WHERE a IS NULL LIMIT 1; INSERT INTO kl VALUES (2,'y')",
    );
    let counted = "SELECT concat(ifNull(toString(a), 'NULL'), ' ', ifNull(b, 'NULL'), ' ', toString(n)) FROM \
                   (SELECT a, b, sum(if(_deleted = 1, -1, 1)) AS n FROM bug126.kl GROUP BY a, b HAVING n > 0) ORDER BY a, b";
    sink.wait_for(&process, counted, &["1 x 1", "1 z 1", "2 y 2", "NULL NULL 1"]);
    process.terminate().expect(0, &[]);
}

#[test]
fn r_1_bug_127_many_changes_of_a_row_in_one_transaction() {
    for flush_rows in ["1", "3", "1000"] {
        mirrored(
            &format!("bug127_{flush_rows}"),
            &["CREATE TABLE hot (id INT PRIMARY KEY, n INT, v VARCHAR(10))"],
            "BEGIN; INSERT INTO hot VALUES (1,0,'a'),(2,0,'a'); UPDATE hot SET n = n + 1; UPDATE hot SET n = n + 1; \
             UPDATE hot SET n = n + 1; UPDATE hot SET n = n + 1; UPDATE hot SET v = 'z' WHERE id = 2; \
             UPDATE hot SET v = 'b' WHERE id = 2; DELETE FROM hot WHERE id = 1; INSERT INTO hot VALUES (1,9,'new'); \
             UPDATE hot SET n = 8 WHERE id = 1; COMMIT",
            "hot",
            &["id", "n", "v"],
            flush_rows,
        );
    }
}
