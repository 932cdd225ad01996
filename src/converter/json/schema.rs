//! The schema half of a record part.
//!
//! Members come in this order: `type`, then `items`, `keys` and `values` or `fields`, then `optional`, `name`,
//! `version`, `doc`, `parameters`, `default`, and last `field` when the schema stands in a struct.

use crate::connect::digits::write_integer;
use crate::connect::schema::{Schema, Type};
use crate::converter::json::JsonOptions;
use crate::converter::json::text::write_string;
use crate::converter::json::value::write_value;

/// The JSON of a schema; `field` is its name in the struct around it.
pub fn schema_json(schema: &Schema, field: Option<&str>) -> String {
    let mut out = Vec::new();
    write_schema(schema, field, &JsonOptions::default(), &mut out);
    // Only text was written.
    String::from_utf8(out).unwrap_or_default()
}

/// Appends the JSON of a schema; the options say how its default is printed.
pub fn write_schema(schema: &Schema, field: Option<&str>, options: &JsonOptions, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"type":""#);
    out.extend_from_slice(type_name(schema.kind).as_bytes());
    out.push(b'"');
    match schema.kind {
        Type::Array => write_inner("items", schema.items.as_deref(), options, out),
        Type::Map => {
            write_inner("keys", schema.keys.as_deref(), options, out);
            write_inner("values", schema.items.as_deref(), options, out);
        }
        Type::Struct => {
            out.extend_from_slice(br#","fields":["#);
            for (index, field) in schema.fields.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_schema(&field.schema, Some(&field.name), options, out);
            }
            out.push(b']');
        }
        _ => {}
    }
    out.extend_from_slice(if schema.optional { br#","optional":true"# } else { br#","optional":false"# });
    write_member("name", schema.name.as_deref(), out);
    if let Some(version) = schema.version {
        out.extend_from_slice(br#","version":"#);
        write_integer(version.into(), out);
    }
    write_member("doc", schema.doc.as_deref(), out);
    if !schema.parameters.is_empty() {
        out.extend_from_slice(br#","parameters":{"#);
        for (index, (name, value)) in schema.parameters.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_string(name, out);
            out.push(b':');
            write_string(value, out);
        }
        out.push(b'}');
    }
    if let Some(default) = &schema.default {
        out.extend_from_slice(br#","default":"#);
        write_value(schema, default, options, out);
    }
    write_member("field", field, out);
    out.push(b'}');
}

fn write_inner(name: &str, schema: Option<&Schema>, options: &JsonOptions, out: &mut Vec<u8>) {
    let Some(schema) = schema else { return };
    out.push(b',');
    write_string(name, out);
    out.push(b':');
    write_schema(schema, None, options, out);
}

fn write_member(name: &str, value: Option<&str>, out: &mut Vec<u8>) {
    let Some(value) = value else { return };
    out.push(b',');
    write_string(name, out);
    out.push(b':');
    write_string(value, out);
}

fn type_name(kind: Type) -> &'static str {
    match kind {
        Type::Int8 => "int8",
        Type::Int16 => "int16",
        Type::Int32 => "int32",
        Type::Int64 => "int64",
        Type::Float32 => "float",
        Type::Float64 => "double",
        Type::Boolean => "boolean",
        Type::String => "string",
        Type::Bytes => "bytes",
        Type::Array => "array",
        Type::Map => "map",
        Type::Struct => "struct",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::value::Value;

    /// Field schemas that the reference published (basic_crud, types_bit, types_comments, types_float).
    #[test]
    fn schemas_are_printed_in_connects_order() {
        let decimal = Schema::new(Type::Bytes)
            .optional()
            .named("org.apache.kafka.connect.data.Decimal", Some(1))
            .parameter("scale", "2")
            .parameter("connect.decimal.precision", "10")
            .with_default(Value::Bytes(vec![0x00, 0x96]));
        let documented = Schema { doc: Some("the key".to_owned()), ..Schema::new(Type::Int32) };
        for (schema, field, json) in [
            (
                decimal,
                Some("price"),
                r#"{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"2","connect.decimal.precision":"10"},"default":"AJY=","field":"price"}"#,
            ),
            (documented, Some("id"), r#"{"type":"int32","optional":false,"doc":"the key","field":"id"}"#),
            (
                Schema::new(Type::Float64).optional().with_default(Value::Float64(1e100)),
                None,
                r#"{"type":"double","optional":true,"default":1.0E100}"#,
            ),
            (
                Schema::array(Schema::new(Type::String)).optional(),
                Some("enumValues"),
                r#"{"type":"array","items":{"type":"string","optional":false},"optional":true,"field":"enumValues"}"#,
            ),
            (
                Schema {
                    keys: Some(Schema::new(Type::String).into()),
                    items: Some(Schema::new(Type::Int64).into()),
                    ..Schema::new(Type::Map)
                },
                None,
                r#"{"type":"map","keys":{"type":"string","optional":false},"values":{"type":"int64","optional":false},"optional":false}"#,
            ),
        ] {
            assert_eq!(schema_json(&schema, field), json);
        }
    }
}
