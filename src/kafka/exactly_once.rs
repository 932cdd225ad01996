//! Exactly-once: which records share a Kafka transaction, and when it ends.
//!
//! Records, the offset behind them and the change sequence go through one producer whose `transactional.id` is
//! `<group.id>-<connector>-0`, as Kafka Connect's workers name theirs. Before a commit the newest offset of each key that was
//! published is added, so that readers of what is committed see records and offset change together:
//!
//! | killed … | committed | the next start |
//! |---|---|---|
//! | before a transaction has begun | everything before it | goes on behind it |
//! | while records, history or offsets are sent, or before the commit is asked for | everything before it | its identity ends the transaction; publishes it again |
//! | after the coordinator has written down the commit, before its answer or the markers | the transaction, too, as soon as its markers are written | waits for that (CONCURRENT_TRANSACTIONS), reads offsets afterwards, goes on behind it |
//! | after the answer | the transaction, too | goes on behind it |
//!
//! A row of the table differs from the one before it by one step of `commit`, and there is no other order of steps; the model
//! test kills at each, also while the next instance begins, and with two instances at work at a time.
//!
//! A history record is in no transaction (`schema_history` says why) but durable in front of the one that has what follows it, and
//! behind everything before it:
//!
//! | killed … | the history has the statement | the next start |
//! |---|---|---|
//! | before it is stored | no | reads, stores and publishes it |
//! | after it is stored, before the commit behind it | yes, beyond the offset: it does not hold yet | reads and publishes it, does not store it again |
//! | after that commit | yes, at or before the offset | goes on behind it |
//!
//! An instance that was taken over from learns it before it stores one: it commits, or where there is nothing to commit asks whose
//! the identity is. One that falls asleep in the instant between that and the history's acknowledgement stores a statement
//! twice, which a recovery passes over.
//!
//! The identity is taken before offsets are read. So no instance reads an offset that an older one still moves: from then on the
//! brokers refuse the older one, whatever it holds in its hands, and it stops with an error that says why.
//!
//! A commit costs some requests and a wait, so a transaction is open for at least `tidewire.transaction.interval.ms`, unless
//! nothing follows. A source transaction may be cut by a commit: the offset says how far into it one is.

use std::time::{Duration, Instant};

use crate::config::modes::TransactionBoundary;
use crate::config::source::TransactionConfig;
use crate::connect::record::{RecordBatch, StoredOffset};

/// A transaction of more bytes ends wherever it is.
const MOST_BYTES: usize = 64 << 20;

/// See the module.
#[derive(Clone, Debug)]
pub struct ExactlyOnce {
    config: TransactionConfig,
    offset_flush_interval: Duration,
    /// A transaction ends wherever it is when it is so old: well before its coordinator would end it.
    oldest: Duration,
    /// The newest offset of each key, not in the transaction yet.
    offsets: Vec<StoredOffset>,
    records: usize,
    bytes: usize,
    /// The last batch ended a source transaction.
    at_boundary: bool,
    /// When the first record or offset came.
    since: Instant,
    committed: Instant,
}

impl ExactlyOnce {
    /// `transaction_timeout` is the producer's.
    pub fn new(
        config: TransactionConfig,
        offset_flush_interval: Duration,
        transaction_timeout: Duration,
    ) -> Self {
        let now = Instant::now();
        ExactlyOnce {
            config,
            offset_flush_interval,
            oldest: transaction_timeout / 2,
            offsets: Vec::new(),
            records: 0,
            bytes: 0,
            at_boundary: true,
            since: now,
            committed: now,
        }
    }

    /// A batch goes into the transaction.
    pub fn add(&mut self, batch: &RecordBatch, now: Instant) {
        if self.is_empty() {
            self.since = now;
        }
        self.records += batch.records.len();
        self.bytes += batch.bytes.len();
        self.at_boundary = batch.ends_transaction;
        for offset in &batch.offsets {
            self.offsets.retain(|earlier| earlier.key != offset.key);
            self.offsets.push(offset.clone());
        }
    }

    /// Whether there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        self.records == 0 && self.offsets.is_empty()
    }

    /// Whether it is time to commit.
    pub fn is_due(&self, now: Instant) -> bool {
        if self.is_empty() {
            return false;
        }
        let open = now.saturating_duration_since(self.since);
        let pause = now.saturating_duration_since(self.committed);
        if self.records == 0 {
            return open >= self.offset_flush_interval;
        }
        let is_full = self.bytes >= MOST_BYTES || open >= self.oldest;
        is_full
            || match self.config.boundary {
                TransactionBoundary::Poll => pause >= self.config.least,
                TransactionBoundary::Connector => self.at_boundary && pause >= self.config.least,
                TransactionBoundary::Interval => open >= self.config.interval,
            }
    }

    /// The offsets that belong to the transaction, which ends now.
    pub fn take_offsets(&mut self) -> Vec<StoredOffset> {
        std::mem::take(&mut self.offsets)
    }

    /// The transaction is committed.
    pub fn committed(&mut self, now: Instant) {
        self.records = 0;
        self.bytes = 0;
        self.committed = now;
    }
}

#[cfg(test)]
mod tests;
