//! Which tables are captured at the stored position, stored beside it where `tidewire.snapshot.new.tables` is set.
//!
//! Debezium's offset does not say what was captured when it was stored, so a table that was let in later cannot be told
//! from one that was captured all the time. Here the include and exclude lists in force are kept, under a key of our own
//! that Debezium does not read. A table that passes the present lists and did not pass the stored ones is a new one.
//!
//! New tables are found at a position further on than the stored one, `until`. As long as the stream is before it, the old
//! lists stay in force, and the tables are *awaited*: what was found is stored here too, so that a start goes on with it. The definition of each awaited table has a key of its own, since all together could be larger than
//! what Kafka takes as one message; they are stored before the list that names them.
//!
//! ```json
//! {"lists":{"database_include":["shop"],…},
//!  "awaited":{"lists":{…},"file":"binlog.000007","pos":1907,"gtids":"…:1-5",
//!   "rows_are_read":true,"tables":[{"database":"shop","table":"orders"}]}}
//! ```

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::config::source::FilterConfig;
use crate::connect::record::StoredOffset;
use crate::offset::error::OffsetError;
use crate::offset::gtid::GtidSet;
use crate::offset::position::BinlogPosition;

/// What decides whether a table is captured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureLists {
    database_include: Option<Vec<String>>,
    database_exclude: Option<Vec<String>>,
    table_include: Option<Vec<String>>,
    table_exclude: Option<Vec<String>>,
    ignore_builtin: bool,
    signal_table: Option<String>,
}

impl CaptureLists {
    /// Those of a configuration.
    pub fn of(config: &FilterConfig) -> Self {
        CaptureLists {
            database_include: config.database_include.clone(),
            database_exclude: config.database_exclude.clone(),
            table_include: config.table_include.clone(),
            table_exclude: config.table_exclude.clone(),
            ignore_builtin: config.ignore_builtin,
            signal_table: config.signal_data_collection.clone(),
        }
    }

    /// A configuration that captures the same tables, with all of their columns.
    pub fn to_filters(&self) -> FilterConfig {
        FilterConfig {
            database_include: self.database_include.clone(),
            database_exclude: self.database_exclude.clone(),
            table_include: self.table_include.clone(),
            table_exclude: self.table_exclude.clone(),
            ignore_builtin: self.ignore_builtin,
            signal_data_collection: self.signal_table.clone(),
            ..FilterConfig::default()
        }
    }
}

/// What is captured at the stored position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedTables {
    /// The lists in force.
    pub lists: CaptureLists,
    /// Tables that have been read and are captured from a later position on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaited: Option<AwaitedTables>,
}

/// Tables that a snapshot has read for a position that the stream has not reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwaitedTables {
    /// The lists that are in force from that position on.
    pub lists: CaptureLists,
    file: String,
    pos: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gtids: Option<String>,
    /// Whether their rows are durable.
    pub rows_are_read: bool,
    /// The tables that were found, in order of name.
    pub tables: Vec<AwaitedTable>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwaitedTable {
    /// Its database.
    pub database: String,
    /// Its name.
    pub table: String,
    /// What SHOW CREATE TABLE printed at the position; stored under a key of its own.
    #[serde(skip)]
    pub definition: Option<String>,
}

impl CapturedTables {
    /// Reads what was stored under `captured_key`. The definitions of awaited tables are still to be read.
    ///
    /// # Errors
    /// When it is something else: to go on as if nothing had been stored could lose what new tables hold.
    pub fn from_stored(key: &str, text: &str) -> Result<Self, OffsetError> {
        serde_json::from_str(text).map_err(|source| OffsetError::NotJson { key: key.to_owned(), source })
    }

    /// What to store.
    pub fn to_stored(&self, connector: &str, prefix: &str) -> StoredOffset {
        StoredOffset { key: captured_key(connector, prefix), value: Some(json!(self).to_string()) }
    }
}

impl AwaitedTables {
    /// Tables that were found at a position, and whose rows are still to be read.
    pub fn new(
        lists: CaptureLists,
        until: &BinlogPosition,
        gtids: Option<&GtidSet>,
        tables: Vec<AwaitedTable>,
    ) -> Self {
        let gtids = gtids.map(ToString::to_string);
        AwaitedTables { lists, file: until.file.clone(), pos: until.pos, gtids, rows_are_read: false, tables }
    }

    /// The position in the binlog at which they were read.
    pub fn until(&self) -> BinlogPosition {
        BinlogPosition::new(self.file.as_str(), self.pos)
    }

    /// What had been executed there.
    pub fn gtids(&self) -> Result<Option<GtidSet>, OffsetError> {
        let gtids = self.gtids.as_deref().map(str::parse).transpose();
        gtids.map_err(|source| OffsetError::Gtids { source })
    }

    /// Whether every definition is there.
    pub fn is_whole(&self) -> bool {
        self.tables.iter().all(|table| table.definition.is_some())
    }
}

/// The key of `CapturedTables`: `["connector",{"server":"prefix","tidewire":"captured"}]`.
pub fn captured_key(connector: &str, prefix: &str) -> String {
    json!([connector, { "server": prefix, "tidewire": "captured" }]).to_string()
}

/// The key of an awaited table's definition.
pub fn definition_key(connector: &str, prefix: &str, awaited: &AwaitedTable) -> String {
    let AwaitedTable { database, table, .. } = awaited;
    json!([connector, { "server": prefix, "tidewire": "definition", "database": database, "table": table }])
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_read_again() {
        let of = |table: &str| {
            CaptureLists::of(&FilterConfig {
                table_include: Some(vec![table.to_owned()]),
                ignore_builtin: true,
                ..FilterConfig::default()
            })
        };
        let table = |table: &str| AwaitedTable {
            database: "d.1".to_owned(),
            table: table.to_owned(),
            definition: Some("CREATE TABLE …".to_owned()),
        };
        let gtids = "8f828cbf-ec2e-11f1-b6f4-02fc00000001:1-5".parse().unwrap();
        let until = BinlogPosition::new("binlog.000007", 1907);
        let awaited = AwaitedTables::new(of("d.*"), &until, Some(&gtids), vec![table("b"), table("c")]);
        let captured = CapturedTables { lists: of("d.a"), awaited: Some(awaited) };

        let stored = captured.to_stored("c", "p");
        assert_eq!(stored.key, r#"["c",{"server":"p","tidewire":"captured"}]"#);
        let mut read = CapturedTables::from_stored(&stored.key, stored.value.as_deref().unwrap()).unwrap();
        assert_ne!(read, captured, "definitions have keys of their own");
        let awaited = read.awaited.as_mut().unwrap();
        assert!(!awaited.is_whole());
        assert_eq!((awaited.until(), awaited.gtids().unwrap()), (until, Some(gtids)));
        let keys: Vec<String> = awaited.tables.iter().map(|table| definition_key("c", "p", table)).collect();
        assert_eq!(keys[1], r#"["c",{"server":"p","tidewire":"definition","database":"d.1","table":"c"}]"#);
        for table in &mut awaited.tables {
            table.definition = Some("CREATE TABLE …".to_owned());
        }
        assert!(awaited.is_whole());
        assert_eq!(read, captured);
        let filters = read.lists.to_filters();
        assert_eq!(CaptureLists::of(&filters), captured.lists);
    }

    #[test]
    fn what_is_something_else_is_an_error() {
        let error = CapturedTables::from_stored("key", r#"{"last":5}"#).unwrap_err();
        assert!(error.to_string().contains("key"), "{error}");
    }
}
