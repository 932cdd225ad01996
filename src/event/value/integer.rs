//! TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, signed and unsigned.
//!
//! An unsigned type takes the next wider Connect type that holds it; BIGINT UNSIGNED has none and wraps into INT64
//! (`bigint.unsigned.handling.mode=long`) or becomes Connect's Decimal of scale 0 (`precise`). Display widths and
//! ZEROFILL do not matter. Manual: "Integer Types (Exact Value)".

use crate::config::modes::BigIntUnsignedHandlingMode;
use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, decimal, literal};
use crate::schema::column::Column;

/// Bytes of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// TINYINT.
    One,
    /// SMALLINT.
    Two,
    /// MEDIUMINT.
    Three,
    /// INT.
    Four,
    /// BIGINT.
    Eight,
}

/// An integer column.
#[derive(Clone, Copy, Debug)]
pub struct Integer {
    /// Whether values go out as Decimal.
    precise: bool,
}

pub(super) fn compile(column: &Column, width: Width, unsigned: bool, values: &ValueConfig) -> Compiled {
    let precise =
        width == Width::Eight && unsigned && values.bigint_unsigned == BigIntUnsignedHandlingMode::Precise;
    let schema = match (width, unsigned) {
        _ if precise => decimal::schema(20, 0),
        (Width::One, _) | (Width::Two, false) => Schema::new(Type::Int16),
        (Width::Two, true) | (Width::Three, _) | (Width::Four, false) => Schema::new(Type::Int32),
        (Width::Four, true) | (Width::Eight, _) => Schema::new(Type::Int64),
    };
    let default = column.default_value_expression.as_deref().and_then(literal::integer);
    let value = |number: i128| {
        if precise {
            let number = u64::try_from(number.max(0)).unwrap_or(u64::MAX);
            let (bytes, start) = unscaled(number);
            Value::Bytes(bytes.get(start..).unwrap_or_default().to_vec())
        } else {
            // A default beyond INT64 stops at its end, unlike values, which wrap.
            Value::Integer(i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX }))
        }
    };
    Compiled {
        family: Family::Integer(Integer { precise }),
        schema,
        default: Ok(default.map(value)),
        zero: value(0),
    }
}

impl Integer {
    /// Whether a number goes out as the integer that it is.
    pub(super) fn keeps(self) -> bool {
        !self.precise
    }

    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        match (value, self.precise) {
            (ColumnValue::Int(number), false) => sink.integer(number),
            (ColumnValue::UInt(number), false) => sink.integer(number.cast_signed()),
            (ColumnValue::UInt(number), true) => {
                let (bytes, start) = unscaled(number);
                sink.bytes(bytes.get(start..).unwrap_or_default());
            }
            (ColumnValue::Int(number), true) => {
                let (bytes, start) = unscaled(number.cast_unsigned());
                sink.bytes(bytes.get(start..).unwrap_or_default());
            }
            _ => return Err(OTHER_KIND),
        }
        Ok(())
    }
}

/// A number as big-endian two's complement, and where its minimal form starts: a byte of zeros stays when the next one
/// has its top bit set.
fn unscaled(number: u64) -> ([u8; 9], usize) {
    let mut bytes = [0u8; 9];
    for (place, byte) in bytes.iter_mut().skip(1).zip(number.to_be_bytes()) {
        *place = byte;
    }
    let bits = 64 - number.leading_zeros() as usize;
    (bytes, 8 - bits / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_int_signed, types_int_unsigned_long, types_defaults; DECIMAL forms from a run with
    /// `bigint.unsigned.handling.mode=precise`.
    #[test]
    fn integers_take_the_type_that_holds_them() {
        use ColumnValue::{Int, UInt};
        for (type_name, kind, value, json) in [
            ("TINYINT", "int16", Int(-128), "-128"),
            ("TINYINT UNSIGNED", "int16", UInt(255), "255"),
            ("SMALLINT", "int16", Int(-32768), "-32768"),
            ("SMALLINT UNSIGNED ZEROFILL", "int32", UInt(65535), "65535"),
            ("MEDIUMINT", "int32", Int(-8388608), "-8388608"),
            ("MEDIUMINT UNSIGNED", "int32", UInt(16777215), "16777215"),
            ("INT", "int32", Int(-2147483648), "-2147483648"),
            ("INTEGER UNSIGNED", "int64", UInt(4294967295), "4294967295"),
            ("BIGINT SIGNED", "int64", Int(i64::MIN), "-9223372036854775808"),
            ("BIGINT UNSIGNED", "int64", UInt(u64::MAX), "-1"),
            ("BIGINT UNSIGNED", "int64", UInt(1 << 63), "-9223372036854775808"),
        ] {
            let column = TestColumn::new(type_name);
            assert_eq!(column.schema_json(&config()), format!(r#"{{"type":"{kind}","optional":false}}"#));
            assert_eq!(column.json(&config(), value), json, "{type_name}");
        }
    }

    #[test]
    fn precise_big_integers_are_decimals() {
        let mut config = config();
        config.bigint_unsigned = BigIntUnsignedHandlingMode::Precise;
        let column = TestColumn::new("BIGINT UNSIGNED").optional().default("18446744073709551615");
        assert_eq!(
            column.schema_json(&config),
            r#"{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"0","connect.decimal.precision":"20"},"default":"AP//////////"}"#
        );
        for (value, json) in [
            (0, r#""AA==""#),
            (127, r#""fw==""#),
            (128, r#""AIA=""#),
            (1 << 63, r#""AIAAAAAAAAAA""#),
            (u64::MAX, r#""AP//////////""#),
        ] {
            assert_eq!(column.json(&config, ColumnValue::UInt(value)), json);
        }
    }

    #[test]
    fn defaults_are_numbers_and_stand_for_missing_values() {
        let column = TestColumn::new("BIGINT UNSIGNED").optional().default("18446744073709551615");
        assert_eq!(
            column.schema_json(&config()),
            r#"{"type":"int64","optional":true,"default":9223372036854775807}"#
        );
        let column = TestColumn::new("INT UNSIGNED ZEROFILL").default("000042");
        assert_eq!(column.schema_json(&config()), r#"{"type":"int64","optional":false,"default":42}"#);
        assert_eq!(column.json(&config(), ColumnValue::Null), "42");
        assert_eq!(TestColumn::new("INT").json(&config(), ColumnValue::Null), "0");
        assert_eq!(TestColumn::new("INT").optional().json(&config(), ColumnValue::Null), "null");
    }
}
