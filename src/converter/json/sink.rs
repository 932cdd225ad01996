//! The payload of one cell, straight into the record's buffer.
//!
//! What is true of a field for all its rows is found once (`JsonField`): the text that stands for null (the default of
//! the schema, or `null`) and whether a Decimal is printed as a number. A sink then only appends.

use crate::connect::cell::{CellSink, Scalar};
use crate::connect::digits::write_integer;
use crate::connect::schema::Schema;
use crate::connect::value::Value;
use crate::converter::json::JsonOptions;
use crate::converter::json::number::{
    MAX_EXACT, write_decimal, write_double, write_exact_double, write_float,
};
use crate::converter::json::text::{write_base64, write_plain, write_string};
use crate::converter::json::value::{decimal_scale, write_value};

/// A field, prepared for printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonField {
    /// What stands for null.
    null: Box<[u8]>,
    /// The scale, when bytes are printed as a number.
    numeric: Option<i32>,
}

impl JsonField {
    /// A field of this schema.
    pub fn new(schema: &Schema, options: &JsonOptions) -> Self {
        let mut null = Vec::new();
        write_value(schema, &Value::Null, options, &mut null);
        JsonField { null: null.into(), numeric: decimal_scale(schema).filter(|_| options.decimal_numeric) }
    }

    /// The text that stands for null.
    pub fn null(&self) -> &[u8] {
        &self.null
    }
}

/// Prints one cell at the end of a buffer.
pub struct JsonSink<'a> {
    out: &'a mut Vec<u8>,
    null: &'a [u8],
    numeric: Option<i32>,
}

impl<'a> JsonSink<'a> {
    /// A sink for a field without a default: null is `null`, bytes are Base64.
    #[inline]
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        JsonSink { out, null: b"null", numeric: None }
    }

    /// A sink for a prepared field.
    #[inline]
    pub fn for_field(field: &'a JsonField, out: &'a mut Vec<u8>) -> Self {
        JsonSink { out, null: &field.null, numeric: field.numeric }
    }
}

impl CellSink for JsonSink<'_> {
    #[inline]
    fn null(&mut self) {
        self.out.extend_from_slice(self.null);
    }

    #[inline]
    fn boolean(&mut self, value: bool) {
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    #[inline]
    fn integer(&mut self, value: i64) {
        write_integer(value, self.out);
    }

    #[inline]
    fn float32(&mut self, value: f32) {
        write_float(value, self.out);
    }

    #[inline]
    fn float64(&mut self, value: f64) {
        write_double(value, self.out);
    }

    #[inline]
    fn decimal_float64(&mut self, value: f64, unscaled: i64, scale: u8) {
        if unscaled.unsigned_abs() < MAX_EXACT {
            write_exact_double(unscaled, scale, self.out);
        } else {
            write_double(value, self.out);
        }
    }

    #[inline]
    fn string(&mut self, value: &str) {
        write_string(value, self.out);
    }

    #[inline]
    fn ascii(&mut self, value: &[u8]) {
        write_plain(value, self.out);
    }

    #[inline]
    fn bytes(&mut self, value: &[u8]) {
        match self.numeric {
            Some(scale) => write_decimal(value, scale, self.out),
            None => write_base64(value, self.out),
        }
    }

    #[inline]
    fn fields(&mut self, fields: &[(&str, Scalar<'_>)]) {
        let mut separator = b'{';
        for (name, value) in fields {
            self.out.push(separator);
            separator = b',';
            write_string(name, self.out);
            self.out.push(b':');
            match value {
                Scalar::Null => self.out.extend_from_slice(b"null"),
                Scalar::Integer(number) => write_integer(*number, self.out),
                Scalar::Float64(number) => write_double(*number, self.out),
                Scalar::Bytes(bytes) => write_base64(bytes, self.out),
            }
        }
        self.out.push(b'}');
    }

    #[inline]
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

    #[test]
    fn cells_are_printed_like_owned_values() {
        let mut out = Vec::new();
        let mut sink = JsonSink::new(&mut out);
        sink.null();
        sink.boolean(true);
        sink.integer(i64::MIN);
        sink.float32(1.5);
        sink.float64(1e10);
        sink.string("a\"");
        sink.bytes(&[0xff]);
        assert_eq!(String::from_utf8(out).unwrap(), r#"nulltrue-92233720368547758081.51.0E10"a\"""/w==""#);
        let mut out = Vec::new();
        let mut sink = JsonSink::new(&mut out);
        sink.fields(&[
            ("x", Scalar::Float64(-1.5)),
            ("wkb", Scalar::Bytes(&[0xff])),
            ("srid", Scalar::Integer(4326)),
            ("m", Scalar::Null),
        ]);
        sink.float32_array([0.1, 3e10].into_iter());
        sink.float32_array([].into_iter());
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"{"x":-1.5,"wkb":"/w==","srid":4326,"m":null}[0.1,3.0E10][]"#
        );
    }

    #[test]
    fn a_prepared_field_knows_its_default_and_its_scale() {
        let schema = Schema::new(Type::Bytes)
            .optional()
            .named("org.apache.kafka.connect.data.Decimal", Some(1))
            .parameter("scale", "2")
            .with_default(Value::Bytes(vec![0x00, 0x96]));
        for (numeric, replace, text) in
            [(false, true, r#""AJY=""/w==""#), (true, true, "1.50-0.01"), (true, false, "null-0.01")]
        {
            let options = JsonOptions { replace_null_with_default: replace, decimal_numeric: numeric };
            let field = JsonField::new(&schema, &options);
            let mut out = Vec::new();
            JsonSink::for_field(&field, &mut out).null();
            JsonSink::for_field(&field, &mut out).bytes(&[0xff]);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
