//! Text as stored, to UTF-8.
//!
//! MySQL's `latin1` is Windows-1252 with the five undefined bytes as the control characters of the same number (0x81 is
//! U+0081), as the server itself converts them. `ucs2`, `utf16` and `utf32` are big-endian; `utf16le` is not. What is no
//! text in the character set becomes U+FFFD. Manual: "Supported Character Sets and Collations".

use crate::event::value::error::Failure;
use crate::event::value::text_of;

/// A character set that this version decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// `utf8mb4`, `utf8mb3`, `utf8`, `ascii`.
    Utf8,
    /// `latin1`.
    Latin1,
    /// `ucs2` and `utf16`.
    Utf16,
    /// `utf16le`.
    Utf16Le,
    /// `utf32`.
    Utf32,
}

/// The characters of 0x80 to 0x9f in `latin1`.
const LATIN1: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

impl Charset {
    /// The character set of a name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "utf8mb4" | "utf8mb3" | "utf8" | "ascii" => Charset::Utf8,
            "latin1" => Charset::Latin1,
            "ucs2" | "utf16" => Charset::Utf16,
            "utf16le" => Charset::Utf16Le,
            "utf32" => Charset::Utf32,
            _ => return None,
        })
    }

    /// Whether ASCII bytes are the text that they are in ASCII.
    pub fn holds_ascii(self) -> bool {
        matches!(self, Charset::Utf8 | Charset::Latin1)
    }

    /// The text of stored bytes, which is a view of them where they are UTF-8 already and stands in the buffer otherwise.
    #[inline]
    pub fn decode<'a>(self, bytes: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<&'a str, Failure> {
        // ASCII is the same in all but the wide sets.
        let view = match self {
            Charset::Utf8 => std::str::from_utf8(bytes).ok(),
            Charset::Latin1 if bytes.is_ascii() => std::str::from_utf8(bytes).ok(),
            Charset::Latin1 | Charset::Utf16 | Charset::Utf16Le | Charset::Utf32 => None,
        };
        match view {
            Some(text) => Ok(text),
            None => self.transcode(bytes, scratch),
        }
    }

    fn transcode<'a>(self, bytes: &[u8], scratch: &'a mut Vec<u8>) -> Result<&'a str, Failure> {
        scratch.clear();
        match self {
            Charset::Utf8 => {
                for chunk in bytes.utf8_chunks() {
                    scratch.extend_from_slice(chunk.valid().as_bytes());
                    if !chunk.invalid().is_empty() {
                        push(char::REPLACEMENT_CHARACTER, scratch);
                    }
                }
            }
            Charset::Latin1 => {
                for byte in bytes {
                    let index = usize::from(*byte).checked_sub(0x80);
                    push(
                        index.and_then(|index| LATIN1.get(index)).copied().unwrap_or(char::from(*byte)),
                        scratch,
                    );
                }
            }
            Charset::Utf16 => units(bytes, u16::from_be_bytes, scratch),
            Charset::Utf16Le => units(bytes, u16::from_le_bytes, scratch),
            Charset::Utf32 => {
                for code in bytes.chunks(4) {
                    let code = <[u8; 4]>::try_from(code).ok().map(u32::from_be_bytes);
                    push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER), scratch);
                }
            }
        }
        text_of(scratch)
    }
}

fn units(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16, scratch: &mut Vec<u8>) {
    let units = bytes.chunks_exact(2).filter_map(|pair| <[u8; 2]>::try_from(pair).ok()).map(unit);
    for character in char::decode_utf16(units) {
        push(character.unwrap_or(char::REPLACEMENT_CHARACTER), scratch);
    }
}

fn push(character: char, scratch: &mut Vec<u8>) {
    scratch.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded_as_the_server_converts_it() {
        for (charset, bytes, text) in [
            ("utf8mb4", "日😀".as_bytes(), "日😀"),
            ("utf8mb3", b"a\xffb", "a\u{fffd}b"),
            ("ascii", b"abc", "abc"),
            ("latin1", b"abc", "abc"),
            ("latin1", b"\xe9\x80\x81\x8d\x9f\xff", "é€\u{81}\u{8d}\u{178}ÿ"),
            ("ucs2", b"\x00\xe9\x65\xe5", "é日"),
            ("utf16", b"\xd8\x3d\xde\x00", "😀"),
            ("utf16le", b"\x3d\xd8\x00\xde\xe5\x65", "😀日"),
            ("utf32", b"\x00\x01\xf6\x00\x00\x00\x00x", "😀x"),
        ] {
            let mut scratch = Vec::new();
            assert_eq!(Charset::named(charset).unwrap().decode(bytes, &mut scratch), Ok(text), "{charset}");
        }
        assert_eq!(Charset::named("swe7"), None);
    }
}
