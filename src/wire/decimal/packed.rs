//! Packed digits (`decimal2bin`, strings/decimal.cc).
//!
//! Nine digits go into four bytes, fewer into one to four. The integer part begins with its incomplete group, the fraction
//! ends with its own, and all groups between are whole. All is big endian; the highest bit of the first byte is set for
//! zero and above; below zero every bit is inverted.

use crate::connect::digits::{eight_digits, write_integer};
use crate::wire::decimal::unscaled::{Wide, long, short};
use crate::wire::decimal::{
    MAX_LONG_DIGITS, MAX_SHORT_DIGITS, MAX_WORD_DIGITS, OUT_OF_RANGE, READING, UnscaledBuffer, group_size,
    packed_size, packed_words_size, power_of_ten,
};
use crate::wire::error::WireError;

/// Digits of a whole group.
const WHOLE: u8 = 9;
/// What a whole group holds.
const BILLION: u64 = 1_000_000_000;

/// Calls `push` with the value and the number of digits of each group, most significant first; two whole groups are one
/// of 18 digits. Whether the number is written as one below zero.
#[inline]
fn read_groups(
    packed: &[u8],
    precision: u8,
    scale: u8,
    mut push: impl FnMut(u64, u8),
) -> Result<bool, WireError> {
    let parts = (packed.len() == usize::from(packed_words_size(precision, scale)?)).then_some(packed);
    let (lead, tail) = ((precision - scale) % WHOLE, scale % WHOLE);
    let parts = parts.and_then(|packed| {
        let (lead, rest) = packed.split_at_checked(group_size(lead).into())?;
        let (whole, tail) = rest.split_at_checked(rest.len().checked_sub(group_size(tail).into())?)?;
        let (pairs, single) = whole.as_chunks::<8>();
        Some((lead, pairs, single.as_array::<4>(), tail))
    });
    let Some((lead_bytes, pairs, single, tail_bytes)) = parts else {
        return Err(WireError::invalid(READING, "the packed size does not fit precision and scale"));
    };
    let negative = packed.first().is_some_and(|first| first & 0x80 == 0);
    let inverted = if negative { u64::MAX } else { 0 };
    // What is XORed to a group, shifted to its size: the sign bit, which is in the first one alone, is set above zero, and
    // set again by the inversion below zero.
    let mut mask = inverted ^ 1 << 63;
    let mut fits = true;
    if lead > 0 {
        let group = big_endian(lead_bytes) ^ mask >> (64 - u32::from(group_size(lead)) * 8);
        mask = inverted;
        fits &= group < power_of_ten(lead);
        push(group, lead);
    }
    for bytes in pairs {
        let pair = u64::from_be_bytes(*bytes) ^ mask;
        mask = inverted;
        let (first, second) = (pair >> 32, pair & 0xffff_ffff);
        fits &= (first < BILLION) & (second < BILLION);
        push(first * BILLION + second, 2 * WHOLE);
    }
    if let Some(bytes) = single {
        let group = u64::from(u32::from_be_bytes(*bytes)) ^ mask >> 32;
        mask = inverted;
        fits &= group < BILLION;
        push(group, WHOLE);
    }
    if tail > 0 {
        let group = big_endian(tail_bytes) ^ mask >> (64 - u32::from(group_size(tail)) * 8);
        fits &= group < power_of_ten(tail);
        push(group, tail);
    }
    match fits {
        true => Ok(negative),
        false => Err(WireError::invalid(READING, "a group has more digits than it holds")),
    }
}

/// One to four bytes.
#[inline]
fn big_endian(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_be_bytes([a, b]).into(),
        [a, b, c] => u32::from_be_bytes([0, a, b, c]).into(),
        [a, b, c, d] => u32::from_be_bytes([a, b, c, d]).into(),
        _ => 0,
    }
}

/// The unscaled value of a packed DECIMAL of at most `MAX_SHORT_DIGITS` digits.
#[inline]
pub fn packed_to_short(packed: &[u8], precision: u8, scale: u8) -> Result<i64, WireError> {
    if precision > MAX_SHORT_DIGITS {
        return Err(OUT_OF_RANGE);
    }
    let mut value: u64 = 0;
    // A group that does not fit its digits is refused behind the last one, so nothing may panic on it.
    let negative = read_groups(packed, precision, scale, |group, digits| {
        value = value.wrapping_mul(power_of_ten(digits)).wrapping_add(group);
    })?;
    let value = value.cast_signed();
    Ok(if negative { -value } else { value })
}

/// The unscaled value of a packed DECIMAL as minimal two's complement, most significant byte first.
#[inline]
pub fn packed_to_unscaled<'b>(
    packed: &[u8],
    precision: u8,
    scale: u8,
    buffer: &'b mut UnscaledBuffer,
) -> Result<&'b [u8], WireError> {
    if precision <= MAX_SHORT_DIGITS {
        return Ok(short(packed_to_short(packed, precision, scale)?, buffer));
    }
    if precision <= MAX_LONG_DIGITS {
        let mut value = 0u128;
        let negative = read_groups(packed, precision, scale, |group, digits| {
            value = value.wrapping_mul(power_of_ten(digits).into()).wrapping_add(group.into());
        })?;
        let value = value.cast_signed();
        return Ok(long(if negative { -value } else { value }, buffer));
    }
    // 65 digits fit into 256 bits.
    packed_size(precision, scale)?;
    let mut value = Wide::default();
    let negative =
        read_groups(packed, precision, scale, |group, digits| value.push(power_of_ten(digits), group))?;
    Ok(value.unscaled(negative, buffer))
}

/// Writes a packed DECIMAL as text: a sign below zero, no leading zeros but one, `scale` digits behind the point. Up to 81
/// digits, which only JSON has.
pub fn packed_to_text(packed: &[u8], precision: u8, scale: u8, out: &mut Vec<u8>) -> Result<(), WireError> {
    if precision <= MAX_SHORT_DIGITS {
        write_short(packed_to_short(packed, precision, scale)?, scale, out);
        return Ok(());
    }
    let mut digits = [0u8; MAX_WORD_DIGITS as usize];
    let (mut places, mut any) = (digits.as_mut_slice(), 0);
    let negative = read_groups(packed, precision, scale, |group, count| {
        any |= group;
        let digits = eighteen_digits(group);
        let group = digits.get(digits.len() - usize::from(count)..).unwrap_or_default();
        if let Some((place, behind)) = std::mem::take(&mut places).split_at_mut_checked(group.len()) {
            place.copy_from_slice(group);
            places = behind;
        }
    })?;
    let digits = digits.get(..usize::from(precision)).unwrap_or_default();
    let (integer, fraction) = digits.split_at_checked((precision - scale).into()).unwrap_or_default();
    let zeros = integer.iter().take_while(|digit| **digit == b'0').count();
    let integer = integer.get(zeros..).filter(|integer| !integer.is_empty()).unwrap_or(b"0");
    // There is no negative zero.
    if negative && any != 0 {
        out.push(b'-');
    }
    out.extend_from_slice(integer);
    if scale > 0 {
        out.push(b'.');
        out.extend_from_slice(fraction);
    }
    Ok(())
}

/// Two whole groups in ASCII; what does not fit is refused later.
#[inline]
fn eighteen_digits(pair: u64) -> [u8; 18] {
    const WORD: u64 = 100_000_000;
    let first = (pair / (WORD * WORD) % 100) as u8;
    let [c, d, e, f, g, h, i, j] = eight_digits(pair / WORD % WORD).to_le_bytes();
    let [k, l, m, n, o, p, q, r] = eight_digits(pair % WORD).to_le_bytes();
    [b'0' + first / 10, b'0' + first % 10, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r]
}

/// Writes an unscaled value of up to 18 digits as text.
#[inline]
fn write_short(value: i64, scale: u8, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    let value = value.unsigned_abs();
    if scale == 0 {
        return write_integer(value.cast_signed(), out);
    }
    let unit = power_of_ten(scale);
    let (whole, fraction) = (value / unit, value % unit);
    write_integer(whole.cast_signed(), out);
    // The digit in front keeps the zeros behind it; the point takes its place.
    let place = out.len();
    write_integer((unit + fraction).cast_signed(), out);
    if let Some(first) = out.get_mut(place) {
        *first = b'.';
    }
}
