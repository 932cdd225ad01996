//! Collations: whose character set they belong to.
//!
//! A collation belongs to one character set and is named after it: `latin1_swedish_ci`. The numbers are those of
//! `information_schema.collations` of MySQL 9.7, which only ever grew; 5.7 and 8.0 have the same ones and call `utf8mb3`
//! `utf8`. MariaDB has the old ones too and others of its own
//! (`information_schema.collation_character_set_applicability` of 10.11): 1024 more for a collation that does not pad
//! (`latin1_swedish_nopad_ci`), and from 2048 on 256 a set for the `uca1400_…` collations, which fit several sets and
//! name none. `tests/integration/charsets.rs` compares all of them with the servers.

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
    // Of MariaDB: Croatian, Myanmar, Thai; and uca1400.
    (576, 578, "utf8mb3"), (608, 610, "utf8mb4"), (640, 642, "ucs2"), (672, 674, "utf16"), (736, 738, "utf32"),
    (2048, 2303, "utf8mb3"), (2304, 2559, "utf8mb4"), (2560, 2815, "ucs2"), (2816, 3071, "utf16"),
    (3072, 3327, "utf32"),
];

/// MariaDB's distance from a collation to the one like it that does not pad.
const NO_PAD: u16 = 1024;

/// The character set of a numbered collation, as in the status variables of a QUERY event and in table maps.
///
/// ```
/// use tidewire::schema::charset::collation::charset_of_collation_id;
/// assert_eq!(charset_of_collation_id(255), Some("utf8mb4"));
/// assert_eq!(charset_of_collation_id(8), Some("latin1"));
/// assert_eq!(charset_of_collation_id(0), None);
/// ```
pub fn charset_of_collation_id(id: u16) -> Option<&'static str> {
    let id = if (NO_PAD..2 * NO_PAD).contains(&id) { id - NO_PAD } else { id };
    let run = COLLATIONS.partition_point(|(_, last, _)| *last < id);
    COLLATIONS.get(run).filter(|(first, ..)| *first <= id).map(|(.., charset)| *charset)
}

/// The character set that a collation's name begins with; none for a name that fits several sets.
pub fn charset_of_collation(collation: &str) -> Option<String> {
    let charset = collation.split('_').next().unwrap_or_default().to_ascii_lowercase();
    (!charset.is_empty() && charset != "uca1400").then_some(charset)
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
            (1032, Some("latin1")),
            (1125, Some("utf16")),
            (2312, Some("utf8mb4")),
            (4000, None),
        ] {
            assert_eq!(charset_of_collation_id(id), charset, "{id}");
        }
        assert_eq!(charset_of_collation("latin1_bin").as_deref(), Some("latin1"));
        assert_eq!(charset_of_collation("binary").as_deref(), Some("binary"));
        assert_eq!(charset_of_collation("UTF8MB4_0900_AI_CI").as_deref(), Some("utf8mb4"));
        assert_eq!(charset_of_collation("uca1400_ai_ci"), None);
    }
}
