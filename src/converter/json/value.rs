//! The payload of owned data.
//!
//! A null takes the default of its schema when there is one and the options say so; otherwise it is printed as `null`,
//! also where the schema does not allow it: whoever made the value has checked it.

use crate::connect::digits::write_integer;
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::converter::json::JsonOptions;
use crate::converter::json::number::{write_decimal, write_double, write_float};
use crate::converter::json::text::{write_base64, write_string};

/// The name of Connect's Decimal; its parameter `scale` says where the point stands.
const DECIMAL: &str = "org.apache.kafka.connect.data.Decimal";

/// Appends a value under its schema.
pub fn write_value(schema: &Schema, value: &Value, options: &JsonOptions, out: &mut Vec<u8>) {
    match value {
        Value::Null => match &schema.default {
            Some(default) if options.replace_null_with_default && *default != Value::Null => {
                write_value(schema, default, options, out);
            }
            _ => out.extend_from_slice(b"null"),
        },
        Value::Bytes(bytes) => match decimal_scale(schema).filter(|_| options.decimal_numeric) {
            Some(scale) => write_decimal(bytes, scale, out),
            None => write_base64(bytes, out),
        },
        Value::Array(items) => {
            write_items(items, |item, out| write_under(schema.items.as_deref(), item, options, out), out);
        }
        Value::Map(entries) => {
            write_entries(
                entries.iter().map(|(name, value)| (name.as_str(), value)),
                |_, value, out| write_under(schema.items.as_deref(), value, options, out),
                out,
            );
        }
        Value::Struct(values) => {
            write_entries(
                schema.fields.iter().zip(values).map(|(field, value)| (field.name.as_str(), (field, value))),
                |_, (field, value), out| write_value(&field.schema, value, options, out),
                out,
            );
        }
        scalar => write_schemaless(scalar, out),
    }
}

/// Appends a value that has no schema. The values of a struct without one are printed as an array.
pub fn write_schemaless(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Boolean(true) => out.extend_from_slice(b"true"),
        Value::Boolean(false) => out.extend_from_slice(b"false"),
        Value::Integer(number) => write_integer(*number, out),
        Value::Float32(number) => write_float(*number, out),
        Value::Float64(number) => write_double(*number, out),
        Value::String(text) => write_string(text, out),
        Value::Bytes(bytes) => write_base64(bytes, out),
        Value::Array(items) | Value::Struct(items) => write_items(items, write_schemaless, out),
        Value::Map(entries) => {
            let entries = entries.iter().map(|(name, value)| (name.as_str(), value));
            write_entries(entries, |_, value, out| write_schemaless(value, out), out);
        }
    }
}

/// The scale of Connect's Decimal, when the schema is one.
pub fn decimal_scale(schema: &Schema) -> Option<i32> {
    if schema.kind != Type::Bytes || schema.name.as_deref() != Some(DECIMAL) {
        return None;
    }
    let (_, scale) = schema.parameters.iter().find(|(name, _)| name == "scale")?;
    scale.parse().ok()
}

fn write_under(schema: Option<&Schema>, value: &Value, options: &JsonOptions, out: &mut Vec<u8>) {
    match schema {
        Some(schema) => write_value(schema, value, options, out),
        None => write_schemaless(value, out),
    }
}

fn write_items(items: &[Value], write: impl Fn(&Value, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b']');
}

fn write_entries<'a, T>(
    entries: impl Iterator<Item = (&'a str, T)>,
    write: impl Fn(&str, T, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    out.push(b'{');
    for (index, (name, value)) in entries.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_string(name, out);
        out.push(b':');
        write(name, value, out);
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(schema: &Schema, value: &Value, options: &JsonOptions) -> String {
        let mut out = Vec::new();
        write_value(schema, value, options, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// types_defaults and types_null_default_kept: a null in `vc varchar(20) default 'NULL'`.
    #[test]
    fn null_becomes_the_default_unless_told_otherwise() {
        let schema = Schema::new(Type::String).optional().with_default("NULL".into());
        let kept = JsonOptions { replace_null_with_default: false, ..JsonOptions::default() };
        assert_eq!(print(&schema, &Value::Null, &JsonOptions::default()), r#""NULL""#);
        assert_eq!(print(&schema, &Value::Null, &kept), "null");
        assert_eq!(print(&Schema::new(Type::String).optional(), &Value::Null, &kept), "null");
    }

    #[test]
    fn structs_arrays_and_maps_are_printed_in_order() {
        let schema = Schema::new(Type::Struct)
            .field("b", Schema::new(Type::Int64))
            .field("a", Schema::array(Schema::new(Type::Boolean)))
            .field("m", Schema { items: Some(Schema::new(Type::Bytes).into()), ..Schema::new(Type::Map) });
        let value = Value::Struct(vec![
            Value::Integer(-1),
            Value::Array(vec![true.into(), false.into()]),
            Value::Map(vec![("z".to_owned(), Value::Bytes(vec![0xff])), ("y".to_owned(), Value::Null)]),
        ]);
        assert_eq!(
            print(&schema, &value, &JsonOptions::default()),
            r#"{"b":-1,"a":[true,false],"m":{"z":"/w==","y":null}}"#
        );
    }

    #[test]
    fn decimals_are_base64_or_numbers() {
        let schema = Schema::new(Type::Bytes).named(DECIMAL, Some(1)).parameter("scale", "4");
        let value = Value::Bytes(vec![0x01, 0xe2, 0x40]);
        assert_eq!(print(&schema, &value, &JsonOptions::default()), r#""AeJA""#);
        let numeric = JsonOptions { decimal_numeric: true, ..JsonOptions::default() };
        assert_eq!(print(&schema, &value, &numeric), "12.3456");
        assert_eq!(print(&Schema::new(Type::Bytes), &value, &numeric), r#""AeJA""#);
    }
}
