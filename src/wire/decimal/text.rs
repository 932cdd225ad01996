//! Decimal text such as `-12.50` as an unscaled value.
//!
//! Digits are read eight at a time, as a word that is folded three times: each step puts neighbours together, digits to
//! pairs, pairs to fours, fours to eight. Words are counted from the end. The first digits, fewer than eight, are read as a
//! word, too, from which what does not belong to them is shifted out; zeros before a number change nothing.

use crate::wire::decimal::unscaled::{Wide, long, short};
use crate::wire::decimal::{
    MAX_LONG_DIGITS, MAX_SHORT_DIGITS, UnscaledBuffer, long_power_of_ten, power_of_ten,
};
use crate::wire::error::WireError;

const READING: &str = "decimal text";
const NO_DIGIT: WireError = WireError::invalid(READING, "something other than a digit");

/// Digits of a word.
const WORD: usize = 8;
/// What one word holds, and two.
const HUNDRED_MILLION: u64 = 100_000_000;
const TEN_QUADRILLION: u128 = 10_000_000_000_000_000;
/// The most digits that are read: so many fit into 255 bits.
const MAX_DIGITS: usize = 76;

/// The parts of a text at a scale.
struct Parts<'a> {
    negative: bool,
    integer: &'a [u8],
    /// As many digits as the scale, or fewer.
    fraction: &'a [u8],
    /// Zeros that the fraction lacks.
    padding: usize,
}

impl<'a> Parts<'a> {
    #[inline]
    fn new(text: &'a [u8], scale: u8) -> Result<Self, WireError> {
        let (negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let scale = usize::from(scale);
        // The server prints all digits of the scale, so that the point is where it is expected.
        let expected = digits.len().wrapping_sub(scale + 1);
        let point = match digits.get(expected) {
            Some(b'.') => expected,
            _ => digits.iter().position(|byte| *byte == b'.').unwrap_or(digits.len()),
        };
        let (integer, fraction) = digits.split_at_checked(point).unwrap_or((digits, &[]));
        let fraction = fraction.strip_prefix(b".").unwrap_or(fraction);
        if integer.is_empty() && fraction.is_empty() {
            return Err(WireError::invalid(READING, "no digit"));
        }
        let (fraction, beyond) = fraction.split_at_checked(scale).unwrap_or((fraction, &[]));
        if beyond.iter().any(|digit| *digit != b'0') {
            return Err(WireError::invalid(READING, "more digits than the scale"));
        }
        let mut parts = Parts { negative, integer, fraction, padding: scale - fraction.len() };
        if parts.significant() > usize::from(MAX_SHORT_DIGITS) {
            let zeros = integer.iter().take_while(|digit| **digit == b'0').count();
            parts.integer = integer.get(zeros..).unwrap_or_default();
        }
        if parts.significant() > MAX_DIGITS {
            return Err(WireError::invalid(READING, "too many digits"));
        }
        Ok(parts)
    }

    #[inline]
    fn significant(&self) -> usize {
        self.integer.len() + self.fraction.len() + self.padding
    }

    #[inline]
    fn is_short(&self) -> bool {
        self.significant() <= usize::from(MAX_SHORT_DIGITS)
    }

    /// The value of at most `MAX_SHORT_DIGITS` digits.
    #[inline]
    fn short(&self) -> Option<i64> {
        let power = power_of_ten((self.fraction.len() + self.padding) as u8);
        let integer = short_number(self.integer)? * power;
        let fraction = short_number(self.fraction)? * power_of_ten(self.padding as u8);
        let value = (integer + fraction).cast_signed();
        Some(if self.negative { -value } else { value })
    }

    #[inline]
    fn unscaled<'b>(&self, buffer: &'b mut UnscaledBuffer) -> Option<&'b [u8]> {
        if self.is_short() {
            return Some(short(self.short()?, buffer));
        }
        let (most, scale) = (usize::from(MAX_LONG_DIGITS), self.fraction.len() + self.padding);
        if self.integer.len() > most || scale > most {
            return Some(self.wide()?.unscaled(self.negative, buffer));
        }
        let integer = long_number(self.integer)?;
        let fraction = long_number(self.fraction)? * long_power_of_ten(self.padding);
        let power = long_power_of_ten(scale);
        if self.significant() <= most {
            let value = (integer * power + fraction).cast_signed();
            return Some(long(if self.negative { -value } else { value }, buffer));
        }
        Some(Wide::joined(integer, power, fraction).unscaled(self.negative, buffer))
    }

    /// All digits, most significant first.
    fn wide(&self) -> Option<Wide> {
        let mut value = Wide::default();
        for chunk in self.integer.chunks(2 * WORD).chain(self.fraction.chunks(2 * WORD)) {
            value.push(power_of_ten(chunk.len() as u8), short_number(chunk)?);
        }
        for _ in 0..self.padding {
            value.push(10, 0);
        }
        Some(value)
    }
}

/// The unscaled value of decimal text at a scale, as a number; none when it has more than 18 digits or is no such text.
#[inline]
pub fn text_to_short(text: &[u8], scale: u8) -> Option<i64> {
    Parts::new(text, scale).ok().filter(Parts::is_short)?.short()
}

/// The unscaled value of decimal text such as `-12.50` at a scale, in minimal two's complement. Missing digits of the
/// fraction are zeros; digits beyond the scale must be zeros.
#[inline]
pub fn text_to_unscaled<'b>(
    text: &[u8],
    scale: u8,
    buffer: &'b mut UnscaledBuffer,
) -> Result<&'b [u8], WireError> {
    let parts = Parts::new(text, scale)?;
    match parts.unscaled(buffer) {
        Some(unscaled) => Ok(unscaled),
        None => Err(NO_DIGIT),
    }
}

/// The number of at most 38 digits; none when there is something else among them.
#[inline]
fn long_number(digits: &[u8]) -> Option<u128> {
    let (first, words) = digits.as_rchunks::<WORD>();
    let (single, pairs) = words.as_rchunks::<2>();
    let mut wrong = 0;
    let mut lead = first_digits(digits, first, &mut wrong);
    if let [word] = single {
        lead = lead * HUNDRED_MILLION + eight_digits(*word, &mut wrong);
    }
    let mut number = u128::from(lead);
    for [upper, lower] in pairs {
        let pair = eight_digits(*upper, &mut wrong) * HUNDRED_MILLION + eight_digits(*lower, &mut wrong);
        number = number * TEN_QUADRILLION + u128::from(pair);
    }
    (wrong == 0).then_some(number)
}

/// The number of at most 18 digits; none when there is something else among them.
#[inline]
fn short_number(digits: &[u8]) -> Option<u64> {
    let (first, words) = digits.as_rchunks::<WORD>();
    let mut wrong = 0;
    let mut number = first_digits(digits, first, &mut wrong);
    for word in words {
        number = number * HUNDRED_MILLION + eight_digits(*word, &mut wrong);
    }
    (wrong == 0).then_some(number)
}

/// The number of the first seven digits, or fewer.
#[inline]
fn first_digits(digits: &[u8], first: &[u8], wrong: &mut u64) -> u64 {
    if first.is_empty() {
        return 0;
    }
    let Some(word) = digits.first_chunk::<WORD>() else {
        let mut number = 0;
        for byte in first {
            let digit = byte.wrapping_sub(b'0');
            *wrong |= u64::from(digit > 9);
            number = number * 10 + u64::from(digit);
        }
        return number;
    };
    // The digits behind are in the upper bytes: they are shifted out, and zeros come in.
    let behind = (8 * (WORD - first.len())) as u32;
    let word = u64::from_le_bytes(*word) << behind | ZEROS & !(u64::MAX << behind);
    eight_digits(word.to_le_bytes(), wrong)
}

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The number of eight digits, the first in the lowest byte; where there is something else among them, bits of `wrong` are
/// set, and the number means nothing.
#[inline]
fn eight_digits(word: [u8; WORD], wrong: &mut u64) -> u64 {
    // 0x30 to 0x39 become 0 to 9; of anything else the high half is not zero, before or after 6 is added.
    let digits = u64::from_le_bytes(word) ^ ZEROS;
    *wrong |= (digits | digits.wrapping_add(0x0606_0606_0606_0606)) & 0xf0f0_f0f0_f0f0_f0f0;
    let digits = digits & 0x0f0f_0f0f_0f0f_0f0f;
    // Each product has, in the upper half of every group, the first neighbour's share and the second one.
    let pairs = digits.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(1 + (10_000 << 32)) >> 32
}
