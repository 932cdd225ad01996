//! What the session of a statement makes of the literals in it, above all of dates and times.
//!
//! A TIMESTAMP is an instant, and a literal for it stands in the time zone of the session: `+05:30`, a zone's name, or
//! SYSTEM for that of the host. Digits that a column does not keep are rounded, or cut under TIME_TRUNCATE_FRACTIONAL and in
//! MariaDB without TIME_ROUND_FRACTIONAL. (Manual: "MySQL Server Time Zone Support", "Fractional Seconds in Time Values",
//! "Server SQL Modes"; MariaDB's: "Microseconds in MariaDB".)

use jiff::civil;
use jiff::tz::TimeZone;

use crate::connect::cell::{DateTime, Time};
use crate::schema::charset::Charset;
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::database_schema::{Flavor, SchemaOptions, Statement};
use crate::schema::temporal_literal::{DateLiteral, TimeLiteral, shifted};

/// `MODE_TIME_TRUNCATE_FRACTIONAL` of MySQL.
const TIME_TRUNCATE_FRACTIONAL: u64 = 1 << 32;
/// `MODE_TIME_ROUND_FRACTIONAL` of MariaDB.
const TIME_ROUND_FRACTIONAL: u64 = 1 << 34;

/// The settings that matter.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    zone: TimeZone,
    rounds: bool,
    /// The character set of literals, that of `collation_connection`.
    connection: Charset,
    /// Whether a displacement from UTC behind a time is heeded; MySQL before 8.0.19 and MariaDB cut it off with a warning.
    displacements: bool,
    /// Whether a number can be a default of ENUM and SET by its digits, as a label; to 8.0.15 and before it is the number of
    /// the label, to 9.7 it is not.
    pub(crate) number_labels: bool,
    /// Whether literals are defaults of TEXT and BLOB; to MySQL they are not, and without strict mode it drops them.
    pub(crate) large_defaults: bool,
}

impl Session {
    /// The session in which a statement ran.
    pub(crate) fn of(statement: &Statement<'_>, options: &SchemaOptions) -> Self {
        let named = statement.time_zone.unwrap_or("+00:00");
        let zone = if named.eq_ignore_ascii_case("SYSTEM") { &options.system_time_zone } else { named };
        let zone = time_zone(zone).unwrap_or_else(|| {
            tracing::warn!(
                zone,
                "a time zone is not known; defaults of TIMESTAMP columns are taken to be in UTC"
            );
            TimeZone::UTC
        });
        let rounds = match options.flavor {
            Flavor::MySql => statement.sql_mode & TIME_TRUNCATE_FRACTIONAL == 0,
            Flavor::MariaDb => statement.sql_mode & TIME_ROUND_FRACTIONAL != 0,
        };
        let connection =
            statement.collation_connection.and_then(Charset::of_client).unwrap_or(Charset::UTF8MB4);
        let displacements = options.flavor == Flavor::MySql && options.version >= 80_019;
        let number_labels = options.flavor == Flavor::MySql && options.version >= 90_000;
        Session {
            zone,
            rounds,
            connection,
            displacements,
            number_labels,
            large_defaults: options.flavor == Flavor::MariaDb,
        }
    }

    /// The text of a literal as the column stores it: as written, unless the session or the column's digits change it.
    pub(crate) fn temporal(&self, text: &str, column: &Column) -> String {
        self.changed(text, column).unwrap_or_else(|| text.to_owned())
    }

    /// The bytes of a literal that is stored as bytes. (Seen on MySQL 9.7 and 5.7 and MariaDB 10.11.)
    pub(crate) fn bytes(&self, text: &str) -> Vec<u8> {
        self.connection.encode(text).unwrap_or_else(|| text.as_bytes().to_vec())
    }

    fn changed(&self, text: &str, column: &Column) -> Option<String> {
        let digits = u8::try_from(column.length.unwrap_or(0)).unwrap_or(0).min(6);
        let data_type = column.data_type()?;
        match data_type {
            DataType::Time => {
                let literal = TimeLiteral::read(text)?;
                let kept = literal.at_digits(digits, self.rounds);
                (literal.more || kept != literal.value).then(|| time_text(kept, digits))
            }
            DataType::DateTime | DataType::Timestamp | DataType::Date => {
                let literal = DateLiteral::read(text)?;
                if literal.value.date.month == 0 || literal.value.date.day == 0 {
                    return None;
                }
                let kept = match data_type {
                    DataType::Date => literal.value,
                    _ => literal.at_digits(digits, self.rounds)?,
                };
                let second = |value: DateTime| (value.hour, value.minute, value.second);
                let here = match literal.displacement {
                    // The server forgets a displacement when the rounding reaches the seconds (seen on 9.7).
                    Some(minutes) if self.displacements && second(kept) == second(literal.value) => {
                        let utc = shifted(kept, -i32::from(minutes) * 60)?;
                        shifted(utc, self.seconds_east_at(utc)?)?
                    }
                    _ => kept,
                };
                let stored = match data_type {
                    DataType::Timestamp => shifted(here, -self.seconds_east(here)?)?,
                    _ => here,
                };
                let changed = literal.more || literal.displacement.is_some() || stored != literal.value;
                changed.then(|| date_time_text(stored, digits))
            }
            _ => None,
        }
    }

    /// How far the zone is ahead of UTC at a local time. A time that the clocks passed over counts as the server takes it,
    /// before the step.
    fn seconds_east(&self, local: DateTime) -> Option<i32> {
        Some(self.zone.to_ambiguous_zoned_datetime(civil_time(local)?).compatible().ok()?.offset().seconds())
    }

    /// How far the zone is ahead of UTC at an instant.
    fn seconds_east_at(&self, utc: DateTime) -> Option<i32> {
        let instant = TimeZone::UTC.to_timestamp(civil_time(utc)?).ok()?;
        Some(self.zone.to_offset(instant).seconds())
    }
}

/// `+05:30`, or a name of the IANA database.
fn time_zone(name: &str) -> Option<TimeZone> {
    let (sign, clock) = match name.split_at_checked(1)? {
        ("+", clock) => (1, clock),
        ("-", clock) => (-1, clock),
        _ => return TimeZone::get(name).ok(),
    };
    let (hours, minutes) = clock.split_once(':')?;
    let seconds =
        hours.parse::<i32>().ok()?.checked_mul(3600)? + minutes.parse::<i32>().ok()?.checked_mul(60)?;
    Some(TimeZone::fixed(jiff::tz::Offset::from_seconds(sign * seconds).ok()?))
}

fn civil_time(value: DateTime) -> Option<civil::DateTime> {
    let small = |number: u8| i8::try_from(number).ok();
    let DateTime { date, hour, minute, second, micros } = value;
    let nanos = i32::try_from(micros).ok()? * 1000;
    let year = i16::try_from(date.year).ok()?;
    let (month, day) = (small(date.month)?, small(date.day)?);
    civil::DateTime::new(year, month, day, small(hour)?, small(minute)?, small(second)?, nanos).ok()
}

fn date_time_text(value: DateTime, digits: u8) -> String {
    let DateTime { date, hour, minute, second, micros } = value;
    let (year, month, day) = (date.year, date.month, date.day);
    let clock = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
    clock + &fraction_text(micros, digits)
}

fn time_text(value: Time, digits: u8) -> String {
    let Time { negative, hours, minutes, seconds, micros } = value;
    let sign = if negative { "-" } else { "" };
    format!("{sign}{hours:02}:{minutes:02}:{seconds:02}") + &fraction_text(micros, digits)
}

fn fraction_text(micros: u32, digits: u8) -> String {
    match digits {
        0 => String::new(),
        _ => format!(".{micros:06}").chars().take(1 + usize::from(digits)).collect(),
    }
}
