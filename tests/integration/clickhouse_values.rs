//! Values at the bounds of every type, written by `sink::row_binary` and selected back from a real server.
//!
//! What is expected is the value in ClickHouse's own spelling, by hand; integers, dates and times are MySQL's bounds.

use tidewire::sink::clickhouse::compression::Compression;
use tidewire::sink::clickhouse::insert::{InsertStatement, Rows};
use tidewire::sink::row_binary::cell::Cell;
use tidewire::sink::row_binary::row_layout::RowLayout;
use tidewire::sink::table::column_type::ColumnType;

use crate::support::clickhouse::{client, new_database, run, values};

const fn ticks(count: i64, digits: u8) -> Cell<'static> {
    Cell::Ticks { count, digits }
}

/// The 65 nines that MySQL's widest DECIMAL holds, 30 of them after the point, as Connect's bytes: by
/// `python3 -c "print((10**65-1).to_bytes(28,'big').hex())"`.
const NINES: &[u8] = &[
    0x00, 0xf3, 0x16, 0x27, 0x1c, 0x7f, 0xc3, 0x90, 0x8a, 0x8b, 0xef, 0x46, 0x4e, 0x39, 0x45, 0xef, 0x7a,
    0x25, 0x36, 0x09, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
];

/// Column type, what the server prints of the column `v` (SQL), and cells with what it prints.
type Case = (&'static str, &'static str, &'static [(Cell<'static>, Option<&'static str>)]);

const CASES: &[Case] = &[
    ("Int8", "v", &[(Cell::Int(-128), Some("-128")), (Cell::Number("127"), Some("127"))]),
    ("UInt8", "v", &[(Cell::Int(0), Some("0")), (Cell::Int(255), Some("255"))]),
    ("Int16", "v", &[(Cell::Int(-32_768), Some("-32768")), (Cell::Int(32_767), Some("32767"))]),
    ("UInt16", "v", &[(Cell::Int(65_535), Some("65535")), (Cell::Int(2155), Some("2155"))]),
    (
        "Int32",
        "v",
        &[(Cell::Int(-2_147_483_648), Some("-2147483648")), (Cell::Int(-8_388_608), Some("-8388608"))],
    ),
    ("UInt32", "v", &[(Cell::Int(4_294_967_295), Some("4294967295"))]),
    (
        "Int64",
        "v",
        &[
            (Cell::Int(i64::MIN), Some("-9223372036854775808")),
            (Cell::Int(i64::MAX), Some("9223372036854775807")),
        ],
    ),
    (
        "UInt64",
        "v",
        &[
            (Cell::Int(-1), Some("18446744073709551615")),
            (Cell::Number("9223372036854775808"), Some("9223372036854775808")),
            (Cell::Bytes(&[0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01]), Some("81985529216486895")),
        ],
    ),
    ("Bool", "v", &[(Cell::Bool(true), Some("true")), (Cell::Int(0), Some("false"))]),
    (
        "Float32",
        "v",
        &[
            (Cell::Number("-3.4028235e38"), Some("-3.4028235e38")),
            (Cell::Number("0.1"), Some("0.1")),
            (Cell::Float32(0.0), Some("0")),
        ],
    ),
    (
        "Float64",
        "v",
        &[
            (Cell::Number("1.7976931348623157e308"), Some("1.7976931348623157e308")),
            (Cell::Float64(-0.1), Some("-0.1")),
        ],
    ),
    ("Decimal(9, 2)", "v", &[(Cell::Number("-9999999.99"), Some("-9999999.99")), (Cell::Int(7), Some("7"))]),
    ("Decimal(18, 0)", "v", &[(Cell::Number("999999999999999999"), Some("999999999999999999"))]),
    (
        "Decimal(38, 38)",
        "v",
        &[(
            Cell::Number("-0.99999999999999999999999999999999999999"),
            Some("-0.99999999999999999999999999999999999999"),
        )],
    ),
    (
        "Decimal(65, 30)",
        "v",
        &[
            (
                Cell::Decimal { unscaled: NINES, scale: 30 },
                Some("99999999999999999999999999999999999.999999999999999999999999999999"),
            ),
            (Cell::Decimal { unscaled: &[0xff], scale: 30 }, Some("-0.000000000000000000000000000001")),
            (
                Cell::Number("-99999999999999999999999999999999999.999999999999999999999999999999"),
                Some("-99999999999999999999999999999999999.999999999999999999999999999999"),
            ),
        ],
    ),
    (
        "Decimal(76, 0)",
        "v",
        &[(
            Cell::Number("9999999999999999999999999999999999999999999999999999999999999999999999999999"),
            Some("9999999999999999999999999999999999999999999999999999999999999999999999999999"),
        )],
    ),
    (
        "String",
        "hex(v)",
        &[
            (Cell::Text(""), Some("")),
            (Cell::Text("😀"), Some("F09F9880")),
            (Cell::Bytes(&[0xff, 0x00, 0x0a]), Some("FF000A")),
        ],
    ),
    ("FixedString(4)", "hex(v)", &[(Cell::Bytes(&[1, 2]), Some("01020000"))]),
    ("Date", "v", &[(Cell::Days(0), Some("1970-01-01")), (Cell::Days(65_535), Some("2149-06-06"))]),
    // Years outside 1900 to 2299 are stored as they are, whatever a server prints of them.
    (
        "Date32",
        "v",
        &[(Cell::Days(-25_567), Some("1900-01-01")), (Cell::Text("2299-12-31"), Some("2299-12-31"))],
    ),
    (
        "Date32",
        "toInt32(v)",
        &[(Cell::Text("1000-01-01"), Some("-354285")), (Cell::Days(2_932_896), Some("2932896"))],
    ),
    (
        "DateTime('UTC')",
        "v",
        &[
            (Cell::Text("1970-01-01T00:00:01Z"), Some("1970-01-01 00:00:01")),
            (Cell::Text("2038-01-19T03:14:07Z"), Some("2038-01-19 03:14:07")),
        ],
    ),
    ("DateTime64(0, 'UTC')", "v", &[(ticks(253_402_300_799_000, 3), Some("9999-12-31 23:59:59"))]),
    ("DateTime64(3, 'UTC')", "v", &[(ticks(-2_208_988_800_000, 3), Some("1900-01-01 00:00:00.000"))]),
    (
        "DateTime64(6, 'UTC')",
        "v",
        &[
            (ticks(253_402_300_799_999_999, 6), Some("9999-12-31 23:59:59.999999")),
            (ticks(-30_610_224_000_000_000, 6), Some("1000-01-01 00:00:00.000000")),
            (ticks(-62_167_219_200_000_000, 6), Some("0000-01-01 00:00:00.000000")),
            (ticks(-1, 6), Some("1969-12-31 23:59:59.999999")),
            (Cell::Text("2024-02-29T12:34:56.000007Z"), Some("2024-02-29 12:34:56.000007")),
        ],
    ),
    (
        "DateTime64(6, 'Europe/Berlin')",
        "v",
        &[(Cell::Text("2024-07-01T12:00:00Z"), Some("2024-07-01 14:00:00.000000"))],
    ),
    (
        "Time64(6)",
        "v",
        &[
            (ticks(3_020_399_000_000, 6), Some("838:59:59.000000")),
            (ticks(-3_020_399_000_000, 6), Some("-838:59:59.000000")),
            (ticks(1, 6), Some("00:00:00.000001")),
        ],
    ),
    (
        "UUID",
        "v",
        &[(Cell::Text("00112233-4455-6677-8899-aabbccddeeff"), Some("00112233-4455-6677-8899-aabbccddeeff"))],
    ),
    ("IPv4", "v", &[(Cell::Text("1.2.3.4"), Some("1.2.3.4"))]),
    ("IPv6", "v", &[(Cell::Text("2001:db8::1"), Some("2001:db8::1"))]),
    ("JSON", "v", &[(Cell::Text("{\"a\":{\"b\":1}}"), Some("{\"a\":{\"b\":1}}"))]),
    ("Array(String)", "v", &[(Cell::Text("a,b'"), Some("['a','b\\'']")), (Cell::Text(""), Some("[]"))]),
    ("Array(LowCardinality(String))", "v", &[(Cell::Text("x,y,x"), Some("['x','y','x']"))]),
    ("Array(Float32)", "v", &[(Cell::List(&[Cell::Float32(1.5), Cell::Number("-2")]), Some("[1.5,-2]"))]),
    ("LowCardinality(String)", "v", &[(Cell::Text("red"), Some("red")), (Cell::Text(""), Some(""))]),
    (
        "LowCardinality(Nullable(String))",
        "v",
        &[(Cell::Null, None), (Cell::Text(""), Some("")), (Cell::Text("red"), Some("red"))],
    ),
    ("Nullable(Int32)", "v", &[(Cell::Null, None), (Cell::Int(0), Some("0")), (Cell::Int(-1), Some("-1"))]),
    ("Nullable(Decimal(40, 2))", "v", &[(Cell::Null, None), (Cell::Number("-1.20"), Some("-1.2"))]),
    (
        "Nullable(DateTime64(6, 'UTC'))",
        "v",
        &[(Cell::Null, None), (ticks(0, 6), Some("1970-01-01 00:00:00.000000"))],
    ),
    ("Nullable(FixedString(2))", "hex(v)", &[(Cell::Null, None), (Cell::Bytes(&[0xff]), Some("FF00"))]),
];

#[test]
fn values_at_the_bounds_of_every_type() {
    let client = client();
    new_database(&client, "value_bounds");
    let mut wrong = Vec::new();
    let compressions = [Compression::None, Compression::Lz4, Compression::Zstd];
    for (number, (column_type, printed, cells)) in CASES.iter().enumerate() {
        let table = format!("t{number}");
        run(
            &client,
            &format!(
                "CREATE TABLE value_bounds.{table} (n UInt32, v {column_type}) ENGINE = MergeTree ORDER BY n"
            ),
        );
        let mut layout = RowLayout::default();
        layout.push("n", ColumnType::parse("UInt32"), 0).expect("a writer");
        layout.push("v", ColumnType::parse(column_type), 0).expect("a writer");
        let columns: Vec<_> = layout.columns().collect();
        let insert = InsertStatement::new("value_bounds", &table, &columns);
        let mut bytes = Vec::new();
        for (row, (cell, _)) in (0..).zip(*cells) {
            layout.write_row([Cell::Int(row), *cell].into_iter(), &mut bytes).expect("a row");
        }
        let compression = compressions[number % compressions.len()];
        let rows =
            Rows { bytes: &bytes, token: None, guard: None, compression, settings: &[], id_prefix: "values" };
        if let Err(error) = insert.send(&client, rows, &mut Vec::new()) {
            wrong.push(format!("{column_type}: {}", tidewire::error::chain(&error)));
            continue;
        }
        let found =
            values(&client, &format!("SELECT toString({printed}) FROM value_bounds.{table} ORDER BY n"));
        let wanted: Vec<_> = cells.iter().map(|(_, text)| text.map(str::to_owned)).collect();
        if found != wanted {
            wrong.push(format!("{column_type}: wanted {wanted:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
