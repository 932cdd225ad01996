//! Rows of files that real servers recorded (`tests/binlogs/*.sql` has the statements).

use super::*;
use crate::connect::cell::{Date, DateTime, Time};
use crate::wire::binlog_file::BinlogFile;
use crate::wire::decimal::packed_to_text;
use crate::wire::event::{Event, EventParser, TableMapEvent};

const TYPES_97: &[u8] = include_bytes!("../../../tests/binlogs/types-97.binlog");
const TYPES_57: &[u8] = include_bytes!("../../../tests/binlogs/types-57.binlog");
const OLD_TEMPORAL_57: &[u8] = include_bytes!("../../../tests/binlogs/old-temporal-57.binlog");

/// Calls for each rows event of a table with the table's decoders; `unsigned` names its unsigned columns.
fn each_rows(
    file: &[u8],
    table: &str,
    unsigned: &[usize],
    mut check: impl FnMut(RowsEvent<'_>, &[CellDecoder]),
) {
    let mut file = BinlogFile::new(file).unwrap();
    let mut parser = EventParser::new();
    let mut map: Option<(u64, Vec<CellDecoder>)> = None;
    while let Some(frame) = file.next_frame().unwrap() {
        match parser.parse(frame.bytes).unwrap().1 {
            Event::TableMap(event) if event.table == table.as_bytes() => {
                let decoders =
                    TableMapEvent::cell_decoders(&event, |column| unsigned.contains(&column)).unwrap();
                map = Some((event.table_id, decoders));
            }
            Event::Rows(rows) => {
                if let Some((table_id, decoders)) = &map
                    && *table_id == rows.table_id
                {
                    check(rows, decoders);
                }
            }
            _ => {}
        }
    }
}

/// The values of the first row of a table, each shown as text.
fn first_row(file: &[u8], table: &str, unsigned: &[usize]) -> Vec<String> {
    let mut row = Vec::new();
    each_rows(file, table, unsigned, |rows, decoders| {
        if row.is_empty() {
            rows.cursor(decoders).unwrap().after(|_, value| show(value).map(|text| row.push(text))).unwrap();
        }
    });
    row
}

fn show(value: ColumnValue<'_>) -> Result<String, WireError> {
    Ok(match value {
        ColumnValue::Int(number) => number.to_string(),
        ColumnValue::UInt(number) => number.to_string(),
        ColumnValue::PackedDecimal { packed, precision, scale } => {
            let mut out = Vec::new();
            packed_to_text(packed, precision, scale, &mut out)?;
            String::from_utf8_lossy(&out).into_owned()
        }
        ColumnValue::Time(Time { negative, hours, minutes, seconds, micros }) => {
            format!("{}{hours:02}:{minutes:02}:{seconds:02}.{micros:06}", if negative { "-" } else { "" })
        }
        ColumnValue::Date(Date { year, month, day }) => format!("{year:04}-{month:02}-{day:02}"),
        ColumnValue::DateTime(DateTime { date: Date { year, month, day }, hour, minute, second, micros }) => {
            format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}")
        }
        ColumnValue::Timestamp { seconds, micros } => format!("{seconds}.{micros:06}"),
        other => format!("{other:?}"),
    })
}

#[test]
fn numbers() {
    for file in [TYPES_57, TYPES_97] {
        assert_eq!(
            first_row(file, "n", &[2, 4, 6, 8, 10]),
            [
                "1",
                "-128",
                "255",
                "-32768",
                "65535",
                "-8388608",
                "16777215",
                "-2147483648",
                "4294967295",
                "-9223372036854775808",
                "18446744073709551615",
                "Float(-1.5)",
                "Double(1.5e300)",
                "Year(0)",
                "Bit([8, 1])",
                "Bit([0, 0, 0, 0, 0, 0, 0, 1])",
                "Enum(2)",
                "Set(5)",
                "-99999999999999999999999999999999999.999999999999999999999999999999",
                "-12.50",
                "-999999999999999999",
            ]
        );
    }
}

#[test]
fn times() {
    for file in [TYPES_57, TYPES_97] {
        assert_eq!(
            first_row(file, "tt", &[]),
            [
                "1",
                "-838:59:59.000000",
                "-00:00:01.500000",
                "-10:00:00.990000",
                "-00:00:00.001000",
                "-00:00:01.000100",
                "-23:59:59.999990",
                "-00:00:00.000001",
                "2024-02-29",
                "9999-12-31 23:59:59.000000",
                "1000-01-01 00:00:00.900000",
                "2024-02-29 12:13:14.123000",
                "2024-02-29 12:13:14.123450",
                "2024-02-29 12:13:14.123456",
                "1.000000",
                "2147483647.990000",
                "1709208794.123456",
            ]
        );
    }
}

/// TIMESTAMP, DATETIME and TIME before MySQL 5.6.4, as MySQL 5.7 writes them still; seconds since 1970 by `date -u`.
#[test]
fn times_of_the_old_formats() {
    let mut rows_seen = Vec::new();
    each_rows(OLD_TEMPORAL_57, "s", &[], |rows, decoders| {
        let mut cursor = rows.cursor(decoders).unwrap();
        while cursor.has_next() {
            if rows.kind == RowsKind::Update {
                cursor.skip_before().unwrap();
            }
            let mut row = Vec::new();
            cursor.after(|_, value| show(value).map(|text| row.push(text))).unwrap();
            rows_seen.push(row.join(", "));
        }
    });
    assert_eq!(
        rows_seen,
        [
            "31, 1709210096.000000, 2024-02-29 12:34:56.000000, 12:34:56.000000, 2024-02-29",
            "32, Null, Null, Null, Null",
            "33, 1.000000, 1000-01-01 00:00:00.000000, -00:00:01.000000, 1000-01-01",
            "34, 2147483647.000000, 9999-12-31 23:59:59.000000, -838:59:59.000000, 9999-12-31",
            "35, 0.000000, 0000-00-00 00:00:00.000000, 838:59:59.000000, 0000-00-00",
            "36, Null, 2024-00-10 00:00:00.000000, 00:00:00.000000, 2024-10-00",
            "31, 981173106.000000, 2001-02-03 04:05:06.000000, -12:34:56.000000, 2024-02-29",
        ]
    );
}

#[test]
fn strings() {
    let row = first_row(TYPES_97, "s", &[]);
    assert_eq!(row[1], "Bytes([97, 98])");
    assert_eq!(row[2], format!("{:?}", ColumnValue::Bytes("é".repeat(255).as_bytes())));
    assert_eq!(row[4], format!("{:?}", ColumnValue::Bytes("x".repeat(300).as_bytes())));
    // BINARY(4) x'0100' without its trailing zero bytes.
    assert_eq!((row[5].as_str(), row[6].as_str()), ("Bytes([1])", "Bytes([255, 0])"));
}

/// Kinds and images of table n: three inserts, an update, then a minimal update and a minimal delete.
#[test]
fn images_full_and_minimal() {
    let mut seen = Vec::new();
    each_rows(TYPES_97, "n", &[], |rows, decoders| {
        let mut cursor = rows.cursor(decoders).unwrap();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let note =
            |to: &mut Vec<String>, column, value| show(value).map(|text| to.push(format!("{column}={text}")));
        if rows.kind != RowsKind::Write {
            cursor.before(|column, value| note(&mut before, column, value)).unwrap();
        }
        if rows.kind != RowsKind::Delete {
            cursor.after(|column, value| note(&mut after, column, value)).unwrap();
        }
        assert!(!cursor.has_next() && rows.ends_statement());
        let mut skipped = rows.cursor(decoders).unwrap();
        skipped.skip_row().unwrap();
        assert!(!skipped.has_next());
        seen.push((rows.kind, rows.is_full(), before.len(), after));
    });
    let shapes: Vec<_> =
        seen.iter().map(|(kind, full, before, after)| (*kind, *full, *before, after.len())).collect();
    assert_eq!(
        shapes,
        [
            (RowsKind::Write, true, 0, 21),
            (RowsKind::Write, true, 0, 21),
            (RowsKind::Write, true, 0, 21),
            (RowsKind::Update, true, 21, 21),
            (RowsKind::Update, false, 1, 1),
            (RowsKind::Delete, false, 1, 0),
        ]
    );
    assert_eq!(seen[2].3[1], "1=Null");
    assert_eq!(seen[4].3, ["19=2.25"]);
}

/// `INSERT INTO mm VALUES ()` with minimal images: the event has no column, so its rows cannot be counted.
#[test]
fn images_without_columns_and_other_tables_are_errors() {
    let mut errors = Vec::new();
    each_rows(TYPES_97, "mm", &[], |rows, decoders| {
        errors.extend(rows.cursor(decoders).err().map(|error| error.to_string()));
        let error = rows.cursor(&[CellDecoder::Tiny]).unwrap_err().to_string();
        assert!(error.ends_with("has 2 columns, its table map has 1"), "{error}");
    });
    assert_eq!(errors, ["invalid rows event: row images without any column"]);
}
