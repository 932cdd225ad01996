use super::*;

/// The texts that `system.columns.type` of a server 26.7 showed for a table with these types.
const SERVER_TEXTS: &[&str] = &[
    "Bool",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float32",
    "Float64",
    "Decimal(10, 2)",
    "String",
    "FixedString(3)",
    "Date",
    "Date32",
    "DateTime",
    "DateTime('UTC')",
    "DateTime64(3)",
    "DateTime64(3, 'UTC')",
    "Time64(6)",
    "UUID",
    "IPv4",
    "IPv6",
    "JSON",
    "Array(LowCardinality(String))",
    "Nullable(Time64(6))",
    "LowCardinality(Nullable(String))",
];

#[test]
fn what_the_server_prints_is_read_and_printed_again() {
    for text in SERVER_TEXTS {
        let parsed = ColumnType::parse(text);
        assert!(!matches!(parsed, ColumnType::Other(_)), "{text}");
        assert_eq!(parsed.to_string(), *text);
    }
}

#[test]
fn other_types_keep_their_text() {
    for text in [
        "Enum8('a' = 1, 'b,c(' = 2)",
        "Tuple(a Int32, b String)",
        "Map(String, Int32)",
        "DateTime64(3, 'UTC'",
        "Decimal(10)",
        "Nullable()",
        "",
        "(",
        "Int128",
    ] {
        assert_eq!(ColumnType::parse(text).to_string(), text, "{text}");
    }
    assert_eq!(
        ColumnType::parse("Nullable(Enum8('a)' = 1))"),
        ColumnType::Nullable(Box::new(ColumnType::Other("Enum8('a)' = 1)".to_owned())))
    );
}

#[test]
fn null_goes_inside_a_dictionary_and_not_around_an_array() {
    assert_eq!(
        ColumnType::low_cardinality_string().nullable().to_string(),
        "LowCardinality(Nullable(String))"
    );
    assert_eq!(ColumnType::Date32.nullable().nullable().to_string(), "Nullable(Date32)");
    let array = ColumnType::Array(Box::new(ColumnType::Float32));
    assert_eq!(array.clone().nullable(), array);
    assert!(ColumnType::low_cardinality_string().nullable().is_nullable());
}

/// Section 4.3, row "lossless widening", and 3.1: types only ever widen.
#[test]
fn a_type_holds_what_loses_nothing_in_it() {
    for (wide, narrow, holds) in [
        ("Int64", "Int32", true),
        ("Int32", "Int64", false),
        ("Int64", "UInt32", true),
        ("Int32", "UInt32", false),
        ("UInt64", "Int8", false),
        ("Int16", "Bool", true),
        ("Bool", "Int8", false),
        ("Float64", "Float32", true),
        ("Float32", "Float64", false),
        ("Float64", "Int32", true),
        ("Float64", "Int64", false),
        ("Decimal(20, 4)", "Decimal(10, 2)", true),
        ("Decimal(5, 2)", "Decimal(20, 4)", false),
        ("Decimal(10, 4)", "Decimal(10, 2)", false),
        ("Decimal(20, 0)", "UInt64", true),
        ("Decimal(19, 0)", "UInt64", false),
        ("Date32", "Date", true),
        ("Date", "Date32", false),
        ("DateTime64(3, 'UTC')", "DateTime('UTC')", true),
        ("DateTime64(6, 'UTC')", "DateTime64(3, 'UTC')", true),
        ("DateTime64(9, 'UTC')", "DateTime64(3, 'UTC')", false),
        ("DateTime64(6, 'UTC')", "DateTime64(6)", false),
        ("DateTime64(6, 'Europe/Berlin')", "DateTime64(6, 'UTC')", false),
        ("DateTime('UTC')", "DateTime64(0, 'UTC')", false),
        ("Time64(6)", "Time64(0)", true),
        ("Nullable(Int32)", "Int32", true),
        ("Int32", "Nullable(Int32)", false),
        ("Nullable(Int64)", "Nullable(Int32)", true),
        ("LowCardinality(String)", "String", true),
        ("String", "LowCardinality(Nullable(String))", false),
        ("Nullable(String)", "LowCardinality(Nullable(String))", true),
        ("String", "Int32", false),
        ("Int32", "String", false),
        ("Enum8('a' = 1)", "Enum8('a' = 1)", true),
        ("Enum8('a' = 1)", "String", false),
        ("Array(Float64)", "Array(Float32)", true),
    ] {
        assert_eq!(ColumnType::parse(wide).holds(&ColumnType::parse(narrow)), holds, "{wide} holds {narrow}");
    }
}
