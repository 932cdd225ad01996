//! Numbers as Java prints them.
//!
//! `Double.toString` and `Float.toString` (since JDK 19) take the shortest decimal that reads back as the same number
//! and the closest to it among those. From 1E-3 up to 1E7 it is printed plainly (`99.0`), otherwise as `d.dddE±n`.
//! One rule differs from other shortest printers: a result of one digit is chosen among the decimals of *two* digits, so
//! that the smallest double is `4.9E-324`, not `5.0E-324`. Only subnormals lie so far apart that this matters.
//! Older JDKs print a digit too many for some numbers (`1.9999999999999998E23` for `2.0E23`); that is not copied.

use crate::connect::digits::eight_digits;

/// Appends a DOUBLE as `Double.toString` spells it.
pub fn write_double(value: f64, out: &mut Vec<u8>) {
    if let Some(word) = not_finite(value) {
        return write_not_finite(word, out);
    }
    if value.is_subnormal() {
        return write_tiny(
            &format!("{:.1e}", value),
            |text| text.parse() == Ok(value),
            &format!("{value:e}"),
            out,
        );
    }
    spell(zmij::Buffer::new().format_finite(value), value.abs(), out);
}

/// Appends a FLOAT as `Float.toString` spells it.
pub fn write_float(value: f32, out: &mut Vec<u8>) {
    if let Some(word) = not_finite(value.into()) {
        return write_not_finite(word, out);
    }
    if value.is_subnormal() {
        return write_tiny(
            &format!("{:.1e}", value),
            |text| text.parse() == Ok(value),
            &format!("{value:e}"),
            out,
        );
    }
    spell(zmij::Buffer::new().format_finite(value), f64::from(value.abs()), out);
}

/// The shortest decimal in Java's way, which is `zmij`'s own where both print it plainly.
#[inline]
fn spell(text: &str, magnitude: f64, out: &mut Vec<u8>) {
    if (1e-3..1e7).contains(&magnitude) || magnitude == 0.0 {
        out.extend_from_slice(text.as_bytes());
    } else {
        spell_with_exponent(text.as_bytes(), out);
    }
}

/// A decimal of 1E7 and above or below 1E-3, as `zmij` prints it: `12345678.9`, `0.000123` or `1.5e+300`.
fn spell_with_exponent(text: &[u8], out: &mut Vec<u8>) {
    let sign = usize::from(text.first() == Some(&b'-'));
    let start = out.len() + sign;
    // Eight digits stand before the point at least, or one, and then it is no plain decimal.
    let point = text.get(sign + 8..).and_then(|text| text.iter().position(|byte| !byte.is_ascii_digit()));
    let before = point.map_or(0, |point| point + 8);
    if text.get(sign + before) != Some(&b'.') {
        return respell(std::str::from_utf8(text).unwrap_or_default(), out);
    }
    // The point goes behind the first digit, and a zero that was the fraction away.
    out.extend_from_slice(text);
    if let Some(digits) = out.get_mut(start + 1..start + 1 + before) {
        digits.copy_within(..before - 1, 1);
        if let Some(first) = digits.first_mut() {
            *first = b'.';
        }
    }
    while out.len() > start + 3 && out.last() == Some(&b'0') {
        out.pop();
    }
    // At most 1E16 is plain.
    let exponent = (before - 1) as u8;
    match exponent {
        ..10 => out.extend_from_slice(&[b'E', b'0' + exponent]),
        _ => out.extend_from_slice(&[b'E', b'1', b'0' + exponent % 10]),
    }
}

/// The word for a number that JSON has not. MySQL cannot store one.
pub fn not_finite(value: f64) -> Option<&'static str> {
    match (value.is_nan(), value.is_finite(), value > 0.0) {
        (true, ..) => Some("NaN"),
        (_, true, _) => None,
        (_, _, true) => Some("Infinity"),
        _ => Some("-Infinity"),
    }
}

/// What Jackson prints for such a number: its word as a string.
fn write_not_finite(word: &str, out: &mut Vec<u8>) {
    for part in ["\"", word, "\""] {
        out.extend_from_slice(part.as_bytes());
    }
}

/// A subnormal: with two digits if they read back as the same number and no fewer would, else as the shortest.
#[cold]
fn write_tiny(two_digits: &str, same: impl Fn(&str) -> bool, shortest: &str, out: &mut Vec<u8>) {
    let one_digit = !shortest.contains('.');
    respell(if one_digit && same(two_digits) { two_digits } else { shortest }, out);
}

/// Spells a decimal such as `-123.45`, `1e-7` or `1.5e+300` in Java's way.
fn respell(text: &str, out: &mut Vec<u8>) {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if negative {
        out.push(b'-');
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.trim_start_matches('+').parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // The number is 0.DIGITS × 10^point, DIGITS without zeros at either end.
    let mut digits = [0u8; 40];
    let mut length = 0;
    let mut point = exponent + i32::try_from(whole.len()).unwrap_or(0);
    for digit in whole.bytes().chain(fraction.bytes()) {
        if length == 0 && digit == b'0' {
            point -= 1;
        } else if let Some(place) = digits.get_mut(length) {
            *place = digit;
            length += 1;
        }
    }
    while length > 0 && digits.get(length - 1) == Some(&b'0') {
        length -= 1;
    }
    write_digits(digits.get(..length).unwrap_or_default(), point, out);
}

/// What is below it has at most 15 digits.
pub const MAX_EXACT: u64 = 1_000_000_000_000_000;

/// Appends the double that is closest to `unscaled / 10^scale`, as `Double.toString` spells it. No two decimals of at most
/// 15 digits are the same double, so that these digits are the shortest. `unscaled` is below `MAX_EXACT`, `scale` at most 30.
#[inline]
pub fn write_exact_double(unscaled: i64, scale: u8, out: &mut Vec<u8>) {
    const WORD: u64 = 100_000_000;
    let mut magnitude = unscaled.unsigned_abs();
    let mut behind = i32::from(scale);
    while magnitude != 0 && magnitude.is_multiple_of(10) {
        magnitude /= 10;
        behind -= 1;
    }
    if unscaled < 0 {
        out.push(b'-');
    }
    let words = [magnitude / WORD, magnitude % WORD].map(|word| eight_digits(word).to_le_bytes());
    let length = magnitude.checked_ilog10().map_or(0, |digits| digits + 1);
    let all = words.as_flattened();
    let digits = all.get(all.len().saturating_sub(length as usize)..).unwrap_or_default();
    write_digits(digits, length as i32 - behind, out);
}

/// Appends 0.DIGITS × 10^point; the digits have no zeros at either end.
#[inline]
fn write_digits(digits: &[u8], point: i32, out: &mut Vec<u8>) {
    if digits.is_empty() {
        out.extend_from_slice(b"0.0");
    } else if (-2..=7).contains(&point) {
        write_plain(digits, point, out);
    } else {
        let (first, rest) = digits.split_at(1);
        out.extend_from_slice(first);
        out.push(b'.');
        out.extend_from_slice(if rest.is_empty() { b"0" } else { rest });
        out.push(b'E');
        out.extend_from_slice(itoa::Buffer::new().format(point - 1).as_bytes());
    }
}

/// `0.00DIGITS`, `DIG.ITS` or `DIGITS00.0`.
fn write_plain(digits: &[u8], point: i32, out: &mut Vec<u8>) {
    let before = usize::try_from(point).unwrap_or(0);
    if before == 0 {
        out.extend_from_slice(b"0.");
        for _ in point..0 {
            out.push(b'0');
        }
        out.extend_from_slice(digits);
    } else if let Some((whole, fraction)) = digits.split_at_checked(before) {
        out.extend_from_slice(whole);
        out.push(b'.');
        out.extend_from_slice(if fraction.is_empty() { b"0" } else { fraction });
    } else {
        out.extend_from_slice(digits);
        for _ in digits.len()..before {
            out.push(b'0');
        }
        out.extend_from_slice(b".0");
    }
}

/// Appends a Decimal (big-endian two's complement) as `BigDecimal.toString` spells it: plain, or with an exponent
/// when the scale is below zero or the first digit stands more than six places behind the point (`1E-10`).
pub fn write_decimal(unscaled: &[u8], scale: i32, out: &mut Vec<u8>) {
    if unscaled.first().is_some_and(|byte| byte & 0x80 != 0) {
        out.push(b'-');
    }
    let start = out.len();
    write_magnitude(unscaled, out);
    let length = i32::try_from(out.len() - start).unwrap_or(i32::MAX);
    let adjusted = length.saturating_sub(1).saturating_sub(scale);
    if scale == 0 {
        return;
    }
    if scale > 0 && adjusted >= -6 {
        if length > scale {
            out.insert(start + usize::try_from(length - scale).unwrap_or(0), b'.');
        } else {
            // At most eight characters go before the digits: `0.000000`.
            let before = usize::try_from(scale - length).unwrap_or(0) + 2;
            out.extend_from_slice(b"0.000000".get(..before).unwrap_or_default());
            out.get_mut(start..).unwrap_or_default().rotate_right(before);
        }
    } else {
        if length > 1 {
            out.insert(start + 1, b'.');
        }
        out.push(b'E');
        if adjusted >= 0 {
            out.push(b'+');
        }
        out.extend_from_slice(itoa::Buffer::new().format(adjusted).as_bytes());
    }
}

/// Appends the decimal digits of a two's complement number without its sign, at least one.
fn write_magnitude(unscaled: &[u8], out: &mut Vec<u8>) {
    // DECIMAL(65) has 28 bytes; anything longer comes from no MySQL column.
    let mut stack = [0u8; 32];
    let mut heap = Vec::new();
    let magnitude = match stack.get_mut(..unscaled.len()) {
        Some(place) => {
            place.copy_from_slice(unscaled);
            place
        }
        None => {
            heap.extend_from_slice(unscaled);
            &mut heap[..]
        }
    };
    if unscaled.first().is_some_and(|byte| byte & 0x80 != 0) {
        // Negate: invert and add one.
        let mut carry = true;
        for byte in magnitude.iter_mut().rev() {
            let (sum, over) = (!*byte).overflowing_add(u8::from(carry));
            *byte = sum;
            carry = over;
        }
    }
    let start = out.len();
    while magnitude.iter().any(|byte| *byte != 0) {
        let mut remainder = 0u16;
        for byte in magnitude.iter_mut() {
            let value = remainder << 8 | u16::from(*byte);
            *byte = u8::try_from(value / 10).unwrap_or(0);
            remainder = value % 10;
        }
        out.push(b'0' + u8::try_from(remainder).unwrap_or(0));
    }
    if out.len() == start {
        out.push(b'0');
    }
    out.get_mut(start..).unwrap_or_default().reverse();
}

#[cfg(test)]
mod tests;
