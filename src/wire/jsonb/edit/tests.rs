//! What cannot be done to a document, and documents that lie. What can be done is tested on recorded updates, in
//! `wire::after_image`.

use super::*;
use crate::wire::jsonb::render;

fn bytes(hex: &str) -> Vec<u8> {
    let hex = hex.replace(' ', "");
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn diff(operation: u8, path: &str, value: &str) -> Vec<u8> {
    let value = bytes(value);
    let mut diff = vec![operation, path.len() as u8];
    diff.extend(path.as_bytes());
    if operation != 2 {
        diff.push(value.len() as u8);
        diff.extend(value);
    }
    diff
}

fn apply(document: &str, diffs: &[Vec<u8>]) -> Result<String, WireError> {
    let (mut edited, mut text) = (b"before".to_vec(), Vec::new());
    DocumentEditor::default().apply(&bytes(document), &diffs.concat(), &mut edited)?;
    render(&edited[6..], &mut text)?;
    Ok(String::from_utf8(text).unwrap())
}

/// `{"b":[1,true]}`, as the server stores it.
const OBJECT: &str = "00 0100 1600 0b00 0100 02 0c00 62 0200 0a00 05 0100 04 0100";
const REPLACE: u8 = 0;
const INSERT: u8 = 1;
const REMOVE: u8 = 2;

#[test]
fn documents_are_edited() {
    for (diffs, expected) in [
        (vec![], r#"{"b":[1,true]}"#),
        (vec![diff(REPLACE, "$", "05 0700")], "7"),
        (vec![diff(REPLACE, "$[0].b[last][0]", "0400")], r#"{"b":[1,null]}"#),
        (vec![diff(INSERT, "$.a", "08 ffffffff")], r#"{"a":4294967295,"b":[1,true]}"#),
        (
            vec![diff(INSERT, "$.aa", "0c 0161"), diff(INSERT, "$.c", "0402")],
            r#"{"b":[1,true],"c":false,"aa":"a"}"#,
        ),
        (vec![diff(INSERT, "$.b[0]", "05 0900"), diff(REMOVE, "$.b[1]", "")], r#"{"b":[9,true]}"#),
        (
            vec![diff(INSERT, "$.b[9]", "05 0900"), diff(INSERT, "$.b[last]", "0400")],
            r#"{"b":[1,true,null,9]}"#,
        ),
        (vec![diff(INSERT, "$.b[last-7]", "05 0900")], r#"{"b":[9,1,true]}"#),
        (vec![diff(REMOVE, "$.b", "")], "{}"),
        (
            vec![diff(REMOVE, "$.b", ""), diff(INSERT, "$.b", OBJECT), diff(REMOVE, "$.b.b[1]", "")],
            r#"{"b":{"b":[1]}}"#,
        ),
    ] {
        assert_eq!(apply(OBJECT, &diffs).unwrap(), expected);
    }
}

#[test]
fn what_is_impossible_is_an_error() {
    for (diffs, problem) in [
        (vec![diff(REPLACE, "$.c", "0400")], "its path leads nowhere"),
        (vec![diff(REPLACE, "$.b[2]", "0400")], "its path leads nowhere"),
        (vec![diff(REPLACE, "$.b[last-2]", "0400")], "its path leads nowhere"),
        (vec![diff(REPLACE, "$.b.c", "0400")], "its path leads nowhere"),
        (vec![diff(REPLACE, "$.b[0][1]", "0400")], "its path leads nowhere"),
        (vec![diff(REMOVE, "$[1]", "")], "its path leads nowhere"),
        (vec![diff(REMOVE, "$", "")], "the root cannot be removed"),
        (vec![diff(INSERT, "$", "0400")], "nothing can be inserted at its path"),
        (vec![diff(INSERT, "$.b", "0400")], "a key that is inserted is there already"),
        (vec![diff(INSERT, "$.b.c", "0400")], "nothing can be inserted at its path"),
        (vec![diff(INSERT, "$[0]", "0400")], "nothing can be inserted at its path"),
        (vec![diff(INSERT, "$.b[0][0]", "0400")], "nothing can be inserted at its path"),
        (vec![diff(3, "$.b", "0400")], "an unknown operation"),
        (vec![diff(REPLACE, "b", "0400")], "its path is malformed"),
    ] {
        let error = apply(OBJECT, &diffs).unwrap_err().to_string();
        assert_eq!(error, format!("invalid JSON diff: {problem}"));
    }
    let whole = diff(INSERT, "$.a", "0400");
    for cut in 1..whole.len() {
        assert!(apply(OBJECT, &[whole[..cut].to_vec()]).is_err(), "{cut}");
    }
    assert!(apply("", &[whole]).is_err());
    assert!(apply(OBJECT, &[diff(REPLACE, "$", "")]).is_err());
}

/// An array whose two elements are the array itself: opened again and again, it would double each time.
#[test]
fn overlapping_parts_do_not_grow() {
    let circle = "02 0200 0a00 02 0000 02 0000";
    let path = |depth: usize| format!("${}", "[0]".repeat(depth));
    let error = apply(circle, &[diff(REPLACE, &path(20), "0400")]).unwrap_err().to_string();
    assert_eq!(error, "invalid JSON value: its parts overlap");
    let diffs: Vec<_> = (1..20).map(|depth| diff(INSERT, &path(depth), "0400")).collect();
    assert!(apply(circle, &diffs).is_err());
}

/// More elements than numbers of 2 bytes count, and 1,000 inserted ones in a container that stays open.
#[test]
fn large_arrays() {
    let count = 100_000u32;
    let mut document = vec![0x03];
    document.extend(count.to_le_bytes());
    document.extend((8 + 5 * count).to_le_bytes());
    for number in 0..count {
        document.push(0x07);
        document.extend(number.to_le_bytes());
    }
    let diffs: Vec<_> =
        (0..1000).flat_map(|number| diff(INSERT, &format!("$[{}]", number * 50), "0401")).collect();
    let (mut edited, mut text) = (Vec::new(), Vec::new());
    DocumentEditor::default().apply(&document, &diffs, &mut edited).unwrap();
    render(&edited, &mut text).unwrap();
    let mut expected: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    for number in 0..1000 {
        expected.insert(number * 50, "true".to_owned());
    }
    assert_eq!(String::from_utf8(text).unwrap(), format!("[{}]", expected.join(",")));
    assert!(edited.len() < document.len() + 10_000);
}
