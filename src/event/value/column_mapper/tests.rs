use super::*;
use crate::config::column_mapper::{Hash, HashForm};
use crate::config::modes::{DecimalHandlingMode, DigestAlgorithm};
use crate::config::source::{Secret, ValueConfig};
use crate::connect::cell::ColumnValue;
use crate::converter::json::schema::schema_json;
use crate::event::column_operations::ColumnOperations;
use crate::event::value::custom_converter::CustomConverter;
use crate::event::value::error::ValueError;
use crate::event::value::tests::{TestColumn, config, json_by};

fn mapped(mapper: ColumnMapper) -> ColumnOperations {
    ColumnOperations { mapper: Some(mapper), ..ColumnOperations::default() }
}

fn mask(length: u16) -> ColumnOperations {
    mapped(ColumnMapper::Mask { length })
}

fn truncate(length: u32) -> ColumnOperations {
    mapped(ColumnMapper::Truncate { length })
}

fn hash() -> ColumnOperations {
    let salt = Secret::new("s");
    mapped(ColumnMapper::Hash(Hash { algorithm: DigestAlgorithm::Md5, salt, form: HashForm::Utf8 }))
}

fn json(
    column: TestColumn,
    values: &ValueConfig,
    operations: &ColumnOperations,
    value: ColumnValue<'_>,
) -> String {
    json_by(&column.compile_with(values, operations).unwrap(), value).unwrap()
}

fn parameters(column: TestColumn, operations: &ColumnOperations) -> Vec<(String, String)> {
    column.compile_with(&config(), operations).unwrap().schema().parameters.clone()
}

/// types_mask_truncate, types_mask_kinds, types_mask_modes; the MD5 of `sabcdef` by md5sum.
#[test]
fn text_is_masked_hashed_and_cut() {
    let varchar = || TestColumn::new("VARCHAR").length(20).optional();
    let bytes = ColumnValue::Bytes;
    for (column, operations, value, expected) in [
        (varchar(), mask(3), bytes(b"secret"), r#""***""#),
        (varchar(), mask(0), bytes(b"secret"), r#""""#),
        (varchar(), mask(2), ColumnValue::Null, r#""**""#),
        (varchar(), hash(), bytes(b"abcdef"), r#""2016829e3c3cf5da0d6b""#),
        (varchar().length(255), hash(), bytes(b"abcdef"), r#""2016829e3c3cf5da0d6b5c161b21886e""#),
        (varchar(), hash(), ColumnValue::Null, "null"),
        (varchar(), truncate(5), bytes(b"truncated"), r#""trunc""#),
        (varchar(), truncate(5), bytes(b"abc"), r#""abc""#),
        (varchar(), truncate(0), bytes(b"abc"), r#""""#),
        (varchar(), truncate(5), ColumnValue::Null, "null"),
        (TestColumn::new("TEXT"), truncate(5), bytes("é日本語éé".as_bytes()), r#""é日本語é""#),
        (TestColumn::new("BLOB"), truncate(5), bytes(&[1, 2, 3, 4, 5, 6]), r#""AQIDBAU=""#),
        (TestColumn::new("BIGINT"), truncate(5), ColumnValue::Int(1_234_567), "1234567"),
        (TestColumn::new("BIT").length(40), truncate(4), ColumnValue::Bit(&[0xff; 5]), r#""//////8=""#),
        (TestColumn::new("INT"), mask(3), ColumnValue::Int(7), "7"),
        (TestColumn::new("VARBINARY").length(9), hash(), bytes(b"b"), r#""Yg==""#),
        (
            TestColumn::new("TIMESTAMP"),
            truncate(4),
            ColumnValue::Timestamp { seconds: 1, micros: 0 },
            r#""1970""#,
        ),
    ] {
        assert_eq!(
            json(column, &config(), &operations, value),
            expected,
            "{} {operations:?}",
            column.type_name
        );
    }
    let values = ValueConfig { decimal: DecimalHandlingMode::String, ..config() };
    let decimal = TestColumn::new("DECIMAL").length(6).scale(2);
    assert_eq!(json(decimal, &values, &truncate(3), ColumnValue::DecimalText(b"1234.56")), r#""123""#);
}

/// D-28: what is left of a text is text. By hand; an emoji has two UTF-16 units.
#[test]
fn a_character_is_never_halved() {
    for (text, units, expected) in [
        ("😀😀😀", 5, "😀😀"),
        ("😀😀😀", 4, "😀😀"),
        ("😀😀😀", 6, "😀😀😀"),
        ("abcd😀", 5, "abcd"),
        ("a😀b😀", 4, "a😀b"),
        ("a😀b😀", 2, "a"),
        ("é日", 2, "é日"),
        ("é日", 1, "é"),
        ("é", 0, ""),
        ("", 0, ""),
    ] {
        assert_eq!(first_units(text, units), expected, "{text} {units}");
    }
}

/// types_mask_kinds, types_truncate_lengths, types_propagate_column, types_propagate_rules.
#[test]
fn schemas_tell_of_it() {
    let varchar = TestColumn::new("VARCHAR").length(20);
    let one = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    assert_eq!(parameters(varchar, &mask(3)), one("masked", "true"));
    assert_eq!(parameters(TestColumn::new("INT"), &hash()), one("masked", "true"));
    assert_eq!(parameters(varchar, &truncate(19)), one("truncateLength", "19"));
    assert_eq!(parameters(varchar, &truncate(20)), []);
    assert_eq!(parameters(TestColumn::new("TEXT"), &truncate(5)), one("truncateLength", "5"));
    let operations = ColumnOperations { propagate: true, ..hash() };
    let converter =
        TestColumn::new("DECIMAL").length(12).scale(4).compile_with(&config(), &operations).unwrap();
    assert_eq!(
        schema_json(converter.schema(), None),
        r#"{"type":"bytes","optional":false,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"4","connect.decimal.precision":"12","__debezium.source.column.type":"DECIMAL","__debezium.source.column.length":"12","__debezium.source.column.scale":"4","__debezium.source.column.name":"c","masked":"true"}}"#
    );
}

/// types_mask_truncate `tc`: NULL is printed as the default of the schema, which is not cut.
#[test]
fn defaults_of_schemas_stay() {
    let column = TestColumn::new("CHAR").length(8).optional().default("abcdefgh");
    assert_eq!(json(column, &config(), &truncate(5), ColumnValue::Null), r#""abcdefgh""#);
    // What stands in for a missing value is a value: cut, and hashed.
    let required = TestColumn::new("CHAR").length(8).default("abcdefgh");
    assert_eq!(json(required, &config(), &truncate(5), ColumnValue::Null), r#""abcde""#);
    assert_eq!(json(required, &config(), &mask(1), ColumnValue::Null), r#""*""#);
}

/// By hand: stars in a field of INT16 are a conversion failure, so that nothing of the value is published.
#[test]
fn a_mask_that_does_not_fit_withholds_the_value() {
    let number = TestColumn::new("CHAR");
    let operations = ColumnOperations { converter: Some(CustomConverter::Int16), ..mask(3) };
    let optional = number.optional().compile_with(&config(), &operations).unwrap();
    assert_eq!(json_by(&optional, ColumnValue::Bytes(b"1")).unwrap(), "null");
    assert_eq!(json_by(&optional, ColumnValue::Null).unwrap(), "null");
    let required = number.compile_with(&config(), &operations).unwrap();
    let error = json_by(&required, ColumnValue::Bytes(b"1")).unwrap_err();
    assert!(matches!(error, ValueError::Required { .. }), "{error}");
}
