//! In which form the values of a column arrive in JSON.
//!
//! A record schema says it: the name of a field's schema is the meaning of its number or text. Without schemas it follows from
//! MySQL's type and from how the source was told to publish it (`decimal.handling.mode` and its relatives), of which the sink
//! must have the same values. A form never depends on a value: the same text may be base64 and a number.
//!
//! Names of schemas: io.debezium.time.*, io.debezium.data.*, org.apache.kafka.connect.data.*.

use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, TemporalPrecisionMode,
};
use crate::connect::schema::{Schema, Type};
use crate::sink::table::mapping::SourceType;

pub use crate::config::sink::modes::SourceHandling;

/// How bytes are spelled in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesText {
    /// Base64 with padding, as Kafka Connect's JsonConverter prints BYTES.
    Base64,
    /// The URL alphabet.
    Base64UrlSafe,
    /// Two digits a byte.
    Hex,
}

/// The form of a column's values; NULL is `null` in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireForm {
    /// Booleans, numbers and texts that are what they look like.
    Plain,
    /// Bytes in a string.
    Bytes(BytesText),
    /// The unscaled number in base64, big-endian.
    Decimal {
        /// Digits after the point.
        scale: u8,
    },
    /// Days since 1970-01-01, or `2024-02-29`.
    Days,
    /// 10^-`digits` seconds since 1970 or of a duration, or ISO 8601 text.
    Ticks {
        /// 3, 6 or 9.
        digits: u8,
    },
    /// An object with `wkb` in base64.
    Geometry,
    /// An array of numbers.
    Vector,
}

impl WireForm {
    /// By the schema of a field.
    pub fn of_schema(schema: &Schema, source: &SourceType, handling: SourceHandling) -> WireForm {
        let name = schema.name.as_deref().unwrap_or_default();
        let plain = name.rsplit('.').next().unwrap_or_default();
        let is_logical =
            name.starts_with("io.debezium.") || name.starts_with("org.apache.kafka.connect.data.");
        match (schema.kind, plain) {
            (Type::Bytes, "Decimal") if is_logical => {
                let scale = schema.parameters.iter().find(|(name, _)| name == "scale");
                let scale = scale.and_then(|(_, digits)| digits.parse().ok()).unwrap_or_default();
                WireForm::Decimal { scale }
            }
            (Type::Bytes, _) => WireForm::Bytes(BytesText::Base64),
            (Type::Int32, "Date") | (Type::String, "IsoDate") if is_logical => WireForm::Days,
            (Type::Int32, "Time") | (Type::Int64, "Timestamp") if is_logical => WireForm::Ticks { digits: 3 },
            (Type::Int64, "MicroTime" | "MicroTimestamp") if is_logical => WireForm::Ticks { digits: 6 },
            (Type::Int64, "NanoTime" | "NanoTimestamp") if is_logical => WireForm::Ticks { digits: 9 },
            (Type::String, "ZonedTimestamp" | "IsoTimestamp" | "IsoTime") if is_logical => {
                WireForm::Ticks { digits: 6 }
            }
            (Type::Struct, _) => WireForm::Geometry,
            (Type::Array, _) => WireForm::Vector,
            (Type::String, "") if matches!(source, SourceType::Binary(_) | SourceType::Bytes) => {
                WireForm::Bytes(bytes_text(handling.binary))
            }
            _ => WireForm::Plain,
        }
    }

    /// By MySQL's type, where a record has no schema.
    pub fn of_type(source: &SourceType, handling: SourceHandling) -> WireForm {
        use TemporalPrecisionMode::{
            AdaptiveTimeMicroseconds, Connect, IsoString, Microseconds, Nanoseconds,
        };
        let by_mode = |adaptive| match handling.temporal {
            AdaptiveTimeMicroseconds => WireForm::Ticks { digits: adaptive },
            Connect => WireForm::Ticks { digits: 3 },
            IsoString | Microseconds => WireForm::Ticks { digits: 6 },
            Nanoseconds => WireForm::Ticks { digits: 9 },
        };
        match source {
            SourceType::Decimal { scale, .. } if handling.decimal == DecimalHandlingMode::Precise => {
                WireForm::Decimal { scale: *scale }
            }
            SourceType::Integer { bytes: 8, unsigned: true }
                if handling.bigint_unsigned == BigIntUnsignedHandlingMode::Precise =>
            {
                WireForm::Decimal { scale: 0 }
            }
            SourceType::Bit(bits) if *bits > 1 => WireForm::Bytes(BytesText::Base64),
            SourceType::Binary(_) | SourceType::Bytes => WireForm::Bytes(bytes_text(handling.binary)),
            SourceType::Date => WireForm::Days,
            SourceType::DateTime(digits) => by_mode(if *digits <= 3 { 3 } else { 6 }),
            SourceType::Time(_) => by_mode(6),
            SourceType::Timestamp(_) => by_mode(6),
            SourceType::Geometry => WireForm::Geometry,
            SourceType::Vector => WireForm::Vector,
            _ => WireForm::Plain,
        }
    }
}

fn bytes_text(mode: BinaryHandlingMode) -> BytesText {
    match mode {
        BinaryHandlingMode::Bytes | BinaryHandlingMode::Base64 => BytesText::Base64,
        BinaryHandlingMode::Base64UrlSafe => BytesText::Base64UrlSafe,
        BinaryHandlingMode::Hex => BytesText::Hex,
    }
}

#[cfg(test)]
mod tests;
