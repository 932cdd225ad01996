//! Deletions that are old enough are removed from the disk (`tombstones.keep.ms`).
//!
//! A deletion stays in its table as a row that says so. Where it is gone, an older row of its key that comes again would live; so
//! nothing is removed that could still be needed (section 6.5):
//!
//! ```text
//! horizon = the lowest of all partitions of the table's topics of the highest version that was stored of each
//!           less tombstones.keep.ms, and below what is put aside of the table
//! 1. the horizon is stored as the table's cleanup floor
//! 2. rows that a deletion up to the horizon hides are deleted
//! 3. these deletions are deleted, which hide nothing now
//! ```
//! | killed … | afterwards |
//! |---|---|
//! | before 2 or 3 | deletions stay until the next cleanup |
//! | in them | rows that were hidden stay hidden: their deletion goes after them |
//!
//! A record at or below the floor is refused, which stops its table: nobody knows any more whether its row was deleted later.
//! Only the sequence of our source says how old a version is; topics whose offsets are versions keep all deletions. So does a table
//! whose topics are read by several members, or that has a partition of which nothing has come yet.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sink::apply::applier::Applier;
use crate::sink::apply::batch::Batch;
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::ledger::Kind;
use crate::sink::apply::opening::Failure;
use crate::sink::apply::record::RecordStore;
use crate::sink::apply::table::Table;
use crate::sink::clickhouse::client::Query;
use crate::sink::version::{Version, VersionScheme};

/// Between two looks whether it is time; more often where deletions are kept shorter.
const LOOK: Duration = Duration::from_secs(60);
/// Mutations are waited for. A replicated table wants to be told that a subquery is meant.
const SETTINGS: [(&str, &str); 2] = [("mutations_sync", "2"), ("allow_nondeterministic_mutations", "1")];

/// The highest version that was stored of each partition.
#[derive(Debug, Default)]
pub struct StoredVersions(HashMap<(Arc<str>, i32), Version>);

impl StoredVersions {
    /// The server has a batch.
    pub fn add(&mut self, batch: &Batch) {
        for mark in &batch.marks {
            let (Some(origin), Some(version)) = (batch.origin(mark), Version::new(mark.version)) else {
                continue;
            };
            let of = self.0.entry((Arc::clone(&origin.topic), origin.partition)).or_default();
            *of = version.max(*of);
        }
    }

    /// Forgets what was read of a topic: its partitions went elsewhere.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The lowest of all partitions; none when not all have one.
    fn lowest(&self, mut partitions: impl FnMut(&Arc<str>) -> Option<usize>) -> Option<Version> {
        let mut topics: HashMap<&Arc<str>, usize> = HashMap::new();
        for (topic, _) in self.0.keys() {
            *topics.entry(topic).or_default() += 1;
        }
        let is_whole = topics.iter().all(|(topic, seen)| partitions(topic) == Some(*seen));
        self.0.values().min().copied().filter(|_| is_whole)
    }
}

impl Applier {
    /// Removes old deletions, where that is wanted and it is time.
    pub fn clean_up(&mut self, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        let Some(keep) = self.config.tombstones.keep else { return Ok(()) };
        let pause = LOOK.min(self.config.tombstones.interval);
        if self.is_retrying() || self.cleaned.is_some_and(|last| last.elapsed() < pause) {
            return Ok(());
        }
        self.cleaned = Some(Instant::now());
        // What a table that stands still has not stored is read again, with what others have of the same partitions.
        if self.tables.iter().any(|table| table.is_stopped || table.is_paused) || !self.outbox.is_empty() {
            return Ok(());
        }
        for at in 0..self.tables.len() {
            let Some(horizon) = self.horizon(at, keep, records)? else { continue };
            match self.remove_tombstones(at, horizon) {
                Ok(()) => {}
                Err(Failure::Attempt(error)) => return Err(error),
                Err(Failure::Table(error)) => {
                    let Some(table) = self.tables.get(at) else { continue };
                    let error = crate::error::chain(&error);
                    tracing::warn!(table = table.name, error, "old deletions could not be removed");
                }
            }
        }
        Ok(())
    }

    /// Up to which version deletions may go; none when it is not time for it.
    fn horizon(
        &mut self,
        at: usize,
        keep: Duration,
        records: &mut dyn RecordStore,
    ) -> Result<Option<Version>, ApplyError> {
        let Applier { tables, partitions, config, ledger, server, .. } = &mut *self;
        let Some(table) = tables.get(at) else { return Ok(None) };
        let idle = table.weight() == 0 && table.sweep.is_none() && table.target.is_some();
        if table.scheme != VersionScheme::Sequence || !idle {
            return Ok(None);
        }
        let mut failed = None;
        let stored = table.stored_versions.lowest(|topic| {
            let ours = partitions.values().filter(|partition| partition.topic == *topic).count();
            match records.partitions(topic) {
                Ok(all) => (all == ours).then_some(all),
                Err(error) => {
                    failed = Some(error);
                    None
                }
            }
        });
        if let Some(error) = failed {
            return Err(ApplyError::Records(error));
        }
        let Some(mut horizon) = stored.and_then(|stored| stored.before(keep)) else { return Ok(None) };
        let first = ledger.lowest_aside(server, &table.name).map_err(ApplyError::Server)?;
        if let Some(first) = first {
            let Some(below) = first.previous() else { return Ok(None) };
            horizon = horizon.min(below);
        }
        let is_time =
            horizon.before(config.tombstones.interval).is_some_and(|last| last >= table.cleanup_floor);
        Ok(is_time.then_some(horizon))
    }

    fn remove_tombstones(&mut self, at: usize, horizon: Version) -> Result<(), Failure> {
        let Applier { tables, server, ledger, .. } = &mut *self;
        let Some(Table { target: Some(target), name, cleanup_floor, .. }) = tables.get_mut(at) else {
            return Ok(());
        };
        let Some(cleanup) = target.definition().cleanup(horizon) else { return Ok(()) };
        let what = format!("remove old deletions of {name}");
        let count: Vec<(u64,)> =
            server.client.rows(Query::new(&what, &cleanup.count)).map_err(TableError::from)?;
        let count = count.first().map_or(0, |&(count,)| count);
        if count == 0 {
            return Ok(());
        }
        let version = horizon.get().to_string();
        ledger.set(server, Kind::Cleanup, name, version).map_err(TableError::from)?;
        *cleanup_floor = horizon;
        for statement in [&cleanup.hidden, &cleanup.deletions] {
            server.run_with(&what, statement, &SETTINGS).map_err(TableError::from)?;
        }
        tracing::info!(table = name, rows = count, horizon = horizon.get(), "old deletions removed");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_horizon_needs_every_partition_of_every_topic() {
        let topic = |name: &str| -> Arc<str> { Arc::from(name) };
        let version = |number| Version::new(number).unwrap();
        let mut stored = StoredVersions::default();
        let lowest = |stored: &StoredVersions| {
            stored.lowest(|topic| if **topic == *"one" { Some(2) } else { Some(1) })
        };
        assert_eq!(lowest(&stored), None);
        stored.0.insert((topic("one"), 0), version(7));
        assert_eq!(lowest(&stored), None);
        stored.0.insert((topic("one"), 1), version(9));
        assert_eq!(lowest(&stored), Some(version(7)));
        stored.0.insert((topic("other"), 0), version(3));
        assert_eq!(lowest(&stored), Some(version(3)));
        assert_eq!(stored.lowest(|_| None), None);
    }
}
