//! Why a change cannot become rows. Never says a value.

use crate::error::{Classify, ErrorClass};
use crate::sink::record::scanner::ScanError;
use crate::sink::row_binary::error::{RowError, ValueError};

/// A change that is not written. Nothing of it is in the output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// The text of a row is no JSON.
    #[error("the row cannot be read")]
    Json(#[source] ScanError),
    /// A value does not fit its column.
    #[error(transparent)]
    Row(#[from] RowError),
    /// The row has no value for a column of the table.
    #[error("the row lacks the column {column}")]
    MissingColumn {
        /// The column.
        column: String,
    },
    /// The row has a column that the table lacks: its schema is a newer one.
    #[error("the table lacks the column {column}")]
    UnknownColumn {
        /// The column.
        column: String,
    },
    /// A deletion, or an update that moves a row, without the row before.
    #[error("the record has no row before the change, or not all of its sorting key")]
    NoRowBefore,
}

impl ChangeError {
    /// Whether it lacks a value that the server left out of the row's image.
    pub const fn is_left_out(&self) -> bool {
        matches!(self, ChangeError::Row(RowError::Value { source: ValueError::LeftOut, .. }))
    }
}

impl Classify for ChangeError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            ChangeError::Row(error) => error.remedy(),
            ChangeError::NoRowBefore => Some("set binlog_row_image=FULL on the server".to_owned()),
            _ => None,
        }
    }
}
