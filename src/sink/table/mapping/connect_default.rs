//! The default of a record schema as an expression.
//!
//! Numbers and dates are values here, date-times and durations in microseconds, so that nothing is ambiguous; a text is the statement's text between its quotes, as in a schema-change record.

use crate::connect::value::Value;
use crate::sink::table::identifier::literal;
use crate::sink::table::mapping::added_default::{AddedDefault, UNREADABLE, date, date_time, integer, time};
use crate::sink::table::mapping::{MappedColumn, MappingOptions, SourceColumn, SourceType};

const MICROS_OF_A_DAY: i64 = 86_400_000_000;

pub(super) fn of_value(
    column: &SourceColumn,
    mapped: &MappedColumn,
    value: &Value,
    options: &MappingOptions,
) -> AddedDefault {
    let expression = match (&column.source_type, value) {
        (_, Value::Null) => return AddedDefault::Null,
        (SourceType::TinyInt1 | SourceType::Bit(1), Value::Boolean(flag)) => {
            Some(u8::from(*flag).to_string())
        }
        (SourceType::TinyInt1 | SourceType::Integer { .. } | SourceType::Year, Value::Integer(number)) => {
            integer(&number.to_string(), &mapped.column_type)
        }
        (SourceType::Float | SourceType::Double, Value::Float32(number)) => {
            number.is_finite().then(|| format!("{number:e}"))
        }
        (SourceType::Float | SourceType::Double, Value::Float64(number)) => {
            number.is_finite().then(|| format!("{number:e}"))
        }
        (SourceType::Decimal { scale, .. }, Value::Bytes(bytes)) => {
            unscaled(bytes).map(|number| literal(&decimal_text(number, *scale)))
        }
        (SourceType::Bit(_), Value::Bytes(bytes)) => little_endian(bytes).map(|bits| bits.to_string()),
        (SourceType::Text | SourceType::Enum(_) | SourceType::Set, Value::String(text)) => {
            (!text.contains(['\'', '"', '\\'])).then(|| literal(text))
        }
        (SourceType::Date, Value::Integer(days)) => Some(date(*days)),
        (SourceType::DateTime(precision), Value::Integer(micros)) => instant(*micros, *precision),
        (SourceType::Time(precision), Value::Integer(micros)) => {
            micros.checked_abs().and_then(|size| time(*micros < 0, size, *precision, options))
        }
        _ => None,
    };
    expression.map_or(UNREADABLE, AddedDefault::Expression)
}

/// The epoch is what stands for CURRENT_TIMESTAMP, too.
fn instant(micros: i64, precision: u8) -> Option<String> {
    let (days, micros) = (micros.div_euclid(MICROS_OF_A_DAY), micros.rem_euclid(MICROS_OF_A_DAY));
    if days == 0 && micros == 0 { None } else { date_time(days, micros, precision) }
}

/// Big-endian two's complement of up to 16 bytes.
fn unscaled(bytes: &[u8]) -> Option<i128> {
    let first = *bytes.first()?;
    if bytes.len() > 16 {
        return None;
    }
    let start = if first & 0x80 == 0 { 0 } else { -1 };
    Some(bytes.iter().fold(start, |number: i128, byte| number << 8 | i128::from(*byte)))
}

fn decimal_text(unscaled: i128, scale: u8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let scale = usize::from(scale);
    let digits = format!("{:0>width$}", unscaled.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

fn little_endian(bytes: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}
