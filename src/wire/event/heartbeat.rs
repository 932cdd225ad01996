//! HEARTBEAT and HEARTBEAT_V2: a sign of life from a server that has nothing to send; in no file. Manual:
//! "HEARTBEAT_LOG_EVENT".
//!
//! The first kind has the position in its header, which holds 32 bits. The second, which a client asks for with a flag
//! of its dump command, is a list of fields (number, length, value; all length-encoded) that ends with field 0.

use crate::wire::error::WireError;
use crate::wire::event::header::EventHeader;
use crate::wire::reader::Reader;

/// Where the server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeartbeatEvent<'a> {
    /// The file, without a folder.
    pub file: &'a [u8],
    /// The end of the last event that was sent or passed over; 32 bits only in the first kind.
    pub position: u64,
}

impl<'a> HeartbeatEvent<'a> {
    pub(super) fn read(header: &EventHeader, mut body: Reader<'a>) -> Self {
        HeartbeatEvent { file: body.rest(), position: u64::from(header.next_position) }
    }

    pub(super) fn read_v2(mut body: Reader<'a>) -> Result<Self, WireError> {
        const READING: &str = "heartbeat event";
        let mut event = HeartbeatEvent { file: &[], position: 0 };
        loop {
            let field = body.lenenc_int(READING)?;
            if field == 0 {
                return Ok(event);
            }
            let value = body.lenenc_bytes(READING)?;
            match field {
                1 => event.file = value,
                2 => event.position = Reader::new(value).lenenc_int(READING)?,
                _ => {}
            }
        }
    }
}
