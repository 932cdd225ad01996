//! Bitmaps of columns, as table maps and row images hold them: bit `i % 8` of byte `i / 8`, lowest bit first.

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// One bit a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bitmap<'a> {
    bytes: &'a [u8],
    len: usize,
}

impl<'a> Bitmap<'a> {
    /// Reads a bitmap of `len` bits.
    #[inline]
    pub fn read(reader: &mut Reader<'a>, len: usize, reading: &'static str) -> Result<Self, WireError> {
        Ok(Bitmap { bytes: reader.take(len.div_ceil(8), reading)?, len })
    }

    /// The bitmap in these bytes.
    pub fn of(bytes: &'a [u8], len: usize) -> Self {
        Bitmap { bytes, len }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of a bitmap that has the bits of both.
    pub fn union(&self, other: Bitmap<'_>) -> Vec<u8> {
        let bytes = 0..self.bytes.len().max(other.bytes.len());
        let byte = |of: &[u8], index: usize| of.get(index).copied().unwrap_or_default();
        bytes.map(|index| byte(self.bytes, index) | byte(other.bytes, index)).collect()
    }

    /// The number of bits.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no bit at all.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a bit is set; beyond the end none is.
    #[inline]
    pub fn get(&self, index: usize) -> bool {
        index < self.len && self.bytes.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
    }

    /// How many bits are set.
    #[inline]
    pub fn count_ones(&self) -> usize {
        let mut ones: usize = self.bytes.iter().map(|byte| byte.count_ones() as usize).sum();
        // Bits beyond the end do not count; servers leave them set in some events.
        let used = self.len % 8;
        if let (1.., Some(last)) = (used, self.bytes.last()) {
            ones -= (last >> used).count_ones() as usize;
        }
        ones
    }

    /// Whether every bit is set, as in a full row image.
    #[inline]
    pub fn all_set(&self) -> bool {
        self.count_ones() == self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_beyond_the_end_do_not_count() {
        let mut reader = Reader::new(&[0b1111_1111, 0b1111_1101]);
        let bitmap = Bitmap::read(&mut reader, 11, "x").unwrap();
        assert!(bitmap.get(0) && bitmap.get(8) && !bitmap.get(9) && bitmap.get(10) && !bitmap.get(11));
        assert_eq!(bitmap.count_ones(), 10);
        assert!(!bitmap.all_set());
        assert!(Bitmap::read(&mut Reader::new(&[0xff]), 3, "x").unwrap().all_set());
        assert!(Bitmap::read(&mut Reader::new(&[0xff]), 8, "x").unwrap().all_set());
        assert!(Bitmap::read(&mut Reader::new(&[0xff]), 9, "x").is_err());
    }
}
