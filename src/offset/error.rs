//! What can be wrong with a stored offset.

use crate::error::{Classify, ErrorClass};
use crate::offset::gtid::GtidError;

/// A stored offset that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OffsetError {
    /// The stored text is no JSON object.
    #[error("the stored offset of {key} is not a JSON object")]
    NotJson {
        /// The offset's key.
        key: String,
        /// What the reader said.
        #[source]
        source: serde_json::Error,
    },
    /// A member is not of its type.
    #[error("the member {member} of the stored offset of {key} is not a number")]
    Member {
        /// The offset's key.
        key: String,
        /// The member.
        member: String,
    },
    /// The GTID set cannot be read.
    #[error("the GTID set of the stored offset cannot be read")]
    Gtids {
        /// What is wrong with it.
        #[source]
        source: GtidError,
    },
}

impl Classify for OffsetError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        Some("correct the stored offset, or remove it to start with a new snapshot".into())
    }
}
