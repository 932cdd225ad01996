//! `tidewire history compact`: the same tables in a short history.
//!
//! 1. The records up to the connector's stored offset are recovered into tables; those behind it, and those of other
//!    connectors that share the storage, are kept as they are. A record whose order is not certain stops the work.
//! 2. Tables and kept records are written to the new topic or file, which must not be there.
//! 3. The new history is recovered, and must give the same tables at the offset.
//! 4. The old history must not have grown meanwhile. Only then, and only when it was asked for, it is deleted.
//!
//! The server is asked how it reads names (`lower_case_table_names`, its version), and for nothing else. Which history
//! the connector uses is for its configuration to say: compacting changes none.

use std::fmt;
use std::path::PathBuf;

use crate::clock::Clock;
use crate::config::source::{HistoryStore, SourceConfig};
use crate::offset::context::INITIAL;
use crate::schema::database_schema::{DatabaseSchema, SchemaOptions};
use crate::schema::history::compact::{compacted, same_schema};
use crate::schema::history::comparator::{HistoryRecordComparator, Position};
use crate::schema::history::read_records;
use crate::schema::history::record::HistoryRecord;
use crate::schema::history::recover::{RecoverOptions, Replay, Seen, UpTo, recover};
use crate::source::coordinator::{needs, schema_options};
use crate::source::dispatcher::History;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::prerequisites::Facts;
use crate::task::history::{HistoryCommandError, Subject, coordinates};
use crate::task::home::history;

/// Records that are written at once.
const AT_ONCE: usize = 1_024;

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Records of the old history.
    pub read: u64,
    /// Records of the new one.
    pub written: u64,
    /// Tables in force at the offset.
    pub tables: usize,
    /// The offset.
    pub offset: String,
    /// The new history.
    pub history: String,
    /// The old one.
    pub old: String,
    /// Whether the old one was deleted.
    pub deleted: bool,
}

impl fmt::Display for Compacted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "offset   {}", self.offset)?;
        let kept = if self.deleted { "deleted" } else { "kept" };
        writeln!(out, "old      {}, {kept}", self.old)?;
        writeln!(out, "new      {}: name it in the connector's configuration", self.history)?;
        writeln!(out, "compact: {} tables, {} records became {}", self.tables, self.read, self.written)
    }
}

/// Compacts into the topic or file `to`.
pub fn compact(subject: &Subject<'_>, to: &str, delete_old: bool) -> Result<Compacted, HistoryCommandError> {
    let mut old = subject.open()?;
    let target = with_store(subject.source, to);
    let subject_of_new = Subject { source: &target, ..*subject };
    let offset = subject.stored_offset()?;
    if offset.get("snapshot").is_some_and(|mark| mark.as_str() == Some(INITIAL)) {
        return Err(HistoryCommandError::InSnapshot);
    }
    let options = server_options(subject.source)?;
    let Parts { schema, position, rest, read } = read_parts(subject, &mut old, &offset, &options)?;

    let mut new = history(&target, None, subject.stop).map_err(HistoryCommandError::storage)?;
    if new.exists().map_err(HistoryCommandError::Storage)? {
        return Err(HistoryCommandError::Exists { history: subject_of_new.name() });
    }
    new.initialize_storage().map_err(HistoryCommandError::Storage)?;
    let now_ms = Clock::System.now_nanos() / 1_000_000;
    let records = compacted(&schema, &subject.source.topic_prefix, &position, now_ms);
    let written = (records.len() + rest.len()) as u64;
    for chunk in records.chunks(AT_ONCE).chain(rest.chunks(AT_ONCE)) {
        new.record(chunk).map_err(HistoryCommandError::Storage)?;
    }

    let again = recovered(&subject_of_new, &mut new, &offset, options)?;
    if !same_schema(&schema, &again) {
        new.delete().map_err(HistoryCommandError::Storage)?;
        return Err(HistoryCommandError::NotTheSame);
    }
    let mut now_there = 0;
    read_records(old.as_mut(), &mut |_| now_there += 1).map_err(HistoryCommandError::Storage)?;
    if now_there != read {
        return Err(HistoryCommandError::Changed { history: subject.name() });
    }
    if delete_old {
        old.delete().map_err(HistoryCommandError::Storage)?;
    }
    Ok(Compacted {
        read,
        written,
        tables: schema.tables().count(),
        offset: coordinates(&offset),
        history: subject_of_new.name(),
        old: subject.name(),
        deleted: delete_old,
    })
}

/// The connector with another history of the same kind.
fn with_store(source: &SourceConfig, to: &str) -> SourceConfig {
    let mut target = source.clone();
    match &mut target.history.store {
        HistoryStore::Kafka { topic, .. } => to.clone_into(topic),
        HistoryStore::File { filename } => *filename = PathBuf::from(to),
        HistoryStore::Memory => {}
    }
    target
}

fn server_options(source: &SourceConfig) -> Result<SchemaOptions, HistoryCommandError> {
    let mut session = Connection::connect(&source.connection)?;
    let facts = Facts::read(&mut session, &needs(source, None))?;
    let mut options = schema_options(&facts, source);
    // Comments are kept whatever the connector makes of them.
    options.include_comments = true;
    Ok(options)
}

/// A history, taken apart at an offset.
struct Parts {
    schema: DatabaseSchema,
    /// Of the last record that holds.
    position: Position,
    /// The records that do not, as they are.
    rest: Vec<HistoryRecord>,
    read: u64,
}

fn read_parts(
    subject: &Subject<'_>,
    old: &mut History,
    offset: &Position,
    options: &SchemaOptions,
) -> Result<Parts, HistoryCommandError> {
    let server = &subject.source.topic_prefix;
    let passed_over = subject.source.history.passed_over().map_err(SourceError::from)?;
    let replay = Replay::of(&subject.source.history, &passed_over);
    let mut seen = Seen::default();
    let comparator = HistoryRecordComparator::new(offset, None).map_err(HistoryCommandError::Record)?;
    let mut schema = DatabaseSchema::new(options.clone());
    let (mut position, mut rest, mut read) = (None, Vec::new(), 0);
    let mut later = false;
    let mut failed = None;
    let mut each = |record: HistoryRecord| {
        read += 1;
        if failed.is_some() {
            return;
        }
        if !record.is_of(server) {
            rest.push(record);
            return;
        }
        let unclear = |reason| HistoryCommandError::Unclear {
            record: coordinates(&record.position),
            offset: coordinates(offset),
            reason,
        };
        let due = comparator.doubt(&record.position).and_then(|doubt| match doubt {
            Some(reason) => Ok(Err(reason)),
            None => comparator.is_at_or_before(&record.position).map(Ok),
        });
        match due {
            Err(error) => failed = Some(HistoryCommandError::Record(error)),
            Ok(Err(reason)) => failed = Some(unclear(reason)),
            Ok(Ok(false)) => {
                later = true;
                rest.push(record);
            }
            Ok(Ok(true)) if later => failed = Some(unclear("it stands behind a record that is later")),
            Ok(Ok(true)) => {
                position = Some(record.position.clone());
                if seen.is_new(&record)
                    && let Err(error) = schema.apply_history(record, &replay)
                {
                    failed = Some(HistoryCommandError::Record(error));
                }
            }
        }
    };
    read_records(old.as_mut(), &mut each).map_err(HistoryCommandError::Storage)?;
    match (failed, position) {
        (Some(error), _) => Err(error),
        (None, Some(position)) => Ok(Parts { schema, position, rest, read }),
        (None, None) => Err(HistoryCommandError::NoRecord {
            history: subject.name(),
            server: server.clone(),
            position: coordinates(offset),
        }),
    }
}

fn recovered(
    subject: &Subject<'_>,
    new: &mut History,
    offset: &Position,
    options: SchemaOptions,
) -> Result<DatabaseSchema, HistoryCommandError> {
    let mut schema = DatabaseSchema::new(options);
    let passed_over = subject.source.history.passed_over().map_err(SourceError::from)?;
    let options = RecoverOptions {
        server: &subject.source.topic_prefix,
        up_to: UpTo::Offset { offset, gtid_sources: None },
        replay: Replay::of(&subject.source.history, &passed_over),
    };
    recover(new.as_mut(), &mut schema, &options).map_err(HistoryCommandError::recovery)?;
    Ok(schema)
}
