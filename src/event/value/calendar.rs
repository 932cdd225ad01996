//! Days, zero dates and ISO 8601 digits.
//!
//! Days are counted in the proleptic Gregorian calendar from 1970-01-01, as java.time.LocalDate does. MySQL may store
//! dates that do not exist: zero dates (`0000-00-00`), dates with a zero part, and with ALLOW_INVALID_DATES such ones
//! as February 31. None of them is a day; they are treated as missing (Connector/J's CONVERT_TO_NULL).

use crate::connect::cell::{Date, DateTime};
use crate::connect::digits::eight_digits;

/// Seconds of a day.
pub const SECONDS_PER_DAY: i64 = 86_400;

/// How years are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Years {
    /// `enable.time.adjuster`: 0 to 69 mean 2000 to 2069, 70 to 99 mean 1970 to 1999.
    pub adjust: bool,
    /// Whether year 0 of an otherwise full date is a year. The reference takes it for a zero date in the stream, and for
    /// a year in a snapshot.
    pub zero: bool,
}

/// Days since 1970-01-01; none when the date is no day.
#[inline]
pub fn epoch_day(date: Date, years: Years) -> Option<i64> {
    let Date { year, month, day } = real_date(date, years)?;
    Some(days_from_civil(i64::from(year), i64::from(month), i64::from(day)))
}

/// The date with its year as published; none when it is no day.
#[inline]
pub fn real_date(date: Date, years: Years) -> Option<Date> {
    let Date { year, month, day } = date;
    if month == 0 || day == 0 || (year == 0 && !years.zero) {
        return None;
    }
    let year = if years.adjust { adjust(year) } else { year };
    (day <= days_in_month(year, month)).then_some(Date { year, month, day })
}

/// Seconds since 1970-01-01T00:00:00 of a wall clock taken for UTC; none when the date is no day.
#[inline]
pub fn epoch_second(value: DateTime, years: Years) -> Option<i64> {
    let day = epoch_day(value.date, years)?;
    let second = i64::from(value.hour) * 3600 + i64::from(value.minute) * 60 + i64::from(value.second);
    Some(day * SECONDS_PER_DAY + second)
}

/// Two-digit years, as MySQL itself reads them.
pub fn adjust(year: u16) -> u16 {
    match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        _ => year,
    }
}

fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

/// Days since 1970-01-01. Years are counted from March, so that the leap day is the last of its year; 400 years have
/// 146,097 days.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The date of a day since 1970-01-01; the reverse of `days_from_civil`. Days outside the years 0 to 65535 are none that
/// a server stores; they become 0000-03-01.
///
/// Quarters of days are divided by the days of 400 years and by those of four, 5/153 of a day by the days of five months;
/// the divisions are multiplications that are exact in this range (Neri and Schneider, "Euclidean affine functions and
/// their application to calendar algorithms", figure 14).
#[inline]
fn civil_from_days(days: i64) -> Date {
    const YEAR: u32 = 2_939_745;
    const MONTH: u32 = 2141;
    let days =
        u32::try_from(days.saturating_add(719_468)).ok().filter(|days| *days < 24_000_000).unwrap_or(0);
    let quarters = 4 * days + 3;
    let (century, day_of_century) = (quarters / 146_097, quarters % 146_097 / 4);
    let product = u64::from(YEAR) * u64::from(4 * day_of_century + 3);
    let (year_of_century, day_of_year) = ((product >> 32) as u32, product as u32 / YEAR / 4);
    let shifted = MONTH * day_of_year + 197_913;
    let (month, day) = (shifted >> 16, (shifted & 0xffff) / MONTH + 1);
    // January and February belong to the next year.
    let next = u32::from(day_of_year >= 306);
    Date {
        year: (100 * century + year_of_century + next) as u16,
        month: (month - 12 * next) as u8,
        day: day as u8,
    }
}

/// The wall clock of an instant in UTC.
#[inline]
pub fn from_epoch_second(seconds: i64, micros: u32) -> DateTime {
    let second_of_day = seconds.rem_euclid(SECONDS_PER_DAY) as u32;
    DateTime {
        date: civil_from_days(seconds.div_euclid(SECONDS_PER_DAY)),
        hour: (second_of_day / 3600) as u8,
        minute: (second_of_day / 60 % 60) as u8,
        second: (second_of_day % 60) as u8,
        micros,
    }
}

/// How many digits of a fraction of a second are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fraction {
    /// No trailing zeros, and nothing at all for a whole second.
    Shortest,
    /// So many, at most six.
    Digits(u8),
}

/// Appends `2024-02-29`.
#[inline]
pub fn write_date(date: Date, out: &mut Vec<u8>) {
    out.extend_from_slice(&date_digits(date));
}

#[inline]
fn date_digits(date: Date) -> [u8; 10] {
    let ([a, b], [c, d]) = (two_digits((date.year / 100) as u8), two_digits((date.year % 100) as u8));
    let ([e, f], [g, h]) = (two_digits(date.month), two_digits(date.day));
    [a, b, c, d, b'-', e, f, b'-', g, h]
}

/// Appends `12:34:56` and the fraction.
#[inline]
pub fn write_time(hour: u8, minute: u8, second: u8, micros: u32, fraction: Fraction, out: &mut Vec<u8>) {
    out.extend_from_slice(&time_digits(hour, minute, second));
    let (digits, length) = fraction_digits(micros, fraction);
    // All are appended, a constant size, and those beyond are cut off again.
    let end = out.len() + length;
    out.extend_from_slice(&digits);
    out.truncate(end);
}

#[inline]
fn time_digits(hour: u8, minute: u8, second: u8) -> [u8; 8] {
    let [[a, b], [c, d], [e, f]] = [hour, minute, second].map(two_digits);
    [a, b, b':', c, d, b':', e, f]
}

/// The point and six digits, and how many of these seven are printed.
#[inline]
fn fraction_digits(micros: u32, fraction: Fraction) -> ([u8; 7], usize) {
    let eight = eight_digits(u64::from(micros % 1_000_000));
    let [_, _, a, b, c, d, e, f] = eight.to_le_bytes();
    let digits = match fraction {
        Fraction::Digits(digits) => digits.min(6).into(),
        // The last digit is in the highest byte, and zeros are 0x30.
        Fraction::Shortest => 6 - ((eight ^ 0x3030_3030_3030_3030).leading_zeros() as usize / 8).min(6),
    };
    ([b'.', a, b, c, d, e, f], if digits == 0 { 0 } else { digits + 1 })
}

/// Where an instant is written.
pub type InstantBuffer = [u8; 27];

/// `2024-02-29T12:34:56`, the fraction, and `Z`.
#[inline]
pub fn instant(value: DateTime, fraction: Fraction, buffer: &mut InstantBuffer) -> &[u8] {
    let [a, b, c, d, e, f, g, h, i, j] = date_digits(value.date);
    let [k, l, m, n, o, p, q, r] = time_digits(value.hour, value.minute, value.second);
    let ([s, t, u, v, w, x, y], length) = fraction_digits(value.micros, fraction);
    *buffer = [a, b, c, d, e, f, g, h, i, j, b'T', k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, b'Z'];
    let end = 19 + length;
    if let Some(zone) = buffer.get_mut(end) {
        *zone = b'Z';
    }
    buffer.get(..=end).unwrap_or_default()
}

/// The last two digits of a number in ASCII.
#[inline]
fn two_digits(number: u8) -> [u8; 2] {
    const PAIRS: [[u8; 2]; 256] = {
        let mut pairs = [[0; 2]; 256];
        let mut number = 0;
        while number < pairs.len() {
            pairs[number] = [b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8];
            number += 1;
        }
        pairs
    };
    PAIRS[usize::from(number)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Years = Years { adjust: false, zero: true };

    /// Days that the reference published (types_temporal_*, types_zero_dates_*).
    #[test]
    fn days_are_counted_in_the_proleptic_gregorian_calendar() {
        for ((year, month, day), days) in [
            ((1970, 1, 1), Some(0)),
            ((1969, 12, 31), Some(-1)),
            ((2024, 2, 29), Some(19782)),
            ((1000, 1, 1), Some(-354285)),
            ((9999, 12, 31), Some(2932896)),
            ((1582, 10, 10), Some(-141432)),
            ((0, 3, 1), Some(-719468)),
            ((2023, 2, 29), None),
            ((1900, 2, 29), None),
            ((2000, 2, 29), Some(11016)),
            ((2024, 0, 10), None),
            ((2024, 10, 0), None),
            ((2024, 13, 1), None),
        ] {
            assert_eq!(epoch_day(Date { year, month, day }, PLAIN), days, "{year}-{month}-{day}");
        }
        let both = Years { adjust: true, zero: true };
        let stream = Years { adjust: true, zero: false };
        assert_eq!(epoch_day(Date { year: 1, month: 1, day: 1 }, stream), Some(11323));
        assert_eq!(epoch_day(Date { year: 70, month: 1, day: 1 }, stream), Some(0));
        assert_eq!(epoch_day(Date { year: 0, month: 1, day: 1 }, both), Some(10957));
        assert_eq!(epoch_day(Date { year: 0, month: 1, day: 1 }, stream), None);
    }

    /// Every day of the years 0 to 9999, from March on.
    #[test]
    fn dates_are_the_reverse_of_days() {
        for days in -719_468..=2_932_896 {
            let Date { year, month, day } = civil_from_days(days);
            assert!(day <= days_in_month(year, month));
            assert_eq!(days_from_civil(year.into(), month.into(), day.into()), days);
        }
        assert_eq!(civil_from_days(i64::MAX), civil_from_days(-719_468));
        assert_eq!(civil_from_days(-719_469), civil_from_days(-719_468));
    }

    #[test]
    fn instants_become_wall_clocks() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00"),
            (1, "1970-01-01T00:00:01"),
            (2147483646, "2038-01-19T03:14:06"),
            (1709210096, "2024-02-29T12:34:56"),
            (951782400, "2000-02-29T00:00:00"),
            (-1, "1969-12-31T23:59:59"),
        ] {
            let mut buffer = [0; 27];
            let written = instant(from_epoch_second(seconds, 0), Fraction::Shortest, &mut buffer);
            assert_eq!(std::str::from_utf8(written).unwrap(), format!("{text}Z"));
            assert_eq!(epoch_second(from_epoch_second(seconds, 0), PLAIN), Some(seconds));
        }
    }

    #[test]
    fn fractions_are_cut_or_padded() {
        for (micros, fraction, text) in [
            (120_000, Fraction::Shortest, "00:00:00.12"),
            (120_000, Fraction::Digits(3), "00:00:00.120"),
            (0, Fraction::Digits(6), "00:00:00.000000"),
            (1, Fraction::Shortest, "00:00:00.000001"),
            (0, Fraction::Shortest, "00:00:00"),
            (999_999, Fraction::Digits(0), "00:00:00"),
        ] {
            let mut out = Vec::new();
            write_time(0, 0, 0, micros, fraction, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
