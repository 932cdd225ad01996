//! One spelling of a JSON document, whoever printed it (section 3.5).
//!
//! A snapshot has the text that the server prints, the stream what Debezium makes of the binary form: blanks, escapes and doubles
//! differ. Equal documents must be equal texts, or the row of a table without a key would not be found again. The text is MySQL's,
//! but for doubles, whose kind the stream does not tell:
//!
//! | | server | stream | here |
//! |---|---|---|---|
//! | separators | `, ` and `: ` | `,` and `:` | as the server |
//! | control characters | `\u001f` | `\u001F` | as the server |
//! | whole doubles from 10,000,000 on | `10000000.0`, `1e20` | exact digits | exact digits |
//! | other doubles below 0.001 or from 10,000,000 on | `0.0001`, `1.5e-10`, `12345678.9` | all digits of the binary value | the fewest digits that say it, without an exponent |
//! | everything else | | the same | the same |
//!
//! What the text alone cannot tell stays as it is: a TIME, a DATETIME or bytes within a document, which a snapshot spells with zeros
//! and with a prefix.

use std::fmt::Write;

/// Below this a whole double has a point and a zero in both texts.
const WITHOUT_POINT: f64 = 1e7;
/// More digits than these are those of a binary value.
const MOST_DIGITS: usize = 17;

/// Appends a document in its one spelling. What is no JSON stays as it is.
pub fn write_canonical(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '"' => string(rest, out),
            '-' | '0'..='9' => {
                let size = rest
                    .find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
                    .unwrap_or(rest.len());
                number(rest.get(..size).unwrap_or(rest), out);
                size
            }
            ' ' | '\n' | '\r' | '\t' => 1,
            ',' | ':' => {
                out.push(first);
                out.push(' ');
                1
            }
            _ => {
                out.push(first);
                first.len_utf8()
            }
        };
        rest = rest.get(size..).unwrap_or_default();
    }
}

fn number(text: &str, out: &mut String) {
    let has_exponent = text.contains(['e', 'E']);
    // Integers and decimals without a fraction are exact in both texts.
    let Some(value) = text.parse::<f64>().ok().filter(|value| {
        (has_exponent || text.contains('.')) && value.is_finite() && (*value != 0.0 || has_exponent)
    }) else {
        out.push_str(text);
        return;
    };
    // Writing into a string cannot fail.
    if value.fract() == 0.0 && value.abs() >= WITHOUT_POINT && (has_exponent || text.ends_with(".0")) {
        let _ = write!(out, "{value:.0}");
    } else if has_exponent || is_binary(text, value) {
        let _ = write!(out, "{value}");
    } else {
        out.push_str(text);
    }
}

/// Whether a number has the digits of a binary value to the last one.
fn is_binary(text: &str, value: f64) -> bool {
    let digits = text.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
    let fraction = text.split('.').nth(1).map_or(0, str::len);
    digits > MOST_DIGITS && format!("{value:.fraction$}") == text
}

/// Appends the string that begins here, and gives its size in the text.
fn string(text: &str, out: &mut String) -> usize {
    out.push('"');
    let mut chars = text.char_indices().skip(1);
    while let Some((at, character)) = chars.next() {
        match character {
            '"' => {
                out.push('"');
                return at + 1;
            }
            '\\' => match chars.next() {
                Some((_, 'u')) => {
                    let digits = text.get(at + 2..at + 6).unwrap_or_default();
                    let unit = u16::from_str_radix(digits, 16).ok();
                    match unit.and_then(|unit| char::from_u32(u32::from(unit))) {
                        Some(character) => escaped(character, out),
                        // Half of a character: both printers write whole ones.
                        None => {
                            out.push_str("\\u");
                            out.push_str(digits);
                        }
                    }
                    for _ in 0..digits.chars().count() {
                        chars.next();
                    }
                }
                Some((_, 'b')) => escaped('\u{8}', out),
                Some((_, 'f')) => escaped('\u{c}', out),
                Some((_, 'n')) => escaped('\n', out),
                Some((_, 'r')) => escaped('\r', out),
                Some((_, 't')) => escaped('\t', out),
                Some((_, other)) => escaped(other, out),
                None => out.push('\\'),
            },
            other => escaped(other, out),
        }
    }
    text.len()
}

fn escaped(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..='\u{1f}' => {
            // Writing into a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        }
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(text: &str) -> String {
        let mut out = String::new();
        write_canonical(text, &mut out);
        out
    }

    /// As MySQL 9.7 prints them, and as they stand in the stream (`wire::jsonb` has its spellings from Debezium).
    #[test]
    fn r_5_one_document_has_one_text() {
        for (server, stream, wanted) in [
            (
                r#"{"a": [1, 2.0, null], "b": {}}"#,
                r#"{"a":[1,2.0,null],"b":{}}"#,
                r#"{"a": [1, 2.0, null], "b": {}}"#,
            ),
            (
                r#""a\u0001\t\n\r\b\f/\"\\ä, : ""#,
                r#""a\u0001\t\n\r\b\f/\"\\ä, : ""#,
                r#""a\u0001\t\n\r\b\f/\"\\ä, : ""#,
            ),
            (r#""\u001f""#, r#""\u001F""#, r#""\u001f""#),
            ("10000000.0", "10000000", "10000000"),
            ("100000000000000.0", "100000000000000", "100000000000000"),
            ("1e20", "100000000000000000000", "100000000000000000000"),
            ("4.611686018427388e18", "4611686018427387904", "4611686018427387904"),
            ("1.2345678901234568e29", "123456789012345677877719597056", "123456789012345677877719597056"),
            ("12345678.9", "12345678.90000000037252902984619140625", "12345678.9"),
            ("0.0001", "0.000100000000000000004792173602385929598312941379845142364501953125", "0.0001"),
            (
                "1e-10",
                "0.00000000010000000000000000364321973154977415791655470655996396089904010295867919921875",
                "0.0000000001",
            ),
            ("-0.0", "-0.0", "-0.0"),
            ("100000.0", "100000.0", "100000.0"),
            ("1.10", "1.10", "1.10"),
            ("3.141592653589793", "3.141592653589793", "3.141592653589793"),
            (
                "12345678901234567890.1234567890",
                "12345678901234567890.1234567890",
                "12345678901234567890.1234567890",
            ),
            ("18446744073709551615", "18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808", "-9223372036854775808"),
        ] {
            assert_eq!(canonical(server), wanted);
            assert_eq!(canonical(stream), wanted);
            assert_eq!(canonical(wanted), wanted, "it stays");
        }
    }

    #[test]
    fn what_is_no_json_does_no_harm() {
        for text in ["", "\"", "\"\\", "\"\\u12", "-", "1e", "{\"a\":", "ä", "\"\\ud83d\""] {
            let once = canonical(text);
            assert_eq!(canonical(&once), once, "{text}");
        }
    }
}
