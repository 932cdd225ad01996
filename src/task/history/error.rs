//! Why a history command could not be carried out.

use std::fmt;

use crate::error::{Classify, ErrorClass, StorageError};
use crate::offset::error::OffsetError;
use crate::schema::ddl::DdlError;
use crate::schema::history::HistoryError;
use crate::schema::history::recover::RecoverError;
use crate::source::error::SourceError;
use crate::source::mysql::error::MySqlError;

/// A history command failed.
#[derive(Debug, thiserror::Error)]
pub enum HistoryCommandError {
    /// The history's storage, or that of the offsets.
    #[error(transparent)]
    Storage(StorageError),
    /// A record of the history.
    #[error("cannot recover the tables from the schema history")]
    Record(#[source] HistoryError),
    /// The stored offset.
    #[error(transparent)]
    Offset(#[from] OffsetError),
    /// The server.
    #[error(transparent)]
    Server(#[from] SourceError),
    /// A definition of the server that cannot be understood.
    #[error("the definition of table {table} cannot be understood")]
    Definition {
        /// The table.
        table: String,
        /// Why.
        #[source]
        source: DdlError,
    },
    /// Nothing is stored.
    #[error("the schema history {history} does not exist or is empty")]
    Missing {
        /// Topic or file.
        history: String,
    },
    /// Records of other connectors only.
    #[error("the schema history {history} has no record of topic.prefix {server} up to {position}")]
    NoRecord {
        /// Topic or file.
        history: String,
        /// `topic.prefix`.
        server: String,
        /// The position that was asked for.
        position: String,
    },
    /// The history is gone with its process.
    #[error("a history in memory cannot be looked at")]
    InMemory,
    /// No offset is stored.
    #[error("no offset is stored of connector {connector} with topic.prefix {server}")]
    NoOffset {
        /// `name`.
        connector: String,
        /// `topic.prefix`.
        server: String,
    },
    /// The offset says that a snapshot runs.
    #[error("the stored offset is of a snapshot that has not been finished")]
    InSnapshot,
    /// Which records hold at the offset cannot be told for certain.
    #[error(
        "the history record at {record} cannot be put in order with the stored offset at {offset}: {reason}"
    )]
    Unclear {
        /// Of the record.
        record: String,
        /// Of the offset.
        offset: String,
        /// Why.
        reason: &'static str,
    },
    /// The new history is there already.
    #[error("{history} exists already")]
    Exists {
        /// Topic or file.
        history: String,
    },
    /// Somebody wrote to the history meanwhile.
    #[error("the schema history {history} changed while it was compacted")]
    Changed {
        /// Topic or file.
        history: String,
    },
    /// The new history does not recover to the same.
    #[error("the compacted history does not recover to the same tables; it was not put in place")]
    NotTheSame,
}

impl From<MySqlError> for HistoryCommandError {
    fn from(error: MySqlError) -> Self {
        HistoryCommandError::Server(error.into())
    }
}

impl HistoryCommandError {
    /// An error of a storage.
    pub fn storage<E: Classify + Send + Sync + 'static>(error: E) -> Self {
        HistoryCommandError::Storage(StorageError::new(error))
    }

    /// An error of a recovery.
    pub fn recovery(error: RecoverError<StorageError>) -> Self {
        match error {
            RecoverError::Storage(error) => HistoryCommandError::Storage(error),
            RecoverError::Record(error) => HistoryCommandError::Record(error),
        }
    }
}

impl Classify for HistoryCommandError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        let text = match self {
            HistoryCommandError::Storage(error) => return error.remedy(),
            HistoryCommandError::Record(error) => return error.remedy(),
            HistoryCommandError::Offset(error) => return error.remedy(),
            HistoryCommandError::Server(error) => return error.remedy(),
            HistoryCommandError::Definition { source, .. } => return source.remedy(),
            HistoryCommandError::Missing { .. } => {
                "correct schema.history.internal.kafka.topic or .file.filename, or start the connector: it makes the history"
            }
            HistoryCommandError::NoRecord { .. } => {
                "correct topic.prefix or the position; the earliest one is where the first snapshot was taken"
            }
            HistoryCommandError::InMemory => {
                "set schema.history.internal to KafkaSchemaHistory or FileSchemaHistory"
            }
            HistoryCommandError::NoOffset { .. } => {
                "name the worker file with the connector's offsets (--worker), and the connector as it runs"
            }
            HistoryCommandError::InSnapshot => "let the connector finish its snapshot, then stop it",
            HistoryCommandError::Unclear { .. } => {
                "let the connector go on past the change of server, or keep this history as it is"
            }
            HistoryCommandError::Exists { .. } => "name another one with --to, or remove it",
            HistoryCommandError::Changed { .. } => {
                "stop the connector, remove what was written, and compact again"
            }
            HistoryCommandError::NotTheSame => "keep the history as it is and report the table definitions",
        };
        Some(text.to_owned())
    }
}

/// A history command failed: the error with its remedy.
#[derive(Debug)]
pub struct HistoryFailed(pub HistoryCommandError);

impl fmt::Display for HistoryFailed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)?;
        match self.0.remedy() {
            Some(remedy) => write!(out, " (to do: {remedy})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for HistoryFailed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}
