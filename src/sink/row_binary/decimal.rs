//! Numbers of up to 76 digits: Connect's big-endian bytes, or text, into ClickHouse's little-endian integers.
//!
//! A number is a sign and a magnitude of 256 bits in four words, the lowest first: 10^76 is a little less than 2^253. A value
//! is brought to the column's scale by multiplying with ten; fewer digits after the point would be another value, so only
//! zeros are given up. The magnitude must stay below 10^precision, which the server does not check when it reads RowBinary.

use crate::sink::row_binary::error::ValueError;

/// The lowest word first.
type Magnitude = [u64; 4];

/// A column of type `Decimal(precision, scale)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalWriter {
    scale: u8,
    /// 4, 8, 16 or 32.
    bytes: usize,
    /// 10^precision.
    limit: Magnitude,
}

impl DecimalWriter {
    /// None unless `1 ≤ precision ≤ 76` and `scale ≤ precision`.
    pub fn new(precision: u8, scale: u8) -> Option<Self> {
        let bytes = match precision {
            1..=9 => 4,
            10..=18 => 8,
            19..=38 => 16,
            39..=76 => 32,
            _ => return None,
        };
        let limit = (0..precision).try_fold([1, 0, 0, 0], |limit, _| multiply_add(limit, 10, 0))?;
        (scale <= precision).then_some(DecimalWriter { scale, bytes, limit })
    }

    /// An unscaled number in two's complement, big-endian. No bytes are no number.
    pub fn write_unscaled(&self, unscaled: &[u8], scale: u8, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let negative = *unscaled.first().ok_or(ValueError::Text)? >= 0x80;
        let filler = if negative { 0xff } else { 0 };
        let (surplus, kept) = unscaled.split_at(unscaled.len().saturating_sub(32));
        let mut image = [filler; 32];
        if let Some(place) = image.get_mut(32 - kept.len()..) {
            place.copy_from_slice(kept);
        }
        if surplus.iter().any(|byte| *byte != filler) || (image[0] >= 0x80) != negative {
            return Err(ValueError::Range);
        }
        let mut words = [0; 4];
        for (word, eight) in words.iter_mut().rev().zip(image.as_chunks().0) {
            *word = u64::from_be_bytes(*eight);
        }
        let magnitude = if negative { negated(words) } else { words };
        self.write(negative, magnitude, scale, out)
    }

    /// A whole number.
    pub fn write_integer(&self, negative: bool, magnitude: u64, out: &mut Vec<u8>) -> Result<(), ValueError> {
        self.write(negative, [magnitude, 0, 0, 0], 0, out)
    }

    /// `-12.50` or, as Java prints some numbers, `1E-7`; no blanks.
    pub fn write_text(&self, text: &str, out: &mut Vec<u8>) -> Result<(), ValueError> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (digits, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i16>().map_err(|_| ValueError::Text)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return Err(ValueError::Text);
        }
        // Zeros at the end are given up first, so that they cost no digits.
        let zeros_may_go = fraction.len() > usize::from(self.scale);
        let fraction = if zeros_may_go { fraction.trim_end_matches('0') } else { fraction };
        let mut magnitude = [0; 4];
        for byte in whole.bytes().chain(fraction.bytes()) {
            if !byte.is_ascii_digit() {
                return Err(ValueError::Text);
            }
            magnitude = multiply_add(magnitude, 10, u64::from(byte - b'0')).ok_or(ValueError::Range)?;
        }
        let length = i32::try_from(fraction.len()).map_err(|_| ValueError::Precision)?;
        match length - i32::from(exponent) {
            _ if magnitude == [0; 4] => self.write(false, magnitude, 0, out),
            scale @ 0.. => {
                self.write(negative, magnitude, u8::try_from(scale).map_err(|_| ValueError::Precision)?, out)
            }
            missing => {
                // More than 77 of them are beyond 256 bits, whatever they follow.
                for _ in missing.max(-78)..0 {
                    magnitude = multiply_add(magnitude, 10, 0).ok_or(ValueError::Range)?;
                }
                self.write(negative, magnitude, 0, out)
            }
        }
    }

    fn write(
        &self,
        negative: bool,
        magnitude: Magnitude,
        scale: u8,
        out: &mut Vec<u8>,
    ) -> Result<(), ValueError> {
        let mut magnitude = magnitude;
        for _ in scale..self.scale {
            magnitude = multiply_add(magnitude, 10, 0).ok_or(ValueError::Range)?;
        }
        for _ in self.scale..scale {
            let (quotient, remainder) = divided_by_ten(magnitude);
            if remainder != 0 {
                return Err(ValueError::Precision);
            }
            magnitude = quotient;
        }
        if magnitude.iter().rev().ge(self.limit.iter().rev()) {
            return Err(ValueError::Range);
        }
        let words = if negative { negated(magnitude) } else { magnitude };
        let mut left = self.bytes;
        for word in words {
            let bytes = word.to_le_bytes();
            let taken = bytes.get(..left.min(8)).unwrap_or_default();
            out.extend_from_slice(taken);
            left -= taken.len();
        }
        Ok(())
    }
}

/// `magnitude * factor + summand`; none beyond 256 bits.
fn multiply_add(magnitude: Magnitude, factor: u64, summand: u64) -> Option<Magnitude> {
    let mut carry = u128::from(summand);
    let product = magnitude.map(|word| {
        let wide = u128::from(word) * u128::from(factor) + carry;
        carry = wide >> 64;
        wide as u64
    });
    (carry == 0).then_some(product)
}

fn divided_by_ten(magnitude: Magnitude) -> (Magnitude, u64) {
    let mut quotient = [0; 4];
    let mut remainder = 0;
    for (place, word) in quotient.iter_mut().zip(magnitude).rev() {
        let wide = (u128::from(remainder) << 64) | u128::from(word);
        // Both fit: the remainder is below ten.
        *place = (wide / 10) as u64;
        remainder = (wide % 10) as u64;
    }
    (quotient, remainder)
}

/// Two's complement.
fn negated(words: Magnitude) -> Magnitude {
    let mut carry = true;
    words.map(|word| {
        let (sum, overflow) = (!word).overflowing_add(u64::from(carry));
        carry = overflow;
        sum
    })
}

#[cfg(test)]
mod tests;
