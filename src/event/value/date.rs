//! DATE.
//!
//! Days since 1970-01-01 (INT32), or `2024-02-29Z` with `time.precision.mode=isostring`. Zero dates, dates with a zero
//! part and days that no calendar has are missing values. Manual: "The DATE, DATETIME, and TIMESTAMP Types".

use crate::config::modes::TemporalPrecisionMode;
use crate::connect::cell::{CellSink, ColumnValue, Date as StoredDate};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::calendar::{Years, epoch_day, real_date, write_date};
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal};
use crate::schema::column::Column;

/// A DATE column.
#[derive(Clone, Copy, Debug)]
pub struct Date {
    iso: bool,
    years: Years,
}

pub(super) fn compile(column: &Column, mode: TemporalPrecisionMode, years: Years) -> Compiled {
    let iso = mode == TemporalPrecisionMode::IsoString;
    let schema = match mode {
        TemporalPrecisionMode::IsoString => {
            Schema::new(Type::String).named("io.debezium.time.IsoDate", Some(1))
        }
        TemporalPrecisionMode::Connect => {
            Schema::new(Type::Int32).named("org.apache.kafka.connect.data.Date", Some(1))
        }
        TemporalPrecisionMode::AdaptiveTimeMicroseconds
        | TemporalPrecisionMode::Microseconds
        | TemporalPrecisionMode::Nanoseconds => {
            Schema::new(Type::Int32).named("io.debezium.time.Date", Some(1))
        }
    };
    let value = |date: StoredDate| {
        if iso {
            let mut text = Vec::new();
            write_iso(real_date(date, years)?, &mut text);
            String::from_utf8(text).ok().map(Value::String)
        } else {
            epoch_day(date, years).map(Value::Integer)
        }
    };
    let zero = if iso { Value::String("1970-01-01Z".to_owned()) } else { Value::Integer(0) };
    let default = column.default_value_expression.as_deref().and_then(literal::date_time);
    // A zero date is no default where null is allowed, and the first day of the epoch where it is not.
    let default =
        default.and_then(|stored| value(stored.date).or_else(|| (!column.optional).then(|| zero.clone())));
    Compiled { family: Family::Date(Date { iso, years }), schema, default: Ok(default), zero }
}

fn write_iso(date: StoredDate, out: &mut Vec<u8>) {
    write_date(date, out);
    out.push(b'Z');
}

impl Date {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let ColumnValue::Date(date) = value else { return Err(OTHER_KIND) };
        if self.iso {
            scratch.clear();
            write_iso(real_date(date, self.years).ok_or(Failure::Missing)?, scratch);
            sink.ascii(scratch);
        } else {
            sink.integer(epoch_day(date, self.years).ok_or(Failure::Missing)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    fn date(year: u16, month: u8, day: u8) -> ColumnValue<'static> {
        ColumnValue::Date(StoredDate { year, month, day })
    }

    /// types_temporal_*, types_zero_dates_*.
    #[test]
    fn dates_are_days_or_text() {
        for (mode, name, kind) in [
            (TemporalPrecisionMode::AdaptiveTimeMicroseconds, "io.debezium.time.Date", "int32"),
            (TemporalPrecisionMode::Connect, "org.apache.kafka.connect.data.Date", "int32"),
            (TemporalPrecisionMode::IsoString, "io.debezium.time.IsoDate", "string"),
        ] {
            let mut config = config();
            config.temporal = mode;
            let column = TestColumn::new("DATE").optional();
            assert_eq!(
                column.schema_json(&config),
                format!(r#"{{"type":"{kind}","optional":true,"name":"{name}","version":1}}"#)
            );
            for (value, days, text) in [
                (date(2024, 2, 29), "19782", r#""2024-02-29Z""#),
                (date(1000, 1, 1), "-354285", r#""1000-01-01Z""#),
                (date(1, 1, 1), "11323", r#""2001-01-01Z""#),
                (date(100, 1, 1), "-683003", r#""0100-01-01Z""#),
                (date(0, 0, 0), "null", "null"),
                (date(2024, 0, 10), "null", "null"),
            ] {
                assert_eq!(column.json(&config, value), if kind == "int32" { days } else { text });
            }
            let required = TestColumn::new("DATE");
            assert_eq!(
                required.json(&config, date(0, 0, 0)),
                if kind == "int32" { "0" } else { r#""1970-01-01Z""# }
            );
        }
    }

    #[test]
    fn defaults_are_dates() {
        for (optional, text, default) in [
            (true, "2020-02-29", r#","default":18321"#),
            (true, "1999-1-2", r#","default":10593"#),
            (true, "2024-00-00", ""),
            (false, "0000-00-00", r#","default":0"#),
        ] {
            let column = TestColumn { optional, ..TestColumn::new("DATE").default(text) };
            assert_eq!(
                column.schema_json(&config()),
                format!(
                    r#"{{"type":"int32","optional":{optional},"name":"io.debezium.time.Date","version":1{default}}}"#
                )
            );
        }
    }
}
