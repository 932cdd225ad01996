use proptest::prelude::*;

use super::*;

/// A value as `serde_json` sees it, by walking.
fn owned(json: Json<'_>) -> Result<serde_json::Value, ScanError> {
    let mut scratch = String::new();
    Ok(match json {
        Json::Null => serde_json::Value::Null,
        Json::Boolean(flag) => flag.into(),
        Json::Number(digits) => serde_json::from_str(digits).map_err(|_| ScanError { at: 0 })?,
        Json::String(text) => text.unescaped(&mut scratch).into(),
        Json::Object(object) => {
            let (mut members, mut out) = (Members::of(object)?, serde_json::Map::new());
            while let Some((name, value)) = members.next_member()? {
                out.insert(name.unescaped(&mut scratch).to_owned(), owned(value)?);
            }
            out.into()
        }
        Json::Array(array) => {
            let (mut elements, mut out) = (Elements::of(array)?, Vec::new());
            while let Some(value) = elements.next_element()? {
                out.push(owned(value)?);
            }
            out.into()
        }
    })
}

#[test]
fn values_are_slices_of_the_text() {
    for (text, wanted) in [
        ("null", Json::Null),
        (" true ", Json::Boolean(true)),
        ("-12.5e+3", Json::Number("-12.5e+3")),
        (r#""a""#, Json::String(Text { raw: "a", escaped: false })),
        (r#""a\"b\\""#, Json::String(Text { raw: r#"a\"b\\"#, escaped: true })),
        (r#"{"a":"}"}"#, Json::Object(r#"{"a":"}"}"#)),
        (r#"[[1,"]"],{}]"#, Json::Array(r#"[[1,"]"],{}]"#)),
    ] {
        assert_eq!(Scanner::only_value(text.as_bytes()), Ok(wanted), "{text}");
    }
}

#[test]
fn escapes_are_taken_off() {
    let mut scratch = String::new();
    for (raw, wanted) in [
        ("plain ü", "plain ü"),
        (r"a\nb\t\r\b\f", "a\nb\t\r\u{8}\u{c}"),
        (r#"\"\\\/"#, "\"\\/"),
        (r"\u00fc\u65e5", "ü日"),
        (r"\ud83d\ude00!", "😀!"),
        (r"\ud83d", "\u{fffd}"),
        (r"\ud83dx", "\u{fffd}x"),
        (r"\ud83d\n", "\u{fffd}\n"),
        (r"\uzzzz", "\u{fffd}zzzz"),
        (r"\u12", "\u{fffd}12"),
    ] {
        let text = format!("\"{raw}\"");
        let Ok(Json::String(string)) = Scanner::only_value(text.as_bytes()) else { panic!("{raw}") };
        assert_eq!(string.unescaped(&mut scratch), wanted, "{raw}");
    }
}

#[test]
fn what_is_no_json_is_refused_with_its_byte() {
    for (bytes, at) in [
        (&b""[..], 0),
        (b"  ", 2),
        (b"nul", 0),
        (b"\"abc", 4),
        (b"\"abc\\\"", 6),
        (b"\"abc\\", 5),
        (b"{\"a\":1", 6),
        (b"[1,2", 4),
        (b"1 2", 2),
        (b"\xff", 0),
        (b"\"\xc3\"", 1),
        (b"}", 0),
    ] {
        assert_eq!(Scanner::only_value(bytes), Err(ScanError { at }), "{bytes:?}");
    }
    for object in ["{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1 \"b\":2}", "{1:2}", "{a:1}"] {
        let mut members = Members::of(object).expect(object);
        let walked = std::iter::from_fn(|| members.next_member().transpose()).find(Result::is_err);
        assert!(walked.is_some(), "{object}");
    }
}

proptest! {
    /// What another reader of JSON takes is read alike; anything else ends in an error or a value, never in a panic.
    #[test]
    fn any_text_is_read_or_refused(text in r#"[\{\}\[\]":,0-9a-ftrunl\\e. -]{0,40}"#) {
        let walked = Scanner::only_value(text.as_bytes()).and_then(owned);
        if let Ok(known) = serde_json::from_str::<serde_json::Value>(&text) {
            prop_assert_eq!(walked, Ok(known));
        }
    }

    #[test]
    fn any_string_survives(content in any::<String>()) {
        let text = serde_json::to_string(&content).unwrap();
        let mut scratch = String::new();
        let Ok(Json::String(string)) = Scanner::only_value(text.as_bytes()) else { panic!("{text}") };
        prop_assert_eq!(string.unescaped(&mut scratch), content);
    }
}

/// Strings that end at every place of a word, of the words that are looked at first and of what is searched behind them.
#[test]
fn strings_of_every_length_end_at_their_quote() {
    for length in 0..80 {
        // Neighbours of a quote and a backslash, and bytes with their high bit.
        let text: String = "!#[]\u{a1}\u{7f}\u{e9}a".chars().cycle().take(length).collect();
        for escapes in ["", "\\\"", "\\\\"] {
            let object = format!(r#"{{"{text}{escapes}":"{escapes}{text}","n":{{"{text}":["{escapes}"]}}}}"#);
            let mut members = Members::of(&object).unwrap();
            let (name, value) = members.next_member().unwrap().unwrap();
            let Json::String(value) = value else { panic!("{object}") };
            let plain = escapes.replace("\\\"", "\"").replace("\\\\", "\\");
            assert_eq!(name.to_cow(), format!("{text}{plain}"));
            assert_eq!(value.to_cow(), format!("{plain}{text}"));
            let (_, nested) = members.next_member().unwrap().unwrap();
            assert_eq!(nested, Json::Object(&format!(r#"{{"{text}":["{escapes}"]}}"#)));
            members.pass_over().unwrap();
            for cut in 1..object.len() {
                let Some(cut) = object.get(..cut) else { continue };
                assert!(Scanner::only_value(cut.as_bytes()).is_err(), "{cut}");
            }
        }
    }
}

#[test]
fn an_object_is_entered_and_left() {
    let mut members = Members::of(r#"{"a": {"b":1,"c":[2]} ,"d":3}"#).unwrap();
    assert!(members.next_name().unwrap().unwrap().is("a"));
    // Left before its end.
    let mut left = members.clone();
    let mut inner = left.enter().unwrap();
    inner.next_member().unwrap();
    left.leave(inner).unwrap();
    assert!(left.next_name().unwrap().unwrap().is("d"));
    let mut inner = members.enter().unwrap();
    let mut names = Vec::new();
    while let Some((name, _)) = inner.next_member().unwrap() {
        names.push(name.to_cow().into_owned());
    }
    members.leave(inner).unwrap();
    assert_eq!(names, ["b", "c"]);
    assert!(members.next_name().unwrap().unwrap().is("d"));
    assert!(members.enter().is_none());
    assert_eq!(members.value().unwrap(), Json::Number("3"));
    members.pass_over().unwrap();
}

#[test]
fn names_are_taken_as_they_are_spelled_and_what_is_left_is_passed_over() {
    let object = r#"{"a":1,"ab":{"c":"}"},"d" :[2], "e":"\"}","f":{"g":[{}]}} "#;
    let mut members = Members::of(object).unwrap();
    assert!(!members.take_name(r#""b":"#) && members.take_name(r#""a":"#));
    assert_eq!(members.value().unwrap(), Json::Number("1"));
    assert!(!members.take_name(r#""a":"#) && members.take_name(r#""ab":"#));
    assert_eq!(members.value().unwrap(), Json::Object(r#"{"c":"}"}"#));
    // Blanks are looked for only where names are.
    assert!(!members.take_name(r#""d":"#));
    assert!(members.next_member().unwrap().unwrap().0.is("d"));
    assert!(!members.take_name(r#""e":"#));
    members.pass_over().unwrap();
    for (broken, byte) in [(r#"{"a":1,"b":{}"#, 13), (r#"{"a":1,"b":2}}"#, 13)] {
        let mut members = Members::of(broken).unwrap();
        members.next_member().unwrap();
        assert_eq!(members.pass_over(), Err(ScanError { at: byte }));
    }
}
