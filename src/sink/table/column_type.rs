//! The column types of ClickHouse that MySQL's columns become.
//!
//! `Display` prints what stands in a statement, which is exactly what the server keeps in `system.columns.type`; `parse`
//! reads that back, so that the columns of an existing table can be compared. `holds` is the order in which types widen:
//! whether each value of one type is also a value of another, unchanged. Types only ever widen, since a server that is asked
//! to narrow a column wraps the values without an error. Manual: "Data Types".

use std::fmt;

mod parse;
mod widening;

/// A type of a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// True or false; one byte.
    Bool,
    /// A signed integer of 1, 2, 4 or 8 bytes, little-endian.
    Int(Width),
    /// An unsigned integer, likewise.
    UInt(Width),
    /// Single precision.
    Float32,
    /// Double precision.
    Float64,
    /// A number of up to 76 digits, stored as an integer of 4, 8, 16 or 32 bytes.
    Decimal {
        /// All digits, 1 to 76.
        precision: u8,
        /// Digits after the point.
        scale: u8,
    },
    /// Any bytes.
    String,
    /// Exactly so many bytes.
    FixedString(u32),
    /// Days since 1970-01-01, unsigned, 16 bits.
    Date,
    /// Days since 1970-01-01, signed, 32 bits.
    Date32,
    /// Seconds since 1970, unsigned, 32 bits, shown in a zone.
    DateTime {
        /// The zone; the server's where none is named.
        zone: Option<String>,
    },
    /// Ticks of 10^-precision seconds since 1970, signed, 64 bits, shown in a zone.
    DateTime64 {
        /// Digits of the second's fraction, 0 to 9.
        precision: u8,
        /// The zone; the server's where none is named.
        zone: Option<String>,
    },
    /// A duration of up to 999:59:59 either way, in ticks of 10^-precision seconds.
    Time64(u8),
    /// 16 bytes.
    Uuid,
    /// 4 bytes.
    IPv4,
    /// 16 bytes.
    IPv6,
    /// A JSON object.
    Json,
    /// Any number of elements.
    Array(Box<ColumnType>),
    /// The inner type or NULL.
    Nullable(Box<ColumnType>),
    /// The inner type with a dictionary.
    LowCardinality(Box<ColumnType>),
    /// A type that no column of ours has, as the server prints it.
    Other(String),
}

/// The bytes of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// 8 bits.
    One,
    /// 16 bits.
    Two,
    /// 32 bits.
    Four,
    /// 64 bits.
    Eight,
}

impl Width {
    /// Its bits.
    pub const fn bits(self) -> u8 {
        match self {
            Width::One => 8,
            Width::Two => 16,
            Width::Four => 32,
            Width::Eight => 64,
        }
    }

    /// The least width that holds so many bits; none beyond 64.
    pub const fn of_bits(bits: u8) -> Option<Width> {
        match bits {
            0..=8 => Some(Width::One),
            9..=16 => Some(Width::Two),
            17..=32 => Some(Width::Four),
            33..=64 => Some(Width::Eight),
            _ => None,
        }
    }
}

/// The zone that every temporal column of ours names.
pub const UTC: &str = "UTC";

impl ColumnType {
    /// `DateTime('UTC')`.
    pub fn date_time_utc() -> Self {
        ColumnType::DateTime { zone: Some(UTC.to_owned()) }
    }

    /// `DateTime64(precision, 'UTC')`.
    pub fn date_time64_utc(precision: u8) -> Self {
        ColumnType::DateTime64 { precision, zone: Some(UTC.to_owned()) }
    }

    /// `LowCardinality(String)`.
    pub fn low_cardinality_string() -> Self {
        ColumnType::LowCardinality(Box::new(ColumnType::String))
    }

    /// The same type with NULL. A dictionary keeps its place outside; arrays and what holds NULL already stay as they are.
    pub fn nullable(self) -> Self {
        match self {
            ColumnType::LowCardinality(inner) => ColumnType::LowCardinality(Box::new(inner.nullable())),
            ColumnType::Nullable(_) | ColumnType::Array(_) => self,
            other => ColumnType::Nullable(Box::new(other)),
        }
    }

    /// Whether NULL is a value.
    pub fn is_nullable(&self) -> bool {
        match self {
            ColumnType::Nullable(_) => true,
            ColumnType::LowCardinality(inner) => inner.is_nullable(),
            _ => false,
        }
    }

    /// The type of a value that is not NULL, without a dictionary.
    pub fn value_type(&self) -> &ColumnType {
        match self {
            ColumnType::Nullable(inner) | ColumnType::LowCardinality(inner) => inner.value_type(),
            other => other,
        }
    }

    /// Reads what the server prints. Never fails: what is none of ours is `Other`.
    pub fn parse(text: &str) -> ColumnType {
        parse::column_type(text)
    }

    /// The least of our types that holds the values of both; none where no type does.
    pub fn least_holding(&self, other: &ColumnType) -> Option<ColumnType> {
        widening::least(self, other)
    }

    /// Whether every value of another type is a value of this one, unchanged.
    pub fn holds(&self, other: &ColumnType) -> bool {
        widening::holds(self, other)
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnType::Bool => out.write_str("Bool"),
            ColumnType::Int(width) => write!(out, "Int{}", width.bits()),
            ColumnType::UInt(width) => write!(out, "UInt{}", width.bits()),
            ColumnType::Float32 => out.write_str("Float32"),
            ColumnType::Float64 => out.write_str("Float64"),
            ColumnType::Decimal { precision, scale } => write!(out, "Decimal({precision}, {scale})"),
            ColumnType::String => out.write_str("String"),
            ColumnType::FixedString(length) => write!(out, "FixedString({length})"),
            ColumnType::Date => out.write_str("Date"),
            ColumnType::Date32 => out.write_str("Date32"),
            ColumnType::DateTime { zone: None } => out.write_str("DateTime"),
            ColumnType::DateTime { zone: Some(zone) } => write!(out, "DateTime('{zone}')"),
            ColumnType::DateTime64 { precision, zone: None } => write!(out, "DateTime64({precision})"),
            ColumnType::DateTime64 { precision, zone: Some(zone) } => {
                write!(out, "DateTime64({precision}, '{zone}')")
            }
            ColumnType::Time64(precision) => write!(out, "Time64({precision})"),
            ColumnType::Uuid => out.write_str("UUID"),
            ColumnType::IPv4 => out.write_str("IPv4"),
            ColumnType::IPv6 => out.write_str("IPv6"),
            ColumnType::Json => out.write_str("JSON"),
            ColumnType::Array(inner) => write!(out, "Array({inner})"),
            ColumnType::Nullable(inner) => write!(out, "Nullable({inner})"),
            ColumnType::LowCardinality(inner) => write!(out, "LowCardinality({inner})"),
            ColumnType::Other(text) => out.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests;
