//! Dates and times.
//!
//! What the server prints is `YYYY-MM-DD`, `[-]HHH:MM:SS[.ffffff]`, or both with a blank. A date with a zero month or day,
//! or a day that its month does not have, is missing. `enable.time.adjuster` makes years 0 to 69 those from 2000 and 70 to
//! 99 those from 1970, and it is the adjusted year that must have the day. Year 0 with a month and a day is a zero date in
//! the stream and a year in a snapshot, as Debezium has it.

use crate::column::Kind;
use crate::expectation::{Meaning, Spelling};
use crate::modes::{Modes, TimeMode};
use crate::value::Value;

const DAY_MICROS: i128 = 86_400_000_000;

fn adjusted(year: i128, modes: Modes) -> i128 {
    match year {
        0..=69 if modes.adjust_years => year + 2000,
        70..=99 if modes.adjust_years => year + 1900,
        _ => year,
    }
}

fn is_leap(year: i128) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_length(year: i128, month: i128) -> i128 {
    match month {
        2 => 28 + i128::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, year by year and month by month.
fn days(year: i128, month: i128, day: i128) -> i128 {
    let of_years: i128 = if year >= 1970 {
        (1970..year).map(|year| 365 + i128::from(is_leap(year))).sum()
    } else {
        -(year..1970).map(|year| 365 + i128::from(is_leap(year))).sum::<i128>()
    };
    of_years + (1..month).map(|month| month_length(year, month)).sum::<i128>() + day - 1
}

/// Year as published, month, day; none when there is no such day.
fn calendar(text: &str, modes: Modes, spelling: Spelling) -> Option<Option<(i128, i128, i128)>> {
    let mut parts = text.split('-').map(|part| part.parse::<i128>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if month == 0 || day == 0 || (year == 0 && spelling != Spelling::Snapshot) {
        return Some(None);
    }
    let year = adjusted(year, modes);
    Some((day <= month_length(year, month)).then_some((year, month, day)))
}

/// Microseconds of `[-]H:MM:SS[.ffffff]`, and the digits of the fraction.
fn clock(text: &str) -> Option<(i128, String)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = whole.split(':').map(|part| part.parse::<i128>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    let micros: i128 = format!("{fraction:0<6}").parse().ok()?;
    let total = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros;
    Some((if negative { -total } else { total }, fraction.to_owned()))
}

/// `.12` of the digits `120000`, nothing of zeros.
fn shortest(fraction: &str) -> String {
    let digits = fraction.trim_end_matches('0');
    if digits.is_empty() { String::new() } else { format!(".{digits}") }
}

pub fn date(text: &str, modes: Modes, spelling: Spelling) -> Option<Meaning> {
    let Some((year, month, day)) = calendar(text, modes, spelling)? else { return Some(Meaning::Missing) };
    Some(Meaning::Value(match modes.time {
        TimeMode::IsoString => Value::Text(format!("{year:04}-{month:02}-{day:02}Z")),
        _ => Value::Integer(days(year, month, day)),
    }))
}

pub fn time(text: &str, modes: Modes) -> Option<Meaning> {
    let (micros, fraction) = clock(text)?;
    let integer = |number| Meaning::Value(Value::Integer(number));
    Some(match modes.time {
        TimeMode::Adaptive | TimeMode::Microseconds => integer(micros),
        TimeMode::Nanoseconds => integer(micros * 1000),
        // 24:00:00 itself is still taken.
        TimeMode::Connect if (0..=DAY_MICROS).contains(&micros) => integer(micros / 1000),
        TimeMode::IsoString if (0..DAY_MICROS).contains(&micros) => {
            let whole = text.split('.').next()?;
            Meaning::Value(Value::Text(format!("{whole}{}Z", shortest(&fraction))))
        }
        TimeMode::Connect | TimeMode::IsoString => Meaning::NoForm,
    })
}

pub fn date_time(text: &str, digits: u8, modes: Modes, spelling: Spelling) -> Option<Meaning> {
    let (date, of_day) = text.split_once(' ')?;
    let Some((year, month, day)) = calendar(date, modes, spelling)? else { return Some(Meaning::Missing) };
    let (micros, fraction) = clock(of_day)?;
    let micros = days(year, month, day) * DAY_MICROS + micros;
    let integer = |number| Meaning::Value(Value::Integer(number));
    Some(match modes.time {
        TimeMode::Adaptive if digits <= 3 => integer(micros.div_euclid(1000)),
        TimeMode::Adaptive | TimeMode::Microseconds => integer(micros),
        TimeMode::Connect => integer(micros.div_euclid(1000)),
        TimeMode::Nanoseconds => {
            // The whole seconds alone must fit as well.
            let seconds = micros.div_euclid(1_000_000) * 1_000_000_000;
            match (i64::try_from(seconds), i64::try_from(micros * 1000)) {
                (Ok(_), Ok(nanos)) => integer(i128::from(nanos)),
                _ => Meaning::NoForm,
            }
        }
        TimeMode::IsoString => {
            let whole = of_day.split('.').next()?;
            Meaning::Value(Value::Text(format!(
                "{year:04}-{month:02}-{day:02}T{whole}{}Z",
                shortest(&fraction)
            )))
        }
    })
}

/// The server prints it in UTC: the session's time zone is `+00:00`.
pub fn timestamp(text: &str, digits: u8, spelling: Spelling) -> Option<Meaning> {
    let (date, of_day) = text.split_once(' ')?;
    if date == "0000-00-00" {
        return Some(Meaning::Missing);
    }
    let (whole, fraction) = of_day.split_once('.').unwrap_or((of_day, ""));
    let fraction = match spelling {
        Spelling::Snapshot => shortest(fraction),
        Spelling::SnapshotAsStream | Spelling::Stream if digits == 0 => String::new(),
        Spelling::SnapshotAsStream | Spelling::Stream => format!(".{fraction}"),
    };
    Some(Meaning::Value(Value::Text(format!("{date}T{whole}{fraction}Z"))))
}

pub fn zero(kind: &Kind, modes: Modes) -> Value {
    let iso = modes.time == TimeMode::IsoString;
    match kind {
        Kind::Date if iso => Value::Text("1970-01-01Z".to_owned()),
        Kind::DateTime { .. } if iso => Value::Text("1970-01-01T00:00:00Z".to_owned()),
        Kind::Timestamp { .. } => Value::Text("1970-01-01T00:00:00Z".to_owned()),
        _ => Value::Integer(0),
    }
}
