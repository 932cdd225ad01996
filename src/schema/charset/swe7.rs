//! `swe7`: ASCII with Swedish letters in the places of brackets and braces, and nothing above 0x7e. The only set of one
//! byte a character whose lower half is not ASCII. As the server converts it (see `single_byte`).

/// The character of a byte; `?` where there is none.
pub(super) fn character(byte: u8) -> char {
    match byte {
        b'@' => 'É',
        b'[' => 'Ä',
        b'\\' => 'Ö',
        b']' => 'Å',
        b'^' => 'Ü',
        b'`' => 'é',
        b'{' => 'ä',
        b'|' => 'ö',
        b'}' => 'å',
        b'~' => 'ü',
        0x7f.. => '?',
        _ => char::from(byte),
    }
}
