//! What a record carries beside key and value.

use crate::connect::record::SEQUENCE_HEADER;
use crate::event::headers::{NEW_KEY, OLD_KEY};

/// The headers that the sink knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownHeaders<'a> {
    /// `tidewire.seq`, as it came: 8 bytes when it is right.
    pub sequence: Option<&'a [u8]>,
    /// Whether the row moved to another key: this is the deletion of the old one.
    pub key_moved_away: bool,
    /// Whether the row came from another key: this is the insert of the new one.
    pub key_moved_here: bool,
}

impl<'a> KnownHeaders<'a> {
    /// Looks at names and values. Of two headers of a name the last counts, as in Kafka Connect (`Headers.lastWithName`).
    pub fn of(headers: impl Iterator<Item = (&'a str, Option<&'a [u8]>)>) -> Self {
        let mut known = KnownHeaders::default();
        for (name, value) in headers {
            match name {
                SEQUENCE_HEADER => known.sequence = value,
                NEW_KEY => known.key_moved_away = true,
                OLD_KEY => known.key_moved_here = true,
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
            ("__debezium.newkey", Some(br#"{"id":2}"#)),
            ("tidewire.seq", Some(&[1])),
            ("tidewire.seq", Some(&[2, 3])),
        ];
        let wanted = KnownHeaders { sequence: Some(&[2, 3]), key_moved_away: true, key_moved_here: false };
        assert_eq!(KnownHeaders::of(headers.into_iter()), wanted);
        assert!(KnownHeaders::of([("__debezium.oldkey", None)].into_iter()).key_moved_here);
    }
}
