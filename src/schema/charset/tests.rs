use super::*;

fn decoded(charset: &str, bytes: &[u8]) -> String {
    let charset = Charset::named(charset).unwrap();
    let mut scratch = b"left over".to_vec();
    let text = charset.decode(bytes, &mut scratch).to_owned();
    assert_eq!(charset.text(bytes), text);
    text
}

/// What a connection of utf8mb4 read from columns of each set (MySQL 9.7, 8.0 and 5.7; MariaDB 10.11).
#[test]
fn text_is_decoded_as_the_server_converts_it() {
    for (charset, bytes, text) in [
        ("utf8mb4", "日😀".as_bytes(), "日😀"),
        ("utf8mb4", b"a\xed\xa0\x80b", "a\u{fffd}b"),
        ("utf8mb3", "é日".as_bytes(), "é日"),
        ("utf8", b"a\xed\xa0\xbd\xed\xb8\x80b", "a\u{fffd}\u{fffd}b"),
        ("utf8mb3", b"a\xffb", "a?b"),
        ("utf8mb3", "a😀".as_bytes(), "a????"),
        ("ascii", b"abc", "abc"),
        ("ascii", b"a\xc3\xa9", "a??"),
        ("binary", b"a\x80\xff", "a\u{80}ÿ"),
        ("latin1", b"\xe9\x80\x81\x8d\x9f\xff", "é€\u{81}\u{8d}\u{178}ÿ"),
        ("cp1250", b"a\x81\xb9", "a?ą"),
        ("cp1256", b"\x8a\xc7", "?ا"),
        ("cp866", b"\xfc\xfd\x8f", "ⁿ²П"),
        ("greek", b"\xa1\xa2\xa4\xd9", "ʽʼ?Ω"),
        ("hebrew", b"\xaf\xf9", "‾ש"),
        ("koi8u", b"\x95\xa4", "•є"),
        ("armscii8", b"\xb4\xb3\xf1\xc7", "Բարի"),
        ("geostd8", b"\xc2\xc0", "გა"),
        ("hp8", b"\xc5\xb7\xcf\xff", "éñü?"),
        ("keybcs2", b"\x91lu\x9f", "žluť"),
        ("macce", b"\x83", "É"),
        ("tis620", b"\xa1\xdb", "ก\u{fffd}"),
        ("swe7", b"aaaaaaaaaaaaaaaa]{|@\x7f\x80", "aaaaaaaaaaaaaaaaÅäöÉ??"),
        ("sjis", b"ab \x81\x5f \x83\x5c\xb1\x87\x40\x80", "ab \\ ソｱ??"),
        ("cp932", b"\x81\x5f\x87\x40\xfa\xfc\xf0\x40", "＼①浯\u{e000}"),
        ("big5", b"\xa5\x5c\xb3\x5c\xc6\xa5\xa1\x5a\xc7\xfd", "功許ぁ\u{fffd}?"),
        ("gbk", b"\xb2\xe2\xca\xd4\xa1\x40\x81\x40", "测试?丂"),
        ("gb2312", b"\xb2\xe2\xa1\xa4\xa1\xaa\xa2\xa1", "测・―?"),
        (
            "gb18030",
            b"\xb2\xe2\x94\x39\xfc\x36\x81\x30\x81\x30\x84\x31\xa5\x30\xa3\xa0",
            "测😀\u{80}?\u{e5e5}",
        ),
        ("euckr", b"\xc7\xd1\xb1\xdb\xc9\xa1", "한글?"),
        (
            "ujis",
            b"\xc6\xfc\x8e\xb1\x8f\xb0\xa1\xa1\xc0\xf5\xa1\x8e\xa0\x8f\xf5\xa1",
            "日ｱ丂\\\u{e000}??\u{e3ac}",
        ),
        ("eucjpms", b"\xa1\xc1\xa1\xdd\xad\xa1\x8f\xf4\xfe", "～－①黑"),
        ("ucs2", b"\x00\xe9\x65\xe5\xd8\x3d\xde\x00", "é日\u{fffd}\u{fffd}"),
        ("utf16", b"\xd8\x3d\xde\x00\x00a", "😀a"),
        ("utf16le", b"\x3d\xd8\x00\xde\xe5\x65", "😀日"),
        ("utf32", b"\x00\x01\xf6\x00\x00\x00\x00x\x00\x00\xd8\x00", "😀x\u{fffd}"),
    ] {
        assert_eq!(decoded(charset, bytes), text, "{charset}");
    }
    assert!(Charset::named("klingon").is_none());
}

/// Nothing of the kind can be stored, but a damaged log may have it.
#[test]
fn half_characters_are_question_marks() {
    for (charset, bytes, text) in [
        ("sjis", &b"a\x81"[..], "a?"),
        ("gbk", b"\x81\x20", "? "),
        ("ujis", b"\x8fa\x8f\xa1", "?a??"),
        ("gb18030", b"\x81\x30\x81", "?0?"),
        ("utf8mb3", b"a\xc3", "a?"),
        ("utf8mb4", b"a\xc3", "a\u{fffd}"),
        ("utf8mb4", b"\xed\xa0", "\u{fffd}\u{fffd}"),
        ("ucs2", b"\x00a\x00", "a?"),
        ("utf16", b"\xd8\x00\x00a", "\u{fffd}a"),
        ("utf32", b"\x00\x00\x00", "?"),
    ] {
        assert_eq!(decoded(charset, bytes), text, "{charset}");
    }
}

#[test]
fn ascii_is_found_at_any_length() {
    for length in 0..70 {
        let mut bytes = vec![b'a'; length];
        assert_eq!(decoded("koi8r", &bytes).len(), length);
        bytes.push(0xc1);
        assert_eq!(decoded("koi8r", &bytes), format!("{}а", "a".repeat(length)));
        bytes.extend(b"bc");
        assert_eq!(decoded("koi8r", &bytes), format!("{}аbc", "a".repeat(length)));
    }
}

/// `x'61'` is one character in a column of ucs2, too (seen in SHOW CREATE TABLE).
#[test]
fn literals_of_bytes_are_filled_to_whole_characters() {
    for (charset, bytes, text) in [
        ("ucs2", &b"a"[..], "a"),
        ("utf16", b"\xe9", "é"),
        ("utf32", b"\x01\xf6\x00", "😀"),
        ("latin1", b"\xe9", "é"),
    ] {
        assert_eq!(Charset::named(charset).unwrap().text_of_literal(bytes), text, "{charset}");
    }
}

#[test]
fn text_is_encoded_where_a_set_has_it() {
    for (charset, text, bytes) in [
        ("utf8mb4", "é😀", Some("é😀".as_bytes())),
        ("latin1", "aé", Some(b"a\xe9")),
        ("sjis", "ソa", Some(b"\x83\x5ca")),
        ("swe7", "Å[", None),
        ("swe7", "Å", Some(b"]")),
        ("latin1", "日", None),
    ] {
        assert_eq!(Charset::named(charset).unwrap().encode(text).as_deref(), bytes, "{charset}");
    }
}

#[test]
fn the_buffer_is_used_again() {
    for (charset, bytes) in
        [("koi8r", &b"a\xc1"[..]), ("sjis", b"\x83\x5c"), ("utf16", b"\x04\x16"), ("utf8mb3", b"a\xff")]
    {
        let charset = Charset::named(charset).unwrap();
        let mut scratch = Vec::with_capacity(100);
        let place = scratch.as_ptr();
        for _ in 0..3 {
            charset.decode(bytes, &mut scratch);
            assert_eq!((scratch.as_ptr(), scratch.capacity()), (place, 100), "{charset:?}");
        }
    }
}
