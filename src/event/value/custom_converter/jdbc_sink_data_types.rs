//! JdbcSinkDataTypesConverter: types that a JDBC sink connector knows.
//!
//! - `selector.boolean`: INT16, 1 for a number whose integral part is above zero, for text that says so or says `true`.
//! - `selector.real`: FLOAT64 (or FLOAT32) of any number, also one that is text.
//! - `selector.string`: STRING, with the character set in the schema; numbers as Java's `toString` spells them.
//!
//! Debezium's own takes what the binlog client or the JDBC driver happens to give: it reads text of any character set as
//! UTF-8, unsigned numbers as signed ones, text for a number as 0, an ENUM as its number, and says `""` or 0 for what it does
//! not know. Here a value is what the server stored, on both paths; what has no such form is a conversion failure.

use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, TemporalPrecisionMode,
};
use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue, Scalar};
use crate::connect::digits::write_integer;
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::converter::json::number::{not_finite, write_double, write_float};
use crate::event::value::binary::Binary;
use crate::event::value::custom_converter::Custom;
use crate::event::value::error::{Failure, ValueError};
use crate::event::value::{ColumnSettings, Compiled, Family, compile_family, float, literal, text_of};
use crate::schema::charset::Charset;
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::table_id::TableId;
use crate::wire::decimal::packed_to_text;

/// What a converter makes of a cell, before it is a value.
enum Number<'a> {
    Signed(i64),
    Unsigned(u64),
    Single(f32),
    Double(f64),
    /// Digits of a DECIMAL, or the text of a text column.
    Text(&'a str),
}

const NO_NUMBER: Failure = Failure::Unrepresentable("the converter takes numbers, and the value is none");

const MALFORMED: Failure =
    Failure::Unrepresentable("the DECIMAL is malformed or has more digits than the column");

/// The number of a cell.
fn number<'a>(
    value: ColumnValue<'a>,
    charset: Charset,
    scratch: &'a mut Vec<u8>,
) -> Result<Number<'a>, Failure> {
    Ok(match value {
        ColumnValue::Int(number) => Number::Signed(number),
        ColumnValue::UInt(number) => Number::Unsigned(number),
        ColumnValue::Float(number) => Number::Single(number),
        ColumnValue::Double(number) => Number::Double(number),
        ColumnValue::Year(year) => Number::Signed(year.into()),
        ColumnValue::Bit(bytes) => {
            Number::Unsigned(bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
        }
        ColumnValue::PackedDecimal { packed, precision, scale } => {
            scratch.clear();
            packed_to_text(packed, precision, scale, scratch).map_err(|_| MALFORMED)?;
            Number::Text(text_of(scratch)?)
        }
        ColumnValue::Text(text) => Number::Text(text),
        ColumnValue::DecimalText(text) => Number::Text(text_of(text)?),
        ColumnValue::Bytes(bytes) => Number::Text(charset.decode(bytes, scratch)),
        _ => return Err(NO_NUMBER),
    })
}

/// The character set of a column; one without, and one that is not known here, holds digits of ASCII if any.
fn charset(column: &Column) -> Charset {
    column.charset_name.as_deref().and_then(Charset::named).unwrap_or(Charset::UTF8MB4)
}

/// `selector.boolean`.
#[derive(Clone, Copy, Debug)]
pub struct Int16 {
    charset: Charset,
}

pub(super) fn compile_int16(column: &Column) -> Compiled {
    let truth = |text: &str| {
        let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.'));
        let other_digits = literal::integer(text).filter(|_| !plain);
        other_digits.map_or_else(|| text_is_true(text), |number| number > 0)
    };
    Compiled {
        family: Custom::Int16(Int16 { charset: charset(column) }).into(),
        schema: Schema::new(Type::Int16),
        default: Ok(column
            .default_value_expression
            .as_deref()
            .map(|text| Value::Integer(truth(text).into()))),
        zero: Value::Integer(0),
    }
}

/// `Integer.parseInt(text) > 0`, or the word; of a DECIMAL the digits before the point count.
fn text_is_true(text: &str) -> bool {
    let (digits, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let all_digits = digits.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if all_digits && !digits.is_empty() {
        digits.bytes().any(|digit| digit != b'0')
    } else {
        text.eq_ignore_ascii_case("true")
    }
}

impl Int16 {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let truth = match number(value, self.charset, scratch)? {
            Number::Signed(number) => number > 0,
            Number::Unsigned(number) => number > 0,
            Number::Single(number) => number >= 1.0,
            Number::Double(number) => number >= 1.0,
            Number::Text(text) => text_is_true(text),
        };
        sink.integer(truth.into());
        Ok(())
    }
}

/// `selector.real`.
#[derive(Clone, Copy, Debug)]
pub struct Real {
    double: bool,
    charset: Charset,
}

pub(super) fn compile_real(column: &Column, double: bool) -> Compiled {
    let single = column.data_type() == Some(DataType::Float) && float::is_single(column);
    let value = |number: f64| if double { Value::Float64(number) } else { Value::Float32(number as f32) };
    let default = column.default_value_expression.as_deref().and_then(|text| {
        // A FLOAT has lost digits before it becomes a double.
        let read = if single {
            text.trim().parse().ok().map(|number: f32| number.into())
        } else {
            text.trim().parse().ok()
        };
        read.or_else(|| literal::integer(text).map(|number| number as f64))
            .filter(|number| number.is_finite())
    });
    Compiled {
        family: Custom::Real(Real { double, charset: charset(column) }).into(),
        schema: Schema::new(if double { Type::Float64 } else { Type::Float32 }),
        default: Ok(default.map(value)),
        zero: value(0.0),
    }
}

impl Real {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let number = number(value, self.charset, scratch)?;
        if self.double {
            sink.float64(match number {
                Number::Signed(number) => number as f64,
                Number::Unsigned(number) => number as f64,
                Number::Single(number) => number.into(),
                Number::Double(number) => number,
                Number::Text(text) => finite(text.trim().parse::<f64>().ok(), f64::is_finite)?,
            });
        } else {
            sink.float32(match number {
                Number::Signed(number) => number as f32,
                Number::Unsigned(number) => number as f32,
                Number::Single(number) => number,
                Number::Double(number) => number as f32,
                Number::Text(text) => finite(text.trim().parse::<f32>().ok(), f32::is_finite)?,
            });
        }
        Ok(())
    }
}

/// A number that was read from text; its `inf` and `nan` are words, not numbers.
fn finite<T: Copy>(number: Option<T>, is_finite: impl Fn(T) -> bool) -> Result<T, Failure> {
    number.filter(|number| is_finite(*number)).ok_or(NO_NUMBER)
}

/// `selector.string`.
#[derive(Debug)]
pub struct Text(Source);

/// What gives the text of a cell that is no number.
#[derive(Debug)]
enum Source {
    /// The bytes of a binary column, taken for UTF-8.
    Binary(Binary),
    /// A family that gives text.
    Family(Family),
    /// Nothing: the type has no text.
    None,
}

const NO_TEXT: Failure =
    Failure::Unrepresentable("the converter makes text, and values of this type have none");

/// The handling modes under which every family that can gives text.
fn text_modes(values: &ValueConfig) -> ValueConfig {
    ValueConfig {
        decimal: DecimalHandlingMode::String,
        bigint_unsigned: BigIntUnsignedHandlingMode::Long,
        temporal: TemporalPrecisionMode::IsoString,
        binary: BinaryHandlingMode::Bytes,
        ..values.clone()
    }
}

pub(super) fn compile_string(
    table: &TableId,
    column: &Column,
    settings: ColumnSettings<'_>,
) -> Result<Option<Compiled>, ValueError> {
    let values = text_modes(settings.values);
    let Some(compiled) = compile_family(table, column, ColumnSettings { values: &values, ..settings })?
    else {
        return Ok(None);
    };
    let mut schema = Schema::new(Type::String);
    // Debezium gives the parameter no value where there is no character set, which no JsonConverter can read.
    if let Some(charset) = &column.charset_name {
        schema = schema.parameter("__debezium.source.column.character_set", charset);
    }
    Ok(Some(Compiled {
        schema,
        default: compiled.default.map(|default| default.and_then(|value| text_of_default(value, column))),
        zero: Value::String(String::new()),
        family: Custom::String(Text(match compiled.family {
            Family::Binary(family) => Source::Binary(family),
            _ if matches!(compiled.schema.kind, Type::Array | Type::Map | Type::Struct) => Source::None,
            family => Source::Family(family),
        }))
        .into(),
    }))
}

/// A default of another type as text.
fn text_of_default(value: Value, column: &Column) -> Option<Value> {
    let mut text = Vec::new();
    match value {
        Value::String(digits) if column.data_type() == Some(DataType::Decimal) => {
            write_decimal(&digits, &mut text).ok()?
        }
        Value::String(same) => return Some(Value::String(same)),
        Value::Integer(number) => write_integer(number, &mut text),
        Value::Boolean(flag) => write_integer(flag.into(), &mut text),
        Value::Float32(number) => write_float(number, &mut text),
        Value::Float64(number) => write_double(number, &mut text),
        Value::Bytes(bytes) => return Some(Value::String(String::from_utf8_lossy(&bytes).into_owned())),
        Value::Null | Value::Array(_) | Value::Map(_) | Value::Struct(_) => return None,
    }
    String::from_utf8(text).ok().map(Value::String)
}

impl Text {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        scratch.clear();
        match (value, &self.0) {
            (_, Source::None) => return Err(NO_TEXT),
            (ColumnValue::Int(number), _) => write_integer(number, scratch),
            (ColumnValue::UInt(number), _) => {
                scratch.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            (ColumnValue::Year(year), _) => write_integer(year.into(), scratch),
            (ColumnValue::Float(number), _) => match not_finite(number.into()) {
                Some(word) => scratch.extend_from_slice(word.as_bytes()),
                None => write_float(number, scratch),
            },
            (ColumnValue::Double(number), _) => match not_finite(number) {
                Some(word) => scratch.extend_from_slice(word.as_bytes()),
                None => write_double(number, scratch),
            },
            (ColumnValue::Bit(bytes), _) => {
                let number = bytes.iter().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
                scratch.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            (ColumnValue::DecimalText(text), _) => write_decimal(text_of(text)?, scratch)?,
            (ColumnValue::PackedDecimal { packed, precision, scale }, _) => {
                // Sign, point and at most 65 digits.
                let mut plain = [0; 80];
                let length = {
                    packed_to_text(packed, precision, scale, scratch).map_err(|_| MALFORMED)?;
                    let place = plain.get_mut(..scratch.len()).ok_or(MALFORMED)?;
                    place.copy_from_slice(scratch);
                    scratch.len()
                };
                scratch.clear();
                write_decimal(text_of(plain.get(..length).unwrap_or_default())?, scratch)?;
            }
            (value, Source::Binary(family)) => return family.write(value, scratch, &mut Utf8Sink(sink)),
            (value, Source::Family(family)) => return family.write(value, scratch, sink),
        }
        sink.ascii(scratch);
        Ok(())
    }
}

/// A DECIMAL as `BigDecimal.toString` spells it: with an exponent when the first digit stands behind the sixth place after
/// the point.
fn write_decimal(plain: &str, out: &mut Vec<u8>) -> Result<(), Failure> {
    let (sign, unsigned) = match plain.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", plain),
    };
    let is_number =
        !unsigned.is_empty() && unsigned.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
    if !is_number {
        return Err(MALFORMED);
    }
    let scale = unsigned.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // All digits but leading zeros, of which the last stays.
    let digits = || unsigned.bytes().filter(u8::is_ascii_digit);
    let zeros = digits().take_while(|digit| *digit == b'0').count().min(digits().count().saturating_sub(1));
    let after_first = digits().count().saturating_sub(zeros + 1);
    // The exponent of the first digit is `after_first - scale`.
    if scale <= after_first + 6 {
        out.extend_from_slice(plain.as_bytes());
        return Ok(());
    }
    out.extend_from_slice(sign.as_bytes());
    for (place, digit) in digits().skip(zeros).enumerate() {
        if place == 1 {
            out.push(b'.');
        }
        out.push(digit);
    }
    out.extend_from_slice(b"E-");
    out.extend_from_slice(itoa::Buffer::new().format(scale - after_first).as_bytes());
    Ok(())
}

/// Takes bytes for UTF-8, as Debezium does; what is none becomes U+FFFD.
struct Utf8Sink<'a, S>(&'a mut S);

impl<S: CellSink> CellSink for Utf8Sink<'_, S> {
    fn null(&mut self) {
        self.0.null();
    }

    fn boolean(&mut self, value: bool) {
        self.0.boolean(value);
    }

    fn integer(&mut self, value: i64) {
        self.0.integer(value);
    }

    fn float32(&mut self, value: f32) {
        self.0.float32(value);
    }

    fn float64(&mut self, value: f64) {
        self.0.float64(value);
    }

    fn string(&mut self, value: &str) {
        self.0.string(value);
    }

    fn bytes(&mut self, value: &[u8]) {
        self.0.string(&String::from_utf8_lossy(value));
    }

    fn fields(&mut self, fields: &[(&str, Scalar<'_>)]) {
        self.0.fields(fields);
    }

    fn float32_array(&mut self, items: impl ExactSizeIterator<Item = f32>) {
        self.0.float32_array(items);
    }
}
