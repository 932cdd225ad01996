//! From a stored history back to the tables in force at an offset.
//!
//! Records of the same source, at or before the offset, are applied in order. A record's table changes say what became of
//! the tables; only where it has none is its statement carried out. The statement is read in the other case too, when it
//! can be: it tells what the stored form leaves out, the unique keys, and the former name of a table that ALTER TABLE …
//! RENAME gave a new one. A history that Debezium wrote is read the same way.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::Value;

use crate::config::pattern::JavaPattern;
use crate::config::source::HistoryConfig;
use crate::error::{Classify, ErrorClass};
use crate::offset::position::BinlogPosition;
use crate::schema::database_schema::{DatabaseSchema, Statement};
use crate::schema::ddl::{DdlError, resolve};
use crate::schema::history::comparator::{self, GtidFilter, HistoryRecordComparator, Position};
use crate::schema::history::outline::Outlines;
use crate::schema::history::record::HistoryRecord;
use crate::schema::history::{HistoryError, SchemaHistory, json, no_record};
use crate::schema::table::{Table, same_column_name};
use crate::schema::table_change::TableChange;

/// ANSI_QUOTES. The history does not hold the `sql_mode` of a statement, so the other reading is tried too.
const ANSI_QUOTES: u64 = 4;

/// Which records hold.
#[derive(Clone, Copy)]
pub enum UpTo<'a> {
    /// Those at or before a stored offset, by Debezium's rules.
    Offset {
        /// The offset.
        offset: &'a Position,
        /// The sources of GTIDs that count; none is all.
        gtid_sources: Option<GtidFilter<'a>>,
    },
    /// Those at or before a position in the binlog files of the server that the history is of.
    File(&'a BinlogPosition),
    /// All.
    End,
}

/// Up to where, and how.
#[derive(Clone, Copy)]
pub struct RecoverOptions<'a> {
    /// `topic.prefix`: records of other sources are passed over.
    pub server: &'a str,
    /// The last records that hold.
    pub up_to: UpTo<'a>,
    /// How statements are carried out.
    pub replay: Replay<'a>,
}

/// How a record's statement is carried out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replay<'a> {
    /// `schema.history.internal.skip.unparseable.ddl`.
    pub skip_unparseable: bool,
    /// `internal.schema.history.internal.prefer.ddl`: the statement counts, also where the record has table changes.
    pub prefer_ddl: bool,
    /// `internal.schema.history.internal.ddl.filter`: statements that are passed over.
    pub passed_over: &'a [JavaPattern],
}

impl<'a> Replay<'a> {
    /// Whether a statement is passed over.
    pub(crate) fn passes_over(&self, record: &HistoryRecord) -> bool {
        let ddl = record.ddl.as_deref().unwrap_or_default();
        self.passed_over.iter().any(|pattern| pattern.matches(ddl))
    }

    /// Whether a record's statement is carried out, and not its table changes taken over.
    pub(crate) fn is_carried_out(&self, record: &HistoryRecord) -> bool {
        record.table_changes.is_empty() || self.prefer_ddl
    }

    /// As a connector is configured; `passed_over` are the compiled expressions of the configuration.
    pub fn of(config: &HistoryConfig, passed_over: &'a [JavaPattern]) -> Self {
        let HistoryConfig { skip_unparseable, prefer_ddl, .. } = *config;
        Replay { skip_unparseable, prefer_ddl, passed_over }
    }
}

/// What a recovery read.
#[derive(Clone, Debug, Default)]
pub struct Recovered {
    /// All records.
    pub read: u64,
    /// Those that were applied.
    pub applied: u64,
    /// The connector's records that do not hold yet: stored before a kill, and their offset was not.
    pub beyond: Seen,
}

/// A recovery that failed, in the storage or over a record.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError<E: Classify + 'static> {
    /// The storage.
    #[error("cannot read the schema history")]
    Storage(#[source] E),
    /// A record.
    #[error("cannot recover the tables from the schema history")]
    Record(#[source] HistoryError),
}

impl<E: Classify + 'static> Classify for RecoverError<E> {
    fn class(&self) -> ErrorClass {
        match self {
            RecoverError::Storage(error) => error.class(),
            RecoverError::Record(error) => error.class(),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            RecoverError::Storage(error) => error.remedy(),
            RecoverError::Record(error) => error.remedy(),
        }
    }
}

/// Replays a history into a schema.
pub fn recover<H: SchemaHistory + ?Sized>(
    history: &mut H,
    schema: &mut DatabaseSchema,
    options: &RecoverOptions<'_>,
) -> Result<Recovered, RecoverError<H::Error>> {
    let mut recovered = Recovered::default();
    let due = Due::new(options).map_err(RecoverError::Record)?;
    let mut seen = Seen::default();
    let mut failed = None;
    let mut outlines = Outlines::new(schema);
    let mut each = |place: u64, text: &str| {
        let record = match json::read::outline(text) {
            Ok(record) => record,
            Err(problem) => return no_record(place, &problem),
        };
        recovered.read += 1;
        if failed.is_some() {
            return;
        }
        let applied = match due.is_due(&record) {
            Ok(true) if !seen.is_new(&record) => Ok(true),
            Ok(true) => outlines.apply(record, text, &options.replay).map(|()| true),
            Ok(false) if record.is_of(options.server) => {
                recovered.beyond.is_new(&record);
                Ok(false)
            }
            other => other,
        };
        match applied {
            Ok(applied) => recovered.applied += u64::from(applied),
            Err(error) => failed = Some(error),
        }
    };
    history.recover(&mut each).map_err(RecoverError::Storage)?;
    match failed.map_or_else(|| outlines.complete(), Err) {
        Err(error) => Err(RecoverError::Record(error)),
        Ok(()) => Ok(recovered),
    }
}

/// Statements that are stored. Debezium, killed after a statement was stored and before its offset was, stores it again; done
/// twice, it would meet what came after it the first time.
#[derive(Clone, Debug, Default)]
pub struct Seen(HashSet<u64>);

impl Seen {
    /// Adds a statement; whether it was not there before. That of a snapshot that starts again is another one.
    pub(crate) fn is_new(&mut self, record: &HistoryRecord) -> bool {
        Self::digest(record).is_none_or(|digest| self.0.insert(digest))
    }

    /// Whether a statement is there.
    pub fn contains(&self, record: &HistoryRecord) -> bool {
        !self.0.is_empty() && Self::digest(record).is_some_and(|digest| self.0.contains(&digest))
    }

    fn digest(record: &HistoryRecord) -> Option<u64> {
        if record.position.contains_key("snapshot") {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        for (name, value) in &record.position {
            name.hash(&mut hasher);
            match value {
                Value::String(text) => text.hash(&mut hasher),
                Value::Number(number) => number.as_i64().hash(&mut hasher),
                other => other.is_null().hash(&mut hasher),
            }
        }
        (&record.ddl, &record.database_name).hash(&mut hasher);
        for change in &record.table_changes {
            (&change.id, &change.previous_id).hash(&mut hasher);
        }
        Some(hasher.finish())
    }
}

/// Tells the records that hold from the others.
pub struct Due<'a> {
    server: &'a str,
    up_to: Limit<'a>,
}

enum Limit<'a> {
    Offset(HistoryRecordComparator<'a>),
    File(&'a BinlogPosition),
    End,
}

impl<'a> Due<'a> {
    /// For these options. An error when the offset cannot be read.
    pub fn new(options: &RecoverOptions<'a>) -> Result<Self, HistoryError> {
        let up_to = match options.up_to {
            UpTo::Offset { offset, gtid_sources } => {
                Limit::Offset(HistoryRecordComparator::new(offset, gtid_sources)?)
            }
            UpTo::File(position) => Limit::File(position),
            UpTo::End => Limit::End,
        };
        Ok(Due { server: options.server, up_to })
    }

    /// Whether a record is of the connector, and at or before the position.
    pub fn is_due(&self, record: &HistoryRecord) -> Result<bool, HistoryError> {
        if !record.is_of(self.server) {
            return Ok(false);
        }
        match &self.up_to {
            Limit::Offset(comparator) => comparator.is_at_or_before(&record.position),
            Limit::File(position) => {
                comparator::by_file_and_position(&record.position, &position.file, position.pos)
            }
            Limit::End => Ok(true),
        }
    }
}

impl DatabaseSchema {
    /// Applies one record, whatever its position.
    pub fn apply_history(&mut self, mut record: HistoryRecord, how: &Replay<'_>) -> Result<(), HistoryError> {
        if how.passes_over(&record) {
            return Ok(());
        }
        if !how.is_carried_out(&record) {
            for change in std::mem::take(&mut record.table_changes) {
                self.apply_recorded(change, &record);
            }
            return Ok(());
        }
        match self.replay(&record) {
            Err(cause) if how.skip_unparseable => {
                tracing::warn!(position = record.coordinates(), error = %cause, "ddl of the schema history is skipped");
                Ok(())
            }
            Err(cause) => Err(HistoryError::Ddl { position: record.coordinates(), cause }),
            Ok(()) => Ok(()),
        }
    }

    /// Carries out the statement.
    fn replay(&mut self, record: &HistoryRecord) -> Result<(), DdlError> {
        let statement = statement(record, 0);
        let first = self.apply_ddl(&statement);
        if first.is_err() && self.apply_ddl(&statement_of_ansi(record)).is_ok() {
            return Ok(());
        }
        first.map(drop)
    }

    /// A recorded change, with what its statement says besides, where the two agree on the columns and the record key.
    /// The current database of a renaming is not stored, so a statement that disagrees may be about another table.
    fn apply_recorded(&mut self, mut change: TableChange, record: &HistoryRecord) {
        if let Some(recorded) = &mut change.table {
            if change.previous_id.is_none()
                && let Some(keyed) = resolve::keys_after_alter(self, &statement(record, 0), recorded)
            {
                Arc::make_mut(recorded).take_keys(&keyed);
                return self.apply_changes(&[change]);
            }
            let preview = resolve::preview(self, &statement(record, 0))
                .or_else(|| resolve::preview(self, &statement_of_ansi(record)))
                .filter(|(_, told)| told.id == change.id && agree(recorded, told));
            if let Some((before, told)) = preview {
                Arc::make_mut(recorded).take_keys(&told);
                if before != change.id {
                    self.remove(&before);
                }
            } else if let Some(former) =
                change.previous_id.iter().chain([&change.id]).find_map(|id| self.table(id))
                && agree(recorded, former)
            {
                Arc::make_mut(recorded).take_keys(former);
            }
        }
        self.apply_changes(&[change]);
    }
}

fn statement(record: &HistoryRecord, sql_mode: u64) -> Statement<'_> {
    let text = record.ddl.as_deref().unwrap_or_default();
    let database = record.database_name.as_deref().unwrap_or_default();
    Statement { text, database, sql_mode, ..Statement::default() }
}

fn statement_of_ansi(record: &HistoryRecord) -> Statement<'_> {
    statement(record, ANSI_QUOTES)
}

fn agree(left: &Table, right: &Table) -> bool {
    left.primary_key_column_names == right.primary_key_column_names
        && left.columns.len() == right.columns.len()
        && left.columns.iter().zip(&right.columns).all(|(l, r)| same_column_name(&l.name, &r.name))
}

#[cfg(test)]
mod tests;
