//! The sets of East Asia: ASCII, and characters of two bytes.
//!
//! The Encoding Standard has all of them, but not always with the server's characters. A plane is a table of all pairs of
//! a set: the standard's characters (`encoding_rs`), less those that the server does not have (`holes`: they read `?`),
//! with the server's own where it has others (`characters`). It is made when the first text of the set comes: 64 kB,
//! some milliseconds.
//!
//! The differences were measured: all pairs of bytes were inserted into a column of each set, and what the server
//! stored was read by a connection of utf8mb4 (`tests/integration/charsets.rs` does it again). MySQL 9.7, 8.0, 5.7 and
//! MariaDB 10.11 convert all of them alike.

use std::sync::OnceLock;

use encoding_rs::{EUC_KR, Encoding, GBK as GBK_STANDARD, SHIFT_JIS};

use crate::schema::charset::in_ascii;

/// The characters of all pairs of bytes behind a prefix.
#[derive(Debug)]
pub(super) struct Plane {
    encoding: &'static Encoding,
    /// What stands in front of each pair: nothing, or 0x8f.
    prefix: &'static [u8],
    /// Whether two bytes are a pair, with a character or without.
    is_pair: fn(u8, u8) -> bool,
    /// First and last pair of what is no character to the server.
    holes: &'static [(u16, u16)],
    /// From a pair on, in the order of pairs: what the server has instead.
    characters: &'static [(u16, &'static str)],
    /// First and last pair, and the first of the private use characters that they are.
    user_defined: &'static [(u16, u16, u16)],
    /// The character of each pair from 0x8000 on; 0 is none.
    table: OnceLock<Box<[u16]>>,
}

impl Plane {
    /// A plane without a prefix and without private use characters.
    pub const fn new(
        encoding: &'static Encoding,
        is_pair: fn(u8, u8) -> bool,
        holes: &'static [(u16, u16)],
        characters: &'static [(u16, &'static str)],
    ) -> Self {
        Plane { encoding, prefix: &[], is_pair, holes, characters, user_defined: &[], table: OnceLock::new() }
    }

    /// The same behind a prefix.
    pub const fn behind(mut self, prefix: &'static [u8]) -> Self {
        self.prefix = prefix;
        self
    }

    /// The same with private use characters.
    pub const fn with_user_defined(mut self, pairs: &'static [(u16, u16, u16)]) -> Self {
        self.user_defined = pairs;
        self
    }

    /// The character of a pair; `?` when it has none.
    #[inline]
    pub fn character(&self, lead: u8, trail: u8) -> char {
        let table = self.table.get_or_init(|| self.make_table());
        let code = table.get(usize::from(lead & 0x7f) << 8 | usize::from(trail)).copied();
        code.filter(|code| *code != 0).and_then(|code| char::from_u32(code.into())).unwrap_or('?')
    }

    fn make_table(&self) -> Box<[u16]> {
        let mut table = vec![0; 0x8000].into_boxed_slice();
        let pairs: Vec<u16> = (0x8000..=0xffff_u16)
            .filter(|pair| {
                let [lead, trail] = pair.to_be_bytes();
                (self.is_pair)(lead, trail)
            })
            .collect();
        let mut set = |pair: u16, code: u16| {
            if let Some(entry) = table.get_mut(usize::from(pair & 0x7fff)) {
                *entry = code;
            }
        };
        for &pair in &pairs {
            if !self.holes.iter().any(|(first, last)| (*first..=*last).contains(&pair)) {
                set(pair, self.in_the_standard(pair).unwrap_or(0));
            }
        }
        let from = |first: u16| pairs.iter().copied().skip_while(move |pair| *pair < first);
        for (first, text) in self.characters {
            for (pair, code) in from(*first).zip(text.encode_utf16()) {
                set(pair, code);
            }
        }
        for (first, last, code) in self.user_defined {
            for (pair, code) in from(*first).take_while(|pair| pair <= last).zip(*code..) {
                set(pair, code);
            }
        }
        table
    }

    fn in_the_standard(&self, pair: u16) -> Option<u16> {
        let mut bytes = [0; 3];
        let length = self.prefix.len() + 2;
        let all = self.prefix.iter().copied().chain(pair.to_be_bytes());
        bytes.iter_mut().zip(all).for_each(|(to, byte)| *to = byte);
        let text = self.encoding.decode_without_bom_handling_and_without_replacement(bytes.get(..length)?)?;
        let mut characters = text.chars();
        let character = characters.next().filter(|_| characters.next().is_none())?;
        u16::try_from(u32::from(character)).ok()
    }
}

/// A set of ASCII and pairs.
#[derive(Debug)]
pub(super) struct DoubleByte {
    plane: Plane,
    /// 0xa1 to 0xdf are the katakana of half width.
    half_width: bool,
}

impl DoubleByte {
    pub fn append(&self, bytes: &[u8], out: &mut String) {
        in_ascii(bytes, out, |lead, rest| match rest.first() {
            _ if self.half_width && matches!(lead, 0xa1..=0xdf) => (half_width_katakana(lead), 1),
            Some(&trail) if (self.plane.is_pair)(lead, trail) => (self.plane.character(lead, trail), 2),
            _ => ('?', 1),
        });
    }
}

/// U+FF61 to U+FF9F for 0xa1 to 0xdf.
pub(super) fn half_width_katakana(byte: u8) -> char {
    char::from_u32(0xff61 - 0xa1 + u32::from(byte)).unwrap_or('?')
}

pub(super) static BIG5: DoubleByte = DoubleByte {
    half_width: false,
    plane: Plane::new(
        encoding_rs::BIG5,
        |lead, trail| matches!((lead, trail), (0xa1..=0xf9, 0x40..=0x7e | 0xa1..=0xfe)),
        &[(0xa3c0, 0xa3e1), (0xc7fd, 0xc8a4), (0xc8cd, 0xc8f1), (0xc8f5, 0xc8fe), (0xf9dd, 0xf9fe)],
        // Row 0xc6a1 and on are kana and Cyrillic, as in the extension of ETEN but at other places than the standard's.
        &[
            (0xa145, "•"),
            (0xa14e, "､"),
            (0xa15a, "\u{fffd}"),
            (0xa1c2, "‾\u{fffd}"),
            (0xa1c5, "\u{fffd}"),
            (0xa1e3, "∼"),
            (0xa1f2, "♁☉"),
            (0xa1fe, "\u{fffd}\u{fffd}／＼"),
            (0xa244, "¥"),
            (0xa246, "¢£"),
            (0xa2cc, "\u{fffd}"),
            (0xa2ce, "\u{fffd}"),
            (
                0xc6a1,
                "ヾゝゞ々ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんァアィイゥウェ",
            ),
            (
                0xc740,
                "エォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユ",
            ),
            (
                0xc7a1,
                "ョヨラリルレロヮワヰヱヲンヴヵヶДЕЁЖЗИЙКЛМУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя①②③④⑤⑥⑦⑧⑨⑩⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽",
            ),
        ],
    ),
};

pub(super) static CP932: DoubleByte =
    DoubleByte { half_width: true, plane: Plane::new(SHIFT_JIS, is_shift_jis, &[], &[]) };

pub(super) static EUCKR: DoubleByte = DoubleByte {
    half_width: false,
    plane: Plane::new(
        EUC_KR,
        |lead, trail| matches!((lead, trail), (0x81..=0xfe, 0x41..=0x5a | 0x61..=0x7a | 0x81..=0xfe)),
        &[],
        &[],
    ),
};

pub(super) static GB2312: DoubleByte = DoubleByte {
    half_width: false,
    plane: Plane::new(
        GBK_STANDARD,
        |lead, trail| matches!((lead, trail), (0xa1..=0xf7, 0xa1..=0xfe)),
        &[
            (0xa2a1, 0xa2b0),
            (0xa2e3, 0xa2e4),
            (0xa2ef, 0xa2f0),
            (0xa2fd, 0xa2fe),
            (0xa4f4, 0xa4fe),
            (0xa5f7, 0xa5fe),
            (0xa6b9, 0xa6c0),
            (0xa6d9, 0xa6fe),
            (0xa7c2, 0xa7d0),
            (0xa7f2, 0xa7fe),
            (0xa8bb, 0xa8c4),
            (0xa8ea, 0xa9a3),
            (0xa9f0, 0xaffe),
            (0xd7fa, 0xd7fe),
        ],
        &[(0xa1a4, "・"), (0xa1aa, "―")],
    ),
};

/// Without the private use characters and the later additions of GB 18030.
pub(super) static GBK: DoubleByte = DoubleByte {
    half_width: false,
    plane: Plane::new(
        GBK_STANDARD,
        |lead, trail| matches!((lead, trail), (0x81..=0xfe, 0x40..=0x7e | 0x80..=0xfe)),
        &[
            (0xa140, 0xa1a0),
            (0xa240, 0xa2a0),
            (0xa2ab, 0xa2b0),
            (0xa2e3, 0xa2e4),
            (0xa2ef, 0xa2f0),
            (0xa2fd, 0xa3a0),
            (0xa440, 0xa4a0),
            (0xa4f4, 0xa5a0),
            (0xa5f7, 0xa6a0),
            (0xa6b9, 0xa6c0),
            (0xa6d9, 0xa6df),
            (0xa6ec, 0xa6ed),
            (0xa6f3, 0xa6f3),
            (0xa6f6, 0xa7a0),
            (0xa7c2, 0xa7d0),
            (0xa7f2, 0xa7fe),
            (0xa896, 0xa8a0),
            (0xa8bc, 0xa8bc),
            (0xa8bf, 0xa8bf),
            (0xa8c1, 0xa8c4),
            (0xa8ea, 0xa8fe),
            (0xa958, 0xa958),
            (0xa95b, 0xa95b),
            (0xa95d, 0xa95f),
            (0xa989, 0xa995),
            (0xa997, 0xa9a3),
            (0xa9f0, 0xa9fe),
            (0xaaa1, 0xaafe),
            (0xaba1, 0xabfe),
            (0xaca1, 0xacfe),
            (0xada1, 0xadfe),
            (0xaea1, 0xaefe),
            (0xafa1, 0xaffe),
            (0xd7fa, 0xd7fe),
            (0xf8a1, 0xf8fe),
            (0xf9a1, 0xf9fe),
            (0xfaa1, 0xfafe),
            (0xfba1, 0xfbfe),
            (0xfca1, 0xfcfe),
            (0xfda1, 0xfdfe),
            (0xfe50, 0xfefe),
        ],
        &[],
    ),
};

/// JIS X 0208 without the rows of NEC and IBM, and with its own wave dash, minus and signs; 0x815f is a backslash.
pub(super) static SJIS: DoubleByte = DoubleByte {
    half_width: true,
    plane: Plane::new(
        SHIFT_JIS,
        is_shift_jis,
        &[
            (0x8740, 0x875d),
            (0x875f, 0x8775),
            (0x877e, 0x879c),
            (0xed40, 0xeeec),
            (0xeeef, 0xeefc),
            (0xf040, 0xfc4b),
        ],
        &[(0x815f, "\\〜‖"), (0x817c, "−"), (0x8191, "¢£"), (0x81ca, "¬")],
    ),
};

fn is_shift_jis(lead: u8, trail: u8) -> bool {
    matches!((lead, trail), (0x81..=0x9f | 0xe0..=0xfc, 0x40..=0x7e | 0x80..=0xfc))
}
