//! Statements that are no table's business, and databases.

use serde_json::{Value, json};

use crate::ddl_paths::{Case, id, judge};
use crate::support::database::MYSQL97;

/// What is no table's business: routines, accounts, maintenance, temporary tables, rows logged as statements.
#[test]
fn statements_without_effect() {
    let row = |n: i32, text: &str, value: Value| (id(n), json!({"id": n, text: value}));
    for case in [
        Case {
            number: "024",
            properties: &[],
            statements: &[
                "CREATE TABLE base (id INT PRIMARY KEY, n INT)",
                "CREATE PROCEDURE pr(IN lim INT) BEGIN DECLARE done BOOL DEFAULT FALSE; DECLARE c CURSOR FOR SELECT id FROM \
                 base ORDER BY id LIMIT lim FOR UPDATE; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE; DROP TABLE IF \
                 EXISTS not_really; WITH RECURSIVE q AS (SELECT 1 AS n UNION ALL SELECT n+1 FROM q WHERE n < 3) SELECT SUM(n) \
                 OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM q; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT \
                 = 'ALTER TABLE base DROP COLUMN n'; END",
                "CREATE TRIGGER tr BEFORE INSERT ON base FOR EACH ROW BEGIN SET NEW.n = COALESCE(NEW.n, 0) + 1, @x = 'y'; END",
                "CREATE EVENT evt ON SCHEDULE EVERY 1 YEAR STARTS '2037-01-01 00:00:00' DO BEGIN DELETE FROM base; END",
                "CREATE FUNCTION fn(s VARCHAR(10)) RETURNS VARCHAR(20) DETERMINISTIC NO SQL RETURN CONCAT(s, \
                 JSON_UNQUOTE('\"z\"'))",
                "CREATE USER IF NOT EXISTS '{db}'@'10.0.%' IDENTIFIED BY 'Pw;d''1' REQUIRE SSL WITH MAX_QUERIES_PER_HOUR 3 \
                 PASSWORD EXPIRE INTERVAL 90 DAY FAILED_LOGIN_ATTEMPTS 3 COMMENT 'CREATE TABLE fake (id int)'",
                "GRANT SELECT (id), INSERT ON {db}.base TO '{db}'@'10.0.%'",
                "ALTER USER '{db}'@'10.0.%' IDENTIFIED BY 'other' RETAIN CURRENT PASSWORD",
                "REVOKE IF EXISTS INSERT ON {db}.base FROM '{db}'@'10.0.%' IGNORE UNKNOWN USER",
                "DROP USER '{db}'@'10.0.%'",
                "CREATE OR REPLACE VIEW v AS SELECT id, n, ROW_NUMBER() OVER w AS rn FROM base WINDOW w AS (PARTITION BY n \
                 ORDER BY id)",
                "DROP PROCEDURE pr",
                "INSERT INTO base VALUES (1, NULL), (2, 41)",
            ],
            stream: vec![("base", vec![row(1, "n", json!(1)), row(2, "n", json!(42))])],
            snapshot: vec![("base", vec![row(1, "n", json!(1)), row(2, "n", json!(42))])],
            fields: None,
        },
        Case {
            number: "026",
            properties: &[("event.processing.failure.handling.mode", "warn")],
            statements: &[
                "CREATE TABLE stm (id INT PRIMARY KEY, txt VARCHAR(60))",
                "INSERT INTO stm VALUES (1,'row-logged')",
                "SET SESSION binlog_format = 'STATEMENT'",
                "INSERT INTO stm VALUES (2,'alter table stm drop column txt')",
                "UPDATE stm SET txt = 'create table x (y int)' WHERE id = 1",
                "REPLACE INTO stm VALUES (3,'drop database {db}')",
                "DELETE FROM stm WHERE id = 2",
                "SET SESSION binlog_format = 'ROW'",
                "INSERT INTO stm VALUES (4,'row-logged again')",
            ],
            stream: vec![(
                "stm",
                vec![row(1, "txt", json!("row-logged")), row(4, "txt", json!("row-logged again"))],
            )],
            snapshot: vec![],
            fields: None,
        },
        Case {
            number: "027",
            properties: &[],
            statements: &[
                "CREATE TABLE mt (id INT PRIMARY KEY, buckets INT) ENGINE=innodb",
                "CREATE TABLE mt_my (id INT PRIMARY KEY) ENGINE=MyISAM",
                "INSERT INTO mt VALUES (1,10)",
                "ANALYZE TABLE mt UPDATE HISTOGRAM ON buckets WITH 8 BUCKETS",
                "ANALYZE NO_WRITE_TO_BINLOG TABLE mt",
                "ANALYZE TABLE mt DROP HISTOGRAM ON buckets",
                "OPTIMIZE TABLE mt, {db}.mt_my",
                "REPAIR TABLE mt_my QUICK",
                "CHECK TABLE mt FOR UPGRADE",
                "INSERT INTO mt VALUES (2,20)",
            ],
            stream: vec![("mt", vec![row(1, "buckets", json!(10)), row(2, "buckets", json!(20))])],
            snapshot: vec![("mt", vec![row(1, "buckets", json!(10)), row(2, "buckets", json!(20))])],
            fields: None,
        },
        Case {
            number: "030",
            properties: &[],
            statements: &[
                "CREATE TABLE shadow (id INT PRIMARY KEY, v VARCHAR(10))",
                "INSERT INTO shadow VALUES (1,'real')",
                "CREATE TEMPORARY TABLE shadow (other DATE, x INT, y INT, z INT)",
                "INSERT INTO shadow VALUES ('2024-01-01',1,2,3)",
                "ALTER TABLE shadow ADD COLUMN more TEXT",
                "TRUNCATE TABLE shadow",
                "DROP TEMPORARY TABLE shadow",
                "DROP TEMPORARY TABLE IF EXISTS shadow",
                "DROP TABLE IF EXISTS never_there, also_never",
                "INSERT INTO shadow VALUES (2,'still real')",
            ],
            stream: vec![("shadow", vec![row(1, "v", json!("real")), row(2, "v", json!("still real"))])],
            snapshot: vec![("shadow", vec![row(1, "v", json!("real")), row(2, "v", json!("still real"))])],
            fields: None,
        },
    ] {
        judge(&MYSQL97, "97", &case);
    }
}

/// Tables that change their database, and databases that come again with another character set.
#[test]
fn databases() {
    let moved = |n: i32| json!({"id": n, "renamed_here": n, "extra": "m"});
    for case in [
        Case {
            number: "031",
            properties: &[],
            statements: &[
                "CREATE DATABASE {db}_b",
                "CREATE TABLE {db}_b.twin (id INT PRIMARY KEY, k INT)",
                "CREATE TABLE twin (id INT PRIMARY KEY, k INT)",
                "USE {db}_b",
                "ALTER TABLE {db}.twin CHANGE COLUMN k renamed_here INT NULL",
                "INSERT INTO {db}.twin VALUES (1,1)",
                "INSERT INTO {db}_b.twin VALUES (2,2)",
                "ALTER TABLE {db}.twin RENAME TO {db}_b.moved, ADD COLUMN extra CHAR(1) NOT NULL DEFAULT 'm'",
                "INSERT INTO moved (id,renamed_here) VALUES (3,3)",
                "RENAME TABLE moved TO {db}.back_home",
                "INSERT INTO {db}.back_home (id,renamed_here) VALUES (4,4)",
            ],
            stream: vec![
                ("twin", vec![(id(1), json!({"id": 1, "renamed_here": 1}))]),
                ("{db}_b.twin", vec![(id(2), json!({"id": 2, "k": 2}))]),
                ("{db}_b.moved", vec![(id(3), moved(3))]),
                ("back_home", vec![(id(4), moved(4))]),
            ],
            snapshot: vec![("back_home", vec![(id(1), moved(1)), (id(3), moved(3)), (id(4), moved(4))])],
            fields: None,
        },
        Case {
            number: "095",
            properties: &[],
            statements: &[
                "CREATE DATABASE {db}_b",
                "CREATE TABLE {db}_b.same (id INT PRIMARY KEY, keepme INT)",
                "CREATE TABLE same (id INT PRIMARY KEY, a INT, b INT)",
                "CREATE TABLE other (id INT PRIMARY KEY)",
                "INSERT INTO same VALUES (1,1,1)",
                "DROP DATABASE {db}",
                "CREATE SCHEMA {db} CHARACTER SET latin1",
                "USE {db}",
                "CREATE TABLE same (id CHAR(2) PRIMARY KEY, z VARCHAR(5))",
                "INSERT INTO same VALUES ('é','ü')",
                "INSERT INTO {db}_b.same VALUES (1,1)",
            ],
            stream: vec![
                (
                    "same",
                    vec![
                        (id(1), json!({"id": 1, "a": 1, "b": 1})),
                        (json!({"id": "é"}), json!({"id": "é", "z": "ü"})),
                    ],
                ),
                ("{db}_b.same", vec![(id(1), json!({"id": 1, "keepme": 1}))]),
            ],
            snapshot: vec![
                ("same", vec![(json!({"id": "é"}), json!({"id": "é", "z": "ü"}))]),
                ("{db}_b.same", vec![(id(1), json!({"id": 1, "keepme": 1}))]),
            ],
            fields: None,
        },
    ] {
        judge(&MYSQL97, "97", &case);
    }
}
