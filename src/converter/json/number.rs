//! Numbers as Java prints them.
//!
//! `Double.toString` and `Float.toString` (since JDK 19) take the shortest decimal that reads back as the same number
//! and the closest to it among those. From 1E-3 up to 1E7 it is printed plainly (`99.0`), otherwise as `d.dddE±n`.
//! One rule differs from other shortest printers: a result of one digit is chosen among the decimals of *two* digits, so
//! that the smallest double is `4.9E-324`, not `5.0E-324`. Only subnormals lie so far apart that this matters.
//! Older JDKs print a digit too many for some numbers (`1.9999999999999998E23` for `2.0E23`); that is not copied.

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
    let digits = digits.get(..length).unwrap_or_default();
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
mod tests {
    use super::*;

    /// Spellings that the reference published in the scenario types_float, and the edges of Java's documentation.
    #[test]
    fn doubles_are_spelled_as_java_does() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (99.0, "99.0"),
            (0.001, "0.001"),
            (9.999999747378752e-5, "9.999999747378752E-5"),
            (0.000_999, "9.99E-4"),
            (1234567.875, "1234567.875"),
            (9999999.999, "9999999.999"),
            (1e7, "1.0E7"),
            (12345678.1234, "1.23456781234E7"),
            (-1e8, "-1.0E8"),
            (9007199254740992.0, "9.007199254740992E15"),
            (1e16, "1.0E16"),
            (1.2345678901234568e17, "1.2345678901234568E17"),
            (1e21, "1.0E21"),
            (2e23, "2.0E23"),
            (1e100, "1.0E100"),
            (-2.5e-10, "-2.5E-10"),
            (1.4e-45, "1.4E-45"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (5e-324, "4.9E-324"),
            (1e-323, "9.9E-324"),
            (2.5e-322, "2.5E-322"),
        ] {
            let mut out = Vec::new();
            write_double(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    /// Both ways of moving the point, from the digits that the standard library finds.
    #[test]
    fn doubles_of_every_size() {
        for exponent in -20..20 {
            for digits in
                ["1", "2.5", "9.99", "1.2345678", "1.23456789", "9.007199254740991", "1.0000000000000004"]
            {
                for sign in ["", "-"] {
                    let value: f64 = format!("{sign}{digits}e{exponent}").parse().unwrap();
                    let (mut out, mut expected) = (Vec::new(), Vec::new());
                    write_double(value, &mut out);
                    respell(&format!("{value:e}"), &mut expected);
                    assert_eq!(String::from_utf8(out), String::from_utf8(expected));
                    let (mut out, mut expected) = (Vec::new(), Vec::new());
                    write_float(value as f32, &mut out);
                    respell(&format!("{:e}", value as f32), &mut expected);
                    assert_eq!(String::from_utf8(out), String::from_utf8(expected));
                }
            }
        }
    }

    #[test]
    fn floats_are_spelled_as_java_does() {
        for (value, text) in [
            (3.4028235e38f32, "3.4028235E38"),
            // JDK 17 still prints one digit more than it takes: 1.17549435E-38.
            (f32::MIN_POSITIVE, "1.1754944E-38"),
            (16777216.0, "1.6777216E7"),
            (8388608.0, "8388608.0"),
            (0.33333334, "0.33333334"),
            (1e10, "1.0E10"),
            (123456.79, "123456.79"),
            (1e-7, "1.0E-7"),
            (1e-45, "1.4E-45"),
        ] {
            let mut out = Vec::new();
            write_float(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    #[test]
    fn decimals_are_spelled_as_java_does() {
        for (unscaled, scale, text) in [
            (&[0x00, 0x96][..], 2, "1.50"),
            (&[0xff], 2, "-0.01"),
            (&[0x00], 4, "0.0000"),
            (&[0x01], 6, "0.000001"),
            (&[0x01], 7, "1E-7"),
            (&[0x7b], 9, "1.23E-7"),
            (&[0x00], 10, "0E-10"),
            (&[0x80], 0, "-128"),
            (&[0x0f, 0x42, 0x3f], 1, "99999.9"),
            (&[0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 0, "18446744073709551615"),
        ] {
            let mut out = Vec::new();
            write_decimal(unscaled, scale, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
