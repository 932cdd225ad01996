//! Which binlog types can carry a column of a declared type.
//!
//! It is the last guard against a schema that went its own way (`sql_log_bin=0`): a value is never published under a type
//! that it does not have. Types that the server stores alike (all widths of TEXT, for one) are one kind here.

use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::wire::column_type::ColumnType;

/// Whether the binlog writes a column of this declaration as this type. A type that no server has is not judged: it has
/// no mapping either.
pub fn fits(column: &Column, sent: ColumnType) -> bool {
    let Some(data_type) = column.data_type() else { return true };
    match data_type {
        DataType::Boolean | DataType::TinyInt => sent == ColumnType::Tiny,
        DataType::SmallInt => sent == ColumnType::Short,
        DataType::MediumInt => sent == ColumnType::Int24,
        DataType::Int => sent == ColumnType::Long,
        DataType::BigInt => sent == ColumnType::LongLong,
        DataType::Decimal => matches!(sent, ColumnType::NewDecimal | ColumnType::Decimal),
        DataType::Float | DataType::Real => matches!(sent, ColumnType::Float | ColumnType::Double),
        DataType::Double => sent == ColumnType::Double,
        DataType::Bit => sent == ColumnType::Bit,
        DataType::Date => matches!(sent, ColumnType::Date | ColumnType::NewDate),
        DataType::Time => matches!(sent, ColumnType::Time | ColumnType::Time2),
        DataType::DateTime => matches!(sent, ColumnType::DateTime | ColumnType::DateTime2),
        DataType::Timestamp => matches!(sent, ColumnType::Timestamp | ColumnType::Timestamp2),
        DataType::Year => sent == ColumnType::Year,
        DataType::Enum => sent == ColumnType::Enum,
        DataType::Set => sent == ColumnType::Set,
        // MariaDB's JSON is text.
        DataType::Json => sent == ColumnType::Json || is_blob(sent),
        DataType::Char | DataType::Binary => is_string(sent),
        // Without strict mode a VARCHAR that is too long becomes a TEXT (warning 1246, ER_AUTO_CONVERT).
        DataType::VarChar | DataType::VarBinary => is_string(sent) || is_blob(sent),
        DataType::TinyText
        | DataType::Text
        | DataType::MediumText
        | DataType::LongText
        | DataType::TinyBlob
        | DataType::Blob
        | DataType::MediumBlob
        | DataType::LongBlob
        // MariaDB keeps XML as text.
        | DataType::XmlType => is_blob(sent),
        DataType::Geometry
        | DataType::Point
        | DataType::LineString
        | DataType::Polygon
        | DataType::MultiPoint
        | DataType::MultiLineString
        | DataType::MultiPolygon
        | DataType::GeometryCollection => sent == ColumnType::Geometry,
        // MariaDB's is a string of bytes.
        DataType::Vector => sent == ColumnType::Vector || is_string(sent),
        // MariaDB stores these three as BINARY.
        DataType::Uuid | DataType::Inet4 | DataType::Inet6 => is_string(sent),
    }
}

fn is_string(sent: ColumnType) -> bool {
    matches!(sent, ColumnType::String | ColumnType::VarChar | ColumnType::VarString)
}

fn is_blob(sent: ColumnType) -> bool {
    matches!(sent, ColumnType::TinyBlob | ColumnType::Blob | ColumnType::MediumBlob | ColumnType::LongBlob)
}
