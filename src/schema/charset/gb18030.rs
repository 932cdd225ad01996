//! `gb18030`: ASCII, characters of two bytes, and all the rest of Unicode in four.
//!
//! The server has the edition of 2000, the Encoding Standard one of 2022: where characters have been given a place in
//! Unicode since, the server keeps those of private use. Measured as `double_byte` says.

use crate::schema::charset::double_byte::Plane;
use crate::schema::charset::in_ascii;

static PAIRS: Plane = Plane::new(
    encoding_rs::GB18030,
    |lead, trail| matches!((lead, trail), (0x81..=0xfe, 0x40..=0x7e | 0x80..=0xfe)),
    &[],
    &[
        (0xa3a0, "\u{e5e5}"),
        (0xa6d9, "\u{e78d}\u{e78e}\u{e78f}\u{e790}\u{e791}\u{e792}\u{e793}"),
        (0xa6ec, "\u{e794}\u{e795}"),
        (0xa6f3, "\u{e796}"),
        (0xfe59, "\u{e81e}"),
        (0xfe61, "\u{e826}"),
        (0xfe66, "\u{e82b}\u{e82c}"),
        (0xfe6d, "\u{e832}"),
        (0xfe7e, "\u{e843}"),
        (0xfe90, "\u{e854}"),
        (0xfea0, "\u{e864}"),
    ],
);

pub(super) fn append(bytes: &[u8], out: &mut String) {
    in_ascii(bytes, out, |first, rest| match *rest {
        [second @ (0x40..=0x7e | 0x80..=0xfe), ..] if is_lead(first) => (PAIRS.character(first, second), 2),
        [second @ 0x30..=0x39, third, fourth @ 0x30..=0x39, ..] if is_lead(first) && is_lead(third) => {
            (of_four([first, second, third, fourth]), 4)
        }
        _ => ('?', 1),
    });
}

fn is_lead(byte: u8) -> bool {
    matches!(byte, 0x81..=0xfe)
}

/// The standard's ranges are the server's.
fn of_four(bytes: [u8; 4]) -> char {
    let mut text = [0; 4];
    let mut decoder = encoding_rs::GB18030.new_decoder_without_bom_handling();
    let (_, _, written) = decoder.decode_to_utf8_without_replacement(&bytes, &mut text, true);
    let text = text.get(..written).and_then(|text| std::str::from_utf8(text).ok());
    text.and_then(|text| text.chars().next()).unwrap_or('?')
}
