//! What rows hold in a column that was added after them.
//!
//! MySQL gives old rows the new column's DEFAULT, else NULL, else the type's implicit default, and writes no row event about
//! it. ClickHouse does the same by a DEFAULT clause, which must then be materialised before it may ever change, because
//! it is computed anew for each read of an old part.
//!
//! A DEFAULT reaches us as the text between the quotes of the statement (`it''s`, `a\n`), and whether the statement escaped
//! with a backslash, or quoted with `"`, is not in it; the digits of a hexadecimal literal come without `0x`, and one digit
//! short; a DEFAULT of TIMESTAMP is in the time zone of a session. Where the text allows more than one reading, nothing is
//! guessed: the column *needs a refresh*, which means that the rows are read again from MySQL. Facts: the records that
//! Debezium 3.6.1 wrote for such statements.
//!
//! MySQL manual: "Data Type Default Values".

use crate::sink::table::column_type::ColumnType;
use crate::sink::table::identifier::literal;
use crate::sink::table::mapping::connect_default::of_value;
use crate::sink::table::mapping::temporal_range::days_of;
use crate::sink::table::mapping::{AddedValue, MappedColumn, MappingOptions, SourceColumn, SourceType};

/// What the statement that adds a column says of old rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddedDefault {
    /// Nothing: they hold NULL, which is right.
    Null,
    /// `DEFAULT` with this expression.
    Expression(String),
    /// `DEFAULT` with the time at which MySQL ran the statement, to the second: see [`statement_time`].
    StatementTime,
    /// Their values are not in the record: they must be read again. Why.
    Refresh(&'static str),
}

/// What old rows hold. A column of ours never computes: `Computed` values were made row by row on the server.
pub fn added_default(column: &SourceColumn, mapped: &MappedColumn, options: &MappingOptions) -> AddedDefault {
    let default = match &column.added {
        AddedValue::Computed => AddedDefault::Refresh("the server computed a value for each row"),
        AddedValue::Text(text) => of_text(column, mapped, text, options),
        AddedValue::Value(value) => of_value(column, mapped, value, options),
        AddedValue::Implicit if column.nullable => AddedDefault::Null,
        AddedValue::Implicit => implicit(&column.source_type, options),
    };
    match default {
        AddedDefault::Null if !mapped.column_type.is_nullable() && !is_array(mapped) => {
            AddedDefault::Refresh("old rows hold null and the column has none")
        }
        other => other,
    }
}

/// NULL in an array is the empty array.
fn is_array(mapped: &MappedColumn) -> bool {
    matches!(mapped.column_type, ColumnType::Array(_))
}

/// The expression of a time in seconds since 1970, for [`AddedDefault::StatementTime`].
pub fn statement_time(seconds: u32) -> String {
    format!("toDateTime({seconds}, 'UTC')")
}

/// Whether a statement may give a column a computed default: `DEFAULT (…)` is not in the description of the column, so that it
/// looks like one without any. Finds more than there is, also in comments and texts, and never less.
pub fn may_compute_defaults(ddl: &str) -> bool {
    let lower = ddl.to_ascii_lowercase();
    lower.match_indices("default").any(|(at, word)| {
        let rest = lower.get(at + word.len()..).unwrap_or_default();
        // A comment between the two is possible, so it counts as well.
        ["(", "/*", "--", "#"].iter().any(|start| rest.trim_start().starts_with(start))
    })
}

fn implicit(source: &SourceType, options: &MappingOptions) -> AddedDefault {
    let expression = match source {
        SourceType::TinyInt1
        | SourceType::Integer { .. }
        | SourceType::Float
        | SourceType::Double
        | SourceType::Decimal { .. }
        | SourceType::Bit(_)
        | SourceType::Year => "0".to_owned(),
        SourceType::Time(precision) => {
            return time(false, 0, *precision, options).map_or(UNREADABLE, AddedDefault::Expression);
        }
        SourceType::Text | SourceType::Bytes | SourceType::Set | SourceType::Geometry => "''".to_owned(),
        SourceType::Binary(length) => format!("repeat('\\0', {length})"),
        SourceType::Enum(members) => match members.first() {
            Some(first) => literal(first),
            None => return AddedDefault::Refresh("the members of the enum are not known"),
        },
        SourceType::Json => literal("null"),
        SourceType::Vector => "[]".to_owned(),
        SourceType::Date => date(options.dates.zero_day(options.zero_dates)),
        SourceType::DateTime(precision) => {
            return match date_time(options.dates.zero_day(options.zero_dates), 0, *precision) {
                Some(expression) => AddedDefault::Expression(expression),
                None => UNREADABLE,
            };
        }
        SourceType::Timestamp(_) => "0".to_owned(),
        SourceType::Uuid => literal("00000000-0000-0000-0000-000000000000"),
        SourceType::Inet4 => literal("0.0.0.0"),
        SourceType::Inet6 => literal("::"),
    };
    AddedDefault::Expression(expression)
}

pub(super) const UNREADABLE: AddedDefault = AddedDefault::Refresh("the default has more than one reading");

fn of_text(
    column: &SourceColumn,
    mapped: &MappedColumn,
    text: &str,
    options: &MappingOptions,
) -> AddedDefault {
    let text = if column.source_type == SourceType::Text { text } else { text.trim() };
    let is_null = text.eq_ignore_ascii_case("null");
    let expression = match &column.source_type {
        SourceType::Text | SourceType::Enum(_) | SourceType::Set => plain(text).then(|| literal(text)),
        _ if is_null && column.nullable => return AddedDefault::Null,
        SourceType::TinyInt1 | SourceType::Integer { .. } => integer(text, &mapped.column_type),
        SourceType::Bit(_) => u64::from_str_radix(text, 2).ok().map(|bits| bits.to_string()),
        SourceType::Float | SourceType::Double => number(text),
        SourceType::Decimal { precision, scale } => decimal(text, *precision, *scale),
        SourceType::Year => year(text),
        SourceType::Date => match read_date(text) {
            Some(ReadDate::Day(day)) => Some(date(day)),
            Some(ReadDate::Zero) if column.nullable => return AddedDefault::Null,
            Some(ReadDate::Zero) => Some(date(options.dates.zero_day(options.zero_dates))),
            None => None,
        },
        SourceType::DateTime(precision) => date_time_of(text, *precision, column.nullable, options),
        SourceType::Timestamp(precision) => return timestamp(text, *precision, column.nullable),
        SourceType::Time(precision) => time_of(text, *precision, options),
        // Hexadecimal literals are mangled and look like text, so only the empty one is sure.
        SourceType::Bytes if text.is_empty() => Some("''".to_owned()),
        SourceType::Binary(_)
        | SourceType::Bytes
        | SourceType::Json
        | SourceType::Geometry
        | SourceType::Vector
        | SourceType::Uuid
        | SourceType::Inet4
        | SourceType::Inet6 => None,
    };
    match expression.as_deref() {
        Some("NULL") => AddedDefault::Null,
        Some(expression) => AddedDefault::Expression(expression.to_owned()),
        None => UNREADABLE,
    }
}

/// Whether a text reads the same whatever quotes and escapes the statement used.
fn plain(text: &str) -> bool {
    !text.contains(['\'', '"', '\\'])
}

/// An integer that the column holds.
pub(super) fn integer(text: &str, column: &ColumnType) -> Option<String> {
    let number: i128 = match text {
        word if word.eq_ignore_ascii_case("true") => 1,
        word if word.eq_ignore_ascii_case("false") => 0,
        digits => digits.parse().ok()?,
    };
    let fits = match column.value_type() {
        ColumnType::Bool => (0..=1).contains(&number),
        ColumnType::Int(width) => {
            let limit = 1i128 << (width.bits() - 1);
            (-limit..limit).contains(&number)
        }
        ColumnType::UInt(width) => (0..1i128 << width.bits()).contains(&number),
        _ => false,
    };
    fits.then(|| number.to_string())
}

fn number(text: &str) -> Option<String> {
    let number: f64 = text.parse().ok()?;
    number.is_finite().then(|| format!("{number:e}"))
}

/// Digits that fit a decimal without rounding, as a text: a number would be taken for a double.
fn decimal(text: &str, precision: u8, scale: u8) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = (!whole.is_empty() || !fraction.is_empty())
        && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let fits =
        whole.len() <= usize::from(precision.saturating_sub(scale)) && fraction.len() <= usize::from(scale);
    if !is_number || !fits {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(literal(&format!("{sign}{whole}{point}{fraction}")))
}

/// Four digits, or two that mean the same as a number and as a text (0 does not).
fn year(text: &str) -> Option<String> {
    let number: u16 = text.parse().ok()?;
    let year = match (number, text.len()) {
        (0, 4) => 0,
        (1901..=2155, _) => number,
        (1..=69, 1..=2) => number + 2000,
        (70..=99, 2) => number + 1900,
        _ => return None,
    };
    Some(year.to_string())
}

/// A day as an expression: the constructors of Date32 take other ranges.
pub(super) fn date(days: i64) -> String {
    format!("addDays(toDate32('1970-01-01'), {days})")
}

enum ReadDate {
    Day(i64),
    Zero,
}

/// `2020-02-29`, `1999-1-2`, `0000-00-00`, `2024-00-15`. Two digits of a year and other separators are left alone.
fn read_date(text: &str) -> Option<ReadDate> {
    let mut parts = text.splitn(3, '-');
    let mut part = |most: usize| {
        let text = parts.next().filter(|part| (1..=most).contains(&part.len()))?;
        text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
    };
    let year = part(4).filter(|year| year.len() == 4)?.parse().ok()?;
    let (month, day): (u8, u8) = (part(2)?.parse().ok()?, part(2)?.parse().ok()?);
    if month == 0 || day == 0 {
        return Some(ReadDate::Zero);
    }
    days_of(year, month, day).map(ReadDate::Day)
}

/// A day and microseconds in it, in ticks, as an expression.
pub(super) fn date_time(days: i64, micros: i64, precision: u8) -> Option<String> {
    let micros = days.checked_mul(86_400_000_000)?.checked_add(micros)?;
    (precision <= 6).then(|| format!("fromUnixTimestamp64Micro({micros}, 'UTC')"))
}

fn date_time_of(text: &str, precision: u8, nullable: bool, options: &MappingOptions) -> Option<String> {
    let (day, clock) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    let micros = clock_micros(clock, precision)?;
    let days = match read_date(day)? {
        // What Debezium writes for CURRENT_TIMESTAMP, whose value in a DATETIME is the clock of a session.
        ReadDate::Day(0) if micros == 0 => return None,
        ReadDate::Day(days) => days,
        ReadDate::Zero if nullable => return Some("NULL".to_owned()),
        ReadDate::Zero => options.dates.zero_day(options.zero_dates),
    };
    date_time(days, micros, precision)
}

/// Only what does not depend on the session's zone: zero, and CURRENT_TIMESTAMP, which Debezium writes as 1970-01-01.
fn timestamp(text: &str, precision: u8, nullable: bool) -> AddedDefault {
    let (day, clock) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    match (read_date(day), clock_micros(clock, precision)) {
        (Some(ReadDate::Zero), Some(0)) if nullable => AddedDefault::Null,
        (Some(ReadDate::Zero), Some(0)) => AddedDefault::Expression("0".to_owned()),
        // A TIMESTAMP of its own begins a second later, so that this is nothing else.
        (Some(ReadDate::Day(0)), Some(0)) if precision == 0 => AddedDefault::StatementTime,
        (Some(ReadDate::Day(0)), Some(0)) => {
            AddedDefault::Refresh("the fraction of the statement's time is not known")
        }
        _ => AddedDefault::Refresh("the default is in the time zone of a session"),
    }
}

/// `hh:mm:ss[.fraction]` of a day, in microseconds.
fn clock_micros(text: &str, precision: u8) -> Option<i64> {
    let (hours, micros) = duration(text, precision)?;
    (hours < 24).then_some(micros)
}

/// `h:mm:ss[.fraction]`: the hours, and all of it in microseconds. No more digits than the column has, since they would be
/// rounded.
fn duration(text: &str, precision: u8) -> Option<(i64, i64)> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str, most: usize| {
        let is_number = (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<i64>().ok()).flatten()
    };
    let mut parts = clock.split(':');
    let (hours, minutes, seconds) =
        (digits(parts.next()?, 3)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let fraction = fraction.trim_end_matches('0');
    if parts.next().is_some()
        || minutes > 59
        || seconds > 59
        || fraction.len() > usize::from(precision.min(6))
    {
        return None;
    }
    let micros = if fraction.is_empty() { 0 } else { digits(&format!("{fraction:0<6}"), 6)? };
    Some((hours, ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros))
}

fn time_of(text: &str, precision: u8, options: &MappingOptions) -> Option<String> {
    let (negative, clock) = match text.strip_prefix('-') {
        Some(clock) => (true, clock),
        None => (false, text),
    };
    let (hours, micros) = duration(clock, precision)?;
    if hours > 838 {
        return None;
    }
    time(negative, micros, precision, options)
}

/// A duration in the form that the column has.
pub(super) fn time(negative: bool, micros: i64, precision: u8, options: &MappingOptions) -> Option<String> {
    let column = super::value_type(&SourceType::Time(precision), options);
    if matches!(column, ColumnType::Int(_)) {
        return Some(if negative { -micros } else { micros }.to_string());
    }
    let (seconds, fraction) = (micros / 1_000_000, format!("{:06}", micros % 1_000_000));
    let fraction = fraction.get(..usize::from(precision))?;
    let sign = if negative { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(literal(&format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{point}{fraction}")))
}

#[cfg(test)]
mod tests;
