//! The running transaction, when `provide.transaction.metadata` is on: its id and how many records each table has had.

use std::sync::Arc;

/// Counts of one transaction.
#[derive(Clone, Debug)]
pub struct TransactionContext {
    id: String,
    total: i64,
    /// In order of first use.
    counts: Vec<(Arc<str>, i64)>,
    /// The place of the last record's table: rows come in runs of one table.
    last: usize,
}

impl TransactionContext {
    /// A transaction that has just begun.
    pub fn new(id: String) -> Self {
        TransactionContext { id, total: 0, counts: Vec::new(), last: 0 }
    }

    /// A transaction in the middle of which the offset was stored.
    pub fn restored(id: String, counts: Vec<(String, i64)>) -> Self {
        let counts: Vec<(Arc<str>, i64)> = counts.into_iter().map(|(table, n)| (table.into(), n)).collect();
        TransactionContext { id, total: counts.iter().map(|(_, n)| n).sum(), counts, last: 0 }
    }

    /// The GTID, or `file=…,pos=…` without GTIDs.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Records so far, over all tables.
    pub fn total(&self) -> i64 {
        self.total
    }

    /// Counts one record of a table (`db.table`): its number in the transaction and in the table, both from 1.
    #[inline]
    pub fn count(&mut self, table: &Arc<str>) -> (i64, i64) {
        self.total += 1;
        let same = |entry: &(Arc<str>, i64)| Arc::ptr_eq(&entry.0, table) || entry.0 == *table;
        if !self.counts.get(self.last).is_some_and(same) {
            self.last = self.counts.iter().position(same).unwrap_or_else(|| {
                self.counts.push((Arc::clone(table), 0));
                self.counts.len() - 1
            });
        }
        let in_table = self.counts.get_mut(self.last).map_or(0, |entry| {
            entry.1 += 1;
            entry.1
        });
        (self.total, in_table)
    }

    /// Records of each table, in order of first use.
    pub fn counts(&self) -> impl Iterator<Item = (&str, i64)> {
        self.counts.iter().map(|(table, count)| (table.as_ref(), *count))
    }
}
