//! Faults of values.

use std::sync::Arc;

use crate::error::{Classify, ErrorClass};

/// What can be wrong with a column or one of its values. Columns are named `db.table.column`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// The column's character set is none of MySQL 5.7 to 9.7 or MariaDB.
    #[error("column {table}.{column}: text in the unknown character set {charset}")]
    UnsupportedCharset {
        /// `db.table`.
        table: String,
        /// The column.
        column: String,
        /// Its character set.
        charset: String,
    },
    /// ZeroDateFallbackConverter has a replacement for the column that is one of another type.
    #[error(
        "column {table}.{column}: the fallback of ZeroDateFallbackConverter is no value of type {type_name}"
    )]
    Fallback {
        /// `db.table`.
        table: String,
        /// The column.
        column: String,
        /// Its type as the schema history names it.
        type_name: String,
    },
    /// The bytes of a value break their format.
    #[error("column {column}: a value cannot be read: {reason}")]
    Malformed {
        /// The column.
        column: Arc<str>,
        /// Why, in words that show nothing of the value.
        reason: &'static str,
    },
    /// A value has no form in the field's schema, and `event.converting.failure.handling.mode` is `fail`.
    #[error("column {column}: a value cannot be converted: {reason}")]
    Conversion {
        /// The column.
        column: Arc<str>,
        /// Why, in words that show nothing of the value.
        reason: &'static str,
    },
    /// A default has no form in the field's schema, and `event.converting.failure.handling.mode` is `fail`.
    #[error("column {column}: its default cannot be converted: {reason}")]
    Default {
        /// The column.
        column: Arc<str>,
        /// Why, in words that show nothing of the value.
        reason: &'static str,
    },
    /// The same as `Conversion` in a column that allows no null and has no default, so that nothing can stand in for it.
    #[error("column {column}: a value cannot be converted and the column allows no null: {reason}")]
    Required {
        /// The column.
        column: Arc<str>,
        /// Why, in words that show nothing of the value.
        reason: &'static str,
    },
}

impl Classify for ValueError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            ValueError::UnsupportedCharset { table, column, .. } => {
                Some(format!("leave the column out with column.exclude.list={table}.{column}"))
            }
            ValueError::Fallback { table, column, .. } => {
                Some(format!("correct column.{table}.{column}.fallback of the converter"))
            }
            ValueError::Malformed { column, .. } => {
                Some(format!("correct the row, or leave the column out with column.exclude.list={column}"))
            }
            ValueError::Conversion { .. } => {
                Some("set event.converting.failure.handling.mode to warn, or correct the row".to_owned())
            }
            ValueError::Default { .. } => Some(
                "set event.converting.failure.handling.mode to warn, or choose a time.precision.mode that holds the default"
                    .to_owned(),
            ),
            ValueError::Required { .. } => {
                Some("choose a time.precision.mode that holds the value, or correct the row".to_owned())
            }
        }
    }
}

/// Why a cell could not be mapped; made into a `ValueError` or a null where the column's rules are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The cell means "no value" (a zero date); it is treated as NULL, without a word.
    Missing,
    /// The cell has no form in the schema.
    Unrepresentable(&'static str),
    /// The cell's bytes are none that a server writes.
    Malformed(&'static str),
}

/// The cell is of another kind than the column's type: the table was changed without the schema history knowing.
pub const OTHER_KIND: Failure = Failure::Unrepresentable(
    "the stored value is of another type than the schema history has for the column",
);
