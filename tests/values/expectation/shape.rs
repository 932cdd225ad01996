//! The schema of a column's field: type, name and parameters.

use crate::column::Kind;
use crate::modes::{BinaryMode, DecimalMode, Modes, TimeMode};

/// Type, semantic name, parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub kind: &'static str,
    pub name: Option<&'static str>,
    pub parameters: Vec<(&'static str, String)>,
    /// Optional also where the column allows no null.
    pub always_optional: bool,
}

/// The field of a column. `declared`: the connector knows the column from the statement that made it; SHOW CREATE TABLE
/// prints tinyint(1) for BOOL and varbinary(9) for VARCHAR(9) CHARACTER SET binary. The labels of ENUM and SET are not looked
/// at.
pub fn shape(column: &Kind, modes: Modes, declared: bool) -> Shape {
    let plain = |kind| Shape { kind, name: None, parameters: Vec::new(), always_optional: false };
    let named = |kind, name| Shape { kind, name: Some(name), parameters: Vec::new(), always_optional: false };
    let decimal = |precision: u8, scale: u8| Shape {
        kind: "bytes",
        name: Some("org.apache.kafka.connect.data.Decimal"),
        parameters: vec![("scale", scale.to_string()), ("connect.decimal.precision", precision.to_string())],
        always_optional: false,
    };
    match column {
        Kind::Integer { boolean: true, .. } if declared => plain("boolean"),
        Kind::Integer { bytes: 8, unsigned: true, .. } if modes.precise_bigint => decimal(20, 0),
        Kind::Integer { bytes, unsigned, .. } => plain(match (bytes, unsigned) {
            (1, _) | (2, false) => "int16",
            (2, true) | (3, _) | (4, false) => "int32",
            _ => "int64",
        }),
        Kind::Decimal { precision, scale, .. } => match modes.decimal {
            DecimalMode::Precise => decimal(*precision, *scale),
            DecimalMode::Double => plain("double"),
            DecimalMode::String => plain("string"),
        },
        Kind::Float { narrow, .. } => plain(if *narrow { "float" } else { "double" }),
        Kind::Bit { length: 1 } => plain("boolean"),
        Kind::Bit { length } => Shape {
            kind: "bytes",
            name: Some("io.debezium.data.Bits"),
            parameters: vec![("length", length.to_string())],
            always_optional: false,
        },
        Kind::Year => named("int32", "io.debezium.time.Year"),
        Kind::Date => match modes.time {
            TimeMode::IsoString => named("string", "io.debezium.time.IsoDate"),
            TimeMode::Connect => named("int32", "org.apache.kafka.connect.data.Date"),
            _ => named("int32", "io.debezium.time.Date"),
        },
        Kind::Time { .. } => match modes.time {
            TimeMode::Adaptive | TimeMode::Microseconds => named("int64", "io.debezium.time.MicroTime"),
            TimeMode::Nanoseconds => named("int64", "io.debezium.time.NanoTime"),
            TimeMode::Connect => named("int32", "org.apache.kafka.connect.data.Time"),
            TimeMode::IsoString => named("string", "io.debezium.time.IsoTime"),
        },
        Kind::DateTime { digits } => match modes.time {
            TimeMode::Adaptive if *digits <= 3 => named("int64", "io.debezium.time.Timestamp"),
            TimeMode::Adaptive | TimeMode::Microseconds => named("int64", "io.debezium.time.MicroTimestamp"),
            TimeMode::Nanoseconds => named("int64", "io.debezium.time.NanoTimestamp"),
            TimeMode::Connect => named("int64", "org.apache.kafka.connect.data.Timestamp"),
            TimeMode::IsoString => named("string", "io.debezium.time.IsoTimestamp"),
        },
        Kind::Timestamp { .. } => named("string", "io.debezium.time.ZonedTimestamp"),
        Kind::Text { .. } => plain("string"),
        Kind::Binary { text: true, .. } if declared => plain("string"),
        Kind::Binary { .. } => plain(if modes.binary == BinaryMode::Bytes { "bytes" } else { "string" }),
        Kind::Enum { .. } => named("string", "io.debezium.data.Enum"),
        Kind::Set { .. } => named("string", "io.debezium.data.EnumSet"),
        Kind::Json => named("string", "io.debezium.data.Json"),
        Kind::Geometry { subtype: "POINT", .. } => named("struct", "io.debezium.data.geometry.Point"),
        Kind::Geometry { .. } => {
            Shape { always_optional: true, ..named("struct", "io.debezium.data.geometry.Geometry") }
        }
        Kind::Vector { .. } => named("array", "io.debezium.data.FloatVector"),
    }
}
