//! Why a DDL statement could not be applied.

use crate::error::{Classify, ErrorClass};
use crate::schema::table_id::TableId;

/// A statement that may change a table and could not be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DdlError {
    /// The text is no statement that is understood.
    #[error("cannot parse the ddl statement at byte {position}, near {excerpt:?}: expected {expected}")]
    Unparseable {
        /// Where in the text, in bytes from 0.
        position: usize,
        /// The text from there on, cut short.
        excerpt: String,
        /// What would have been understood there.
        expected: &'static str,
    },
    /// A table without a database, and none is current.
    #[error("the ddl statement names table {table} without a database, and no database is current")]
    NoDatabase {
        /// The table.
        table: String,
    },
    /// An ALTER TABLE of a column that the table does not have.
    #[error("the ddl statement changes column {column} of table {table}, which is not known to exist")]
    UnknownColumn {
        /// The table.
        table: TableId,
        /// The column.
        column: String,
    },
}

impl Classify for DdlError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        Some(match self {
            DdlError::UnknownColumn { .. } => {
                "the stored schema differs from the server's: remove the stored offset and the schema history to start with \
                 a new snapshot"
                    .to_owned()
            }
            _ => "set schema.history.internal.skip.unparseable.ddl=true if the statement changes no captured table"
                .to_owned(),
        })
    }
}
