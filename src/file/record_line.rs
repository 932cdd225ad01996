//! A record as one line of JSON.
//!
//! `{"topic":"t","partition":0,"headers":{"name":"text"},"key":"text","value":"text"}`: key and value are strings that
//! hold exactly what the converter wrote, `null` for none, `{"__base64":"…"}` for bytes that are not UTF-8. Headers are
//! text, or `0x` and hexadecimal digits where they are not UTF-8; the eight bytes of `tidewire.seq` are always that.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::connect::record::{ContextHeaders, Record, RecordBatch, SEQUENCE_HEADER};

/// Appends a record of a batch, with the line feed.
pub fn append(out: &mut Vec<u8>, batch: &RecordBatch, record: &Record, context: &ContextHeaders) {
    out.extend_from_slice(b"{\"topic\":");
    string(out, record.topic.as_bytes());
    out.extend_from_slice(b",\"partition\":");
    let mut digits = itoa::Buffer::new();
    out.extend_from_slice(digits.format(record.partition.unwrap_or(0)).as_bytes());
    out.extend_from_slice(b",\"headers\":{");
    let first = out.len();
    if let Some((name, span)) = &record.headers.key_change {
        header(out, first, name, batch.slice(span));
    }
    if record.headers.context {
        for (name, value) in context.iter() {
            header(out, first, name, value);
        }
    }
    if let Some(sequence) = record.headers.sequence {
        header_name(out, first, SEQUENCE_HEADER);
        hexadecimal(out, &sequence.to_be_bytes());
    }
    out.extend_from_slice(b"},\"key\":");
    bytes(out, record.key.as_ref().map(|span| batch.slice(span)));
    out.extend_from_slice(b",\"value\":");
    bytes(out, record.value.as_ref().map(|span| batch.slice(span)));
    out.extend_from_slice(b"}\n");
}

fn header(out: &mut Vec<u8>, first: usize, name: &str, value: &[u8]) {
    header_name(out, first, name);
    if std::str::from_utf8(value).is_ok() { string(out, value) } else { hexadecimal(out, value) }
}

fn header_name(out: &mut Vec<u8>, first: usize, name: &str) {
    if out.len() > first {
        out.push(b',');
    }
    string(out, name.as_bytes());
    out.push(b':');
}

fn hexadecimal(out: &mut Vec<u8>, value: &[u8]) {
    out.extend_from_slice(b"\"0x");
    for byte in value {
        out.push(digit(byte >> 4));
        out.push(digit(byte & 15));
    }
    out.push(b'"');
}

fn digit(nibble: u8) -> u8 {
    if nibble < 10 { b'0' + nibble } else { b'a' + (nibble - 10) }
}

fn bytes(out: &mut Vec<u8>, value: Option<&[u8]>) {
    match value {
        None => out.extend_from_slice(b"null"),
        Some(value) if std::str::from_utf8(value).is_ok() => string(out, value),
        Some(value) => {
            out.extend_from_slice(b"{\"__base64\":\"");
            out.extend_from_slice(STANDARD.encode(value).as_bytes());
            out.extend_from_slice(b"\"}");
        }
    }
}

/// A JSON string of valid UTF-8. Whole runs are copied between the characters that must be escaped (RFC 8259, 7).
fn string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    let mut rest = text;
    while let Some(place) = rest.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\')) {
        let (plain, escaped) = rest.split_at(place);
        out.extend_from_slice(plain);
        let Some((byte, after)) = escaped.split_first() else { break };
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            other => {
                out.extend_from_slice(b"\\u00");
                out.push(digit(other >> 4));
                out.push(digit(other & 15));
            }
        }
        rest = after;
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::connect::record::{RecordHeaders, Span};

    fn add(batch: &mut RecordBatch, bytes: &[u8]) -> Span {
        let start = batch.bytes.len() as u32;
        batch.bytes.extend_from_slice(bytes);
        start..batch.bytes.len() as u32
    }

    #[test]
    fn lines() {
        let context: ContextHeaders = Arc::from(vec![("c".to_owned(), b"0".to_vec())]);
        let mut batch = RecordBatch::default();
        let (key, value, binary, change) = (
            add(&mut batch, br#"{"id":1}"#),
            add(&mut batch, "a\\\u{1}\n\"ü".as_bytes()),
            add(&mut batch, b"\xFF\x00"),
            add(&mut batch, br#"{"id":2}"#),
        );
        let topic: Arc<str> = Arc::from("t");
        let record = |partition, key, value, headers| Record {
            topic: Arc::clone(&topic),
            partition,
            key,
            value,
            headers,
        };
        let all = RecordHeaders {
            key_change: Some(("__debezium.newkey", change)),
            context: true,
            sequence: Some(0x0102_0304_0506_070F),
        };
        let cases = [
            (
                record(None, Some(key.clone()), Some(value), all),
                r#"{"topic":"t","partition":0,"headers":{"__debezium.newkey":"{\"id\":2}","c":"0","tidewire.seq":"0x010203040506070f"},"key":"{\"id\":1}","value":"a\\\u0001\n\"ü"}"#,
            ),
            (
                record(Some(3), Some(key), None, RecordHeaders::default()),
                r#"{"topic":"t","partition":3,"headers":{},"key":"{\"id\":1}","value":null}"#,
            ),
            (
                record(None, None, Some(binary), RecordHeaders::default()),
                r#"{"topic":"t","partition":0,"headers":{},"key":null,"value":{"__base64":"/wA="}}"#,
            ),
        ];
        for (record, expected) in cases {
            let mut out = Vec::new();
            append(&mut out, &batch, &record, &context);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{expected}\n"));
        }
    }
}
