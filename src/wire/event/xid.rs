//! XID: the commit of a transaction. Manual: "XID_EVENT".

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// A commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XidEvent {
    /// The storage engines' number of the transaction.
    pub xid: u64,
}

impl XidEvent {
    pub(super) fn read(mut body: Reader<'_>) -> Result<Self, WireError> {
        Ok(XidEvent { xid: body.u64("xid event")? })
    }
}
