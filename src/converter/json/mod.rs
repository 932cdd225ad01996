//! Kafka Connect's JsonConverter, byte for byte.
//!
//! A record part is `{"schema":…,"payload":…}`, or the payload alone with `schemas.enable=false`. `schema` prints the
//! schema half, `value` the payload of owned data, `sink` the payload of one cell; `text` and `number` spell strings and
//! numbers as Jackson and Java do. Facts: org.apache.kafka.connect.json.JsonConverter, and the published text of the
//! reference connector.

pub mod number;
pub mod schema;
pub mod schema_reader;
pub mod sink;
pub mod text;
pub mod value;

use crate::config::source::ConverterConfig;
use crate::connect::schema::Schema;
use crate::connect::value::Value;

/// How values are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonOptions {
    /// `replace.null.with.default` (Connect's default is true): null in a field whose schema has a default is printed as
    /// the default.
    pub replace_null_with_default: bool,
    /// `decimal.format=NUMERIC`: Connect's Decimal is printed as a number, not as Base64 of its unscaled bytes.
    pub decimal_numeric: bool,
}

impl Default for JsonOptions {
    fn default() -> Self {
        JsonOptions { replace_null_with_default: true, decimal_numeric: false }
    }
}

/// A configured converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonConverter {
    /// `schemas.enable`: whether each record part carries its schema.
    pub schemas_enable: bool,
    /// How the payload is printed.
    pub options: JsonOptions,
}

/// What closes a record part that carries its schema; see [`JsonConverter::prefix`].
const SUFFIX: &[u8] = b"}";

impl JsonConverter {
    /// A converter as configured.
    pub fn new(config: &ConverterConfig) -> Self {
        JsonConverter {
            schemas_enable: config.schemas_enable,
            options: JsonOptions {
                replace_null_with_default: config.replace_null_with_default,
                decimal_numeric: config.decimal_numeric,
            },
        }
    }

    /// Appends the bytes of one record key or value. Null without a schema has no bytes at all (a tombstone, the key of
    /// a table without one): nothing is appended and the answer is false.
    pub fn from_connect_data(&self, schema: Option<&Schema>, value: &Value, out: &mut Vec<u8>) -> bool {
        let Some(schema) = schema else {
            if *value == Value::Null {
                return false;
            }
            if self.schemas_enable {
                out.extend_from_slice(br#"{"schema":null,"payload":"#);
            }
            value::write_schemaless(value, out);
            out.extend_from_slice(self.suffix());
            return true;
        };
        if self.schemas_enable {
            out.extend_from_slice(br#"{"schema":"#);
            schema::write_schema(schema, None, &self.options, out);
            out.extend_from_slice(br#","payload":"#);
        }
        value::write_value(schema, value, &self.options, out);
        out.extend_from_slice(self.suffix());
        true
    }

    /// What stands before every payload of a schema: `{"schema":…,"payload":`, or nothing.
    pub fn prefix(&self, schema: &Schema) -> Vec<u8> {
        let mut out = Vec::new();
        if self.schemas_enable {
            out.extend_from_slice(br#"{"schema":"#);
            schema::write_schema(schema, None, &self.options, &mut out);
            out.extend_from_slice(br#","payload":"#);
        }
        out
    }

    /// What stands after every payload: `}`, or nothing.
    pub fn suffix(&self) -> &'static [u8] {
        if self.schemas_enable { SUFFIX } else { b"" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::schema::Type;

    fn convert(schemas_enable: bool, schema: Option<&Schema>, value: &Value) -> Option<String> {
        let converter = JsonConverter { schemas_enable, options: JsonOptions::default() };
        let mut out = Vec::new();
        converter.from_connect_data(schema, value, &mut out).then(|| String::from_utf8(out).unwrap())
    }

    /// The first key that the reference published in the scenario basic_crud.
    #[test]
    fn a_record_key_is_an_envelope_of_schema_and_payload() {
        let schema = Schema::new(Type::Struct)
            .named("io.debezium.connector.mysql.SchemaChangeKey", Some(1))
            .field("databaseName", Schema::new(Type::String));
        let value = Value::Struct(vec!["inventory".into()]);
        assert_eq!(
            convert(true, Some(&schema), &value).unwrap(),
            r#"{"schema":{"type":"struct","fields":[{"type":"string","optional":false,"field":"databaseName"}],"optional":false,"name":"io.debezium.connector.mysql.SchemaChangeKey","version":1},"payload":{"databaseName":"inventory"}}"#
        );
        assert_eq!(convert(false, Some(&schema), &value).unwrap(), r#"{"databaseName":"inventory"}"#);
    }

    #[test]
    fn null_without_a_schema_has_no_bytes() {
        assert_eq!(convert(true, None, &Value::Null), None);
        assert_eq!(convert(false, None, &Value::Null), None);
        assert_eq!(convert(true, None, &Value::Integer(3)).unwrap(), r#"{"schema":null,"payload":3}"#);
    }

    #[test]
    fn null_with_a_schema_has_a_null_payload() {
        let schema = Schema::new(Type::String).optional();
        assert_eq!(
            convert(true, Some(&schema), &Value::Null).unwrap(),
            r#"{"schema":{"type":"string","optional":true},"payload":null}"#
        );
    }
}
