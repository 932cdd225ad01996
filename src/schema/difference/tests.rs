//! Statements against what `SHOW CREATE TABLE` of MySQL 9.7 printed for them.

use super::*;
use crate::schema::database_schema::{DatabaseSchema, Statement};
use crate::schema::table_id::TableId;

fn table(text: &str) -> Table {
    let mut schema = DatabaseSchema::default();
    schema.apply_ddl(&Statement { text, database: "d", ..Statement::default() }).unwrap();
    Table::clone(schema.table(&TableId::new("d", "t")).unwrap())
}

#[test]
fn spellings_of_the_same_are_no_difference() {
    for (believed, actual) in [
        ("a integer", "`a` int DEFAULT NULL"),
        ("a int(11) unsigned zerofill", "`a` int(11) unsigned zerofill DEFAULT NULL"),
        ("a bool default true", "`a` tinyint(1) DEFAULT '1'"),
        ("a float(30)", "`a` double DEFAULT NULL"),
        ("a real", "`a` double DEFAULT NULL"),
        ("a dec", "`a` decimal(10,0) DEFAULT NULL"),
        ("a numeric(5) default 7", "`a` decimal(5,0) DEFAULT '7'"),
        ("a text(20)", "`a` tinytext"),
        ("a text(64)", "`a` text"),
        ("a text(63)", "`a` tinytext"),
        ("a blob(70000)", "`a` mediumblob"),
        ("a char", "`a` char(1) DEFAULT NULL"),
        ("a bit", "`a` bit(1) DEFAULT NULL"),
        ("a char(3) byte", "`a` binary(3) DEFAULT NULL"),
        (
            "a char(3) character set utf8",
            "`a` char(3) CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci DEFAULT NULL",
        ),
        ("a enum(\"x\",'it''s ')", "`a` enum('x','it''s') DEFAULT NULL"),
        ("a datetime default '2024-1-2'", "`a` datetime DEFAULT '2024-01-02 00:00:00'"),
        ("a datetime(1) default '2024-1-2 3:4:5.678'", "`a` datetime(1) DEFAULT '2024-01-02 03:04:05.7'"),
        ("a date default 20240102", "`a` date DEFAULT '2024-01-02'"),
        ("a time(3) default '-1:2:3.4'", "`a` time(3) DEFAULT '-01:02:03.400'"),
        ("a time default 10203", "`a` time DEFAULT '01:02:03'"),
        ("a year default 70", "`a` year DEFAULT '1970'"),
        ("a year default '5'", "`a` year(4) DEFAULT '2005'"),
        ("a decimal(5,2) default 1.5", "`a` decimal(5,2) DEFAULT '1.50'"),
        (
            "a timestamp null default '2024-01-01 00:00:00'",
            "`a` timestamp NULL DEFAULT '2024-01-01 05:30:00'",
        ),
        ("a geomcollection", "`a` geomcollection DEFAULT NULL"),
        ("a long varchar", "`a` mediumtext"),
    ] {
        let (left, right) =
            (table(&format!("create table t({believed})")), table(&format!("CREATE TABLE `t` ({actual})")));
        assert_eq!(differences(&left, &right), [], "{believed}");
    }
}

#[test]
fn every_difference_is_named() {
    let base = "a int not null, b varchar(10), unique ub(b), primary key(a)";
    for (actual, expected) in [
        (
            "a bigint not null, b varchar(10), unique ub(b), primary key(a)",
            &[(Some("a"), "type", "INT", "BIGINT")][..],
        ),
        (
            "a int unsigned not null, b varchar(10), unique ub(b), primary key(a)",
            &[(Some("a"), "type", "INT", "INT UNSIGNED")],
        ),
        (
            "a int not null, b varchar(11), unique ub(b), primary key(a)",
            &[(Some("b"), "type", "VARCHAR(10)", "VARCHAR(11)")],
        ),
        (
            "a int not null, b varchar(10) character set latin1, unique ub(b), primary key(a)",
            &[(Some("b"), "character set", "utf8mb4", "latin1")],
        ),
        (
            "a int not null, b varchar(10) default 'x', unique ub(b), primary key(a)",
            &[(Some("b"), "default", "null or an expression", "\"x\"")],
        ),
        (
            "a int not null, b varchar(10) not null, unique ub(b), primary key(a)",
            &[
                (Some("b"), "nullable", "true", "false"),
                (Some("b"), "default", "null or an expression", "none"),
            ],
        ),
        (
            "b varchar(10), a int not null, unique ub(b), primary key(a)",
            &[(None, "columns in order", "a, b", "b, a")],
        ),
        (
            "a int not null, b varchar(10), c int, unique ub(b), primary key(a)",
            &[(None, "columns in order", "a, b", "a, b, c")],
        ),
        (
            "a int not null, b varchar(10), unique ub(b)",
            &[(None, "record key", "a", "none"), (None, "unique keys", "PRIMARY(a), ub(b)", "ub(b)")],
        ),
        (
            "a int not null, b varchar(10), primary key(a)",
            &[(None, "unique keys", "PRIMARY(a), ub(b)", "PRIMARY(a)")],
        ),
    ] {
        let (left, right) =
            (table(&format!("create table t({base})")), table(&format!("create table t({actual})")));
        let found = differences(&left, &right);
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.column.as_deref(), one.what, one.believed.as_str(), one.actual.as_str()))
            .collect();
        assert_eq!(found, expected, "{actual}");
    }
}
