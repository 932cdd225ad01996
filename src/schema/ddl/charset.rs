//! Character sets and collations: names and numbers.
//!
//! A collation belongs to one character set and is named after it: `latin1_swedish_ci`. The numbers are those of
//! `information_schema.collations` of MySQL 9.7, which only ever grew; 5.7 and 8.0 have the same ones and call `utf8mb3`
//! `utf8`. MariaDB's `uca1400_…` collations fit several sets and name none.

use std::borrow::Cow;

use encoding_rs::Encoding;

/// First and last number of each run of collations of one character set.
#[rustfmt::skip]
const COLLATIONS: &[(u16, u16, &str)] = &[
    (1, 1, "big5"), (2, 2, "latin2"), (3, 3, "dec8"), (4, 4, "cp850"), (5, 5, "latin1"), (6, 6, "hp8"),
    (7, 7, "koi8r"), (8, 8, "latin1"), (9, 9, "latin2"), (10, 10, "swe7"), (11, 11, "ascii"),
    (12, 12, "ujis"), (13, 13, "sjis"), (14, 14, "cp1251"), (15, 15, "latin1"), (16, 16, "hebrew"),
    (18, 18, "tis620"), (19, 19, "euckr"), (20, 20, "latin7"), (21, 21, "latin2"), (22, 22, "koi8u"),
    (23, 23, "cp1251"), (24, 24, "gb2312"), (25, 25, "greek"), (26, 26, "cp1250"), (27, 27, "latin2"),
    (28, 28, "gbk"), (29, 29, "cp1257"), (30, 30, "latin5"), (31, 31, "latin1"), (32, 32, "armscii8"),
    (33, 33, "utf8mb3"), (34, 34, "cp1250"), (35, 35, "ucs2"), (36, 36, "cp866"), (37, 37, "keybcs2"),
    (38, 38, "macce"), (39, 39, "macroman"), (40, 40, "cp852"), (41, 42, "latin7"), (43, 43, "macce"),
    (44, 44, "cp1250"), (45, 46, "utf8mb4"), (47, 49, "latin1"), (50, 52, "cp1251"), (53, 53, "macroman"),
    (54, 55, "utf16"), (56, 56, "utf16le"), (57, 57, "cp1256"), (58, 59, "cp1257"), (60, 61, "utf32"),
    (62, 62, "utf16le"), (63, 63, "binary"), (64, 64, "armscii8"), (65, 65, "ascii"), (66, 66, "cp1250"),
    (67, 67, "cp1256"), (68, 68, "cp866"), (69, 69, "dec8"), (70, 70, "greek"), (71, 71, "hebrew"),
    (72, 72, "hp8"), (73, 73, "keybcs2"), (74, 74, "koi8r"), (75, 75, "koi8u"), (76, 76, "utf8mb3"),
    (77, 77, "latin2"), (78, 78, "latin5"), (79, 79, "latin7"), (80, 80, "cp850"), (81, 81, "cp852"),
    (82, 82, "swe7"), (83, 83, "utf8mb3"), (84, 84, "big5"), (85, 85, "euckr"), (86, 86, "gb2312"),
    (87, 87, "gbk"), (88, 88, "sjis"), (89, 89, "tis620"), (90, 90, "ucs2"), (91, 91, "ujis"),
    (92, 93, "geostd8"), (94, 94, "latin1"), (95, 96, "cp932"), (97, 98, "eucjpms"), (99, 99, "cp1250"),
    (101, 124, "utf16"), (128, 151, "ucs2"), (159, 159, "ucs2"), (160, 183, "utf32"), (192, 215, "utf8mb3"),
    (223, 223, "utf8mb3"), (224, 247, "utf8mb4"), (248, 250, "gb18030"), (255, 271, "utf8mb4"),
    (273, 275, "utf8mb4"), (277, 294, "utf8mb4"), (296, 298, "utf8mb4"), (300, 300, "utf8mb4"),
    (303, 323, "utf8mb4"),
];

/// The character set of a numbered collation, as in the status variables of a QUERY event and in table maps.
///
/// ```
/// use tidewire::schema::ddl::charset::charset_of_collation_id;
/// assert_eq!(charset_of_collation_id(255), Some("utf8mb4"));
/// assert_eq!(charset_of_collation_id(8), Some("latin1"));
/// assert_eq!(charset_of_collation_id(0), None);
/// ```
pub fn charset_of_collation_id(id: u16) -> Option<&'static str> {
    let run = COLLATIONS.partition_point(|(_, last, _)| *last < id);
    COLLATIONS.get(run).filter(|(first, ..)| *first <= id).map(|(.., charset)| *charset)
}

/// The character set that a collation's name begins with; none for a name that fits several sets.
pub fn charset_of_collation(collation: &str) -> Option<String> {
    let charset = collation.split('_').next().unwrap_or_default().to_ascii_lowercase();
    (!charset.is_empty() && charset != "uca1400").then_some(charset)
}

/// Text of a character set, where the set is one that the standard library or the Encoding Standard knows; used for
/// defaults that SHOW CREATE TABLE prints in hex.
pub(crate) fn decode<'a>(charset: &str, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    let label: &[u8] = match charset.to_ascii_lowercase().as_str() {
        "utf8mb4" | "utf8mb3" | "utf8" | "ascii" => {
            return std::str::from_utf8(bytes).ok().map(Cow::Borrowed);
        }
        "ucs2" | "utf16" => return decode_utf16(bytes, u16::from_be_bytes),
        "utf16le" => return decode_utf16(bytes, u16::from_le_bytes),
        "utf32" => return decode_utf32(bytes),
        "latin1" => b"windows-1252",
        "latin2" => b"iso-8859-2",
        "latin5" => b"windows-1254",
        "latin7" => b"iso-8859-13",
        "greek" => b"iso-8859-7",
        "hebrew" => b"iso-8859-8",
        "cp1250" => b"windows-1250",
        "cp1251" => b"windows-1251",
        "cp1256" => b"windows-1256",
        "cp1257" => b"windows-1257",
        "cp866" => b"ibm866",
        "koi8r" => b"koi8-r",
        "koi8u" => b"koi8-u",
        "tis620" => b"windows-874",
        "macroman" => b"macintosh",
        "gbk" | "gb2312" => b"gbk",
        "gb18030" => b"gb18030",
        "big5" => b"big5",
        "euckr" => b"euc-kr",
        "ujis" | "eucjpms" => b"euc-jp",
        "sjis" | "cp932" => b"shift_jis",
        _ => return None,
    };
    Encoding::for_label(label)?.decode_without_bom_handling_and_without_replacement(bytes)
}

fn decode_utf16<'a>(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Cow<'a, str>> {
    let (units, []) = bytes.as_chunks::<2>() else { return None };
    let units: Vec<u16> = units.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).ok().map(Cow::Owned)
}

fn decode_utf32<'a>(bytes: &[u8]) -> Option<Cow<'a, str>> {
    let (units, []) = bytes.as_chunks::<4>() else { return None };
    units
        .iter()
        .map(|unit| char::from_u32(u32::from_be_bytes(*unit)))
        .collect::<Option<String>>()
        .map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collations_name_their_character_set() {
        for (id, charset) in [
            (1, Some("big5")),
            (17, None),
            (33, Some("utf8mb3")),
            (45, Some("utf8mb4")),
            (63, Some("binary")),
            (309, Some("utf8mb4")),
            (254, None),
            (400, None),
        ] {
            assert_eq!(charset_of_collation_id(id), charset, "{id}");
        }
        assert_eq!(charset_of_collation("latin1_bin").as_deref(), Some("latin1"));
        assert_eq!(charset_of_collation("binary").as_deref(), Some("binary"));
        assert_eq!(charset_of_collation("UTF8MB4_0900_AI_CI").as_deref(), Some("utf8mb4"));
        assert_eq!(charset_of_collation("uca1400_ai_ci"), None);
    }

    #[test]
    fn hex_defaults_decode_in_the_columns_set() {
        for (charset, bytes, text) in [
            ("utf8mb4", &b"\xc3\xbc\xe6\x97\xa5\xf0\x9f\x98\x80"[..], Some("ü日😀")),
            ("utf16", &b"\x00\xe9\x65\xe5\xd8\x3d\xde\x00"[..], Some("é日😀")),
            ("utf16le", &b"\xe9\x00"[..], Some("é")),
            ("utf32", &b"\x00\x01\xf6\x00"[..], Some("😀")),
            ("latin1", &b"\xe9"[..], Some("é")),
            ("greek", &b"\xd9"[..], Some("Ω")),
            ("utf8mb4", &b"\xff"[..], None),
            ("utf16", &b"\x00"[..], None),
            ("hp8", &b"a"[..], None),
        ] {
            assert_eq!(decode(charset, bytes).as_deref(), text, "{charset}");
        }
    }
}
