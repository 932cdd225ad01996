//! Whether the rows of a chunk come in strictly increasing order of their key: a server that walks another index than the
//! one it was told to, or that compares differently from how it stores, must not go unnoticed.
//!
//! The key of each row is written so that its bytes compare as the values do, and compared with the one before. Text is
//! compared by collations that only the server knows: there, and behind it, nothing is claimed, and the number of rows of
//! the chunk has to do.

use std::cmp::Ordering;

use crate::connect::cell::{ColumnValue, Date};
use crate::plan::image::{Decoder, RowCells};
use crate::wire::error::WireError;

/// Looks at the key of one row after the other.
#[derive(Debug)]
pub struct KeyOrder {
    columns: usize,
    /// The key's place among the cells, for each of its columns.
    places: Vec<usize>,
    /// Those of all cells up to the last one of the key.
    decoders: Vec<Decoder>,
    /// The spans of the key's columns in `current`.
    spans: Vec<(usize, usize)>,
    cells: Vec<u8>,
    before: Vec<u8>,
    current: Vec<u8>,
    has_before: bool,
}

impl KeyOrder {
    /// For a result of `columns` columns with the key at `places`; `decoders` are those of its cells.
    pub fn new(columns: usize, places: Vec<usize>, decoders: impl Iterator<Item = Decoder>) -> Self {
        let needed = places.iter().max().map_or(0, |last| last + 1);
        KeyOrder {
            columns,
            spans: vec![(0, 0); places.len()],
            places,
            decoders: decoders.take(needed).collect(),
            cells: Vec::new(),
            before: Vec::new(),
            current: Vec::new(),
            has_before: false,
        }
    }

    /// Whether this row's key follows the one before.
    ///
    /// # Errors
    /// A row that cannot be read.
    pub fn follows(&mut self, packet: &[u8]) -> Result<bool, WireError> {
        let mut cells = RowCells::of_result_set(packet, self.columns)?;
        self.cells.clear();
        self.spans.fill((0, 0));
        for (number, decoder) in self.decoders.iter().enumerate() {
            let value = cells.read(number, decoder)?;
            let Some(slot) = self.places.iter().position(|place| *place == number) else { continue };
            let start = self.cells.len();
            if !write(value, &mut self.cells) {
                self.cells.truncate(start);
            }
            if let Some(span) = self.spans.get_mut(slot) {
                *span = (start, self.cells.len());
            }
        }
        self.current.clear();
        let mut is_whole = true;
        for (start, end) in &self.spans {
            let bytes = self.cells.get(*start..*end).unwrap_or_default();
            if bytes.is_empty() {
                is_whole = false;
                break;
            }
            self.current.extend_from_slice(bytes);
        }
        let follows = match self.before.as_slice().cmp(&self.current) {
            _ if !self.has_before => true,
            Ordering::Less => true,
            Ordering::Equal => !is_whole,
            Ordering::Greater => false,
        };
        std::mem::swap(&mut self.before, &mut self.current);
        self.has_before = true;
        Ok(follows)
    }
}

/// Writes bytes that compare as the value does; false where only the server can compare.
fn write(value: ColumnValue<'_>, out: &mut Vec<u8>) -> bool {
    match value {
        ColumnValue::Int(value) => out.extend_from_slice(&(value ^ i64::MIN).to_be_bytes()),
        ColumnValue::UInt(value) => out.extend_from_slice(&value.to_be_bytes()),
        ColumnValue::Year(value) => out.extend_from_slice(&value.to_be_bytes()),
        ColumnValue::Date(value) => date(value, out),
        ColumnValue::DateTime(value) => {
            date(value.date, out);
            out.extend_from_slice(&[value.hour, value.minute, value.second]);
            out.extend_from_slice(&value.micros.to_be_bytes());
        }
        ColumnValue::Time(value) => {
            let seconds =
                i64::from(value.hours) * 3_600 + i64::from(value.minutes) * 60 + i64::from(value.seconds);
            let micros = seconds * 1_000_000 + i64::from(value.micros);
            let signed = if value.negative { -micros } else { micros };
            out.extend_from_slice(&(signed ^ i64::MIN).to_be_bytes());
        }
        ColumnValue::Bytes(value) => {
            // A zero byte is followed by 255, the end by two zeros: no value is the beginning of another one.
            for byte in value {
                out.push(*byte);
                if *byte == 0 {
                    out.push(255);
                }
            }
            out.extend_from_slice(&[0, 0]);
        }
        ColumnValue::DecimalText(text) => decimal(text, out),
        _ => return false,
    }
    true
}

fn date(value: Date, out: &mut Vec<u8>) {
    out.extend_from_slice(&value.year.to_be_bytes());
    out.extend_from_slice(&[value.month, value.day]);
}

/// A sign, how many digits stand before the point, the digits; all of it inverted below zero. The digits behind the point
/// are as many in every row.
fn decimal(text: &[u8], out: &mut Vec<u8>) {
    let (negative, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let start = out.len();
    let whole = digits.iter().position(|byte| *byte == b'.').unwrap_or(digits.len());
    // At most 65 digits.
    out.extend_from_slice(&[1, u8::try_from(whole).unwrap_or(u8::MAX)]);
    out.extend_from_slice(digits);
    if negative {
        out.iter_mut().skip(start).for_each(|byte| *byte = !*byte);
        // Below the positive ones, whose first byte is 1.
        if let Some(first) = out.get_mut(start) {
            *first = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::cell::{DateTime, Time};
    use crate::wire::column_type::ColumnType;
    use crate::wire::result_set::ResultCellDecoder;

    fn bytes(value: ColumnValue<'_>) -> Vec<u8> {
        let mut out = Vec::new();
        assert!(write(value, &mut out));
        out
    }

    #[test]
    fn bytes_compare_as_values_do() {
        let time = |negative, hours, micros| {
            ColumnValue::Time(Time { negative, hours, minutes: 0, seconds: 0, micros })
        };
        let instant = |year, month, second, micros| {
            let date = Date { year, month, day: 1 };
            ColumnValue::DateTime(DateTime { date, hour: 0, minute: 0, second, micros })
        };
        let ascending: &[&[ColumnValue<'_>]] = &[
            &[i64::MIN, -1, 0, 1, 255, 256, i64::MAX].map(ColumnValue::Int),
            &[0, 1, 1 << 63, u64::MAX].map(ColumnValue::UInt),
            &[b"".as_slice(), b"\0", b"\0\0", b"\0\x01", b"\x01", b"a", b"a\0", b"ab", b"\xFF"]
                .map(ColumnValue::Bytes),
            &["-100.00", "-99.99", "-10.00", "-9.50", "-0.01", "0.00", "0.01", "9.99", "10.00", "100.00"]
                .map(|text| ColumnValue::DecimalText(text.as_bytes())),
            &[time(true, 838, 0), time(true, 0, 1), time(false, 0, 0), time(false, 1, 0)],
            &[instant(0, 0, 0, 0), instant(1970, 1, 0, 0), instant(1970, 1, 0, 1), instant(1970, 1, 1, 0)],
        ];
        for values in ascending {
            assert!(values.windows(2).all(|pair| bytes(pair[0]) < bytes(pair[1])), "{values:?}");
        }
        assert!(!write(ColumnValue::Text("a"), &mut Vec::new()));
    }

    /// Two columns, INT and CHAR; the key is the second one and the first one.
    #[test]
    fn rows_in_order() {
        let decoder =
            |kind, charset| Decoder::ResultSet(ResultCellDecoder::new(kind, false, charset).unwrap());
        let row = |number: u8, text: &[u8]| {
            let mut packet = vec![0, 0, number, 0, 0, 0, u8::try_from(text.len()).unwrap()];
            packet.extend_from_slice(text);
            packet
        };
        let order = |charset| {
            let decoders = [decoder(ColumnType::Long, 63), decoder(ColumnType::VarString, charset)];
            KeyOrder::new(2, vec![1, 0], decoders.into_iter())
        };
        let mut binary = order(63);
        for (number, text, follows) in
            [(5, "a", true), (6, "a", true), (6, "a", false), (1, "b", true), (9, "aa", false)]
        {
            assert_eq!(binary.follows(&row(number, text.as_bytes())).unwrap(), follows, "{number} {text}");
        }
        // Of utf8mb4_0900_ai_ci nothing is claimed.
        let mut text = order(255);
        assert!(text.follows(&row(2, b"b")).unwrap());
        assert!(text.follows(&row(1, b"a")).unwrap());
        assert!(text.follows(&[0]).is_err());
    }
}
