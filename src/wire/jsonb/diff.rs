//! A JSON diff: what one change of a document was. sql-common/json_diff.h of the server.
//!
//! The cell of a changed column is the length of all diffs (4 bytes), then each diff: an operation, the length of a path
//! and the path, and, except for what is removed, the length of a value and the value, which is a document. The lengths
//! inside are length-encoded integers. No diff at all is a document that stayed as it was.

use crate::wire::error::WireError;
use crate::wire::jsonb::{DIFF, invalid_diff};
use crate::wire::reader::Reader;

/// What is done at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonDiffOperation {
    /// The value there becomes another.
    Replace,
    /// A key comes into an object, or an element into an array.
    Insert,
    /// The value there goes away.
    Remove,
}

/// One diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JsonDiff<'a> {
    pub(super) operation: JsonDiffOperation,
    pub(super) path: &'a [u8],
    /// A document; empty where something is removed.
    pub(super) value: &'a [u8],
}

impl<'a> JsonDiff<'a> {
    /// The next diff.
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, WireError> {
        let operation = match reader.u8(DIFF)? {
            0 => JsonDiffOperation::Replace,
            1 => JsonDiffOperation::Insert,
            2 => JsonDiffOperation::Remove,
            _ => return Err(invalid_diff("an unknown operation")),
        };
        let path = reader.lenenc_bytes(DIFF)?;
        let value = match operation {
            JsonDiffOperation::Replace | JsonDiffOperation::Insert => reader.lenenc_bytes(DIFF)?,
            JsonDiffOperation::Remove => &[],
        };
        Ok(JsonDiff { operation, path, value })
    }
}
