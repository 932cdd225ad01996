//! A random table.

use crate::column::Column;

/// A table: `rn`, which numbers its rows, and columns of all kinds.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    /// `rn` first.
    pub columns: Vec<Column>,
    /// Names of the record key's columns, in the table's order.
    pub key: Vec<String>,
    /// The statement that makes it.
    pub ddl: String,
    /// Made while the connector streams, so that its schema comes from the statement.
    pub streamed: bool,
}
