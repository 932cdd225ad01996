//! Numbers in minimal two's complement, most significant byte first, as `BigInteger.toByteArray` has them.
//!
//! As many bits are needed as differ from the sign, and one for the sign itself; they are counted, not looked for.

/// Where an unscaled value is written: 256 bits.
pub type UnscaledBuffer = [u8; 32];

/// A 64-bit number.
#[inline]
pub(super) fn short(value: i64, buffer: &mut UnscaledBuffer) -> &[u8] {
    if let Some(low) = buffer.last_chunk_mut::<8>() {
        *low = value.to_be_bytes();
    }
    last_bytes(65 - (value ^ (value >> 63)).leading_zeros(), buffer)
}

/// A 128-bit number.
#[inline]
pub(super) fn long(value: i128, buffer: &mut UnscaledBuffer) -> &[u8] {
    if let Some(low) = buffer.last_chunk_mut::<16>() {
        *low = value.to_be_bytes();
    }
    last_bytes(129 - (value ^ (value >> 127)).leading_zeros(), buffer)
}

/// A number of up to 255 bits, as its lower and its upper half.
#[derive(Clone, Copy, Default)]
pub(super) struct Wide(u128, u128);

impl Wide {
    /// An integer part and a fraction, below this power of ten.
    #[inline]
    pub(super) fn joined(integer: u128, power: u128, fraction: u128) -> Self {
        let (low, high) = integer.carrying_mul(power, fraction);
        Wide(low, high)
    }

    /// Multiplies by a power of ten and adds what is below it.
    #[inline]
    pub(super) fn push(&mut self, power: u64, added: u64) {
        let (low, carry) = self.0.carrying_mul(power.into(), added.into());
        *self = Wide(low, self.1.wrapping_mul(power.into()).wrapping_add(carry));
    }

    /// The number or its negation.
    #[inline]
    pub(super) fn unscaled(self, negative: bool, buffer: &mut UnscaledBuffer) -> &[u8] {
        let Wide(low, high) = self;
        // The negation inverts all bits and adds one.
        let sign = if negative { u128::MAX } else { 0 };
        let (low, carry) = (low ^ sign).overflowing_add(u128::from(negative));
        let high = (high ^ sign).wrapping_add(u128::from(carry));
        let (halves, _) = buffer.as_chunks_mut::<16>();
        for (half, value) in halves.iter_mut().zip([high, low]) {
            *half = value.to_be_bytes();
        }
        // Zero has no sign.
        let sign = if high >> 127 == 0 { 0 } else { u128::MAX };
        let same = match (high ^ sign).leading_zeros() {
            128 => 128 + (low ^ sign).leading_zeros(),
            zeros => zeros,
        };
        last_bytes(257 - same, buffer)
    }
}

#[inline]
fn last_bytes(bits: u32, buffer: &UnscaledBuffer) -> &[u8] {
    buffer.get(buffer.len().saturating_sub(bits.div_ceil(8) as usize)..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand, at the edges of one byte, of 64, 128 and 192 bits.
    #[test]
    fn no_byte_more_than_needed() {
        let wide = |negative, low, high| Wide(low, high).unscaled(negative, &mut [0x55; 32]).to_vec();
        for (value, bytes) in [
            (0, &[0][..]),
            (127, &[0x7f]),
            (128, &[0, 0x80]),
            (-128, &[0x80]),
            (-129, &[0xff, 0x7f]),
            (i64::MAX, &[0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            (i64::MIN, &[0x80, 0, 0, 0, 0, 0, 0, 0]),
        ] {
            assert_eq!(short(value, &mut [0x55; 32]), bytes);
            assert_eq!(long(value.into(), &mut [0x55; 32]), bytes);
            assert_eq!(wide(value < 0, value.unsigned_abs().into(), 0), bytes);
        }
        let two_to_the_64: i128 = 1 << 64;
        assert_eq!(long(two_to_the_64, &mut [0; 32]), [1, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(long(-two_to_the_64, &mut [0; 32]), [0xff, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(long(i128::MAX, &mut [0; 32]).len(), 16);
        // 2^127 needs a byte for its sign, its negation does not.
        let bytes = wide(false, 1 << 127, 0);
        assert_eq!((bytes.len(), &bytes[..2]), (17, &[0, 0x80][..]));
        let bytes = wide(true, 1 << 127, 0);
        assert_eq!((bytes.len(), bytes[0], bytes[15]), (16, 0x80, 0));
        // -(2^128 + 1): the carry of the negation ends in the lower half; -(2^128): it goes on into the upper one.
        let bytes = wide(true, 1, 1);
        assert_eq!((bytes.len(), bytes[0], bytes[1]), (17, 0xfe, 0xff));
        assert_eq!(wide(true, 0, 1), [&[0xff][..], &[0; 16]].concat());
        assert_eq!(wide(true, 0, 0), [0]);
    }
}
