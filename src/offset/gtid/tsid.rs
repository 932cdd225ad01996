//! The source of a transaction: a UUID with an optional tag. Small and `Copy`, so that a GTID costs no allocation.

use std::fmt;

use crate::offset::gtid::GtidError;

/// The most characters of a tag (manual: "GTID Format and Storage").
const MAX_TAG: usize = 32;

/// The tag of a GTID: empty, or up to 32 of `a-z 0-9 _`, not beginning with a digit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    // Zero bytes after the text, so that the derived order is the order of the text.
    text: [u8; MAX_TAG],
    len: u8,
}

impl Tag {
    /// No tag.
    pub const NONE: Tag = Tag { text: [0; MAX_TAG], len: 0 };

    /// Reads a tag; the server takes upper case and makes it lower case.
    pub fn parse(text: &str) -> Result<Self, GtidError> {
        let invalid = || GtidError::syntax("gtid tag", text);
        let mut tag = Tag { text: [0; MAX_TAG], len: u8::try_from(text.len()).map_err(|_| invalid())? };
        let room = tag.text.get_mut(..text.len()).ok_or_else(invalid)?;
        for (position, (to, from)) in room.iter_mut().zip(text.bytes()).enumerate() {
            *to = match from {
                b'a'..=b'z' | b'_' => from,
                b'A'..=b'Z' => from.to_ascii_lowercase(),
                b'0'..=b'9' if position > 0 => from,
                _ => return Err(invalid()),
            };
        }
        Ok(tag)
    }

    /// The text, empty for no tag.
    pub fn as_str(&self) -> &str {
        // Only ASCII gets in, see `parse`.
        self.text
            .get(..usize::from(self.len))
            .and_then(|text| std::str::from_utf8(text).ok())
            .unwrap_or_default()
    }

    /// Whether there is no tag.
    pub fn is_none(&self) -> bool {
        self.len == 0
    }
}

/// UUID and tag: what numbers transactions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tsid {
    /// The server's or group's UUID, as bytes in the order of its text.
    pub uuid: [u8; 16],
    /// The tag.
    pub tag: Tag,
}

impl Tsid {
    /// Reads a UUID with or without dashes and braces, of either case, as the server does.
    pub fn parse_uuid(text: &str) -> Result<[u8; 16], GtidError> {
        let invalid = || GtidError::syntax("gtid uuid", text);
        if !matches!(text.len(), 32 | 36 | 38) {
            return Err(invalid());
        }
        uuid::Uuid::try_parse(text).map(uuid::Uuid::into_bytes).map_err(|_| invalid())
    }

    /// Reads `uuid` or `uuid:tag`.
    pub fn parse(text: &str) -> Result<Self, GtidError> {
        let (uuid, tag) = text.split_once(':').unwrap_or((text, ""));
        Ok(Tsid { uuid: Self::parse_uuid(uuid.trim())?, tag: Tag::parse(tag.trim())? })
    }

    /// The UUID's text, in lower case.
    pub fn uuid_text(&self) -> String {
        uuid::Uuid::from_bytes(self.uuid).to_string()
    }
}

impl fmt::Display for Tsid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        uuid::Uuid::from_bytes(self.uuid).fmt(f)?;
        if !self.tag.is_none() {
            write!(f, ":{}", self.tag.as_str())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_checked_and_made_lower_case() {
        assert_eq!(Tag::parse("My_Tag9").unwrap().as_str(), "my_tag9");
        assert!(Tag::parse("").unwrap().is_none());
        assert!(Tag::parse(&"a".repeat(32)).is_ok());
        for wrong in ["9a", "a-b", "é", &"a".repeat(33), &"a".repeat(300)] {
            assert!(Tag::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_tsid_prints_in_lower_case() {
        let tsid = Tsid::parse("3E11FA47-71CA-11E1-9E33-C80AA9429562:Backup").unwrap();
        assert_eq!(tsid.to_string(), "3e11fa47-71ca-11e1-9e33-c80aa9429562:backup");
        assert!(Tsid::parse("3e11fa47-71ca-11e1-9e33").is_err());
    }
}
