//! Decimal text such as `-12.50` as an unscaled value.
//!
//! The digits are laid out in a buffer of zeros so that the last place of the scale is its last byte: then the point is
//! gone, missing digits of the fraction are there, and eight digits at a time are one multiplication of a word with itself
//! shifted (each step puts neighbours together: digits to pairs, pairs to fours, fours to eight).

use crate::wire::decimal::unscaled::{joined, long, short};
use crate::wire::decimal::{MAX_LONG_DIGITS, UnscaledBuffer};
use crate::wire::error::WireError;

const READING: &str = "decimal text";

/// Eight digits a word: the first has at most six, so that it and the next four are below 10^38.
const WORDS: usize = 9;
/// The most digits that are read: more than a DECIMAL has.
const MAX_DIGITS: usize = 70;
/// What one word, two and four hold: 10^8, 10^16, 10^32.
const WORD: u64 = 100_000_000;
const TWO_WORDS: u128 = 10_000_000_000_000_000;
const FOUR_WORDS: u128 = TWO_WORDS * TWO_WORDS;

/// The digits of a text at a scale.
struct Digits {
    negative: bool,
    words: [[u8; 8]; WORDS],
    /// Digits that count, from the last.
    significant: usize,
}

impl Digits {
    #[inline]
    fn new(text: &str, scale: u8) -> Result<Self, WireError> {
        let (negative, digits) = match text.as_bytes() {
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
        let (mut integer, fraction) = digits.split_at_checked(point).unwrap_or((digits, &[]));
        let fraction = fraction.strip_prefix(b".").unwrap_or(fraction);
        if integer.is_empty() && fraction.is_empty() {
            return Err(WireError::invalid(READING, "no digit"));
        }
        let (kept, beyond) = fraction.split_at_checked(scale).unwrap_or((fraction, &[]));
        if beyond.iter().any(|digit| *digit != b'0') {
            return Err(WireError::invalid(READING, "more digits than the scale"));
        }
        if integer.len() + scale > MAX_DIGITS {
            let zeros = integer.iter().take_while(|digit| **digit == b'0').count();
            integer = integer.get(zeros..).unwrap_or_default();
        }
        let significant = integer.len() + scale;
        if significant > MAX_DIGITS {
            return Err(WireError::invalid(READING, "too many digits"));
        }
        let mut words = [[b'0'; 8]; WORDS];
        let places = words.as_flattened_mut();
        let unit = places.len() - scale;
        // Both are within the buffer by the check above.
        if let Some(place) = places.get_mut(unit - integer.len()..unit) {
            place.copy_from_slice(integer);
        }
        if let Some(place) = places.get_mut(unit..unit + kept.len()) {
            place.copy_from_slice(kept);
        }
        Ok(Digits { negative, words, significant })
    }
}

/// The unscaled value of decimal text at a scale, as a number: none when it is not text of at most 16 digits.
#[inline]
pub fn text_to_short(text: &str, scale: u8) -> Option<i64> {
    let Digits { negative, words: [.., a, b], significant } = Digits::new(text, scale).ok()?;
    let value = sixteen_digits(a, b).filter(|_| significant <= 16)?.cast_signed();
    Some(if negative { -value } else { value })
}

/// The unscaled value of decimal text such as `-12.50` at a scale, in minimal two's complement. Missing digits of the
/// fraction are zeros; digits beyond the scale must be zeros.
#[inline]
pub fn text_to_unscaled<'b>(
    text: &str,
    scale: u8,
    buffer: &'b mut UnscaledBuffer,
) -> Result<&'b [u8], WireError> {
    const NO_DIGIT: WireError = WireError::invalid(READING, "something other than a digit");
    let Digits { negative, words: [a, b, c, d, e, f, g, h, i], significant } = Digits::new(text, scale)?;
    let low = sixteen_digits(h, i).ok_or(NO_DIGIT)?;
    if significant <= 16 {
        let value = low.cast_signed();
        return Ok(short(if negative { -value } else { value }, buffer));
    }
    let low = u128::from(sixteen_digits(f, g).ok_or(NO_DIGIT)?) * TWO_WORDS + u128::from(low);
    let mut high = 0;
    if significant > 32 {
        let first = sixteen_digits([b'0'; 8], a).ok_or(NO_DIGIT)?;
        let middle = sixteen_digits(b, c).ok_or(NO_DIGIT)?;
        let last = sixteen_digits(d, e).ok_or(NO_DIGIT)?;
        high = (u128::from(first) * TWO_WORDS + u128::from(middle)) * TWO_WORDS + u128::from(last);
    }
    if significant <= usize::from(MAX_LONG_DIGITS) {
        let value = (high * FOUR_WORDS + low).cast_signed();
        return Ok(long(if negative { -value } else { value }, buffer));
    }
    Ok(joined(negative, high, FOUR_WORDS, low, buffer))
}

/// The number of sixteen digits; none when there is something else among them.
#[inline]
fn sixteen_digits(first: [u8; 8], second: [u8; 8]) -> Option<u64> {
    let ((first, is_first), (second, is_second)) = (eight_digits(first), eight_digits(second));
    (is_first & is_second).then_some(first * WORD + second)
}

/// The number of eight digits, the first in the lowest byte, and whether they are digits.
#[inline]
fn eight_digits(word: [u8; 8]) -> (u64, bool) {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let word = u64::from_le_bytes(word);
    // 0x30 to 0x39: the high half is 3, and stays 3 when 6 is added.
    let is_number = word & HIGH == ZEROS && word.wrapping_add(0x0606_0606_0606_0606) & HIGH == ZEROS;
    let digits = word & !HIGH;
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    let number = (fours * 10_000 + (fours >> 32)) & 0xffff_ffff;
    (number, is_number)
}
