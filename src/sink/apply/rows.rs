//! A record into its table's batch.
//!
//! | the record's version | what is done |
//! |---|---|
//! | not above the floor of a truncate | nothing: the truncate came after it |
//! | not above the floor of a cleanup | the table stops: its deletion may be gone |
//! | of a description that the table cannot follow | the table stops |
//! | any other | its rows are appended to the batch of its description |
//!
//! Truncates are in `erasure`.

use std::sync::Arc;

use crate::event::operation::Operation;
use crate::sink::apply::applier::Applier;
use crate::sink::apply::batch::{Batch, NewestRows};
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::opening::Failure;
use crate::sink::apply::record::{Effect, Record, RecordStore};
use crate::sink::apply::table::{OpenLayout, Table};
use crate::sink::apply::target::Target;
use crate::sink::record::envelope::{RecordError, RecordKey, RowChange, SourceFields};
use crate::sink::row::error::ChangeError;
use crate::sink::table::definition::Identity;
use crate::sink::version::{Version, VersionScheme};

/// A record of which a row is made.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub record: Record<'a>,
    pub change: &'a RowChange<'a>,
    pub key: Option<RecordKey<'a>>,
    pub version: Version,
    pub seconds: u32,
}

impl Row<'_> {
    pub fn image(&self) -> &str {
        self.change.after.or(self.change.before).unwrap_or_default()
    }
}

impl Applier {
    pub(super) fn apply_row(
        &mut self,
        at: usize,
        record: Record<'_>,
        change: &RowChange<'_>,
        key: Option<RecordKey<'_>>,
        fields: &SourceFields<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<(), ApplyError> {
        let Some(version) = self.version(at, record, records)? else { return Ok(()) };
        let is_retrying = self.is_retrying();
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        if !table.floor.admits(version) {
            return Ok(());
        }
        if version <= table.cleanup_floor {
            let (name, topic) = (table.name.clone(), record.origin.topic.to_string());
            let (partition, offset) = (record.origin.partition, record.offset);
            let error = TableError::CleanedUp { table: name, topic, partition, offset };
            return self.refuse(at, record, version, &error);
        }
        if is_retrying {
            // Of a snapshot after it: this one did not find the row, or has a newer one.
            if version < table.swept {
                return Ok(());
            }
        } else if change.operation == Operation::Read && fields.snapshot && !fields.incremental {
            self.meet_snapshot(at, record, version, fields, records)?;
        } else if let Some(sweep) = &mut table.sweep {
            sweep.is_due = true;
        }
        let seconds = fields.ts_ms.map_or(0, |ms| ms.div_euclid(1000));
        let seconds = u32::try_from(seconds).unwrap_or_default();
        let row = Row { record, change, key, version, seconds };
        let asked =
            self.check_life(at, &record.origin.topic, records).and_then(|()| self.ask_stored(at, record));
        let written = match asked {
            Ok(()) => self.write(at, row, fields.ts_ms.unwrap_or_default(), true, records),
            Err(error) => Err(error),
        };
        match written {
            Ok(()) => Ok(()),
            Err(Failure::Attempt(error)) => Err(error),
            Err(Failure::Table(error)) => self.refuse(at, record, version, &error),
        }
    }

    /// The version of a record; none when its table stopped over it.
    pub(super) fn version(
        &mut self,
        at: usize,
        record: Record<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<Option<Version>, ApplyError> {
        let Some(table) = self.tables.get(at) else { return Ok(None) };
        let sequence = record.headers.sequence;
        let mut version = record.version_by(table.scheme);
        // A source changed from Debezium to ours: its numbers are above all offsets.
        if record.version.is_none() && sequence.is_some() && matches!(table.scheme, VersionScheme::Offset(_))
        {
            self.drain(at, records)?;
            let Applier { tables, server, .. } = &mut *self;
            let Some(Table { target: Some(target), scheme, .. }) = tables.get_mut(at) else {
                return Ok(None);
            };
            version = VersionScheme::Sequence.version(sequence, record.offset);
            if let Ok(first) = version {
                let highest = target.highest(server).map_err(ApplyError::Server)?;
                let highest = highest.map(|(version, _)| version);
                match VersionScheme::Sequence.may_follow(None, highest, first) {
                    Err(error) => version = Err(error),
                    Ok(()) => {
                        target.set_scheme(server, VersionScheme::Sequence).map_err(|error| match error {
                            TableError::Server(error) => ApplyError::Server(error),
                            other => ApplyError::Records(crate::error::StorageError::new(other)),
                        })?;
                        *scheme = VersionScheme::Sequence;
                    }
                }
            }
        }
        match version {
            Ok(version) => Ok(Some(version)),
            Err(source) => {
                let table = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
                self.refuse(at, record, Version::ZERO, &TableError::Version { table, source })?;
                Ok(None)
            }
        }
    }

    /// A table whose changes are rows must not get one twice: what it has is counted once for each assignment, or for each record
    /// that was put aside.
    fn ask_stored(&mut self, at: usize, record: Record<'_>) -> Result<(), Failure> {
        let is_retrying = self.is_retrying();
        let Applier { tables, server, .. } = &mut *self;
        let Some(table) = tables.get_mut(at) else { return Ok(()) };
        let Some(target) = table.target.as_ref().filter(|target| target.is_append()) else { return Ok(()) };
        if let Some(version) = record.version.filter(|_| is_retrying) {
            let highest = target.highest(server).map_err(TableError::from)?;
            if highest.is_none_or(|(highest, _)| highest <= version) {
                // What came before it may not be stored yet, and would be taken for stored.
                let (table, topic) = (table.name.clone(), record.origin.topic.to_string());
                let (partition, offset) = (record.origin.partition, record.offset);
                return Err(TableError::NothingBehind { table, topic, partition, offset }.into());
            }
            let rows = target.rows_of(server, version).map_err(TableError::from)?;
            table.stored = (rows > 0).then_some((version, rows));
            return Ok(());
        }
        if record.origin.partition != 0 {
            let (table, topic) = (table.name.clone(), record.origin.topic.to_string());
            return Err(TableError::AppendPartitions { table, topic }.into());
        }
        if !table.asks_stored {
            return Ok(());
        }
        table.stored = target.highest(server).map_err(TableError::from)?;
        let newest = table.stored.map(|(version, rows)| NewestRows { version: version.get(), rows });
        table.newest = Some(newest.unwrap_or_default());
        table.asks_stored = false;
        Ok(())
    }

    /// Writes a record into its batch. `may_wait`: whether it may wait for values that the server left out.
    pub(super) fn write(
        &mut self,
        at: usize,
        row: Row<'_>,
        ts_ms: i64,
        may_wait: bool,
        records: &mut dyn RecordStore,
    ) -> Result<(), Failure> {
        let layout = self.layout_for(at, row, records)?;
        let written = match self.encode(at, layout, row, ts_ms) {
            // Of another description, if neither version nor schema could tell.
            Err(ChangeError::MissingColumn { .. } | ChangeError::UnknownColumn { .. })
                if !self.is_told(at, row) =>
            {
                let layout = self.layout_by_columns(at, row, records)?;
                self.encode(at, layout, row, ts_ms)
            }
            written => written,
        };
        match written {
            Err(source) if source.is_left_out() && may_wait && self.has_key(at) => {
                self.wait_for_values(at, row, ts_ms);
                return Ok(());
            }
            Err(source) => return Err(self.of_change(at, row, source).into()),
            Ok(true) => return Ok(()),
            Ok(false) => {}
        }
        let Record { origin, offset, .. } = row.record;
        let table = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
        let topic = origin.topic.to_string();
        Err(TableError::Key { table, topic, partition: origin.partition, offset }.into())
    }

    fn has_key(&self, at: usize) -> bool {
        let target = self.tables.get(at).and_then(|table| table.target.as_ref());
        target.is_some_and(|target| matches!(target.definition().identity, Identity::Key(_)))
    }

    pub(super) fn of_change(&self, at: usize, row: Row<'_>, source: ChangeError) -> TableError {
        let Record { origin, offset, .. } = row.record;
        let table = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
        TableError::Change {
            table,
            topic: origin.topic.to_string(),
            partition: origin.partition,
            offset,
            source,
        }
    }

    pub(super) fn of_record(&self, at: usize, row: Row<'_>, source: RecordError) -> TableError {
        let Record { origin, offset, .. } = row.record;
        let table = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
        let topic = origin.topic.to_string();
        TableError::Record { table, topic, partition: origin.partition, offset, source }
    }

    /// Whether the record itself tells its columns: by its version or by its schema.
    fn is_told(&self, at: usize, row: Row<'_>) -> bool {
        let is_sequenced = self.tables.get(at).is_some_and(|table| table.scheme == VersionScheme::Sequence);
        is_sequenced || row.change.schema.is_some()
    }

    /// Appends the rows of a change to its batch. False when the record's key is not that of the row.
    fn encode(&mut self, at: usize, layout: usize, row: Row<'_>, ts_ms: i64) -> Result<bool, ChangeError> {
        let Applier { tables, config, effects, outbox, .. } = &mut *self;
        let Some(table) = tables.get_mut(at) else { return Ok(true) };
        let Table { layouts, recent, stored, taken, target, .. } = table;
        let Some(OpenLayout { layout: written, batch: open, .. }) = layouts.get_mut(layout) else {
            return Ok(true);
        };
        if !written.writer.fits_key(row.key.as_ref(), row.image())? {
            return Ok(false);
        }
        let batch = open.get_or_insert_with(|| Batch::new(Arc::clone(&written.insert), written.settings));
        batch.make_room(config.flush.bytes);
        let before = batch.bytes.len();
        let rows = written.writer.write(row.change, row.version, &mut batch.bytes)?;
        *recent = layout;
        if was_stored(stored, row.version, rows) {
            batch.bytes.truncate(before);
            return Ok(true);
        }
        let Record { origin, offset, .. } = row.record;
        if batch.add(origin, offset, row.version.get(), rows) {
            effects.push(Effect::Hold(origin.assignment, offset));
        }
        batch.latest_ms = batch.latest_ms.max(ts_ms);
        *taken += 1;
        let is_full = batch.weight() >= config.flush.bytes || batch.rows >= config.flush.rows;
        let is_append = target.as_ref().is_some_and(Target::is_append);
        if is_full
            && !is_append
            && !outbox.fails(at)
            && let Some(batch) = open.take()
        {
            outbox.post(at, batch);
        }
        Ok(true)
    }
}

/// Of a table whose changes are rows: whether a record was stored before its partition was assigned. `rows`: how many it has.
fn was_stored(stored: &mut Option<(Version, u64)>, version: Version, rows: usize) -> bool {
    match stored {
        Some((last, _)) if version < *last => true,
        Some((last, left)) if version == *last && *left > 0 => {
            *left = left.saturating_sub(u64::try_from(rows).unwrap_or_default());
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_table_of_changes_has_is_not_written_again() {
        let version = |number| Version::new(number).unwrap();
        // A snapshot has one version for all its rows; two of them are stored.
        let mut stored = Some((version(10), 2));
        let met: Vec<_> = [(9, 1), (10, 1), (10, 1), (10, 1), (11, 2)]
            .into_iter()
            .map(|(number, rows)| was_stored(&mut stored, version(number), rows))
            .collect();
        assert_eq!(met, [true, true, true, false, false]);
        assert!(!was_stored(&mut None, version(1), 1));
    }
}
