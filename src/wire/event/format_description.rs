//! FORMAT_DESCRIPTION: the first event of a file, and of a dump. It says how the others are written.
//!
//! Body: binlog version (2 bytes), server version (50, padded with zeros), creation time (4), header length (1), one
//! byte of post-header length for each kind from 1, the checksum algorithm (1), four bytes for a checksum. The last
//! two exist since MySQL 5.6.1, whatever the algorithm. Manual: "FORMAT_DESCRIPTION_EVENT".

use crate::wire::error::WireError;
use crate::wire::event::header::{EventHeader, EventKind, HEADER_LENGTH};
use crate::wire::reader::Reader;

/// How the events of a file are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChecksumAlgorithm {
    /// No checksum (`binlog_checksum=NONE`).
    None,
    /// Four bytes of CRC32 (IEEE) after each event.
    Crc32,
}

/// What a FORMAT_DESCRIPTION event says.
#[derive(Clone, Copy, Debug)]
pub struct FormatDescriptionEvent<'a> {
    /// The server's version, such as `9.7.4`.
    pub server_version: &'a [u8],
    /// When the file was begun at the start of a server, in seconds since 1970; otherwise 0.
    pub created: u32,
    /// The post-header length of each kind, from kind 1.
    pub post_header_lengths: &'a [u8],
    /// How the events of the file are checked.
    pub checksum: ChecksumAlgorithm,
}

impl<'a> FormatDescriptionEvent<'a> {
    /// Reads a whole frame; this event decides by itself whether it has a checksum.
    pub(super) fn read(header: &EventHeader, frame: &'a [u8]) -> Result<Self, WireError> {
        const READING: &str = "format description event";
        let mut reader = Reader::new(frame);
        reader.take(HEADER_LENGTH, READING)?;
        if reader.u16(READING)? != 4 {
            return Err(WireError::invalid(READING, "the binlog version is not 4"));
        }
        let version = reader.take(50, READING)?;
        let server_version = version.split(|byte| *byte == 0).next().unwrap_or_default();
        let created = reader.u32(READING)?;
        if usize::from(reader.u8(READING)?) != HEADER_LENGTH {
            return Err(WireError::invalid(READING, "the event header length is not 19"));
        }
        let rest = reader.rest();
        // Its own length without the fields of the checksum, by which a version that a flipped bit made older is found.
        let tail = rest
            .get(usize::from(EventKind::FORMAT_DESCRIPTION.0) - 1)
            .map(|own| (57 + rest.len()).checked_sub(usize::from(*own)));
        let agrees = match tail {
            Some(tail) => tail == Some(if has_checksum_fields(server_version) { 5 } else { 0 }),
            None => true,
        };
        if !agrees && !is_mariadb(server_version) {
            return Err(WireError::invalid(
                READING,
                "the server version and the length do not belong together",
            ));
        }
        let (post_header_lengths, checksum) = if has_checksum_fields(server_version) {
            let split = rest.len().checked_sub(5).and_then(|at| rest.split_at_checked(at));
            let (lengths, tail) =
                split.ok_or(WireError::Truncated { reading: READING, wanted: 5, left: rest.len() })?;
            match tail.first() {
                Some(0) => (lengths, ChecksumAlgorithm::None),
                Some(1) => (lengths, ChecksumAlgorithm::Crc32),
                other => return Err(WireError::UnknownChecksumAlgorithm(other.copied().unwrap_or(255))),
            }
        } else {
            (rest, ChecksumAlgorithm::None)
        };
        if checksum == ChecksumAlgorithm::Crc32 {
            super::checksum::verify(header, frame)?;
        }
        Ok(FormatDescriptionEvent { server_version, created, post_header_lengths, checksum })
    }

    /// Looks at the first event of a file: it must be this one, and it has a CRC32 even where the others have none
    /// (`binlog_checksum=NONE`). What a server sends need not have the latter.
    pub fn check_first_of_file(frame: &'a [u8]) -> Result<(), WireError> {
        let header = EventHeader::read(&mut Reader::new(frame))?;
        if header.kind != EventKind::FORMAT_DESCRIPTION {
            return Err(WireError::invalid(
                "binlog file",
                "it does not begin with a format description event",
            ));
        }
        let event = Self::read(&header, frame)?;
        if event.checksum == ChecksumAlgorithm::None && has_checksum_fields(event.server_version) {
            super::checksum::verify(&header, frame)?;
        }
        Ok(())
    }

    /// The post-header length of a kind, `None` for a kind that the server does not know.
    pub fn post_header_length(&self, kind: EventKind) -> Option<u8> {
        usize::from(kind.0).checked_sub(1).and_then(|index| self.post_header_lengths.get(index)).copied()
    }
}

/// Whether a server writes the checksum algorithm: MySQL from 5.6.1, MariaDB from 5.3.
fn has_checksum_fields(version: &[u8]) -> bool {
    let mut parts = version.split(|byte| !byte.is_ascii_digit()).map(|digits| {
        digits
            .iter()
            .fold(0u32, |number, digit| number.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
    });
    let number = [parts.next().unwrap_or(0), parts.next().unwrap_or(0), parts.next().unwrap_or(0)];
    let first = if is_mariadb(version) { [5, 3, 0] } else { [5, 6, 1] };
    number >= first
}

fn is_mariadb(version: &[u8]) -> bool {
    version.windows(7).any(|part| part == b"MariaDB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_checksum_fields() {
        for (version, has) in [
            ("9.7.4-2", true),
            ("8.0.15", true),
            ("5.7.19-log", true),
            ("5.6.1", true),
            ("5.6.0", false),
            ("5.5.62-log", false),
            ("5.3.0-MariaDB", true),
            ("10.11.6-MariaDB-log", true),
            ("", false),
        ] {
            assert_eq!(has_checksum_fields(version.as_bytes()), has, "{version}");
        }
    }
}
