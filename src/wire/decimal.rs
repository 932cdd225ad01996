//! DECIMAL: MySQL's packed digits, and decimal text, as plain text or as the unscaled value in two's complement.
//!
//! Packed (`decimal2bin`, strings/decimal.cc): nine digits go into four bytes, fewer into one to four. The integer part
//! begins with its incomplete group, the fraction ends with its own. All is big endian; the highest bit of the first
//! byte is set for zero and above; below zero every bit is inverted.
//!
//! The second form is what Kafka Connect's Decimal holds (`BigInteger.toByteArray` of the unscaled value): big endian
//! and no longer than needed. Up to 18 digits it is computed in 64 bits; the 65 of MySQL fit into 256.

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

const READING: &str = "DECIMAL";
/// Bytes of an incomplete group of so many digits.
const GROUP_SIZE: [u8; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];
/// The most digits of a DECIMAL.
const MAX_PRECISION: u8 = 65;
/// The most that a DECIMAL inside JSON announces: nine words of nine digits (`DECIMAL_BUFF_LENGTH`, sql/my_decimal.h), since
/// the server counts its integer part in whole words there.
const MAX_WORD_DIGITS: u8 = 81;
/// The most significant digits that are read from text; they fit into 255 bits.
const MAX_TEXT_DIGITS: usize = 76;

/// The digits that fit into 64 bits.
pub const MAX_SHORT_DIGITS: u8 = 18;

/// Where an unscaled value is written: 256 bits.
pub type UnscaledBuffer = [u8; 32];

/// The bytes that a packed DECIMAL takes.
pub fn packed_size(precision: u8, scale: u8) -> Result<u8, WireError> {
    if precision > MAX_PRECISION {
        return Err(OUT_OF_RANGE);
    }
    packed_words_size(precision, scale)
}

const OUT_OF_RANGE: WireError = WireError::invalid(READING, "precision and scale are out of range");

/// The same for up to `MAX_WORD_DIGITS`.
fn packed_words_size(precision: u8, scale: u8) -> Result<u8, WireError> {
    if precision == 0 || precision > MAX_WORD_DIGITS || scale > precision {
        return Err(OUT_OF_RANGE);
    }
    let size = |digits: u8| digits / 9 * 4 + GROUP_SIZE.get(usize::from(digits % 9)).copied().unwrap_or(0);
    Ok(size(precision - scale) + size(scale))
}

/// The groups of a packed DECIMAL, most significant first.
struct Groups<'a> {
    reader: Reader<'a>,
    negative: bool,
    /// XORed to the next group: what inverts it, and its sign bit if it is the first.
    mask: u32,
    mask_sign: bool,
    /// Digits of the integer part and of the fraction that are to come.
    integer: u8,
    fraction: u8,
}

impl<'a> Groups<'a> {
    fn new(packed: &'a [u8], precision: u8, scale: u8) -> Result<Self, WireError> {
        if packed.len() != usize::from(packed_words_size(precision, scale)?) {
            return Err(WireError::invalid(READING, "the packed size does not fit precision and scale"));
        }
        let negative = packed.first().is_some_and(|first| first & 0x80 == 0);
        Ok(Groups {
            reader: Reader::new(packed),
            negative,
            mask: if negative { u32::MAX } else { 0 },
            mask_sign: true,
            integer: precision - scale,
            fraction: scale,
        })
    }

    /// The next group: its value and its number of digits, 0 at the end.
    #[inline]
    fn next(&mut self) -> Result<(u32, u8), WireError> {
        let digits = if self.integer > 0 {
            let digits = if self.integer.is_multiple_of(9) { 9 } else { self.integer % 9 };
            self.integer -= digits;
            digits
        } else {
            let digits = self.fraction.min(9);
            self.fraction -= digits;
            digits
        };
        let size = GROUP_SIZE.get(usize::from(digits)).copied().unwrap_or(0);
        if size == 0 {
            return Ok((0, 0));
        }
        let bits = u32::from(size) * 8;
        let group = match size {
            1 => u32::from(self.reader.u8(READING)?),
            2 => u32::from(u16::from_be_bytes(self.reader.array(READING)?)),
            3 => {
                let [a, b, c] = self.reader.array(READING)?;
                u32::from_be_bytes([0, a, b, c])
            }
            _ => u32::from_be_bytes(self.reader.array(READING)?),
        };
        let mut group = group ^ self.mask >> (32 - bits);
        if self.mask_sign {
            // Set above zero, and set again by the inversion below zero.
            group ^= 1 << (bits - 1);
            self.mask_sign = false;
        }
        if u64::from(group) >= power_of_ten(digits) {
            return Err(WireError::invalid(READING, "a group has more digits than it holds"));
        }
        Ok((group, digits))
    }
}

/// Writes a packed DECIMAL as text: a sign below zero, no leading zeros but one, `scale` digits behind the point. Up to 81
/// digits, which only JSON has.
pub fn packed_to_text(packed: &[u8], precision: u8, scale: u8, out: &mut Vec<u8>) -> Result<(), WireError> {
    if precision <= MAX_SHORT_DIGITS {
        write_short(packed_to_short(packed, precision, scale)?, scale, out);
        return Ok(());
    }
    // A sign, 81 digits, a zero and a point at most.
    let mut text = [0u8; 84];
    let mut length = 0;
    let mut push = |digit: u8| {
        if let Some(to) = text.get_mut(length) {
            *to = digit;
            length += 1;
        }
    };
    let mut groups = Groups::new(packed, precision, scale)?;
    let (mut any, mut integer_left, mut started) = (false, precision - scale, false);
    if groups.negative {
        push(b'-');
    }
    if integer_left == 0 {
        push(b'0');
        push(b'.');
    }
    loop {
        let (group, digits) = groups.next()?;
        if digits == 0 {
            break;
        }
        any |= group != 0;
        let (mut ascii, mut rest) = ([b'0'; 9], group);
        for digit in ascii.iter_mut().take(usize::from(digits)).rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        for digit in ascii.into_iter().take(usize::from(digits)) {
            if integer_left == 0 {
                push(digit);
                continue;
            }
            integer_left -= 1;
            if started || digit != b'0' || integer_left == 0 {
                push(digit);
                started = true;
            }
            if integer_left == 0 && scale > 0 {
                push(b'.');
            }
        }
    }
    let text = text.get(..length).unwrap_or_default();
    // There is no negative zero.
    out.extend_from_slice(if any { text } else { text.strip_prefix(b"-").unwrap_or(text) });
    Ok(())
}

/// The unscaled value of a packed DECIMAL of at most `MAX_SHORT_DIGITS` digits.
#[inline]
pub fn packed_to_short(packed: &[u8], precision: u8, scale: u8) -> Result<i64, WireError> {
    if precision > MAX_SHORT_DIGITS {
        return Err(OUT_OF_RANGE);
    }
    let mut groups = Groups::new(packed, precision, scale)?;
    let mut value: u64 = 0;
    loop {
        match groups.next()? {
            (_, 0) => break,
            (group, digits) => value = value * power_of_ten(digits) + u64::from(group),
        }
    }
    let value = value.cast_signed();
    Ok(if groups.negative { -value } else { value })
}

/// Writes an unscaled value of up to 18 digits as text.
fn write_short(value: i64, scale: u8, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    let unit = power_of_ten(scale);
    let (whole, fraction) = (value.unsigned_abs() / unit, value.unsigned_abs() % unit);
    let mut buffer = itoa::Buffer::new();
    out.extend_from_slice(buffer.format(whole).as_bytes());
    if scale > 0 {
        // The digit in front keeps the zeros behind it; the point takes its place.
        let place = out.len();
        out.extend_from_slice(buffer.format(unit + fraction).as_bytes());
        if let Some(first) = out.get_mut(place) {
            *first = b'.';
        }
    }
}

/// The unscaled value of a packed DECIMAL as minimal two's complement, most significant byte first.
pub fn packed_to_unscaled<'b>(
    packed: &[u8],
    precision: u8,
    scale: u8,
    buffer: &'b mut UnscaledBuffer,
) -> Result<&'b [u8], WireError> {
    // 65 digits fit into 256 bits.
    packed_size(precision, scale)?;
    if precision <= MAX_SHORT_DIGITS {
        return Ok(minimal(packed_to_short(packed, precision, scale)?, buffer));
    }
    let mut groups = Groups::new(packed, precision, scale)?;
    let mut value = Magnitude::default();
    loop {
        // Two groups are one multiplication.
        let (first, digits) = groups.next()?;
        if digits == 0 {
            break;
        }
        let (second, more) = groups.next()?;
        let both = u64::from(first) * power_of_ten(more) + u64::from(second);
        value.push_digits(power_of_ten(digits + more), both);
    }
    Ok(value.minimal(groups.negative, buffer))
}

/// The unscaled value of decimal text such as `-12.50` at a scale, in the same form. Missing digits of the fraction are
/// zeros; digits beyond the scale must be zeros.
pub fn text_to_unscaled<'b>(
    text: &str,
    scale: u8,
    buffer: &'b mut UnscaledBuffer,
) -> Result<&'b [u8], WireError> {
    const READING: &str = "decimal text";
    let (negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let point = digits.iter().position(|byte| *byte == b'.').unwrap_or(digits.len());
    let (integer, fraction) = digits.split_at_checked(point).unwrap_or((digits, &[]));
    let fraction = fraction.strip_prefix(b".").unwrap_or(fraction);
    if integer.is_empty() && fraction.is_empty() {
        return Err(WireError::invalid(READING, "no digit"));
    }
    let zeros = integer.iter().take_while(|digit| **digit == b'0').count();
    let integer = integer.get(zeros..).unwrap_or_default();
    let (kept, beyond) = fraction.split_at_checked(usize::from(scale)).unwrap_or((fraction, &[]));
    if beyond.iter().any(|digit| *digit != b'0') {
        return Err(WireError::invalid(READING, "more digits than the scale"));
    }
    let mut padding = usize::from(scale) - kept.len();
    let significant = integer.len() + kept.len() + padding;
    if significant > MAX_TEXT_DIGITS {
        return Err(WireError::invalid(READING, "too many digits"));
    }
    if significant <= usize::from(MAX_SHORT_DIGITS) {
        let value = number(integer)? * power_of_ten(kept.len()) + number(kept)?;
        let value = (value * power_of_ten(padding)).cast_signed();
        return Ok(minimal(if negative { -value } else { value }, buffer));
    }
    let mut value = Magnitude::default();
    let most = usize::from(MAX_SHORT_DIGITS);
    for chunk in integer.chunks(most).chain(kept.chunks(most)) {
        value.push_digits(power_of_ten(chunk.len()), number(chunk)?);
    }
    while padding > 0 {
        let digits = padding.min(most);
        value.push_digits(power_of_ten(digits), 0);
        padding -= digits;
    }
    Ok(value.minimal(negative, buffer))
}

/// The number of at most `MAX_SHORT_DIGITS` digits.
#[inline]
fn number(digits: &[u8]) -> Result<u64, WireError> {
    let (mut number, mut is_number) = (0u64, true);
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        is_number &= digit <= 9;
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    match is_number {
        true => Ok(number),
        false => Err(WireError::invalid("decimal text", "something other than a digit")),
    }
}

/// 10 to the power of 0 to 18.
#[inline]
fn power_of_ten(digits: impl Into<usize>) -> u64 {
    const POWERS: [u64; 19] = {
        let mut powers = [1; 19];
        let mut digits = 1;
        while digits < powers.len() {
            powers[digits] = powers[digits - 1] * 10;
            digits += 1;
        }
        powers
    };
    POWERS.get(digits.into()).copied().unwrap_or(1)
}

/// A 64-bit number in minimal two's complement.
#[inline]
fn minimal(value: i64, buffer: &mut UnscaledBuffer) -> &[u8] {
    // As many bits as differ from the sign, and the sign.
    let bits = 65 - (value ^ (value >> 63)).leading_zeros();
    let size = bits.div_ceil(8) as usize;
    if let Some(low) = buffer.last_chunk_mut::<8>() {
        *low = value.to_be_bytes();
    }
    buffer.get(buffer.len() - size..).unwrap_or_default()
}

/// A number of up to 255 bits, least significant 64 first.
#[derive(Default)]
struct Magnitude([u64; 4]);

impl Magnitude {
    /// Multiplies by a power of ten and adds what is below it.
    fn push_digits(&mut self, factor: u64, added: u64) {
        let mut carry = u128::from(added);
        for limb in &mut self.0 {
            let product = u128::from(*limb) * u128::from(factor) + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
    }

    /// The number or its negation in minimal two's complement.
    fn minimal(mut self, negative: bool, buffer: &mut UnscaledBuffer) -> &[u8] {
        if negative {
            let mut carry = true;
            for limb in &mut self.0 {
                (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
            }
        }
        let (chunks, _) = buffer.as_chunks_mut::<8>();
        for (chunk, limb) in chunks.iter_mut().zip(self.0.iter().rev()) {
            *chunk = limb.to_be_bytes();
        }
        let mut bytes = &buffer[..];
        // A leading byte that only repeats the sign bit of the next one is not needed.
        while let [first, rest @ ..] = bytes
            && let Some(next) = rest.first()
            && ((*first == 0 && next & 0x80 == 0) || (*first == 0xff && next & 0x80 != 0))
        {
            bytes = rest;
        }
        bytes
    }
}

#[cfg(test)]
mod tests;
