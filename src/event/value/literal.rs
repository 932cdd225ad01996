//! Dates, times and integers in the defaults of columns.
//!
//! MySQL is lenient: `1999-1-2`, `2021-01-01` for a DATETIME, `1:02` for a TIME, `000042`, `0x10`, `b'101'`, `true`.
//! What cannot be read has no default. Manual: "Date and Time Literals", "Hexadecimal Literals", "Bit-Value Literals".

use crate::connect::cell::{Date, DateTime, Time};
use crate::event::value::calendar::adjust;

/// A date with or without a time of day. The parts are not checked against the calendar.
pub fn date_time(text: &str) -> Option<DateTime> {
    let text = text.trim();
    if text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return compact(text);
    }
    let (whole, micros) = fraction(text)?;
    let mut parts = whole.split(|character: char| !character.is_ascii_digit());
    let mut next = || parts.next();
    let year_text = next()?;
    let year: u16 = year_text.parse().ok()?;
    let date = Date {
        year: if year_text.len() <= 2 { adjust(year) } else { year },
        month: next()?.parse().ok()?,
        day: next()?.parse().ok()?,
    };
    let mut part = || next().filter(|text| !text.is_empty()).map_or(Some(0), |text| text.parse().ok());
    let (hour, minute, second) = (part()?, part()?, part()?);
    (next().is_none() && hour < 24 && minute < 60 && second < 60).then_some(DateTime {
        date,
        hour,
        minute,
        second,
        micros,
    })
}

/// `YYYYMMDD` or `YYYYMMDDhhmmss`.
fn compact(digits: &str) -> Option<DateTime> {
    let part = |at: usize, length: usize| digits.get(at..at + length)?.parse::<u16>().ok();
    let small = |at: usize| part(at, 2).and_then(|number| u8::try_from(number).ok());
    let date = Date { year: part(0, 4)?, month: small(4)?, day: small(6)? };
    match digits.len() {
        8 => Some(DateTime { date, ..DateTime::default() }),
        14 => Some(DateTime { date, hour: small(8)?, minute: small(10)?, second: small(12)?, micros: 0 }),
        _ => None,
    }
}

/// `hh:mm:ss`, `hh:mm`, `hhmmss`, `D hh:mm:ss`, each with a sign and a fraction.
pub fn time(text: &str) -> Option<Time> {
    let text = text.trim();
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, micros) = fraction(text)?;
    let (days, clock) = match whole.split_once(' ') {
        Some((days, clock)) => (days.parse::<u16>().ok()?, clock.trim()),
        None => (0, whole),
    };
    let mut parts = clock.split(':');
    let (first, second, third) = (parts.next()?, parts.next(), parts.next());
    if parts.next().is_some() {
        return None;
    }
    let (hours, minutes, seconds): (u16, u8, u8) = match (second, third) {
        (None, _) => {
            let number: u32 = first.parse().ok()?;
            let small = |number: u32| u8::try_from(number % 100).ok();
            (u16::try_from(number / 10_000).ok()?, small(number / 100)?, small(number)?)
        }
        (Some(minutes), None) => (first.parse().ok()?, minutes.parse().ok()?, 0),
        (Some(minutes), Some(seconds)) => (first.parse().ok()?, minutes.parse().ok()?, seconds.parse().ok()?),
    };
    let hours = days.checked_mul(24)?.checked_add(hours)?;
    (hours <= 838 && minutes < 60 && seconds < 60).then_some(Time {
        negative,
        hours,
        minutes,
        seconds,
        micros,
    })
}

/// What stands before the point, and the fraction as microseconds; further digits are cut.
fn fraction(text: &str) -> Option<(&str, u32)> {
    let Some((whole, digits)) = text.split_once('.') else { return Some((text, 0)) };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let micros = digits.bytes().chain(std::iter::repeat(b'0')).take(6);
    Some((whole, micros.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'))))
}

/// An integer; numbers with a fraction are rounded half away from zero, as MySQL does.
pub fn integer(text: &str) -> Option<i128> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    if text.eq_ignore_ascii_case("true") {
        return Some(1);
    }
    if text.eq_ignore_ascii_case("false") {
        return Some(0);
    }
    if let Some(bytes) = hexadecimal(text) {
        return bytes
            .iter()
            .try_fold(0i128, |sum, byte| sum.checked_mul(256)?.checked_add(i128::from(*byte)));
    }
    if let Some(bits) = bits(text) {
        return i128::from_str_radix(bits, 2).ok();
    }
    let number: f64 = text.parse().ok()?;
    // Beyond 2^64 no column holds it.
    (number.abs() < 1e20).then(|| number.round() as i128)
}

/// The bytes of `0xCAFE`, `x'CAFE'` or `X'CAFE'`; an odd digit stands alone in the first byte.
pub fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits = match text.strip_prefix("0x") {
        Some(digits) => digits,
        None => text.strip_prefix(['x', 'X'])?.strip_prefix('\'')?.strip_suffix('\'')?,
    };
    if digits.is_empty() {
        return None;
    }
    let values: Option<Vec<u8>> =
        digits.chars().map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok())).collect();
    let values = values?;
    let (odd, pairs) = values.split_at(values.len() % 2);
    Some(
        odd.iter()
            .copied()
            .chain(pairs.chunks(2).map(|pair| pair.iter().fold(0, |sum, value| sum << 4 | value)))
            .collect(),
    )
}

/// The digits of `b'101'`, `0b101`.
pub fn bits(text: &str) -> Option<&str> {
    let digits = match text.strip_prefix("0b") {
        Some(digits) => digits,
        None => text.strip_prefix(['b', 'B'])?.strip_prefix('\'')?.strip_suffix('\'')?,
    };
    digits.bytes().all(|byte| byte == b'0' || byte == b'1').then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_leniently() {
        let date = |year, month, day| Date { year, month, day };
        for (text, expected) in [
            ("2020-02-29", Some(DateTime { date: date(2020, 2, 29), ..DateTime::default() })),
            ("1999-1-2", Some(DateTime { date: date(1999, 1, 2), ..DateTime::default() })),
            ("99-1-2", Some(DateTime { date: date(1999, 1, 2), ..DateTime::default() })),
            ("0000-00-00 00:00:00", Some(DateTime::default())),
            (
                "2020-01-02 03:04:05.678901",
                Some(DateTime { date: date(2020, 1, 2), hour: 3, minute: 4, second: 5, micros: 678_901 }),
            ),
            (
                "2020-01-02T03:04:05.5",
                Some(DateTime { date: date(2020, 1, 2), hour: 3, minute: 4, second: 5, micros: 500_000 }),
            ),
            (
                "20200102030405",
                Some(DateTime { date: date(2020, 1, 2), hour: 3, minute: 4, second: 5, micros: 0 }),
            ),
            ("2020-01", None),
            ("", None),
            ("x", None),
            ("2020-01-02 25:00:00", None),
        ] {
            assert_eq!(date_time(text), expected, "{text}");
        }
    }

    #[test]
    fn times_are_read_leniently() {
        let expect = |negative, hours, minutes, seconds, micros| {
            Some(Time { negative, hours, minutes, seconds, micros })
        };
        for (text, expected) in [
            ("-12:34:56", expect(true, 12, 34, 56, 0)),
            ("01:02:03.456", expect(false, 1, 2, 3, 456_000)),
            ("1:02", expect(false, 1, 2, 0, 0)),
            ("10203", expect(false, 1, 2, 3, 0)),
            ("1 02:00:00", expect(false, 26, 2 - 2, 0, 0)),
            ("838:59:59", expect(false, 838, 59, 59, 0)),
            ("839:00:00", None),
            ("a", None),
            ("1:2:3:4", None),
        ] {
            assert_eq!(time(text), expected, "{text}");
        }
    }

    #[test]
    fn integers_are_read_in_all_literal_forms() {
        for (text, expected) in [
            ("-5", Some(-5)),
            ("000042", Some(42)),
            ("18446744073709551615", Some(18_446_744_073_709_551_615)),
            ("0x10", Some(16)),
            ("x'ff'", Some(255)),
            ("b'101'", Some(5)),
            ("TRUE", Some(1)),
            ("2.5", Some(3)),
            ("-1e2", Some(-100)),
            ("n/a", None),
            ("", None),
        ] {
            assert_eq!(integer(text), expected, "{text}");
        }
        assert_eq!(hexadecimal("0xcafe"), Some(vec![0xca, 0xfe]));
        assert_eq!(hexadecimal("0xf00"), Some(vec![0x0f, 0x00]));
    }
}
