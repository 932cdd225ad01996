//! Every error of Tidewire is retriable or fatal, and says so where it is born.
//!
//! A *retriable* fault may go away by itself: a lost connection, a broker that is restarting. The task that met it
//! stops, waits (`retriable.restart.connector.wait.ms`) and starts again from what is durable. A *fatal* one needs
//! somebody to change something: a configuration, a privilege, a purged binlog. `task/retry.rs` is the only reader
//! of the class.
//!
//! Texts are lower case without a full stop and name the object with its coordinates (server, binlog file and
//! position, GTID, table, column); they never hold cell values or passwords. A cause is in the chain only.

use std::error::Error;
use std::fmt::Write;

/// What the owner of a task does about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// It may go away: wait and start again from what is durable.
    Retriable,
    /// It stays until somebody changes something.
    Fatal,
}

/// Implemented by the error enum of every folder.
pub trait Classify: Error {
    /// Retriable or fatal, decided where the error was born.
    fn class(&self) -> ErrorClass;

    /// What to change, for errors whose remedy is known.
    fn remedy(&self) -> Option<String> {
        None
    }
}

/// An error with all its causes: `a: b: c`.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        // Writing to a String cannot fail.
        let _ = write!(text, ": {inner}");
        cause = inner.source();
    }
    text
}

/// An error of a storage that its user knows only by a trait: its class, its remedy, and itself as the cause.
#[derive(Debug)]
pub struct StorageError {
    class: ErrorClass,
    remedy: Option<String>,
    source: Box<dyn Error + Send + Sync>,
}

impl StorageError {
    /// Wraps an error and remembers what it says of itself.
    pub fn new<E: Classify + Send + Sync + 'static>(error: E) -> Self {
        StorageError { class: error.class(), remedy: error.remedy(), source: Box::new(error) }
    }

    /// The error itself, for one who knows its type.
    pub fn as_error<E: Error + 'static>(&self) -> Option<&E> {
        self.source.downcast_ref()
    }
}

impl std::fmt::Display for StorageError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.source.fmt(out)
    }
}

impl Error for StorageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.source()
    }
}

impl Classify for StorageError {
    fn class(&self) -> ErrorClass {
        self.class
    }

    fn remedy(&self) -> Option<String> {
        self.remedy.clone()
    }
}
