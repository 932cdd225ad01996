//! Faults of events.

use crate::error::{Classify, ErrorClass};
use crate::event::value::error::ValueError;

/// What can be wrong with the events of a table.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// A column cannot be published.
    #[error("table {table} cannot be published")]
    Column {
        /// `db.table`.
        table: String,
        /// Why.
        #[source]
        source: ValueError,
    },
    /// Two columns have one field name after adjustment.
    #[error("table {table}: columns {first} and {second} have the same field name {field}")]
    DuplicateField {
        /// `db.table`.
        table: String,
        /// A column.
        first: String,
        /// Another.
        second: String,
        /// The name of both fields.
        field: String,
    },
}

impl Classify for EventError {
    fn class(&self) -> ErrorClass {
        match self {
            EventError::Column { source, .. } => source.class(),
            EventError::DuplicateField { .. } => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            EventError::Column { source, .. } => source.remedy(),
            EventError::DuplicateField { table, second, .. } => Some(format!(
                "set field.name.adjustment.mode to avro_unicode, or leave one out with column.exclude.list={table}.{second}"
            )),
        }
    }
}
