//! Histories that are long, compacted, and recovered.

use super::*;
use crate::schema::database_schema::Statement;
use crate::schema::history::recover::Replay;

fn schema(statements: &[&str]) -> DatabaseSchema {
    let mut schema = DatabaseSchema::default();
    for text in statements {
        let applied = schema.apply_ddl(&Statement { text, database: "d", ..Statement::default() });
        assert!(applied.is_ok(), "{text}: {applied:?}");
    }
    schema
}

fn position() -> Position {
    serde_json::from_str(r#"{"file":"b.000001","pos":4}"#).unwrap()
}

#[test]
fn the_short_history_recovers_to_the_same() {
    let mut long = schema(&[
        "set character_set_server=latin1",
        "create database d charset greek",
        "create database `e``e` charset utf8mb4",
        "create table t(a int unsigned not null, b decimal(12,4) unsigned zerofill, c enum('it''s','b,c') not null, \
         d varchar(20) character set latin1 default 'x''y', e tinyint(1) not null default '1', f datetime(3), g bit(12), \
         h double precision unsigned, i national varchar(5), j set('x','y'), k text, unique kb(b), unique kc(c), \
         primary key(a)) charset=utf8mb4",
        "create table `e``e`.`we``ird \"name\"`(`a``b` int, unique u(`a``b`))",
        "create table u(x int not null, y int not null, unique uy(y), unique ux(x))",
        "create table v(x int, y int not null, unique ux(x), unique uy(y))",
        "alter table v modify x int not null",
        "alter table u drop index uy",
        "create table w(a int primary key auto_increment, b boolean default true, c serial)",
    ]);
    // Debezium keeps the key after a drop of its index; then the keys are not known, only the record key.
    let mut keyless = Table::clone(long.tables().next().expect("a table"));
    keyless.id.table = "known_by_changes_alone".to_owned();
    keyless.unique_keys.clear();
    keyless.primary_key_column_names = vec![keyless.columns.last().expect("a column").name.clone()];
    long.put(std::sync::Arc::new(keyless));
    let records = compacted(&long, "s", &position(), 7);
    assert_eq!(records.len(), 1 + 2 + long.tables().count());
    let mut short = DatabaseSchema::default();
    for record in records {
        let stored: HistoryRecord = record.to_pretty().parse().unwrap();
        assert_eq!(stored, record_without_keys(record));
        short.apply_history(stored, &Replay::default()).unwrap();
    }
    for (left, right) in long.tables().zip(short.tables()) {
        assert_eq!(with_known_keys(left), with_known_keys(right));
    }
    assert!(same_schema(&long, &short));
}

/// Keys are not stored.
fn record_without_keys(mut record: HistoryRecord) -> HistoryRecord {
    for table in record.table_changes.iter_mut().filter_map(|change| change.table.as_mut()) {
        std::sync::Arc::make_mut(table).unique_keys.clear();
    }
    record
}

/// By hand, after SHOW CREATE TABLE of MySQL 9.7.
#[test]
fn the_statement_of_a_table_is_what_the_server_would_print() {
    let schema = schema(&[
        "create table t(a int(11) unsigned not null, b decimal(5,2) unsigned, c varchar(3), e enum('x','y') not null, \
         primary key(a), unique u(b,c)) charset=latin1",
    ]);
    let records = compacted(&schema, "s", &position(), 7);
    let ddl = records.last().and_then(|record| record.ddl.as_deref());
    assert_eq!(
        ddl,
        Some(
            "CREATE TABLE `d`.`t` (\n  `a` INT(11) UNSIGNED NOT NULL,\n  `b` DECIMAL(5,2) UNSIGNED,\n  `c` VARCHAR(3) \
             CHARACTER SET latin1,\n  `e` ENUM('x','y') CHARACTER SET latin1 NOT NULL,\n  PRIMARY KEY (`a`),\n  UNIQUE KEY `u` \
             (`b`,`c`)\n) DEFAULT CHARSET=latin1"
        )
    );
}

#[test]
fn a_difference_anywhere_is_seen() {
    let one = schema(&["create database d charset latin1", "create table t(a int, unique u(a))"]);
    for other in [
        &["create database d charset greek", "create table t(a int, unique u(a))"][..],
        &["create database d charset latin1", "create table t(a int)"],
        &["create database d charset latin1", "create table t(a bigint, unique u(a))"],
        &["create database d charset latin1"],
        &[
            "create database d charset latin1",
            "create table t(a int, unique u(a))",
            "set character_set_server=latin1",
        ],
    ] {
        assert!(!same_schema(&one, &schema(other)), "{other:?}");
    }
}
