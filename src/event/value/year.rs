//! YEAR.
//!
//! INT32 `io.debezium.time.Year`: 1901 to 2155, and 0 for `0000` (the reference makes 1900 or 2000 of it). Manual: "The
//! YEAR Type".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::calendar::adjust;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family};
use crate::schema::column::Column;

/// A YEAR column.
#[derive(Clone, Copy, Debug)]
pub struct Year;

pub(super) fn compile(column: &Column) -> Compiled {
    let default = column.default_value_expression.as_deref().and_then(default_year);
    Compiled {
        family: Family::Year(Year),
        schema: Schema::new(Type::Int32).named("io.debezium.time.Year", Some(1)),
        default: Ok(default.map(|year| Value::Integer(year.into()))),
        zero: Value::Integer(0),
    }
}

/// Two digits mean 1970 to 2069; a lone `0` is the number, which is the year 0000.
fn default_year(text: &str) -> Option<u16> {
    let text = text.trim();
    let year = text.parse().ok()?;
    Some(if text.len() <= 2 && text != "0" { adjust(year) } else { year })
}

impl Year {
    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        match value {
            ColumnValue::Year(year) => sink.integer(year.into()),
            // Result sets may have it as a number.
            ColumnValue::UInt(year) => sink.integer(year.cast_signed()),
            ColumnValue::Int(year) => sink.integer(year),
            _ => return Err(OTHER_KIND),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    #[test]
    fn year_zero_is_zero() {
        let column = TestColumn::new("YEAR").optional();
        for (year, json) in [(0, "0"), (1901, "1901"), (2155, "2155")] {
            assert_eq!(column.json(&config(), ColumnValue::Year(year)), json);
        }
        for (text, default) in
            [("2020", "2020"), ("99", "1999"), ("70", "1970"), ("69", "2069"), ("0000", "0")]
        {
            assert_eq!(
                TestColumn::new("YEAR").optional().default(text).schema_json(&config()),
                format!(
                    r#"{{"type":"int32","optional":true,"name":"io.debezium.time.Year","version":1,"default":{default}}}"#
                )
            );
        }
    }
}
