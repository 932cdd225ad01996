//! A key as the header of a key change shows it.
//!
//! Headers go through Kafka Connect's SimpleHeaderConverter whatever the converters of key and value are. It prints a
//! struct as JSON of its own (org.apache.kafka.connect.data.Values): only `"` and `\` are escaped in strings, a Decimal
//! is a plain number, bytes are Base64.

use crate::connect::cell::CellSink;
use crate::connect::schema::Schema;
use crate::converter::json::sink::JsonSink;
use crate::converter::json::value::decimal_scale;
use crate::converter::json::number::write_decimal;

/// Prints one key value at the end of a buffer.
pub struct HeaderSink<'a> {
    out: &'a mut Vec<u8>,
    scale: Option<i32>,
}

impl<'a> HeaderSink<'a> {
    /// A sink for a field of this schema.
    pub fn new(schema: &Schema, out: &'a mut Vec<u8>) -> Self {
        HeaderSink { out, scale: decimal_scale(schema) }
    }
}

impl CellSink for HeaderSink<'_> {
    fn null(&mut self) {
        self.out.extend_from_slice(b"null");
    }

    fn boolean(&mut self, value: bool) {
        JsonSink::new(self.out).boolean(value);
    }

    fn integer(&mut self, value: i64) {
        JsonSink::new(self.out).integer(value);
    }

    fn float32(&mut self, value: f32) {
        JsonSink::new(self.out).float32(value);
    }

    fn float64(&mut self, value: f64) {
        JsonSink::new(self.out).float64(value);
    }

    fn string(&mut self, value: &str) {
        self.out.push(b'"');
        for &byte in value.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                self.out.push(b'\\');
            }
            self.out.push(byte);
        }
        self.out.push(b'"');
    }

    fn bytes(&mut self, value: &[u8]) {
        match self.scale {
            Some(scale) => write_decimal(value, scale, self.out),
            None => JsonSink::new(self.out).bytes(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::schema::Type;

    /// The header of a golden key change with a DECIMAL and a binary column.
    #[test]
    fn a_decimal_is_a_number_and_only_quotes_and_backslashes_are_escaped() {
        let decimal = Schema::new(Type::Bytes)
            .named("org.apache.kafka.connect.data.Decimal", Some(1))
            .parameter("scale", "2");
        let mut out = Vec::new();
        HeaderSink::new(&decimal, &mut out).bytes(&[0, 250]);
        out.push(b' ');
        HeaderSink::new(&Schema::new(Type::String), &mut out).string("a\"b\\c\n");
        out.push(b' ');
        HeaderSink::new(&Schema::new(Type::Bytes), &mut out).bytes(&[0]);
        assert_eq!(out, b"2.50 \"a\\\"b\\\\c\n\" \"AA==\"");
    }
}
