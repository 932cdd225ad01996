//! Mutated records and statements: whatever a history holds, reading it ends with a schema or an error, never a panic.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::schema::database_schema::DatabaseSchema;
use crate::schema::history::compact::compacted;
use crate::schema::history::comparator::is_at_or_before;
use crate::schema::history::json::read;
use crate::schema::history::record::HistoryRecord;
use crate::schema::history::recover::Replay;

/// What Debezium 3.6.1 wrote: a snapshot's table, a renaming, statements alone, and what old versions left out.
const RECORDS: [&str; 5] = [
    r#"{"source":{"server":"s"},"position":{"ts_sec":1795987665,"file":"binlog.000001","pos":786,"gtids":"1b27fa8c-ec3a-11f1-83ee-02fc00000001:1-3","snapshot":"INITIAL"},"ts_ms":1795987665212,"databaseName":"q1","ddl":"CREATE TABLE `s` (\n  `id` int NOT NULL,\n  `e` enum('it''s','a\\\\b','日?') DEFAULT NULL COMMENT 'c',\n  PRIMARY KEY (`id`), UNIQUE KEY `u` (`e`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4","tableChanges":[{"type":"CREATE","id":"\"q1\".\"s\"","table":{"defaultCharsetName":"utf8mb4","primaryKeyColumnNames":["id"],"columns":[{"name":"id","jdbcType":4,"typeName":"INT","typeExpression":"INT","charsetName":null,"position":1,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"hasDefaultValue":false,"enumValues":[]},{"name":"e","jdbcType":1,"typeName":"ENUM","typeExpression":"ENUM","charsetName":"utf8mb4","length":1,"position":2,"optional":true,"autoIncremented":false,"generated":false,"comment":null,"hasDefaultValue":true,"enumValues":["'it''s'","'a\\\\b'","'日?'"]}],"attributes":[]},"comment":null}]}"#,
    r#"{"source":{"server":"s"},"position":{"file":"binlog.000001","pos":3590,"server_id":1,"event":2,"row":1},"databaseName":"q1","ddl":"rename /* x */ table q1.s to q1.g","tableChanges":[{"type":"ALTER","id":"\"q1\".\"g\"","previousId":"\"q1\".\"s\"","table":{"primaryKeyColumnNames":[],"columns":[{"name":"id","jdbcType":4,"typeName":"INT","position":1}]}}]}"#,
    r#"{"source":{"server":"s"},"position":{"file":"mysql-bin.9","pos":4},"databaseName":"q1","ddl":"alter table s add column d decimal(5,2) unsigned default 1.5 after id, drop index u, charset latin1"}"#,
    r#"{"source":{"server":"s"},"position":{"gtids":"0-1-5,1-2-3"},"databaseName":"q1","ddl":"create database if not exists x character set greek","tableChanges":[]}"#,
    r#"{"source":{"server":"s"},"position":{},"ddl":"drop table if exists `s`, q1.`a``b`","tableChanges":null}"#,
];

/// Read, compared with every other, applied by changes and by statement, and written again.
fn read_and_apply(text: &str, schema: &mut DatabaseSchema) {
    let (whole, outline) = (text.parse::<HistoryRecord>(), read::outline(text));
    assert_eq!(whole.is_ok(), outline.is_ok(), "{whole:?} {outline:?}");
    let Ok(record) = whole else { return };
    for other in RECORDS {
        let other: HistoryRecord = other.parse().expect("a record");
        let _ = is_at_or_before(&record.position, &other.position, None);
        let _ = is_at_or_before(&other.position, &record.position, None);
    }
    let again: HistoryRecord = record.to_pretty().parse().expect("what is written can be read");
    assert_eq!(again, record);
    for prefer_ddl in [false, true] {
        let how = Replay { skip_unparseable: true, prefer_ddl, ..Replay::default() };
        let _ = schema.apply_history(record.clone(), &how);
    }
    for record in compacted(schema, "s", &record.position, 0) {
        let _ = record
            .to_json()
            .parse::<HistoryRecord>()
            .map(|record| schema.apply_history(record, &Replay::default()));
    }
}

fn known() -> DatabaseSchema {
    let mut schema = DatabaseSchema::default();
    let record: HistoryRecord = RECORDS[0].parse().expect("a record");
    schema.apply_history(record, &Replay::default()).expect("it is applied");
    schema
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_records_never_panic(
        record in 0..RECORDS.len(),
        cuts in prop::collection::vec((any::<Index>(), 0..12_usize, ".{0,3}"), 1..4),
    ) {
        let mut text: Vec<char> = RECORDS[record].chars().collect();
        for (place, length, put) in cuts {
            let start = place.index(text.len() + 1);
            let end = (start + length).min(text.len());
            text.splice(start..end, put.chars());
        }
        read_and_apply(&text.into_iter().collect::<String>(), &mut known());
    }

    /// Values of members exchanged for others: the JSON stays whole.
    #[test]
    fn records_with_exchanged_values_never_panic(
        record in 0..RECORDS.len(),
        place in any::<Index>(),
        value in prop::sample::select(vec![
            "null", "-1", "99999999999999999999", "\"\"", "\"\\\"\"", "[]", "{}", "true", "\"x.y\"", "1.5", "\"\\u0000\"",
        ]),
    ) {
        let text = RECORDS[record];
        let colons: Vec<usize> = text.match_indices("\":").map(|(at, _)| at + 2).collect();
        let start = colons[place.index(colons.len())];
        let rest = &text[start..];
        let end = rest.find([',', '}']).unwrap_or(rest.len());
        let mutated = format!("{}{value}{}", &text[..start], &rest[end..]);
        read_and_apply(&mutated, &mut known());
    }

    #[test]
    fn mutated_statements_of_records_never_panic(
        cuts in prop::collection::vec((any::<Index>(), 0..8_usize, "[a-z0-9`'\"(),;*/ ]{0,4}"), 1..4),
        which in 0..RECORDS.len(),
    ) {
        let record: HistoryRecord = RECORDS[which].parse().expect("a record");
        let mut ddl: Vec<char> = record.ddl.clone().unwrap_or_default().chars().collect();
        for (place, length, put) in cuts {
            let start = place.index(ddl.len() + 1);
            let end = (start + length).min(ddl.len());
            ddl.splice(start..end, put.chars());
        }
        let record = HistoryRecord { ddl: Some(ddl.into_iter().collect()), ..record };
        read_and_apply(&record.to_json(), &mut known());
    }
}
