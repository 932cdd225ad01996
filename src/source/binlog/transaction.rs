//! What is known of the transaction whose events are being read.

use crate::offset::gtid::Gtid;
use crate::wire::event::{EventHeader, GtidEvent};

/// The running transaction, or the statement outside one.
#[derive(Clone, Debug, Default)]
pub struct Transaction {
    /// Between BEGIN and its commit.
    pub open: bool,
    /// Its GTID; none with `gtid_mode=OFF`.
    pub gtid: Option<Gtid>,
    /// The same as text; empty for none.
    pub gtid_text: String,
    /// When it was committed where it began, in microseconds since 1970, where the log says so.
    pub commit_micros: Option<i64>,
    /// The thread that its BEGIN names.
    pub thread: Option<u32>,
    /// The statement behind the rows, when the server logs it and `include.query` asks for it.
    pub query: Option<String>,
}

impl Transaction {
    /// A GTID or ANONYMOUS_GTID event announces a transaction or a statement.
    pub fn announce(&mut self, event: &GtidEvent) {
        self.gtid = event.gtid;
        self.gtid_text = event.gtid.map(|gtid| gtid.to_string()).unwrap_or_default();
        self.commit_micros = event
            .original_commit_timestamp
            .or(event.immediate_commit_timestamp)
            .and_then(|micros| i64::try_from(micros).ok());
        self.thread = None;
        self.query = None;
    }

    /// What the last transaction left does not belong to the next event.
    pub fn over(&mut self) {
        self.open = false;
        self.gtid = None;
        self.gtid_text.clear();
        self.commit_micros = None;
        self.thread = None;
        self.query = None;
    }

    /// The source time of its rows in microseconds. Debezium takes the commit time only from GTID events, not from
    /// anonymous ones; else it is the event's own second.
    pub fn source_micros(&self, header: &EventHeader) -> i64 {
        match self.commit_micros {
            Some(micros) if self.gtid.is_some() => micros,
            _ => i64::from(header.timestamp) * 1_000_000,
        }
    }

    /// The commit time for the change sequence: the best that the log has.
    pub fn sequence_micros(&self, header: &EventHeader) -> i64 {
        self.commit_micros.unwrap_or_else(|| i64::from(header.timestamp) * 1_000_000)
    }

    /// The id in transaction metadata: the GTID, or where the transaction begins.
    pub fn id(&self, file: &str, begin: u64) -> String {
        if self.gtid.is_some() { self.gtid_text.clone() } else { format!("file={file},pos={begin}") }
    }
}
