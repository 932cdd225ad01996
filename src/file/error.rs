//! What can go wrong with files.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Classify, ErrorClass};

/// An error of the file home.
#[derive(Debug, thiserror::Error)]
pub enum FileHomeError {
    /// The file system refused something.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried: `open`, `write`, …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The offset file is not what Kafka Connect writes.
    #[error("{} is no offset file: {problem} at byte {at}", path.display())]
    OffsetFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: &'static str,
        /// Where.
        at: usize,
    },
    /// The lengths beside the offset file cannot be read.
    #[error("{} does not hold the lengths of record files", path.display())]
    Lengths {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// A record file is shorter than what was durable.
    #[error("{} has {actual} bytes, but {expected} were stored", path.display())]
    RecordsLost {
        /// The file.
        path: PathBuf,
        /// Its length.
        actual: u64,
        /// The length that goes with the stored offsets.
        expected: u64,
    },
    /// Another process uses the offset file.
    #[error("{} is in use by another process", path.display())]
    InUse {
        /// The lock.
        path: PathBuf,
    },
    /// A topic whose name cannot be that of a file.
    #[error("topic {topic:?} cannot name a file")]
    TopicName {
        /// The topic.
        topic: String,
    },
}

impl FileHomeError {
    /// Makes a closure for `map_err`.
    pub(super) fn io<'a>(
        action: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> FileHomeError + 'a {
        move |source| FileHomeError::Io { action, path: path.to_owned(), source }
    }
}

impl Classify for FileHomeError {
    fn class(&self) -> ErrorClass {
        match self {
            FileHomeError::Io { source, .. } => match source.kind() {
                io::ErrorKind::NotFound
                | io::ErrorKind::PermissionDenied
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory
                | io::ErrorKind::ReadOnlyFilesystem
                | io::ErrorKind::InvalidInput
                | io::ErrorKind::InvalidFilename
                | io::ErrorKind::Unsupported => ErrorClass::Fatal,
                // Room is made, a quota raised, a file system mounted again.
                _ => ErrorClass::Retriable,
            },
            FileHomeError::InUse { .. } => ErrorClass::Retriable,
            FileHomeError::OffsetFile { .. }
            | FileHomeError::Lengths { .. }
            | FileHomeError::RecordsLost { .. }
            | FileHomeError::TopicName { .. } => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            FileHomeError::Io { source, path, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    Some(format!("make room on the file system of {}", path.display()))
                }
                io::ErrorKind::FileTooLarge => {
                    Some(format!("raise the limit on the size of files (ulimit -f) for {}", path.display()))
                }
                io::ErrorKind::PermissionDenied => {
                    Some(format!("allow this user to write {}", path.display()))
                }
                _ => None,
            },
            FileHomeError::RecordsLost { path, .. } => Some(format!(
                "bring {} back, or move the offset file and its .lengths away to begin anew",
                path.display()
            )),
            FileHomeError::Lengths { path, .. } => Some(format!(
                "remove {}: records behind the stored offsets are then repeated",
                path.display()
            )),
            FileHomeError::InUse { .. } => {
                Some("stop the other process, or name another offset file".to_owned())
            }
            _ => None,
        }
    }
}
