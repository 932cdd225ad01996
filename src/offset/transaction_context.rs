//! The running transaction, when `provide.transaction.metadata` is on: its id and how many records each table has had.

use std::sync::Arc;

/// Counts of one transaction.
#[derive(Clone, Debug)]
pub struct TransactionContext {
    id: String,
    total: u64,
    counts: Vec<(Arc<str>, u64)>,
}

impl TransactionContext {
    /// A transaction that has just begun.
    pub fn new(id: String) -> Self {
        TransactionContext { id, total: 0, counts: Vec::new() }
    }

    /// A transaction in the middle of which the offset was stored.
    pub fn restored(id: String, counts: Vec<(String, u64)>) -> Self {
        let counts: Vec<(Arc<str>, u64)> = counts.into_iter().map(|(table, n)| (table.into(), n)).collect();
        TransactionContext { id, total: counts.iter().map(|(_, n)| n).sum(), counts }
    }

    /// The GTID, or `file=…,pos=…` without GTIDs.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Records so far, over all tables.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Counts one record of a table: its number in the transaction and in the table, both from 1.
    pub fn count(&mut self, table: &Arc<str>) -> (u64, u64) {
        self.total += 1;
        // A transaction touches few tables, and the name is mostly the very same allocation.
        let known = self.counts.iter_mut().find(|(name, _)| Arc::ptr_eq(name, table) || name == table);
        let order = match known {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.counts.push((Arc::clone(table), 1));
                1
            }
        };
        (self.total, order)
    }

    /// Records of each table, in order of first use.
    pub fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(table, count)| (table.as_ref(), *count))
    }
}
