//! XA_PREPARE: the end of the first phase of an XA transaction, or its commit in one phase. Manual:
//! "XA_PREPARE_LOG_EVENT".

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// The end of a prepared transaction's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XaPrepareEvent<'a> {
    /// Committed already (`XA COMMIT … ONE PHASE`).
    pub one_phase: bool,
    /// The format of the transaction id.
    pub format_id: i32,
    /// The global part of the transaction id.
    pub gtrid: &'a [u8],
    /// The branch of the transaction id.
    pub bqual: &'a [u8],
}

impl<'a> XaPrepareEvent<'a> {
    pub(super) fn read(mut body: Reader<'a>) -> Result<Self, WireError> {
        const READING: &str = "xa prepare event";
        let one_phase = body.u8(READING)? != 0;
        let format_id = body.u32(READING)?.cast_signed();
        let (gtrid, bqual) = (body.u32(READING)? as usize, body.u32(READING)? as usize);
        let (gtrid, bqual) = (body.take(gtrid, READING)?, body.take(bqual, READING)?);
        Ok(XaPrepareEvent { one_phase, format_id, gtrid, bqual })
    }
}
