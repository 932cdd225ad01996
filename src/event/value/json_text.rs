//! The server's JSON text in the spelling of the stream, for `tidewire.snapshot.values=stream` and for keys.
//!
//! A result set has documents as text only, whatever is selected (there is no function that gives their binary form), and
//! the text does not say what each value is. What it says without doubt is spelled as `wire::jsonb` spells it:
//! no blanks, upper-case hexadecimal digits in escapes, and doubles, which alone have exponents (`1e22`) and, from
//! 10,000,000 on, a fraction of `.0`. Three things cannot be told apart in the text and stay as they are:
//! * a double from a DECIMAL that looks alike (`12345678.9`, `0.0001`): the stream has the double's exact value, which for
//!   a DECIMAL would be one that nobody stored;
//! * a TIME or DATETIME (`"12:00:00.000000"`, in the stream without the zeros) from a string;
//! * bytes (`"base64:type15:AP8="`, in the stream without the prefix) from a string.
//!
//! One walk over the text; nothing is nested, nothing is kept.

use crate::wire::jsonb::write_double;

/// From here on a double is printed without a point when it is whole.
const WITHOUT_POINT: f64 = 1e7;

/// Appends a document.
pub fn write_stream_text(text: &str, out: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let size = match first {
            b'"' => string(rest, out),
            b'-' | b'0'..=b'9' => number(rest, out),
            b' ' | b'\n' | b'\r' | b'\t' => 1,
            _ => {
                out.push(*first);
                1
            }
        };
        rest = rest.get(size..).unwrap_or(after);
    }
}

/// Appends the string that begins here, and gives its size in the text.
fn string(text: &[u8], out: &mut Vec<u8>) -> usize {
    let mut size = 1;
    while let Some(byte) = text.get(size) {
        size += match byte {
            b'"' => {
                size += 1;
                break;
            }
            b'\\' => 2,
            _ => 1,
        };
    }
    let start = out.len();
    for byte in text.get(..size).unwrap_or(text) {
        match byte {
            // MySQL 5.7 leaves this one as it is; no JSON may have it.
            0x1f => out.extend_from_slice(br"\u001F"),
            _ => out.push(*byte),
        }
    }
    let written = out.get_mut(start..).unwrap_or_default();
    let mut at = 0;
    while let Some(found) = written.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found + 2;
        if written.get(at - 1) == Some(&b'u') {
            if let Some(digits) = written.get_mut(at..at + 4) {
                digits.make_ascii_uppercase();
            }
            at += 4;
        }
    }
    size
}

/// Appends the number that begins here, and gives its size in the text.
fn number(text: &[u8], out: &mut Vec<u8>) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let size = text.iter().take_while(|byte| is_part(byte)).count();
    let number = text.get(..size).unwrap_or(text);
    let value: Option<f64> = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok());
    match value.filter(|value| value.is_finite()) {
        Some(value) if number.iter().any(|byte| matches!(byte, b'e' | b'E')) => write_double(value, out),
        Some(value) if value.abs() >= WITHOUT_POINT && number.ends_with(b".0") => {
            out.extend_from_slice(number.get(..size - 2).unwrap_or(number));
        }
        _ => out.extend_from_slice(number),
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(text: &str) -> String {
        let mut out = Vec::new();
        write_stream_text(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// Snapshot and stream of the same documents, as the real Debezium published them (types_json_scalars,
    /// types_json_opaque).
    #[test]
    fn documents_of_a_snapshot_become_those_of_the_stream() {
        for (snapshot, expected) in [
            (r#"[[], {}]"#, "[[],{}]"),
            (r#"{"a": 2, "b": 1, "aa": 3}"#, r#"{"a":2,"b":1,"aa":3}"#),
            (r#"{"sp": [1, 2]}"#, r#"{"sp":[1,2]}"#),
            (r#""a \"b, c\": d""#, r#""a \"b, c\": d""#),
            (r#""q\"b\\s/\b\f\n\r\t""#, r#""q\"b\\s/\b\f\n\r\t""#),
            ("\"\\u0000\\u001f\u{7f}\u{2028}\"", "\"\\u0000\\u001F\u{7f}\u{2028}\""),
            (r#"{"q\"": 2, "é": "ü", "日": "本", "😀": 1}"#, r#"{"q\"":2,"é":"ü","日":"本","😀":1}"#),
            // MySQL 5.7.19.
            ("\"a\u{1f}b\"", "\"a\\u001Fb\""),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("1.8446744073709552e19", "18446744073709551616"),
            ("1e22", "10000000000000000000000"),
            ("10000000.0", "10000000"),
            ("-10000000.0", "-10000000"),
            ("1000000.0", "1000000.0"),
            ("-0.0", "-0.0"),
            ("0.001", "0.001"),
            ("3.141592653589793", "3.141592653589793"),
            (
                "[1.50, -12345678901234567890.1234567890, 0.000]",
                "[1.50,-12345678901234567890.1234567890,0.000]",
            ),
            ("[null, true, false]", "[null,true,false]"),
        ] {
            assert_eq!(stream(snapshot), expected);
        }
        assert_eq!(stream("1e-10").len(), 88);
        assert_eq!(stream("5e-324").len(), 1076);
    }

    #[test]
    fn what_cannot_be_told_apart_stays() {
        for text in ["12345678.9", "0.0001", r#""12:34:56.000000""#, r#""base64:type15:AP8Q""#] {
            assert_eq!(stream(text), text);
        }
    }

    proptest::proptest! {
        #[test]
        fn a_document_stays_the_same(text in "\\PC{0,40}|[-+0-9.eE\\\\u\" ,:{}\\[\\]]{0,40}") {
            let document: Result<serde_json::Value, _> = serde_json::from_str(&text);
            let spelled = stream(&text);
            if let Ok(document) = document {
                proptest::prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&spelled).unwrap(), document);
            }
        }
    }
}
