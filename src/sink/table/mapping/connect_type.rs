//! The fields of a record schema, and values without any schema.
//!
//! Where `column.propagate.source.type` put MySQL's type into the field's parameters, the column is as well known as from a
//! schema-change record. Otherwise a schema stands for several types of MySQL, and the column gets the one that holds the
//! values of all: INT16 is TINYINT, its unsigned kind or SMALLINT; INT32 is MEDIUMINT, INT or SMALLINT UNSIGNED; INT64 is INT
//! UNSIGNED, BIGINT or a BIGINT UNSIGNED that wraps, which cannot be told apart. Such a column is not `exact`.
//!
//! Names of schemas: io.debezium.time.*, io.debezium.data.*, org.apache.kafka.connect.data.*.

use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::sink::table::mapping::mysql_type::source_type;
use crate::sink::table::mapping::{AddedValue, MappingError, SourceColumn, SourceType};

/// Parameters of `column.propagate.source.type`.
const SOURCE_TYPE: &str = "__debezium.source.column.type";
const SOURCE_LENGTH: &str = "__debezium.source.column.length";
const SOURCE_SCALE: &str = "__debezium.source.column.scale";

/// Digits that a DECIMAL of unknown precision may have.
const MOST_DIGITS: u8 = 65;

/// What the field of a record schema is.
pub fn source_column(name: &str, schema: &Schema) -> Result<SourceColumn, MappingError> {
    let members = || match parameter(schema, "allowed") {
        // Members with commas come apart; only the first one, the implicit default, is ever used.
        Some(allowed) => allowed.split(',').map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let number = |name| parameter(schema, name).and_then(|text| text.parse::<i64>().ok());
    let (source_type, exact) = match parameter(schema, SOURCE_TYPE) {
        Some(words) => {
            let (length, scale) = (number(SOURCE_LENGTH), number(SOURCE_SCALE));
            (source_type(name, words, length, scale, members())?, true)
        }
        None => widest(name, schema, members)?,
    };
    Ok(SourceColumn {
        name: name.to_owned(),
        source_type,
        nullable: schema.optional,
        exact,
        added: schema
            .default
            .as_ref()
            .map_or(AddedValue::Implicit, |value| AddedValue::Value(in_micros(schema, value))),
    })
}

/// A default of a date-time or a duration in microseconds, whatever the unit of the schema; others as they are.
fn in_micros(schema: &Schema, value: &Value) -> Value {
    match (schema.name.as_deref(), value) {
        (
            Some(
                "io.debezium.time.Timestamp"
                | "io.debezium.time.Time"
                | "org.apache.kafka.connect.data.Timestamp"
                | "org.apache.kafka.connect.data.Time",
            ),
            Value::Integer(millis),
        ) => Value::Integer(millis.saturating_mul(1000)),
        (Some("io.debezium.time.NanoTimestamp" | "io.debezium.time.NanoTime"), Value::Integer(nanos)) => {
            Value::Integer(nanos.div_euclid(1000))
        }
        _ => value.clone(),
    }
}

fn parameter<'a>(schema: &'a Schema, name: &str) -> Option<&'a str> {
    schema.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The type that holds the values of all that the schema stands for, and whether it stands for that one only.
fn widest(
    column: &str,
    schema: &Schema,
    members: impl Fn() -> Vec<String>,
) -> Result<(SourceType, bool), MappingError> {
    let signed = |bytes| SourceType::Integer { bytes, unsigned: false };
    let small = |name| parameter(schema, name).and_then(|text| text.parse::<u8>().ok());
    Ok(match (schema.kind, schema.name.as_deref()) {
        (Type::Int32, Some("io.debezium.time.Date" | "org.apache.kafka.connect.data.Date"))
        | (Type::String, Some("io.debezium.time.IsoDate")) => (SourceType::Date, true),
        (Type::Int32, Some("io.debezium.time.Year")) => (SourceType::Year, true),
        (Type::Int32, Some("io.debezium.time.Time" | "org.apache.kafka.connect.data.Time")) => {
            (SourceType::Time(3), false)
        }
        (Type::Int64, Some("io.debezium.time.MicroTime" | "io.debezium.time.NanoTime"))
        | (Type::String, Some("io.debezium.time.IsoTime")) => (SourceType::Time(6), false),
        (Type::Int64, Some("io.debezium.time.Timestamp" | "org.apache.kafka.connect.data.Timestamp")) => {
            (SourceType::DateTime(3), false)
        }
        (Type::Int64, Some("io.debezium.time.MicroTimestamp" | "io.debezium.time.NanoTimestamp"))
        | (Type::String, Some("io.debezium.time.IsoTimestamp")) => (SourceType::DateTime(6), false),
        (Type::String, Some("io.debezium.time.ZonedTimestamp")) => (SourceType::Timestamp(6), false),
        (Type::Bytes, Some("org.apache.kafka.connect.data.Decimal")) => {
            let scale = small("scale").unwrap_or(0);
            let precision = small("connect.decimal.precision");
            let digits = precision.unwrap_or(MOST_DIGITS).min(MOST_DIGITS);
            if scale > digits || digits == 0 {
                return Err(unknown(column, schema));
            }
            (SourceType::Decimal { precision: digits, scale }, precision.is_some())
        }
        (Type::Bytes, Some("io.debezium.data.Bits")) => match small("length").unwrap_or(64) {
            bits @ 1..=64 => (SourceType::Bit(bits), true),
            _ => return Err(unknown(column, schema)),
        },
        (Type::String, Some("io.debezium.data.Enum")) => (SourceType::Enum(members()), true),
        (Type::String, Some("io.debezium.data.EnumSet")) => (SourceType::Set, true),
        (Type::String, Some("io.debezium.data.Json")) => (SourceType::Json, true),
        (Type::Array, Some("io.debezium.data.FloatVector")) => (SourceType::Vector, true),
        (Type::Struct, Some(name)) if name.starts_with("io.debezium.data.geometry.") => {
            (SourceType::Geometry, true)
        }
        (Type::Int8, _) => (signed(1), false),
        (Type::Int16, _) => (signed(2), false),
        (Type::Int32, _) => (signed(4), false),
        (Type::Int64, _) => (signed(8), false),
        (Type::Float32, _) => (SourceType::Float, true),
        (Type::Float64, _) => (SourceType::Double, false),
        // BIT(1), or TINYINT(1) of a table that was made while the connector ran.
        (Type::Boolean, _) => (SourceType::Bit(1), false),
        (Type::String, _) => (SourceType::Text, false),
        (Type::Bytes, _) => (SourceType::Bytes, false),
        (Type::Array | Type::Map | Type::Struct, _) => return Err(unknown(column, schema)),
    })
}

/// Whether a field whose schema was taken for one type may as well be of another one of MySQL's, which is known better.
pub fn stands_for(widest: &SourceType, exact: &SourceType) -> bool {
    use SourceType::{Binary, Bit, Bytes, DateTime, Decimal, Double, Inet4, Inet6, Integer, Text};
    use SourceType::{Time, Timestamp, TinyInt1, Uuid};
    match (widest, exact) {
        (widest, exact) if widest == exact => true,
        (Integer { bytes: 2, .. }, TinyInt1 | Integer { bytes: 1, .. }) => true,
        (Integer { bytes: 4, .. }, Integer { bytes: 3, .. }) => true,
        (Integer { bytes: 4, .. }, Integer { bytes: 2, unsigned: true }) => true,
        (Integer { bytes: 8, .. }, Integer { bytes: 4 | 8, unsigned: true }) => true,
        (Bit(1), TinyInt1) | (Bytes, Binary(_) | Uuid | Inet6) => true,
        // `decimal.handling.mode` double and string; `binary.handling.mode` base64 and hex.
        (Double, Decimal { .. }) => true,
        (Text, Decimal { .. } | Bytes | Binary(_) | Uuid | Inet4 | Inet6) => true,
        // The precision is not in every schema, and BIGINT UNSIGNED is one without digits behind the point.
        (Decimal { scale, .. }, Decimal { scale: known, .. }) => scale == known,
        (Decimal { scale: 0, .. }, Integer { bytes: 8, unsigned: true }) => true,
        (DateTime(3), DateTime(digits)) => *digits <= 3,
        (DateTime(6), DateTime(_)) | (Time(_), Time(_)) | (Timestamp(_), Timestamp(_)) => true,
        _ => false,
    }
}

fn unknown(column: &str, schema: &Schema) -> MappingError {
    let kind = format!("{:?}", schema.kind).to_ascii_uppercase();
    let schema = schema.name.as_ref().map_or_else(|| kind.clone(), |name| format!("{kind} {name}"));
    MappingError::UnknownSchema { column: column.to_owned(), schema }
}

/// The kinds of JSON values, where a record has no schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`: says nothing.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number without fraction and exponent.
    Integer,
    /// Another number.
    Decimal,
    /// A string: text, and also base64 of bytes, decimals and the texts of instants.
    String,
    /// An array: a vector.
    Array,
    /// An object with the member `wkb`: a geometry.
    Geometry,
    /// Another object.
    Object,
}

/// What can be known of a column whose values are all there is: nothing from null and from an object that is no geometry.
/// Everything but a key column may be NULL later.
pub fn source_column_of_json(name: &str, kind: JsonKind, is_key: bool) -> Option<SourceColumn> {
    let source_type = match kind {
        JsonKind::Boolean => SourceType::Bit(1),
        JsonKind::Integer => SourceType::Integer { bytes: 8, unsigned: false },
        JsonKind::Decimal => SourceType::Double,
        JsonKind::String => SourceType::Text,
        JsonKind::Array => SourceType::Vector,
        JsonKind::Geometry => SourceType::Geometry,
        JsonKind::Null | JsonKind::Object => return None,
    };
    let added = AddedValue::Implicit;
    Some(SourceColumn { name: name.to_owned(), source_type, nullable: !is_key, exact: false, added })
}
