//! Which family maps a type: the one place that knows them all.
//!
//! A new type does not compile until it has a family here, and a new family not until it can write.

use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::Schema;
use crate::connect::value::Value;
use crate::event::value::error::{Failure, ValueError};
use crate::event::value::integer::Width;
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
    /// The column's default as a value of the schema.
    pub(super) default: Option<Value>,
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
            Family::DateTime(family) => family.write(value, scratch, sink),
            Family::Timestamp(family) => family.write(value, scratch, sink),
            Family::Geometry(family) => family.write(value, sink),
            Family::Vector(family) => family.write(value, sink),
            Family::Custom(family) => family.write(value, scratch, sink),
        }
    }
}

/// The family of a column's type; none for a type that is left out.
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
        DataType::TinyInt => integer::compile(column, Width::One, unsigned, values),
        DataType::SmallInt => integer::compile(column, Width::Two, unsigned, values),
        DataType::MediumInt => integer::compile(column, Width::Three, unsigned, values),
        DataType::Int => integer::compile(column, Width::Four, unsigned, values),
        DataType::BigInt => integer::compile(column, Width::Eight, unsigned, values),
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
