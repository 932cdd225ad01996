//! Which transaction a start goes on with, and by what it knows how far it was published.
//!
//! Without GTIDs the server begins exactly where it is asked to: the first transaction is the one of the stored offset,
//! and its events and rows are counted. With GTIDs it sends what is not in the set, and on another server another
//! transaction may be first; so the one that was cut off is known by its GTID (`offset::unfinished`). An offset that
//! Debezium stored does not name it, unless transaction metadata is provided: then the transaction at the same place of
//! the same file is taken for it. On another server it is published from its beginning: twice rather than in part.

use crate::source::binlog::event_handler::{EventHandler, EventPlace};
use crate::source::error::SourceError;
use crate::wire::event::PreviousGtidsEvent;

/// Whether a transaction that begins was published in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resumed {
    /// It was not.
    No,
    /// The events and rows that the stored offset counts.
    ByCounts,
    /// So many numbers of the change sequence, and records of each table.
    ByNumbers {
        /// Numbers.
        numbers: u64,
        /// Records, where transaction metadata counts them.
        tables: Vec<(String, i64)>,
    },
}

impl EventHandler {
    /// The transaction of the present GTID begins, with this id in transaction metadata.
    pub(super) fn resumes(&mut self, id: Option<&str>, at: EventPlace) -> Resumed {
        let begun = self.begun.take();
        let has_counts = self.skip_events > 0 || self.skip_rows > 0;
        let gtid = self.transaction.gtid;
        let dispatcher = &mut self.dispatcher;
        let part = dispatcher.unfinished.begin(gtid, &mut dispatcher.sequence).cloned();
        if let Some(part) = part {
            if self.dispatcher.unfinished.is_counted() {
                return Resumed::ByCounts;
            }
            self.skip_events = 0;
            self.skip_rows = 0;
            return Resumed::ByNumbers { numbers: part.numbers, tables: part.tables.unwrap_or_default() };
        }
        let is_it = match (&begun, gtid) {
            _ if self.dispatcher.unfinished.is_known() => false,
            (Some(begun), Some(_)) => *begun == self.transaction.gtid_text,
            (None, Some(_)) => self.counted_at == self.position(at),
            (_, None) => true,
        };
        if is_it && (has_counts || (begun.is_some() && begun.as_deref() == id)) {
            return Resumed::ByCounts;
        }
        if has_counts {
            let gtid = self.transaction.gtid_text.as_str();
            let position = self.position(at);
            tracing::warn!(gtid, %position, "the transaction in which the stored offset stands is not the first one here: it is published from its beginning");
            self.skip_events = 0;
            self.skip_rows = 0;
        }
        Resumed::No
    }

    /// Whether the transaction in which the stored offset stands has not come yet.
    pub(super) fn is_resuming(&self) -> bool {
        self.skip_events > 0 || self.skip_rows > 0 || self.begun.is_some()
    }

    /// The counts of the stored offset belong to the first transaction only.
    pub(super) fn resumed_transaction_is_over(&mut self) {
        self.skip_events = 0;
        self.skip_rows = 0;
        self.skip_numbers = 0;
        self.applied_statement = None;
        self.dispatcher.unfinished.over();
    }

    /// A file of the server begins with the transactions before it.
    pub(super) fn previous_gtids(
        &mut self,
        event: &PreviousGtidsEvent<'_>,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        // A file that is decoded by itself has an offset of file and position.
        if self.dispatcher.unfinished.is_of_server() && self.dispatcher.offset.gtids().is_none() {
            let previous = event.gtids().map_err(|source| self.event_error(at, source))?;
            self.dispatcher.settle();
            self.dispatcher.offset.file_begins(previous);
        }
        Ok(())
    }
}
