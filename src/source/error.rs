//! What ends the work of a source connector.

use std::path::PathBuf;

use crate::config::error::ConfigError;
use crate::error::{Classify, ErrorClass, StorageError};
use crate::event::error::EventError;
use crate::offset::error::OffsetError;
use crate::offset::position::BinlogPosition;
use crate::plan::error::PlanError;
use crate::schema::ddl::DdlError;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::prerequisites::Finding;
use crate::source::queue::QueueClosed;
use crate::source::snapshot::snapshotter::Refusal;
use crate::wire::error::WireError;

/// A source connector cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The server, or the way to it.
    #[error(transparent)]
    MySql(#[from] MySqlError),
    /// An event cannot be read.
    #[error("the binlog event at {position} cannot be read")]
    Event {
        /// Where the event begins.
        position: BinlogPosition,
        /// What is wrong with it.
        #[source]
        source: WireError,
    },
    /// A row cannot be made into a record.
    #[error("a row of the binlog event at {position} cannot be published")]
    Row {
        /// Where the event begins.
        position: BinlogPosition,
        /// What is wrong with it.
        #[source]
        source: PlanError,
    },
    /// A row that a snapshot read cannot be made into a record.
    #[error("a row of the snapshot cannot be published")]
    SnapshotRow(#[source] PlanError),
    /// A result set of the snapshot cannot be read.
    #[error("the rows of table {table} cannot be read")]
    ResultSet {
        /// The table.
        table: String,
        /// What is wrong.
        #[source]
        source: WireError,
    },
    /// A statement cannot be understood.
    #[error("the statement at {position} cannot be followed")]
    Ddl {
        /// Where its event begins.
        position: BinlogPosition,
        /// What is wrong.
        #[source]
        source: DdlError,
    },
    /// Rows of a table that nobody has told us about.
    #[error("the binlog event at {position} has rows of table {table}, whose schema is not known")]
    UnknownTable {
        /// Where the event begins.
        position: BinlogPosition,
        /// The table.
        table: String,
    },
    /// Rows without the table map that must precede them.
    #[error(
        "the rows event at {position} refers to table number {table_id}, which no table map has introduced"
    )]
    NoTableMap {
        /// Where the event begins.
        position: BinlogPosition,
        /// The number.
        table_id: u64,
    },
    /// The server says that changes may be missing from its log.
    #[error("the server recorded an incident at {position}: {message}")]
    Incident {
        /// Where the event begins.
        position: BinlogPosition,
        /// The server's words.
        message: String,
    },
    /// An event whose content cannot be published by this version.
    #[error("the binlog event {kind} at {position} is not supported")]
    Unsupported {
        /// Where the event begins.
        position: BinlogPosition,
        /// The event's name in the manual.
        kind: &'static str,
    },
    /// Rows of XA transactions that are not committed yet are more than may be kept.
    #[error(
        "the rows of XA transactions that are not committed yet are more than {limit} bytes (tidewire.xa.spill.max.bytes) with \
         the one that begins at {position}"
    )]
    XaSpillFull {
        /// Where the transaction begins that did not fit.
        position: BinlogPosition,
        /// The bound.
        limit: u64,
    },
    /// The temporary file for such rows.
    #[error("the rows of the XA transaction that begins at {position} cannot be kept in a temporary file")]
    XaSpill {
        /// Where the transaction begins.
        position: BinlogPosition,
        /// What the operating system said.
        #[source]
        source: std::io::Error,
    },
    /// Rows of a captured table, or of one that cannot be told, were changed and the log does not have them.
    #[error(
        "{statement} at {position} changed rows of {table} and is logged as a statement: binlog_format was not ROW"
    )]
    StatementFormat {
        /// Where the event begins.
        position: BinlogPosition,
        /// The statement's verb, or the event's name; never its text, which holds values.
        statement: &'static str,
        /// The table, where it can be told.
        table: String,
    },
    /// A schema history is needed and there is none.
    #[error("there is a stored offset, but the schema history {history} is missing or has nothing up to it")]
    HistoryMissing {
        /// Topic or file.
        history: String,
    },
    /// What is stored does not allow what `snapshot.mode` wants.
    #[error("{0}")]
    Refused(Refusal),
    /// The server is not fit to be read.
    #[error("{}", joined(.0, ToString::to_string))]
    Prerequisites(Vec<Finding>),
    /// The backup lock, and no other lock is wanted.
    #[error(
        "the backup lock is refused, and snapshot.locking.mode=minimal_percona_no_table_locks wants no other"
    )]
    LockRefused {
        /// The server's refusal.
        #[source]
        source: MySqlError,
    },
    /// A table was altered between the lock and the reading of its rows.
    #[error("table {table} was changed while the snapshot began")]
    TableChanged {
        /// The table.
        table: String,
    },
    /// Rows of a part of a table are not those that the server counted, or not in the order of its key.
    #[error("a part of table {table} was read out of order: row {rows}, {} expected", .expected.map_or_else(|| "more".to_owned(), |rows| rows.to_string()))]
    ChunkOutOfOrder {
        /// The table.
        table: String,
        /// The row, from 0, or the number of rows.
        rows: u64,
        /// The number of rows that was counted.
        expected: Option<u64>,
    },
    /// The stored offset.
    #[error(transparent)]
    Offset(#[from] OffsetError),
    /// The schema history's storage.
    #[error("the schema history cannot be used")]
    History(#[source] StorageError),
    /// An event's shape.
    #[error(transparent)]
    Shape(#[from] EventError),
    /// The publishing side ended; its own error is reported instead.
    #[error(transparent)]
    Queue(#[from] QueueClosed),
    /// A binlog file cannot be read.
    #[error("the binlog file {} cannot be read", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: std::io::Error,
    },
    /// A filter's expression.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The server is going down.
    #[error("the server ended the binlog stream")]
    StreamEnded,
    /// The user asked for the end while a snapshot ran.
    #[error("stopped in the middle of a snapshot")]
    Stopped,
}

impl SourceError {
    /// Whether one event of the log is to blame: what came before it can be published.
    pub fn is_about_an_event(&self) -> bool {
        matches!(
            self,
            SourceError::Event { .. }
                | SourceError::Row { .. }
                | SourceError::Ddl { .. }
                | SourceError::UnknownTable { .. }
                | SourceError::NoTableMap { .. }
                | SourceError::Incident { .. }
                | SourceError::Unsupported { .. }
                | SourceError::StatementFormat { .. }
                | SourceError::XaSpillFull { .. }
                | SourceError::XaSpill { .. }
        )
    }
}

impl Classify for SourceError {
    fn class(&self) -> ErrorClass {
        match self {
            SourceError::MySql(error) => error.class(),
            SourceError::History(error) => error.class(),
            // A disk that is full has room again some time.
            SourceError::TableChanged { .. } | SourceError::StreamEnded | SourceError::XaSpill { .. } => {
                ErrorClass::Retriable
            }
            // A damaged event may have been damaged on its way: reading it again tells.
            SourceError::Event { source, .. } => source.class(),
            _ => ErrorClass::Fatal,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            SourceError::MySql(error) => error.remedy(),
            SourceError::History(error) => error.remedy(),
            SourceError::Row { source, .. } | SourceError::SnapshotRow(source) => source.remedy(),
            SourceError::Ddl { source, .. } => source.remedy(),
            SourceError::Offset(error) => error.remedy(),
            SourceError::Shape(error) => error.remedy(),
            SourceError::UnknownTable { .. } => Some(
                "the table was created while no history was kept of it: remove the stored offset to start with a new \
                 snapshot, or set inconsistent.schema.handling.mode=warn to pass over its rows"
                    .into(),
            ),
            SourceError::Incident { .. } => {
                Some("rows may be missing from the server's log: take a new snapshot".into())
            }
            SourceError::StatementFormat { .. } => Some(
                "SET PERSIST binlog_format = ROW (before 8.0: SET GLOBAL and my.cnf), have clients reconnect, and remove the \
                 stored offset to start with a new snapshot; event.processing.failure.handling.mode=warn passes over such \
                 statements"
                    .into(),
            ),
            SourceError::XaSpillFull { .. } => Some(
                "commit or roll back what XA RECOVER lists, or set tidewire.xa.spill.max.bytes to more; the stored position is \
                 before the transaction, so nothing is lost"
                    .into(),
            ),
            SourceError::XaSpill { .. } => Some(
                "make room in the system's temporary folder, or set the environment variable TMPDIR to another one".into(),
            ),
            SourceError::HistoryMissing { .. } => Some(
                "restore the schema history or correct its name, or, if no table was changed since the connector stopped, start \
                 once with snapshot.mode=recovery, or remove the stored offset to start with a new snapshot"
                    .into(),
            ),
            SourceError::LockRefused { .. } => Some(
                "only Percona Server has the lock, for accounts with RELOAD; elsewhere set snapshot.locking.mode=minimal".into(),
            ),
            SourceError::ChunkOutOfOrder { .. } => {
                Some("CHECK TABLE tells whether its index is damaged; snapshot.max.threads=1 reads it in one go".into())
            }
            SourceError::Refused(refusal) => Some(refusal.remedy().into()),
            SourceError::Prerequisites(findings) => {
                Some(joined(findings, |finding| finding.remedy.clone()))
            }
            _ => None,
        }
    }
}

fn joined(findings: &[Finding], text: impl Fn(&Finding) -> String) -> String {
    findings.iter().map(text).collect::<Vec<_>>().join("; ")
}
