//! Which XA transactions are prepared, and what is kept of them (`xa` says why).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use crate::offset::gtid::Gtid;
use crate::offset::position::BinlogPosition;
use crate::offset::prepared::PreparedTransaction;
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::source::binlog::event_handler::EventPlace;
use crate::source::binlog::xa_spill::{Spill, SpilledEvents};
use crate::source::binlog::xid::Xid;
use crate::wire::event::EventHeader;

/// A transaction whose rows are kept.
pub(super) struct XaBranch {
    /// Where its XA START stands.
    pub(super) begin: BinlogPosition,
    pub(super) gtid: Option<Gtid>,
    /// The session that changed the rows.
    pub(super) thread: u32,
    /// The tables as they are when it is prepared, by number.
    pub(super) tables: Vec<(u64, Option<Arc<Table>>)>,
    pub(super) spill: Spill,
    /// Seconds since 1970.
    pub(super) prepared_at: i64,
    /// Seconds from then to the next warning.
    pub(super) warn_at_age: i64,
}

/// A transaction that is being published.
pub(super) struct Publishing {
    /// Of the event that commits it.
    pub(super) header: EventHeader,
    pub(super) at: EventPlace,
    pub(super) one_phase: bool,
    pub(super) events: SpilledEvents,
    pub(super) begin: BinlogPosition,
}

/// The XA transactions of one log.
#[derive(Default)]
pub(super) struct XaTransactions {
    /// The one whose rows are being read.
    pub(super) reading: Option<XaBranch>,
    /// The one whose rows were all read, before its XA_PREPARE.
    pub(super) ended: Option<XaBranch>,
    pub(super) prepared: HashMap<Xid, XaBranch>,
    /// Bytes of all that are prepared, and those in memory.
    pub(super) bytes: u64,
    pub(super) in_memory: u64,
    pub(super) publishing: Option<Publishing>,
    /// The tables of the one that is being published, where they are others now.
    pub(super) tables: Vec<(u64, Option<Arc<Table>>)>,
    /// Rows of the one that is being published that were read before the present event.
    pub(super) rows: Option<u64>,
    /// The kept event that is being read.
    pub(super) event: Vec<u8>,
    /// When prepared transactions were looked at for their age.
    pub(super) looked: Option<Instant>,
}

impl XaTransactions {
    /// Whether rows are being read that are kept.
    #[inline]
    pub(super) fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Whether any transaction is prepared.
    pub(super) fn has_prepared(&self) -> bool {
        !self.prepared.is_empty()
    }

    /// Rows of the transaction before the present event, where its rows have one place.
    #[inline]
    pub(super) fn rows_before(&self) -> u64 {
        self.rows.unwrap_or_default()
    }

    /// So many rows more were read.
    #[inline]
    pub(super) fn rows_read(&mut self, count: u64) {
        if let Some(rows) = &mut self.rows {
            *rows += count;
        }
    }

    /// A table as it was when the transaction was prepared that is being published; none where it is the same now.
    pub(super) fn table(&self, id: &TableId) -> Option<&Arc<Table>> {
        let mut tables = self.tables.iter().filter_map(|(_, table)| table.as_ref());
        tables.find(|table| table.id == *id)
    }

    /// Another transaction begins: what was not prepared comes again, where a lost connection is resumed.
    pub(super) fn abandon(&mut self) {
        self.reading = None;
        self.ended = None;
    }

    /// XA END: no more rows.
    pub(super) fn end(&mut self) {
        self.ended = self.reading.take();
    }

    /// A transaction is prepared; gives back one of the same id.
    pub(super) fn keep(&mut self, xid: Xid, branch: XaBranch) -> Option<XaBranch> {
        let earlier = self.take(&xid);
        self.bytes += branch.spill.bytes();
        self.in_memory += branch.spill.in_memory();
        self.prepared.insert(xid, branch);
        earlier
    }

    /// A prepared transaction is over.
    pub(super) fn take(&mut self, xid: &Xid) -> Option<XaBranch> {
        let branch = self.prepared.remove(xid)?;
        self.bytes -= branch.spill.bytes();
        self.in_memory -= branch.spill.in_memory();
        Some(branch)
    }
}

impl XaBranch {
    /// What the position has to know of it.
    pub(super) fn place(&self) -> PreparedTransaction {
        PreparedTransaction { begin: self.begin.clone(), gtid: self.gtid }
    }
}
