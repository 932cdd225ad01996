use super::*;

fn write(column_type: &str, cell: Cell<'_>) -> Result<Vec<u8>, ValueError> {
    let writer = ColumnWriter::new(&ColumnType::parse(column_type)).expect("a type with a writer");
    let mut out = b"x".to_vec();
    let written = writer.write(&cell, &mut out);
    assert!(written.is_ok() || out == b"x", "{column_type}: a value that fails left something");
    written.map(|()| out.split_off(1))
}

/// By hand from the manual's page of RowBinary.
#[test]
fn bytes_of_every_type() {
    let ticks = |count, digits| Cell::Ticks { count, digits };
    let text = "2024-02-29T12:34:56.5Z";
    let cases: &[(&str, Cell<'_>, &[u8])] = &[
        ("Int8", Cell::Int(-128), &[0x80]),
        ("Int16", Cell::Number("-2"), &[0xfe, 0xff]),
        ("Int32", Cell::Int(1), &[1, 0, 0, 0]),
        ("Int64", Cell::Number("-9223372036854775808"), &[0, 0, 0, 0, 0, 0, 0, 0x80]),
        ("Int8", Cell::Bool(true), &[1]),
        ("UInt8", Cell::Int(255), &[0xff]),
        ("UInt16", Cell::Number("65535"), &[0xff, 0xff]),
        ("UInt32", Cell::UInt(4_294_967_295), &[0xff; 4]),
        ("UInt64", Cell::Int(-1), &[0xff; 8]),
        ("UInt64", Cell::Number("-1"), &[0xff; 8]),
        ("UInt64", Cell::Number("18446744073709551615"), &[0xff; 8]),
        (
            "UInt64",
            Cell::Decimal { unscaled: &[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], scale: 0 },
            &[0xff; 8],
        ),
        ("UInt16", Cell::Bytes(&[0x01, 0x80]), &[0x01, 0x80]),
        ("UInt64", Cell::Bytes(&[0x01, 0x80, 0x03]), &[0x01, 0x80, 0x03, 0, 0, 0, 0, 0]),
        ("Bool", Cell::Bool(false), &[0]),
        ("Bool", Cell::Int(1), &[1]),
        ("Float32", Cell::Number("-1.5"), &[0, 0, 0xc0, 0xbf]),
        ("Float64", Cell::Float64(1.0), &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
        ("Float64", Cell::Number("1e3"), &[0, 0, 0, 0, 0, 0x40, 0x8f, 0x40]),
        ("Decimal(9, 2)", Cell::Number("1.23"), &[123, 0, 0, 0]),
        ("Decimal(18, 2)", Cell::Int(-1), &[0x9c, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ("String", Cell::Text("ä"), &[2, 0xc3, 0xa4]),
        ("String", Cell::Bytes(&[0xff, 0]), &[2, 0xff, 0]),
        ("String", Cell::Number("1.10"), b"\x041.10"),
        ("JSON", Cell::Text("{}"), b"\x02{}"),
        ("FixedString(3)", Cell::Bytes(&[1, 2]), &[1, 2, 0]),
        ("Date", Cell::Days(1), &[1, 0]),
        ("Date32", Cell::Days(-1), &[0xff; 4]),
        ("Date32", Cell::Text("1970-01-02"), &[1, 0, 0, 0]),
        ("DateTime('UTC')", Cell::Text("1970-01-01T01:00:01+01:00"), &[1, 0, 0, 0]),
        ("DateTime('UTC')", ticks(4_294_967_295_000, 3), &[0xff; 4]),
        ("DateTime64(3, 'UTC')", ticks(-1_000, 6), &[0xff; 8]),
        ("DateTime64(1, 'UTC')", Cell::Text(text), &17_092_100_965_i64.to_le_bytes()),
        ("DateTime64(6, 'UTC')", ticks(1, 3), &1_000_i64.to_le_bytes()),
        ("Time64(6)", ticks(-3_020_399_000_001, 6), &(-3_020_399_000_001_i64).to_le_bytes()),
        ("Int64", ticks(-3_020_399_000_001, 6), &(-3_020_399_000_001_i64).to_le_bytes()),
        (
            "UUID",
            Cell::Text("00112233-4455-6677-8899-aabbccddeeff"),
            &[0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0, 0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99, 0x88],
        ),
        ("IPv4", Cell::Text("1.2.3.4"), &[4, 3, 2, 1]),
        ("IPv6", Cell::Text("::1"), &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ("Array(String)", Cell::Text("a,bc"), b"\x02\x01a\x02bc"),
        ("Array(LowCardinality(String))", Cell::Text(""), &[0]),
        (
            "Array(Float32)",
            Cell::List(&[Cell::Float32(1.0), Cell::Number("0")]),
            &[2, 0, 0, 0x80, 0x3f, 0, 0, 0, 0],
        ),
        ("Nullable(Int8)", Cell::Null, &[1]),
        ("Nullable(Int8)", Cell::Int(5), &[0, 5]),
        ("LowCardinality(String)", Cell::Text("a"), b"\x01a"),
        ("LowCardinality(Nullable(String))", Cell::Null, &[1]),
        ("LowCardinality(Nullable(String))", Cell::Text(""), &[0, 0]),
    ];
    for (column_type, cell, wanted) in cases {
        assert_eq!(write(column_type, *cell).as_deref(), Ok(*wanted), "{column_type} {cell:?}");
    }
}

#[test]
fn what_a_type_cannot_hold_is_an_error() {
    use ValueError::{Kind, Length, Null, Precision, Range, Text};
    let ticks = |count, digits| Cell::Ticks { count, digits };
    for (column_type, cell, wanted) in [
        ("Int8", Cell::Null, Null),
        ("String", Cell::Null, Null),
        ("Array(String)", Cell::Null, Null),
        ("Array(String)", Cell::List(&[Cell::Text("a"), Cell::Null]), Null),
        ("Int8", Cell::Int(128), Range),
        ("Int64", Cell::UInt(1 << 63), Range),
        ("Int64", Cell::Number("9223372036854775808"), Range),
        ("Int64", Cell::Number("1.0"), Text),
        ("Int64", Cell::Text("1"), Kind { found: "a string" }),
        ("UInt8", Cell::Int(-1), Range),
        ("UInt32", Cell::Number("-1"), Range),
        ("UInt8", Cell::Bytes(&[0, 1]), Range),
        ("UInt64", Cell::Bytes(&[0, 0, 0, 0, 0, 0, 0, 0, 1]), Range),
        ("UInt64", Cell::Decimal { unscaled: &[0xff], scale: 0 }, Range),
        ("UInt64", Cell::Decimal { unscaled: &[], scale: 0 }, Text),
        ("UInt64", Cell::Decimal { unscaled: &[1], scale: 1 }, Kind { found: "a decimal" }),
        ("Bool", Cell::Int(2), Range),
        ("Bool", Cell::Int(-1), Range),
        ("Float32", Cell::Number("1e39"), Range),
        ("Float32", Cell::Float64(0.1), Precision),
        ("Float64", Cell::Number("x"), Text),
        ("Decimal(4, 2)", Cell::Number("100"), Range),
        ("Decimal(4, 2)", Cell::Bool(true), Kind { found: "a boolean" }),
        ("FixedString(1)", Cell::Bytes(&[1, 2]), Length { length: 2, wanted: 1 }),
        ("Date", Cell::Days(-1), Range),
        ("Date32", Cell::Days(LAST_DAY + 1), Range),
        ("Date32", Cell::Days(i64::MIN), Range),
        ("DateTime('UTC')", ticks(-1, 0), Range),
        ("DateTime('UTC')", ticks(1, 3), Precision),
        ("DateTime64(6, 'UTC')", ticks(i64::MAX, 3), Range),
        ("DateTime64(0, 'UTC')", ticks(253_402_300_800, 0), Range),
        ("Time64(0)", ticks(3_600_000, 0), Range),
        ("Time64(0)", Cell::Text("01:00:00"), Kind { found: "a string" }),
        ("UUID", Cell::Bytes(&[1]), Length { length: 1, wanted: 16 }),
        ("IPv4", Cell::Text("1.2.3"), Text),
        ("Array(Int8)", Cell::Text("1"), Kind { found: "a string" }),
        ("String", Cell::Int(1), Kind { found: "an integer" }),
    ] {
        assert_eq!(write(column_type, cell), Err(wanted), "{column_type} {cell:?}");
    }
}

/// a BINARY(N) key that ends with zeros is the same key from the binlog and from a SELECT.
#[test]
fn r4_binary_is_filled_with_zeros() {
    let writer = ColumnWriter::new(&ColumnType::String).expect("a writer").padded_to(4);
    for bytes in [&[7, 1][..], &[7, 1, 0], &[7, 1, 0, 0]] {
        let mut out = Vec::new();
        writer.write(&Cell::Bytes(bytes), &mut out).expect("bytes");
        assert_eq!(out, [4, 7, 1, 0, 0]);
    }
}

/// a NULL is never a default.
#[test]
fn r5_null_is_no_default() {
    for column_type in ["Int64", "String", "Float64", "Date32", "LowCardinality(String)", "Decimal(10, 2)"] {
        assert_eq!(write(column_type, Cell::Null), Err(ValueError::Null), "{column_type}");
    }
}

#[test]
fn types_without_a_writer() {
    for column_type in
        ["Point", "Map(String, String)", "Decimal(77, 0)", "Array(Point)", "DateTime64(10, 'UTC')"]
    {
        assert_eq!(ColumnWriter::new(&ColumnType::parse(column_type)), None, "{column_type}");
    }
}
