//! PREVIOUS_GTIDS: all transactions of the files before this one. Manual: "PREVIOUS_GTIDS_LOG_EVENT".

use crate::offset::gtid::GtidSet;
use crate::wire::error::WireError;

/// A GTID set in its binary form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviousGtidsEvent<'a> {
    /// The encoded set, plain or tagged.
    pub encoded: &'a [u8],
}

impl PreviousGtidsEvent<'_> {
    /// The set.
    pub fn gtids(&self) -> Result<GtidSet, WireError> {
        GtidSet::decode(self.encoded).map_err(WireError::Gtid)
    }
}
