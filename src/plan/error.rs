//! What can go wrong between a row image and its record.

use crate::error::{Classify, ErrorClass};
use crate::event::error::EventError;
use crate::event::value::error::ValueError;
use crate::wire::error::WireError;

/// A row that cannot be made into a record, or a table that cannot be planned.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The server and the schema history disagree about the columns of a table.
    #[error("the binlog has {binlog} columns for table {table}, the schema history has {known}")]
    ColumnCount {
        /// The table.
        table: String,
        /// Columns in the TABLE_MAP event.
        binlog: usize,
        /// Columns that we know of.
        known: usize,
    },
    /// The server and the schema history disagree about the type or name of a column.
    #[error("the binlog has {binlog} for column {position} of table {table}, the schema history has {known}")]
    ColumnMismatch {
        /// The table.
        table: String,
        /// The column's position, from 1.
        position: usize,
        /// Name or type in the TABLE_MAP event.
        binlog: String,
        /// What we know of.
        known: String,
    },
    /// A statement of the user's own selects what the table has not.
    #[error("the result set of table {table} has a column {column}, the table has none of that name")]
    UnknownColumn {
        /// The table.
        table: String,
        /// The column of the result set.
        column: String,
    },
    /// Not all columns are in a row image.
    #[error(
        "a row image of table {table} holds {present} of {columns} columns: binlog_row_image is not FULL"
    )]
    PartialImage {
        /// The table.
        table: String,
        /// Columns in the image.
        present: usize,
        /// Columns of the table.
        columns: usize,
    },
    /// A cell cannot be read.
    #[error("column {column} of table {table} cannot be read")]
    Cell {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// What is wrong.
        #[source]
        source: WireError,
    },
    /// A row image ends early.
    #[error("a row image of table {table} cannot be read")]
    Image {
        /// The table.
        table: String,
        /// What is wrong.
        #[source]
        source: WireError,
    },
    /// A value cannot be converted.
    #[error("a value of table {table} cannot be converted")]
    Value {
        /// The table.
        table: String,
        /// What is wrong.
        #[source]
        source: ValueError,
    },
    /// The shape of the table's records cannot be made.
    #[error("the records of table {table} cannot be shaped")]
    Event {
        /// The table.
        table: String,
        /// What is wrong.
        #[source]
        source: EventError,
    },
    /// A batch's buffer holds at most 4 GiB.
    #[error("a record of table {table} is larger than 4 GiB")]
    TooLarge {
        /// The table.
        table: String,
    },
}

impl PlanError {
    /// Whether the server and the schema history disagree.
    pub fn is_inconsistent_schema(&self) -> bool {
        matches!(self, PlanError::ColumnCount { .. } | PlanError::ColumnMismatch { .. })
    }
}

impl Classify for PlanError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            PlanError::ColumnCount { table, .. } | PlanError::ColumnMismatch { table, .. } => Some(format!(
                "the table was changed without a statement in the binlog (sql_log_bin=0): remove the stored offset and \
                 the schema history to start with a new snapshot, or exclude {table}"
            )),
            PlanError::PartialImage { .. } => Some(
                "SET PERSIST binlog_row_image=FULL on the server, reconnect the applications, and take a new snapshot of \
                 what was changed meanwhile"
                    .into(),
            ),
            PlanError::Event { source, .. } => source.remedy(),
            _ => None,
        }
    }
}
