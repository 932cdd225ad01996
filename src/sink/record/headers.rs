//! What a record carries beside key and value.

use crate::connect::record::SEQUENCE_HEADER;
use crate::event::headers::OLD_KEY;

/// The headers that the sink knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownHeaders<'a> {
    /// `tidewire.seq`, as it came: 8 bytes when it is right.
    pub sequence: Option<&'a [u8]>,
    /// The key from which the row came, where this is its insert under another one: an object of JSON.
    pub old_key: Option<&'a [u8]>,
}

impl<'a> KnownHeaders<'a> {
    /// Looks at names and values. Of two headers of a name the last counts, as in Kafka Connect (`Headers.lastWithName`).
    pub fn of(headers: impl Iterator<Item = (&'a str, Option<&'a [u8]>)>) -> Self {
        let mut known = KnownHeaders::default();
        for (name, value) in headers {
            match name {
                SEQUENCE_HEADER => known.sequence = value,
                OLD_KEY => known.old_key = value,
                _ => {}
            }
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_headers_are_found_among_others() {
        let headers = [
            ("__debezium.context.taskId", Some(&b"0"[..])),
            ("__debezium.oldkey", Some(br#"{"id":2}"#)),
            ("tidewire.seq", Some(&[1])),
            ("tidewire.seq", Some(&[2, 3])),
        ];
        let wanted = KnownHeaders { sequence: Some(&[2, 3]), old_key: Some(br#"{"id":2}"#) };
        assert_eq!(KnownHeaders::of(headers.into_iter()), wanted);
    }
}
