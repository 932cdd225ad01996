//! Integers in decimal digits, eight at a time: a word is halved three times, without a division.

/// Appends an integer.
///
/// Eight digits are one word. The last word is appended whole and cut back to the digits that it has, so that every copy
/// has a constant size and needs no call.
#[inline]
pub fn write_integer(value: i64, out: &mut Vec<u8>) {
    /// What one word holds.
    const WORD: u64 = 100_000_000;
    let mut rest = value.unsigned_abs();
    if value < 0 {
        out.push(b'-');
    }
    if rest >= WORD {
        let low = rest % WORD;
        rest /= WORD;
        if rest >= WORD {
            write_first_digits(rest / WORD, out);
            out.extend_from_slice(&eight_digits(rest % WORD).to_le_bytes());
        } else {
            write_first_digits(rest, out);
        }
        out.extend_from_slice(&eight_digits(low).to_le_bytes());
    } else {
        write_first_digits(rest, out);
    }
}

/// Appends a number below 10^8 without leading zeros.
#[inline]
fn write_first_digits(value: u64, out: &mut Vec<u8>) {
    let digits = eight_digits(value);
    // The last digit stays whatever it is.
    let zeros = ((digits & 0x0f0f_0f0f_0f0f_0f0f) | 1 << 56).trailing_zeros() / 8;
    let end = out.len() + (8 - zeros) as usize;
    out.extend_from_slice(&(digits >> (zeros * 8)).to_le_bytes());
    out.truncate(end);
}

/// The eight digits of a number below 10^8 in ASCII, the first in the lowest byte. The word is halved three times: in
/// each half the quotient goes down and the remainder up; the divisions are multiplications that are exact in this range.
#[inline]
pub fn eight_digits(value: u64) -> u64 {
    let value = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((value * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let value = hundreds | (value - hundreds * 100) << 16;
    let tens = ((value * 103) >> 10) & 0x000f_000f_000f_000f;
    let value = tens | (value - tens * 10) << 8;
    value | 0x3030_3030_3030_3030
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_length() {
        let mut values = vec![0, i64::MIN, i64::MAX, 1_795_984_446_671_048_123];
        let mut power: i64 = 1;
        for _ in 0..19 {
            values.extend([power - 1, power, power + 1, 7 * (power / 8), -power]);
            power = power.saturating_mul(10);
        }
        values.extend((0..100_000_000).step_by(99_991));
        values.extend(0..20_000);
        for value in values {
            let mut out = b"x".to_vec();
            write_integer(value, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("x{value}"));
        }
    }
}
