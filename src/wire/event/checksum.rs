//! The CRC32 (IEEE) in the last four bytes of an event, over all bytes before it.

use crate::wire::error::WireError;
use crate::wire::event::header::{BINLOG_IN_USE, EventHeader, EventKind};

/// The length of a checksum.
pub(super) const CHECKSUM_LENGTH: usize = 4;
/// Where the flags stand in the header.
const FLAGS_AT: usize = 17;

/// Splits a frame into its bytes and its stored checksum.
fn split(frame: &[u8]) -> Result<(&[u8], u32), WireError> {
    let split = frame.split_last_chunk::<CHECKSUM_LENGTH>();
    let (covered, stored) = split.ok_or(WireError::Truncated {
        reading: "event checksum",
        wanted: CHECKSUM_LENGTH as u64,
        left: frame.len(),
    })?;
    Ok((covered, u32::from_le_bytes(*stored)))
}

/// What the checksum should be. A file that is in use says so in its first event without counting it.
fn compute(header: &EventHeader, covered: &[u8]) -> u32 {
    if header.kind == EventKind::FORMAT_DESCRIPTION
        && header.flags & BINLOG_IN_USE != 0
        && let Some((before, from_flags)) = covered.split_at_checked(FLAGS_AT)
        && let Some((_, after)) = from_flags.split_at_checked(2)
    {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(before);
        hasher.update(&(header.flags & !BINLOG_IN_USE).to_le_bytes());
        hasher.update(after);
        return hasher.finalize();
    }
    crc32fast::hash(covered)
}

/// Checks a frame and gives it without its checksum.
pub(super) fn verify<'a>(header: &EventHeader, frame: &'a [u8]) -> Result<&'a [u8], WireError> {
    let (covered, stored) = split(frame)?;
    let computed = compute(header, covered);
    if stored != computed {
        return Err(WireError::Checksum {
            kind: header.kind.name(),
            next_position: header.next_position,
            stored,
            computed,
        });
    }
    Ok(covered)
}

/// The frame without its checksum where it ends with one, else all of it: for an event that comes before the
/// FORMAT_DESCRIPTION that would say so.
pub(super) fn strip_if_present(frame: &[u8]) -> &[u8] {
    match split(frame) {
        Ok((covered, stored)) if crc32fast::hash(covered) == stored => covered,
        _ => frame,
    }
}
