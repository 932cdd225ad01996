//! Dates, times and integers in the defaults of columns.
//!
//! MySQL is lenient: `1999-1-2`, `2021-01-01` for a DATETIME, `1:02` for a TIME (`schema::temporal_literal`), `000042`,
//! `0x10`, `b'101'`, `true`. What cannot be read has no default. Manual: "Hexadecimal Literals", "Bit-Value Literals".

use crate::connect::cell::{DateTime, Time};
use crate::schema::temporal_literal::{DateLiteral, TimeLiteral, shifted};

/// A date with or without a time of day, in UTC. The parts are not checked against the calendar.
pub fn date_time(text: &str) -> Option<DateTime> {
    let literal = DateLiteral::read(text)?;
    match literal.displacement {
        Some(minutes) => shifted(literal.value, -i32::from(minutes) * 60),
        None => Some(literal.value),
    }
}

/// A time, in any of its forms.
pub fn time(text: &str) -> Option<Time> {
    TimeLiteral::read(text).map(|literal| literal.value)
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

/// TRUE and FALSE as the numbers that they are; other text as it is.
pub fn number(text: &str) -> &str {
    match text.trim() {
        word if word.eq_ignore_ascii_case("true") => "1",
        word if word.eq_ignore_ascii_case("false") => "0",
        other => other,
    }
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
