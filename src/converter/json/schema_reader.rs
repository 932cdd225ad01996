//! The schema half of a record part, read back: what [`schema`](crate::converter::json::schema) printed.
//!
//! Members come in any order and unknown ones are passed over, as Kafka Connect's JsonConverter does it. A default is read by
//! the type of its schema: bytes are Base64, integers and floats are numbers.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;

use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::error::{Classify, ErrorClass};

/// Why a text is no schema of JsonConverter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// A member is missing or has another type than it must.
    #[error("record schema: {member} of {place} is missing or not valid")]
    Member {
        /// The member.
        member: &'static str,
        /// The field whose schema it is, as a path from the top; empty at the top.
        place: String,
    },
    /// A type that Connect does not have.
    #[error("record schema: unknown type of {place}")]
    UnknownType {
        /// See above.
        place: String,
    },
}

impl Classify for SchemaError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }
}

/// Reads a schema.
pub fn read_schema(json: &Json) -> Result<Schema, SchemaError> {
    read(json, "the record")
}

fn read(json: &Json, place: &str) -> Result<Schema, SchemaError> {
    let invalid = |member| SchemaError::Member { member, place: place.to_owned() };
    let text = |name| json.get(name).and_then(Json::as_str);
    let kind = kind_of(text("type").ok_or_else(|| invalid("type"))?)
        .ok_or_else(|| SchemaError::UnknownType { place: place.to_owned() })?;
    let inner = |member, suffix| {
        let inner = json.get(member).ok_or_else(|| invalid(member))?;
        read(inner, &format!("{place}{suffix}")).map(Arc::new)
    };
    let mut schema = Schema::new(kind);
    match kind {
        Type::Array => schema.items = Some(inner("items", "[]")?),
        Type::Map => {
            schema.keys = Some(inner("keys", "{}")?);
            schema.items = Some(inner("values", "{}")?);
        }
        Type::Struct => {
            let fields = json.get("fields").and_then(Json::as_array).ok_or_else(|| invalid("fields"))?;
            for field in fields {
                let name = field.get("field").and_then(Json::as_str).ok_or_else(|| invalid("field"))?;
                schema = schema.field(name, read(field, &format!("{place}.{name}"))?);
            }
        }
        _ => {}
    }
    schema.optional = json.get("optional").and_then(Json::as_bool).unwrap_or(false);
    schema.name = text("name").map(str::to_owned);
    schema.version =
        json.get("version").and_then(Json::as_i64).and_then(|version| i32::try_from(version).ok());
    schema.doc = text("doc").map(str::to_owned);
    if let Some(parameters) = json.get("parameters").and_then(Json::as_object) {
        // The JDBC sink's converter publishes a character set that it does not know as null.
        for (name, value) in parameters.iter().filter(|(_, value)| !value.is_null()) {
            schema = schema.parameter(name, value.as_str().ok_or_else(|| invalid("parameters"))?);
        }
    }
    schema.default = match json.get("default") {
        None | Some(Json::Null) => None,
        Some(value) => Some(default(kind, value).ok_or_else(|| invalid("default"))?),
    };
    Ok(schema)
}

fn kind_of(name: &str) -> Option<Type> {
    Some(match name {
        "int8" => Type::Int8,
        "int16" => Type::Int16,
        "int32" => Type::Int32,
        "int64" => Type::Int64,
        "float" => Type::Float32,
        "double" => Type::Float64,
        "boolean" => Type::Boolean,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "array" => Type::Array,
        "map" => Type::Map,
        "struct" => Type::Struct,
        _ => return None,
    })
}

/// A default of a type with one value; those of arrays, maps and structs, which Debezium never has, are not read.
fn default(kind: Type, value: &Json) -> Option<Value> {
    Some(match kind {
        Type::Int8 | Type::Int16 | Type::Int32 | Type::Int64 => Value::Integer(value.as_i64()?),
        // A float was a float before it was digits.
        #[allow(clippy::cast_possible_truncation)]
        Type::Float32 => Value::Float32(value.as_f64()? as f32),
        Type::Float64 => Value::Float64(value.as_f64()?),
        Type::Boolean => Value::Boolean(value.as_bool()?),
        Type::String => Value::String(value.as_str()?.to_owned()),
        Type::Bytes => Value::Bytes(STANDARD.decode(value.as_str()?).ok()?),
        Type::Array | Type::Map | Type::Struct => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::converter::json::schema::schema_json;

    /// Field schemas that the reference published (basic_crud, types_bit, types_geometry, types_comments), and their members
    /// in another order.
    #[test]
    fn what_was_printed_is_read() {
        for text in [
            r#"{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"2","connect.decimal.precision":"10"},"default":"AJY=","field":"price"}"#,
            r#"{"type":"int32","optional":false,"doc":"the key","field":"price"}"#,
            r#"{"type":"float","optional":true,"default":-0.5,"field":"price"}"#,
            r#"{"type":"boolean","optional":false,"default":false,"field":"price"}"#,
            r#"{"type":"struct","fields":[{"type":"double","optional":false,"field":"x"},{"type":"bytes","optional":true,"field":"wkb"}],"optional":true,"name":"io.debezium.data.geometry.Point","version":1,"doc":"Geometry (POINT)","field":"price"}"#,
            r#"{"type":"array","items":{"type":"float","optional":false},"optional":true,"name":"io.debezium.data.FloatVector","version":1,"field":"price"}"#,
        ] {
            let json: Json = serde_json::from_str(text).unwrap();
            let schema = read_schema(&json).unwrap();
            assert_eq!(schema_json(&schema, Some("price")), text);
        }
        let decimal =
            serde_json::json!({"default": "AJY=", "name": "n", "field": "f", "type": "bytes", "other": 1});
        let wanted = Schema::new(Type::Bytes).named("n", None).with_default(Value::Bytes(vec![0, 0x96]));
        assert_eq!(read_schema(&decimal), Ok(wanted));
        // A field of types_jdbc_sink_defaults.
        let unknown = serde_json::json!({"type": "string", "optional": true,
            "parameters": {"__debezium.source.column.character_set": null}, "field": "s4"});
        assert_eq!(read_schema(&unknown), Ok(Schema::new(Type::String).optional()));
    }

    #[test]
    fn what_is_no_schema_is_refused_with_its_place() {
        for (text, wanted) in [
            ("null", "record schema: type of the record is missing or not valid"),
            (r#"{"type":"struct"}"#, "record schema: fields of the record is missing or not valid"),
            (
                r#"{"type":"struct","fields":[{"type":"int128","field":"a"}]}"#,
                "record schema: unknown type of the record.a",
            ),
            (
                r#"{"type":"struct","fields":[{"type":"int32"}]}"#,
                "record schema: field of the record is missing or not valid",
            ),
            (
                r#"{"type":"bytes","default":"§"}"#,
                "record schema: default of the record is missing or not valid",
            ),
            (r#"{"type":"array"}"#, "record schema: items of the record is missing or not valid"),
        ] {
            let json: Json = serde_json::from_str(text).unwrap();
            assert_eq!(read_schema(&json).unwrap_err().to_string(), wanted, "{text}");
        }
    }
}
