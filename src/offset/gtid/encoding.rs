//! The binary form of a MySQL GTID set, in COM_BINLOG_DUMP_GTID and PREVIOUS_GTIDS events.
//!
//! Plain: the number of UUIDs (8 bytes); for each its 16 bytes, the number of intervals (8) and their bounds (8 + 8,
//! the end excluded). Tagged (MySQL 8.3 and later; only used when a tag is there, since older servers do not know it):
//! the number of TSIDs moves to bits 8 to 55 of the first word, whose first and last byte are 1, and each UUID is
//! followed by the length of its tag (a varlen integer of `mysql/serialization`) and the tag, empty for none.
//! `Gtid_set::encode`, sql/rpl_gtid_set.cc. All integers are little endian.

use crate::offset::gtid::{GtidError, GtidSet, Interval, Tag, Tsid};

/// The first and last byte of the number of TSIDs in the tagged form.
const TAGGED: u64 = 1;

impl GtidSet {
    /// The binary form: the plain one unless a tag is in the set.
    pub fn encode(&self) -> Vec<u8> {
        let tagged = self.sources.keys().any(|tsid| !tsid.tag.is_none());
        let count = self.sources.len() as u64;
        let mut bytes = Vec::with_capacity(8 + self.sources.len() * 48);
        let first = if tagged { TAGGED << 56 | count << 8 | TAGGED } else { count };
        bytes.extend_from_slice(&first.to_le_bytes());
        for (tsid, intervals) in &self.sources {
            bytes.extend_from_slice(&tsid.uuid);
            if tagged {
                // A varlen integer below 128 is one byte with its lowest bit free.
                let tag = tsid.tag.as_str();
                bytes.push((tag.len() as u8) << 1);
                bytes.extend_from_slice(tag.as_bytes());
            }
            bytes.extend_from_slice(&(intervals.len() as u64).to_le_bytes());
            for interval in intervals {
                bytes.extend_from_slice(&interval.start.to_le_bytes());
                bytes.extend_from_slice(&(interval.end + 1).to_le_bytes());
            }
        }
        bytes
    }

    /// Reads the binary form, all of it.
    pub fn decode(bytes: &[u8]) -> Result<GtidSet, GtidError> {
        let mut rest = bytes;
        let first = word(&mut rest)?;
        let tagged = first >> 56 == TAGGED;
        let count = match first >> 56 {
            0 => first,
            TAGGED => first >> 8 & 0xffff_ffff_ffff,
            _ => return Err(GtidError::Encoding("of an unknown format")),
        };
        let mut set = GtidSet::new();
        for _ in 0..count {
            let tsid = tsid(&mut rest, tagged)?;
            for _ in 0..word(&mut rest)? {
                let (start, end) = (word(&mut rest)?, word(&mut rest)?);
                set.add_interval(tsid, Interval::new(start, end.saturating_sub(1))?);
            }
        }
        if !rest.is_empty() {
            return Err(GtidError::Encoding("too long"));
        }
        Ok(set)
    }
}

fn word(rest: &mut &[u8]) -> Result<u64, GtidError> {
    let (word, after) = rest.split_first_chunk::<8>().ok_or(GtidError::Encoding("truncated"))?;
    *rest = after;
    Ok(u64::from_le_bytes(*word))
}

fn tsid(rest: &mut &[u8], tagged: bool) -> Result<Tsid, GtidError> {
    let (uuid, mut after) = rest.split_first_chunk::<16>().ok_or(GtidError::Encoding("truncated"))?;
    let mut tag = Tag::NONE;
    if tagged {
        let (length, text) = after.split_first().ok_or(GtidError::Encoding("truncated"))?;
        if length & 1 == 1 {
            return Err(GtidError::Encoding("of a tag that is too long"));
        }
        let (text, next) =
            text.split_at_checked(usize::from(length >> 1)).ok_or(GtidError::Encoding("truncated"))?;
        let text = std::str::from_utf8(text).map_err(|_| GtidError::Encoding("of a tag that is not text"))?;
        tag = Tag::parse(text)?;
        after = next;
    }
    *rest = after;
    Ok(Tsid { uuid: *uuid, tag })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UUID: &str = "01020304-0506-0708-090a-0b0c0d0e0f10";
    const UUID_BYTES: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

    #[test]
    fn the_plain_form() {
        let set: GtidSet = format!("{UUID}:1-5:7").parse().unwrap();
        let mut bytes = vec![1, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(UUID_BYTES);
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0]);
        for bound in [1, 6, 7, 8] {
            bytes.extend([bound, 0, 0, 0, 0, 0, 0, 0]);
        }
        assert_eq!(set.encode(), bytes);
        assert_eq!(GtidSet::decode(&bytes).unwrap(), set);
        assert_eq!(GtidSet::new().encode(), [0; 8]);
        for cut in 0..bytes.len() {
            assert!(GtidSet::decode(&bytes[..cut]).is_err(), "{cut}");
        }
        bytes.push(0);
        assert_eq!(GtidSet::decode(&bytes), Err(GtidError::Encoding("too long")));
    }

    #[test]
    fn the_tagged_form() {
        let set: GtidSet = format!("{UUID}:9:ab:1-2").parse().unwrap();
        let mut bytes = vec![1, 2, 0, 0, 0, 0, 0, 1];
        for (tag, start, end) in [(&b"\0"[..], 9, 10), (&b"\x04ab"[..], 1, 3)] {
            bytes.extend(UUID_BYTES);
            bytes.extend(tag);
            for word in [1, start, end] {
                bytes.extend([word, 0, 0, 0, 0, 0, 0, 0]);
            }
        }
        assert_eq!(set.encode(), bytes);
        assert_eq!(GtidSet::decode(&bytes).unwrap(), set);
    }
}
