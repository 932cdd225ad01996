//! DECIMAL: MySQL's packed digits, and decimal text, as plain text or as the unscaled value in two's complement.
//!
//! The binlog has digits packed in groups (`packed`), a result set has text (`text`). Either becomes what Kafka Connect's
//! Decimal holds (`BigInteger.toByteArray` of the unscaled value): big endian and no longer than needed (`unscaled`). How
//! much arithmetic that takes depends on the digits: up to 18 are a 64-bit number, up to 38 one of 128 bits, and the 65 of
//! MySQL, an integer part and a fraction, are two of 128 bits that one multiplication joins. Manual: "Precision Math", "Fixed-Point Types".

mod packed;
mod text;
mod unscaled;

use crate::wire::error::WireError;

pub use packed::{packed_to_short, packed_to_text, packed_to_unscaled};
pub use text::{text_to_short, text_to_unscaled};
pub use unscaled::UnscaledBuffer;

const READING: &str = "DECIMAL";
/// Bytes of an incomplete group of so many digits.
const GROUP_SIZE: [u8; 10] = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4];
/// The most digits of a DECIMAL.
const MAX_PRECISION: u8 = 65;
/// The most that a DECIMAL inside JSON announces: nine words of nine digits (`DECIMAL_BUFF_LENGTH`, sql/my_decimal.h), since
/// the server counts its integer part in whole words there.
const MAX_WORD_DIGITS: u8 = 81;

/// The digits that fit into 64 bits.
pub const MAX_SHORT_DIGITS: u8 = 18;
/// The digits that fit into 128 bits, of which one is the sign.
const MAX_LONG_DIGITS: u8 = 38;

const OUT_OF_RANGE: WireError = WireError::invalid(READING, "precision and scale are out of range");

/// The bytes that a packed DECIMAL takes.
pub fn packed_size(precision: u8, scale: u8) -> Result<u8, WireError> {
    if precision > MAX_PRECISION {
        return Err(OUT_OF_RANGE);
    }
    packed_words_size(precision, scale)
}

/// The same for up to `MAX_WORD_DIGITS`.
#[inline]
fn packed_words_size(precision: u8, scale: u8) -> Result<u8, WireError> {
    if precision == 0 || precision > MAX_WORD_DIGITS || scale > precision {
        return Err(OUT_OF_RANGE);
    }
    let size = |digits: u8| digits / 9 * 4 + group_size(digits % 9);
    Ok(size(precision - scale) + size(scale))
}

#[inline]
fn group_size(digits: u8) -> u8 {
    GROUP_SIZE.get(usize::from(digits)).copied().unwrap_or(0)
}

/// 10 to the power of 0 to 18.
#[inline]
fn power_of_ten(digits: u8) -> u64 {
    const POWERS: [u64; 19] = {
        let mut powers = [1; 19];
        let mut digits = 1;
        while digits < powers.len() {
            powers[digits] = powers[digits - 1] * 10;
            digits += 1;
        }
        powers
    };
    POWERS.get(usize::from(digits)).copied().unwrap_or(1)
}

/// 10 to the power of 0 to 38.
#[inline]
fn long_power_of_ten(digits: usize) -> u128 {
    const POWERS: [u128; 39] = {
        let mut powers = [1; 39];
        let mut digits = 1;
        while digits < powers.len() {
            powers[digits] = powers[digits - 1] * 10;
            digits += 1;
        }
        powers
    };
    POWERS.get(digits).copied().unwrap_or(1)
}

#[cfg(test)]
mod tests;
