//! TIME.
//!
//! A duration of up to 838:59:59.999999 either way. Debezium's MicroTime and NanoTime count all of it; Connect's Time (ms
//! of a day) and IsoTime (`12:34:56.12Z`, no trailing zeros) have no form for what is below zero or past a day, which is a
//! conversion failure. Manual: "The TIME Type".

use crate::config::modes::TemporalPrecisionMode;
use crate::connect::cell::{CellSink, ColumnValue, Time as StoredTime};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::calendar::{Fraction, write_time};
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::{Compiled, Family, literal, text_of};
use crate::schema::column::Column;

const OUT_OF_RANGE: Failure =
    Failure::Unrepresentable("a TIME below zero or past a day has no form in this time.precision.mode");

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// A TIME column.
#[derive(Clone, Copy, Debug)]
pub enum Time {
    /// `io.debezium.time.MicroTime`.
    Micros,
    /// `io.debezium.time.NanoTime`.
    Nanos,
    /// `org.apache.kafka.connect.data.Time`.
    Connect,
    /// `io.debezium.time.IsoTime`.
    Iso,
}

pub(super) fn compile(column: &Column, mode: TemporalPrecisionMode) -> Compiled {
    let (family, kind, name) = match mode {
        TemporalPrecisionMode::AdaptiveTimeMicroseconds | TemporalPrecisionMode::Microseconds => {
            (Time::Micros, Type::Int64, "io.debezium.time.MicroTime")
        }
        TemporalPrecisionMode::Nanoseconds => (Time::Nanos, Type::Int64, "io.debezium.time.NanoTime"),
        TemporalPrecisionMode::Connect => (Time::Connect, Type::Int32, "org.apache.kafka.connect.data.Time"),
        TemporalPrecisionMode::IsoString => (Time::Iso, Type::String, "io.debezium.time.IsoTime"),
    };
    let default = column.default_value_expression.as_deref().and_then(literal::time);
    let value = |time: StoredTime| {
        if matches!(family, Time::Iso) {
            let mut text = Vec::new();
            write_iso(time, &mut text)?;
            text_of(&text).map(|text| Value::String(text.to_owned()))
        } else {
            family.number(time).map(Value::Integer)
        }
    };
    let zero = match family {
        Time::Iso => Value::String("00:00:00Z".to_owned()),
        Time::Micros | Time::Nanos | Time::Connect => Value::Integer(0),
    };
    Compiled {
        schema: Schema::new(kind).named(name, Some(1)),
        default: default.map(value).transpose(),
        zero,
        family: Family::Time(family),
    }
}

fn micros(time: StoredTime) -> i64 {
    let seconds = i64::from(time.hours) * 3600 + i64::from(time.minutes) * 60 + i64::from(time.seconds);
    let micros = seconds * 1_000_000 + i64::from(time.micros);
    if time.negative { -micros } else { micros }
}

fn write_iso(time: StoredTime, out: &mut Vec<u8>) -> Result<(), Failure> {
    // 24:00:00 is past the last time of a day, 23:59:59.999999.
    if !(0..DAY).contains(&micros(time)) {
        return Err(OUT_OF_RANGE);
    }
    let hour = u8::try_from(time.hours).unwrap_or(0);
    write_time(hour, time.minutes, time.seconds, time.micros, Fraction::Shortest, out);
    out.push(b'Z');
    Ok(())
}

impl Time {
    #[inline]
    fn number(self, time: StoredTime) -> Result<i64, Failure> {
        let micros = micros(time);
        match self {
            Time::Micros => Ok(micros),
            Time::Nanos => Ok(micros * 1000),
            // A whole day is still accepted.
            Time::Connect if (0..=DAY).contains(&micros) => Ok(micros / 1000),
            Time::Connect | Time::Iso => Err(OUT_OF_RANGE),
        }
    }

    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        let ColumnValue::Time(time) = value else { return Err(OTHER_KIND) };
        if matches!(self, Time::Iso) {
            scratch.clear();
            write_iso(time, scratch)?;
            sink.ascii(scratch);
        } else {
            sink.integer(self.number(time)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::modes::FailureHandlingMode;
    use crate::event::value::error::ValueError;
    use crate::event::value::tests::{TestColumn, config};

    fn time(text: &str) -> ColumnValue<'static> {
        ColumnValue::Time(literal::time(text).unwrap())
    }

    /// types_temporal_* and a run with `nanoseconds` and `isostring`.
    #[test]
    fn times_are_durations_or_times_of_a_day() {
        use TemporalPrecisionMode::*;
        for (mode, schema, cells) in [
            (
                AdaptiveTimeMicroseconds,
                r#"{"type":"int64","optional":true,"name":"io.debezium.time.MicroTime","version":1}"#,
                [
                    ("12:34:56.12", "45296120000"),
                    ("-838:59:59", "-3020399000000"),
                    ("-00:00:01.1234", "-1123400"),
                ],
            ),
            (
                Nanoseconds,
                r#"{"type":"int64","optional":true,"name":"io.debezium.time.NanoTime","version":1}"#,
                [
                    ("838:59:58.999", "3020398999000000"),
                    ("00:00:00.000001", "1000"),
                    ("-00:00:01", "-1000000000"),
                ],
            ),
            (
                Connect,
                r#"{"type":"int32","optional":true,"name":"org.apache.kafka.connect.data.Time","version":1}"#,
                [("12:34:56.1234", "45296123"), ("24:00:00", "86400000"), ("24:00:00.001", "null")],
            ),
            (
                IsoString,
                r#"{"type":"string","optional":true,"name":"io.debezium.time.IsoTime","version":1}"#,
                [("23:59:59.90", r#""23:59:59.9Z""#), ("12:34:00", r#""12:34:00Z""#), ("-00:00:01", "null")],
            ),
        ] {
            let mut config = config();
            config.temporal = mode;
            let column = TestColumn::new("TIME").length(6).optional();
            assert_eq!(column.schema_json(&config), schema);
            for (text, json) in cells {
                assert_eq!(column.json(&config, time(text)), json, "{text}");
            }
        }
    }

    #[test]
    fn defaults_are_times() {
        for (mode, text, default) in [
            (TemporalPrecisionMode::Microseconds, "-12:34:56", r#","default":-45296000000"#),
            (TemporalPrecisionMode::IsoString, "1:02", r#","default":"01:02:00Z""#),
            (TemporalPrecisionMode::Connect, "24:00:00.000", r#","default":86400000"#),
            (TemporalPrecisionMode::Connect, "-01:00:00", ""),
        ] {
            let mut config = config();
            config.temporal = mode;
            let json = TestColumn::new("TIME").optional().default(text).schema_json(&config);
            assert_eq!(json.split_once(r#""version":1"#).unwrap().1, format!("{default}}}"));
        }
    }

    #[test]
    fn a_time_without_a_form_is_a_failure_by_the_mode() {
        let mut config = config();
        config.temporal = TemporalPrecisionMode::Connect;
        let column = TestColumn::new("TIME");
        assert!(matches!(column.try_json(&config, time("-01:00:00")), Err(ValueError::Required { .. })));
        assert_eq!(column.default("10:00:00").json(&config, time("-01:00:00")), "36000000");
        config.converting_failure = FailureHandlingMode::Fail;
        let column = TestColumn::new("TIME").optional();
        assert!(matches!(column.try_json(&config, time("-01:00:00")), Err(ValueError::Conversion { .. })));
        let column = column.default("-01:00:00");
        assert!(matches!(column.try_json(&config, time("01:00:00")), Err(ValueError::Default { .. })));
    }
}
