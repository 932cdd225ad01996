//! Binlog events: a frame (one whole event) becomes an `Event<'a>` that borrows it.
//!
//! The parser carries what a FORMAT_DESCRIPTION event said of the file it began: whether events end with a CRC32, and
//! how long their post-headers are. That event describes itself. At the start of a dump a server sends an artificial
//! ROTATE first, with a checksum where the client announced that it knows them; as nothing has said so yet, it is taken
//! as having one when its last four bytes fit. From then on every event is checked.
//!
//! A kind that is not known is an error, unless its header says that it may be ignored: whoever skipped it silently
//! would lose data. Manual: "Binary Log Event" in the MySQL source documentation.

mod checksum;
pub mod format_description;
pub mod gtid;
mod gtid_tagged;
pub mod header;
pub mod heartbeat;
pub mod incident;
mod parser;
pub mod previous_gtids;
pub mod query;
pub mod rotate;
pub mod rows_query;
pub mod status_variables;
pub mod table_map;
pub mod table_metadata;
pub mod transaction_payload;
pub mod xa_prepare;
pub mod xid;

pub use format_description::{ChecksumAlgorithm, FormatDescriptionEvent};
pub use gtid::GtidEvent;
pub use header::{EventHeader, EventKind, HEADER_LENGTH};
pub use heartbeat::HeartbeatEvent;
pub use incident::IncidentEvent;
pub use parser::EventParser;
pub use previous_gtids::PreviousGtidsEvent;
pub use query::QueryEvent;
pub use rotate::RotateEvent;
pub use rows_query::RowsQueryEvent;
pub use status_variables::{SessionCharsets, StatusVariables};
pub use table_map::{ColumnLayout, TableMapEvent};
pub use table_metadata::TableMetadata;
pub use transaction_payload::{PayloadContext, PayloadFrames, TransactionPayloadEvent};
pub use xa_prepare::XaPrepareEvent;
pub use xid::XidEvent;

use crate::wire::rows::RowsEvent;

/// One event. It borrows its frame.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// How the events that follow are written.
    FormatDescription(FormatDescriptionEvent<'a>),
    /// The log goes on in another file.
    Rotate(RotateEvent<'a>),
    /// The beginning of a transaction: GTID, ANONYMOUS_GTID or GTID_TAGGED_LOG.
    Gtid(GtidEvent),
    /// All transactions of the files before.
    PreviousGtids(PreviousGtidsEvent<'a>),
    /// A statement.
    Query(Box<QueryEvent<'a>>),
    /// The table of the rows that follow.
    TableMap(TableMapEvent<'a>),
    /// Rows written, changed or deleted.
    Rows(RowsEvent<'a>),
    /// A compressed transaction.
    TransactionPayload(TransactionPayloadEvent<'a>),
    /// The statement behind the rows that follow.
    RowsQuery(RowsQueryEvent<'a>),
    /// Commit.
    Xid(XidEvent),
    /// The end of a prepared XA transaction's rows.
    XaPrepare(XaPrepareEvent<'a>),
    /// A sign of life.
    Heartbeat(HeartbeatEvent<'a>),
    /// A gap in the log.
    Incident(IncidentEvent<'a>),
    /// The server stopped; the file ends.
    Stop,
    /// Part of a change that was logged as a statement, not as rows: INTVAR, RAND, USER_VAR, the LOAD DATA kinds.
    Statement(EventKind),
    /// Written by group replication for itself: TRANSACTION_CONTEXT, VIEW_CHANGE.
    GroupReplication(EventKind),
    /// A kind that is not known and may be ignored.
    Ignorable(EventKind),
}
