//! The history record, in the form in which Debezium stores it.

use std::str::FromStr;

use serde_json::{Map, Value};

use crate::schema::history::{HistoryError, json};
use crate::schema::table_change::TableChange;

/// One record of the schema history.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryRecord {
    /// `{"server": prefix}`.
    pub source: Map<String, Value>,
    /// The offset at that time, members in stored order.
    pub position: Map<String, Value>,
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

impl HistoryRecord {
    /// One line without spaces, as in a history file.
    pub fn to_json(&self) -> String {
        json::compact(&json::record_to_value(self))
    }

    /// Many lines, byte for byte as Debezium writes them to Kafka.
    pub fn to_pretty(&self) -> String {
        json::pretty(&json::record_to_value(self))
    }

    /// Whether the record is of the connector with this `topic.prefix`: other connectors may share the storage.
    pub fn is_of(&self, server: &str) -> bool {
        self.source.len() == 1 && self.source.get("server").and_then(Value::as_str) == Some(server)
    }

    /// `file:pos`, for messages.
    pub fn coordinates(&self) -> String {
        let file = self.position.get("file").and_then(Value::as_str).unwrap_or("?");
        let pos = self.position.get("pos").and_then(Value::as_u64);
        pos.map_or_else(|| file.to_owned(), |pos| format!("{file}:{pos}"))
    }
}

/// Reads either form, and what older versions of Debezium left out.
impl FromStr for HistoryRecord {
    type Err = HistoryError;

    fn from_str(text: &str) -> Result<Self, HistoryError> {
        json::read::record(text)
    }
}
