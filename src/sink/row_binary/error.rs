//! Why a value cannot stand in its column. Never says the value.

use crate::error::{Classify, ErrorClass};

/// A value that its column cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// NULL for a column without NULL.
    #[error("null in a column that is not nullable")]
    Null,
    /// Another kind of value than the column's.
    #[error("{found} in a column of another type")]
    Kind {
        /// What it is.
        found: &'static str,
    },
    /// Outside of what the type holds.
    #[error("the value is outside the range of the column's type")]
    Range,
    /// More digits after the point, or of the second, than the column has.
    #[error("the value has more fractional digits than the column")]
    Precision,
    /// Not the length of the type.
    #[error("the value has {length} bytes and the column {wanted}")]
    Length {
        /// What it has.
        length: usize,
        /// What the column has.
        wanted: usize,
    },
    /// A text that is no value of the type.
    #[error("the text is no value of the column's type")]
    Text,
    /// The server left it out of the row's image, and there is none to keep.
    #[error("the server left the value out, and no row before is known that has it")]
    LeftOut,
}

/// The same with its column, or a row of another shape than its table's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// A value that its column cannot hold.
    #[error("column {column} of type {column_type}")]
    Value {
        /// The column's name.
        column: String,
        /// Its type.
        column_type: String,
        /// Why.
        #[source]
        source: ValueError,
    },
    /// Not one value per column.
    #[error("the row has {found} values for {wanted} columns")]
    Width {
        /// Values.
        found: usize,
        /// Columns.
        wanted: usize,
    },
}

/// A column whose type has no writer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column} has the type {column_type}, which cannot be written")]
pub struct UnsupportedType {
    /// The column's name.
    pub column: String,
    /// Its type.
    pub column_type: String,
}

impl Classify for RowError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            RowError::Value { source: ValueError::Null, column, .. } => {
                Some(format!("make column {column} Nullable"))
            }
            RowError::Value { source: ValueError::Range | ValueError::Precision, column, .. } => {
                Some(format!("widen column {column}, or change the value at the source"))
            }
            RowError::Value { source: ValueError::LeftOut, .. } => Some(
                "set binlog_row_image=FULL on the server, and read a new snapshot of the table".to_owned(),
            ),
            _ => None,
        }
    }
}

impl Classify for UnsupportedType {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        Some(format!("give column {} one of the types of the mapping, or String", self.column))
    }
}
