//! A column of MySQL → a column of ClickHouse: the one table of types.
//!
//! What is known of a column comes from one of two descriptions, which both become a [`SourceColumn`]: the column of a
//! schema-change record, which has MySQL's own type (`mysql_type`), or the field of a record schema, which often stands
//! for several of MySQL's types and then for the widest of them (`connect_type`). From there on there is one way: the type
//! of its values (`map_column`) and what rows get that were there before the column was added (`added_default`). Ranges of
//! dates, which differ between servers, are in `temporal_range`.
//!
//! No conversion here loses a value. Where MySQL's types go beyond what ClickHouse holds, a named mode of the configuration
//! says what happens, and the encoder counts it.

use crate::config::sink::TableConfig;
use crate::config::sink::modes::{NullableMode, TimeHandlingMode, ZeroDateMode};
use crate::connect::value::Value;
use crate::error::{Classify, ErrorClass};
use crate::sink::table::column_type::{ColumnType, Width};
use crate::sink::table::mapping::temporal_range::DateRange;

pub mod added_default;
mod connect_default;
pub mod connect_type;
pub mod mysql_type;
pub mod temporal_range;

/// What a column holds in MySQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceType {
    /// TINYINT(1), BOOL: a number from -128 to 127, mostly 0 and 1. It arrives as INT16 or as BOOLEAN.
    TinyInt1,
    /// An integer of 1 to 8 bytes (3 is MEDIUMINT). BIGINT UNSIGNED arrives as INT64, wrapped, or as a decimal.
    Integer {
        /// The bytes.
        bytes: u8,
        /// Without a sign.
        unsigned: bool,
    },
    /// FLOAT.
    Float,
    /// DOUBLE.
    Double,
    /// DECIMAL.
    Decimal {
        /// All digits, 1 to 65.
        precision: u8,
        /// Digits after the point, 0 to 30.
        scale: u8,
    },
    /// BIT: so many bits, 1 to 64. One arrives as BOOLEAN, more as bytes, least significant first.
    Bit(u8),
    /// CHAR, VARCHAR, TEXT and everything that is text.
    Text,
    /// BINARY: exactly so many bytes; zero bytes at the end may be missing.
    Binary(u32),
    /// VARBINARY, BLOB.
    Bytes,
    /// ENUM, with its members where they are known.
    Enum(Vec<String>),
    /// SET.
    Set,
    /// DATE.
    Date,
    /// DATETIME with digits of the second's fraction: a wall clock.
    DateTime(u8),
    /// TIMESTAMP with digits of the second's fraction: an instant.
    Timestamp(u8),
    /// TIME with digits of the second's fraction: a duration.
    Time(u8),
    /// YEAR: 0 or 1901 to 2155.
    Year,
    /// JSON text.
    Json,
    /// GEOMETRY and its kinds, as well-known binary.
    Geometry,
    /// VECTOR. An array cannot be NULL, so NULL is the empty one.
    Vector,
    /// MariaDB's UUID.
    Uuid,
    /// MariaDB's INET4.
    Inet4,
    /// MariaDB's INET6.
    Inet6,
}

/// A column as it is known from a schema-change record or a record schema.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub source_type: SourceType,
    /// Whether NULL is a value.
    pub nullable: bool,
    /// Whether the type is MySQL's own, not the widest one that the record schema stands for.
    pub exact: bool,
    /// The value of rows that were there before it.
    pub added: AddedValue,
}

/// What rows hold in a column that was added after them, as far as its description tells.
#[derive(Clone, Debug, PartialEq)]
pub enum AddedValue {
    /// The DEFAULT as the statement spells it, without its quotes.
    Text(String),
    /// The DEFAULT as a value of the record schema.
    Value(Value),
    /// No DEFAULT: NULL, or what MySQL takes for the type.
    Implicit,
    /// The server computed a value for each row (generated, AUTO_INCREMENT, DEFAULT with an expression).
    Computed,
}

/// What the mapping depends on besides the column.
#[derive(Clone, Copy, Debug, Default)]
pub struct MappingOptions {
    /// `column.nullable`.
    pub nullable: NullableMode,
    /// `tinyint1.as.bool`: TINYINT(1) becomes Bool, which makes true of every number but 0.
    pub tinyint1_as_bool: bool,
    /// `time.handling.mode`.
    pub time: TimeHandlingMode,
    /// Whether the server has Time64 (since 25.6).
    pub has_time64: bool,
    /// `key.widen.integers`: integers in a key get 64 bits at once, since the type of a key cannot change.
    pub widen_integer_keys: bool,
    /// `dates.zero`.
    pub zero_dates: ZeroDateMode,
    /// Which years the server holds.
    pub dates: DateRange,
}

impl MappingOptions {
    /// What the configuration says, on a server that has been asked what it can.
    pub fn of(config: &TableConfig, has_time64: bool, dates: DateRange) -> Self {
        MappingOptions {
            nullable: config.nullable,
            tinyint1_as_bool: config.tinyint1_as_bool,
            time: config.time,
            has_time64,
            widen_integer_keys: config.widen_integer_keys,
            zero_dates: config.zero_dates,
            dates,
        }
    }
}

/// What the table says about one of its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnRole {
    /// It is part of the identity, and so of the sorting key.
    pub key: bool,
    /// `low.cardinality.columns` names it.
    pub low_cardinality: bool,
}

/// A column of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct MappedColumn {
    /// Its name, as in MySQL.
    pub name: String,
    /// What it holds in MySQL: says how a value that arrives is read.
    pub source_type: SourceType,
    /// What it is in ClickHouse.
    pub column_type: ColumnType,
    /// Whether the mapping went by MySQL's own type.
    pub exact: bool,
}

/// Why a column has no place in a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    /// Its type is none of MySQL's or MariaDB's.
    #[error("column {column}: no mapping for the type {type_name}")]
    UnknownType {
        /// The column.
        column: String,
        /// The type as the record names it.
        type_name: String,
    },
    /// The length or scale of its type is outside of what the type has.
    #[error("column {column}: the type {type_name} has a length or scale out of range")]
    TypeParameter {
        /// The column.
        column: String,
        /// The type as the record names it.
        type_name: String,
    },
    /// A record schema of a shape that Debezium does not make.
    #[error("column {column}: no mapping for the record schema {schema}")]
    UnknownSchema {
        /// The column.
        column: String,
        /// Its Connect type, and name if it has one.
        schema: String,
    },
    /// A key column that allows NULL: MySQL takes NULLs of a unique key for different values, ClickHouse for one.
    #[error("column {column}: a column that allows null cannot be part of the sorting key")]
    NullableKey {
        /// The column.
        column: String,
    },
}

impl Classify for MappingError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }
}

/// Maps a column.
///
/// one table for all types. Section 3.2 of the specification, row by row; 3.6 for NULL and dictionaries.
pub fn map_column(
    column: &SourceColumn,
    role: ColumnRole,
    options: &MappingOptions,
) -> Result<MappedColumn, MappingError> {
    if role.key && column.nullable {
        return Err(MappingError::NullableKey { column: column.name.clone() });
    }
    let mut column_type = value_type(&column.source_type, options);
    if role.key && options.widen_integer_keys {
        column_type = match column_type {
            ColumnType::Int(_) => ColumnType::Int(Width::Eight),
            ColumnType::UInt(_) => ColumnType::UInt(Width::Eight),
            other => other,
        };
    }
    // Dictionaries of numbers are refused by the server's default settings.
    if role.low_cardinality && column_type == ColumnType::String {
        column_type = ColumnType::low_cardinality_string();
    }
    let nullable = match options.nullable {
        NullableMode::AsSource => column.nullable,
        NullableMode::Always => true,
        NullableMode::Never => false,
    };
    if nullable && !role.key {
        column_type = column_type.nullable();
    }
    Ok(MappedColumn {
        name: column.name.clone(),
        source_type: column.source_type.clone(),
        column_type,
        exact: column.exact,
    })
}

/// The type of a value that is not NULL.
fn value_type(source: &SourceType, options: &MappingOptions) -> ColumnType {
    match source {
        SourceType::TinyInt1 if options.tinyint1_as_bool => ColumnType::Bool,
        SourceType::TinyInt1 => ColumnType::Int(Width::One),
        SourceType::Integer { bytes, unsigned } => {
            let width = Width::of_bits(bytes.saturating_mul(8)).unwrap_or(Width::Eight);
            if *unsigned { ColumnType::UInt(width) } else { ColumnType::Int(width) }
        }
        SourceType::Float => ColumnType::Float32,
        SourceType::Double => ColumnType::Float64,
        SourceType::Decimal { precision, scale } => {
            ColumnType::Decimal { precision: *precision, scale: *scale }
        }
        SourceType::Bit(0 | 1) => ColumnType::Bool,
        SourceType::Bit(bits) => ColumnType::UInt(Width::of_bits(*bits).unwrap_or(Width::Eight)),
        SourceType::Enum(_) => ColumnType::low_cardinality_string(),
        SourceType::Date => ColumnType::Date32,
        SourceType::DateTime(precision) => ColumnType::date_time64_utc(*precision),
        SourceType::Timestamp(0) => ColumnType::date_time_utc(),
        SourceType::Timestamp(precision) => ColumnType::date_time64_utc(*precision),
        SourceType::Time(precision) => match options.time {
            TimeHandlingMode::Auto if options.has_time64 => ColumnType::Time64(*precision),
            TimeHandlingMode::Auto | TimeHandlingMode::Int64 => ColumnType::Int(Width::Eight),
            TimeHandlingMode::String => ColumnType::String,
        },
        SourceType::Year => ColumnType::UInt(Width::Two),
        SourceType::Vector => ColumnType::Array(Box::new(ColumnType::Float32)),
        SourceType::Uuid => ColumnType::Uuid,
        SourceType::Inet4 => ColumnType::IPv4,
        SourceType::Inet6 => ColumnType::IPv6,
        SourceType::Text
        | SourceType::Binary(_)
        | SourceType::Bytes
        | SourceType::Set
        | SourceType::Json
        | SourceType::Geometry => ColumnType::String,
    }
}

#[cfg(test)]
mod tests;
