//! Opaque values of JSONB: SQL values that JSON has no type for. A column type byte, a length, the value.
//!
//! DECIMAL becomes a number, DATE, TIME, DATETIME and TIMESTAMP become strings, with the zeros at the end of a fraction
//! cut. Any other type becomes the base64 of its bytes. Temporal values are 8 bytes: the fields of `cell::datetime`
//! and `cell::time`, then 24 bits of microseconds; a negative TIME is the negation of it all.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::connect::cell::{Date, DateTime};
use crate::wire::cell::unpack_datetime;
use crate::wire::column_type::ColumnType;
use crate::wire::decimal::packed_to_text;
use crate::wire::error::WireError;
use crate::wire::jsonb::READING;
use crate::wire::reader::Reader;

/// Appends an opaque value.
pub(super) fn render(column_type: u8, value: &[u8], out: &mut Vec<u8>) -> Result<(), WireError> {
    let mut reader = Reader::new(value);
    match ColumnType::from_code(column_type) {
        Ok(ColumnType::NewDecimal) => {
            let (precision, scale) = (reader.u8(READING)?, reader.u8(READING)?);
            return packed_to_text(reader.rest(), precision, scale, out);
        }
        Ok(ColumnType::Date) => {
            let (datetime, _) = datetime(&mut reader)?;
            out.push(b'"');
            date(datetime.date, out);
        }
        Ok(ColumnType::DateTime | ColumnType::Timestamp) => {
            let (datetime, micros) = datetime(&mut reader)?;
            out.push(b'"');
            date(datetime.date, out);
            out.push(b' ');
            clock(
                u64::from(datetime.hour),
                u64::from(datetime.minute),
                u64::from(datetime.second),
                micros,
                out,
            );
        }
        Ok(ColumnType::Time) => {
            let packed = reader.u64(READING)?.cast_signed();
            let magnitude = packed.unsigned_abs();
            let fields = magnitude >> 24;
            out.push(b'"');
            if packed < 0 {
                out.push(b'-');
            }
            clock(
                fields >> 12 & 0x3ff,
                fields >> 6 & 0x3f,
                fields & 0x3f,
                (magnitude & 0xff_ffff) as u32,
                out,
            );
        }
        _ => {
            out.push(b'"');
            let start = out.len();
            out.resize(start + value.len().div_ceil(3) * 4, 0);
            let room = out.get_mut(start..).unwrap_or_default();
            let written = STANDARD.encode_slice(value, room).unwrap_or(0);
            out.truncate(start + written);
        }
    }
    out.push(b'"');
    Ok(())
}

fn datetime(reader: &mut Reader<'_>) -> Result<(DateTime, u32), WireError> {
    let packed = reader.u64(READING)?;
    let micros = (packed & 0xff_ffff) as u32;
    Ok((unpack_datetime(packed >> 24, micros), micros))
}

fn date(date: Date, out: &mut Vec<u8>) {
    digits(u64::from(date.year), 4, out);
    out.push(b'-');
    digits(u64::from(date.month), 2, out);
    out.push(b'-');
    digits(u64::from(date.day), 2, out);
}

fn clock(hours: u64, minutes: u64, seconds: u64, micros: u32, out: &mut Vec<u8>) {
    digits(hours, if hours > 99 { 3 } else { 2 }, out);
    out.push(b':');
    digits(minutes, 2, out);
    out.push(b':');
    digits(seconds, 2, out);
    if micros != 0 {
        out.push(b'.');
        digits(u64::from(micros), 6, out);
        while out.last() == Some(&b'0') {
            out.pop();
        }
    }
}

/// Appends a number of at least so many digits.
fn digits(number: u64, width: u32, out: &mut Vec<u8>) {
    let mut buffer = itoa::Buffer::new();
    let text = buffer.format(number);
    for _ in text.len()..width as usize {
        out.push(b'0');
    }
    out.extend_from_slice(text.as_bytes());
}
