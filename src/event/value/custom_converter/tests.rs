use super::*;
use crate::config::fallback::CivilDate;
use crate::connect::cell::{Date, DateTime, Time};
use crate::converter::json::schema::schema_json;
use crate::event::column_operations::ColumnOperations;
use crate::event::value::tests::{TestColumn, config, json_by};

const INT16: CustomConverter = CustomConverter::Int16;
const DOUBLE: CustomConverter = CustomConverter::Real { double: true };
const SINGLE: CustomConverter = CustomConverter::Real { double: false };
const STRING: CustomConverter = CustomConverter::String;
const BOOLEAN: CustomConverter = CustomConverter::TinyIntOneToBoolean;

fn operations(converter: CustomConverter) -> ColumnOperations {
    ColumnOperations { converter: Some(converter), ..ColumnOperations::default() }
}

fn try_json(
    converter: CustomConverter,
    column: TestColumn,
    value: ColumnValue<'_>,
) -> Result<String, ValueError> {
    json_by(&column.compile_with(&config(), &operations(converter)).unwrap(), value)
}

fn schema(converter: CustomConverter, column: TestColumn) -> String {
    schema_json(column.compile_with(&config(), &operations(converter)).unwrap().schema(), None)
}

/// types_bool_converter_all, types_bool_converter_kinds; unsigned 200 by hand.
#[test]
fn numbers_above_zero_are_true() {
    use ColumnValue::{Int, Null, UInt};
    let column = TestColumn::new("TINYINT").length(1).optional();
    for (value, expected) in [
        (Int(1), "true"),
        (Int(127), "true"),
        (Int(0), "false"),
        (Int(-128), "false"),
        (UInt(200), "true"),
        (Null, "null"),
    ] {
        assert_eq!(try_json(BOOLEAN, column, value).unwrap(), expected);
    }
    assert_eq!(schema(BOOLEAN, column.default("7")), r#"{"type":"boolean","optional":true,"default":true}"#);
    assert_eq!(
        schema(BOOLEAN, column.default("-1")),
        r#"{"type":"boolean","optional":true,"default":false}"#
    );
}

/// types_jdbc_sink_converter, types_jdbc_sink_defaults and types_jdbc_sink_kinds where the reference says what is stored,
/// otherwise by hand.
#[test]
fn numbers_become_what_a_jdbc_sink_knows() {
    use ColumnValue::{Bit, Bytes, DecimalText, Double, Float, Int, Text, UInt, Year};
    let int = || TestColumn::new("INT").optional();
    let text = || TestColumn::new("VARCHAR").optional();
    for (converter, column, value, expected) in [
        (INT16, int(), Int(5), "1"),
        (INT16, int(), Int(-5), "0"),
        (INT16, int(), UInt(u64::MAX), "1"),
        (INT16, int(), Float(0.9), "0"),
        (INT16, int(), Double(1.0), "1"),
        (INT16, int(), DecimalText(b"0.500"), "0"),
        (INT16, int(), DecimalText(b"-1.500"), "0"),
        (INT16, int(), DecimalText(b"100.000"), "1"),
        (INT16, int(), Bit(&[1]), "1"),
        (INT16, int(), Year(2024), "1"),
        (INT16, text(), Bytes(b"7"), "1"),
        (INT16, text(), Text("true"), "1"),
        (INT16, text(), Text("no"), "0"),
        (DOUBLE, int(), Float(0.1), "0.10000000149011612"),
        (DOUBLE, int(), DecimalText(b"3.125"), "3.125"),
        (DOUBLE, int(), UInt(200), "200.0"),
        (DOUBLE, int(), UInt(u64::MAX), "1.8446744073709552E19"),
        (DOUBLE, text(), Bytes(b" 2.5"), "2.5"),
        (SINGLE, int(), Double(1.1), "1.1"),
        (SINGLE, int(), DecimalText(b"1234567.5000"), "1234567.5"),
        (STRING, int(), Int(-7), r#""-7""#),
        (STRING, int(), UInt(u64::MAX), r#""18446744073709551615""#),
        (STRING, int(), Double(1e22), r#""1.0E22""#),
        // MySQL cannot store such numbers, but damaged rows can hold them.
        (STRING, int(), Double(f64::INFINITY), r#""Infinity""#),
        (STRING, int(), Double(f64::NEG_INFINITY), r#""-Infinity""#),
        (STRING, int(), Float(f32::NAN), r#""NaN""#),
        (STRING, int(), Float(1e-5), r#""1.0E-5""#),
        (STRING, int(), Year(2024), r#""2024""#),
        (STRING, int(), DecimalText(b"0.00000012"), r#""1.2E-7""#),
        (STRING, int(), DecimalText(b"-0.000000120"), r#""-1.20E-7""#),
        (STRING, int(), DecimalText(b"0.00000000"), r#""0E-8""#),
        (STRING, int(), DecimalText(b"0.000001"), r#""0.000001""#),
        (STRING, int(), DecimalText(b"-12.50"), r#""-12.50""#),
    ] {
        assert_eq!(try_json(converter, column, value).unwrap(), expected, "{converter:?} {value:?}");
    }
}

/// By hand: what the server stored, where the reference has `""`, a number of its own, or U+FFFD.
#[test]
fn other_types_become_their_own_text() {
    let latin1 = TestColumn { charset: "latin1", ..TestColumn::new("VARCHAR") };
    let labels = &["'one'", "'two'"];
    let enumeration = TestColumn { enum_values: labels, ..TestColumn::new("ENUM") };
    let set = TestColumn { enum_values: labels, ..TestColumn::new("SET") };
    let date = Date { year: 2024, month: 1, day: 2 };
    for (column, value, expected) in [
        (latin1, ColumnValue::Bytes(b"\xe9"), r#""é""#),
        (enumeration, ColumnValue::Enum(2), r#""two""#),
        (set, ColumnValue::Set(3), r#""one,two""#),
        (TestColumn::new("DATE"), ColumnValue::Date(date), r#""2024-01-02Z""#),
        (TestColumn::new("VARBINARY"), ColumnValue::Bytes(b"b\xff"), "\"b\u{fffd}\""),
        (TestColumn::new("BINARY").length(3), ColumnValue::Bytes(b"b"), r#""b\u0000\u0000""#),
        (TestColumn::new("BIT").length(9), ColumnValue::Bit(&[1, 0]), r#""256""#),
    ] {
        assert_eq!(try_json(STRING, column, value).unwrap(), expected, "{}", column.type_name);
    }
}

#[test]
fn what_has_no_such_form_is_a_failure() {
    let date = ColumnValue::Date(Date { year: 2024, month: 1, day: 2 });
    for (converter, type_name, value) in [
        (INT16, "DATE", date),
        (DOUBLE, "DATE", date),
        (DOUBLE, "VARCHAR", ColumnValue::Text("abc")),
        (SINGLE, "VARCHAR", ColumnValue::Text("nan")),
        (STRING, "POINT", ColumnValue::Bytes(&[0; 25])),
        (STRING, "VECTOR", ColumnValue::Bytes(&[0; 4])),
    ] {
        assert_eq!(try_json(converter, TestColumn::new(type_name).optional(), value).unwrap(), "null");
        let error = try_json(converter, TestColumn::new(type_name), value).unwrap_err();
        assert!(matches!(error, ValueError::Required { .. }), "{error}");
    }
}

/// types_jdbc_sink_defaults; the parameter is left out where there is no character set.
#[test]
fn schemas_and_defaults_are_converted() {
    let latin1 = TestColumn { charset: "latin1", ..TestColumn::new("VARCHAR") };
    for (converter, column, expected) in [
        (INT16, TestColumn::new("TINYINT").default("1"), r#"{"type":"int16","optional":false,"default":1}"#),
        (
            INT16,
            TestColumn::new("BOOLEAN").default("true"),
            r#"{"type":"int16","optional":false,"default":1}"#,
        ),
        (
            INT16,
            TestColumn::new("DECIMAL").default("0.5"),
            r#"{"type":"int16","optional":false,"default":0}"#,
        ),
        (
            DOUBLE,
            TestColumn::new("FLOAT").optional().default("0.1"),
            r#"{"type":"double","optional":true,"default":0.10000000149011612}"#,
        ),
        (DOUBLE, TestColumn::new("INT").default("3"), r#"{"type":"double","optional":false,"default":3.0}"#),
        (SINGLE, TestColumn::new("INT"), r#"{"type":"float","optional":false}"#),
        (
            STRING,
            latin1.default("dé"),
            r#"{"type":"string","optional":false,"parameters":{"__debezium.source.column.character_set":"latin1"},"default":"dé"}"#,
        ),
    ] {
        assert_eq!(schema(converter, column), expected);
    }
    let number = TestColumn::new("INT").default("7").column();
    let number = crate::schema::column::Column { charset_name: None, ..number };
    let operations = operations(STRING);
    let values = config();
    let settings = ColumnSettings {
        values: &values,
        comments: false,
        spelling: crate::event::value::Spelling::Stream,
        operations: &operations,
    };
    let compiled = crate::event::value::ColumnConverter::compile(&TableId::new("d", "t"), &number, settings)
        .unwrap()
        .unwrap();
    assert_eq!(schema_json(compiled.schema(), None), r#"{"type":"string","optional":false,"default":"7"}"#);
}

/// types_zero_date_fallback, types_zero_date_null; that NULL stays null is by hand.
#[test]
fn zero_dates_become_the_fallback() {
    let day = |year, month, day| CivilDate { year, month, day };
    let zero = |fallback| CustomConverter::ZeroDateFallback(fallback);
    let date = zero(Fallback::Date(day(1970, 1, 2)));
    let moment = zero(Fallback::DateTime(day(1970, 1, 3), 14_706));
    let instant = zero(Fallback::Timestamp(day(1999, 12, 31), 86_399, 0, 3600));
    let null = zero(Fallback::Null);
    let of = |type_name| TestColumn::new(type_name).optional();
    let stored = Date { year: 2024, month: 1, day: 2 };
    let partial = Date { year: 2024, month: 0, day: 10 };
    let whole = |date| ColumnValue::DateTime(DateTime { date, ..DateTime::default() });
    for (converter, column, value, expected) in [
        (date, of("DATE"), ColumnValue::Date(Date::default()), "1"),
        (date, of("DATE"), ColumnValue::Date(partial), "1"),
        (date, of("DATE"), ColumnValue::Date(stored), "19724"),
        (date, of("DATE"), ColumnValue::Null, "null"),
        (moment, of("DATETIME"), whole(Date::default()), "187506000"),
        (moment, of("DATETIME").length(6), whole(partial), "187506000000"),
        (moment, of("DATETIME").length(3), whole(stored), "1704153600000"),
        (
            instant,
            of("TIMESTAMP"),
            ColumnValue::Timestamp { seconds: 0, micros: 0 },
            r#""1999-12-31T22:59:59Z""#,
        ),
        (
            instant,
            of("TIMESTAMP").length(3),
            ColumnValue::Timestamp { seconds: 1, micros: 120_000 },
            r#""1970-01-01T00:00:01.12Z""#,
        ),
        (null, TestColumn::new("DATE"), ColumnValue::Date(Date::default()), "null"),
    ] {
        assert_eq!(try_json(converter, column, value).unwrap(), expected, "{converter:?} {value:?}");
    }
    for (converter, column, expected) in [
        (
            date,
            TestColumn::new("DATE").default("2020-05-05"),
            r#"{"type":"int32","optional":false,"name":"io.debezium.time.Date","version":1,"default":1}"#,
        ),
        (
            null,
            TestColumn::new("DATETIME").length(6).default("2020-05-05"),
            r#"{"type":"int64","optional":true,"name":"io.debezium.time.MicroTimestamp","version":1}"#,
        ),
    ] {
        assert_eq!(schema(converter, column), expected);
    }
    let error = TestColumn::new("DATE").compile_with(&config(), &operations(moment)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column d.t.c: the fallback of ZeroDateFallbackConverter is no value of type DATE"
    );
    let time = try_json(null, TestColumn::new("TIME"), ColumnValue::Time(Time::default())).unwrap();
    assert_eq!(time, "0");
}
