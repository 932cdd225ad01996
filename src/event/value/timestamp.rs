//! TIMESTAMP: an instant, always as ISO text in UTC.
//!
//! `io.debezium.time.ZonedTimestamp`, whatever the `time.precision.mode`. The stream prints the column's fractional
//! digits (`12:34:56.120Z` for TIMESTAMP(3)), a snapshot no trailing zeros (`12:34:56.12Z`); keys are the stream's. The
//! zero timestamp is a missing value. Manual: "The DATE, DATETIME, and TIMESTAMP Types".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::calendar::{Fraction, InstantBuffer, Years, from_epoch_second, instant, real_date};
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, Spelling, literal};
use crate::schema::column::Column;

/// What stands for the zero timestamp, and for CURRENT_TIMESTAMP as a default.
const EPOCH: &str = "1970-01-01T00:00:00Z";

/// The years of an instant are as they are.
const YEARS: Years = Years { adjust: false, zero: false };

/// A TIMESTAMP column.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    fraction: Fraction,
}

pub(super) fn compile(column: &Column, spelling: Spelling) -> Compiled {
    let digits = Fraction::Digits(u8::try_from(column.length.unwrap_or(0)).unwrap_or(0).min(6));
    let fraction = match spelling {
        Spelling::Snapshot => Fraction::Shortest,
        Spelling::Stream => digits,
    };
    let zero = Value::String(EPOCH.to_owned());
    let default = column.default_value_expression.as_deref().and_then(literal::date_time);
    let default = default.and_then(|stored| match real_date(stored.date, YEARS) {
        // The epoch is no storable instant: it stands for CURRENT_TIMESTAMP.
        Some(_) if stored != from_epoch_second(0, 0) => {
            let text = instant(stored, digits, &mut InstantBuffer::default()).to_vec();
            String::from_utf8(text).ok().map(Value::String)
        }
        _ => (!column.optional).then(|| zero.clone()),
    });
    Compiled {
        family: Family::Timestamp(Timestamp { fraction }),
        schema: Schema::new(Type::String).named("io.debezium.time.ZonedTimestamp", Some(1)),
        default: Ok(default),
        zero,
    }
}

impl Timestamp {
    #[inline]
    pub(super) fn write<S: CellSink>(&self, value: ColumnValue<'_>, sink: &mut S) -> Result<(), Failure> {
        let value = match value {
            ColumnValue::Timestamp { seconds: 0, micros: 0 } => return Err(Failure::Missing),
            ColumnValue::Timestamp { seconds, micros } => from_epoch_second(seconds, micros),
            ColumnValue::DateTime(value) if real_date(value.date, YEARS).is_some() => value,
            ColumnValue::DateTime(_) => return Err(Failure::Missing),
            _ => return Err(OTHER_KIND),
        };
        sink.ascii(instant(value, self.fraction, &mut InstantBuffer::default()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::cell::DateTime;
    use crate::event::value::tests::{TestColumn, config};

    /// types_temporal_*, types_zero_dates_*.
    #[test]
    fn instants_are_text_by_the_path() {
        for (digits, seconds, micros, stream, snapshot) in [
            (0, 1709210096, 0, r#""2024-02-29T12:34:56Z""#, r#""2024-02-29T12:34:56Z""#),
            (3, 1709210096, 120_000, r#""2024-02-29T12:34:56.120Z""#, r#""2024-02-29T12:34:56.12Z""#),
            (6, 1, 0, r#""1970-01-01T00:00:01.000000Z""#, r#""1970-01-01T00:00:01Z""#),
            (4, 946684800, 100, r#""2000-01-01T00:00:00.0001Z""#, r#""2000-01-01T00:00:00.0001Z""#),
            (6, 0, 0, "null", "null"),
        ] {
            let column = TestColumn::new("TIMESTAMP").length(digits).optional();
            assert_eq!(column.json(&config(), ColumnValue::Timestamp { seconds, micros }), stream);
            let snapshot_column = TestColumn { spelling: Spelling::Snapshot, ..column };
            let value = match (seconds, micros) {
                (0, 0) => DateTime::default(),
                _ => from_epoch_second(seconds, micros),
            };
            assert_eq!(snapshot_column.json(&config(), ColumnValue::DateTime(value)), snapshot);
        }
        let zero = ColumnValue::Timestamp { seconds: 0, micros: 0 };
        assert_eq!(TestColumn::new("TIMESTAMP").json(&config(), zero), r#""1970-01-01T00:00:00Z""#);
    }

    #[test]
    fn defaults_are_instants_in_utc() {
        for (optional, digits, text, default) in [
            (true, 0, "2020-01-02 03:04:05", r#","default":"2020-01-02T03:04:05Z""#),
            (false, 3, "2020-01-02 03:04:05.678", r#","default":"2020-01-02T03:04:05.678Z""#),
            (true, 6, "2020-01-02 03:04:05.500000", r#","default":"2020-01-02T03:04:05.500000Z""#),
            (true, 0, "1970-01-01 00:00:00", ""),
            (false, 6, "1970-01-01 00:00:00", r#","default":"1970-01-01T00:00:00Z""#),
            (false, 0, "0000-00-00 00:00:00", r#","default":"1970-01-01T00:00:00Z""#),
        ] {
            let column = TestColumn { optional, ..TestColumn::new("TIMESTAMP").length(digits).default(text) };
            let json = column.schema_json(&config());
            assert_eq!(json.split_once(r#""version":1"#).unwrap().1, format!("{default}}}"));
        }
    }
}
