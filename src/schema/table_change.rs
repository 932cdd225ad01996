//! What a statement did to one table.

use std::sync::Arc;

use crate::schema::table::Table;
use crate::schema::table_id::TableId;

/// The kinds of change in history and schema-change records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableChangeType {
    /// The table is new, or read by a snapshot.
    Create,
    /// The table has a new version.
    Alter,
    /// The table is gone.
    Drop,
}

/// One change of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableChange {
    /// What happened.
    pub kind: TableChangeType,
    /// The table's name after the change.
    pub id: TableId,
    /// Its name before, when a rename changed it.
    pub previous_id: Option<TableId>,
    /// Its definition after the change; none for `Drop`.
    pub table: Option<Arc<Table>>,
}
