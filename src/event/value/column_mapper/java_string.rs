//! A String as Java's ObjectOutputStream writes it.
//!
//! The stream's header `AC ED 00 05`, then `74` and the length in two bytes, or `7C` and the length in eight for more than
//! 65,535 bytes, then the text in modified UTF-8: NUL is `C0 80`, and a character above U+FFFF is its two surrogates, each
//! in three bytes. Source: Java Object Serialization Specification, chapter 6; java.io.DataInput.

/// TC_STRING behind the header of the stream.
const SHORT: [u8; 5] = [0xac, 0xed, 0x00, 0x05, 0x74];

/// TC_LONGSTRING behind the header of the stream.
const LONG: [u8; 5] = [0xac, 0xed, 0x00, 0x05, 0x7c];

/// Hands the bytes over, piece by piece.
pub fn serialize(text: &str, mut take: impl FnMut(&[u8])) {
    let length: usize = text.chars().map(length).sum();
    match u16::try_from(length) {
        Ok(length) => {
            take(&SHORT);
            take(&length.to_be_bytes());
        }
        Err(_) => {
            take(&LONG);
            take(&(length as u64).to_be_bytes());
        }
    }
    // All but two kinds of characters are as in UTF-8.
    let mut rest = text;
    while let Some(place) = rest.find(differs) {
        let (same, other) = rest.split_at(place);
        take(same.as_bytes());
        let mut characters = other.chars();
        match characters.next() {
            Some('\0') | None => take(&[0xc0, 0x80]),
            Some(character) => {
                for surrogate in character.encode_utf16(&mut [0; 2]) {
                    let [high, low] = surrogate.to_be_bytes();
                    take(&[0xe0 | high >> 4, 0x80 | (high & 0xf) << 2 | low >> 6, 0x80 | low & 0x3f]);
                }
            }
        }
        rest = characters.as_str();
    }
    take(rest.as_bytes());
}

fn differs(character: char) -> bool {
    character == '\0' || character > '\u{ffff}'
}

/// The bytes of a character.
fn length(character: char) -> usize {
    match character {
        '\0' => 2,
        '\u{10000}'.. => 6,
        _ => character.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serialized(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        serialize(text, |piece| bytes.extend_from_slice(piece));
        bytes
    }

    /// By hand from the specification.
    #[test]
    fn strings_have_a_length_and_modified_utf8() {
        for (text, expected) in [
            ("", &b"\xac\xed\x00\x05\x74\x00\x00"[..]),
            ("ab", b"\xac\xed\x00\x05\x74\x00\x02ab"),
            ("é日", b"\xac\xed\x00\x05\x74\x00\x05\xc3\xa9\xe6\x97\xa5"),
            ("a\0b", b"\xac\xed\x00\x05\x74\x00\x04a\xc0\x80b"),
            ("x😀y", b"\xac\xed\x00\x05\x74\x00\x08x\xed\xa0\xbd\xed\xb8\x80y"),
        ] {
            assert_eq!(serialized(text), expected, "{text:?}");
        }
    }

    #[test]
    fn long_strings_have_a_long_length() {
        let text = "é".repeat(32_767);
        assert_eq!(serialized(&text)[..7], *b"\xac\xed\x00\x05\x74\xff\xfe");
        let text = "é".repeat(32_768);
        assert_eq!(serialized(&text)[..13], *b"\xac\xed\x00\x05\x7c\0\0\0\0\0\x01\0\0");
        assert_eq!(serialized(&text).len(), 13 + 65_536);
    }
}
