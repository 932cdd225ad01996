//! The history record, in the form in which Debezium stores it.

use crate::schema::table_change::TableChange;

/// One record of the schema history.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryRecord {
    /// `{"server": prefix}`.
    pub source: serde_json::Map<String, serde_json::Value>,
    /// The offset at that time, members in stored order.
    pub position: serde_json::Map<String, serde_json::Value>,
    /// When it was recorded, in ms.
    pub ts_ms: Option<i64>,
    /// The database that was current.
    pub database_name: Option<String>,
    /// Unused by MySQL.
    pub schema_name: Option<String>,
    /// The statement.
    pub ddl: Option<String>,
    /// What it did.
    pub table_changes: Vec<TableChange>,
}
