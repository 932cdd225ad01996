//! What ZeroDateFallbackConverter puts in the place of a zero date, as its properties spell it.
//!
//! A date is `yyyy-MM-dd`, a date and time `yyyy-MM-dd HH:mm:ss`, an instant what java.time.OffsetDateTime reads
//! (`1970-01-01T00:00:00Z`, `1970-01-01T01:00+01:00`); `NULL` or nothing is null. All of them must exist.

/// A replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Null; the field becomes optional.
    Null,
    /// For DATE.
    Date(CivilDate),
    /// For DATETIME: the date and the second of the day.
    DateTime(CivilDate, u32),
    /// For TIMESTAMP: the wall clock's date, second of the day and nanoseconds, and how many seconds it is ahead of UTC.
    Timestamp(CivilDate, u32, u32, i32),
}

/// A day that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CivilDate {
    /// 0 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Fallback {
    /// Reads `fallback.date`; none when it is of another form.
    pub fn date(text: &str) -> Option<Fallback> {
        let text = text.trim();
        if is_null(text) { Some(Fallback::Null) } else { date(text).map(Fallback::Date) }
    }

    /// Reads `fallback.datetime`.
    pub fn datetime(text: &str) -> Option<Fallback> {
        let text = text.trim();
        if is_null(text) {
            return Some(Fallback::Null);
        }
        let (day, clock) = text.split_once(' ')?;
        let clock = if clock.len() == "HH:mm:ss".len() { second_of_day(clock)? } else { return None };
        Some(Fallback::DateTime(date(day)?, clock))
    }

    /// Reads `fallback.timestamp`.
    pub fn timestamp(text: &str) -> Option<Fallback> {
        let text = text.trim();
        if is_null(text) {
            return Some(Fallback::Null);
        }
        let (day, rest) = text.split_once(['T', 't'])?;
        let (clock, offset) = match rest.strip_suffix(['Z', 'z']) {
            Some(clock) => (clock, 0),
            None => {
                let sign = rest.find(['+', '-'])?;
                let offset = second_of_day(rest.get(sign + 1..)?)?;
                // java.time.ZoneOffset ends at 18 hours.
                let offset = i32::try_from(offset).ok().filter(|offset| *offset <= 18 * 3600)?;
                (rest.get(..sign)?, if rest.get(sign..)?.starts_with('-') { -offset } else { offset })
            }
        };
        let (clock, nanos) = match clock.split_once('.') {
            None => (clock, 0),
            Some((clock, digits)) => {
                let plain =
                    digits.bytes().all(|byte| byte.is_ascii_digit()) && clock.len() == "HH:mm:ss".len();
                let scale = 9u32.checked_sub(u32::try_from(digits.len()).ok()?).filter(|_| plain)?;
                let fraction = if digits.is_empty() { 0 } else { digits.parse::<u32>().ok()? };
                (clock, fraction * 10u32.pow(scale))
            }
        };
        Some(Fallback::Timestamp(date(day)?, second_of_day(clock)?, nanos, offset))
    }
}

fn is_null(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("null")
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u16> {
    let plain = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn date(text: &str) -> Option<CivilDate> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let day = digits(parts.next()?, 2)?;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    let valid = parts.next().is_none() && (1..=last).contains(&day);
    Some(CivilDate { year, month: u8::try_from(month).ok()?, day: u8::try_from(day).ok()? }).filter(|_| valid)
}

/// `HH:mm` or `HH:mm:ss`.
fn second_of_day(text: &str) -> Option<u32> {
    let mut parts = text.split(':');
    let hour = digits(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = digits(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = parts.next().map_or(Some(0), |second| digits(second, 2).filter(|second| *second < 60))?;
    let end = parts.next().is_none();
    Some(u32::from(hour) * 3600 + u32::from(minute) * 60 + u32::from(second)).filter(|_| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_read() {
        let day = |year, month, day| CivilDate { year, month, day };
        assert_eq!(Fallback::date(" 2024-02-29 "), Some(Fallback::Date(day(2024, 2, 29))));
        assert_eq!(Fallback::date("null"), Some(Fallback::Null));
        assert_eq!(
            Fallback::datetime("1970-01-01 01:02:03"),
            Some(Fallback::DateTime(day(1970, 1, 1), 3723))
        );
        for (text, second, nanos, offset) in [
            ("1970-01-01T00:00:00Z", 0, 0, 0),
            ("1970-01-01T01:00+01:00", 3600, 0, 3600),
            ("1970-01-01T00:00:01.5-05:30", 1, 500_000_000, -19_800),
        ] {
            let expected = Some(Fallback::Timestamp(day(1970, 1, 1), second, nanos, offset));
            assert_eq!(Fallback::timestamp(text), expected, "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in ["2023-02-29", "2024-13-01", "2024-00-01", "2024-1-1", "2024-01-01 00:00:00", "x"] {
            assert_eq!(Fallback::date(text), None, "{text}");
        }
        for text in ["2024-01-01", "2024-01-01T00:00:00", "2024-01-01 24:00:00", "2024-01-01 00:00"] {
            assert_eq!(Fallback::datetime(text), None, "{text}");
        }
        for text in ["2024-01-01T00:00:00", "2024-01-01T00:00:00+19:00", "2024-01-01T00:00:00.1234567890Z"] {
            assert_eq!(Fallback::timestamp(text), None, "{text}");
        }
    }
}
