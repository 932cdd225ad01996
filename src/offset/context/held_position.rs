//! The part of the position that has to do with prepared XA transactions (`offset::prepared`).

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::offset::context::OffsetContext;
use crate::offset::error::OffsetError;
use crate::offset::position::{BinlogPosition, compare_files};
use crate::offset::prepared::{PreparedTransaction, PreparedTransactions, beside, reached};

impl OffsetContext {
    /// The offset that had been reached when this one was stored, by what stands beside it (`prepared`); else this one.
    pub fn with_reached(self, beside: &str, stored: &str) -> Result<Self, OffsetError> {
        let Some(text) = reached(beside, stored).filter(|_| self.gtids.is_none()) else {
            return Ok(self);
        };
        let mut reached = OffsetContext::from_stored(self.key.clone(), &text)?;
        reached.prepared = PreparedTransactions::read_from(self.position());
        Ok(reached)
    }

    /// An XA transaction is prepared: the stored position does not pass it before it is over.
    pub fn prepare(&mut self, transaction: PreparedTransaction) {
        self.prepared.add(transaction);
    }

    /// The running transaction ends one that was prepared: with its commit that is over, too.
    pub fn ends_prepared(&mut self, transaction: PreparedTransaction) {
        self.ending = Some(transaction);
    }

    /// A prepared transaction was over before the position was reached.
    pub fn forget_prepared(&mut self, transaction: &PreparedTransaction) {
        self.prepared.remove(transaction);
        if let Some(gtid) = &transaction.gtid {
            self.passed(gtid);
        }
    }

    /// Where to read from: before the position where prepared transactions have to be read again.
    pub fn read_from(&self) -> BinlogPosition {
        self.prepared.start().cloned().unwrap_or_else(|| self.position())
    }

    /// Whether the log is read from before the position that was reached.
    pub fn is_held(&self) -> bool {
        self.prepared.start().is_some()
    }

    /// Whether a place in the log is before the position, and is read only for prepared transactions.
    pub fn is_before_position(&mut self, file: &str, pos: u64) -> bool {
        if self.prepared.start().is_none() {
            return false;
        }
        let is_before = compare_files(file, &self.file).then(pos.cmp(&self.pos)) == Ordering::Less;
        if !is_before {
            self.prepared.caught_up();
        }
        is_before
    }

    /// What to store beside it, where it stays behind.
    pub fn to_stored_beside(&self) -> Option<String> {
        Some(beside(self.held()?, self.members()))
    }

    /// The offset at the oldest prepared transaction; none where nothing is prepared, or GTIDs say it.
    pub(super) fn held(&self) -> Option<Map<String, Value>> {
        let oldest = self.prepared.oldest().filter(|_| self.gtids.is_none())?;
        let mut held = OffsetContext { recorded: None, transaction: None, ..self.clone() };
        held.set_position(&oldest.file, oldest.pos);
        Some(held.members())
    }
}
