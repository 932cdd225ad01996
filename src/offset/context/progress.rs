//! What is done of the transaction in which an offset stands, and how an offset without GTIDs comes to have them.
//!
//! Where `gtid_mode` is switched on, the log goes on in a new file, and that begins with the set of all transactions of the
//! files before it (PREVIOUS_GTIDS). Whoever has read these files has done that set. It is taken over as soon as a
//! transaction with a GTID follows; an anonymous one (`OFF_PERMISSIVE`, `ON_PERMISSIVE`) is in no set, so from there on the
//! offset is one of file and position again, until the next file.

use crate::offset::context::OffsetContext;
use crate::offset::gtid::{Gtid, GtidSet};
use crate::offset::transaction_context::TransactionContext;

impl OffsetContext {
    /// The stored place in the log: file, position, events, rows.
    pub fn place(&self) -> String {
        let (event, row) = self.recorded.unwrap_or_default();
        format!("{}:{}:{event}:{row}", self.file, self.pos)
    }

    /// None when nothing was published since the position; else where the transaction ended, if it did.
    pub fn unsettled(&self) -> Option<Option<u64>> {
        match (&self.committed, self.recorded) {
            (Some(commit), _) => Some(Some(commit.pos)),
            (None, recorded) => recorded.map(|_| None),
        }
    }

    /// The GTID of the prepared XA transaction that the last commit has ended, while that commit is not in the position yet.
    pub fn committed_prepared(&self) -> Option<Gtid> {
        self.committed.as_ref()?.prepared.as_ref()?.gtid
    }

    /// The transaction in which the offset was stored is done, and ended at `pos`.
    pub fn finish(&mut self, gtid: &Gtid, pos: u64) {
        self.executed(gtid);
        self.pos = pos;
        self.transaction = None;
    }

    /// The running transaction is one of which each table had so many records before.
    pub fn restore_tables(&mut self, tables: &[(String, i64)]) {
        if let Some(running) = &self.transaction {
            self.transaction = Some(TransactionContext::restored(running.id().to_owned(), tables.to_vec()));
        }
    }

    /// Transactions that are not wanted count as done.
    pub fn take_for_done(&mut self, others: &GtidSet) {
        if let Some(gtids) = &mut self.gtids {
            *gtids = gtids.union(others);
        }
    }

    /// A file begins, in front of which were these transactions.
    pub fn file_begins(&mut self, previous: GtidSet) {
        if self.gtids.is_none() {
            self.previous_gtids = Some(previous);
        }
    }

    /// A transaction is announced in a log that is read by file and position; what was before it is settled.
    pub fn transaction_announced(&mut self, gtid: Option<&Gtid>) {
        match (gtid, self.previous_gtids.take()) {
            (Some(_), Some(previous)) => self.gtids = Some(previous),
            (Some(_), None) => {}
            (None, _) => self.gtids = None,
        }
    }
}
