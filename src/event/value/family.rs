//! The families of types: which mapping a column has, and the one place where all are listed.
//!
//! Every list here is a match without a catch-all, so that a new type or family does not compile until it is in each.

use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, ValueError};
use crate::event::value::{
    ColumnSettings, binary, bit, boolean, custom_converter, date, datetime, decimal, enumeration, float,
    geometry, integer, json, set, string, time, timestamp, vector, year,
};
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::table_id::TableId;

/// The families of types, each with what it knows of the column.
#[derive(Debug)]
pub(super) enum Family {
    Integer(integer::Integer),
    Boolean(boolean::Boolean),
    Decimal(decimal::Decimal),
    Json(json::Json),
    Float(float::Float),
    Bit(bit::Bit),
    String(string::Text),
    Binary(binary::Binary),
    Enumeration(enumeration::Enumeration),
    Set(set::Set),
    Year(year::Year),
    Date(date::Date),
    Time(time::Time),
    DateTime(datetime::DateTime),
    Timestamp(timestamp::Timestamp),
    Geometry(geometry::Geometry),
    Vector(vector::Vector),
    /// A custom converter's.
    Custom(Box<custom_converter::Custom>),
}

/// What a family makes of a column.
pub(super) struct Compiled {
    pub(super) family: Family,
    /// Type, name and parameters; default and documentation are the same work for all families, and so is being optional,
    /// unless the family's schema always is.
    pub(super) schema: Schema,
    /// The column's default as a value of the schema, if it has a constant one; fails for one without a form in the schema.
    pub(super) default: Result<Option<Value>, Failure>,
    /// What stands for a missing value when the column allows no null and has no default; null when nothing can.
    pub(super) zero: Value,
}

impl Family {
    /// Maps a cell that is not NULL.
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        match self {
            Family::Integer(family) => family.write(value, sink),
            Family::Boolean(family) => family.write(value, sink),
            Family::Decimal(family) => family.write(value, scratch, sink),
            Family::Json(family) => family.write(value, scratch, sink),
            Family::Float(family) => family.write(value, sink),
            Family::Bit(family) => family.write(value, sink),
            Family::String(family) => family.write(value, scratch, sink),
            Family::Binary(family) => family.write(value, scratch, sink),
            Family::Enumeration(family) => family.write(value, scratch, sink),
            Family::Set(family) => family.write(value, scratch, sink),
            Family::Year(family) => family.write(value, sink),
            Family::Date(family) => family.write(value, scratch, sink),
            Family::Time(family) => family.write(value, scratch, sink),
            Family::DateTime(family) => family.write(value, sink),
            Family::Timestamp(family) => family.write(value, sink),
            Family::Geometry(family) => family.write(value, sink),
            Family::Vector(family) => family.write(value, sink),
            Family::Custom(family) => family.write(value, scratch, sink),
        }
    }

    /// What stands for a value that the server did not send, in a field of this type; nothing for a family whose values
    /// cannot be told from it.
    pub(super) fn unavailable(&self, placeholder: &[u8], kind: Type) -> Option<Value> {
        match self {
            Family::String(_) | Family::Json(_) => {
                Some(Value::String(String::from_utf8_lossy(placeholder).into_owned()))
            }
            Family::Binary(family) => Some(family.value(placeholder.to_vec())),
            Family::Integer(_)
            | Family::Boolean(_)
            | Family::Decimal(_)
            | Family::Float(_)
            | Family::Bit(_)
            | Family::Enumeration(_)
            | Family::Set(_)
            | Family::Year(_)
            | Family::Date(_)
            | Family::Time(_)
            | Family::DateTime(_)
            | Family::Timestamp(_)
            | Family::Geometry(_)
            | Family::Vector(_) => None,
            Family::Custom(_) => match kind {
                Type::String => Some(Value::String(String::from_utf8_lossy(placeholder).into_owned())),
                _ => None,
            },
        }
    }
}

/// Compiles the mapping of the column's own type; none for a type without a mapping that is to be left out.
pub(super) fn compile_family(
    table: &TableId,
    column: &Column,
    settings: ColumnSettings<'_>,
) -> Result<Option<Compiled>, ValueError> {
    let unsigned = column.is_unsigned();
    let values = settings.values;
    let Some(data_type) = DataType::named(&column.type_name) else { return Ok(unknown(column, values)) };
    Ok(Some(match data_type {
        DataType::Boolean => boolean::compile(column),
        DataType::TinyInt => integer::compile(column, integer::Width::One, unsigned, values),
        DataType::SmallInt => integer::compile(column, integer::Width::Two, unsigned, values),
        DataType::MediumInt => integer::compile(column, integer::Width::Three, unsigned, values),
        DataType::Int => integer::compile(column, integer::Width::Four, unsigned, values),
        DataType::BigInt => integer::compile(column, integer::Width::Eight, unsigned, values),
        DataType::Float => float::compile(column, float::is_single(column)),
        DataType::Double | DataType::Real => float::compile(column, false),
        DataType::Decimal => decimal::compile(column, values),
        DataType::Bit => bit::compile(column),
        DataType::Char
        | DataType::VarChar
        | DataType::TinyText
        | DataType::Text
        | DataType::MediumText
        | DataType::LongText => string::compile(table, column)?,
        DataType::Binary => binary::compile(column, true, values),
        DataType::VarBinary
        | DataType::TinyBlob
        | DataType::Blob
        | DataType::MediumBlob
        | DataType::LongBlob => binary::compile(column, false, values),
        DataType::Enum => enumeration::compile(column),
        DataType::Set => set::compile(column),
        DataType::Json => json::compile(settings.spelling),
        DataType::Year => year::compile(column),
        DataType::Date => date::compile(column, values.temporal, settings.years()),
        DataType::Time => time::compile(column, values.temporal),
        DataType::DateTime => datetime::compile(column, values.temporal, settings.years()),
        DataType::Timestamp => timestamp::compile(column, settings.spelling),
        DataType::Point => geometry::compile_point(),
        DataType::Geometry
        | DataType::LineString
        | DataType::Polygon
        | DataType::MultiPoint
        | DataType::MultiLineString
        | DataType::MultiPolygon
        | DataType::GeometryCollection => geometry::compile(),
        DataType::Vector => vector::compile(),
        DataType::Uuid | DataType::Inet4 | DataType::Inet6 | DataType::XmlType => {
            return Ok(unknown(column, values));
        }
    }))
}

/// A type without a mapping: left out, or the bytes as they are stored (`include.unknown.datatypes`).
fn unknown(column: &Column, values: &ValueConfig) -> Option<Compiled> {
    let without_default = Column { default_value_expression: None, ..column.clone() };
    values.unknown_datatypes.then(|| binary::compile(&without_default, false, values))
}
