//! DATETIME: a wall clock, counted as if it were UTC.
//!
//! By `time.precision.mode`: milliseconds up to three fractional digits and microseconds above
//! (`adaptive_time_microseconds`), always microseconds, nanoseconds (only 1677 to 2262 fit into INT64, anything else is a
//! conversion failure), Connect's milliseconds, or ISO text without trailing zeros. Counts are floored, so that a moment
//! before 1970 keeps its order. Manual: "The DATE, DATETIME, and TIMESTAMP Types".

use crate::config::modes::TemporalPrecisionMode;
use crate::connect::cell::{CellSink, ColumnValue, DateTime as StoredDateTime};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::calendar::{Fraction, InstantBuffer, Years, epoch_second, instant, real_date};
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal};
use crate::schema::column::Column;

/// A DATETIME column.
#[derive(Clone, Copy, Debug)]
pub struct DateTime {
    form: Form,
    years: Years,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Millis,
    Micros,
    Nanos,
    Iso,
}

pub(super) fn compile(column: &Column, mode: TemporalPrecisionMode, years: Years) -> Compiled {
    let (form, kind, name) = match mode {
        TemporalPrecisionMode::AdaptiveTimeMicroseconds if column.length.is_none_or(|digits| digits <= 3) => {
            (Form::Millis, Type::Int64, "io.debezium.time.Timestamp")
        }
        TemporalPrecisionMode::AdaptiveTimeMicroseconds | TemporalPrecisionMode::Microseconds => {
            (Form::Micros, Type::Int64, "io.debezium.time.MicroTimestamp")
        }
        TemporalPrecisionMode::Nanoseconds => (Form::Nanos, Type::Int64, "io.debezium.time.NanoTimestamp"),
        TemporalPrecisionMode::Connect => {
            (Form::Millis, Type::Int64, "org.apache.kafka.connect.data.Timestamp")
        }
        TemporalPrecisionMode::IsoString => (Form::Iso, Type::String, "io.debezium.time.IsoTimestamp"),
    };
    let family = DateTime { form, years };
    let value = |stored: StoredDateTime| {
        if form == Form::Iso {
            let mut buffer = InstantBuffer::default();
            let text = family.iso(stored, &mut buffer)?.to_vec();
            String::from_utf8(text).map(Value::String).map_err(|_| OTHER_KIND)
        } else {
            family.number(stored).map(Value::Integer)
        }
    };
    let zero = match form {
        Form::Iso => Value::String("1970-01-01T00:00:00Z".to_owned()),
        Form::Millis | Form::Micros | Form::Nanos => Value::Integer(0),
    };
    let default = column.default_value_expression.as_deref().and_then(literal::date_time);
    let default = default.map_or(Ok(None), |stored| match value(stored) {
        Ok(value) => Ok(Some(value)),
        // A zero date is no default where null is allowed.
        Err(Failure::Missing) => Ok((!column.optional).then(|| zero.clone())),
        Err(failure) => Err(failure),
    });
    Compiled {
        family: Family::DateTime(family),
        schema: Schema::new(kind).named(name, Some(1)),
        default,
        zero,
    }
}

impl DateTime {
    #[inline]
    fn number(self, value: StoredDateTime) -> Result<i64, Failure> {
        let second = epoch_second(value, self.years).ok_or(Failure::Missing)?;
        let micros = i64::from(value.micros);
        match self.form {
            Form::Millis => Ok(second * 1000 + micros / 1000),
            Form::Micros => Ok(second * 1_000_000 + micros),
            // Two steps as in java.time: the seconds alone must fit, too.
            Form::Nanos => {
                second.checked_mul(1_000_000_000).and_then(|nanos| nanos.checked_add(micros * 1000)).ok_or(
                    Failure::Unrepresentable("a DATETIME outside 1677 to 2262 does not fit into nanoseconds"),
                )
            }
            Form::Iso => Err(OTHER_KIND),
        }
    }

    #[inline]
    fn iso(self, value: StoredDateTime, buffer: &mut InstantBuffer) -> Result<&[u8], Failure> {
        let date = real_date(value.date, self.years).ok_or(Failure::Missing)?;
        Ok(instant(StoredDateTime { date, ..value }, Fraction::Shortest, buffer))
    }

    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        let ColumnValue::DateTime(value) = value else { return Err(OTHER_KIND) };
        if self.form == Form::Iso {
            sink.ascii(self.iso(value, &mut InstantBuffer::default())?);
        } else {
            sink.integer(self.number(value)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    fn stored(text: &str) -> ColumnValue<'static> {
        ColumnValue::DateTime(literal::date_time(text).unwrap())
    }

    /// types_temporal_*, types_zero_dates_*, types_time_adjuster_on, and a run with `nanoseconds` and `isostring`.
    #[test]
    fn wall_clocks_are_counted_by_the_mode() {
        use TemporalPrecisionMode::*;
        for (mode, digits, name, cells) in [
            (
                AdaptiveTimeMicroseconds,
                3,
                "io.debezium.time.Timestamp",
                vec![
                    ("2024-02-29 12:34:56.123", "1709210096123"),
                    ("1000-01-01 00:00:00", "-30610224000000"),
                    ("1969-12-31 23:59:59.123", "-877"),
                    ("9999-12-31 23:59:59.999", "253402300799999"),
                    ("0001-01-01 00:00:00", "978307200000"),
                    ("0100-01-01 00:00:00", "-59011459200000"),
                    ("0000-00-00 00:00:00", "null"),
                ],
            ),
            (
                AdaptiveTimeMicroseconds,
                6,
                "io.debezium.time.MicroTimestamp",
                vec![
                    ("1969-12-31 23:59:59.123456", "-876544"),
                    ("9999-12-31 23:59:59.999999", "253402300799999999"),
                ],
            ),
            (
                Connect,
                6,
                "org.apache.kafka.connect.data.Timestamp",
                vec![("1969-12-31 23:59:59.999999", "-1"), ("2020-01-02 03:04:05.678901", "1577934245678")],
            ),
            (
                Nanoseconds,
                6,
                "io.debezium.time.NanoTimestamp",
                vec![
                    ("2262-04-11 23:47:16.854775", "9223372036854775000"),
                    ("2262-04-11 23:47:17", "null"),
                    ("1677-09-21 00:12:43.145225", "null"),
                    ("9999-12-31 00:00:00", "null"),
                ],
            ),
            (
                IsoString,
                6,
                "io.debezium.time.IsoTimestamp",
                vec![
                    ("2024-01-01 00:00:00.000100", r#""2024-01-01T00:00:00.0001Z""#),
                    ("9999-12-31 23:59:59.999999", r#""9999-12-31T23:59:59.999999Z""#),
                    ("0001-01-01 00:00:00.1", r#""2001-01-01T00:00:00.1Z""#),
                    ("2024-00-10 00:00:00", "null"),
                ],
            ),
        ] {
            let mut config = config();
            config.temporal = mode;
            let column = TestColumn::new("DATETIME").length(digits).optional();
            let kind = if mode == IsoString { "string" } else { "int64" };
            assert_eq!(
                column.schema_json(&config),
                format!(r#"{{"type":"{kind}","optional":true,"name":"{name}","version":1}}"#)
            );
            for (text, json) in cells {
                assert_eq!(column.json(&config, stored(text)), json, "{text}");
            }
        }
    }

    #[test]
    fn defaults_are_wall_clocks() {
        for (optional, text, default) in [
            (true, "2020-01-02 03:04:05", r#","default":1577934245000"#),
            (true, "2021-01-01", r#","default":1609459200000"#),
            // CURRENT_TIMESTAMP is stored as this.
            (true, "1970-01-01 00:00:00", r#","default":0"#),
            (true, "0000-00-00 00:00:00", ""),
            (false, "0000-00-00 00:00:00", r#","default":0"#),
        ] {
            let column = TestColumn { optional, ..TestColumn::new("DATETIME").default(text) };
            let json = column.schema_json(&config());
            assert_eq!(json.split_once(r#""version":1"#).unwrap().1, format!("{default}}}"));
        }
    }
}
