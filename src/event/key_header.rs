//! The other key in the headers of a key change.
//!
//! `__debezium.newkey` and `__debezium.oldkey` hold a struct, which Connect's default SimpleHeaderConverter writes as text
//! of its own: `{"name":value,…}`, where strings have only `"` and `\` escaped, a Decimal is a number, bytes are Base64,
//! Connect's Date, Time and Timestamp are ISO text without quotes, and a null is the default of its field when there is
//! one. Source: org.apache.kafka.connect.data.Values.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::connect::cell::{CellSink, Scalar};
use crate::connect::digits::write_integer;
use crate::connect::schema::Schema;
use crate::connect::value::Value;
use crate::converter::json::number::{write_decimal, write_double, write_float};
use crate::converter::json::value::decimal_scale;
use crate::event::value::calendar::{Fraction, SECONDS_PER_DAY, from_epoch_second, write_date, write_time};

/// Milliseconds of a day.
const DAY: i64 = SECONDS_PER_DAY * 1000;

/// A field of the key, prepared for the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderField {
    null: Box<[u8]>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    Decimal(i32),
    /// Connect's Date: the integer counts days.
    Date,
    /// Connect's Time and Timestamp: the integer counts milliseconds.
    Millis,
}

impl HeaderField {
    /// A field of this schema.
    pub fn new(schema: &Schema) -> Self {
        let form = match (decimal_scale(schema), schema.name.as_deref()) {
            (Some(scale), _) => Form::Decimal(scale),
            (None, Some("org.apache.kafka.connect.data.Date")) => Form::Date,
            (
                None,
                Some("org.apache.kafka.connect.data.Time" | "org.apache.kafka.connect.data.Timestamp"),
            ) => Form::Millis,
            _ => Form::Plain,
        };
        let mut null = Vec::new();
        let mut sink = HeaderSink { out: &mut null, null: b"null", form };
        match &schema.default {
            Some(Value::Boolean(value)) => sink.boolean(*value),
            Some(Value::Integer(value)) => sink.integer(*value),
            Some(Value::Float32(value)) => sink.float32(*value),
            Some(Value::Float64(value)) => sink.float64(*value),
            Some(Value::String(value)) => sink.string(value),
            Some(Value::Bytes(value)) => sink.bytes(value),
            // Only expressions are defaults of the composite types, and those stand in no schema.
            Some(Value::Null | Value::Array(_) | Value::Map(_) | Value::Struct(_)) | None => sink.null(),
        }
        HeaderField { null: null.into(), form }
    }
}

/// Prints one cell of a key in a header. The braces and names around it are the caller's, see `write_name`.
pub struct HeaderSink<'a> {
    out: &'a mut Vec<u8>,
    null: &'a [u8],
    form: Form,
}

impl<'a> HeaderSink<'a> {
    /// A sink for a prepared field.
    pub fn for_field(field: &'a HeaderField, out: &'a mut Vec<u8>) -> Self {
        HeaderSink { out, null: &field.null, form: field.form }
    }
}

/// Appends a quoted string.
pub fn write_name(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' || byte == b'\\' {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'"');
}

fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(STANDARD.encode(bytes).as_bytes());
    out.push(b'"');
}

/// ISO text of a java.util.Date: a time within the first day (or before it), a date at midnight, or both.
fn write_millis(millis: i64, out: &mut Vec<u8>) {
    let sub = u32::try_from(millis.rem_euclid(1000)).unwrap_or(0) * 1000;
    let clock = from_epoch_second(millis.div_euclid(1000), sub);
    let time = |out: &mut Vec<u8>| {
        write_time(clock.hour, clock.minute, clock.second, clock.micros, Fraction::Digits(3), out);
        out.push(b'Z');
    };
    if millis < DAY {
        time(out);
    } else {
        write_date(clock.date, out);
        if millis % DAY != 0 {
            out.push(b'T');
            time(out);
        }
    }
}

impl CellSink for HeaderSink<'_> {
    fn null(&mut self) {
        self.out.extend_from_slice(self.null);
    }

    fn boolean(&mut self, value: bool) {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    fn integer(&mut self, value: i64) {
        match self.form {
            Form::Date => write_millis(value.saturating_mul(DAY), self.out),
            Form::Millis => write_millis(value, self.out),
            Form::Plain | Form::Decimal(_) => write_integer(value, self.out),
        }
    }

    fn float32(&mut self, value: f32) {
        write_float(value, self.out);
    }

    fn float64(&mut self, value: f64) {
        write_double(value, self.out);
    }

    fn string(&mut self, value: &str) {
        write_name(value, self.out);
    }

    fn bytes(&mut self, value: &[u8]) {
        if let Form::Decimal(scale) = self.form {
            return write_decimal(value, scale, self.out);
        }
        write_bytes(value, self.out);
    }

    fn fields(&mut self, fields: &[(&str, Scalar<'_>)]) {
        let mut separator = b'{';
        for (name, value) in fields {
            self.out.push(separator);
            separator = b',';
            write_name(name, self.out);
            self.out.push(b':');
            match value {
                Scalar::Null => self.out.extend_from_slice(b"null"),
                Scalar::Integer(number) => write_integer(*number, self.out),
                Scalar::Float64(number) => write_double(*number, self.out),
                Scalar::Bytes(bytes) => write_bytes(bytes, self.out),
            }
        }
        self.out.push(b'}');
    }

    fn float32_array(&mut self, items: impl ExactSizeIterator<Item = f32>) {
        self.out.push(b'[');
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            write_float(item, self.out);
        }
        self.out.push(b']');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::schema::Type;

    fn print(schema: Schema, write: impl FnOnce(&mut HeaderSink<'_>)) -> String {
        let field = HeaderField::new(&schema);
        let mut out = Vec::new();
        write(&mut HeaderSink::for_field(&field, &mut out));
        String::from_utf8(out).unwrap()
    }

    /// The header `{"e":"x","d":2.50,"c":1704067200123,"b":1,"a":"k","f":"enoA"}` of types_keys_composite, field by field;
    /// the rest by Values' source.
    #[test]
    fn cells_are_printed_as_connects_values_does() {
        let decimal = || {
            Schema::new(Type::Bytes)
                .named("org.apache.kafka.connect.data.Decimal", Some(1))
                .parameter("scale", "2")
        };
        let logical = |name: &str| {
            Schema::new(Type::Int64).named(format!("org.apache.kafka.connect.data.{name}"), Some(1))
        };
        assert_eq!(print(Schema::new(Type::String), |sink| sink.string("x")), r#""x""#);
        assert_eq!(print(Schema::new(Type::String), |sink| sink.string("a\"\\\n😀")), "\"a\\\"\\\\\n😀\"");
        assert_eq!(print(decimal(), |sink| sink.bytes(&[0x00, 0xfa])), "2.50");
        assert_eq!(print(Schema::new(Type::Int64), |sink| sink.integer(1704067200123)), "1704067200123");
        assert_eq!(print(Schema::new(Type::Bytes), |sink| sink.bytes(b"zz\0")), r#""enoA""#);
        let point = [("x", Scalar::Float64(1.5)), ("wkb", Scalar::Bytes(b"zz\0")), ("srid", Scalar::Null)];
        assert_eq!(
            print(Schema::new(Type::Struct), |sink| sink.fields(&point)),
            r#"{"x":1.5,"wkb":"enoA","srid":null}"#
        );
        let vector = Schema::array(Schema::new(Type::Float32));
        assert_eq!(print(vector, |sink| sink.float32_array([1.5, -2.0].into_iter())), "[1.5,-2.0]");
        assert_eq!(print(Schema::new(Type::Int32).optional(), |sink| sink.null()), "null");
        let defaulted = Schema::new(Type::Int32).optional().with_default(5.into());
        assert_eq!(print(defaulted, |sink| sink.null()), "5");
        assert_eq!(print(logical("Date"), |sink| sink.integer(19782)), "2024-02-29");
        assert_eq!(print(logical("Time"), |sink| sink.integer(45_296_123)), "12:34:56.123Z");
        assert_eq!(
            print(logical("Timestamp"), |sink| sink.integer(1709210096123)),
            "2024-02-29T12:34:56.123Z"
        );
    }
}
