//! Events that are kept for later: in memory while they are few, in a temporary file when they are many.
//!
//! An entry is the place of the event in the log (first byte and the byte behind it, 8 bytes each), the length of its bytes
//! (4), all little endian, and its bytes without checksum. The file is in the system's temporary folder (`TMPDIR`) and has
//! no name from the moment it is made: whatever ends the process, nothing stays behind.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Cursor, Read, Seek, Write};

use crate::source::binlog::event_handler::EventPlace;

/// Bytes of an entry beside those of its event.
const ENTRY: usize = 20;

/// Events in the order in which they came.
#[derive(Debug, Default)]
pub struct Spill {
    memory: Vec<u8>,
    file: Option<BufWriter<File>>,
    bytes: u64,
}

impl Spill {
    /// Adds an event. Events go to a file as soon as they are more than `most_in_memory` bytes.
    pub fn add(&mut self, event: &[u8], at: EventPlace, most_in_memory: u64) -> io::Result<()> {
        let length = u32::try_from(event.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.bytes += Self::size(event);
        if self.file.is_none() && self.bytes > most_in_memory {
            let mut file = BufWriter::new(tempfile::tempfile()?);
            file.write_all(&self.memory)?;
            self.memory = Vec::new();
            self.file = Some(file);
        }
        let output: &mut dyn Write = match &mut self.file {
            Some(file) => file,
            None => &mut self.memory,
        };
        output.write_all(&at.start.to_le_bytes())?;
        output.write_all(&at.end.to_le_bytes())?;
        output.write_all(&length.to_le_bytes())?;
        output.write_all(event)
    }

    /// What an event adds to `bytes`.
    pub fn size(event: &[u8]) -> u64 {
        (ENTRY + event.len()) as u64
    }

    /// Bytes of all events.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes of those in memory.
    pub fn in_memory(&self) -> u64 {
        self.memory.len() as u64
    }

    /// No more events come for now: buffers are given back.
    pub fn rest(&mut self) -> io::Result<()> {
        self.memory.shrink_to_fit();
        if let Some(mut file) = self.file.take() {
            file.flush()?;
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            self.file = Some(BufWriter::with_capacity(0, file));
        }
        Ok(())
    }

    /// Gives the events back in order.
    pub fn into_events(self) -> io::Result<SpilledEvents> {
        let input: Box<dyn Read + Send> = match self.file {
            Some(mut file) => {
                file.flush()?;
                let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.rewind()?;
                Box::new(BufReader::with_capacity(1 << 18, file))
            }
            None => Box::new(Cursor::new(self.memory)),
        };
        Ok(SpilledEvents { input, left: self.bytes })
    }
}

/// The events of a spill.
pub struct SpilledEvents {
    input: Box<dyn Read + Send>,
    left: u64,
}

impl SpilledEvents {
    /// Reads the next event into `event` and tells its place in the log; none behind the last one.
    pub fn next_event(&mut self, event: &mut Vec<u8>) -> io::Result<Option<EventPlace>> {
        if self.left == 0 {
            return Ok(None);
        }
        let (mut start, mut end, mut length) = ([0; 8], [0; 8], [0; 4]);
        self.input.read_exact(&mut start)?;
        self.input.read_exact(&mut end)?;
        self.input.read_exact(&mut length)?;
        event.clear();
        event.resize(u32::from_le_bytes(length) as usize, 0);
        self.input.read_exact(event)?;
        self.left = self.left.saturating_sub(Spill::size(event));
        Ok(Some(EventPlace { start: u64::from_le_bytes(start), end: u64::from_le_bytes(end) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same events come back from memory, from a file, and from one that began in memory.
    #[test]
    fn events_come_back_in_order() {
        let events: Vec<Vec<u8>> = (0..200_u16).map(|n| vec![n as u8; usize::from(n) * 7 % 300]).collect();
        let total: u64 = events.iter().map(|event| Spill::size(event)).sum();
        for most in [0, 5_000, total] {
            let mut spill = Spill::default();
            for (n, event) in (0..).zip(&events) {
                spill.add(event, EventPlace { start: n, end: n + 1 }, most).unwrap();
                if n == 100 {
                    spill.rest().unwrap();
                }
            }
            assert_eq!((spill.bytes(), spill.in_memory()), (total, if most == total { total } else { 0 }));
            let mut back = spill.into_events().unwrap();
            let mut event = Vec::new();
            for (n, wanted) in (0..).zip(&events) {
                let at = back.next_event(&mut event).unwrap().unwrap();
                assert_eq!((at.start, at.end, &event), (n, n + 1, wanted));
            }
            assert!(back.next_event(&mut event).unwrap().is_none());
        }
    }
}
