//! Searches in text for a few ASCII characters, eight bytes at once in an integer.
//!
//! A byte is found by making it zero: of a word from which 1 is taken off each byte, a zero has its high bit set, and had not before.

use memchr::memchr2;

const LOW_BITS: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH_BITS: u64 = u64::from_ne_bytes([0x80; 8]);
/// Words that are looked at before a search begins.
const FIRST: usize = 4;

/// Marks, in their high bit, the bytes of a word that are `byte`. A byte that is it borrows from the next one, so bytes
/// above the lowest mark may be marked wrongly; only the lowest is wanted.
const fn equal(word: u64, byte: u8) -> u64 {
    let different = word ^ (LOW_BITS * byte as u64);
    different.wrapping_sub(LOW_BITS) & !different & HIGH_BITS
}

const fn quotes_and_backslashes(word: u64) -> u64 {
    equal(word, b'"') | equal(word, b'\\')
}

/// Of the brackets two each differ in one bit from their counterpart.
pub(super) const fn quotes_and_brackets(word: u64) -> u64 {
    let braces = word | (LOW_BITS * (b'{' ^ b'[') as u64);
    equal(word, b'"') | equal(braces, b'{') | equal(braces, b'}')
}

/// The first byte that is marked. Zeros must not be.
#[inline]
pub(super) fn find(bytes: &[u8], marked: impl Fn(u64) -> u64) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let found = marked(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(place * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
    let found = marked(u64::from_le_bytes(last));
    (found != 0).then(|| words.len() * 8 + found.trailing_zeros() as usize / 8)
}

/// The first quote or backslash.
#[inline]
pub(super) fn quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    let (first, rest) = bytes.split_at(bytes.len().min(FIRST * 8));
    find(first, quotes_and_backslashes).or_else(|| Some(first.len() + memchr2(b'"', b'\\', rest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Behind every byte, among them those that differ in one bit from what is looked for, or are one more or less.
    #[test]
    fn the_first_of_them_is_found_behind_every_byte() {
        for before in 0..=255_u8 {
            for marks in [&b"\"\\"[..], b"\"{}[]"] {
                for (length, mark) in (0..40).zip(marks.iter().cycle()) {
                    let bytes = [vec![before; length], vec![*mark, before, b'"']].concat();
                    let wanted = bytes.iter().position(|byte| marks.contains(byte));
                    let found = match marks.len() {
                        2 => quote_or_backslash(&bytes),
                        _ => find(&bytes, quotes_and_brackets),
                    };
                    assert_eq!(found, wanted, "{bytes:?}");
                }
            }
        }
        assert_eq!((quote_or_backslash(b""), find(b"", quotes_and_brackets)), (None, None));
        assert_eq!((quote_or_backslash(&[0; 40]), find(&[0; 40], quotes_and_brackets)), (None, None));
    }
}
