//! Character sets: text as the server stores it, to UTF-8.
//!
//! A row in the binlog has text in its column's character set, a statement in its client's; a snapshot has it as the
//! server converts it to utf8mb4. So that both paths give the same, every set is decoded as the server does it: `?` for
//! what is no character, and its own table where Java or the Encoding Standard have another one.
//!
//! | file | sets | whence |
//! |---|---|---|
//! | `single_byte`, `swe7` | one byte a character | the server's tables |
//! | `double_byte` | big5, cp932, euckr, gb2312, gbk, sjis | the Encoding Standard (`encoding_rs`), and where the server differs |
//! | `euc_japanese` | eucjpms, ujis | the same |
//! | `gb18030` | gb18030 | the same |
//! | `unicode` | ucs2, utf16, utf16le, utf32, utf8mb3, utf8mb4 | Unicode |
//!
//! `tests/integration/charsets.rs` compares every character of every set with live servers. What a server lets nobody
//! store (half a character, a lead byte before ASCII) reads `?` too, one a byte. Of the ASCII sets, text that is ASCII is
//! not copied; nothing allocates but the tables of the two-byte sets, which are made once, when a set is first met.
//! Manual: "Supported Character Sets and Collations".

pub mod collation;
mod double_byte;
mod euc_japanese;
mod gb18030;
mod single_byte;
mod swe7;
mod unicode;

use std::borrow::Cow;

use crate::schema::charset::double_byte::DoubleByte;
use crate::schema::charset::euc_japanese::EucJapanese;
use crate::schema::charset::single_byte::Upper;

/// What a lost character reads as: a surrogate, which no Unicode text can hold, or what is no UTF-8.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// A character set of the server.
#[derive(Clone, Copy, Debug)]
pub struct Charset(Encoding);

/// How the bytes of a set are read.
#[derive(Clone, Copy, Debug)]
enum Encoding {
    Utf8mb4,
    Utf8mb3,
    Ascii,
    Binary,
    SingleByte(&'static Upper),
    Swe7,
    DoubleByte(&'static DoubleByte),
    EucJapanese(&'static EucJapanese),
    Gb18030,
    Ucs2,
    Utf16,
    Utf16Le,
    Utf32,
}

impl Charset {
    /// The set of UTF-8 text, of JSON, and of result sets.
    pub const UTF8MB4: Charset = Charset(Encoding::Utf8mb4);

    /// The character set of a name, in any case: each that `SHOW CHARACTER SET` of MySQL 5.7 to 9.7 and MariaDB lists.
    /// `binary` has a character of the same number for each byte, as Debezium publishes a streamed column of
    /// `VARCHAR(9) CHARACTER SET binary` (the server makes a VARBINARY of it, and so it is in a snapshot).
    ///
    /// ```
    /// use tidewire::schema::charset::Charset;
    /// let set = Charset::named("KOI8R").unwrap();
    /// assert_eq!(set.decode(b"\xf0\xd2\xc9", &mut Vec::new()), "При");
    /// assert!(Charset::named("klingon").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        use single_byte as single;
        Some(Charset(match name.to_ascii_lowercase().as_str() {
            "utf8mb4" => Encoding::Utf8mb4,
            "binary" => Encoding::Binary,
            "utf8mb3" | "utf8" => Encoding::Utf8mb3,
            "ascii" => Encoding::Ascii,
            "armscii8" => Encoding::SingleByte(single::ARMSCII8),
            "cp1250" => Encoding::SingleByte(single::CP1250),
            "cp1251" => Encoding::SingleByte(single::CP1251),
            "cp1256" => Encoding::SingleByte(single::CP1256),
            "cp1257" => Encoding::SingleByte(single::CP1257),
            "cp850" => Encoding::SingleByte(single::CP850),
            "cp852" => Encoding::SingleByte(single::CP852),
            "cp866" => Encoding::SingleByte(single::CP866),
            "dec8" => Encoding::SingleByte(single::DEC8),
            "geostd8" => Encoding::SingleByte(single::GEOSTD8),
            "greek" => Encoding::SingleByte(single::GREEK),
            "hebrew" => Encoding::SingleByte(single::HEBREW),
            "hp8" => Encoding::SingleByte(single::HP8),
            "keybcs2" => Encoding::SingleByte(single::KEYBCS2),
            "koi8r" => Encoding::SingleByte(single::KOI8R),
            "koi8u" => Encoding::SingleByte(single::KOI8U),
            "latin1" => Encoding::SingleByte(single::LATIN1),
            "latin2" => Encoding::SingleByte(single::LATIN2),
            "latin5" => Encoding::SingleByte(single::LATIN5),
            "latin7" => Encoding::SingleByte(single::LATIN7),
            "macce" => Encoding::SingleByte(single::MACCE),
            "macroman" => Encoding::SingleByte(single::MACROMAN),
            "tis620" => Encoding::SingleByte(single::TIS620),
            "swe7" => Encoding::Swe7,
            "big5" => Encoding::DoubleByte(&double_byte::BIG5),
            "cp932" => Encoding::DoubleByte(&double_byte::CP932),
            "euckr" => Encoding::DoubleByte(&double_byte::EUCKR),
            "gb2312" => Encoding::DoubleByte(&double_byte::GB2312),
            "gbk" => Encoding::DoubleByte(&double_byte::GBK),
            "sjis" => Encoding::DoubleByte(&double_byte::SJIS),
            "eucjpms" => Encoding::EucJapanese(&euc_japanese::EUCJPMS),
            "ujis" => Encoding::EucJapanese(&euc_japanese::UJIS),
            "gb18030" => Encoding::Gb18030,
            "ucs2" => Encoding::Ucs2,
            "utf16" => Encoding::Utf16,
            "utf16le" => Encoding::Utf16Le,
            "utf32" => Encoding::Utf32,
            _ => return None,
        }))
    }

    /// The set of a client's statements, from its `character_set_client` as status variables of QUERY events have it: the
    /// number of a collation. Of a client with `SET NAMES binary` the server reads names and comments as UTF-8.
    pub fn of_client(collation: u16) -> Option<Self> {
        match collation::charset_of_collation_id(collation)? {
            "binary" => Some(Self::UTF8MB4),
            name => Self::named(name),
        }
    }

    /// Whether bytes below 0x80 are ASCII wherever they stand, so that a text of nothing else needs no decoding.
    pub fn holds_ascii(self) -> bool {
        !matches!(
            self.0,
            Encoding::Swe7 | Encoding::Ucs2 | Encoding::Utf16 | Encoding::Utf16Le | Encoding::Utf32
        )
    }

    /// The text of stored bytes: a view of them where they are UTF-8 already, else made in the buffer, whose content
    /// before means nothing.
    #[inline]
    pub fn decode<'a>(self, bytes: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a str {
        if let Some(view) = self.view(bytes) {
            return view;
        }
        scratch.clear();
        // An empty buffer is UTF-8, so this moves it and no more.
        let mut text = String::from_utf8(std::mem::take(scratch)).unwrap_or_default();
        self.append(bytes, &mut text);
        *scratch = text.into_bytes();
        std::str::from_utf8(scratch).unwrap_or_default()
    }

    /// The same for whoever keeps the text.
    pub fn text(self, bytes: &[u8]) -> Cow<'_, str> {
        match self.view(bytes) {
            Some(view) => Cow::Borrowed(view),
            None => {
                let mut text = String::new();
                self.append(bytes, &mut text);
                Cow::Owned(text)
            }
        }
    }

    /// The text of a literal of bytes, such as `x'61'`: the server puts zeros in front of an incomplete character.
    /// Manual: "Hexadecimal Literals".
    pub fn text_of_literal(self, bytes: &[u8]) -> String {
        let unit = match self.0 {
            Encoding::Ucs2 | Encoding::Utf16 | Encoding::Utf16Le => 2,
            Encoding::Utf32 => 4,
            _ => 1,
        };
        let mut padded = vec![0; bytes.len().next_multiple_of(unit) - bytes.len()];
        padded.extend_from_slice(bytes);
        self.text(&padded).into_owned()
    }

    /// The bytes of a text; none where it has a character of more than two bytes in a set other than Unicode's, or one that
    /// the set does not have. It searches, so it is for literals of statements only.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        if matches!(self.0, Encoding::Utf8mb4 | Encoding::Utf8mb3) || self.holds_ascii() && text.is_ascii() {
            return Some(text.as_bytes().to_vec());
        }
        match self.0 {
            Encoding::Ucs2 | Encoding::Utf16 => {
                return Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
            }
            Encoding::Utf16Le => return Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            Encoding::Utf32 => {
                return Some(text.chars().flat_map(|one| u32::from(one).to_be_bytes()).collect());
            }
            _ => {}
        }
        let mut out = Vec::with_capacity(text.len());
        for character in text.chars() {
            let mut utf8 = [0; 4];
            let wanted: &str = character.encode_utf8(&mut utf8);
            if let Some(byte) = (0..=u8::MAX).find(|byte| self.text(&[*byte]) == wanted) {
                out.push(byte);
            } else {
                let pair = (0x8000..=u16::MAX).map(u16::to_be_bytes).find(|pair| self.text(pair) == wanted);
                out.extend(pair?);
            }
        }
        Some(out)
    }

    #[inline]
    fn view(self, bytes: &[u8]) -> Option<&str> {
        match self.0 {
            Encoding::Utf8mb4 => std::str::from_utf8(bytes).ok(),
            Encoding::Utf8mb3 => unicode::utf8mb3(bytes),
            _ if self.holds_ascii() && bytes.is_ascii() => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    fn append(self, bytes: &[u8], out: &mut String) {
        match self.0 {
            Encoding::Utf8mb4 => unicode::append_utf8mb4(bytes, out),
            Encoding::Utf8mb3 => unicode::append_utf8mb3(bytes, out),
            Encoding::Ascii => in_ascii(bytes, out, |_, _| ('?', 1)),
            Encoding::Binary => in_ascii(bytes, out, |byte, _| (char::from(byte), 1)),
            Encoding::SingleByte(upper) => in_ascii(bytes, out, |byte, _| {
                let code = upper.get(usize::from(byte & 0x7f)).copied();
                (code.and_then(|code| char::from_u32(code.into())).unwrap_or('?'), 1)
            }),
            Encoding::Swe7 => out.extend(bytes.iter().map(|byte| swe7::character(*byte))),
            Encoding::DoubleByte(set) => set.append(bytes, out),
            Encoding::EucJapanese(set) => set.append(bytes, out),
            Encoding::Gb18030 => gb18030::append(bytes, out),
            Encoding::Ucs2 => unicode::append_ucs2(bytes, out),
            Encoding::Utf16 => unicode::append_utf16(bytes, u16::from_be_bytes, out),
            Encoding::Utf16Le => unicode::append_utf16(bytes, u16::from_le_bytes, out),
            Encoding::Utf32 => unicode::append_utf32(bytes, out),
        }
    }
}

/// Copies runs of ASCII and asks for everything else: `character` gets a byte from 0x80 on and what follows it, and gives
/// the character with its length, which is at least 1.
#[inline]
fn in_ascii(bytes: &[u8], out: &mut String, character: impl Fn(u8, &[u8]) -> (char, usize)) {
    let mut rest = bytes;
    loop {
        let (ascii, others) = split_ascii(rest);
        out.push_str(ascii);
        rest = others;
        // Text of one script has more than one such character in a row.
        loop {
            let Some((&first, after)) = rest.split_first() else { return };
            if first.is_ascii() {
                break;
            }
            let (character, length) = character(first, after);
            out.push(character);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

/// The ASCII in front, and the rest.
fn split_ascii(bytes: &[u8]) -> (&str, &[u8]) {
    let blocks = bytes.chunks_exact(16).take_while(|block| block.is_ascii()).count();
    let (sure, rest) = bytes.split_at_checked(blocks * 16).unwrap_or((bytes, &[]));
    let length = sure.len() + rest.iter().take_while(|byte| byte.is_ascii()).count();
    let (ascii, rest) = bytes.split_at_checked(length).unwrap_or((bytes, &[]));
    (std::str::from_utf8(ascii).unwrap_or_default(), rest)
}

#[cfg(test)]
mod tests;
