//! What can be wrong with a stored schema history.

use crate::error::{Classify, ErrorClass};
use crate::offset::gtid::GtidError;
use crate::schema::ddl::DdlError;

/// A history record that cannot be read, compared or applied.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// No JSON.
    #[error("schema history record is not valid json")]
    Json(#[source] serde_json::Error),
    /// JSON, but a member is of another kind.
    #[error("schema history record has a member of the wrong kind")]
    Shape(#[source] serde_json::Error),
    /// JSON, but no history record.
    #[error("schema history record has no valid member {0:?}")]
    Member(&'static str),
    /// A binlog file without a number.
    #[error("binlog file name {0:?} in a schema history record or offset does not end in a number")]
    FileName(String),
    /// GTIDs that are none.
    #[error("invalid gtids in a schema history record or offset")]
    Gtids(#[source] GtidError),
    /// A statement that cannot be followed.
    #[error("schema history record at {position} cannot be applied")]
    Ddl {
        /// `file:pos` of the record.
        position: String,
        /// Why.
        #[source]
        cause: DdlError,
    },
}

impl Classify for HistoryError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            HistoryError::Ddl { cause, .. } => cause.remedy(),
            _ => None,
        }
    }
}
