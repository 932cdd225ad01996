//! ROWS_QUERY: the statement behind the rows that follow (`binlog_rows_query_log_events=ON`). Manual: "ROWS_QUERY_EVENT".

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// The text of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsQueryEvent<'a> {
    /// The statement, in the client's character set.
    pub query: &'a [u8],
}

impl<'a> RowsQueryEvent<'a> {
    pub(super) fn read(mut body: Reader<'a>) -> Result<Self, WireError> {
        // One byte of length, which cannot hold a longer one's and is ignored by the server too.
        body.u8("rows query event")?;
        Ok(RowsQueryEvent { query: body.rest() })
    }
}
