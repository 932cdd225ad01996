//! `tidewire history`: what is believed of the tables, whether it is so, and the same in fewer records.
//!
//! All three commands recover the schema as a start does: the records of the connector's `topic.prefix` up to a position,
//! whether Debezium or Tidewire wrote them. `show` prints it, `verify` compares it with the server, `compact` writes it as
//! a new history. None of them writes to the history that is there.

mod compact;
mod error;
mod show;
mod verify;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};

use crate::config::error::ConfigError;
use crate::config::pattern::JavaPattern;
use crate::config::source::{HistoryStore, SourceConfig};
use crate::config::worker::{HomeConfig, WorkerConfig};
use crate::file::store::FileStore;
use crate::kafka::offset_store::KafkaOffsetStore;
use crate::offset::backing_store::OffsetBackingStore;
use crate::offset::context::{OffsetContext, offset_key};
use crate::offset::gtid::{GtidSet, MariaDbGtidList};
use crate::offset::position::BinlogPosition;
use crate::schema::database_schema::{DatabaseSchema, SchemaOptions};
use crate::schema::history::recover::{RecoverOptions, Recovered, Replay, UpTo, recover};
use crate::schema::table::Table;
use crate::source::dispatcher::History;
use crate::source::error::SourceError;
use crate::task::home::history;

pub use crate::task::history::compact::{Compacted, compact};
pub use crate::task::history::error::{HistoryCommandError, HistoryFailed};
pub use crate::task::history::show::show;
pub use crate::task::history::verify::{Verified, verify};

/// The position that is asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HistoryPosition {
    /// Behind the last record.
    #[default]
    End,
    /// The connector's stored offset.
    Stored,
    /// A position in a binlog file.
    File(BinlogPosition),
    /// After these transactions.
    Gtids(String),
}

/// A text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no position: expected end, stored, FILE:POS or a set of GTIDs")]
pub struct NoPosition(String);

/// GTIDs come before FILE:POS: `uuid:5` is one.
impl std::str::FromStr for HistoryPosition {
    type Err = NoPosition;

    fn from_str(text: &str) -> Result<Self, NoPosition> {
        match text {
            "end" => return Ok(HistoryPosition::End),
            "stored" => return Ok(HistoryPosition::Stored),
            _ => {}
        }
        let gtids = text.parse::<GtidSet>().is_ok_and(|set| !set.is_empty())
            || text.parse::<MariaDbGtidList>().is_ok_and(|list| !list.gtids().is_empty());
        if gtids {
            return Ok(HistoryPosition::Gtids(text.to_owned()));
        }
        BinlogPosition::parse(text).map(HistoryPosition::File).ok_or_else(|| NoPosition(text.to_owned()))
    }
}

impl std::fmt::Display for HistoryPosition {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HistoryPosition::End => out.write_str("the end of the history"),
            HistoryPosition::Stored => out.write_str("the stored offset"),
            HistoryPosition::File(position) => position.fmt(out),
            HistoryPosition::Gtids(gtids) => out.write_str(gtids),
        }
    }
}

/// A connector whose history is asked about.
pub struct Subject<'a> {
    /// The connector.
    pub source: &'a SourceConfig,
    /// Where its offsets are.
    pub worker: &'a WorkerConfig,
    /// Set when the user asks for the end.
    pub stop: &'a Arc<AtomicBool>,
}

/// What is believed at a position.
struct Believed {
    schema: DatabaseSchema,
    recovered: Recovered,
    /// The position, in words.
    position: String,
}

impl Subject<'_> {
    /// The history, which must have something.
    fn open(&self) -> Result<History, HistoryCommandError> {
        if self.source.history.store == HistoryStore::Memory {
            return Err(HistoryCommandError::InMemory);
        }
        let mut history = history(self.source, None, self.stop).map_err(HistoryCommandError::storage)?;
        if !history.exists().map_err(HistoryCommandError::Storage)? {
            return Err(HistoryCommandError::Missing { history: self.name() });
        }
        Ok(history)
    }

    /// Topic or file.
    fn name(&self) -> String {
        self.source.history.store.to_string()
    }

    /// The members of the stored offset.
    fn stored_offset(&self) -> Result<Map<String, Value>, HistoryCommandError> {
        let (connector, server) = (&self.source.connector_name, &self.source.topic_prefix);
        let key = offset_key(connector, server);
        let stored = match &self.worker.home {
            HomeConfig::Kafka(kafka) => KafkaOffsetStore::read(kafka, self.stop)
                .and_then(|offsets| offsets.get(&key))
                .map_err(HistoryCommandError::storage)?,
            HomeConfig::File(file) => FileStore::peek(file, &key).map_err(HistoryCommandError::storage)?,
        };
        let Some(text) = stored else {
            let (connector, server) = (connector.clone(), server.clone());
            return Err(HistoryCommandError::NoOffset { connector, server });
        };
        Ok(OffsetContext::from_stored(key, &text)?.members())
    }

    /// The tables in force at a position, statements read as a server of these options reads them.
    fn believed(
        &self,
        position: &HistoryPosition,
        options: SchemaOptions,
    ) -> Result<Believed, HistoryCommandError> {
        let offset = match position {
            HistoryPosition::Stored => self.stored_offset()?,
            HistoryPosition::Gtids(gtids) => Map::from_iter([("gtids".to_owned(), gtids.as_str().into())]),
            HistoryPosition::End | HistoryPosition::File(_) => Map::new(),
        };
        let up_to = match position {
            HistoryPosition::End => UpTo::End,
            HistoryPosition::File(position) => UpTo::File(position),
            HistoryPosition::Stored | HistoryPosition::Gtids(_) => {
                UpTo::Offset { offset: &offset, gtid_sources: None }
            }
        };
        let passed_over = self.source.history.passed_over().map_err(SourceError::from)?;
        let options_of_recovery = RecoverOptions {
            server: &self.source.topic_prefix,
            up_to,
            replay: Replay::of(&self.source.history, &passed_over),
        };
        let mut schema = DatabaseSchema::new(options);
        let recovered = recover(self.open()?.as_mut(), &mut schema, &options_of_recovery)
            .map_err(HistoryCommandError::recovery)?;
        let position = match position {
            HistoryPosition::Stored => coordinates(&offset),
            other => other.to_string(),
        };
        if recovered.applied == 0 {
            let (history, server) = (self.name(), self.source.topic_prefix.clone());
            return Err(HistoryCommandError::NoRecord { history, server, position });
        }
        Ok(Believed { schema, recovered, position })
    }
}

/// `file:pos` and GTIDs of an offset or of the position of a record.
fn coordinates(position: &Map<String, Value>) -> String {
    let text = |name: &str| position.get(name).and_then(Value::as_str);
    let pos = position.get("pos").and_then(Value::as_u64).unwrap_or_default();
    let place = format!("{}:{pos}", text("file").unwrap_or("?"));
    match text("gtids") {
        Some(gtids) => format!("{place} ({gtids})"),
        None => place,
    }
}

/// The tables that are asked about: `database.table` as in `table.include.list`; all without patterns.
#[derive(Clone, Debug, Default)]
pub struct TablePatterns(Vec<JavaPattern>);

impl TablePatterns {
    /// Compiles the patterns.
    pub fn new(patterns: &[String]) -> Result<Self, ConfigError> {
        let compiled = patterns.iter().map(|pattern| {
            JavaPattern::compile(pattern).map_err(|reason| ConfigError::Pattern {
                property: "--table".to_owned(),
                pattern: pattern.clone(),
                reason,
            })
        });
        Ok(TablePatterns(compiled.collect::<Result<_, _>>()?))
    }

    fn matches(&self, table: &Table) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.matches(&table.id.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read() {
        let uuid = "8f828cbf-ec2e-11f1-b6f4-02fc00000001";
        for (text, expected) in [
            ("end", Some(HistoryPosition::End)),
            ("stored", Some(HistoryPosition::Stored)),
            ("binlog.000003:157", Some(HistoryPosition::File(BinlogPosition::new("binlog.000003", 157)))),
            (&format!("{uuid}:5"), Some(HistoryPosition::Gtids(format!("{uuid}:5")))),
            (&format!("{uuid}:1-5:7"), Some(HistoryPosition::Gtids(format!("{uuid}:1-5:7")))),
            ("0-1-7", Some(HistoryPosition::Gtids("0-1-7".to_owned()))),
            ("binlog.000003", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok(), expected, "{text}");
        }
    }
}
