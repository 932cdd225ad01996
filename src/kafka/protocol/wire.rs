//! The primitive types: numbers, strings, frames (<https://kafka.apache.org/protocol#protocol_types>).

use crate::kafka::protocol::Api;

/// Begins a request: room for the length of the frame, then the header (version 1).
pub fn begin_request(api: Api, version: i16, correlation: i32, client_id: &str) -> Vec<u8> {
    let mut frame = Vec::with_capacity(64 + client_id.len());
    frame.extend_from_slice(&[0; 4]);
    put_i16(&mut frame, api.key);
    put_i16(&mut frame, version);
    put_i32(&mut frame, correlation);
    put_string(&mut frame, client_id);
    frame
}

/// Fills in the length of a frame, behind which `more` bytes follow that are sent from elsewhere.
pub fn end_request(frame: &mut [u8], more: usize) {
    let length = i32::try_from((frame.len() + more).saturating_sub(4)).unwrap_or(i32::MAX);
    if let Some(place) = frame.get_mut(..4) {
        place.copy_from_slice(&length.to_be_bytes());
    }
}

/// INT16.
pub fn put_i16(out: &mut Vec<u8>, value: i16) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// INT32.
pub fn put_i32(out: &mut Vec<u8>, value: i32) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// The count of an ARRAY or the length of BYTES.
pub fn put_count(out: &mut Vec<u8>, count: usize) {
    put_i32(out, i32::try_from(count).unwrap_or(i32::MAX));
}

/// STRING: a length of 16 bits and UTF-8. What is longer than 32,767 bytes is no name that Kafka takes; it is cut.
pub fn put_string(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    let bytes = bytes.get(..i16::MAX as usize).unwrap_or(bytes);
    put_i16(out, i16::try_from(bytes.len()).unwrap_or(i16::MAX));
    out.extend_from_slice(bytes);
}

/// NULLABLE_STRING, absent.
pub fn put_null_string(out: &mut Vec<u8>) {
    put_i16(out, -1);
}

/// NULLABLE_STRING.
pub fn put_nullable_string(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => put_string(out, text),
        None => put_null_string(out),
    }
}

/// INT64.
pub fn put_i64(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// BYTES: a length of 32 bits and the bytes.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// A response that is not as the protocol says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer is not as kafka's protocol says at byte {position} of {length}")]
pub struct Malformed {
    /// Where, counted from the beginning of the frame behind its length.
    pub position: usize,
    /// How long the frame is.
    pub length: usize,
}

/// Reads a response.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// A frame without its length.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, position: 0 }
    }

    /// The error that says where reading stopped.
    pub fn malformed(&self) -> Malformed {
        Malformed { position: self.position, length: self.bytes.len() }
    }

    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let end = self.position.checked_add(count).ok_or(self.malformed())?;
        let taken = self.bytes.get(self.position..end).ok_or(self.malformed())?;
        self.position = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let malformed = self.malformed();
        self.take(N)?.try_into().map_err(|_| malformed)
    }

    /// INT8 or BOOLEAN.
    pub fn i8(&mut self) -> Result<i8, Malformed> {
        Ok(i8::from_be_bytes(self.array()?))
    }

    /// INT16.
    pub fn i16(&mut self) -> Result<i16, Malformed> {
        Ok(i16::from_be_bytes(self.array()?))
    }

    /// INT32.
    pub fn i32(&mut self) -> Result<i32, Malformed> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    /// INT64.
    pub fn i64(&mut self) -> Result<i64, Malformed> {
        Ok(i64::from_be_bytes(self.array()?))
    }

    /// The count of an ARRAY; a null one has no elements. Nothing is reserved by it: each element is read on its own.
    pub fn count(&mut self) -> Result<usize, Malformed> {
        Ok(usize::try_from(self.i32()?).unwrap_or(0))
    }

    /// NULLABLE_STRING.
    pub fn nullable_string(&mut self) -> Result<Option<&'a str>, Malformed> {
        let malformed = self.malformed();
        match usize::try_from(self.i16()?) {
            Ok(length) => std::str::from_utf8(self.take(length)?).map(Some).map_err(|_| malformed),
            Err(_) => Ok(None),
        }
    }

    /// STRING.
    pub fn string(&mut self) -> Result<&'a str, Malformed> {
        let malformed = self.malformed();
        self.nullable_string()?.ok_or(malformed)
    }

    /// BYTES; null ones are empty.
    pub fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.count()?;
        self.take(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::protocol::METADATA;

    #[test]
    fn a_frame_has_length_key_version_correlation_and_client() {
        let mut frame = begin_request(METADATA, 4, 7, "tw");
        put_bytes(&mut frame, b"x");
        end_request(&mut frame, 100);
        assert_eq!(frame, *b"\0\0\0\x75\0\x03\0\x04\0\0\0\x07\0\x02tw\0\0\0\x01x");
    }

    #[test]
    fn reading_stops_at_the_end_with_its_place() {
        let mut reader = Reader::new(b"\0\x02ab\xff\xff\0\0\0\x09");
        assert_eq!(reader.string(), Ok("ab"));
        assert_eq!(reader.nullable_string(), Ok(None));
        assert_eq!(reader.bytes(), Err(Malformed { position: 10, length: 10 }));
        assert_eq!(Reader::new(b"\0\x01\xff").string(), Err(Malformed { position: 0, length: 3 }));
    }
}
