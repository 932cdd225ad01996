//! ROTATE: the log goes on in another file. Manual: "ROTATE_EVENT".

use crate::wire::error::WireError;
use crate::wire::event::header::EventHeader;
use crate::wire::reader::Reader;

/// Where the log goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotateEvent<'a> {
    /// The position in that file, 4 for its first event.
    pub position: u64,
    /// The file's name, without a folder.
    pub file: &'a [u8],
    /// Whether the server made it up for a reader: at the start of a dump, and for a file that ended without one.
    pub is_artificial: bool,
}

impl<'a> RotateEvent<'a> {
    pub(super) fn read(header: &EventHeader, mut body: Reader<'a>) -> Result<Self, WireError> {
        let position = body.u64("rotate event")?;
        let file = body.rest();
        if file.is_empty() {
            return Err(WireError::invalid("rotate event", "no file name"));
        }
        Ok(RotateEvent { position, file, is_artificial: header.is_artificial() || header.next_position == 0 })
    }
}
