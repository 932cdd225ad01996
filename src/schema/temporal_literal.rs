//! Dates and times in SQL text, as the server reads them.
//!
//! MySQL is lenient: parts stand between any punctuation or in fixed places without any (`1999-1-2`, `2020@01@02`,
//! `20200102T030405`), a year of two digits is 1970 to 2069, a time may be `1:02`, `10203` or `1 02:00`, and a number is
//! the same as its digits. Since 8.0.19 a date with a time may end in a displacement from UTC. What is read here is not
//! checked against the calendar: zero and impossible dates are literals too.
//!
//! Sources: manual, "Date and Time Literals"; the server's `str_to_datetime`, `number_to_datetime`, `str_to_time`.

use crate::connect::cell::{Date, DateTime, Time};

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// A date, with its time of day where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateLiteral {
    /// What stands there, its fraction cut to microseconds.
    pub value: DateTime,
    /// Whether the seventh digit of the fraction is 5 or more.
    pub more: bool,
    /// The displacement from UTC, in minutes.
    pub displacement: Option<i16>,
}

/// A time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLiteral {
    /// What stands there, its fraction cut to microseconds.
    pub value: Time,
    /// Whether the seventh digit of the fraction is 5 or more.
    pub more: bool,
}

/// Digits at the start of a text, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

/// A fraction behind its point: microseconds, whether the seventh digit rounds up, and the rest.
fn fraction(text: &str) -> (u32, bool, &str) {
    let (digits, rest) = digits(text);
    let micros = digits.bytes().chain(std::iter::repeat(b'0')).take(6);
    let micros = micros.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    (micros, digits.as_bytes().get(6).is_some_and(|digit| *digit >= b'5'), rest)
}

impl DateLiteral {
    /// Reads a date with or without a time of day.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (text, displacement) = match text.char_indices().rev().find(|(_, sign)| matches!(sign, '+' | '-'))
        {
            // Only behind a time of day: a date may have dashes of its own.
            Some((at, sign)) if at > 10 && text.get(..at)?.contains(':') => {
                let (hours, minutes) = text.get(at + 1..)?.split_once(':')?;
                let minutes =
                    hours.parse::<i16>().ok()?.checked_mul(60)?.checked_add(minutes.parse().ok()?)?;
                (text.get(..at)?, Some(if sign == '-' { -minutes } else { minutes }))
            }
            _ => (text, None),
        };
        let (whole, rest) = digits(text);
        // A number counts from its end, a text from its start: what has too few digits for a text is a number.
        let padded;
        let (whole, compact) = match (whole.len(), rest.chars().next()) {
            (1 | 3 | 5, None | Some('.')) => {
                padded = format!("{whole:0>6}");
                (padded.as_str(), true)
            }
            (9..=11 | 13, None | Some('.')) => {
                padded = format!("{whole:0>width$}", width = if whole.len() == 13 { 14 } else { 12 });
                (padded.as_str(), true)
            }
            (6.., None | Some('.' | 'T')) => (whole, true),
            _ => (whole, false),
        };
        let (value, more) = if compact { Self::compact(whole, rest)? } else { Self::delimited(text)? };
        Some(DateLiteral { value, more, displacement })
    }

    /// `YYYYMMDD` or `YYMMDD`, then `hhmmss`, each as far as it goes; a T may stand between.
    fn compact(whole: &str, rest: &str) -> Option<(DateTime, bool)> {
        let year_digits = if whole.len() == 8 || whole.len() >= 14 { 4 } else { 2 };
        let (date, clock) = whole.split_at_checked(year_digits + 4)?;
        let (clock, rest) = match rest.strip_prefix('T') {
            Some(rest) if clock.is_empty() => digits(rest),
            Some(_) => return None,
            None => (clock, rest),
        };
        let part = |text: &str, at: usize| match text.get(at..(at + 2).min(text.len())) {
            None | Some("") => Some(0),
            Some(digits) => digits.parse::<u8>().ok(),
        };
        let year = date.get(..year_digits)?.parse().ok()?;
        let (month, day) = (part(date, year_digits)?, part(date, year_digits + 2)?);
        let (hour, minute, second) = (part(clock, 0)?, part(clock, 2)?, part(clock, 4)?);
        let is_zero = [month, day, hour, minute, second].iter().all(|part| *part == 0);
        let year = if year_digits == 2 { full_year(year, is_zero) } else { year };
        let (micros, more, rest) = rest.strip_prefix('.').map_or((0, false, rest), fraction);
        let value = DateTime { date: Date { year, month, day }, hour, minute, second, micros };
        (rest.is_empty() && is_clock(&value)).then_some((value, more))
    }

    /// Parts between punctuation; a space or T stands between date and time.
    fn delimited(text: &str) -> Option<(DateTime, bool)> {
        let mut parts = [0u16; 6];
        let mut rest = text;
        let mut year_digits = 0;
        let mut count = 0;
        let mut tail = (0, false, "");
        for (index, part) in parts.iter_mut().enumerate() {
            let (number, behind) = digits(rest);
            *part = number.parse().ok()?;
            count = index + 1;
            if index == 0 {
                year_digits = number.len();
            }
            if index == 5 {
                tail = behind.strip_prefix('.').map_or((0, false, behind), fraction);
                rest = tail.2;
                break;
            }
            let between = |character: char| {
                character.is_ascii_punctuation() || (index == 2 && (character == ' ' || character == 'T'))
            };
            rest = behind.trim_start_matches(between);
            if rest.is_empty() {
                break;
            }
            if rest.len() == behind.len() {
                return None;
            }
        }
        let [year, month, day, hour, minute, second] = parts;
        let (micros, more, _) = tail;
        let small = |number: u16| u8::try_from(number).ok();
        let is_zero = parts.iter().skip(1).all(|part| *part == 0);
        let value = DateTime {
            date: Date {
                year: if year_digits <= 2 { full_year(year, is_zero) } else { year },
                month: small(month)?,
                day: small(day)?,
            },
            hour: small(hour)?,
            minute: small(minute)?,
            second: small(second)?,
            micros,
        };
        (count >= 3 && rest.is_empty() && is_clock(&value)).then_some((value, more))
    }

    /// The moment at a number of fractional digits. None when rounding would leave the calendar.
    pub fn at_digits(self, digits: u8, round: bool) -> Option<DateTime> {
        let DateTime { date, hour, minute, second, micros } = self.value;
        let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
        let clock = at_digits(seconds * 1_000_000 + i64::from(micros), self.more, digits, round);
        if clock >= DAY && (date.month == 0 || date.day == 0) {
            // A date with a zero part has no day after; the server stores the zero date.
            return Some(DateTime::default());
        }
        on_day(date, clock)
    }
}

impl TimeLiteral {
    /// Reads a time, with days or without.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        // A whole date with a time has a time, too.
        if text.len() >= 12
            && text.contains(['-', ' '])
            && !text.starts_with('-')
            && let Some(DateLiteral { value, more, .. }) = DateLiteral::read(text)
        {
            let DateTime { hour, minute, second, micros, .. } = value;
            let time = Time { negative: false, hours: hour.into(), minutes: minute, seconds: second, micros };
            return Some(TimeLiteral { value: time, more });
        }
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (first, rest) = digits(text);
        let first: u32 = if first.is_empty() { 0 } else { first.parse().ok()? };
        let days = rest.trim_start();
        let (parts, rest) =
            if days.len() < rest.len() && days.starts_with(|digit: char| digit.is_ascii_digit()) {
                let (clock, rest) = clock(days)?;
                let [hours, minutes, seconds] = clock;
                ([first.checked_mul(24)?.checked_add(hours)?, minutes, seconds], rest)
            } else if rest.starts_with(':') {
                clock(text)?
            } else {
                ([first / 10_000, first / 100 % 100, first % 100], rest)
            };
        let [hours, minutes, seconds] = parts;
        let (micros, more, rest) = rest.strip_prefix('.').map_or((0, false, rest), fraction);
        let value = Time {
            negative,
            hours: u16::try_from(hours).ok()?,
            minutes: u8::try_from(minutes).ok()?,
            seconds: u8::try_from(seconds).ok()?,
            micros,
        };
        let fits = value.hours <= 838 && value.minutes < 60 && value.seconds < 60;
        (fits && rest.is_empty()).then_some(TimeLiteral { value, more })
    }

    /// The time at a number of fractional digits.
    pub fn at_digits(self, digits: u8, round: bool) -> Time {
        let Time { negative, hours, minutes, seconds, micros } = self.value;
        let seconds = (i64::from(hours) * 60 + i64::from(minutes)) * 60 + i64::from(seconds);
        let micros = at_digits(seconds * 1_000_000 + i64::from(micros), self.more, digits, round);
        let seconds = micros / 1_000_000;
        Time {
            negative,
            hours: u16::try_from(seconds / 3600).unwrap_or(u16::MAX),
            minutes: u8::try_from(seconds / 60 % 60).unwrap_or_default(),
            seconds: u8::try_from(seconds % 60).unwrap_or_default(),
            micros: u32::try_from(micros % 1_000_000).unwrap_or_default(),
        }
    }
}

/// `hh`, `hh:mm` or `hh:mm:ss`, and the rest.
fn clock(text: &str) -> Option<([u32; 3], &str)> {
    let mut parts = [0; 3];
    let mut rest = text;
    for part in &mut parts {
        let (number, behind) = digits(rest);
        *part = number.parse().ok()?;
        match behind.strip_prefix(':') {
            Some(next) => rest = next,
            None => return Some((parts, behind)),
        }
    }
    None
}

/// The year that two digits mean; all zeros are the zero date.
fn full_year(year: u16, rest_is_zero: bool) -> u16 {
    match year {
        0 if rest_is_zero => 0,
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        _ => year,
    }
}

fn is_clock(value: &DateTime) -> bool {
    value.hour < 24 && value.minute < 60 && value.second < 60
}

/// Microseconds cut or rounded to so many digits.
fn at_digits(micros: i64, more: bool, digits: u8, round: bool) -> i64 {
    let unit = 10i64.pow(u32::from(6 - digits.min(6)));
    let up = match unit {
        1 => more,
        _ => micros % unit * 2 >= unit,
    };
    micros - micros % unit + if round && up { unit } else { 0 }
}

/// The moment that many microseconds from a day's midnight: on the day, the one before or the one after.
fn on_day(date: Date, micros: i64) -> Option<DateTime> {
    let date = match micros.div_euclid(DAY) {
        0 => date,
        1 => next_day(date)?,
        -1 => previous_day(date)?,
        _ => return None,
    };
    let micros = micros.rem_euclid(DAY);
    let seconds = micros / 1_000_000;
    Some(DateTime {
        date,
        hour: u8::try_from(seconds / 3600).ok()?,
        minute: u8::try_from(seconds / 60 % 60).ok()?,
        second: u8::try_from(seconds % 60).ok()?,
        micros: u32::try_from(micros % 1_000_000).ok()?,
    })
}

/// A moment, so many seconds (less than a day) later or earlier.
pub fn shifted(value: DateTime, seconds: i32) -> Option<DateTime> {
    let clock = (i64::from(value.hour) * 60 + i64::from(value.minute)) * 60 + i64::from(value.second);
    on_day(value.date, (clock + i64::from(seconds)) * 1_000_000 + i64::from(value.micros))
}

fn month_length(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        // For MySQL year 0 has no leap day (`calc_days_in_year`).
        2 if year != 0
            && year.is_multiple_of(4)
            && (!year.is_multiple_of(100) || year.is_multiple_of(400)) =>
        {
            29
        }
        2 => 28,
        _ => 31,
    }
}

/// The day after; that of June 31 is July 2.
fn next_day(date: Date) -> Option<Date> {
    let Date { year, month, day } = date;
    let length = month_length(year, month);
    Some(match (month, day) {
        (0, _) | (_, 0) => return None,
        _ if day < length => Date { day: day + 1, ..date },
        (12, _) => Date { year: year + 1, month: 1, day: day - length + 1 },
        _ => Date { year, month: month + 1, day: day - length + 1 },
    })
}

fn previous_day(date: Date) -> Option<Date> {
    let Date { year, month, day } = date;
    Some(match (month, day) {
        (0, _) | (_, 0) => return None,
        (1, 1) => Date { year: year.checked_sub(1)?, month: 12, day: 31 },
        (_, 1) => Date { year, month: month - 1, day: month_length(year, month - 1) },
        _ => Date { day: day - 1, ..date },
    })
}

#[cfg(test)]
mod tests;
