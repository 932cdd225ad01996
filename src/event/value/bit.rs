//! BIT(n).
//!
//! BIT(1) is BOOLEAN. A wider one is `io.debezium.data.Bits`: ceil(n/8) bytes, the least significant first, on both paths
//! and in keys. The server stores the most significant byte first. Manual: "Bit-Value Type".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal};
use crate::schema::column::Column;

/// A BIT column.
#[derive(Clone, Copy, Debug)]
pub struct Bit {
    /// 1 to 64.
    length: u8,
}

pub(super) fn compile(column: &Column) -> Compiled {
    let length = u8::try_from(column.length.unwrap_or(1)).unwrap_or(1).clamp(1, 64);
    let family = Bit { length };
    let number = column.default_value_expression.as_deref().and_then(default_bits);
    let (schema, default, zero) = if length == 1 {
        (Schema::new(Type::Boolean), number.map(|bits| Value::Boolean(bits != 0)), Value::Boolean(false))
    } else {
        let schema = Schema::new(Type::Bytes)
            .named("io.debezium.data.Bits", Some(1))
            .parameter("length", length.to_string());
        (schema, number.map(|bits| Value::Bytes(little_endian(bits, length))), Value::Bytes(Vec::new()))
    };
    Compiled { family: Family::Bit(family), schema, default: Ok(default), zero }
}

/// The reference keeps only the digits of `b'101'`, so that ones and zeros alone are bits; anything else is a number.
fn default_bits(text: &str) -> Option<u64> {
    let digits = literal::bits(text).unwrap_or(text);
    match u64::from_str_radix(digits, 2) {
        Ok(bits) => Some(bits),
        Err(_) => literal::integer(text).and_then(|number| u64::try_from(number).ok()),
    }
}

/// ceil(length/8) bytes, least significant first.
fn little_endian(bits: u64, length: u8) -> Vec<u8> {
    bits.to_le_bytes().into_iter().take(usize::from(length).div_ceil(8)).collect()
}

impl Bit {
    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        let number = match value {
            // At most eight bytes matter; leading ones beyond them are zeros.
            ColumnValue::Bit(bytes) => bytes.iter().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte)),
            ColumnValue::UInt(number) => number,
            _ => return Err(OTHER_KIND),
        };
        if self.length == 1 {
            sink.boolean(number != 0);
        } else {
            let bytes = number.to_le_bytes();
            sink.bytes(bytes.get(..usize::from(self.length).div_ceil(8)).unwrap_or(&bytes));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_bit.
    #[test]
    fn bits_come_least_significant_first() {
        for (length, bytes, json) in [
            (1, &[1][..], "true"),
            (1, &[0], "false"),
            (5, &[0x10], r#""EA==""#),
            (9, &[0x01, 0x00], r#""AAE=""#),
            (9, &[0x01, 0xff], r#""/wE=""#),
            (12, &[0x08, 0x01], r#""AQg=""#),
            (17, &[0x01, 0x00, 0x00], r#""AAAB""#),
            (33, &[0x01, 0xff, 0xff, 0xff, 0xff], r#""/////wE=""#),
            (64, &[0x80, 0, 0, 0, 0, 0, 0, 0], r#""AAAAAAAAAIA=""#),
        ] {
            let column = TestColumn::new("BIT").length(length);
            assert_eq!(column.json(&config(), ColumnValue::Bit(bytes)), json);
        }
    }

    #[test]
    fn defaults_are_bit_literals_without_their_quotes() {
        for (length, text, schema) in [
            (1, "1", r#"{"type":"boolean","optional":true,"default":true}"#),
            (
                10,
                "1000000001",
                r#"{"type":"bytes","optional":true,"name":"io.debezium.data.Bits","version":1,"parameters":{"length":"10"},"default":"AQI="}"#,
            ),
            (
                64,
                "100000010000000110000010000000101000001100000011100001000",
                r#"{"type":"bytes","optional":true,"name":"io.debezium.data.Bits","version":1,"parameters":{"length":"64"},"default":"CAcGBQQDAgE="}"#,
            ),
            (
                8,
                "65",
                r#"{"type":"bytes","optional":true,"name":"io.debezium.data.Bits","version":1,"parameters":{"length":"8"},"default":"QQ=="}"#,
            ),
        ] {
            let column = TestColumn::new("BIT").length(length).optional().default(text);
            assert_eq!(column.schema_json(&config()), schema);
        }
    }
}
