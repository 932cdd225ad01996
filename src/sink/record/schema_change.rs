//! Schema-change records: what a statement made of the tables.
//!
//! They are rare and read into owned data. A table comes whole with each change; a dropped one comes without. The names of
//! database and table stand in `id` as `"db"."table"`, with doubled quotes inside. TRUNCATE is no schema change but a record in
//! the topic of the table.

use serde::Deserialize;

use crate::sink::record::envelope::{RecordError, parts};
use crate::sink::record::scanner::{Json, Scanner};
use crate::sink::table::mapping::mysql_type::ChangedColumn;

/// A schema-change record.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct SchemaChange {
    /// The database of the statement; empty when it had none.
    #[serde(default)]
    pub database_name: Option<String>,
    /// The statement.
    #[serde(default)]
    pub ddl: Option<String>,
    /// What it did to tables; nothing for a statement about none.
    pub table_changes: Vec<TableChange>,
    /// Where it stood in the log.
    pub source: SchemaChangeSource,
}

/// What the sink reads of its source block.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct SchemaChangeSource {
    /// `topic.prefix`.
    pub name: String,
    /// When the statement was run, in ms since 1970.
    #[serde(default)]
    pub ts_ms: i64,
    /// `true`, `first`, `last`, … for one of a snapshot.
    #[serde(default)]
    pub snapshot: Option<String>,
    /// The transaction of the statement, where the server has GTIDs.
    #[serde(default)]
    pub gtid: Option<String>,
    /// The binlog.
    #[serde(default)]
    pub file: Option<String>,
    /// Where in it.
    #[serde(default)]
    pub pos: u64,
}

impl SchemaChange {
    /// The statement in the server's log; none for what a snapshot tells.
    pub fn statement(&self) -> Option<LoggedStatement> {
        let SchemaChangeSource { ts_ms, snapshot, gtid, file, pos, .. } = &self.source;
        if !matches!(snapshot.as_deref(), None | Some("false")) {
            return None;
        }
        let place = match gtid {
            Some(gtid) => gtid.clone(),
            None => format!("{} {pos} {ts_ms}", file.as_deref()?),
        };
        Some(LoggedStatement { place, ddl: self.ddl.clone() })
    }
}

/// A statement, told apart from all others: a GTID is never used twice; a file's name and a position may be after a reset, but not
/// at the same moment. One statement may be told in several parts, each with a text of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoggedStatement {
    place: String,
    ddl: Option<String>,
}

/// What was done.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub enum ChangeType {
    /// A table is new, or seen for the first time.
    Create,
    /// It was changed.
    Alter,
    /// It is gone.
    Drop,
}

/// A change of one table.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct TableChange {
    /// What was done.
    #[serde(rename = "type")]
    pub kind: ChangeType,
    /// `"db"."table"`.
    pub id: String,
    /// What the table is now; none for one that is gone.
    #[serde(default)]
    pub table: Option<ChangedTable>,
}

/// A table.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ChangedTable {
    /// The columns of the key, in order.
    #[serde(default)]
    pub primary_key_column_names: Option<Vec<String>>,
    /// The columns, in order.
    pub columns: Vec<ChangedColumn>,
}

impl TableChange {
    /// Database and table; none when `id` is something else.
    pub fn names(&self) -> Option<(String, String)> {
        let (database, rest) = quoted_name(&self.id)?;
        let (table, rest) = quoted_name(rest.strip_prefix('.')?)?;
        rest.is_empty().then_some((database, table))
    }
}

/// A name between quotes at the begin of a text, and what follows.
fn quoted_name(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut name = String::new();
    loop {
        let (plain, after) = rest.split_once('"')?;
        name.push_str(plain);
        match after.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return Some((name, after)),
        }
    }
}

/// Reads a value of the schema-change topic, with or without its schema; none for a null value.
pub fn read_schema_change(bytes: Option<&[u8]>) -> Result<Option<SchemaChange>, RecordError> {
    let Some(bytes) = bytes else { return Ok(None) };
    let of_value = |source| RecordError::Json { part: "value", source };
    let (_, payload) = parts(Scanner::only_value(bytes).map_err(of_value)?).map_err(of_value)?;
    match payload {
        Json::Null => Ok(None),
        Json::Object(change) => serde_json::from_str(change)
            .map(Some)
            .map_err(|_| RecordError::NoEnvelope { missing: "tableChanges" }),
        _ => Err(RecordError::NoEnvelope { missing: "tableChanges" }),
    }
}

#[cfg(test)]
mod tests;
