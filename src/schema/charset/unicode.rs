//! The sets of Unicode: UTF-8, UTF-16, UTF-32 and their older kin.
//!
//! `ucs2`, `utf16` and `utf32` are big-endian, `utf16le` is not. Surrogates are no characters, yet some can be stored:
//! any in `ucs2` (where two of them never are one character), and in `utf8mb3`, `utf8mb4` and `utf32` of MySQL 5.7, 8.0
//! and MariaDB. The server then sends three bytes that are no UTF-8 (`ED A0 80`), which a client reads as one U+FFFD;
//! Connector/J does, and so do the two of our paths.

use crate::schema::charset::REPLACEMENT;

/// The bytes themselves, when they are utf8mb3: UTF-8 of up to three bytes a character.
pub(super) fn utf8mb3(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.bytes().any(|byte| byte >= 0xf0))
}

/// UTF-8 as it stands in utf8mb4 columns and result sets: what is none is U+FFFD.
pub(super) fn append_utf8mb4(bytes: &[u8], out: &mut String) {
    append_utf8(bytes, out, |text, out| out.push_str(text), |_, out| out.push(REPLACEMENT));
}

/// The server converts utf8mb3 to utf8mb4: each byte that is none becomes `?`, so do the four of a character beyond
/// the basic plane.
pub(super) fn append_utf8mb3(bytes: &[u8], out: &mut String) {
    let valid = |text: &str, out: &mut String| {
        for character in text.chars() {
            if character > '\u{ffff}' { out.push_str("????") } else { out.push(character) }
        }
    };
    append_utf8(bytes, out, valid, |invalid, out| invalid.iter().for_each(|_| out.push('?')));
}

/// Valid and invalid parts in turn; a surrogate, which is three invalid parts, is one U+FFFD.
fn append_utf8(
    bytes: &[u8],
    out: &mut String,
    valid: impl Fn(&str, &mut String),
    invalid: impl Fn(&[u8], &mut String),
) {
    let (mut at, mut of_surrogate) = (0, 0_u8);
    for chunk in bytes.utf8_chunks() {
        valid(chunk.valid(), out);
        at += chunk.valid().len();
        if chunk.invalid().is_empty() {
            return;
        }
        if of_surrogate > 0 {
            of_surrogate -= 1;
        } else if let Some([0xed, 0xa0..=0xbf, 0x80..=0xbf]) = bytes.get(at..at + 3) {
            out.push(REPLACEMENT);
            of_surrogate = 2;
        } else {
            invalid(chunk.invalid(), out);
        }
        at += chunk.invalid().len();
    }
}

/// Units of two bytes, each a character.
pub(super) fn append_ucs2(bytes: &[u8], out: &mut String) {
    let (units, rest) = bytes.as_chunks::<2>();
    for unit in units {
        out.push(char::from_u32(u16::from_be_bytes(*unit).into()).unwrap_or(REPLACEMENT));
    }
    push_incomplete(rest, out);
}

/// Units of two bytes; a high and a low surrogate are one character.
pub(super) fn append_utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16, out: &mut String) {
    let (units, rest) = bytes.as_chunks::<2>();
    let characters = char::decode_utf16(units.iter().map(|pair| unit(*pair)));
    out.extend(characters.map(|character| character.unwrap_or(REPLACEMENT)));
    push_incomplete(rest, out);
}

/// Units of four bytes.
pub(super) fn append_utf32(bytes: &[u8], out: &mut String) {
    let (units, rest) = bytes.as_chunks::<4>();
    for unit in units {
        out.push(char::from_u32(u32::from_be_bytes(*unit)).unwrap_or(REPLACEMENT));
    }
    push_incomplete(rest, out);
}

/// A unit that ends early, which no server stores.
fn push_incomplete(rest: &[u8], out: &mut String) {
    if !rest.is_empty() {
        out.push('?');
    }
}
