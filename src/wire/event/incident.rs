//! INCIDENT: something happened that may have left events out of the log. Manual: "INCIDENT_EVENT".

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// A gap in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncidentEvent<'a> {
    /// 1 for lost events.
    pub code: u16,
    /// The server's explanation.
    pub message: &'a [u8],
}

impl<'a> IncidentEvent<'a> {
    pub(super) fn read(mut body: Reader<'a>) -> Result<Self, WireError> {
        const READING: &str = "incident event";
        let code = body.u16(READING)?;
        let length = usize::from(body.u8(READING)?);
        Ok(IncidentEvent { code, message: body.take(length, READING)? })
    }
}
