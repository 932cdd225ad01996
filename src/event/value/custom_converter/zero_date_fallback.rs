//! ZeroDateFallbackConverter: another value in the place of a zero date.
//!
//! DATE is days, DATETIME milliseconds or microseconds, TIMESTAMP text without trailing zeros, whatever the
//! `time.precision.mode`. A zero date, or one that no calendar has, becomes the fallback; the fallback NULL makes the field
//! optional. The default of the schema is the fallback as well.
//!
//! Debezium puts the fallback also in the place of NULL, and of the first row's value in each column with a default (the
//! implied NULL of a nullable column is one). Neither was stored; here NULL stays null and values stay themselves.

use crate::config::fallback::{CivilDate, Fallback};
use crate::config::modes::TemporalPrecisionMode;
use crate::config::source::ValueConfig;
use crate::connect::cell::{CellSink, ColumnValue, Date};
use crate::connect::value::Value;
use crate::event::value::calendar::{
    Fraction, InstantBuffer, SECONDS_PER_DAY, Years, epoch_day, epoch_second, from_epoch_second, instant,
};
use crate::event::value::custom_converter::Custom;
use crate::event::value::error::{Failure, ValueError};
use crate::event::value::{ColumnSettings, Compiled, Family, Spelling, compile_family};
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::table_id::TableId;

/// Years of fallbacks are as they are written.
const YEARS: Years = Years { adjust: false, zero: true };

/// A DATE, DATETIME or TIMESTAMP column.
#[derive(Debug)]
pub struct ZeroDateFallback {
    inner: Family,
    fallback: Value,
}

pub(super) fn compile(
    fallback: Fallback,
    table: &TableId,
    column: &Column,
    settings: ColumnSettings<'_>,
) -> Result<Option<Compiled>, ValueError> {
    let mode = TemporalPrecisionMode::AdaptiveTimeMicroseconds;
    let values = ValueConfig { temporal: mode, ..settings.values.clone() };
    let spelling = match column.data_type() {
        Some(DataType::Timestamp) => Spelling::Snapshot,
        _ => settings.spelling,
    };
    let Some(compiled) =
        compile_family(table, column, ColumnSettings { values: &values, spelling, ..settings })?
    else {
        return Ok(None);
    };
    let fallback = value(fallback, column).ok_or_else(|| ValueError::Fallback {
        table: table.to_string(),
        column: column.name.clone(),
        type_name: column.type_name.clone(),
    })?;
    let mut schema = compiled.schema;
    schema.optional = fallback == Value::Null;
    let default = compiled
        .default
        .map(|default| default.and(Some(fallback.clone())).filter(|value| *value != Value::Null));
    let zero = if schema.optional { Value::Null } else { compiled.zero };
    Ok(Some(Compiled {
        schema,
        default,
        zero,
        family: Custom::ZeroDateFallback(ZeroDateFallback { inner: compiled.family, fallback }).into(),
    }))
}

/// The fallback as a value of the column's schema; none when it is one of another type.
fn value(fallback: Fallback, column: &Column) -> Option<Value> {
    let date = |day: CivilDate| Date { year: day.year, month: day.month, day: day.day };
    let second = |day: CivilDate, second: u32| {
        Some(epoch_day(date(day), YEARS)? * SECONDS_PER_DAY + i64::from(second))
    };
    match (fallback, column.data_type()?) {
        (Fallback::Null, _) => Some(Value::Null),
        (Fallback::Date(day), DataType::Date) => epoch_day(date(day), YEARS).map(Value::Integer),
        (Fallback::DateTime(day, clock), DataType::DateTime) => {
            let unit = if column.length.is_some_and(|digits| digits > 3) { 1_000_000 } else { 1000 };
            second(day, clock).map(|seconds| Value::Integer(seconds * unit))
        }
        (Fallback::Timestamp(day, clock, nanos, offset), DataType::Timestamp) => {
            let seconds = second(day, clock)? - i64::from(offset);
            let moment = from_epoch_second(seconds, nanos / 1000);
            // One that the offset moved out of the years 0 to 9999 is none.
            epoch_second(moment, YEARS).filter(|same| *same == seconds)?;
            let text = instant(moment, Fraction::Shortest, &mut InstantBuffer::default()).to_vec();
            String::from_utf8(text).ok().map(Value::String)
        }
        _ => None,
    }
}

impl ZeroDateFallback {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        match self.inner.write(value, scratch, sink) {
            Err(Failure::Missing) => {
                match &self.fallback {
                    Value::Integer(number) => sink.integer(*number),
                    Value::String(text) => sink.ascii(text.as_bytes()),
                    _ => sink.null(),
                }
                Ok(())
            }
            other => other,
        }
    }
}
