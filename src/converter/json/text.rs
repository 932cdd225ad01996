//! Strings and bytes, as Jackson's UTF-8 generator spells them.
//!
//! Text stays UTF-8 but for three things: `"` and `\` get a backslash; control characters below U+0020 get their short
//! escape (`\b \t \n \f \r`) or `\u00XX` with upper-case digits; characters beyond U+FFFF are written as the escapes of
//! their two UTF-16 surrogates (`\uD83D\uDE00`), since the generator sees UTF-16 units. U+007F and `/` stay.
//! The loop looks for the next byte that needs work and copies everything before it at once.

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// What a byte of UTF-8 needs: nothing, a short escape with this letter, `\u00XX` (1), or a surrogate pair (2).
const WORK: [u8; 256] = work();

const fn work() -> [u8; 256] {
    let mut table = [0u8; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = 1;
        byte += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0a] = b'n';
    table[0x0c] = b'f';
    table[0x0d] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    // The first byte of a four-byte sequence.
    byte = 0xf0;
    while byte < 0x100 {
        table[byte] = 2;
        byte += 1;
    }
    table
}

/// Appends a JSON string with its quotes.
#[inline]
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    if is_plain(text.as_bytes()) {
        write_plain(text.as_bytes(), out);
    } else {
        out.push(b'"');
        write_escaped(text, out);
        out.push(b'"');
    }
}

/// Appends bytes with quotes around them, as they are: for ASCII of which [`is_plain`] holds.
#[inline]
pub fn write_plain(text: &[u8], out: &mut Vec<u8>) {
    // Once for all three pieces.
    out.reserve(text.len() + 2);
    out.push(b'"');
    out.extend_from_slice(text);
    out.push(b'"');
}

/// Whether bytes are ASCII without anything to escape. Most text is, and then is neither checked for UTF-8 nor searched
/// again. Sixteen bytes are compared at once; the last ones may be compared twice.
#[inline]
pub fn is_plain(bytes: &[u8]) -> bool {
    let plain16 = |chunk: &[u8; 16]| chunk.iter().fold(0, |bad, byte| bad | not_plain(*byte)) == 0;
    let plain8 = |chunk: &[u8; 8]| {
        let word = u64::from_le_bytes(*chunk);
        !may_need_work(word) && word & 0x8080_8080_8080_8080 == 0
    };
    if let Some(last) = bytes.last_chunk::<16>() {
        let (chunks, _) = bytes.as_chunks::<16>();
        return chunks.iter().all(plain16) && plain16(last);
    }
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => plain8(first) && plain8(last),
        _ => bytes.iter().all(|byte| *byte < 0x80 && WORK[usize::from(*byte)] == 0),
    }
}

/// 1 for a byte that is not plain, without a branch, so that the compiler does sixteen at once.
#[inline]
fn not_plain(byte: u8) -> u8 {
    u8::from(byte < 0x20) | u8::from(byte >= 0x80) | u8::from(byte == b'"') | u8::from(byte == b'\\')
}

/// Appends the inside of a JSON string.
pub fn write_escaped(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = next_work(rest.as_bytes()) {
        // `at` is the first byte of a character, so both parts are text.
        let (plain, tail) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let mut characters = tail.chars();
        let Some(character) = characters.next() else { return };
        escape(character, out);
        rest = characters.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Where the next byte that needs work stands. Eight bytes at a time are passed over while none of them can need it.
#[inline]
fn next_work(bytes: &[u8]) -> Option<usize> {
    let (words, _) = bytes.as_chunks::<8>();
    let plain = words.iter().take_while(|word| !may_need_work(u64::from_le_bytes(**word))).count() * 8;
    let rest = bytes.get(plain..).unwrap_or_default();
    rest.iter().position(|byte| WORK[usize::from(*byte)] != 0).map(|at| plain + at)
}

/// Whether a byte of the word is below 0x20, a quote, a backslash, or 0xf0 and above. Behind such a byte the answer may be
/// wrong for others (subtractions borrow), never for the first one.
#[inline]
fn may_need_work(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let control = below(word, 0x20);
    let quote = below(word ^ (ONES * 0x22), 1);
    let backslash = below(word ^ (ONES * 0x5c), 1);
    let four_bytes = word & word << 1 & word << 2 & word << 3;
    (control | quote | backslash | four_bytes) & HIGH != 0
}

#[cold]
fn escape(character: char, out: &mut Vec<u8>) {
    let code = u32::from(character);
    let short = u8::try_from(code).map_or(0, |byte| WORK[usize::from(byte)]);
    if code > 0xffff {
        let mut units = [0u16; 2];
        for unit in character.encode_utf16(&mut units) {
            write_unit(*unit, out);
        }
    } else if short > 2 {
        out.extend_from_slice(&[b'\\', short]);
    } else {
        write_unit(u16::try_from(code).unwrap_or(0), out);
    }
}

/// Appends `\uXXXX`.
fn write_unit(unit: u16, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\\u");
    for shift in [12, 8, 4, 0] {
        out.push(HEX[usize::from(unit >> shift & 0xf)]);
    }
}

/// The two letters of twelve bits in Base64, the first in the lower byte.
const LETTERS: [u16; 4096] = {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut pairs = [0; 4096];
    let mut bits = 0;
    while bits < pairs.len() {
        pairs[bits] = u16::from_le_bytes([ALPHABET[bits >> 6], ALPHABET[bits & 63]]);
        bits += 1;
    }
    pairs
};

/// The eight letters of six bytes, the first in the lowest byte.
#[inline]
fn letters([a, b, c, d, e, f]: [u8; 6]) -> u64 {
    let six = u64::from(u32::from_be_bytes([a, b, c, d])) << 16 | u64::from(u16::from_be_bytes([e, f]));
    let pair = |shift: u32| u64::from(LETTERS[(six >> shift & 0xfff) as usize]);
    pair(36) | pair(24) << 16 | pair(12) << 32 | pair(0) << 48
}

/// The letters of fewer than six bytes. One byte begins two letters, two begin three, and three are four; padding makes up
/// for the others.
#[inline]
fn last_letters(bytes: &[u8]) -> u64 {
    match *bytes {
        [] => 0,
        [a] => letters([a, 0, 0, 0, 0, 0]) & 0xffff | 0x3d3d_0000,
        [a, b] => letters([a, b, 0, 0, 0, 0]) & 0x00ff_ffff | 0x3d00_0000,
        [a, b, c] => letters([a, b, c, 0, 0, 0]),
        [a, b, c, d] => letters([a, b, c, d, 0, 0]) & 0xffff_ffff_ffff | 0x3d3d << 48,
        [a, b, c, d, e, ..] => letters([a, b, c, d, e, 0]) & 0x00ff_ffff_ffff_ffff | 0x3d << 56,
    }
}

/// Bytes whose letters are appended at once.
const BLOCK: usize = 36;

/// Appends bytes as a JSON string of standard Base64 (RFC 4648, section 4) with padding: six bytes at a time are eight
/// letters, two at a time. A block is appended whole, which needs no call, and what it has too much is cut off again.
#[inline]
pub fn write_base64(bytes: &[u8], out: &mut Vec<u8>) {
    if bytes.len() < 6 {
        let [a, b, c, d, e, f, g, h] = last_letters(bytes).to_le_bytes();
        let end = out.len() + bytes.len().div_ceil(3) * 4 + 1;
        out.extend_from_slice(&[b'"', a, b, c, d, e, f, g, h]);
        out.truncate(end);
        out.push(b'"');
        return;
    }
    let mut block = [[0; 8]; BLOCK / 6];
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    out.reserve((blocks.len() + 1) * block.as_flattened().len() + 2);
    out.push(b'"');
    for bytes in blocks {
        for (place, six) in block.iter_mut().zip(bytes.as_chunks::<6>().0) {
            *place = letters(*six).to_le_bytes();
        }
        out.extend_from_slice(block.as_flattened());
    }
    let (sixes, last) = rest.as_chunks::<6>();
    for (place, six) in block.iter_mut().zip(sixes) {
        *place = letters(*six).to_le_bytes();
    }
    if let Some(place) = block.get_mut(sixes.len()) {
        *place = last_letters(last).to_le_bytes();
    }
    let end = out.len() + rest.len().div_ceil(3) * 4;
    out.extend_from_slice(block.as_flattened());
    out.truncate(end);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    fn string(text: &str) -> String {
        let mut out = Vec::new();
        write_string(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// Texts that the reference published in the scenario types_char_utf8mb4.
    #[test]
    fn strings_are_spelled_as_jackson_does() {
        for (text, json) in [
            ("", r#""""#),
            ("é日本語", r#""é日本語""#),
            ("q'\"\\/", r#""q'\"\\/""#),
            ("it's \"x\" \\ \n", r#""it's \"x\" \\ \n""#),
            ("ü日😀", r#""ü日\uD83D\uDE00""#),
            ("\n\r\t\u{1a}\u{8}", r#""\n\r\t\u001A\b""#),
            ("\u{0}\u{b}\u{c}\u{1f}", r#""\u0000\u000B\f\u001F""#),
            ("`$<&>\u{7f}", "\"`$<&>\u{7f}\""),
            ("\u{10ffff}\u{ffff}", "\"\\uDBFF\\uDFFF\u{ffff}\""),
        ] {
            assert_eq!(string(text), json);
        }
    }

    /// Every byte that needs work, at every place of a word, and none that does not.
    #[test]
    fn words_are_searched_like_bytes() {
        for byte in 0..=0xffu8 {
            for place in 0..17 {
                let mut bytes = [b'a'; 17];
                bytes[place] = byte;
                let expected = (WORK[usize::from(byte)] != 0).then_some(place);
                assert_eq!(next_work(&bytes), expected, "{byte:#x} at {place}");
            }
        }
    }

    /// Every byte at every place of texts that go by bytes, by words, and by sixteen.
    #[test]
    fn plain_text_has_nothing_to_escape_and_is_ascii() {
        for length in [1, 7, 8, 9, 15, 16, 17, 33] {
            assert!(is_plain(&vec![b'a'; length]));
            for byte in 0..=0xffu8 {
                for place in 0..length {
                    let mut bytes = vec![b'a'; length];
                    bytes[place] = byte;
                    let plain = (0x20..0x80).contains(&byte) && byte != b'"' && byte != b'\\';
                    assert_eq!(is_plain(&bytes), plain, "{byte:#x} at {place} of {length}");
                }
            }
        }
        assert!(is_plain(b""));
    }

    /// Another implementation is the judge: each letter at each place, every length.
    #[test]
    fn base64_is_that_of_another_engine() {
        for value in 0..64u64 {
            let six = (0..8).fold(0, |six, _| six << 6 | value);
            let bytes = &six.to_be_bytes()[2..];
            let mut out = Vec::new();
            write_base64(bytes, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("\"{}\"", STANDARD.encode(bytes)));
        }
        for length in 0..100 {
            let bytes: Vec<u8> = (0..length).map(|index| (index * 97 + length * 31) as u8).collect();
            let mut out = Vec::new();
            write_base64(&bytes, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("\"{}\"", STANDARD.encode(&bytes)));
        }
    }

    #[test]
    fn bytes_are_base64() {
        for (bytes, json) in [
            (&b""[..], r#""""#),
            (b"\x00\xff\x00", r#""AP8A""#),
            (b"ab\x00\x00", r#""YWIAAA==""#),
            (b">>>???", r#""Pj4+Pz8/""#),
            (b"dyA", r#""ZHlB""#),
        ] {
            let mut out = Vec::new();
            write_base64(bytes, &mut out);
            assert_eq!(out, json.as_bytes());
        }
    }
}
