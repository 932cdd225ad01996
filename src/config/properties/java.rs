//! The .properties form, by the rules of `java.util.Properties.load`.
//!
//! A natural line ends at LF, CR or CR LF. A blank line, or one whose first visible character is `#` or `!`, is passed
//! over. An odd number of backslashes at the end of a line joins the next one to it, whose leading white space goes. The
//! name ends at the first unescaped `=`, `:` or white space; white space around one separator is skipped, white space
//! at the end of the value is kept. `\t \n \r \f \uXXXX` are the known escapes; before any other character the
//! backslash just goes.

use std::path::Path;

use crate::config::error::ConfigError;
use crate::config::properties::{Origin, Properties};

/// Text of a file: UTF-8 where it is valid UTF-8 (a byte order mark goes), otherwise ISO-8859-1 as Java reads it.
pub fn decode_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Reads the text of a .properties file. The only error is a malformed `\u` escape.
pub fn parse(text: &str, path: &Path) -> Result<Properties, ConfigError> {
    let mut properties = Properties::new();
    for (number, line) in logical_lines(text) {
        let Some((name, value)) = split(&line) else {
            return Err(ConfigError::Escape { path: path.to_owned(), line: number });
        };
        properties.insert(name, value, Origin::File { path: path.to_owned(), line: Some(number) });
    }
    Ok(properties)
}

/// Lines with continuations joined, each with the number of its first natural line.
fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, natural) in text.split('\n').enumerate() {
        let visible = natural.trim_start_matches([' ', '\t', '\u{c}']);
        let continues = open.is_some();
        if !continues && (visible.is_empty() || visible.starts_with(['#', '!'])) {
            continue;
        }
        let (number, mut line) = open.take().unwrap_or((index + 1, String::new()));
        let backslashes = visible.bytes().rev().take_while(|&byte| byte == b'\\').count();
        if backslashes % 2 == 1 {
            line.push_str(visible.get(..visible.len() - 1).unwrap_or_default());
            open = Some((number, line));
        } else {
            line.push_str(visible);
            lines.push((number, line));
        }
    }
    lines.extend(open);
    lines.retain(|(_, line)| !line.is_empty());
    lines
}

/// Name and value of a logical line; none for a malformed escape.
fn split(line: &str) -> Option<(String, String)> {
    let mut escaped = false;
    let mut end = line.len();
    for (at, character) in line.char_indices() {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if matches!(character, '=' | ':' | ' ' | '\t' | '\u{c}') {
            end = at;
            break;
        }
    }
    let blank = [' ', '\t', '\u{c}'];
    let rest = line.get(end..)?.trim_start_matches(blank);
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start_matches(blank);
    Some((unescape(line.get(..end)?)?, unescape(rest)?))
}

/// Replaces escapes. Two `\u` escapes that form a surrogate pair are one character.
fn unescape(text: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut buffer = [0; 2];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            units.extend_from_slice(character.encode_utf16(&mut buffer));
            continue;
        }
        let plain = match characters.next() {
            None => break,
            Some('u') => {
                let mut unit = 0u16;
                for _ in 0..4 {
                    let digit = characters.next()?.to_digit(16)?;
                    unit = unit << 4 | u16::try_from(digit).ok()?;
                }
                units.push(unit);
                continue;
            }
            Some('t') => '\t',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('f') => '\u{c}',
            Some(other) => other,
        };
        units.extend_from_slice(plain.encode_utf16(&mut buffer));
    }
    Some(String::from_utf16_lossy(&units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corner_cases_of_java() {
        let cases: &[(&str, &[(&str, &str)])] = &[
            ("a=1\nb:2\nc 3", &[("a", "1"), ("b", "2"), ("c", "3")]),
            ("  a  =  1  ", &[("a", "1  ")]),
            ("a=b=c:d", &[("a", "b=c:d")]),
            ("a = : b", &[("a", ": b")]),
            ("# x\n! y\n \t# z\n\na=#1", &[("a", "#1")]),
            ("fruits  apple, \\\n    banana, \\\r\n\tpear", &[("fruits", "apple, banana, pear")]),
            ("a=1\\\\\nb=2", &[("a", "1\\"), ("b", "2")]),
            ("a=1\\\\\\\n  2", &[("a", "1\\2")]),
            ("a\\=b\\:c\\ d = v", &[("a=b:c d", "v")]),
            ("a=\\u00e9\\uD83D\\uDE00\\t\\q", &[("a", "é😀\tq")]),
            ("cheeses", &[("cheeses", "")]),
            ("a=\\\n#no comment", &[("a", "#no comment")]),
            ("a=1\\\n\nb=2", &[("a", "1"), ("b", "2")]),
            ("a=1\rb=2", &[("a", "1"), ("b", "2")]),
            ("a=tail\\", &[("a", "tail")]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let properties = parse(text, Path::new("x")).expect(text);
            let found: Vec<(&str, &str)> = properties
                .names()
                .map(|name| (name, properties.get_untrimmed(name).unwrap_or_default()))
                .collect();
            assert_eq!(&found, expected, "{text:?}");
        }
    }

    #[test]
    fn a_malformed_escape_names_its_line() {
        let error = parse("a=1\n\nb=\\u12", Path::new("w.properties")).expect_err("malformed");
        assert_eq!(error.to_string(), "malformed \\uXXXX escape in w.properties line 3");
    }

    #[test]
    fn latin1_is_read_when_it_is_no_utf8() {
        assert_eq!(decode_text(b"a=\xe9"), "a=é");
        assert_eq!(decode_text("\u{feff}a=é".as_bytes()), "a=é");
    }
}
