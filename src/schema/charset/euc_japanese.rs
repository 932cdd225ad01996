//! `ujis` and `eucjpms`: EUC-JP.
//!
//! Two bytes from 0xa1 on are JIS X 0208, behind 0x8f they are JIS X 0212, and one behind 0x8e is a katakana of half width.
//! `ujis` is the old one: no rows of NEC, its own wave dash, minus and signs, 0xa1c0 is a backslash. `eucjpms` is that of
//! Windows. Both have private use characters in the last ten rows of each plane, which the Encoding Standard has not.
//! Measured as `double_byte` says.

use crate::schema::charset::double_byte::{Plane, half_width_katakana};
use crate::schema::charset::in_ascii;

/// A set of ASCII, half-width katakana, and two planes.
#[derive(Debug)]
pub(super) struct EucJapanese {
    jis_x_0208: Plane,
    jis_x_0212: Plane,
}

impl EucJapanese {
    pub fn append(&self, bytes: &[u8], out: &mut String) {
        in_ascii(bytes, out, |lead, rest| match (lead, rest) {
            (0x8e, [kana @ 0xa1..=0xdf, ..]) => (half_width_katakana(*kana), 2),
            (0x8f, [row, cell, ..]) if is_pair(*row, *cell) => (self.jis_x_0212.character(*row, *cell), 3),
            (row, [cell, ..]) if is_pair(row, *cell) => (self.jis_x_0208.character(row, *cell), 2),
            _ => ('?', 1),
        });
    }
}

fn is_pair(row: u8, cell: u8) -> bool {
    matches!((row, cell), (0xa1..=0xfe, 0xa1..=0xfe))
}

const fn plane(
    holes: &'static [(u16, u16)],
    characters: &'static [(u16, &'static str)],
    user_defined: &'static [(u16, u16, u16)],
) -> Plane {
    Plane::new(encoding_rs::EUC_JP, is_pair, holes, characters).with_user_defined(user_defined)
}

pub(super) static UJIS: EucJapanese = EucJapanese {
    jis_x_0208: plane(
        &[(0xada1, 0xadbe), (0xadc0, 0xadd6), (0xaddf, 0xadfc)],
        &[(0xa1c0, "\\〜‖"), (0xa1dd, "−"), (0xa1f1, "¢£"), (0xa2cc, "¬")],
        &[(0xf5a1, 0xfefe, 0xe000)],
    ),
    jis_x_0212: plane(&[], &[(0xa2b7, "~")], &[(0xf5a1, 0xfefe, 0xe3ac)]).behind(&[0x8f]),
};

pub(super) static EUCJPMS: EucJapanese = EucJapanese {
    jis_x_0208: plane(&[], &[], &[(0xf5a1, 0xfefe, 0xe000)]),
    jis_x_0212: plane(
        &[],
        // IBM's extension.
        &[
            (0xa2c3, "￤"),
            (0xf3f3, "ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅠⅡ"),
            (0xf4a1, "ⅢⅣⅤⅥⅦⅧⅨⅩ＇＂㈱№℡炻仼僴凬匇匤﨎咊坙﨏塚增寬峵嵓﨑德悅愠"),
            (0xf4c1, "敎昻晥晴朗栁﨓﨔橫櫢淸淲瀨凞猪甁皂皞益礰礼神祥福竧靖精綠緖羽荢﨟"),
            (0xf4e1, "薰蘒﨡蠇諸譿賴赶﨣﨤逸郞都鄕﨧﨨閒隆﨩霻靍靑飯飼館馞髙魲鶴黑"),
        ],
        &[(0xf5a1, 0xfefe, 0xe3ac)],
    )
    .behind(&[0x8f]),
};
