//! Records that Debezium 3.6.1 wrote to Kafka, byte for byte.

use super::read::table_id;
use super::*;
use crate::schema::database_schema::{DatabaseSchema, Statement};
use crate::schema::history::record::HistoryRecord;

const DROP: &str = r##"{
  "source" : {
    "server" : "askddl"
  },
  "position" : {
    "ts_sec" : 1795987664,
    "file" : "binlog.000001",
    "pos" : 786,
    "gtids" : "1b27fa8c-ec3a-11f1-83ee-02fc00000001:1-3",
    "snapshot" : "INITIAL"
  },
  "ts_ms" : 1795987665031,
  "databaseName" : "q1",
  "ddl" : "DROP TABLE IF EXISTS `q1`.`s`",
  "tableChanges" : [ {
    "type" : "DROP",
    "id" : "\"q1\".\"s\""
  } ]
}"##;

const CREATE: &str = r##"{
  "source" : {
    "server" : "askddl"
  },
  "position" : {
    "ts_sec" : 1795987665,
    "file" : "binlog.000001",
    "pos" : 786,
    "gtids" : "1b27fa8c-ec3a-11f1-83ee-02fc00000001:1-3",
    "snapshot" : "INITIAL"
  },
  "ts_ms" : 1795987665212,
  "databaseName" : "q1",
  "ddl" : "CREATE TABLE `s` (\n  `id` int NOT NULL,\n  `e` enum('it''s','a\\\\b','日?') DEFAULT NULL COMMENT 'c',\n  `d` decimal(5,2) DEFAULT '1.00',\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci",
  "tableChanges" : [ {
    "type" : "CREATE",
    "id" : "\"q1\".\"s\"",
    "table" : {
      "defaultCharsetName" : "utf8mb4",
      "primaryKeyColumnNames" : [ "id" ],
      "columns" : [ {
        "name" : "id",
        "jdbcType" : 4,
        "typeName" : "INT",
        "typeExpression" : "INT",
        "charsetName" : null,
        "position" : 1,
        "optional" : false,
        "autoIncremented" : false,
        "generated" : false,
        "comment" : null,
        "hasDefaultValue" : false,
        "enumValues" : [ ]
      }, {
        "name" : "e",
        "jdbcType" : 1,
        "typeName" : "ENUM",
        "typeExpression" : "ENUM",
        "charsetName" : "utf8mb4",
        "length" : 1,
        "position" : 2,
        "optional" : true,
        "autoIncremented" : false,
        "generated" : false,
        "comment" : null,
        "hasDefaultValue" : true,
        "enumValues" : [ "'it''s'", "'a\\\\b'", "'日?'" ]
      }, {
        "name" : "d",
        "jdbcType" : 3,
        "typeName" : "DECIMAL",
        "typeExpression" : "DECIMAL",
        "charsetName" : null,
        "length" : 5,
        "scale" : 2,
        "position" : 3,
        "optional" : true,
        "autoIncremented" : false,
        "generated" : false,
        "comment" : null,
        "hasDefaultValue" : true,
        "defaultValueExpression" : "1.00",
        "enumValues" : [ ]
      } ],
      "attributes" : [ ]
    },
    "comment" : null
  } ]
}"##;

const RENAME: &str = r##"{
  "source" : {
    "server" : "askddl"
  },
  "position" : {
    "ts_sec" : 1795987666,
    "file" : "binlog.000001",
    "pos" : 3590,
    "gtids" : "1b27fa8c-ec3a-11f1-83ee-02fc00000001:1-12",
    "server_id" : 1
  },
  "ts_ms" : 1795987667394,
  "databaseName" : "q2",
  "ddl" : "rename /* x */ table q2.f to q2.g",
  "tableChanges" : [ {
    "type" : "ALTER",
    "id" : "\"q2\".\"g\"",
    "previousId" : "\"q2\".\"f\"",
    "table" : {
      "defaultCharsetName" : "utf8mb4",
      "primaryKeyColumnNames" : [ "id" ],
      "columns" : [ {
        "name" : "id",
        "jdbcType" : 4,
        "typeName" : "INT",
        "typeExpression" : "INT",
        "charsetName" : null,
        "position" : 1,
        "optional" : false,
        "autoIncremented" : false,
        "generated" : false,
        "comment" : null,
        "hasDefaultValue" : false,
        "enumValues" : [ ]
      } ],
      "attributes" : [ ]
    },
    "comment" : null
  } ]
}"##;

#[test]
fn records_are_written_as_they_were_read() {
    for text in [DROP, CREATE, RENAME] {
        let record: HistoryRecord = text.parse().unwrap();
        assert_eq!(record.to_pretty(), text);
        let line = record.to_json();
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(line.parse::<HistoryRecord>().unwrap(), record);
    }
}

#[test]
fn a_file_holds_one_line_without_spaces() {
    let record: HistoryRecord = DROP.parse().unwrap();
    let line = r##"{"source":{"server":"askddl"},"position":{"ts_sec":1795987664,"file":"binlog.000001","pos":786,"gtids":"1b27fa8c-ec3a-11f1-83ee-02fc00000001:1-3","snapshot":"INITIAL"},"ts_ms":1795987665031,"databaseName":"q1","ddl":"DROP TABLE IF EXISTS `q1`.`s`","tableChanges":[{"type":"DROP","id":"\"q1\".\"s\""}]}"##;
    assert_eq!(record.to_json(), line);
}

/// The statement of a record, carried out here, gives the record that Debezium wrote.
#[test]
fn a_statement_gives_the_record_of_debezium() {
    for text in [DROP, CREATE] {
        let written: HistoryRecord = text.parse().unwrap();
        let statement = Statement {
            text: written.ddl.as_deref().unwrap(),
            database: written.database_name.as_deref().unwrap(),
            ..Statement::default()
        };
        let changes = DatabaseSchema::default().apply_ddl(&statement).unwrap();
        let [change] = changes.as_slice() else { panic!("one change") };
        let ours = HistoryRecord {
            database_name: Some(change.database.clone()),
            ddl: Some(change.ddl.clone()),
            table_changes: change.table_changes.clone(),
            ..written.clone()
        };
        assert_eq!(ours.to_pretty(), text);
    }
}

#[test]
fn the_members_are_read() {
    let record: HistoryRecord = RENAME.parse().unwrap();
    assert_eq!(record.coordinates(), "binlog.000001:3590");
    let [change] = record.table_changes.as_slice() else { panic!("one change") };
    assert_eq!(change.kind, TableChangeType::Alter);
    assert_eq!(change.previous_id, Some(TableId::new("q2", "f")));
    let table = change.table.as_ref().unwrap();
    assert_eq!(table.id, TableId::new("q2", "g"));
    assert_eq!(table.primary_key_column_names, ["id"]);
    assert_eq!(table.columns[0].type_name, "INT");
}

#[test]
fn strings_are_escaped_as_jackson_does() {
    let value = Value::from("a\u{1}\u{1f}\u{7f}\n\t\r\u{8}\u{c}\"\\/é日😀\u{2028}");
    assert_eq!(compact(&value), "\"a\\u0001\\u001F\u{7f}\\n\\t\\r\\b\\f\\\"\\\\/é日😀\u{2028}\"");
}

#[test]
fn names_in_ids_may_hold_anything() {
    for (text, id) in [
        (r#""d"."t""#, Some(TableId::new("d", "t"))),
        (r#""my.db"."a""b""#, Some(TableId::new("my.db", "a\"b"))),
        (r#""d"."s"."t""#, Some(TableId::new("d", "t"))),
        ("d.t", Some(TableId::new("d", "t"))),
        (r#""d"."t"#, None),
        ("", None),
    ] {
        assert_eq!(table_id(text), id, "{text}");
    }
}

#[test]
fn what_is_no_record_is_an_error() {
    for text in
        ["", "null", "{}", r#"{"source":{}}"#, r#"{"source":{},"position":{},"tableChanges":[{"type":"X"}]}"#]
    {
        assert!(text.parse::<HistoryRecord>().is_err(), "{text}");
    }
    // Records of old versions have less.
    let old: HistoryRecord =
        r#"{"source":{"server":"s"},"position":{"file":"b.1","pos":4},"ddl":"x"}"#.parse().unwrap();
    assert_eq!(old.table_changes, []);
}
