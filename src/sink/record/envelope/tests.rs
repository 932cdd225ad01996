use super::*;
use crate::connect::schema::Type;

/// Records of basic_crud and ddl_drop_db.
const UPDATE: &str = r#"{"before":{"id":1001,"first_name":"Sally","email":"sally.thomas@acme.test"},"after":{"id":1001,"first_name":"Sa\"lly","email":null},"source":{"version":"3.6.1.Final","connector":"mysql","name":"basic_crud","ts_ms":1795984446670,"snapshot":"false","db":"inventory","sequence":null,"ts_us":1795984446670700,"ts_ns":1795984446670700000,"table":"customers","server_id":1,"gtid":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:6","file":"binlog.000001","pos":2151,"row":0,"thread":508,"query":null},"transaction":{"id":"8f828cbf-ec2e-11f1-b6f4-02fc00000001:6","total_order":1,"data_collection_order":1},"op":"u","ts_ms":1795984446672,"ts_us":1795984446672681,"ts_ns":1795984446672681477}"#;
const TRUNCATE: &str = r#"{"before":null,"after":null,"source":{"version":"3.6.1.Final","connector":"mysql","name":"ddl_drop_db","ts_ms":1795979263724,"snapshot":"false","db":"x1","sequence":null,"ts_us":1795979263724000,"ts_ns":1795979263724000000,"table":"a","server_id":1,"gtid":"edc98105-ec25-11f1-ac67-02fc00000001:9","file":"binlog.000001","pos":1894,"row":0,"thread":null,"query":null},"transaction":null,"op":"t","ts_ms":1795979263729,"ts_us":1795979263729150,"ts_ns":1795979263729150102}"#;
const SCHEMA: &str = r#"{"type":"struct","fields":[{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"}],"optional":true,"name":"p.d.t.Value","field":"before"},{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"}],"optional":true,"name":"p.d.t.Value","field":"after"}],"optional":false,"name":"p.d.t.Envelope","version":2}"#;

fn row(value: &str) -> RowChange<'_> {
    match read_value(Some(value.as_bytes())) {
        Ok(RecordValue::Row(row)) => row,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_update_has_both_rows_and_its_place_in_the_log() {
    let change = row(UPDATE);
    assert_eq!(change.operation, Operation::Update);
    assert_eq!(change.before, Some(r#"{"id":1001,"first_name":"Sally","email":"sally.thomas@acme.test"}"#));
    assert_eq!(change.schema, None);
    let source = &change.source;
    assert_eq!((&*source.name, &*source.database, &*source.table), ("basic_crud", "inventory", "customers"));
    assert_eq!(
        (source.ts_ms, source.snapshot, source.last_of_table),
        (Some(1_795_984_446_670), false, false)
    );
    let mut columns = Members::of(change.after.unwrap()).unwrap();
    let mut scratch = String::new();
    let (name, value) = columns.next_member().unwrap().unwrap();
    assert!(name.is("id"));
    assert_eq!(value, Json::Number("1001"));
    let Some((_, Json::String(text))) = columns.next_member().unwrap() else { panic!("a string") };
    assert_eq!(text.unescaped(&mut scratch), "Sa\"lly");
    assert_eq!(columns.next_member().unwrap().map(|(_, value)| value), Some(Json::Null));
    assert_eq!(columns.next_member(), Ok(None));
}

#[test]
fn all_operations_are_read_with_and_without_schemas() {
    for (op, before, after, operation) in [
        ("c", "null", r#"{"id":1}"#, Operation::Create),
        ("r", "null", r#"{"id":1}"#, Operation::Read),
        ("u", "null", r#"{"id":1}"#, Operation::Update),
        ("d", r#"{"id":1}"#, "null", Operation::Delete),
        ("d", "null", "null", Operation::Delete),
    ] {
        let payload = format!(r#"{{"before":{before},"after":{after},"source":{{}},"op":"{op}"}}"#);
        let with_schema = format!(r#"{{"schema":{SCHEMA},"payload":{payload}}}"#);
        let (alone, with_schema) = (row(&payload), row(&with_schema));
        assert_eq!(alone.operation, operation);
        assert_eq!((alone.before, alone.after), (with_schema.before, with_schema.after));
        assert_eq!(with_schema.schema, Some(SCHEMA));
    }
    let schema = row_schema(SCHEMA).unwrap();
    assert_eq!((schema.kind, schema.fields.len(), schema.fields[0].name.as_str()), (Type::Struct, 1, "id"));
}

/// R-2: a record is read, or refused with a name; none is passed over. R-4: a tombstone is no row.
#[test]
fn r_4_tombstones_and_truncates_are_no_rows() {
    assert_eq!(read_value(None), Ok(RecordValue::Tombstone));
    assert_eq!(read_value(Some(b"null")), Ok(RecordValue::Tombstone));
    let with_schema = format!(r#"{{"schema":{SCHEMA},"payload":null}}"#);
    assert_eq!(read_value(Some(with_schema.as_bytes())), Ok(RecordValue::Tombstone));
    let Ok(RecordValue::Truncate(source)) = read_value(Some(TRUNCATE.as_bytes())) else { panic!("truncate") };
    assert_eq!((&*source.database, &*source.table), ("x1", "a"));
}

#[test]
fn r_2_what_cannot_be_read_is_refused_by_name() {
    for (value, wanted) in [
        (r#"{"id":1,"name":"x"}"#, "the value of the record has no envelope: op is missing"),
        ("[1]", "the value of the record has no envelope: op is missing"),
        (r#"{"op":"c","after":{}}"#, "the value of the record has no envelope: source is missing"),
        (r#"{"op":"m","source":{}}"#, "the record has an unknown operation"),
        (r#"{"op":"","source":{}}"#, "the record has an unknown operation"),
        (r#"{"op":1,"source":{}}"#, "the member op of the record has another type than it must"),
        (r#"{"op":"c","source":1}"#, "the member source of the record has another type than it must"),
        (r#"{"op":"c","source":{},"after":null}"#, "the record has no row after the change"),
        (r#"{"op":"u","source":{},"before":{}}"#, "the record has no row after the change"),
        (
            r#"{"op":"c","source":{},"after":[]}"#,
            "the member after of the record has another type than it must",
        ),
        ("{", "the value of the record cannot be read"),
        ("", "the value of the record cannot be read"),
        ("\u{0}\u{0}\u{0}\u{0}\u{1}x", "the value of the record cannot be read"),
    ] {
        let error = read_value(Some(value.as_bytes())).expect_err(value);
        assert_eq!(error.to_string(), wanted, "{value}");
    }
    let flattened = read_value(Some(br#"{"id":1,"__deleted":"false"}"#)).unwrap_err();
    assert!(flattened.remedy().unwrap().contains("ExtractNewRecordState"));
    // A row without its envelope may have a column of that name.
    let flattened = read_value(Some(br#"{"id":1,"source":"web"}"#));
    assert_eq!(flattened, Err(RecordError::NoEnvelope { missing: "op" }));
}

/// basic_crud, and a key whose columns are named like the parts of a record.
#[test]
fn a_key_is_an_object_or_missing() {
    let schema = r#"{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"}],"optional":false,"name":"basic_crud.inventory.customers.Key"}"#;
    let with_schema = format!(r#"{{"schema":{schema},"payload":{{"id":1001}}}}"#);
    for (key, wanted) in [
        (Some(with_schema.as_str()), Ok(Some(RecordKey { columns: r#"{"id":1001}"#, schema: Some(schema) }))),
        (Some(r#"{"id":1001}"#), Ok(Some(RecordKey { columns: r#"{"id":1001}"#, schema: None }))),
        (
            Some(r#"{"schema":"a","payload":1}"#),
            Ok(Some(RecordKey { columns: r#"{"schema":"a","payload":1}"#, schema: None })),
        ),
        (Some("null"), Ok(None)),
        (None, Ok(None)),
        (Some("17"), Err(RecordError::Key)),
    ] {
        assert_eq!(read_key(key.map(str::as_bytes)), wanted, "{key:?}");
    }
    assert!(matches!(read_key(Some(b"{")), Err(RecordError::Json { part: "key", .. })));
}
