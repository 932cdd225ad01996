//! The path of a JSON diff: `$`, then a leg a step: `.name`, `."any name"`, `[3]`, `[last]`, `[last-2]`.
//!
//! Names that are no ECMAScript identifiers are quoted and escaped like JSON strings. Wildcards, ranges and `**` mean
//! several places, and no server writes them into a diff. Manual: "JSON Path Syntax"; `Json_path::to_string` of the server.

use crate::wire::error::WireError;
use crate::wire::jsonb::{MAX_DEPTH, invalid_diff};

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leg {
    /// The value of the key that is noted there.
    Member { start: usize, end: usize },
    /// The element of this number.
    Cell(usize),
    /// The element of this number counted from the last, which is 0.
    FromLast(usize),
}

/// Puts the steps of a path in place of what is in `legs`. Their names are appended to `names`.
pub(super) fn read_path(text: &[u8], legs: &mut Vec<Leg>, names: &mut Vec<u8>) -> Result<(), WireError> {
    legs.clear();
    let text = std::str::from_utf8(text).map_err(|_| invalid_diff("its path is not UTF-8"))?;
    let mut rest = text.strip_prefix('$').ok_or(MALFORMED)?;
    while let Some(first) = rest.chars().next() {
        if legs.len() >= MAX_DEPTH as usize {
            return Err(invalid_diff("its path is too long"));
        }
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        let (leg, after) = match (first, after.strip_prefix('"')) {
            ('.', Some(quoted)) => quoted_name(quoted, names)?,
            ('.', None) => name(after, names)?,
            ('[', _) => cell(after)?,
            _ => return Err(MALFORMED),
        };
        legs.push(leg);
        rest = after;
    }
    Ok(())
}

fn name<'t>(text: &'t str, names: &mut Vec<u8>) -> Result<(Leg, &'t str), WireError> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).ok_or(MALFORMED)?;
    if name.is_empty() || name.contains(['*', '"', ' ']) {
        return Err(MALFORMED);
    }
    let start = names.len();
    names.extend_from_slice(name.as_bytes());
    Ok((Leg::Member { start, end: names.len() }, rest))
}

/// `text` begins behind the opening quote.
fn quoted_name<'t>(text: &'t str, names: &mut Vec<u8>) -> Result<(Leg, &'t str), WireError> {
    let start = names.len();
    let mut rest = text;
    loop {
        let special = rest.find(['"', '\\']).ok_or(MALFORMED)?;
        let (plain, tail) = rest.split_at_checked(special).ok_or(MALFORMED)?;
        names.extend_from_slice(plain.as_bytes());
        let mut characters = tail.chars();
        if characters.next() == Some('"') {
            return Ok((Leg::Member { start, end: names.len() }, characters.as_str()));
        }
        let character = match characters.next() {
            Some(same @ ('"' | '\\' | '/')) => same,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let (character, after) = unicode(characters.as_str())?;
                characters = after.chars();
                character
            }
            _ => return Err(MALFORMED),
        };
        let mut buffer = [0; 4];
        names.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        rest = characters.as_str();
    }
}

const MALFORMED: WireError = invalid_diff("its path is malformed");

/// Four hexadecimal digits, or two groups of them for a surrogate pair.
fn unicode(text: &str) -> Result<(char, &str), WireError> {
    let unit = |text: &str| -> Result<u32, WireError> {
        let digits = text.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).ok_or(MALFORMED)
    };
    let first = unit(text)?;
    let rest = text.get(4..).unwrap_or_default();
    if let Some(character) = char::from_u32(first) {
        return Ok((character, rest));
    }
    let second = unit(rest.strip_prefix("\\u").ok_or(MALFORMED)?)?;
    let pair = char::decode_utf16([first as u16, second as u16]).next();
    match pair {
        Some(Ok(character)) => Ok((character, rest.get(6..).unwrap_or_default())),
        _ => Err(MALFORMED),
    }
}

/// `text` begins behind the bracket.
fn cell(text: &str) -> Result<(Leg, &str), WireError> {
    let (inside, rest) = text.split_once(']').ok_or(MALFORMED)?;
    let number = |text: &str| -> Result<usize, WireError> {
        // `parse` would take a sign too.
        let digits = Some(text.trim()).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        digits.and_then(|text| text.parse::<u32>().ok()).map(|number| number as usize).ok_or(MALFORMED)
    };
    let leg = match inside.trim().strip_prefix("last") {
        Some("") => Leg::FromLast(0),
        Some(back) => Leg::FromLast(number(back.trim_start().strip_prefix('-').ok_or(MALFORMED)?)?),
        None => Leg::Cell(number(inside)?),
    };
    Ok((leg, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legs(text: &str) -> Result<Vec<String>, WireError> {
        let (mut legs, mut names) = (Vec::new(), b"before".to_vec());
        read_path(text.as_bytes(), &mut legs, &mut names)?;
        let show = |leg: &Leg| match *leg {
            Leg::Member { start, end } => String::from_utf8_lossy(&names[start..end]).into_owned(),
            Leg::Cell(number) => number.to_string(),
            Leg::FromLast(number) => format!("last-{number}"),
        };
        Ok(legs.iter().map(show).collect())
    }

    /// As MySQL 9.7 wrote them for keys of every kind.
    #[test]
    fn paths_as_the_server_writes_them() {
        for (text, expected) in [
            ("$", &[][..]),
            (r#"$."a b""#, &["a b"]),
            (r#"$."q\"x""#, &["q\"x"]),
            (r#"$."é日😀""#, &["é日😀"]),
            (r#"$."back\\slash""#, &["back\\slash"]),
            (r#"$."""#, &[""]),
            (r#"$."tab\tnl\n""#, &["tab\tnl\n"]),
            ("$.$x_1", &["$x_1"]),
            ("$.last.null", &["last", "null"]),
            (r#"$."a.b"."[0]"[12].x"#, &["a.b", "[0]", "12", "x"]),
            (r#"$."nul\u0000x""#, &["nul\0x"]),
            (r#"$."\uD83D\uDE00\b\f\r\/""#, &["😀\u{8}\u{c}\r/"]),
            ("$.arr[last][last-1][ 2 ]", &["arr", "last-0", "last-1", "2"]),
        ] {
            assert_eq!(legs(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn other_paths_are_refused() {
        let long = format!("${}", "[0]".repeat(129));
        for text in [
            "",
            "a",
            "$a",
            "$.",
            "$..a",
            "$.*",
            "$**.a",
            "$[*]",
            "$[1 to 2]",
            "$[-1]",
            "$[+1]",
            "$[]",
            "$[last+1]",
            "$[99999999999]",
            "$.a[0",
            r#"$."a"#,
            r#"$."\x""#,
            r#"$."\u12""#,
            r#"$."\uD83D""#,
            r#"$."\uD83D\u0041""#,
            &long,
        ] {
            assert!(legs(text).is_err(), "{text}");
        }
        assert!(read_path(&[b'$', b'.', 0xff], &mut Vec::new(), &mut Vec::new()).is_err());
    }
}
