use super::*;
use crate::config::sink::modes::TimeHandlingMode;
use crate::sink::record::scanner::Scanner;
use crate::sink::row::wire_form::SourceHandling;
use crate::sink::table::mapping::mysql_type::source_type;
use crate::sink::table::mapping::{AddedValue, ColumnRole, MappingOptions, SourceColumn, map_column};

fn column(
    type_name: &str,
    length: Option<i64>,
    scale: Option<i64>,
    nullable: bool,
    limits: DateLimits,
) -> RowColumn {
    let source = SourceColumn {
        name: "c".to_owned(),
        source_type: source_type("c", type_name, length, scale, vec![]).expect(type_name),
        nullable,
        exact: true,
        added: AddedValue::Implicit,
    };
    let options = MappingOptions { has_time64: true, ..MappingOptions::default() };
    let mapped = map_column(&source, ColumnRole::default(), &options).expect(type_name);
    let form = WireForm::of_type(&source.source_type, SourceHandling::default());
    RowColumn::new(&mapped, form, false, limits, b"").expect(type_name)
}

fn written(column: &RowColumn, json: &str, deletes: bool) -> Result<Vec<u8>, ValueError> {
    let value = Scanner::only_value(json.as_bytes()).expect("json");
    let mut out = Vec::new();
    column.write(value, deletes, &mut Scratch::default(), &mut out).map(|()| out)
}

/// R-5: values as the reference published them (the golden scenarios `types_*`), their bytes by hand from the table in
/// `row_binary`.
#[test]
fn r_5_values_of_records_become_bytes() {
    let seconds = |count: i64| count.to_le_bytes().to_vec();
    let geometry = r#"{"x":1.0,"wkb":"AQEAAAA=","srid":null}"#;
    for (type_name, length, scale, json, wanted) in [
        ("INT", None, None, "-2", Ok(vec![0xfe, 0xff, 0xff, 0xff])),
        ("TINYINT", Some(1), None, "true", Ok(vec![1])),
        ("TINYINT", Some(1), None, "-1", Ok(vec![0xff])),
        ("BIGINT UNSIGNED", None, None, "-1", Ok(vec![0xff; 8])),
        ("BIT", Some(1), None, "true", Ok(vec![1])),
        ("BIT", Some(16), None, "\"AQI=\"", Ok(vec![1, 2])),
        ("DECIMAL", Some(5), Some(2), "\"AJY=\"", Ok(vec![150, 0, 0, 0])),
        ("DECIMAL", Some(5), Some(2), "\"/w==\"", Ok(vec![0xff; 4])),
        ("DECIMAL", Some(5), Some(2), "\"x\"", Err(ValueError::Text)),
        ("VARCHAR", Some(9), None, "\"a\\u00fc\\n\"", Ok(b"\x04a\xc3\xbc\n".to_vec())),
        ("VARBINARY", Some(9), None, "\"YWIA\"", Ok(b"\x03ab\0".to_vec())),
        ("BINARY", Some(4), None, "\"YWI=\"", Ok(b"\x04ab\0\0".to_vec())),
        ("DATE", None, None, "19782", Ok(vec![0x46, 0x4d, 0, 0])),
        ("DATETIME", Some(3), None, "1704067200123", Ok(seconds(1_704_067_200_123))),
        ("DATETIME", None, None, "1704067200000", Ok(seconds(1_704_067_200))),
        ("DATETIME", Some(6), None, "1704067200123456", Ok(seconds(1_704_067_200_123_456))),
        ("TIMESTAMP", None, None, "\"1970-01-01T00:00:01Z\"", Ok(vec![1, 0, 0, 0])),
        ("TIMESTAMP", Some(3), None, "\"1970-01-01T00:00:01.5Z\"", Ok(seconds(1500))),
        ("TIME", Some(3), None, "-1500000", Ok(seconds(-1500))),
        ("YEAR", None, None, "2024", Ok(vec![0xe8, 7])),
        ("ENUM", None, None, "\"b\"", Ok(b"\x01b".to_vec())),
        ("SET", None, None, "\"a,b\"", Ok(b"\x03a,b".to_vec())),
        ("JSON", None, None, "\"{\\\"a\\\": 1}\"", Ok(b"\x08{\"a\": 1}".to_vec())),
        ("POINT", None, None, geometry, Ok(b"\x05\x01\x01\0\0\0".to_vec())),
        ("POINT", None, None, "{\"x\":1}", Err(ValueError::Kind { found: "an object without wkb" })),
        ("VECTOR", None, None, "[1.5,-2]", Ok(vec![2, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0])),
        ("VECTOR", None, None, "[]", Ok(vec![0])),
        ("VECTOR", None, None, "null", Ok(vec![0])),
        ("INT", None, None, "{}", Err(ValueError::Kind { found: "an object" })),
        ("INT", None, None, "[1]", Err(ValueError::Kind { found: "an array" })),
        ("INT", None, None, "null", Err(ValueError::Null)),
        ("DATE", None, None, "1.5", Err(ValueError::Range)),
    ] {
        let column = column(type_name, length, scale, false, DateLimits::default());
        assert_eq!(written(&column, json, false), wanted, "{type_name} {json}");
    }
    let nullable = column("INT", None, None, true, DateLimits::default());
    assert_eq!(written(&nullable, "null", false), Ok(vec![1]));
    assert_eq!(written(&nullable, "0", false), Ok(vec![0, 0, 0, 0, 0]));
}

/// R-5: a NULL is never a default, but in a deletion, whose other columns nobody reads.
#[test]
fn r_5_null_becomes_a_default_in_deletions_only() {
    for (type_name, length, wanted) in [
        ("INT", None, vec![0; 4]),
        ("DECIMAL", Some(5), vec![0; 4]),
        ("DOUBLE", None, vec![0; 8]),
        ("VARCHAR", Some(5), vec![0]),
        ("BINARY", Some(2), vec![2, 0, 0]),
        ("ENUM", None, vec![0]),
        ("DATE", None, vec![0; 4]),
        ("DATETIME", Some(6), vec![0; 8]),
        ("TIMESTAMP", None, vec![0; 4]),
        ("TIME", None, vec![0; 8]),
        ("UUID", None, vec![0; 16]),
        ("INET4", None, vec![0; 4]),
        ("INET6", None, vec![0; 16]),
        ("BIT", Some(1), vec![0]),
    ] {
        let column = column(type_name, length, None, false, DateLimits::default());
        assert_eq!(written(&column, "null", true), Ok(wanted.clone()), "{type_name}");
        let mut out = Vec::new();
        column.write_default(&mut out).expect(type_name);
        assert_eq!(out, wanted, "{type_name}");
        assert_eq!(written(&column, "null", false), Err(ValueError::Null), "{type_name}");
        let place = RowColumn { is_place: true, ..column };
        assert_eq!(written(&place, "null", true), Err(ValueError::Null), "{type_name}");
        assert_eq!(place.write_default(&mut Vec::new()), Err(ValueError::Null), "{type_name}");
    }
}

/// Section 3.2: -0 and 0 are one key.
#[test]
fn r_4_a_key_has_one_zero() {
    let plain = column("DOUBLE", None, None, false, DateLimits::default());
    let key = RowColumn { is_float_key: true, ..plain.clone() };
    for (json, wanted) in [("-0.0", 0.0), ("-0e5", 0.0), ("0", 0.0), ("-0.5", -0.5)] {
        assert_eq!(written(&key, json, false), Ok(f64::to_le_bytes(wanted).to_vec()), "{json}");
    }
    assert_eq!(written(&plain, "-0.0", false), Ok((-0.0f64).to_le_bytes().to_vec()));
}

#[test]
fn a_time_in_a_column_of_text_is_spelled_as_mysql_does() {
    for (micros, digits, wanted) in [
        (0, 0, "00:00:00"),
        (-1, 6, "-00:00:00.000001"),
        (3_020_399_000_000, 0, "838:59:59"),
        (-3_020_399_000_000, 3, "-838:59:59.000"),
        (45_296_120_000, 2, "12:34:56.12"),
    ] {
        let mut text = String::new();
        duration_text(micros, digits, &mut text);
        assert_eq!(text, wanted);
    }
    let options = MappingOptions { time: TimeHandlingMode::String, ..MappingOptions::default() };
    let source = SourceColumn {
        name: "c".to_owned(),
        source_type: SourceType::Time(0),
        nullable: true,
        exact: true,
        added: AddedValue::Implicit,
    };
    let mapped = map_column(&source, ColumnRole::default(), &options).unwrap();
    let column =
        RowColumn::new(&mapped, WireForm::Ticks { digits: 6 }, false, DateLimits::default(), b"").unwrap();
    assert_eq!(written(&column, "1000000", false), Ok(b"\0\x0800:00:01".to_vec()));
    assert_eq!(written(&column, "null", false), Ok(vec![1]));
}

/// Section 3.4 on a server that holds the years 1900 to 2299 only; 1899-12-31 is day -25568.
#[test]
fn r_5_dates_that_a_server_does_not_hold_are_counted_or_refused() {
    for (mode, wanted, clamped) in [
        (OutOfRangeMode::Exact, Err(ValueError::Range), 0),
        (OutOfRangeMode::Clamp, Ok([&[0], &(-25_567i32).to_le_bytes()[..]].concat()), 1),
        (OutOfRangeMode::Null, Ok(vec![1]), 1),
    ] {
        let limits = DateLimits { range: DateRange::From1900To2299, mode };
        let column = column("DATE", None, None, true, limits);
        let (mut scratch, mut out) = (Scratch::default(), Vec::new());
        let done = column.write(Json::Number("-25568"), false, &mut scratch, &mut out).map(|()| out);
        assert_eq!((done, scratch.clamped), (wanted, clamped), "{mode:?}");
        let mut out = Vec::new();
        column.write(Json::Number("0"), false, &mut scratch, &mut out).unwrap();
        assert_eq!((out, scratch.clamped), (vec![0; 5], clamped), "{mode:?}");
    }
    // 2300-01-01 23:59:59.999 keeps its time of day.
    let limits = DateLimits { range: DateRange::From1900To2299, mode: OutOfRangeMode::Clamp };
    let column = column("DATETIME", Some(3), None, false, limits);
    let wanted: i64 = 120_529 * 86_400_000 + 86_399_999;
    assert_eq!(written(&column, "10413878399999", false), Ok(wanted.to_le_bytes().to_vec()));
}

#[test]
fn bytes_are_read_in_the_spelling_of_the_source() {
    for (text, spelling, wanted) in [
        ("+/8=", BytesText::Base64, Ok(vec![0xfb, 0xff])),
        ("-_8=", BytesText::Base64UrlSafe, Ok(vec![0xfb, 0xff])),
        ("fbFF", BytesText::Hex, Ok(vec![0xfb, 0xff])),
        ("", BytesText::Hex, Ok(vec![])),
        ("fbf", BytesText::Hex, Err(ValueError::Text)),
        ("fg", BytesText::Hex, Err(ValueError::Text)),
        ("-_8=", BytesText::Base64, Err(ValueError::Text)),
    ] {
        let mut bytes = vec![9];
        assert_eq!(decoded(text, spelling, &mut bytes).map(|()| bytes), wanted, "{text}");
    }
}
