//! Dates and times as counts: from one precision to another, and from ISO 8601 text.
//!
//! Text comes from `io.debezium.time.ZonedTimestamp` (`2024-02-29T12:34:56.123456Z`) and its relatives of
//! `time.precision.mode=isostring`. It is read here and never sent to the server as text: a server reads some years as
//! others (the specification, 3.4).

use crate::sink::row_binary::error::ValueError;

/// 0000-01-01 and 9999-12-31 in days since 1970-01-01: what MySQL has, and what a server of 26.7 shows.
pub const FIRST_DAY: i64 = -719_528;
/// See [`FIRST_DAY`].
pub const LAST_DAY: i64 = 2_932_896;

/// A moment as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Seconds since 1970 (UTC).
    pub seconds: i64,
    /// Nanoseconds of the second.
    pub nanos: u32,
}

/// `count` of 10^-`from` seconds in 10^-`to` seconds. Digits that are not zero are never dropped.
pub fn rescaled(count: i64, from: u8, to: u8) -> Result<i64, ValueError> {
    if from <= to {
        let factor = 10_i64.checked_pow(u32::from(to - from)).ok_or(ValueError::Range)?;
        count.checked_mul(factor).ok_or(ValueError::Range)
    } else {
        let factor = 10_i64.checked_pow(u32::from(from - to)).ok_or(ValueError::Precision)?;
        if count % factor == 0 { Ok(count / factor) } else { Err(ValueError::Precision) }
    }
}

/// A moment in 10^-`to` seconds since 1970.
pub fn ticks(moment: Moment, to: u8) -> Result<i64, ValueError> {
    let whole = rescaled(moment.seconds, 0, to)?;
    whole.checked_add(rescaled(i64::from(moment.nanos), 9, to)?).ok_or(ValueError::Range)
}

/// Days since 1970-01-01 of a date of the Gregorian calendar, also before its time; none if there is no such date.
///
/// Years begin in March here, so that the odd day is the last one; 400 of them have 146,097 days.
pub fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) || !(0..=9999).contains(&year) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Reads `2024-02-29`, also with a `Z` after it.
pub fn date(text: &str) -> Result<i64, ValueError> {
    let mut rest = text.as_bytes();
    let found = calendar_date(&mut rest).filter(|_| matches!(rest, [] | [b'Z']));
    found.ok_or(ValueError::Text)
}

/// Reads `2024-02-29T12:34:56`, with up to nine digits of the second, and `Z`, `+01:00` or nothing (UTC) after it.
pub fn moment(text: &str) -> Result<Moment, ValueError> {
    read_moment(text.as_bytes()).ok_or(ValueError::Text)
}

fn read_moment(text: &[u8]) -> Option<Moment> {
    let mut rest = text;
    let day = calendar_date(&mut rest)?;
    let (b'T' | b' ', after) = rest.split_first()? else { return None };
    rest = after;
    let hour = number(&mut rest, 2).filter(|hour| *hour < 24)?;
    literal(&mut rest, b':')?;
    let minute = number(&mut rest, 2).filter(|minute| *minute < 60)?;
    let mut second = 0;
    // Java leaves out seconds that are zero.
    if rest.first() == Some(&b':') {
        literal(&mut rest, b':')?;
        second = number(&mut rest, 2).filter(|second| *second < 60)?;
    }
    let mut nanos = 0;
    if rest.first() == Some(&b'.') {
        literal(&mut rest, b'.')?;
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&length) {
            return None;
        }
        nanos = number(&mut rest, length)? * 10_i64.pow(9 - u32::try_from(length).ok()?);
    }
    let offset = match rest {
        [] | [b'Z'] => 0,
        [sign @ (b'+' | b'-'), zone @ ..] => {
            rest = zone;
            let hours = number(&mut rest, 2).filter(|hours| *hours <= 18)?;
            literal(&mut rest, b':')?;
            let minutes = number(&mut rest, 2).filter(|minutes| *minutes < 60)?;
            if !rest.is_empty() {
                return None;
            }
            (hours * 3600 + minutes * 60) * if *sign == b'-' { -1 } else { 1 }
        }
        _ => return None,
    };
    let seconds = day * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(Moment { seconds, nanos: u32::try_from(nanos).ok()? })
}

fn calendar_date(rest: &mut &[u8]) -> Option<i64> {
    let year = number(rest, 4)?;
    literal(rest, b'-')?;
    let month = number(rest, 2)?;
    literal(rest, b'-')?;
    days(year, month, number(rest, 2)?)
}

/// So many digits.
fn number(rest: &mut &[u8], length: usize) -> Option<i64> {
    let (digits, after) = rest.split_at_checked(length)?;
    *rest = after;
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

fn literal(rest: &mut &[u8], byte: u8) -> Option<()> {
    *rest = rest.strip_prefix(&[byte])?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days by `date -ud '9999-12-31' +%s`, divided by 86,400.
    #[test]
    fn dates() {
        for (text, wanted) in [
            ("1970-01-01", Ok(0)),
            ("1969-12-31", Ok(-1)),
            ("2000-02-29", Ok(11_016)),
            ("2024-03-01Z", Ok(19_783)),
            ("9999-12-31", Ok(LAST_DAY)),
            ("0000-01-01", Ok(FIRST_DAY)),
            ("1900-02-29", Err(ValueError::Text)),
            ("2024-00-10", Err(ValueError::Text)),
            ("2024-04-31", Err(ValueError::Text)),
            ("2024-4-1", Err(ValueError::Text)),
            ("2024-04-01T", Err(ValueError::Text)),
            ("", Err(ValueError::Text)),
        ] {
            assert_eq!(date(text), wanted, "{text}");
        }
    }

    #[test]
    fn moments() {
        for (text, seconds, nanos) in [
            ("2024-02-29T12:34:56Z", 1_709_210_096, 0),
            ("2024-02-29T12:34:56.123456Z", 1_709_210_096, 123_456_000),
            ("2024-02-29T13:34:56.1+01:00", 1_709_210_096, 100_000_000),
            ("2024-02-29T07:04:56-05:30", 1_709_210_096, 0),
            ("1970-01-01T00:00Z", 0, 0),
            ("1969-12-31T23:59:59.999999999", -1, 999_999_999),
        ] {
            assert_eq!(moment(text), Ok(Moment { seconds, nanos }), "{text}");
        }
        for text in [
            "2024-02-29",
            "2024-02-29T24:00:00Z",
            "2024-02-29T12:60:00Z",
            "2024-02-29T12:34:56.Z",
            "2024-02-29T12:34:56.1234567890Z",
            "2024-02-29T12:34:56+1",
            "2024-02-29T12:34:56ZZ",
            "2024-02-30T00:00:00Z",
            "+2024-02-29T00:00:00Z",
            "",
        ] {
            assert_eq!(moment(text), Err(ValueError::Text), "{text}");
        }
    }

    #[test]
    fn precisions() {
        assert_eq!(rescaled(1_500, 3, 6), Ok(1_500_000));
        assert_eq!(rescaled(1_500, 3, 1), Ok(15));
        assert_eq!(rescaled(1_500, 3, 0), Err(ValueError::Precision));
        assert_eq!(rescaled(-1_000, 3, 0), Ok(-1));
        assert_eq!(rescaled(i64::MAX, 3, 6), Err(ValueError::Range));
        assert_eq!(rescaled(1, 0, 200), Err(ValueError::Range));
        assert_eq!(ticks(Moment { seconds: -1, nanos: 999_999_000 }, 6), Ok(-1));
        assert_eq!(ticks(Moment { seconds: 1, nanos: 1 }, 6), Err(ValueError::Precision));
    }
}
