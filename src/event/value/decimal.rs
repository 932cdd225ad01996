//! DECIMAL and NUMERIC.
//!
//! By `decimal.handling.mode`: Connect's Decimal (the unscaled number as big-endian two's complement, the scale in the
//! schema), FLOAT64, or plain text at the column's scale. The binlog has packed digits, a result set has text; `wire`
//! turns either into the unscaled number without a big-number type. Manual: "Fixed-Point Types".

use crate::config::modes::DecimalHandlingMode;
use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal, text_of};
use crate::schema::column::Column;
use crate::wire::decimal::{
    MAX_SHORT_DIGITS, UnscaledBuffer, packed_to_short, packed_to_text, packed_to_unscaled, text_to_short,
    text_to_unscaled,
};

const MALFORMED: Failure =
    Failure::Unrepresentable("the DECIMAL is malformed or has more digits than the column");

/// Digits and scale of a column that names none: DECIMAL is DECIMAL(10,0).
const DEFAULT_PRECISION: i32 = 10;

/// The powers of ten that are doubles without rounding.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// The integers up to here are doubles without rounding.
const EXACT: u64 = 1 << 53;

/// A DECIMAL column.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    mode: DecimalHandlingMode,
    /// Digits after the point, at most 30.
    scale: u8,
}

/// Connect's Decimal.
pub(super) fn schema(precision: i32, scale: i32) -> Schema {
    Schema::new(Type::Bytes)
        .named("org.apache.kafka.connect.data.Decimal", Some(1))
        .parameter("scale", scale.to_string())
        .parameter("connect.decimal.precision", precision.to_string())
}

pub(super) fn compile(column: &Column, values: &ValueConfig) -> Compiled {
    let precision = column.length.unwrap_or(DEFAULT_PRECISION);
    let scale = u8::try_from(column.scale.unwrap_or(0)).unwrap_or(0).min(30);
    let family = Decimal { mode: values.decimal, scale };
    let schema = match values.decimal {
        DecimalHandlingMode::Precise => schema(precision, scale.into()),
        DecimalHandlingMode::Double => Schema::new(Type::Float64),
        DecimalHandlingMode::String => Schema::new(Type::String),
    };
    let default = column.default_value_expression.as_deref().and_then(|text| plain(text, scale));
    Compiled {
        schema,
        default: Ok(default.and_then(|text| family.value(text))),
        zero: plain("0", scale).and_then(|text| family.value(text)).unwrap_or(Value::Null),
        family: Family::Decimal(family),
    }
}

/// A number as plain text at a scale, rounded half away from zero as the server does; none when it is no number.
fn plain(text: &str, scale: u8) -> Option<String> {
    let text = literal::number(text);
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().ok().filter(|exponent: &i32| exponent.abs() <= 100)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    if digits.is_empty() || digits.len() > 200 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // So many digits are kept: those before the point and `scale` behind it.
    let mut kept = i32::try_from(whole.len()).ok()? + exponent + i32::from(scale);
    while kept < 1 {
        digits.insert(0, b'0');
        kept += 1;
    }
    let kept = usize::try_from(kept).ok()?;
    digits.resize(digits.len().max(kept), b'0');
    let round_up = digits.get(kept).is_some_and(|digit| *digit >= b'5');
    digits.truncate(kept);
    // Digits behind the point need one before it.
    let missing = (usize::from(scale) + 1).saturating_sub(digits.len());
    digits.splice(0..0, std::iter::repeat_n(b'0', missing));
    if round_up {
        let nines = digits.iter().rev().take_while(|digit| **digit == b'9').count();
        let last = digits.len() - nines;
        digits.iter_mut().skip(last).for_each(|digit| *digit = b'0');
        match last.checked_sub(1).and_then(|place| digits.get_mut(place)) {
            Some(digit) => *digit += 1,
            None => digits.insert(0, b'1'),
        }
    }
    let point = digits.len() - usize::from(scale);
    let zeros = digits.iter().take(point.saturating_sub(1)).take_while(|digit| **digit == b'0').count();
    let is_zero = digits.iter().all(|digit| *digit == b'0');
    let mut plain = String::with_capacity(digits.len() + 2);
    if negative && !is_zero {
        plain.push('-');
    }
    for (index, digit) in digits.iter().enumerate().skip(zeros) {
        if index == point {
            plain.push('.');
        }
        plain.push(char::from(*digit));
    }
    Some(plain)
}

/// A result set has the zeros of ZEROFILL, which is UNSIGNED; the digit before the point stays.
fn without_leading_zeros(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let zeros = text.bytes().take(digits.saturating_sub(1)).take_while(|digit| *digit == b'0').count();
    text.get(zeros..).unwrap_or(text)
}

/// The closest double to an unscaled number at a scale: where both are doubles without rounding it is their quotient, which
/// is rounded once (Clinger, "How to Read Floating Point Numbers Accurately").
#[inline]
fn quotient(unscaled: i64, scale: u8) -> Option<f64> {
    let power = POWERS.get(usize::from(scale))?;
    (unscaled.unsigned_abs() <= EXACT).then(|| unscaled as f64 / power)
}

/// A packed number as text in the buffer.
fn packed_text<'s>(
    packed: &[u8],
    precision: u8,
    scale: u8,
    scratch: &'s mut Vec<u8>,
) -> Result<&'s str, Failure> {
    scratch.clear();
    packed_to_text(packed, precision, scale, scratch).map_err(|_| MALFORMED)?;
    text_of(scratch)
}

impl Decimal {
    /// Plain text at the column's scale as a value.
    fn value(self, text: String) -> Option<Value> {
        match self.mode {
            DecimalHandlingMode::Precise => {
                let mut buffer = UnscaledBuffer::default();
                let unscaled = text_to_unscaled(text.as_bytes(), self.scale, &mut buffer).ok()?;
                Some(Value::Bytes(unscaled.to_vec()))
            }
            DecimalHandlingMode::Double => text.parse().ok().map(Value::Float64),
            DecimalHandlingMode::String => Some(Value::String(text)),
        }
    }

    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let mut buffer = UnscaledBuffer::default();
        let text = match (value, self.mode) {
            (ColumnValue::PackedDecimal { scale, .. }, _) if scale != self.scale => return Err(OTHER_KIND),
            (ColumnValue::PackedDecimal { packed, precision, scale }, DecimalHandlingMode::Precise) => {
                let unscaled = packed_to_unscaled(packed, precision, scale, &mut buffer);
                sink.bytes(unscaled.map_err(|_| MALFORMED)?);
                return Ok(());
            }
            (ColumnValue::DecimalText(text), DecimalHandlingMode::Precise) => {
                sink.bytes(text_to_unscaled(text, self.scale, &mut buffer).map_err(|_| MALFORMED)?);
                return Ok(());
            }
            (
                ColumnValue::PackedDecimal { packed, precision: precision @ ..=MAX_SHORT_DIGITS, scale },
                DecimalHandlingMode::Double,
            ) => {
                let unscaled = packed_to_short(packed, precision, scale).map_err(|_| MALFORMED)?;
                if let Some(double) = quotient(unscaled, scale) {
                    sink.decimal_float64(double, unscaled, scale);
                    return Ok(());
                }
                packed_text(packed, precision, scale, scratch)?
            }
            (ColumnValue::PackedDecimal { packed, precision, scale }, DecimalHandlingMode::Double) => {
                packed_text(packed, precision, scale, scratch)?
            }
            (ColumnValue::PackedDecimal { packed, precision, scale }, DecimalHandlingMode::String) => {
                scratch.clear();
                packed_to_text(packed, precision, scale, scratch).map_err(|_| MALFORMED)?;
                sink.ascii(scratch);
                return Ok(());
            }
            (ColumnValue::DecimalText(text), DecimalHandlingMode::Double) => {
                if let Some(unscaled) = text_to_short(text, self.scale)
                    && let Some(double) = quotient(unscaled, self.scale)
                {
                    sink.decimal_float64(double, unscaled, self.scale);
                    return Ok(());
                }
                text_of(text)?
            }
            (ColumnValue::DecimalText(text), DecimalHandlingMode::String) => {
                sink.string(without_leading_zeros(text_of(text)?));
                return Ok(());
            }
            _ => return Err(OTHER_KIND),
        };
        // The closest double, as BigDecimal.doubleValue gives it.
        sink.float64(text.parse().map_err(|_| MALFORMED)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_decimal_precise, types_decimal_double, and a run with `string`: text, then the three modes.
    #[test]
    fn decimals_come_by_the_mode() {
        for ((length, scale), text, precise, double, string) in [
            ((5, 0), "-99999", r#""/nlh""#, "-99999.0", r#""-99999""#),
            ((10, 2), "1.10", r#""bg==""#, "1.1", r#""1.10""#),
            ((9, 9), "0.000000001", r#""AQ==""#, "1.0E-9", r#""0.000000001""#),
            ((20, 5), "-128.50000", r#""/zvssA==""#, "-128.5", r#""-128.50000""#),
            (
                (65, 30),
                "-99999999999999999999999999999999999.999999999999999999999999999999",
                r#""/wzp2OOAPG91dBC5sca6EIXayfYAAAAAAAAAAQ==""#,
                "-1.0E35",
                r#""-99999999999999999999999999999999999.999999999999999999999999999999""#,
            ),
            (
                (30, 30),
                "0.000000000000000000000000000001",
                r#""AQ==""#,
                "1.0E-30",
                r#""0.000000000000000000000000000001""#,
            ),
        ] {
            let column = TestColumn::new("DECIMAL").length(length).scale(scale).optional();
            for (mode, json) in [
                (DecimalHandlingMode::Precise, precise),
                (DecimalHandlingMode::Double, double),
                (DecimalHandlingMode::String, string),
            ] {
                let mut config = config();
                config.decimal = mode;
                assert_eq!(column.json(&config, ColumnValue::DecimalText(text.as_bytes())), json, "{text}");
            }
        }
        // DECIMAL(8,2) ZEROFILL in a result set of MySQL 9.7.
        let mut config = config();
        config.decimal = DecimalHandlingMode::String;
        let column = TestColumn::new("DECIMAL UNSIGNED ZEROFILL").length(8).scale(2);
        for (text, json) in
            [("000012.50", r#""12.50""#), ("000000.00", r#""0.00""#), ("123456.00", r#""123456.00""#)]
        {
            assert_eq!(column.json(&config, ColumnValue::DecimalText(text.as_bytes())), json);
        }
        let column = TestColumn::new("DECIMAL UNSIGNED ZEROFILL").length(4).scale(0);
        assert_eq!(column.json(&config, ColumnValue::DecimalText(b"0000")), r#""0""#);
    }

    /// 1.10 in DECIMAL(10,2): four bytes of eight digits, one of two.
    #[test]
    fn packed_decimals_come_by_the_mode() {
        let packed = ColumnValue::PackedDecimal { packed: &[0x80, 0, 0, 1, 10], precision: 10, scale: 2 };
        let column = TestColumn::new("NUMERIC").length(10).scale(2);
        for (mode, json) in [
            (DecimalHandlingMode::Precise, r#""bg==""#),
            (DecimalHandlingMode::Double, "1.1"),
            (DecimalHandlingMode::String, r#""1.10""#),
        ] {
            let mut config = config();
            config.decimal = mode;
            assert_eq!(column.json(&config, packed), json);
        }
        let other_scale = TestColumn::new("DECIMAL").length(10).scale(3).optional();
        assert_eq!(other_scale.json(&config(), packed), "null");
    }

    #[test]
    fn the_schema_has_scale_precision_and_default() {
        for (mode, schema) in [
            (
                DecimalHandlingMode::Precise,
                r#"{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"4","connect.decimal.precision":"10"},"default":"Opg="}"#,
            ),
            (DecimalHandlingMode::Double, r#"{"type":"double","optional":true,"default":1.5}"#),
            (DecimalHandlingMode::String, r#"{"type":"string","optional":true,"default":"1.5000"}"#),
        ] {
            let mut config = config();
            config.decimal = mode;
            let column = TestColumn::new("DECIMAL").length(10).scale(4).optional().default("1.5");
            assert_eq!(column.schema_json(&config), schema);
        }
        assert_eq!(TestColumn::new("DECIMAL").json(&config(), ColumnValue::Null), r#""AA==""#);
    }

    /// Around 2^53 and 18 digits, where the quotient ends and reading begins: the closest double either way.
    #[test]
    fn doubles_are_the_closest() {
        let mut config = config();
        config.decimal = DecimalHandlingMode::Double;
        for (scale, text) in [
            (2, "90071992547409.91"),
            (2, "90071992547409.92"),
            (2, "90071992547409.93"),
            (2, "-0.07"),
            (2, "0.00"),
            (18, "0.009007199254740993"),
            (17, "9.99999999999999999"),
            (0, "999999999999999999"),
            (30, "0.000000000000000000000000000003"),
            (22, "0.0000000000000000000003"),
            (5, "123456789012345678901234567890.12345"),
        ] {
            let length = text.bytes().filter(u8::is_ascii_digit).count();
            let column = TestColumn::new("DECIMAL").length(length as i32).scale(scale);
            let json = column.json(&config, ColumnValue::DecimalText(text.as_bytes()));
            assert_eq!(
                json.parse::<f64>().unwrap().to_bits(),
                text.parse::<f64>().unwrap().to_bits(),
                "{text}"
            );
        }
        let column = TestColumn::new("DECIMAL").length(16).scale(0);
        // 2^53 + 1, packed in 7 and 9 digits: half way, to the even one.
        let packed = [&9_007_199u32.to_be_bytes()[..], &254_740_993u32.to_be_bytes()].concat();
        let packed = [&[packed[0] ^ 0x80], &packed[1..]].concat();
        let value = ColumnValue::PackedDecimal { packed: &packed, precision: 16, scale: 0 };
        assert_eq!(column.json(&config, value), "9.007199254740992E15");
        assert_eq!(column.json(&config, ColumnValue::DecimalText(b"-0")), "0.0");
    }

    #[test]
    fn numbers_are_brought_to_the_scale() {
        for (text, scale, expected) in [
            ("-12.3", 2, Some("-12.30")),
            ("7", 4, Some("7.0000")),
            ("1.005", 2, Some("1.01")),
            ("-0.004", 2, Some("0.00")),
            ("9.99", 1, Some("10.0")),
            ("0.00001", 2, Some("0.00")),
            ("1.5e2", 0, Some("150")),
            ("25e-1", 0, Some("3")),
            ("99999.5", 0, Some("100000")),
            ("000042", 0, Some("42")),
            (".5", 1, Some("0.5")),
            ("1e999", 0, None),
            ("n/a", 0, None),
            ("", 0, None),
        ] {
            assert_eq!(plain(text, scale).as_deref(), expected, "{text}");
        }
    }
}
