//! One column, compiled from its type: takes cells and writes their bytes.
//!
//! A cell of any kind that has the same meaning is taken: a BIGINT UNSIGNED comes as INT64, whose bits are the number
//! (`bigint.unsigned.handling.mode=long`), as Decimal (`precise`) or as text of a number; a TINYINT(1) as INT16 or BOOLEAN;
//! a TIMESTAMP as text or as ticks. A cell that the type cannot hold exactly is an error: nothing is wrapped, rounded, cut or
//! replaced by a default. Of a value that fails nothing stays in the output.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::sink::row_binary::cell::Cell;
use crate::sink::row_binary::decimal::DecimalWriter;
use crate::sink::row_binary::error::ValueError;
use crate::sink::row_binary::header::{write_length, write_string};
use crate::sink::row_binary::temporal::{self, FIRST_DAY, LAST_DAY};
use crate::sink::table::column_type::{ColumnType, Width};

/// A column's writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnWriter {
    nullable: bool,
    /// Shorter bytes of a `String` are filled with zeros to this length.
    padded: usize,
    value: ValueWriter,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ValueWriter {
    Bool,
    Int(Width),
    UInt(Width),
    Float32,
    Float64,
    Decimal(DecimalWriter),
    /// `String` and `JSON`.
    String,
    FixedString(usize),
    Date,
    Date32,
    DateTime,
    DateTime64(u8),
    Time64(u8),
    Uuid,
    IPv4,
    IPv6,
    Array(Box<ColumnWriter>),
}

/// 999:59:59 in seconds, the longest `Time64`. Manual: "Time64".
const LONGEST_TIME: u64 = 999 * 3600 + 59 * 60 + 59;

impl ColumnWriter {
    /// The writer of a type; none for types that no column of ours has.
    pub fn new(column_type: &ColumnType) -> Option<Self> {
        let value = match column_type.value_type() {
            ColumnType::Bool => ValueWriter::Bool,
            ColumnType::Int(width) => ValueWriter::Int(*width),
            ColumnType::UInt(width) => ValueWriter::UInt(*width),
            ColumnType::Float32 => ValueWriter::Float32,
            ColumnType::Float64 => ValueWriter::Float64,
            ColumnType::Decimal { precision, scale } => {
                ValueWriter::Decimal(DecimalWriter::new(*precision, *scale)?)
            }
            ColumnType::String | ColumnType::Json => ValueWriter::String,
            ColumnType::FixedString(length) => ValueWriter::FixedString(usize::try_from(*length).ok()?),
            ColumnType::Date => ValueWriter::Date,
            ColumnType::Date32 => ValueWriter::Date32,
            ColumnType::DateTime { .. } => ValueWriter::DateTime,
            ColumnType::DateTime64 { precision: precision @ 0..=9, .. } => {
                ValueWriter::DateTime64(*precision)
            }
            ColumnType::Time64(precision @ 0..=9) => ValueWriter::Time64(*precision),
            ColumnType::Uuid => ValueWriter::Uuid,
            ColumnType::IPv4 => ValueWriter::IPv4,
            ColumnType::IPv6 => ValueWriter::IPv6,
            ColumnType::Array(inner) => ValueWriter::Array(Box::new(ColumnWriter::new(inner)?)),
            _ => return None,
        };
        Some(ColumnWriter { nullable: column_type.is_nullable(), padded: 0, value })
    }

    /// For BINARY(N) in a `String`: the binlog leaves out zeros at the end, a SELECT does not, and both must be the same key.
    #[must_use]
    pub fn padded_to(self, length: usize) -> Self {
        ColumnWriter { padded: length, ..self }
    }

    /// Appends a value.
    #[inline]
    pub fn write(&self, cell: &Cell<'_>, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let start = out.len();
        if self.nullable {
            if matches!(cell, Cell::Null) {
                out.push(1);
                return Ok(());
            }
            out.push(0);
        }
        let written = match cell {
            Cell::Null => Err(ValueError::Null),
            cell => self.write_value(cell, out),
        };
        if written.is_err() {
            out.truncate(start);
        }
        written
    }

    fn write_value(&self, cell: &Cell<'_>, out: &mut Vec<u8>) -> Result<(), ValueError> {
        match &self.value {
            ValueWriter::Int(width) => {
                let value = signed(cell)?;
                match width {
                    Width::One => out.extend_from_slice(&narrow::<i8>(value)?.to_le_bytes()),
                    Width::Two => out.extend_from_slice(&narrow::<i16>(value)?.to_le_bytes()),
                    Width::Four => out.extend_from_slice(&narrow::<i32>(value)?.to_le_bytes()),
                    Width::Eight => out.extend_from_slice(&value.to_le_bytes()),
                }
            }
            ValueWriter::UInt(width) => {
                let value = unsigned(cell, *width)?;
                match width {
                    Width::One => out.push(u8::try_from(value).map_err(|_| ValueError::Range)?),
                    Width::Two => out.extend_from_slice(
                        &u16::try_from(value).map_err(|_| ValueError::Range)?.to_le_bytes(),
                    ),
                    Width::Four => out.extend_from_slice(
                        &u32::try_from(value).map_err(|_| ValueError::Range)?.to_le_bytes(),
                    ),
                    Width::Eight => out.extend_from_slice(&value.to_le_bytes()),
                }
            }
            ValueWriter::String => self.write_text(cell, out)?,
            ValueWriter::Bool => out.push(u8::from(boolean(cell)?)),
            ValueWriter::Float32 => out.extend_from_slice(&float32(cell)?.to_le_bytes()),
            ValueWriter::Float64 => out.extend_from_slice(&float64(cell)?.to_le_bytes()),
            ValueWriter::Decimal(writer) => match cell {
                Cell::Decimal { unscaled, scale } => writer.write_unscaled(unscaled, *scale, out)?,
                Cell::Number(text) | Cell::Text(text) => writer.write_text(text, out)?,
                Cell::Int(value) => writer.write_integer(*value < 0, value.unsigned_abs(), out)?,
                Cell::UInt(value) => writer.write_integer(false, *value, out)?,
                other => return Err(ValueError::Kind { found: other.kind() }),
            },
            ValueWriter::FixedString(length) => {
                let bytes = bytes(cell)?;
                let missing = length.checked_sub(bytes.len());
                let missing = missing.ok_or(ValueError::Length { length: bytes.len(), wanted: *length })?;
                out.extend_from_slice(bytes);
                out.extend(std::iter::repeat_n(0, missing));
            }
            ValueWriter::Date => {
                out.extend_from_slice(
                    &u16::try_from(day(cell)?).map_err(|_| ValueError::Range)?.to_le_bytes(),
                );
            }
            ValueWriter::Date32 => {
                let day = day(cell)?;
                if !(FIRST_DAY..=LAST_DAY).contains(&day) {
                    return Err(ValueError::Range);
                }
                out.extend_from_slice(&narrow::<i32>(day)?.to_le_bytes());
            }
            ValueWriter::DateTime => {
                out.extend_from_slice(
                    &u32::try_from(ticks(cell, 0)?).map_err(|_| ValueError::Range)?.to_le_bytes(),
                );
            }
            ValueWriter::DateTime64(precision) => {
                let ticks = ticks(cell, *precision)?;
                // A power of at most 10^9.
                let day = ticks.div_euclid(86_400 * 10_i64.pow(u32::from(*precision)));
                if !(FIRST_DAY..=LAST_DAY).contains(&day) {
                    return Err(ValueError::Range);
                }
                out.extend_from_slice(&ticks.to_le_bytes());
            }
            ValueWriter::Time64(precision) => {
                let Cell::Ticks { count, digits } = cell else {
                    return Err(ValueError::Kind { found: cell.kind() });
                };
                let ticks = temporal::rescaled(*count, *digits, *precision)?;
                if ticks.unsigned_abs() >= (LONGEST_TIME + 1) * 10_u64.pow(u32::from(*precision)) {
                    return Err(ValueError::Range);
                }
                out.extend_from_slice(&ticks.to_le_bytes());
            }
            ValueWriter::Uuid => {
                let (high, low) = uuid(cell)?.as_u64_pair();
                out.extend_from_slice(&high.to_le_bytes());
                out.extend_from_slice(&low.to_le_bytes());
            }
            ValueWriter::IPv4 => {
                let address: Ipv4Addr = match cell {
                    Cell::Text(text) => text.parse().map_err(|_| ValueError::Text)?,
                    other => Ipv4Addr::from(exactly::<4>(bytes(other)?)?),
                };
                out.extend_from_slice(&u32::from(address).to_le_bytes());
            }
            ValueWriter::IPv6 => {
                let address: Ipv6Addr = match cell {
                    Cell::Text(text) => text.parse().map_err(|_| ValueError::Text)?,
                    other => Ipv6Addr::from(exactly::<16>(bytes(other)?)?),
                };
                out.extend_from_slice(&address.octets());
            }
            ValueWriter::Array(inner) => write_array(inner, cell, out)?,
        }
        Ok(())
    }

    fn write_text(&self, cell: &Cell<'_>, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let bytes = match cell {
            Cell::Number(text) => text.as_bytes(),
            other => bytes(other)?,
        };
        let missing = self.padded.saturating_sub(bytes.len());
        write_length(bytes.len() + missing, out);
        out.extend_from_slice(bytes);
        out.extend(std::iter::repeat_n(0, missing));
        Ok(())
    }
}

/// Elements, or the members of a SET: labels between commas, which no label contains.
fn write_array(inner: &ColumnWriter, cell: &Cell<'_>, out: &mut Vec<u8>) -> Result<(), ValueError> {
    match cell {
        Cell::List(elements) => {
            write_length(elements.len(), out);
            elements.iter().try_for_each(|element| inner.write(element, out))
        }
        Cell::Text("") if inner.value == ValueWriter::String => {
            write_length(0, out);
            Ok(())
        }
        Cell::Text(text) if inner.value == ValueWriter::String => {
            write_length(text.bytes().filter(|byte| *byte == b',').count() + 1, out);
            for label in text.split(',') {
                if inner.nullable {
                    out.push(0);
                }
                write_string(label.as_bytes(), out);
            }
            Ok(())
        }
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

#[inline]
fn narrow<T: TryFrom<i64>>(value: i64) -> Result<T, ValueError> {
    T::try_from(value).map_err(|_| ValueError::Range)
}

#[inline]
fn signed(cell: &Cell<'_>) -> Result<i64, ValueError> {
    match cell {
        Cell::Int(value) => Ok(*value),
        Cell::Number(text) => whole_number(text),
        Cell::Bool(value) => Ok(i64::from(*value)),
        Cell::UInt(value) => i64::try_from(*value).map_err(|_| ValueError::Range),
        // A TIME for a server without Time64 is microseconds, a DATE days.
        Cell::Ticks { count, digits } => temporal::rescaled(*count, *digits, 6),
        Cell::Days(days) => Ok(*days),
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

fn unsigned(cell: &Cell<'_>, width: Width) -> Result<u64, ValueError> {
    match cell {
        Cell::UInt(value) => Ok(*value),
        // The bits of a BIGINT UNSIGNED.
        Cell::Int(value) if width == Width::Eight => Ok(value.cast_unsigned()),
        Cell::Int(value) => u64::try_from(*value).map_err(|_| ValueError::Range),
        Cell::Number(text) if width == Width::Eight && text.starts_with('-') => {
            Ok(whole_number::<i64>(text)?.cast_unsigned())
        }
        Cell::Number(text) => whole_number(text),
        Cell::Bool(value) => Ok(u64::from(*value)),
        Cell::Bytes(bits) => {
            let (low, high) = bits.split_at(bits.len().min(8));
            if high.iter().any(|byte| *byte != 0) {
                return Err(ValueError::Range);
            }
            Ok(low.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
        }
        Cell::Decimal { unscaled: [], .. } => Err(ValueError::Text),
        Cell::Decimal { unscaled, scale: 0 } => {
            let (high, low) = unscaled.split_at(unscaled.len().saturating_sub(8));
            if high.iter().any(|byte| *byte != 0)
                || (high.is_empty() && low.first().is_some_and(|byte| *byte >= 0x80))
            {
                return Err(ValueError::Range);
            }
            Ok(low.iter().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
        }
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

fn whole_number<T: std::str::FromStr>(text: &str) -> Result<T, ValueError> {
    text.parse().map_err(|_| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole { ValueError::Range } else { ValueError::Text }
    })
}

fn boolean(cell: &Cell<'_>) -> Result<bool, ValueError> {
    match cell {
        Cell::Bool(value) => Ok(*value),
        // 2 and -1 are other values than true.
        other => match signed(other)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(ValueError::Range),
        },
    }
}

fn float32(cell: &Cell<'_>) -> Result<f32, ValueError> {
    match cell {
        Cell::Float32(value) => Ok(*value),
        Cell::Number(text) => finite(text.parse().map_err(|_| ValueError::Text)?, f32::is_finite),
        // A double that is a float.
        Cell::Float64(value) if f64::from(*value as f32) == *value => Ok(*value as f32),
        Cell::Float64(_) => Err(ValueError::Precision),
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

fn float64(cell: &Cell<'_>) -> Result<f64, ValueError> {
    match cell {
        Cell::Float64(value) => Ok(*value),
        Cell::Float32(value) => Ok(f64::from(*value)),
        Cell::Number(text) => finite(text.parse().map_err(|_| ValueError::Text)?, f64::is_finite),
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

/// Text that is too large for a type is read as infinite.
fn finite<T: Copy>(value: T, is_finite: fn(T) -> bool) -> Result<T, ValueError> {
    if is_finite(value) { Ok(value) } else { Err(ValueError::Range) }
}

fn bytes<'a>(cell: &Cell<'a>) -> Result<&'a [u8], ValueError> {
    match cell {
        Cell::Text(text) => Ok(text.as_bytes()),
        Cell::Bytes(bytes) => Ok(bytes),
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], ValueError> {
    bytes.try_into().map_err(|_| ValueError::Length { length: bytes.len(), wanted: N })
}

fn day(cell: &Cell<'_>) -> Result<i64, ValueError> {
    match cell {
        Cell::Days(days) => Ok(*days),
        Cell::Text(text) => temporal::date(text),
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

fn ticks(cell: &Cell<'_>, precision: u8) -> Result<i64, ValueError> {
    match cell {
        Cell::Ticks { count, digits } => temporal::rescaled(*count, *digits, precision),
        Cell::Text(text) => temporal::ticks(temporal::moment(text)?, precision),
        other => Err(ValueError::Kind { found: other.kind() }),
    }
}

fn uuid(cell: &Cell<'_>) -> Result<uuid::Uuid, ValueError> {
    match cell {
        Cell::Text(text) => uuid::Uuid::try_parse(text).map_err(|_| ValueError::Text),
        other => Ok(uuid::Uuid::from_bytes(exactly(bytes(other)?)?)),
    }
}

#[cfg(test)]
mod tests;
