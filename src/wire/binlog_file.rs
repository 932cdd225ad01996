//! A binlog file: four bytes `fe 62 69 6e`, then events one after the other. Manual: "Binary Log File".
//!
//! The reader yields one frame at a time in a buffer that it reuses. Its memory grows with what the file holds, not
//! with what an event's header announces. A file that ends inside of an event (the server is writing it, or died)
//! is an error that names the event's position.

use std::io::{self, Read};

use crate::wire::error::WireError;
use crate::wire::event::HEADER_LENGTH;
use crate::wire::reader::Reader;

/// The first bytes of a file.
const MAGIC: [u8; 4] = *b"\xfebin";
/// The first bytes of an encrypted file (`binlog_encryption=ON`).
const ENCRYPTED_MAGIC: [u8; 4] = *b"\xfdbin";
/// The largest event that is taken for one: `max_allowed_packet` ends at 1 GiB, and an event adds its headers.
const MAX_EVENT_SIZE: u32 = (1 << 30) + (1 << 20);

/// One event with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Where it begins in the file.
    pub position: u64,
    /// The whole event, header and checksum included: what `EventParser::parse` takes.
    pub bytes: &'a [u8],
}

/// The events of a file, from its beginning.
#[derive(Debug)]
pub struct BinlogFile<R> {
    file: R,
    position: u64,
    frame: Vec<u8>,
}

impl<R: Read> BinlogFile<R> {
    /// Reads the magic. Give it a buffered reader.
    pub fn new(mut file: R) -> Result<Self, WireError> {
        let mut magic = [0; 4];
        file.read_exact(&mut magic).map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => {
                WireError::Truncated { reading: "binlog magic", wanted: 4, left: 0 }
            }
            _ => WireError::Io { position: 0, source },
        })?;
        match magic {
            MAGIC => Ok(BinlogFile { file, position: 4, frame: Vec::new() }),
            ENCRYPTED_MAGIC => Err(WireError::Encrypted),
            other => Err(WireError::BadMagic(u32::from_be_bytes(other))),
        }
    }

    /// Where the next event begins.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The next event; `None` at the end of the file.
    pub fn next_frame(&mut self) -> Result<Option<Frame<'_>>, WireError> {
        let position = self.position;
        self.frame.clear();
        self.fill(HEADER_LENGTH as u64)?;
        if self.frame.is_empty() {
            return Ok(None);
        }
        let in_file = |error| WireError::InFile { position, source: Box::new(error) };
        let size = self.event_size().map_err(in_file)?;
        self.fill(u64::from(size) - HEADER_LENGTH as u64)?;
        if self.frame.len() < size as usize {
            let left = self.frame.len();
            return Err(in_file(WireError::Truncated {
                reading: "binlog event",
                wanted: u64::from(size),
                left,
            }));
        }
        self.position += u64::from(size);
        Ok(Some(Frame { position, bytes: &self.frame }))
    }

    /// The size of the event whose header is in the buffer.
    fn event_size(&self) -> Result<u32, WireError> {
        let mut header = Reader::new(&self.frame);
        header.take(9, "event header")?;
        let size = header.u32("event header")?;
        header.take(6, "event header")?;
        if size < HEADER_LENGTH as u32 {
            return Err(WireError::invalid("event header", "the event size is below 19"));
        }
        if size > MAX_EVENT_SIZE {
            return Err(WireError::EventTooLarge { size: u64::from(size), limit: u64::from(MAX_EVENT_SIZE) });
        }
        Ok(size)
    }

    /// Appends so many bytes to the buffer, or what is left of the file.
    fn fill(&mut self, size: u64) -> Result<(), WireError> {
        let position = self.position;
        let mut part = self.file.by_ref().take(size);
        part.read_to_end(&mut self.frame).map(drop).map_err(|source| WireError::Io { position, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Classify, ErrorClass, chain};

    const STOP: [u8; 19] = [0, 0, 0, 0, 3, 1, 0, 0, 0, 19, 0, 0, 0, 23, 0, 0, 0, 0, 0];

    fn file(bytes: &[u8]) -> Result<Vec<u64>, WireError> {
        let mut file = BinlogFile::new(bytes)?;
        let mut positions = Vec::new();
        while let Some(frame) = file.next_frame()? {
            positions.push(frame.position);
        }
        Ok(positions)
    }

    #[test]
    fn frames_come_with_their_positions() {
        let bytes = [&MAGIC[..], &STOP, &STOP].concat();
        assert_eq!(file(&bytes).unwrap(), [4, 23]);
        assert!(file(&MAGIC).unwrap().is_empty());
    }

    #[test]
    fn faults_name_their_position() {
        let whole = [&MAGIC[..], &STOP, &STOP].concat();
        let mut tiny = whole.clone();
        tiny[4 + 9] = 18;
        let mut huge = whole.clone();
        huge[23 + 12] = 0x7f;
        for (bytes, text) in [
            (&b""[..], "truncated binlog magic: 4 bytes wanted, 0 left"),
            (b"\xfdbinxxx", "the binlog file is encrypted (binlog_encryption), only the server can read it"),
            (b"PK\x03\x04", "not a binlog: the file begins with 0x504b0304 instead of 0xfe62696e"),
            (&whole[..30], "binlog file at position 23: truncated event header: 9 bytes wanted, 7 left"),
            (&tiny, "binlog file at position 4: invalid event header: the event size is below 19"),
            (
                &huge,
                "binlog file at position 23: event of 2130706451 bytes exceeds the limit of 1074790400 bytes",
            ),
        ] {
            let error = file(bytes).unwrap_err();
            assert_eq!(chain(&error), text);
            assert_eq!(error.class(), ErrorClass::Fatal);
        }
    }
}
