//! Rules R-4 and R-5 of the sink against real servers: what others got wrong about keys and values cannot happen here.
//!
//! Numbers are those of the specification's sections 2.4 and 2.5; tests that are not here are those of the modules.
//!
//! | fault of others | test |
//! |---|---|
//! | 40, 41: a table without a key collapses or freezes | `r_4_bug_126_rows_without_a_key_stay_countable`, `r_4_a_table_without_a_key_is_refused_or_goes_by_its_mode` |
//! | … a row without a key that two printers spell differently | `r_4_rows_without_a_key_are_found_whatever_their_spelling` |
//! | 42, 44: ghosts after a key move | `r_4_bug_125_keys_move_in_chains_and_circles` |
//! | 43: deletions miss a sorting key of one's own | `r_4_deletions_find_rows_under_a_sorting_key_of_ones_own`, `r_4_a_row_that_moves_is_deleted_where_it_was` |
//! | 45: a null value ends the task | `r_4_tombstones_and_truncates_are_no_rows` |
//! | 46: the user's columns `is_deleted`, `_sign`, `_version` | `r_4_columns_of_the_user_named_like_ours` |
//! | 47: names with dashes and quotes | `r_4_columns_of_the_user_named_like_ours`, `r_4_names_with_quotes_dashes_and_backslashes_are_quoted` |
//! | 48: names in another case bind to nothing | `r_4_a_name_in_another_case_is_never_lost` |
//! | 49: BINARY keys that end in zero bytes | `r_4_binary_keys_that_end_in_zero_bytes` |
//! | 50, 51: dates out of limits | `r_5_bug_109_dates_from_the_first_to_the_last`, `r_5_dates_that_a_server_does_not_hold_are_counted_or_refused` |
//! | 52, 53, 56: NULL and defaults; decimals without a scale; LONGTEXT | `r_5_null_is_no_default` |
//! | 52: geometries other than polygons; hours that a zone skips | `r_5_geometries_are_what_they_are`, `r_5_instants_and_wall_clocks_whatever_the_zone` |
//! | 54, 55: ZEROFILL, unsigned, BIT, SET | `r_5_unsigned_zerofill_bits_and_sets` |
//! | 55: TIME | `r_5_bug_112_times_are_durations` |
//! | 57: hours that only the stream adds | `r_5_instants_and_wall_clocks_whatever_the_zone` |
//! | 58: precision of times, decimals in JSON, 64 bits | `r_5_every_type_of_mysql_has_its_row`, `r_5_values_of_records_become_bytes` |
//! | 59, 60: JSON by snapshot and by stream, and partial updates of it | `r_5_json_is_one_text_by_snapshot_stream_and_partial_update` |

use crate::support::clickhouse::{client, values};
use crate::support::database::MYSQL97;
use crate::support::process::{LIMIT, wait_until};
use crate::support::sink::{mirrored, pair, sql};

fn texts(query: &str) -> Vec<String> {
    values(&client(), query).into_iter().flatten().collect()
}

/// PDB#2058.
#[test]
fn r_4_deletions_find_rows_under_a_sorting_key_of_ones_own() {
    let (source, mut sink) = pair(
        "r4_order",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, tenant VARCHAR(9) NOT NULL, v INT)",
            "INSERT INTO t VALUES (1,'a',1),(2,'b',2),(3,'c',3)",
        ],
    );
    sink.set("table.order.by", "r4_order.t:tenant, id")
        .set("table.partition.by", "r4_order.t:cityHash64(tenant) % 3");
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "tenant", "v"]);
    sql(
        &source,
        "DELETE FROM t WHERE id = 1; UPDATE t SET tenant = 'z' WHERE id = 2; UPDATE t SET id = 9, tenant = 'y' WHERE id = 3; \
         UPDATE t SET v = 20 WHERE id = 2; INSERT INTO t VALUES (1,'q',10); DELETE FROM t WHERE id = 9",
    );
    sink.wait_for_rows(&process, &source, "t", &["id", "tenant", "v"]);
    process.terminate().expect(0, &[]);
}

/// ALT#431, #619, #1205, #335, #435, #1421.
#[test]
fn r_4_columns_of_the_user_named_like_ours() {
    let (source, sink) = pair(
        "r4_names",
        &[
            "CREATE TABLE `my-table` (id INT PRIMARY KEY, _version INT, _deleted INT, _synced_at INT, is_deleted INT, _sign INT, `a``b-c\"d` INT)",
            "INSERT INTO `my-table` VALUES (1,2,3,4,5,6,7)",
        ],
    );
    let _source = source.start_streaming();
    let process = sink.start();
    let rows = "SELECT arrayStringConcat(arrayMap(c -> toString(c), [id, _version, _deleted, _synced_at, is_deleted, _sign, `a\\`b-c\"d`]), ' ') \
                FROM `r4_names`.`my-table` FINAL ORDER BY id";
    sink.wait_for(&process, rows, &["1 2 3 4 5 6 7"]);
    MYSQL97.sql("UPDATE `r4_names`.`my-table` SET _version = 0, _deleted = 1, _sign = -1; INSERT INTO `r4_names`.`my-table` (id) VALUES (2); DELETE FROM `r4_names`.`my-table` WHERE id = 2");
    sink.wait_for(&process, rows, &["1 0 1 4 5 -1 7"]);
    process.terminate().expect(0, &[]);
}

/// ALT#1475: MySQL finds a column in any case, and gives it the case of the last statement.
#[test]
fn r_4_a_name_in_another_case_is_never_lost() {
    let (source, sink) = pair(
        "r4_case",
        &["CREATE TABLE t (Id INT PRIMARY KEY, Name VARCHAR(9))", "INSERT INTO t VALUES (1,'a')"],
    );
    let _source = source.start_streaming();
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["Id", "Name"]);
    sql(
        &source,
        "ALTER TABLE t ADD COLUMN Other INT; UPDATE t SET name = 'b', OTHER = 2 WHERE ID = 1; INSERT INTO t (iD, nAME) VALUES (2,'c')",
    );
    sink.wait_for_rows(&process, &source, "t", &["Id", "Name", "Other"]);
    // Renamed by its case: nothing is stored without it.
    sql(&source, "ALTER TABLE t MODIFY name VARCHAR(9) NOT NULL; INSERT INTO t VALUES (3,'d',3)");
    let now = MYSQL97.sql("SELECT column_name FROM information_schema.columns WHERE table_schema = 'r4_case' AND column_name = 'name'");
    if now == ["Name"] {
        sink.wait_for_rows(&process, &source, "t", &["Id", "Name", "Other"]);
    } else {
        wait_until("the table stops", LIMIT, || process.log().contains("a table stops, the others go on"));
        assert_eq!(texts("SELECT toString(Id) FROM r4_case.t FINAL ORDER BY Id"), ["1", "2"]);
    }
    process.terminate().expect(0, &[]);
}

/// shyiko#169, DBZ#237: the log cuts off what a SELECT shows.
#[test]
fn r_4_binary_keys_that_end_in_zero_bytes() {
    mirrored(
        "r4_zeros",
        &[
            "CREATE TABLE t (k BINARY(4) PRIMARY KEY, v INT, w VARBINARY(4))",
            "INSERT INTO t VALUES (x'61000000',1,x'6100'),(x'00000000',2,x'00'),(x'61620000',3,''),(x'61626364',4,NULL)",
        ],
        "UPDATE t SET v = v + 10; DELETE FROM t WHERE k = x'61620000'; INSERT INTO t VALUES (x'61620000',5,x'0000'); \
         UPDATE t SET k = x'62000000' WHERE k = x'00000000'",
        "t",
        &["hex(k)", "v", "hex(w)"],
        "1",
    );
}

#[test]
fn r_5_null_is_no_default() {
    mirrored(
        "r5_null",
        &[
            "CREATE TABLE t (id INT PRIMARY KEY, a INT DEFAULT 5, b VARCHAR(10) DEFAULT 'x', c DECIMAL(10,0) DEFAULT 7, d LONGTEXT, \
             e DATE DEFAULT '2020-02-02', f VARCHAR(5) NOT NULL DEFAULT 'full', g DECIMAL(30,0))",
            "INSERT INTO t (id) VALUES (1)",
            "INSERT INTO t VALUES (2,NULL,NULL,NULL,NULL,NULL,'',NULL)",
        ],
        "INSERT INTO t (id) VALUES (3); INSERT INTO t VALUES (4,NULL,NULL,NULL,NULL,NULL,'',NULL),(5,0,'',0,'',NULL,'x',0); \
         UPDATE t SET a = NULL, b = NULL, c = NULL, e = NULL WHERE id = 1; UPDATE t SET a = DEFAULT, b = DEFAULT, d = REPEAT('ä', 300000), \
         g = 999999999999999999999999999999 WHERE id = 2",
        "t",
        &["id", "a", "b", "c", "d", "e", "f", "g"],
        "1000",
    );
}

#[test]
fn r_5_unsigned_zerofill_bits_and_sets() {
    mirrored(
        "r5_unsigned",
        &["CREATE TABLE t (id INT PRIMARY KEY, a SMALLINT(5) UNSIGNED ZEROFILL, b BIGINT UNSIGNED, c INT(8) ZEROFILL, \
           d BIT(30), e BIT(1), f BIT(64), s SET('a','b,','c') CHARACTER SET latin1, n TINYINT UNSIGNED, m MEDIUMINT UNSIGNED)"
            .replace("'b,'", "'b'")
            .as_str()],
        "INSERT INTO t VALUES (1,65535,18446744073709551615,4294967295,b'111111111111111111111111111111',b'1',18446744073709551615,'a,c',255,16777215),\
         (2,0,0,0,0,0,0,'',0,0),(3,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL),(4,42,9223372036854775808,42,5,b'0',9223372036854775808,'b',128,8388608)",
        "t",
        &["id", "a+0", "b", "c+0", "d+0", "e+0", "f+0", "s", "n", "m"],
        "1000",
    );
    let types = texts(
        "SELECT concat(name, ' ', type) FROM system.columns WHERE database = 'r5_unsigned_stream' AND table = 't' AND name IN ('a','b','c','n','m') ORDER BY position",
    );
    assert_eq!(
        types,
        [
            "a Nullable(UInt16)",
            "b Nullable(UInt64)",
            "c Nullable(UInt32)",
            "n Nullable(UInt8)",
            "m Nullable(UInt32)"
        ]
    );
}

/// ALT#1475, MCR#250, #217, #80.
#[test]
fn r_5_instants_and_wall_clocks_whatever_the_zone() {
    let rows = "INSERT INTO t VALUES (1,'2024-03-31 02:30:00','2024-03-31 02:30:00','2024-03-31 02:30:00.123456'),\
                (2,'2024-10-27 02:30:00','2024-10-27 02:30:00','2024-10-27 02:30:00.000001')";
    mirrored(
        "r5_zones",
        &["CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NULL, dt DATETIME, d6 DATETIME(6))"],
        &format!(
            "SET time_zone = '+05:30'; {rows}; SET time_zone = '-08:00'; UPDATE t SET d6 = ts WHERE id = 2"
        ),
        "t",
        &["id", "dt", "d6"],
        "1000",
    );
    for path in ["stream", "snapshot"] {
        let instants =
            texts(&format!("SELECT toString(toUnixTimestamp(ts)) FROM r5_zones_{path}.t FINAL ORDER BY id"));
        // 2024-03-30 21:00 and 2024-10-26 21:00 UTC.
        assert_eq!(instants, ["1711832400", "1729976400"], "{path}");
    }
}

#[test]
fn r_5_geometries_are_what_they_are() {
    let shapes = [
        "POINT(1 2)",
        "LINESTRING(0 0,1 1,2 0)",
        "POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))",
        "MULTIPOINT((0 0),(1 1))",
        "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))",
    ];
    let rows: Vec<String> =
        (1..).zip(shapes).map(|(id, shape)| format!("({id},ST_GeomFromText('{shape}'))")).collect();
    let insert = format!("INSERT INTO t VALUES {},(9,NULL)", rows.join(","));
    mirrored(
        "r5_shapes",
        &["CREATE TABLE t (id INT PRIMARY KEY, g GEOMETRY)"],
        &insert,
        "t",
        &["id"],
        "1000",
    );
    let wanted = MYSQL97.sql("SELECT HEX(ST_AsBinary(g)) FROM r5_shapes_stream.t WHERE id < 9 ORDER BY id");
    for path in ["stream", "snapshot"] {
        let query = format!("SELECT hex(g) FROM r5_shapes_{path}.t FINAL WHERE id < 9 ORDER BY id");
        assert_eq!(texts(&query), wanted, "{path}");
    }
}

/// DBZ#7783, CHD#6494.
#[test]
fn r_5_json_is_one_text_by_snapshot_stream_and_partial_update() {
    mirrored(
        "r5_json",
        &["CREATE TABLE t (id INT PRIMARY KEY, j JSON)"],
        r#"INSERT INTO t VALUES (1,'{"b":1,"a":[1,2.0,1e20,"x\\u00e4",null,true],"":{}}'),(2,'"text"'),(3,NULL),(4,'null'),(5,'1.10'); \
           SET SESSION binlog_row_value_options = 'PARTIAL_JSON'; UPDATE t SET j = JSON_SET(j, '$.b', 22) WHERE id = 1; \
           UPDATE t SET j = JSON_REMOVE(j, '$.a[0]') WHERE id = 1"#
            .replace("\\\n", " ")
            .as_str(),
        "t",
        &["id"],
        "1000",
    );
    let stored = |path: &str| {
        texts(&format!("SELECT ifNull(toString(j), 'NULL') FROM r5_json_{path}.t FINAL ORDER BY id"))
    };
    assert_eq!(stored("stream"), stored("snapshot"));
    let parsed: Vec<serde_json::Value> = stored("stream")
        .iter()
        .filter(|text| *text != "NULL")
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    let wanted: Vec<serde_json::Value> = MYSQL97
        .sql("SELECT JSON_UNQUOTE(JSON_QUOTE(CAST(j AS CHAR))) FROM r5_json_stream.t WHERE j IS NOT NULL ORDER BY id")
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    assert_eq!(parsed, wanted);
}

/// The deletion of a row that a snapshot read finds it by all its values, however the two spell them.
#[test]
fn r_4_rows_without_a_key_are_found_whatever_their_spelling() {
    let (source, mut sink) = pair(
        "r4_spelling",
        &[
            "CREATE TABLE t (n INT, j JSON, f FLOAT, d DOUBLE, dec_ DECIMAL(20,5), dt DATETIME(3), ts TIMESTAMP(6) NULL, tm TIME(2), \
             b BINARY(4), e ENUM('a','b'), s SET('x','y'), y YEAR, bits BIT(12), c CHAR(5), u BIGINT UNSIGNED)",
            r#"INSERT INTO t VALUES (1,'{"b": 1, "a": [1.5, 1e30, 12345678.9, "\u0001ä"]}',0.1,1e-7,1.10000,'2024-02-29 01:02:03.4','2024-02-29 01:02:03.000001','-01:02:03.5',x'61000000','b','x,y',2024,b'101','ab ',18446744073709551615)"#,
            "INSERT INTO t SELECT 2, j, 16777216, 1e22, -0.00001, NULL, NULL, '838:59:59', x'00', NULL, '', 1901, 0, '', 0 FROM t",
            "INSERT INTO t (n) VALUES (3)",
        ],
    );
    sink.set("keyless.mode", "row_hash");
    let _source = source.start_streaming();
    let process = sink.start();
    let rows = "SELECT toString(n) FROM r4_spelling.t FINAL ORDER BY n";
    sink.wait_for(&process, rows, &["1", "2", "3"]);
    sql(&source, "UPDATE t SET n = n + 10 WHERE n < 3; DELETE FROM t WHERE n = 3");
    sink.wait_for(&process, rows, &["11", "12"]);
    sql(&source, "DELETE FROM t");
    sink.wait_for(&process, rows, &[]);
    process.terminate().expect(0, &[]);
}
