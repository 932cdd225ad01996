//! Why a connector stopped.

use std::fmt;

use crate::error::{Classify, ErrorClass, StorageError};
use crate::sink::apply::error::ApplyError;
use crate::source::error::SourceError;

/// An attempt to run a connector failed.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// On the side of the server.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// On the side of ClickHouse.
    #[error(transparent)]
    Sink(#[from] ApplyError),
    /// A sink without a broker to consume from.
    #[error("sink connector without bootstrap.servers")]
    SinkWithoutKafka,
    /// On the side of the records, offsets or history.
    #[error(transparent)]
    Home(StorageError),
    /// The demonstration did not see all that it did.
    #[error("of {made} changes of the demonstration only {seen} came back as records")]
    DemoIncomplete {
        /// Changes made.
        made: u64,
        /// Records seen.
        seen: u64,
    },
    /// The mirror of the demonstration is not the shop.
    #[error("{differences} rows of the demonstration differ between MySQL and ClickHouse")]
    DemoDiffers {
        /// Rows.
        differences: usize,
    },
    /// A thread of the connector ended without a word; that is a defect of Tidewire.
    #[error("a thread of the connector panicked")]
    Panicked,
}

impl TaskError {
    /// An error of a home.
    pub fn home<E: Classify + Send + Sync + 'static>(error: E) -> Self {
        TaskError::Home(StorageError::new(error))
    }
}

impl Classify for TaskError {
    fn class(&self) -> ErrorClass {
        match self {
            TaskError::Source(error) => error.class(),
            TaskError::Home(error) => error.class(),
            TaskError::Sink(error) => error.class(),
            TaskError::SinkWithoutKafka
            | TaskError::Panicked
            | TaskError::DemoIncomplete { .. }
            | TaskError::DemoDiffers { .. } => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            TaskError::Source(error) => error.remedy(),
            TaskError::Home(error) => error.remedy(),
            TaskError::Sink(error) => error.remedy(),
            TaskError::SinkWithoutKafka => {
                Some("name the brokers in the worker's properties (--worker)".to_owned())
            }
            TaskError::Panicked | TaskError::DemoIncomplete { .. } | TaskError::DemoDiffers { .. } => None,
        }
    }
}

/// A connector failed for good: its name, and why.
#[derive(Debug)]
pub struct ConnectorFailed {
    /// The connector.
    pub connector: String,
    /// The last error.
    pub error: TaskError,
}

impl fmt::Display for ConnectorFailed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "connector {} failed", self.connector)?;
        if let Some(remedy) = self.error.remedy() {
            write!(out, " (to do: {remedy})")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConnectorFailed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Files could not be decoded to their end.
#[derive(Debug)]
pub struct DecodeFailed(pub TaskError);

impl fmt::Display for DecodeFailed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the binlog could not be decoded to its end")?;
        if let Some(remedy) = self.0.remedy() {
            write!(out, " (to do: {remedy})")?;
        }
        Ok(())
    }
}

impl std::error::Error for DecodeFailed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
