//! One record inside a batch (message format 2, <https://kafka.apache.org/documentation/#record>).
//!
//! `length attributes timestampDelta offsetDelta keyLength key valueLength value headerCount headers`; everything but
//! the attributes' byte is a zigzag varint, -1 is the length of what is null, and a header is `keyLength key valueLength
//! value`. The bytes of key and value are copied once, from the buffer of the published batch into that of the
//! partition's batch; the headers of the run stand ready in one piece.

use crate::connect::record::{ContextHeaders, SEQUENCE_HEADER};

/// Headers that are the same on many records, encoded.
#[derive(Clone, Debug, Default)]
pub struct EncodedHeaders {
    count: usize,
    bytes: Vec<u8>,
}

impl EncodedHeaders {
    /// Encodes the headers of a run.
    pub fn new(headers: &ContextHeaders) -> Self {
        let mut bytes = Vec::new();
        for (name, value) in headers.iter() {
            put_header(&mut bytes, name, value);
        }
        EncodedHeaders { count: headers.len(), bytes }
    }
}

/// A record to be appended.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordBytes<'a> {
    /// Null for tables without a key.
    pub key: Option<&'a [u8]>,
    /// Null in a tombstone.
    pub value: Option<&'a [u8]>,
    /// The first header: name and value.
    pub key_change: Option<(&'a str, &'a [u8])>,
    /// Then those of the run.
    pub context: Option<&'a EncodedHeaders>,
    /// The last header.
    pub sequence: Option<u64>,
}

/// Name, lengths and value of the header `tidewire.seq`.
const SEQUENCE_SIZE: usize = 2 + SEQUENCE_HEADER.len() + 8;

impl RecordBytes<'_> {
    /// Key and value, bytes.
    pub fn payload(&self) -> usize {
        self.key.map_or(0, <[u8]>::len) + self.value.map_or(0, <[u8]>::len)
    }

    /// Not less than what the record takes in a batch.
    pub fn size_bound(&self) -> usize {
        // Attributes and six varints of at most five bytes, that of the time ten.
        let key_change = self.key_change.map_or(0, |(name, value)| 10 + name.len() + value.len());
        let context = self.context.map_or(0, |headers| headers.bytes.len());
        let sequence = self.sequence.map_or(0, |_| SEQUENCE_SIZE);
        41 + self.payload() + key_change + context + sequence
    }

    fn headers(&self) -> (usize, usize) {
        let mut count = 0;
        let mut size = 0;
        if let Some((name, value)) = self.key_change {
            count += 1;
            size +=
                varint_size(name.len() as i64) + name.len() + varint_size(value.len() as i64) + value.len();
        }
        if let Some(headers) = self.context {
            count += headers.count;
            size += headers.bytes.len();
        }
        if self.sequence.is_some() {
            count += 1;
            size += SEQUENCE_SIZE;
        }
        (count, size)
    }

    /// Appends the record.
    pub fn put(&self, out: &mut Vec<u8>, timestamp_delta: i64, offset_delta: i32) {
        let (headers, headers_size) = self.headers();
        let part =
            |part: Option<&[u8]>| part.map_or(1, |bytes| varint_size(bytes.len() as i64) + bytes.len());
        let length = 1
            + varint_size(timestamp_delta)
            + varint_size(offset_delta.into())
            + part(self.key)
            + part(self.value)
            + varint_size(headers as i64)
            + headers_size;
        out.reserve(length + 5);
        put_varint(out, length as i64);
        out.push(0);
        put_varint(out, timestamp_delta);
        put_varint(out, offset_delta.into());
        put_part(out, self.key);
        put_part(out, self.value);
        put_varint(out, headers as i64);
        if let Some((name, value)) = self.key_change {
            put_header(out, name, value);
        }
        if let Some(headers) = self.context {
            out.extend_from_slice(&headers.bytes);
        }
        if let Some(sequence) = self.sequence {
            put_header(out, SEQUENCE_HEADER, &sequence.to_be_bytes());
        }
    }
}

fn put_part(out: &mut Vec<u8>, part: Option<&[u8]>) {
    match part {
        Some(bytes) => {
            put_varint(out, bytes.len() as i64);
            out.extend_from_slice(bytes);
        }
        None => put_varint(out, -1),
    }
}

fn put_header(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    put_part(out, Some(name.as_bytes()));
    put_part(out, Some(value));
}

/// Zigzag, then seven bits a byte, lowest first.
pub(super) fn put_varint(out: &mut Vec<u8>, value: i64) {
    let mut rest = ((value << 1) ^ (value >> 63)) as u64;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

fn varint_size(value: i64) -> usize {
    let zigzag = ((value << 1) ^ (value >> 63)) as u64;
    ((63 - (zigzag | 1).leading_zeros()) / 7 + 1) as usize
}

/// Reads a varint off the front.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<i64> {
    let mut zigzag = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        zigzag |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_are_those_of_protocol_buffers_with_zigzag() {
        for (value, bytes) in [
            (0, b"\x00".as_slice()),
            (-1, b"\x01"),
            (63, b"\x7e"),
            (-64, b"\x7f"),
            (64, b"\x80\x01"),
            (i64::from(i32::MAX), b"\xfe\xff\xff\xff\x0f"),
            (i64::MIN, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        ] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            assert_eq!((out.as_slice(), varint_size(value)), (bytes, bytes.len()), "{value}");
            assert_eq!(take_varint(&mut out.as_slice()), Some(value));
            assert_eq!(take_varint(&mut &out[..out.len() - 1]), None);
        }
    }
}
