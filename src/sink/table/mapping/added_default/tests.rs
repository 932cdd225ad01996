use super::*;
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::sink::table::mapping::connect_type::source_column;
use crate::sink::table::mapping::mysql_type::ChangedColumn;
use crate::sink::table::mapping::{ColumnRole, map_column};

fn options() -> MappingOptions {
    MappingOptions { has_time64: true, ..MappingOptions::default() }
}

fn added(column: &SourceColumn) -> AddedDefault {
    let mapped = map_column(column, ColumnRole::default(), &options()).expect(&column.name);
    added_default(column, &mapped, &options())
}

fn changed(
    type_name: &str,
    length: Option<i64>,
    scale: Option<i64>,
    optional: bool,
    text: Option<&str>,
) -> AddedDefault {
    let json = serde_json::json!({"name": "c", "typeName": type_name, "length": length, "scale": scale,
        "optional": optional, "defaultValueExpression": text, "enumValues": ["'a'", "'b'"]});
    let column: ChangedColumn = serde_json::from_value(json).expect(type_name);
    added(&column.source_column().expect(type_name))
}

/// Texts of `defaultValueExpression` that Debezium 3.6.1 wrote (types_defaults, ddl_defaults, types_bit, types_zero_dates,
/// ddl_create_columns, types_int_unsigned_long).
#[test]
fn a_default_becomes_an_expression_where_it_has_one_reading() {
    for (type_name, length, scale, text, wanted) in [
        ("TINYINT", None, None, "-5", Some("-5")),
        ("BIGINT UNSIGNED", None, None, "18446744073709551615", Some("18446744073709551615")),
        ("BIGINT", None, None, "+7", Some("7")),
        ("INT", None, None, "-007", Some("-7")),
        ("INT UNSIGNED ZEROFILL", Some(6), None, "000042", Some("42")),
        ("BOOL", None, None, "false", Some("0")),
        ("INT", None, None, "true", Some("1")),
        ("INT", None, None, "4294967296", None),
        ("DECIMAL", Some(10), Some(2), "1.50", Some("'1.5'")),
        ("DECIMAL", Some(6), Some(2), "-1.10", Some("'-1.1'")),
        ("DECIMAL", Some(6), Some(2), "-0.005", None),
        ("DECIMAL", Some(8), Some(4), "2", Some("'2'")),
        ("NUMERIC UNSIGNED ZEROFILL", Some(4), Some(4), "0.5", Some("'0.5'")),
        (
            "DECIMAL",
            Some(65),
            Some(30),
            "12345678901234567890.123456789012345678901234567890",
            Some("'12345678901234567890.12345678901234567890123456789'"),
        ),
        ("DECIMAL", Some(5), Some(1), "12.34", None),
        ("DECIMAL", Some(5), Some(1), ".", None),
        ("DOUBLE", None, None, "1e100", Some("1e100")),
        ("DOUBLE", None, None, ".5", Some("5e-1")),
        ("FLOAT", None, None, "-0.5", Some("-5e-1")),
        ("DOUBLE", None, None, "inf", None),
        ("BIT", Some(1), None, "1", Some("1")),
        ("BIT", Some(10), None, "1000000001", Some("513")),
        ("VARCHAR", Some(10), None, "n/a", Some("'n/a'")),
        ("VARCHAR", Some(10), None, "NULL", Some("'NULL'")),
        ("CHAR", Some(3), None, "a  ", Some("'a  '")),
        ("VARCHAR", Some(10), None, "it''s", None),
        ("VARCHAR", Some(10), None, "dq \"x\"", None),
        ("VARCHAR", Some(10), None, "a\\\\b\\n", None),
        ("ENUM", Some(1), None, "b", Some("'b'")),
        ("SET", Some(3), None, "a,b", Some("'a,b'")),
        ("VARBINARY", Some(8), None, "", Some("''")),
        ("VARBINARY", Some(8), None, "CAF", None),
        ("BINARY", Some(4), None, "xy\\0\\0", None),
        ("DATE", None, None, "2020-02-29", Some("addDays(toDate32('1970-01-01'), 18321)")),
        ("DATE", None, None, "1999-1-2", Some("addDays(toDate32('1970-01-01'), 10593)")),
        ("DATE", None, None, "0000-00-00", Some("addDays(toDate32('1970-01-01'), -719528)")),
        ("DATE", None, None, "2024-02-31", None),
        (
            "DATETIME",
            Some(6),
            None,
            "2020-01-02 03:04:05.678901",
            Some("fromUnixTimestamp64Micro(1577934245678901, 'UTC')"),
        ),
        ("DATETIME", None, None, "2021-01-01", Some("fromUnixTimestamp64Micro(1609459200000000, 'UTC')")),
        ("DATETIME", None, None, "20240102030405", None),
        ("DATETIME", None, None, "1970-01-01 00:00:00", None),
        ("TIMESTAMP", None, None, "2020-01-02 03:04:05", None),
        ("TIMESTAMP", None, None, "0000-00-00 00:00:00", Some("0")),
        ("TIME", Some(2), None, "-10:11:12.34", Some("'-10:11:12.34'")),
        ("TIME", None, None, "-12:34:56", Some("'-12:34:56'")),
        ("TIME", None, None, "1:2:3", Some("'01:02:03'")),
        ("TIME", None, None, "839:00:00", None),
        ("YEAR", None, None, "2024", Some("2024")),
        ("YEAR", None, None, "0000", Some("0")),
        ("YEAR", None, None, "0", None),
        ("YEAR", None, None, "99", Some("1999")),
    ] {
        let wanted = wanted.map_or(UNREADABLE, |text| AddedDefault::Expression(text.to_owned()));
        let found = changed(type_name, length, scale, false, Some(text));
        match (found, wanted) {
            (AddedDefault::Refresh(_), AddedDefault::Refresh(_)) => {}
            (found, wanted) => assert_eq!(found, wanted, "{type_name} {text}"),
        }
    }
}

/// Section 3.6: MySQL's implicit defaults, and what the server computes.
#[test]
fn without_a_default_old_rows_hold_null_or_the_implicit_one() {
    let expression = |text: &str| AddedDefault::Expression(text.to_owned());
    assert_eq!(changed("INT", None, None, true, None), AddedDefault::Null);
    assert_eq!(changed("INT", None, None, true, Some("null")), AddedDefault::Null);
    assert_eq!(changed("DATE", None, None, true, Some("0000-00-00")), AddedDefault::Null);
    for (type_name, length, wanted) in [
        ("INT", None, "0"),
        ("DECIMAL", None, "0"),
        ("VARCHAR", None, "''"),
        ("BINARY", Some(3), "repeat('\\0', 3)"),
        ("ENUM", None, "'a'"),
        ("SET", None, "''"),
        ("JSON", None, "'null'"),
        ("TIME", None, "'00:00:00'"),
        ("TIME", Some(3), "'00:00:00.000'"),
        ("TIMESTAMP", None, "0"),
        ("DATE", None, "addDays(toDate32('1970-01-01'), -719528)"),
        ("DATETIME", Some(3), "fromUnixTimestamp64Micro(-62167219200000000, 'UTC')"),
        ("YEAR", None, "0"),
        ("BIT", Some(9), "0"),
        ("VECTOR", None, "[]"),
    ] {
        assert_eq!(changed(type_name, length, None, false, None), expression(wanted), "{type_name}");
    }
    assert_eq!(
        changed("TIMESTAMP", None, None, false, Some("1970-01-01 00:00:00")),
        AddedDefault::StatementTime
    );
    assert!(matches!(
        changed("TIMESTAMP", Some(6), None, false, Some("1970-01-01 00:00:00")),
        AddedDefault::Refresh(_)
    ));
    let generated = r#"{"name":"g","typeName":"INT","optional":true,"generated":true}"#;
    let column: ChangedColumn = serde_json::from_str(generated).unwrap();
    assert!(matches!(added(&column.source_column().unwrap()), AddedDefault::Refresh(_)));
    assert_eq!(statement_time(1_577_934_245), "toDateTime(1577934245, 'UTC')");
}

/// Defaults of record schemas (basic_crud, ddl_create_columns, types_bit).
#[test]
fn the_default_of_a_record_schema_is_a_value() {
    let decimal = Schema::new(Type::Bytes)
        .named("org.apache.kafka.connect.data.Decimal", Some(1))
        .parameter("scale", "2")
        .parameter("connect.decimal.precision", "10");
    let named = |kind, name: &str| Schema::new(kind).named(name, Some(1));
    for (schema, default, wanted) in [
        (Schema::new(Type::Int64), Value::Integer(-5), Some("-5")),
        (Schema::new(Type::Boolean), Value::Boolean(true), Some("1")),
        (Schema::new(Type::Float64), Value::Float64(1000.0), Some("1e3")),
        (Schema::new(Type::Float32), Value::Float32(-0.5), Some("-5e-1")),
        (Schema::new(Type::String), Value::from("n/a"), Some("'n/a'")),
        (Schema::new(Type::String), Value::from("it''s"), None),
        (decimal.clone(), Value::Bytes(vec![0x00, 0x96]), Some("'1.50'")),
        (decimal.clone(), Value::Bytes(vec![0xff]), Some("'-0.01'")),
        (decimal, Value::Bytes(vec![1; 17]), None),
        (
            named(Type::Bytes, "io.debezium.data.Bits").parameter("length", "10"),
            Value::Bytes(vec![0x01, 0x02]),
            Some("513"),
        ),
        (
            named(Type::Int32, "io.debezium.time.Date"),
            Value::Integer(18263),
            Some("addDays(toDate32('1970-01-01'), 18263)"),
        ),
        (named(Type::Int32, "io.debezium.time.Year"), Value::Integer(2024), Some("2024")),
        (
            named(Type::Int64, "io.debezium.time.Timestamp"),
            Value::Integer(1_577_934_245_000),
            Some("fromUnixTimestamp64Micro(1577934245000000, 'UTC')"),
        ),
        (
            named(Type::Int64, "io.debezium.time.MicroTimestamp"),
            Value::Integer(1_577_934_245_123_456),
            Some("fromUnixTimestamp64Micro(1577934245123456, 'UTC')"),
        ),
        (named(Type::Int64, "io.debezium.time.Timestamp"), Value::Integer(0), None),
        (
            named(Type::Int64, "io.debezium.time.MicroTime"),
            Value::Integer(-36_672_340_000),
            Some("'-10:11:12.340000'"),
        ),
    ] {
        let column = source_column("c", &schema.with_default(default)).unwrap();
        let wanted = wanted.map_or(UNREADABLE, |text| AddedDefault::Expression(text.to_owned()));
        assert_eq!(added(&column), wanted, "{column:?}");
    }
}

#[test]
fn a_statement_with_computed_defaults_is_recognised() {
    for (ddl, wanted) in [
        ("ALTER TABLE t ADD c CHAR(36) DEFAULT (uuid())", true),
        ("alter table t add c char(36) default\n (uuid()), add d int default 5", true),
        ("alter table t add c int default/**/(1+2)", true),
        ("alter table t add c int default 5", false),
        ("alter table t add c int default -5", false),
        ("alter table t add c int", false),
        ("", false),
    ] {
        assert_eq!(may_compute_defaults(ddl), wanted, "{ddl}");
    }
}
