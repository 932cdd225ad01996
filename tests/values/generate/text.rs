//! Text in every character set, and labels of ENUM and SET.
//!
//! A third of the values are characters that the set is made for, which the server converts from UTF-8; a third are bytes
//! by the set's own layout, among them such as stand for no character; the rest is ASCII with all that has to be escaped
//! somewhere.

use crate::generate::{Generator, hex_literal};
use crate::random::Random;
use crate::server::Version;

/// Ranges of code points that a set is made for; what it lacks, the server replaces by `?`.
fn script(charset: &str) -> &'static [(u32, u32)] {
    match charset {
        "greek" => &[(0x386, 0x3ce), (0xa0, 0xbd)],
        "hebrew" => &[(0x5d0, 0x5ea), (0xa0, 0xbe)],
        "cp1251" | "koi8r" | "koi8u" | "cp866" => &[(0x401, 0x45f), (0x490, 0x491), (0x2500, 0x2593)],
        "cp1256" => &[(0x621, 0x652), (0x6d2, 0x6d2), (0xe0, 0xfc)],
        "tis620" => &[(0xe01, 0xe3a), (0xe3f, 0xe5b)],
        "armscii8" => &[(0x531, 0x556), (0x561, 0x587)],
        "geostd8" => &[(0x10d0, 0x10f6)],
        "big5" | "gb2312" | "gbk" => &[(0x4e00, 0x9fa5), (0x3000, 0x3017), (0xff01, 0xff5e)],
        "sjis" | "cp932" | "ujis" | "eucjpms" => &[
            (0x3041, 0x3093),
            (0x30a1, 0x30f6),
            (0x4e00, 0x9fa5),
            (0xff61, 0xff9f),
            (0x2460, 0x2473),
            (0xff01, 0xff5e),
        ],
        "euckr" => &[(0xac00, 0xd7a3), (0x3131, 0x318e), (0x4e00, 0x9fa5)],
        "utf8mb4" | "utf16" | "utf16le" | "utf32" | "gb18030" => {
            &[(0x80, 0x7ff), (0x800, 0xd7ff), (0xe000, 0xffff), (0x10000, 0x10ffff), (0x1f600, 0x1f64f)]
        }
        "utf8mb3" | "utf8" | "ucs2" => &[(0x80, 0x7ff), (0x800, 0xd7ff), (0xe000, 0xffff)],
        "ascii" => &[(0x20, 0x7e)],
        _ => &[(0xa0, 0x17e), (0x2013, 0x203a), (0x20ac, 0x20ac), (0x2500, 0x2593)],
    }
}

/// Characters that labels and defaults in a set may be made of: ASCII, and some of the set's script.
pub fn candidates(charset: &str) -> Vec<char> {
    let of_script = script(charset).iter().flat_map(|(from, to)| {
        let step = ((to - from) / 40).max(1) as usize;
        (*from..=*to).step_by(step)
    });
    let ascii = [0x09, 0x0a].into_iter().chain(0x20..0x7f);
    ascii.chain(of_script).filter_map(char::from_u32).collect()
}

/// A character of a set's script.
fn letter(random: &mut Random, charset: &str) -> char {
    let ranges = script(charset);
    let (from, to) = ranges[random.below(ranges.len())];
    char::from_u32(from + random.below((to - from + 1) as usize) as u32).unwrap_or('x')
}

/// One character's bytes by the layout of a set, whether it stands for a character or not.
fn layout(random: &mut Random, charset: &str, out: &mut Vec<u8>) {
    let mut from = |random: &mut Random, ranges: &[(u8, u8)]| {
        let (from, to) = ranges[random.below(ranges.len())];
        out.push(from + random.below(usize::from(to - from) + 1) as u8);
    };
    let ascii = random.chance(15);
    match charset {
        "sjis" | "cp932" => match random.below(6) {
            0 => from(random, &[(0xa1, 0xdf)]),
            1 => from(random, &[(0x20, 0x7e)]),
            _ => {
                from(random, &[(0x81, 0x9f), (0xe0, 0xfc)]);
                from(random, &[(0x40, 0x7e), (0x80, 0xfc)]);
            }
        },
        "ujis" | "eucjpms" => match random.below(8) {
            0 => from(random, &[(0x20, 0x7e)]),
            1 => {
                from(random, &[(0x8e, 0x8e)]);
                from(random, &[(0xa1, 0xdf)]);
            }
            2 | 3 => {
                from(random, &[(0x8f, 0x8f)]);
                from(random, &[(0xa1, 0xfe)]);
                from(random, &[(0xa1, 0xfe)]);
            }
            _ => {
                from(random, &[(0xa1, 0xfe)]);
                from(random, &[(0xa1, 0xfe)]);
            }
        },
        "big5" | "gbk" | "euckr" | "gb2312" | "gb18030" if ascii => from(random, &[(0x20, 0x7e)]),
        "euckr" => {
            from(random, &[(0x81, 0xfe)]);
            from(random, &[(0x41, 0x5a), (0x61, 0x7a), (0x81, 0xfe)]);
        }
        "gb2312" => {
            from(random, &[(0xa1, 0xf7)]);
            from(random, &[(0xa1, 0xfe)]);
        }
        "big5" => {
            from(random, &[(0xa1, 0xf9)]);
            from(random, &[(0x40, 0x7e), (0xa1, 0xfe)]);
        }
        "gb18030" if random.chance(40) => {
            for _ in 0..2 {
                from(random, &[(0x81, 0xfe), (0x81, 0x84), (0x90, 0xe3)]);
                from(random, &[(0x30, 0x39)]);
            }
        }
        "gbk" | "gb18030" => {
            from(random, &[(0x81, 0xfe)]);
            from(random, &[(0x40, 0x7e), (0x80, 0xfe)]);
        }
        // Half a surrogate pair is a character of this set.
        "ucs2" => out.extend_from_slice(&(random.next() as u16 % 0xd800).to_be_bytes()),
        "utf16" | "utf16le" => {
            let mut units = [0; 2];
            for unit in letter(random, charset).encode_utf16(&mut units) {
                out.extend_from_slice(&if charset == "utf16" {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                });
            }
        }
        "utf32" => out.extend_from_slice(&(letter(random, charset) as u32).to_be_bytes()),
        "utf8mb4" | "utf8mb3" | "utf8" => {
            out.extend_from_slice(letter(random, charset).encode_utf8(&mut [0; 4]).as_bytes());
        }
        "ascii" => out.push(random.below(0x80) as u8),
        // 7f to 9f are control characters, but not for the collation latin2_czech_cs, and no schema tells it from others.
        "latin2" if ascii => out.push(random.below(0x7f) as u8),
        _ if ascii => out.push(random.below(0x80) as u8),
        "latin2" => out.push(0xa0 + random.below(0x60) as u8),
        _ => out.push(0x80 + random.below(0x80) as u8),
    }
}

impl Generator<'_> {
    pub(super) fn text(&mut self, charset: &str, most: usize) -> String {
        let most = most.min(self.longest());
        let length = self.random.length(most);
        match self.random.below(9) {
            0..3 => {
                let mut bytes = Vec::new();
                for _ in 0..length {
                    layout(&mut self.random, charset, &mut bytes);
                }
                hex_literal(&bytes)
            }
            3..6 => {
                let text: String = (0..length).map(|_| letter(&mut self.random, charset)).collect();
                format!("_utf8mb4 {}", hex_literal(text.as_bytes()))
            }
            6 => {
                let text: String = (0..length)
                    .map(|_| match self.random.below(5) {
                        0 => {
                            ['"', '\\', '\'', '\0', '\n', '\t', '\r', '\u{1a}', '\u{1f}', '\u{7f}', ',', '%']
                                [self.random.below(12)]
                        }
                        1 => letter(&mut self.random, charset),
                        _ => char::from(b' ' + self.random.below(95) as u8),
                    })
                    .collect();
                format!("_utf8mb4 {}", hex_literal(text.as_bytes()))
            }
            7 => quote(&format!("{}{}", "a".repeat(length.saturating_sub(2)), " ".repeat(length.min(2)))),
            _ => quote(&format!("{}", self.random.between(-1_000_000, 1_000_000))),
        }
    }

    pub(super) fn label(&mut self, labels: &[String]) -> String {
        match self.random.below(12) {
            // The number of the invalid value, which reads as an empty text.
            0 => "0".to_owned(),
            1 => "'no such label'".to_owned(),
            2 => labels.len().to_string(),
            _ => format!("{}", 1 + self.random.below(labels.len())),
        }
    }

    pub(super) fn labels(&mut self, labels: &[String]) -> String {
        let all = if labels.len() >= 64 { u64::MAX } else { (1 << labels.len()) - 1 };
        match self.random.below(6) {
            0 => "''".to_owned(),
            1 => all.to_string(),
            2 => (1u64 << (labels.len() - 1)).to_string(),
            _ => (self.random.next() & all).to_string(),
        }
    }

    /// Labels that differ in any collation.
    pub(super) fn label_list(&mut self, charset: &str, count: usize, commas: bool) -> Vec<String> {
        let mut labels = Vec::new();
        for place in 0..count {
            let length = self.random.below(4);
            let mut label: String = (0..length).map(|_| self.label_character(charset, commas)).collect();
            label.push_str(&place.to_string());
            labels.push(label);
        }
        if self.random.chance(10) {
            let at = self.random.below(count);
            labels[at] = String::new();
        }
        labels
    }

    fn label_character(&mut self, charset: &str, commas: bool) -> char {
        let odd = ['\'', '"', '\\', '%', '_', '(', ')', '`', ' ', '\t', '\n', '?', ';', ','];
        let characters = self.server.charset(charset).map_or(&[] as &[char], |found| &found.characters);
        let character = match self.random.below(6) {
            0 => odd[self.random.below(odd.len() - usize::from(!commas))],
            1 | 2 => characters[self.random.below(characters.len())],
            _ => char::from(b'A' + self.random.below(26) as u8),
        };
        // Before 9.7 nothing tells the label of a table without rows.
        let too_far =
            u32::from(character) > 0xffff && !self.streamed && self.server.version < Version::MySql97;
        let known = characters.contains(&character) && (commas || character != ',');
        if known && !too_far { character } else { 'x' }
    }

    /// Text for a default of a column in a set.
    pub(super) fn default_text(&mut self, charset: &str, most: usize) -> String {
        let length = self.random.length(most.min(8));
        (0..length).map(|_| self.label_character(charset, true)).collect()
    }
}

/// A string literal.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("'");
    for character in text.chars() {
        match character {
            '\'' => quoted.push_str("''"),
            '\\' => quoted.push_str("\\\\"),
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    quoted
}
