//! What can be wrong with bytes that a MySQL server wrote.

use std::io;

use crate::error::{Classify, ErrorClass};

/// Bytes that are not what they should be. The position is added by whoever knows it (the binlog loop, the file reader).
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The bytes end inside of something.
    #[error("truncated {reading}: {wanted} bytes wanted, {left} left")]
    Truncated {
        /// What was being read.
        reading: &'static str,
        /// How many bytes it needs.
        wanted: u64,
        /// How many bytes there are.
        left: usize,
    },
    /// A value that the format does not allow.
    #[error("invalid {reading}: {problem}")]
    Invalid {
        /// What was being read.
        reading: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The CRC32 at the end of an event is not that of its bytes.
    #[error(
        "checksum mismatch in {kind} event that ends at {next_position}: stored {stored:#010x}, computed {computed:#010x}"
    )]
    Checksum {
        /// The event's kind, as the manual names it.
        kind: &'static str,
        /// The end of the event in the binlog, from its header.
        next_position: u32,
        /// What the event says.
        stored: u32,
        /// What its bytes give.
        computed: u32,
    },
    /// An event of a kind that is not known and not marked as ignorable.
    #[error("unknown event type {code} ({name}) in event that ends at {next_position}")]
    UnknownEvent {
        /// The code in the header.
        code: u8,
        /// The name, where the code is known to belong to another flavour.
        name: &'static str,
        /// The end of the event in the binlog, from its header.
        next_position: u32,
    },
    /// A checksum algorithm other than NONE and CRC32.
    #[error("unknown binlog checksum algorithm {0}")]
    UnknownChecksumAlgorithm(u8),
    /// A column whose type cannot be read.
    #[error("column type {name} ({code}) is not supported")]
    UnsupportedColumnType {
        /// The code on the wire.
        code: u8,
        /// Its name in the server's sources.
        name: &'static str,
    },
    /// A rows event with more or fewer columns than the table map it refers to.
    #[error("rows event of table id {table_id} has {found} columns, its table map has {expected}")]
    ColumnCount {
        /// The table id.
        table_id: u64,
        /// Columns of the table map.
        expected: usize,
        /// Columns of the rows event.
        found: usize,
    },
    /// A compressed transaction that does not decompress.
    #[error("cannot decompress transaction payload")]
    Decompress(#[source] io::Error),
    /// A single event larger than the caller allows.
    #[error("event of {size} bytes exceeds the limit of {limit} bytes")]
    EventTooLarge {
        /// The size that the event's header states.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// A file that does not begin with `fe 62 69 6e`.
    #[error("not a binlog: the file begins with {0:#010x} instead of 0xfe62696e")]
    BadMagic(u32),
    /// A file that begins with `fd 62 69 6e`: encrypted by `binlog_encryption`.
    #[error("the binlog file is encrypted (binlog_encryption), only the server can read it")]
    Encrypted,
    /// A fault inside of a binlog file.
    #[error("binlog file at position {position}")]
    InFile {
        /// Where the event begins.
        position: u64,
        /// What is wrong there.
        #[source]
        source: Box<WireError>,
    },
    /// The file cannot be read.
    #[error("cannot read binlog file at position {position}")]
    Io {
        /// Where the event begins.
        position: u64,
        /// The operating system's word.
        #[source]
        source: io::Error,
    },
    /// A GTID or GTID set that cannot be read.
    #[error("invalid gtid data")]
    Gtid(#[source] crate::offset::gtid::GtidError),
}

impl WireError {
    /// Bytes that break the format.
    pub(crate) const fn invalid(reading: &'static str, problem: &'static str) -> Self {
        WireError::Invalid { reading, problem }
    }
}

impl Classify for WireError {
    /// The bytes stay what they are; only a file that could not be read may be readable later.
    fn class(&self) -> ErrorClass {
        match self {
            WireError::Io { .. } => ErrorClass::Retriable,
            _ => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            WireError::Encrypted => Some("read the binlog through the server instead".to_owned()),
            WireError::UnsupportedColumnType { .. } => Some(
                "exclude the table, or rebuild it with ALTER TABLE … FORCE on a current server".to_owned(),
            ),
            _ => None,
        }
    }
}
