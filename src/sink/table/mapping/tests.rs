use super::connect_type::{JsonKind, source_column, source_column_of_json};
use super::mysql_type::ChangedColumn;
use super::*;
use crate::converter::json::schema_reader::read_schema;

fn new_server() -> MappingOptions {
    MappingOptions { has_time64: true, ..MappingOptions::default() }
}

fn changed(json: &str) -> SourceColumn {
    serde_json::from_str::<ChangedColumn>(json).expect(json).source_column().expect(json)
}

fn of_type(type_name: &str, length: Option<i64>, scale: Option<i64>) -> SourceColumn {
    let json = serde_json::json!({"name": "c", "typeName": type_name, "length": length, "scale": scale,
        "optional": false});
    changed(&json.to_string())
}

fn mapped(column: &SourceColumn, options: &MappingOptions) -> String {
    map_column(column, ColumnRole::default(), options).expect(&column.name).column_type.to_string()
}

/// R-5: section 3.2 of the specification, row by row, and the spellings that Debezium 3.6.1 wrote into schema-change records.
#[test]
fn r_5_every_type_of_mysql_has_its_row() {
    for (type_name, length, scale, wanted) in [
        ("TINYINT", None, None, "Int8"),
        ("TINYINT", Some(4), None, "Int8"),
        ("TINYINT UNSIGNED", None, None, "UInt8"),
        ("TINYINT UNSIGNED ZEROFILL", Some(1), None, "UInt8"),
        ("TINYINT", Some(1), None, "Int8"),
        ("BOOL", None, None, "Int8"),
        ("BOOLEAN", None, None, "Int8"),
        ("SMALLINT", None, None, "Int16"),
        ("SMALLINT UNSIGNED ZEROFILL", Some(4), None, "UInt16"),
        ("MEDIUMINT", None, None, "Int32"),
        ("MIDDLEINT", None, None, "Int32"),
        ("INT3", None, None, "Int32"),
        ("MEDIUMINT UNSIGNED", None, None, "UInt32"),
        ("INT", None, None, "Int32"),
        ("INT4", None, None, "Int32"),
        ("INTEGER UNSIGNED", None, None, "UInt32"),
        ("INT UNSIGNED ZEROFILL", Some(6), None, "UInt32"),
        ("BIGINT", None, None, "Int64"),
        ("BIGINT SIGNED", Some(20), None, "Int64"),
        ("BIGINT UNSIGNED", None, None, "UInt64"),
        ("SERIAL", None, None, "UInt64"),
        ("FLOAT", None, None, "Float32"),
        ("FLOAT", Some(24), None, "Float32"),
        ("FLOAT", Some(30), None, "Float64"),
        ("FLOAT", Some(30), Some(4), "Float32"),
        ("FLOAT UNSIGNED ZEROFILL", Some(8), Some(3), "Float32"),
        ("DOUBLE", None, None, "Float64"),
        ("DOUBLE PRECISION", None, None, "Float64"),
        ("REAL", None, None, "Float64"),
        ("DECIMAL", Some(10), Some(2), "Decimal(10, 2)"),
        ("DECIMAL", Some(65), Some(30), "Decimal(65, 30)"),
        ("DECIMAL UNSIGNED ZEROFILL", Some(5), Some(0), "Decimal(5, 0)"),
        ("NUMERIC", None, None, "Decimal(10, 0)"),
        ("DEC", Some(10), Some(0), "Decimal(10, 0)"),
        ("FIXED", Some(5), Some(1), "Decimal(5, 1)"),
        ("BIT", Some(1), None, "Bool"),
        ("BIT", None, None, "Bool"),
        ("BIT", Some(8), None, "UInt8"),
        ("BIT", Some(10), None, "UInt16"),
        ("BIT", Some(30), None, "UInt32"),
        ("BIT", Some(64), None, "UInt64"),
        ("CHAR", Some(3), None, "String"),
        ("VARCHAR", Some(255), None, "String"),
        ("VARCHAR BINARY", Some(10), None, "String"),
        ("NATIONAL VARCHAR", Some(5), None, "String"),
        ("CHARACTER VARYING", Some(6), None, "String"),
        ("NCHAR", Some(3), None, "String"),
        ("LONG VARCHAR", None, None, "String"),
        ("LONGTEXT", None, None, "String"),
        ("BINARY", Some(16), None, "String"),
        ("VARBINARY", Some(4), None, "String"),
        ("LONG VARBINARY", None, None, "String"),
        ("MEDIUMBLOB", None, None, "String"),
        ("ENUM", Some(1), None, "LowCardinality(String)"),
        ("SET", Some(3), None, "String"),
        ("DATE", None, None, "Date32"),
        ("DATETIME", None, None, "DateTime64(0, 'UTC')"),
        ("DATETIME", Some(3), None, "DateTime64(3, 'UTC')"),
        ("DATETIME", Some(6), None, "DateTime64(6, 'UTC')"),
        ("TIMESTAMP", None, None, "DateTime('UTC')"),
        ("TIMESTAMP", Some(6), None, "DateTime64(6, 'UTC')"),
        ("TIME", None, None, "Time64(0)"),
        ("TIME", Some(2), None, "Time64(2)"),
        ("YEAR", None, None, "UInt16"),
        ("JSON", None, None, "String"),
        ("GEOMCOLLECTION", None, None, "String"),
        ("POINT", None, None, "String"),
        ("VECTOR", Some(3), None, "Array(Float32)"),
        ("UUID", None, None, "UUID"),
        ("INET4", None, None, "IPv4"),
        ("INET6", None, None, "IPv6"),
    ] {
        assert_eq!(mapped(&of_type(type_name, length, scale), &new_server()), wanted, "{type_name}");
    }
}

#[test]
fn what_is_no_type_is_refused_with_its_column() {
    for (type_name, length, scale, wanted) in [
        ("MONEY", None, None, "column c: no mapping for the type MONEY"),
        ("", None, None, "column c: no mapping for the type "),
        ("BINARY ASCII", None, None, "column c: no mapping for the type BINARY ASCII"),
        ("DECIMAL", Some(66), Some(0), "column c: the type DECIMAL has a length or scale out of range"),
        ("DECIMAL", Some(3), Some(4), "column c: the type DECIMAL has a length or scale out of range"),
        ("BIT", Some(65), None, "column c: the type BIT has a length or scale out of range"),
        ("DATETIME", Some(7), None, "column c: the type DATETIME has a length or scale out of range"),
        ("TIME", Some(-1), None, "column c: the type TIME has a length or scale out of range"),
        ("BINARY", Some(-1), None, "column c: the type BINARY has a length or scale out of range"),
    ] {
        let json = serde_json::json!({"name": "c", "typeName": type_name, "length": length, "scale": scale});
        let column: ChangedColumn = serde_json::from_value(json).expect(type_name);
        assert_eq!(column.source_column().unwrap_err().to_string(), wanted);
    }
}

/// Section 3.6: NULL follows MySQL, never in a key; R-4: the sorting key is NOT NULL.
#[test]
fn r_4_null_follows_mysql_but_never_into_a_key() {
    let column = |type_name: &str| {
        changed(&serde_json::json!({"name": "c", "typeName": type_name, "optional": true}).to_string())
    };
    let modes = |nullable| MappingOptions { nullable, ..new_server() };
    assert_eq!(mapped(&column("INT"), &new_server()), "Nullable(Int32)");
    assert_eq!(mapped(&column("ENUM"), &new_server()), "LowCardinality(Nullable(String))");
    assert_eq!(mapped(&column("VECTOR"), &new_server()), "Array(Float32)");
    assert_eq!(mapped(&column("TIME"), &new_server()), "Nullable(Time64(0))");
    assert_eq!(mapped(&column("INT"), &modes(NullableMode::Never)), "Int32");
    assert_eq!(mapped(&of_type("INT", None, None), &modes(NullableMode::Always)), "Nullable(Int32)");
    let key = ColumnRole { key: true, ..ColumnRole::default() };
    let error = map_column(&column("INT"), key, &new_server()).unwrap_err();
    assert_eq!(error.to_string(), "column c: a column that allows null cannot be part of the sorting key");
    let mapped = map_column(&of_type("INT", None, None), key, &modes(NullableMode::Always)).unwrap();
    assert_eq!(mapped.column_type.to_string(), "Int32");
}

#[test]
fn options_change_single_rows_of_the_table() {
    let options = MappingOptions { tinyint1_as_bool: true, ..new_server() };
    assert_eq!(mapped(&of_type("TINYINT", Some(1), None), &options), "Bool");
    assert_eq!(mapped(&of_type("TINYINT", None, None), &options), "Int8");
    for (time, has_time64, wanted) in [
        (TimeHandlingMode::Auto, true, "Time64(3)"),
        (TimeHandlingMode::Auto, false, "Int64"),
        (TimeHandlingMode::Int64, true, "Int64"),
        (TimeHandlingMode::String, true, "String"),
    ] {
        let options = MappingOptions { time, has_time64, ..MappingOptions::default() };
        assert_eq!(mapped(&of_type("TIME", Some(3), None), &options), wanted);
    }
    let key = ColumnRole { key: true, ..ColumnRole::default() };
    let options = MappingOptions { widen_integer_keys: true, ..new_server() };
    for (type_name, wanted) in [("INT", "Int64"), ("SMALLINT UNSIGNED", "UInt64"), ("DATE", "Date32")] {
        let mapped = map_column(&of_type(type_name, None, None), key, &options).unwrap();
        assert_eq!(mapped.column_type.to_string(), wanted);
    }
    let listed = ColumnRole { low_cardinality: true, ..ColumnRole::default() };
    for (type_name, wanted) in [("VARCHAR", "LowCardinality(String)"), ("INT", "Int32")] {
        let mapped = map_column(&of_type(type_name, None, None), listed, &new_server()).unwrap();
        assert_eq!(mapped.column_type.to_string(), wanted);
    }
}

/// Column of a schema-change record (types_enum_set).
#[test]
fn members_of_an_enum_lose_their_apostrophes() {
    let column = changed(
        r#"{"name":"e","jdbcType":1,"nativeType":null,"typeName":"ENUM","typeExpression":"ENUM","charsetName":"utf8mb4","length":1,"scale":null,"position":3,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":"medium","enumValues":["'small'","'it''s'","'large'"]}"#,
    );
    let members = ["small", "it's", "large"].map(str::to_owned).to_vec();
    assert_eq!(column.source_type, SourceType::Enum(members));
    assert_eq!(column.added, AddedValue::Text("medium".to_owned()));
    assert!(!column.nullable && column.exact);
}

/// Field schemas that the reference published: types_propagate_column and the scenarios of the types.
#[test]
fn a_record_schema_gives_the_type_that_holds_all_it_stands_for() {
    for (json, wanted, exact) in [
        (r#"{"type":"int16","optional":true}"#, "Nullable(Int16)", false),
        (r#"{"type":"int32","optional":false}"#, "Int32", false),
        (r#"{"type":"int64","optional":false,"default":7}"#, "Int64", false),
        (r#"{"type":"boolean","optional":true,"default":true}"#, "Nullable(Bool)", false),
        (r#"{"type":"float","optional":false}"#, "Float32", true),
        (r#"{"type":"double","optional":false}"#, "Float64", false),
        (r#"{"type":"string","optional":true}"#, "Nullable(String)", false),
        (r#"{"type":"bytes","optional":true}"#, "Nullable(String)", false),
        (
            r#"{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"2","connect.decimal.precision":"10"},"default":"AJY="}"#,
            "Nullable(Decimal(10, 2))",
            true,
        ),
        (
            r#"{"type":"bytes","optional":false,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"4"}}"#,
            "Decimal(65, 4)",
            false,
        ),
        (
            r#"{"type":"bytes","optional":false,"name":"io.debezium.data.Bits","version":1,"parameters":{"length":"12"}}"#,
            "UInt16",
            true,
        ),
        (
            r#"{"type":"int32","optional":true,"name":"io.debezium.time.Date","version":1}"#,
            "Nullable(Date32)",
            true,
        ),
        (
            r#"{"type":"string","optional":false,"name":"io.debezium.time.IsoDate","version":1}"#,
            "Date32",
            true,
        ),
        (r#"{"type":"int32","optional":false,"name":"io.debezium.time.Year","version":1}"#, "UInt16", true),
        (
            r#"{"type":"int64","optional":false,"name":"io.debezium.time.MicroTime","version":1}"#,
            "Time64(6)",
            false,
        ),
        (
            r#"{"type":"int32","optional":false,"name":"org.apache.kafka.connect.data.Time","version":1}"#,
            "Time64(3)",
            false,
        ),
        (
            r#"{"type":"int64","optional":false,"name":"io.debezium.time.Timestamp","version":1}"#,
            "DateTime64(3, 'UTC')",
            false,
        ),
        (
            r#"{"type":"int64","optional":false,"name":"io.debezium.time.MicroTimestamp","version":1}"#,
            "DateTime64(6, 'UTC')",
            false,
        ),
        (
            r#"{"type":"string","optional":false,"name":"io.debezium.time.ZonedTimestamp","version":1}"#,
            "DateTime64(6, 'UTC')",
            false,
        ),
        (
            r#"{"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,"parameters":{"allowed":"a,b"}}"#,
            "LowCardinality(Nullable(String))",
            true,
        ),
        (
            r#"{"type":"string","optional":false,"name":"io.debezium.data.EnumSet","version":1,"parameters":{"allowed":"x,y"}}"#,
            "String",
            true,
        ),
        (
            r#"{"type":"string","optional":true,"name":"io.debezium.data.Json","version":1}"#,
            "Nullable(String)",
            true,
        ),
        (
            r#"{"type":"array","items":{"type":"float","optional":false},"optional":true,"name":"io.debezium.data.FloatVector","version":1}"#,
            "Array(Float32)",
            true,
        ),
        (
            r#"{"type":"struct","fields":[{"type":"bytes","optional":false,"field":"wkb"},{"type":"int32","optional":true,"field":"srid"}],"optional":true,"name":"io.debezium.data.geometry.Geometry","version":1}"#,
            "Nullable(String)",
            true,
        ),
        (
            r#"{"type":"int64","optional":true,"parameters":{"__debezium.source.column.type":"BIGINT UNSIGNED ZEROFILL","__debezium.source.column.length":"20","__debezium.source.column.name":"bi"}}"#,
            "Nullable(UInt64)",
            true,
        ),
        (
            r#"{"type":"int16","optional":true,"parameters":{"__debezium.source.column.type":"TINYINT","__debezium.source.column.length":"1","__debezium.source.column.name":"bo"}}"#,
            "Nullable(Int8)",
            true,
        ),
        (
            r#"{"type":"string","optional":false,"name":"io.debezium.time.ZonedTimestamp","version":1,"parameters":{"__debezium.source.column.type":"TIMESTAMP","__debezium.source.column.name":"ts"}}"#,
            "DateTime('UTC')",
            true,
        ),
    ] {
        let schema = read_schema(&serde_json::from_str(json).expect(json)).expect(json);
        let column = source_column("c", &schema).expect(json);
        assert_eq!(mapped(&column, &new_server()), wanted, "{json}");
        assert_eq!(column.exact, exact, "{json}");
    }
    let map = r#"{"type":"map","keys":{"type":"string"},"values":{"type":"string"},"name":"x"}"#;
    let schema = read_schema(&serde_json::from_str(map).unwrap()).unwrap();
    assert_eq!(
        source_column("c", &schema).unwrap_err().to_string(),
        "column c: no mapping for the record schema MAP x"
    );
}

#[test]
fn without_a_schema_the_kind_of_the_value_decides() {
    for (kind, is_key, wanted) in [
        (JsonKind::Integer, true, Some("Int64")),
        (JsonKind::Integer, false, Some("Nullable(Int64)")),
        (JsonKind::Decimal, false, Some("Nullable(Float64)")),
        (JsonKind::Boolean, false, Some("Nullable(Bool)")),
        (JsonKind::String, false, Some("Nullable(String)")),
        (JsonKind::Array, false, Some("Array(Float32)")),
        (JsonKind::Geometry, false, Some("Nullable(String)")),
        (JsonKind::Object, false, None),
        (JsonKind::Null, false, None),
    ] {
        let column = source_column_of_json("c", kind, is_key);
        assert_eq!(column.map(|column| mapped(&column, &new_server())).as_deref(), wanted, "{kind:?}");
    }
}
