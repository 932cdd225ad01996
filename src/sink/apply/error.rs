//! Why a table stops, and why an attempt to apply ends.

use crate::error::{Classify, ErrorClass, StorageError};
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::treatment::Scope;
use crate::sink::record::envelope::RecordError;
use crate::sink::row::error::ChangeError;
use crate::sink::row_binary::error::UnsupportedType;
use crate::sink::table::adoption::Difference;
use crate::sink::table::definition::DefinitionError;
use crate::sink::table::evolution::EvolutionError;
use crate::sink::version::VersionError;

/// A table stops; the others go on. Names are those of ClickHouse, `database.table`.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It cannot be made.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// It cannot follow a schema change.
    #[error(transparent)]
    Evolution(#[from] EvolutionError),
    /// A column there has a type that is not written.
    #[error("table {table}")]
    Type {
        /// The table.
        table: String,
        /// The column.
        source: UnsupportedType,
    },
    /// A table is there that does not fit.
    #[error("table {table} is there and does not fit: {}", listed(.differences))]
    DoesNotFit {
        /// The table.
        table: String,
        /// All that is different.
        differences: Vec<Difference>,
    },
    /// Another source filled it.
    #[error("table {table} was filled from {stored}, and its records come from {found}")]
    OtherSource {
        /// The table.
        table: String,
        /// `topic.prefix` of its comment.
        stored: String,
        /// `topic.prefix` of the record.
        found: String,
    },
    /// Records without a schema, of a table that the schema-change topic does not describe.
    #[error("table {table}: the types of its columns are not known")]
    NoTypes {
        /// The table.
        table: String,
    },
    /// Two descriptions of the table have the same columns and other values, and the record does not say which one it follows.
    #[error(
        "table {table}: two descriptions of it have the same columns, and its records tell neither schema nor sequence"
    )]
    AmbiguousTypes {
        /// The table.
        table: String,
    },
    /// Old rows of a new column hold values that are not known here.
    #[error("table {table}: old rows have no value for the new column {column}: {reason}")]
    Refresh {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// Why.
        reason: &'static str,
    },
    /// The versions of its records.
    #[error("table {table}")]
    Version {
        /// The table.
        table: String,
        /// What is wrong with them.
        source: VersionError,
    },
    /// A record that cannot be read.
    #[error("table {table}: record {topic}[{partition}]@{offset}")]
    Record {
        /// The table; the topic where it is not known.
        table: String,
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// The offset.
        offset: i64,
        /// What is wrong with it.
        source: RecordError,
    },
    /// A change that cannot become rows.
    #[error("table {table}: record {topic}[{partition}]@{offset}")]
    Change {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// The offset.
        offset: i64,
        /// What is wrong with it.
        source: ChangeError,
    },
    /// A row that the server does not take.
    #[error("table {table}: record {topic}[{partition}]@{offset}")]
    Row {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// The offset.
        offset: i64,
        /// The server's words.
        source: ClickHouseError,
    },
    /// The record of a row that was not taken is not in the topic any more, so that no copy of it can be kept.
    #[error(
        "table {table}: record {topic}[{partition}]@{offset} cannot be put aside: it is not in the topic any more"
    )]
    RecordGone {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// The offset.
        offset: i64,
    },
    /// The key of a record is not that of the table.
    #[error("table {table}: record {topic}[{partition}]@{offset}: its key is not the key of the row")]
    Key {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// The offset.
        offset: i64,
    },
    /// Rows without a key are written once, and in order, only out of one partition.
    #[error("table {table}: keyless.mode=append needs a topic with one partition, and {topic} has more")]
    AppendPartitions {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
    },
    /// A topic whose offsets are versions was changed: those of its keys that moved to another partition cannot be compared.
    #[error("table {table}: the partitions of {topic} are not those that its versions count")]
    OtherLife {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
    },
    /// Of a table whose changes are rows: they are stored in their order, and this one was put aside as the last.
    #[error("table {table}: nothing that came after record {topic}[{partition}]@{offset} is stored yet")]
    NothingBehind {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// The offset.
        offset: i64,
    },
    /// Whether its row was deleted later cannot be known any more.
    #[error(
        "table {table}: record {topic}[{partition}]@{offset} is older than the deletions that were removed"
    )]
    CleanedUp {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// The offset.
        offset: i64,
    },
    /// A truncate comes in one partition and concerns all.
    #[error("table {table}: it was truncated, and other consumers of the group have partitions of {topic}")]
    SharedTruncate {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
    },
    /// Offsets of several partitions do not tell what came before a truncate, or before a change of a row without a key.
    #[error("table {table}: {what}, and {topic} has several partitions whose offsets are the only order")]
    Unordered {
        /// The table.
        table: String,
        /// The topic.
        topic: String,
        /// What needs an order.
        what: &'static str,
    },
    /// The server refused.
    #[error(transparent)]
    Server(#[from] ClickHouseError),
}

fn listed(differences: &[Difference]) -> String {
    differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl TableError {
    /// The error of the server that concerns all tables, or that may pass: the whole attempt ends with it.
    pub fn of_attempt(self) -> Result<ApplyError, TableError> {
        match self {
            TableError::Server(error)
                if error.class() == ErrorClass::Retriable || error.scope() == Scope::Server =>
            {
                Ok(ApplyError::Server(error))
            }
            other => Err(other),
        }
    }
}

impl Classify for TableError {
    fn class(&self) -> ErrorClass {
        match self {
            TableError::Server(error) => error.class(),
            _ => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        let text = match self {
            TableError::Definition(error) => return error.remedy(),
            TableError::Evolution(error) => return error.remedy(),
            TableError::Type { source, .. } => return source.remedy(),
            TableError::Version { source, .. } => return source.remedy(),
            TableError::Record { source, .. } => return source.remedy(),
            TableError::Change { source, .. } => return source.remedy(),
            TableError::Row { source, .. } | TableError::Server(source) => return source.remedy(),
            TableError::DoesNotFit { .. } => "change the table, or rename it so that the sink makes its own",
            TableError::OtherSource { .. } => {
                "map one of the two to another database (clickhouse.database.override.map)"
            }
            TableError::NoTypes { .. } => {
                "set schema.changes.topic to the source's topic.prefix, or value.converter.schemas.enable=true at the source"
            }
            TableError::AmbiguousTypes { .. } => {
                "set value.converter.schemas.enable=true at the source, or drop the table and read a new snapshot"
            }
            TableError::Refresh { .. } => {
                "drop the table in ClickHouse and read a new snapshot of it: it is made anew"
            }
            TableError::RecordGone { .. } => {
                "read a new snapshot of the table, and keep records longer than the sink may be behind"
            }
            TableError::Key { .. } => {
                "take message.key.columns and masks of key columns off the source, or name all columns that tell rows apart"
            }
            TableError::AppendPartitions { .. } => {
                "give the table a key, choose keyless.mode=row_hash, or a topic with one partition"
            }
            TableError::OtherLife { .. } => {
                "drop the table and its line in _tidewire.state, and read a new snapshot into a topic of another name"
            }
            TableError::NothingBehind { .. } => "try again when the table has changed once more",
            TableError::CleanedUp { .. } => {
                "drop the table in ClickHouse before its topic is read again from so far back, and raise tombstones.keep.ms"
            }
            TableError::Unordered { .. } => {
                "drop the table in ClickHouse, and let the source write a new snapshot into a topic with one partition"
            }
            TableError::SharedTruncate { .. } => {
                "run the sink alone (tasks.max=1, one process) while the table is truncated"
            }
        };
        Some(text.to_owned())
    }
}

/// An attempt to apply records ended; what was not confirmed is read again by the next one.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The server.
    #[error(transparent)]
    Server(ClickHouseError),
    /// The schema-change topic, or a record that had to be read again.
    #[error(transparent)]
    Records(StorageError),
    /// A record of the schema-change topic that cannot be read.
    #[error("schema-change record at offset {offset}")]
    SchemaChange {
        /// The offset.
        offset: i64,
        /// What is wrong with it.
        source: RecordError,
    },
    /// A table is not as it was known: everything is read anew.
    #[error("table {table} was changed by somebody else")]
    Changed {
        /// The table.
        table: String,
        /// The server's words.
        source: ClickHouseError,
    },
    /// The inserts of a table are not confirmed, so that it can neither change nor be emptied.
    #[error("inserts into table {table} were not confirmed within {seconds} s")]
    NotConfirmed {
        /// The table.
        table: String,
        /// How long was waited.
        seconds: u64,
    },
    /// Another consumer of the group took over while this one slept.
    #[error("somebody else has stored rows of table {table}")]
    OtherWriter {
        /// The table.
        table: String,
    },
    /// A thread could not be started.
    #[error("a thread of the sink could not be started")]
    Thread(#[source] std::io::Error),
}

impl Classify for ApplyError {
    fn class(&self) -> ErrorClass {
        match self {
            ApplyError::Server(error) => error.class(),
            ApplyError::Records(error) => error.class(),
            ApplyError::SchemaChange { .. } => ErrorClass::Fatal,
            ApplyError::Changed { .. }
            | ApplyError::NotConfirmed { .. }
            | ApplyError::OtherWriter { .. }
            | ApplyError::Thread(_) => ErrorClass::Retriable,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            ApplyError::Server(error) => error.remedy(),
            ApplyError::Records(error) => error.remedy(),
            ApplyError::SchemaChange { source, .. } => source.remedy(),
            ApplyError::Changed { .. }
            | ApplyError::NotConfirmed { .. }
            | ApplyError::OtherWriter { .. }
            | ApplyError::Thread(_) => None,
        }
    }
}
