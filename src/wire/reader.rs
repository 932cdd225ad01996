//! A cursor over borrowed bytes that cannot leave them.
//!
//! Each read says what it reads, so that an error names it; the name is a constant and costs nothing when all is well.
//! Manual: "Protocol::FixedLengthInteger" and "Protocol::LengthEncodedInteger" (MySQL source documentation).

use crate::wire::error::WireError;

/// The unread rest of some bytes.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

macro_rules! little_endian {
    ($(#[$doc:meta])* $name:ident, $type:ty, $size:literal) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(&mut self, reading: &'static str) -> Result<$type, WireError> {
            Ok(<$type>::from_le_bytes(self.array::<$size>(reading)?))
        }
    };
}

impl<'a> Reader<'a> {
    /// A cursor at the beginning of bytes.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes }
    }

    /// How many bytes are unread.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// Whether everything is read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The unread bytes, left unread.
    #[inline]
    pub fn peek(&self) -> &'a [u8] {
        self.bytes
    }

    /// Takes all unread bytes.
    #[inline]
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.bytes)
    }

    /// Takes the next `size` bytes.
    #[inline]
    pub fn take(&mut self, size: usize, reading: &'static str) -> Result<&'a [u8], WireError> {
        match self.bytes.split_at_checked(size) {
            Some((taken, rest)) => {
                self.bytes = rest;
                Ok(taken)
            }
            None => Err(self.truncated(size as u64, reading)),
        }
    }

    /// Takes the next `N` bytes as an array.
    #[inline]
    pub fn array<const N: usize>(&mut self, reading: &'static str) -> Result<[u8; N], WireError> {
        match self.bytes.split_first_chunk::<N>() {
            Some((taken, rest)) => {
                self.bytes = rest;
                Ok(*taken)
            }
            None => Err(self.truncated(N as u64, reading)),
        }
    }

    /// Takes the next `N` bytes, or nothing when there are fewer.
    #[inline]
    pub fn next_chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*taken)
    }

    /// Takes the next `size` bytes, or nothing when there are fewer.
    #[inline]
    pub fn next_bytes(&mut self, size: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(size)?;
        self.bytes = rest;
        Some(taken)
    }

    little_endian!(
        /// One byte.
        u8, u8, 1
    );
    little_endian!(
        /// Two bytes.
        u16, u16, 2
    );
    little_endian!(
        /// Four bytes.
        u32, u32, 4
    );
    little_endian!(
        /// Eight bytes.
        u64, u64, 8
    );

    /// Three bytes.
    #[inline]
    pub fn u24(&mut self, reading: &'static str) -> Result<u32, WireError> {
        let [a, b, c] = self.array::<3>(reading)?;
        Ok(u32::from_le_bytes([a, b, c, 0]))
    }

    /// Six bytes.
    #[inline]
    pub fn u48(&mut self, reading: &'static str) -> Result<u64, WireError> {
        let [a, b, c, d, e, f] = self.array::<6>(reading)?;
        Ok(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
    }

    /// One to eight bytes; other sizes are refused.
    #[inline]
    pub fn uint_le(&mut self, size: usize, reading: &'static str) -> Result<u64, WireError> {
        let taken = self.take(size, reading)?;
        let mut wide = [0u8; 8];
        match wide.get_mut(..size) {
            Some(low) => low.copy_from_slice(taken),
            None => return Err(WireError::invalid(reading, "an integer of more than 8 bytes")),
        }
        Ok(u64::from_le_bytes(wide))
    }

    /// One to eight bytes, most significant first, as in the temporal types; other sizes are refused.
    #[inline]
    pub fn uint_be(&mut self, size: usize, reading: &'static str) -> Result<u64, WireError> {
        let taken = self.take(size, reading)?;
        if size > 8 {
            return Err(WireError::invalid(reading, "an integer of more than 8 bytes"));
        }
        Ok(taken.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    /// A length-encoded integer: one byte up to 250, or `fc`, `fd`, `fe` before 2, 3, 8 bytes.
    #[inline]
    pub fn lenenc_int(&mut self, reading: &'static str) -> Result<u64, WireError> {
        match self.u8(reading)? {
            first @ 0..=0xfa => Ok(u64::from(first)),
            0xfc => self.u16(reading).map(u64::from),
            0xfd => self.u24(reading).map(u64::from),
            0xfe => self.u64(reading),
            _ => Err(WireError::invalid(reading, "not a length-encoded integer")),
        }
    }

    /// A length-encoded size of something in memory.
    #[inline]
    pub fn lenenc_size(&mut self, reading: &'static str) -> Result<usize, WireError> {
        let size = self.lenenc_int(reading)?;
        usize::try_from(size).map_err(|_| self.truncated(size, reading))
    }

    /// A length-encoded integer and as many bytes.
    #[inline]
    pub fn lenenc_bytes(&mut self, reading: &'static str) -> Result<&'a [u8], WireError> {
        let size = self.lenenc_size(reading)?;
        self.take(size, reading)
    }

    /// Bytes up to a zero byte, which is read too and left out.
    pub fn until_zero(&mut self, reading: &'static str) -> Result<&'a [u8], WireError> {
        let end = memchr::memchr(0, self.bytes)
            .ok_or_else(|| self.truncated(self.bytes.len() as u64 + 1, reading))?;
        let text = self.take(end, reading)?;
        self.u8(reading)?;
        Ok(text)
    }

    /// An unsigned integer of MySQL's serialization library (`mysql/serialization/variable_length_integers.h`): as many
    /// more bytes follow the first as it has trailing one bits; they and one zero bit are left out of the value.
    pub fn varlen_uint(&mut self, reading: &'static str) -> Result<u64, WireError> {
        let first = self.u8(reading)?;
        let more = first.trailing_ones();
        let following = self.uint_le(more as usize, reading)?;
        if more >= 7 {
            // Seven or eight ones: the first byte holds no bit of the value.
            return Ok(following);
        }
        Ok(following << (7 - more) | u64::from(first >> (more + 1)))
    }

    /// A signed integer of the same library: the lowest bit says negative, the others hold `value` or `-(value + 1)`.
    pub fn varlen_int(&mut self, reading: &'static str) -> Result<i64, WireError> {
        let raw = self.varlen_uint(reading)?;
        let magnitude = (raw >> 1).cast_signed();
        Ok(if raw & 1 == 1 { !magnitude } else { magnitude })
    }

    #[cold]
    fn truncated(&self, wanted: u64, reading: &'static str) -> WireError {
        WireError::Truncated { reading, wanted, left: self.bytes.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_little_endian() {
        let mut reader =
            Reader::new(&[1, 2, 1, 3, 2, 1, 4, 3, 2, 1, 6, 5, 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(reader.u8("x").unwrap(), 1);
        assert_eq!(reader.u16("x").unwrap(), 0x0102);
        assert_eq!(reader.u24("x").unwrap(), 0x01_02_03);
        assert_eq!(reader.u32("x").unwrap(), 0x0102_0304);
        assert_eq!(reader.u48("x").unwrap(), 0x0102_0304_0506);
        assert_eq!(reader.u64("x").unwrap(), 0x0102_0304_0506_0708);
        let error = reader.u16("some flags").unwrap_err();
        assert_eq!(error.to_string(), "truncated some flags: 2 bytes wanted, 0 left");
    }

    #[test]
    fn length_encoded_integers() {
        for (bytes, value) in [
            (&[0xfa][..], 250),
            (&[0xfc, 0xfb, 0x00], 251),
            (&[0xfd, 0x00, 0x00, 0x01], 65_536),
            (&[0xfe, 0, 0, 0, 0, 1, 0, 0, 0], 1 << 32),
        ] {
            assert_eq!(Reader::new(bytes).lenenc_int("x").unwrap(), value);
        }
        assert!(Reader::new(&[0xfb]).lenenc_int("x").is_err());
        assert!(Reader::new(&[0xff]).lenenc_int("x").is_err());
        assert!(Reader::new(&[0xfe, 255, 255, 255, 255, 255, 255, 255, 255, 0]).lenenc_bytes("x").is_err());
        assert_eq!(Reader::new(b"\x02abc").lenenc_bytes("x").unwrap(), b"ab");
    }

    /// Worked out by hand from the description in variable_length_integers.h.
    #[test]
    fn serialization_integers() {
        for (bytes, value) in [
            (&[0b0000_0010][..], 1),
            (&[0b1111_1110], 127),
            (&[0b0000_0001, 0b0000_0010], 128),
            (&[0b0000_0011, 0, 0b0000_0010], 1 << 14),
            (&[0b0111_1111, 1, 0, 0, 0, 0, 0, 0x80], 1 | 0x80 << 48),
            (&[0xff, 255, 255, 255, 255, 255, 255, 255, 255], u64::MAX),
        ] {
            assert_eq!(Reader::new(bytes).varlen_uint("x").unwrap(), value, "{bytes:?}");
        }
        assert_eq!(Reader::new(&[0b0000_0100]).varlen_int("x").unwrap(), 1);
        assert_eq!(Reader::new(&[0b0000_0010]).varlen_int("x").unwrap(), -1);
        let least = [0xff, 255, 255, 255, 255, 255, 255, 255, 255];
        assert_eq!(Reader::new(&least).varlen_int("x").unwrap(), i64::MIN);
    }
}
