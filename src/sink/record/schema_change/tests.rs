use super::*;
use crate::sink::table::mapping::SourceType;

/// A record of ddl_drop_db, with columns as the reference wrote them.
const CREATE: &str = r#"{"source":{"version":"3.6.1.Final","connector":"mysql","name":"ddl_drop_db","ts_ms":1795979263586,"snapshot":"false","db":"x1","sequence":null,"ts_us":1795979263584000,"ts_ns":1795979263584000000,"table":"a","server_id":1,"gtid":"edc98105-ec25-11f1-ac67-02fc00000001:5","file":"binlog.000001","pos":1084,"row":0,"thread":null,"query":null},"ts_ms":1795979263586,"databaseName":"x1","schemaName":null,"ddl":"create table a(id int primary key, v int)","tableChanges":[{"type":"CREATE","id":"\"x1\".\"a\"","table":{"defaultCharsetName":"utf8mb4","primaryKeyColumnNames":["id"],"columns":[{"name":"id","jdbcType":4,"nativeType":null,"typeName":"INT","typeExpression":"INT","charsetName":null,"length":null,"scale":null,"position":1,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":null},{"name":"v","jdbcType":4,"nativeType":null,"typeName":"INT","typeExpression":"INT","charsetName":null,"length":null,"scale":null,"position":2,"optional":true,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":null}],"comment":null}}]}"#;

#[test]
fn a_schema_change_describes_its_tables() {
    let with_schema = format!(r#"{{"schema":{{"type":"struct"}},"payload":{CREATE}}}"#);
    for text in [CREATE, &with_schema] {
        let change = read_schema_change(Some(text.as_bytes())).unwrap().unwrap();
        assert_eq!(change.source.name, "ddl_drop_db");
        assert_eq!(
            (change.source.ts_ms, change.source.snapshot.as_deref()),
            (1_795_979_263_586, Some("false"))
        );
        assert_eq!(change.ddl.as_deref(), Some("create table a(id int primary key, v int)"));
        let [table] = change.table_changes.as_slice() else { panic!("one change") };
        assert_eq!(
            (table.kind, table.names()),
            (ChangeType::Create, Some(("x1".to_owned(), "a".to_owned())))
        );
        let table = table.table.as_ref().unwrap();
        assert_eq!(table.primary_key_column_names.as_deref(), Some(&["id".to_owned()][..]));
        let columns: Vec<_> = table.columns.iter().map(|column| column.source_column().unwrap()).collect();
        assert_eq!(columns[0].source_type, SourceType::Integer { bytes: 4, unsigned: false });
        assert_eq!(columns.iter().map(|column| column.nullable).collect::<Vec<_>>(), [false, true]);
    }
}

#[test]
fn a_dropped_table_comes_without_columns_and_some_statements_without_tables() {
    let dropped = r#"{"source":{"name":"p","ts_ms":1,"snapshot":"true"},"ts_ms":1,"databaseName":"x1","schemaName":null,"ddl":"DROP TABLE IF EXISTS `x1`.`a`","tableChanges":[{"type":"DROP","id":"\"x1\".\"a\"","table":null}]}"#;
    let change = read_schema_change(Some(dropped.as_bytes())).unwrap().unwrap();
    assert_eq!((change.table_changes[0].kind, &change.table_changes[0].table), (ChangeType::Drop, &None));
    let none = r#"{"source":{"name":"p","ts_ms":1},"databaseName":"","ddl":"SET x=1","tableChanges":[]}"#;
    let change = read_schema_change(Some(none.as_bytes())).unwrap().unwrap();
    assert_eq!((change.table_changes.len(), change.database_name.as_deref()), (0, Some("")));
    assert_eq!(read_schema_change(None), Ok(None));
    assert_eq!(read_schema_change(Some(b"null")), Ok(None));
    for text in ["{}", "[]", "1", r#"{"op":"c"}"#, r#"{"schema":{},"payload":{}}"#, "{"] {
        assert!(read_schema_change(Some(text.as_bytes())).is_err(), "{text}");
    }
}

/// Identifiers of ddl_names, and one with a quote.
#[test]
fn names_come_out_of_their_quotes() {
    for (id, wanted) in [
        (r#""da-sh"."ta.ble""#, Some(("da-sh", "ta.ble"))),
        (r#""Mixed_Case"."tick`ed""#, Some(("Mixed_Case", "tick`ed"))),
        (r#""d"."a""b""#, Some(("d", "a\"b"))),
        (r#""d"."a"x"#, None),
        (r#""d""#, None),
        ("d.a", None),
        (r#""d"."a"#, None),
        ("", None),
    ] {
        let change = TableChange { kind: ChangeType::Create, id: id.to_owned(), table: None };
        let names = change.names();
        let names = names.as_ref().map(|(database, table)| (database.as_str(), table.as_str()));
        assert_eq!(names, wanted, "{id}");
    }
}
