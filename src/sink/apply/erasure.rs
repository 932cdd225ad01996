//! What deletes rows without a record of each: a truncate, and a snapshot that does not find them.
//!
//! A truncate waits until all that came before is stored, deletes what is not above its version, and sets the floor. Where offsets are
//! versions it does so for a topic of one partition: of several they do not tell what came before it. A snapshot
//! after the table's first says which rows there are: those that are older and that it does not have were deleted while no source
//! looked.

use std::time::{Duration, Instant};

use crate::sink::apply::applier::Applier;
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::ledger::Kind;
use crate::sink::apply::opening::Failure;
use crate::sink::apply::record::{Effect, Record, RecordStore};
use crate::sink::apply::table::{Sweep, Table};
use crate::sink::consumer::held::HeldRecords;
use crate::sink::record::envelope::SourceFields;
use crate::sink::version::{Version, VersionScheme};

/// A snapshot's rows have all come when none came for so long.
const QUIET: Duration = Duration::from_secs(5);

impl Applier {
    /// A row of a snapshot. What a later snapshot than the table's first does not find was deleted while nobody looked.
    /// With our numbers its rows have one version, that of its read point. With offsets each has its own, all above what came before
    /// the first one, which is marked; but only in a topic of one partition.
    pub(super) fn meet_snapshot(
        &mut self,
        at: usize,
        record: Record<'_>,
        version: Version,
        fields: &SourceFields<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<(), ApplyError> {
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        if version <= table.swept {
            return Ok(());
        }
        if table.taken == 0 && table.target.as_ref().is_some_and(|target| target.is_new) {
            // Nothing was there before it.
            table.swept = version;
            return Ok(());
        }
        let begins = table.scheme == VersionScheme::Sequence
            || fields.first_of_table
                && records.partitions(&record.origin.topic).map_err(ApplyError::Records)? == 1;
        let is_due = fields.last_of_table;
        match &mut table.sweep {
            Some(sweep) => {
                if begins {
                    sweep.version = sweep.version.max(version);
                }
                sweep.is_due |= is_due;
                sweep.seen = Instant::now();
            }
            None if begins => {
                let mut held = HeldRecords::default();
                held.add(record.origin.assignment, record.offset);
                self.effects.push(Effect::Hold(record.origin.assignment, record.offset));
                table.sweep = Some(Sweep { version, held, is_due, seen: Instant::now() });
            }
            None => {}
        }
        Ok(())
    }

    pub(super) fn apply_truncate(
        &mut self,
        at: usize,
        record: Record<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<(), ApplyError> {
        let Some(version) = self.version(at, record, records)? else { return Ok(()) };
        let Some(table) = self.tables.get(at) else { return Ok(()) };
        if !table.floor.is_below(version) {
            return Ok(());
        }
        let topic = &record.origin.topic;
        let partitions = records.partitions(topic).map_err(ApplyError::Records)?;
        if table.scheme != VersionScheme::Sequence && partitions > 1 {
            let (table, topic) = (table.name.clone(), topic.to_string());
            let error = TableError::Unordered { table, topic, what: "it was truncated" };
            return self.refuse(at, record, version, &error);
        }
        let ours = self.partitions.values().filter(|partition| partition.topic == *topic).count();
        if ours < partitions {
            let error = TableError::SharedTruncate { table: table.name.clone(), topic: topic.to_string() };
            return self.refuse(at, record, version, &error);
        }
        self.drain(at, records)?;
        let Applier { tables, server, ledger, .. } = &mut *self;
        let Some(table) = tables.get_mut(at) else { return Ok(()) };
        let Some(target) = &table.target else { return Ok(()) };
        let emptied = target.truncate(server, version).and_then(|()| {
            // Not before: a truncate that is met again is done again.
            ledger.set(server, Kind::Floor, &table.name, version.get().to_string())
        });
        match emptied.map_err(|error| Failure::from(TableError::from(error))) {
            Ok(()) => {
                table.floor.raise(version);
                tracing::info!(table = table.name, "table truncated");
                Ok(())
            }
            Err(Failure::Attempt(error)) => Err(error),
            Err(Failure::Table(error)) => self.refuse(at, record, version, &error),
        }
    }

    /// Deletes what a snapshot did not find, as soon as all of it is stored. The deletions are below its rows, so that these win
    /// whatever order they arrive in; of offsets they have the first row's, which is a row of another key.
    pub(super) fn sweep_due(&mut self, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        for at in 0..self.tables.len() {
            let is_due = |table: &Table| {
                table.sweep.as_ref().is_some_and(|sweep| sweep.is_due || sweep.seen.elapsed() >= QUIET)
            };
            if !self.tables.get(at).is_some_and(|table| is_due(table) && !table.is_stopped) {
                continue;
            }
            self.drain(at, records)?;
            let Applier { tables, server, .. } = &mut *self;
            let Some(table) = tables.get_mut(at) else { continue };
            let Some(mut sweep) = table.sweep.take() else { continue };
            let read_point = match table.scheme {
                VersionScheme::Sequence => sweep.version.previous(),
                VersionScheme::Offset(_) => Some(sweep.version),
            };
            let statement = read_point.and_then(|version| table.target.as_ref()?.definition().sweep(version));
            if let Some(statement) = statement {
                let what = format!("sweep {}", table.name);
                match server.run(&what, &statement).map_err(|error| Failure::from(TableError::from(error))) {
                    Ok(()) => tracing::info!(table = table.name, "what the snapshot did not find is deleted"),
                    Err(Failure::Attempt(error)) => return Err(error),
                    Err(Failure::Table(error)) => {
                        self.stop(at, &error);
                        continue;
                    }
                }
            }
            let Applier { tables, server, ledger, .. } = &mut *self;
            if let Some(table) = tables.get_mut(at) {
                table.swept = sweep.version;
                let version = sweep.version.get().to_string();
                ledger.set(server, Kind::Snapshot, &table.name, version).map_err(ApplyError::Server)?;
            }
            self.effects.extend(sweep.held.drain().map(|(id, offset)| Effect::Release(id, offset)));
        }
        Ok(())
    }
}
