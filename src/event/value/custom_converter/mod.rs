//! Custom converters (`converters`): mappings that take the place of a type's own, in keys and values alike.
//!
//! Which converter has a column is decided when its table is compiled ([`CustomConverter`]); from then on it is a family of
//! values like any other. What the type's own mapping does well (character sets, dates, labels) is left to it.

mod jdbc_sink_data_types;
mod zero_date_fallback;

use crate::config::fallback::Fallback;
use crate::connect::cell::{CellSink, ColumnValue};
use crate::event::value::error::{Failure, ValueError};
use crate::event::value::{ColumnSettings, Compiled, Family, boolean};
use crate::schema::column::Column;
use crate::schema::table_id::TableId;

/// The converter that has a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CustomConverter {
    /// TinyIntOneToBooleanConverter.
    TinyIntOneToBoolean,
    /// JdbcSinkDataTypesConverter, `selector.boolean`.
    Int16,
    /// JdbcSinkDataTypesConverter, `selector.real`: FLOAT64, or FLOAT32.
    Real {
        /// `treat.real.as.double`.
        double: bool,
    },
    /// JdbcSinkDataTypesConverter, `selector.string`.
    String,
    /// ZeroDateFallbackConverter with what stands for a zero date.
    ZeroDateFallback(Fallback),
}

/// The family of a custom converter.
#[derive(Debug)]
pub(super) enum Custom {
    Int16(jdbc_sink_data_types::Int16),
    Real(jdbc_sink_data_types::Real),
    String(jdbc_sink_data_types::Text),
    ZeroDateFallback(zero_date_fallback::ZeroDateFallback),
}

pub(super) fn compile(
    converter: CustomConverter,
    table: &TableId,
    column: &Column,
    settings: ColumnSettings<'_>,
) -> Result<Option<Compiled>, ValueError> {
    Ok(match converter {
        CustomConverter::TinyIntOneToBoolean => Some(boolean::compile_above_zero(column)),
        CustomConverter::Int16 => Some(jdbc_sink_data_types::compile_int16(column)),
        CustomConverter::Real { double } => Some(jdbc_sink_data_types::compile_real(column, double)),
        CustomConverter::String => jdbc_sink_data_types::compile_string(table, column, settings)?,
        CustomConverter::ZeroDateFallback(fallback) => {
            zero_date_fallback::compile(fallback, table, column, settings)?
        }
    })
}

impl Custom {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        match self {
            Custom::Int16(family) => family.write(value, scratch, sink),
            Custom::Real(family) => family.write(value, scratch, sink),
            Custom::String(family) => family.write(value, scratch, sink),
            Custom::ZeroDateFallback(family) => family.write(value, scratch, sink),
        }
    }
}

impl From<Custom> for Family {
    fn from(custom: Custom) -> Self {
        Family::Custom(Box::new(custom))
    }
}

#[cfg(test)]
mod tests;
