//! A record into its table's batch.
//!
//! | the record's version | what is done |
//! |---|---|
//! | not above the floor of a truncate | nothing: the truncate came after it |
//! | of a description that the table cannot follow | the table stops |
//! | any other | its rows are appended to the batch of its description |
//!
//! A truncate waits until all that came before is stored, deletes what is not above its version, and sets the floor.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::event::operation::Operation;
use crate::sink::apply::applier::Applier;
use crate::sink::apply::batch::Batch;
use crate::sink::apply::catalog::{Description, in_force};
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::ledger::Kind;
use crate::sink::apply::opening::Failure;
use crate::sink::apply::record::{Effect, Record, RecordStore, SchemaRecord};
use crate::sink::apply::shapes::{key_columns, names, read_alike, with_columns};
use crate::sink::apply::table::{OpenLayout, Sweep, Table};
use crate::sink::apply::target::{Place, Target};
use crate::sink::consumer::held::HeldRecords;
use crate::sink::record::envelope::{RecordError, RecordKey, RowChange, SourceFields, row_schema};
use crate::sink::row::error::ChangeError;
use crate::sink::table::evolution::shape::{Shape, shape_of_record};
use crate::sink::version::{Version, VersionScheme};

/// Between two looks at the schema-change topic while a description is waited for.
const LOOK: Duration = Duration::from_millis(300);

/// A record of which a row is made.
#[derive(Clone, Copy)]
struct Row<'a> {
    record: Record<'a>,
    change: &'a RowChange<'a>,
    key: Option<RecordKey<'a>>,
    version: Version,
    seconds: u32,
}

impl Row<'_> {
    fn image(&self) -> &str {
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
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        if !table.floor.admits(version) {
            return Ok(());
        }
        if change.operation == Operation::Read && fields.snapshot && !fields.incremental {
            self.meet_snapshot(at, record, version, fields.last_of_table);
        } else if let Some(sweep) = &mut table.sweep {
            sweep.is_due = true;
        }
        let seconds = fields.ts_ms.map_or(0, |ms| ms.div_euclid(1000));
        let seconds = u32::try_from(seconds).unwrap_or_default();
        let row = Row { record, change, key, version, seconds };
        let written = match self.ask_stored(at, record) {
            Ok(()) => self.write(at, row, fields.ts_ms.unwrap_or_default(), records),
            Err(error) => Err(error),
        };
        match written {
            Ok(()) => Ok(()),
            Err(Failure::Attempt(error)) => Err(error),
            Err(Failure::Table(error)) => self.refuse(at, record, version, &error),
        }
    }

    /// The version of a record; none when its table stopped over it.
    fn version(
        &mut self,
        at: usize,
        record: Record<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<Option<Version>, ApplyError> {
        let Some(table) = self.tables.get(at) else { return Ok(None) };
        let sequence = record.headers.sequence;
        let mut version = table.scheme.version(sequence, record.offset);
        // A source changed from Debezium to ours: its numbers are above all offsets.
        if sequence.is_some() && matches!(table.scheme, VersionScheme::Offset(_)) {
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

    /// What is not written: a single record is put aside if that is wanted, anything else stops the table.
    pub(super) fn refuse(
        &mut self,
        at: usize,
        record: Record<'_>,
        version: Version,
        error: &TableError,
    ) -> Result<(), ApplyError> {
        let is_of_record =
            matches!(error, TableError::Change { .. } | TableError::Record { .. } | TableError::Key { .. });
        if is_of_record && self.config.errors.quarantine {
            let name = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
            return self.put_aside(&name, record, version.get(), error);
        }
        self.stop(at, error);
        self.keep(at, record.origin, record.offset);
        Ok(())
    }

    /// A table whose changes are rows must not get one twice: what it has is counted once for each assignment.
    fn ask_stored(&mut self, at: usize, record: Record<'_>) -> Result<(), Failure> {
        let Applier { tables, server, .. } = &mut *self;
        let Some(table) = tables.get_mut(at) else { return Ok(()) };
        let Some(target) = table.target.as_ref().filter(|target| target.is_append()) else { return Ok(()) };
        if record.origin.partition != 0 {
            let (table, topic) = (table.name.clone(), record.origin.topic.to_string());
            return Err(TableError::AppendPartitions { table, topic }.into());
        }
        if !table.asks_stored {
            return Ok(());
        }
        table.stored = target.highest(server).map_err(TableError::from)?;
        table.asks_stored = false;
        Ok(())
    }

    fn write(
        &mut self,
        at: usize,
        row: Row<'_>,
        ts_ms: i64,
        records: &mut dyn RecordStore,
    ) -> Result<(), Failure> {
        let layout = self.layout_for(at, row, records)?;
        let written = match self.encode(at, layout, row, ts_ms) {
            // Of another description, if neither version nor schema could tell.
            Err(ChangeError::MissingColumn { .. } | ChangeError::UnknownColumn { .. })
                if !self.is_told(at, row) =>
            {
                let layout = self.layout_by_columns(at, row)?;
                self.encode(at, layout, row, ts_ms)
            }
            written => written,
        };
        if written.map_err(|source| self.of_change(at, row, source))? {
            return Ok(());
        }
        let Record { origin, offset, .. } = row.record;
        let table = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
        let topic = origin.topic.to_string();
        Err(TableError::Key { table, topic, partition: origin.partition, offset }.into())
    }

    fn of_change(&self, at: usize, row: Row<'_>, source: ChangeError) -> TableError {
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

    fn of_record(&self, at: usize, row: Row<'_>, source: RecordError) -> TableError {
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

    /// The layout that a record is written with.
    fn layout_for(
        &mut self,
        at: usize,
        row: Row<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<usize, Failure> {
        let Some(table) = self.tables.get(at) else { return Ok(0) };
        let descriptions = self.catalog.descriptions(&table.source);
        let schema = row.change.schema;
        if table.scheme == VersionScheme::Sequence && !descriptions.is_empty() {
            let description = in_force(descriptions, row.version);
            self.check_broken(at, description)?;
            return match self.tables.get(at).and_then(|table| table.layout_of(description, schema)) {
                Some(layout) => Ok(layout),
                None => self.add_layout(at, description, None, row),
            };
        }
        if let Some(layout) = table.layout_of(None, schema) {
            return Ok(layout);
        }
        match schema {
            None => self.layout_by_columns(at, row),
            Some(schema) => self.layout_by_schema(at, schema, row, records),
        }
    }

    /// A row of a description that the table cannot follow, or of a later one.
    fn check_broken(&mut self, at: usize, description: Option<usize>) -> Result<(), Failure> {
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        match &mut table.broken {
            Some((from, error)) if description >= Some(*from) => {
                // It stops over the first such row.
                match error.take() {
                    Some(error) => Err(Failure::from(error)),
                    None => Err(TableError::NoTypes { table: table.name.clone() }.into()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Without version and schema the columns tell the description.
    fn layout_by_columns(&mut self, at: usize, row: Row<'_>) -> Result<usize, Failure> {
        let columns = names(row.image())
            .map_err(|source| self.of_record(at, row, RecordError::Json { part: "value", source }))?;
        let Some(table) = self.tables.get(at) else { return Ok(0) };
        let has_them = |open: &OpenLayout| {
            open.schema.is_none()
                && open.columns.len() == columns.len()
                && open.columns.iter().all(|column| columns.contains(column))
        };
        if let Some(known) = table.layouts.iter().position(has_them) {
            return Ok(known);
        }
        let descriptions = self.catalog.descriptions(&table.source);
        let Some(description) = with_columns(descriptions, &columns) else {
            return Err(TableError::NoTypes { table: table.name.clone() }.into());
        };
        if !read_alike(descriptions, description) {
            return Err(TableError::AmbiguousTypes { table: table.name.clone() }.into());
        }
        let shape = descriptions.get(description).and_then(|known| known.shape.clone());
        self.check_broken(at, Some(description))?;
        self.add_layout(at, None, shape, row)
    }

    /// The newest description with the columns of the record's schema; one that is not there yet is waited for.
    fn layout_by_schema(
        &mut self,
        at: usize,
        schema: &str,
        row: Row<'_>,
        records: &mut dyn RecordStore,
    ) -> Result<usize, Failure> {
        let of_row = row_schema(schema).map_err(|source| self.of_record(at, row, source))?;
        let columns: Vec<String> = of_row.fields.iter().map(|field| field.name.clone()).collect();
        let end = Instant::now() + self.config.schema_changes_wait;
        loop {
            let Some(table) = self.tables.get(at) else { return Ok(0) };
            let descriptions = self.catalog.descriptions(&table.source);
            if let Some(known) = with_columns(descriptions, &columns) {
                let shape = descriptions.get(known).and_then(|known| known.shape.clone());
                self.check_broken(at, Some(known))?;
                return self.add_layout(at, None, shape, row);
            }
            if self.config.schema_changes_topic.is_none() || Instant::now() >= end {
                break;
            }
            std::thread::sleep(LOOK);
            self.read_schema_changes(records).map_err(Failure::Attempt)?;
            self.follow(at, records).map_err(Failure::Attempt)?;
        }
        let key = key_columns(row.key)
            .map_err(|source| self.of_record(at, row, RecordError::Json { part: "key", source }))?;
        self.drain(at, records).map_err(Failure::Attempt)?;
        let Applier { tables, server, config, .. } = &mut *self;
        let Some(Table { target: Some(target), source, layouts, .. }) = tables.get_mut(at) else {
            return Ok(0);
        };
        let place = Place::new(server, &config.tables, source);
        let shape =
            shape_of_record(&of_row, &key, target.definition(), row.seconds).map_err(TableError::from)?;
        // An older schema comes again after a restart; schemas are never compared backwards.
        if !target.comment.has_applied(row.version) {
            layouts.clear();
            target.follow(&place, &shape, row.version)?;
        }
        self.add_layout(at, None, Some(shape), row)
    }

    /// Reads the schema-change topic to its end, and changes the tables.
    pub fn read_schema_changes(&mut self, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        let mut learned = Ok(());
        let mut learn = |record: SchemaRecord<'_>| {
            if learned.is_ok() {
                learned = self.learn(record);
            }
        };
        records.schema_changes(&mut learn).map_err(ApplyError::Records)?;
        learned
    }

    fn add_layout(
        &mut self,
        at: usize,
        description: Option<usize>,
        shape: Option<Shape>,
        row: Row<'_>,
    ) -> Result<usize, Failure> {
        let of_record = |source| self.of_record(at, row, source);
        let Some(Table { target: Some(target), source, name, .. }) = self.tables.get(at) else {
            return Ok(0);
        };
        let described = || {
            let known: &Description = self.catalog.descriptions(source).get(description?)?;
            known.shape.clone()
        };
        let Some(shape) = shape.or_else(described) else {
            return Err(TableError::NoTypes { table: name.clone() }.into());
        };
        let place = Place::new(&self.server, &self.config.tables, source);
        let layout = target.layout(&place, &shape, row.change.schema, of_record)?;
        let open = OpenLayout {
            description,
            schema: row.change.schema.map(str::to_owned),
            columns: shape.columns.into_iter().map(|column| column.name).collect(),
            layout,
            batch: None,
        };
        let Some(table) = self.tables.get_mut(at) else { return Ok(0) };
        table.layouts.push(open);
        Ok(table.layouts.len() - 1)
    }

    /// A row of a snapshot. What a later snapshot than the table's first does not find was deleted while nobody looked.
    fn meet_snapshot(&mut self, at: usize, record: Record<'_>, version: Version, is_last: bool) {
        let Some(table) = self.tables.get_mut(at) else { return };
        if table.scheme != VersionScheme::Sequence || version <= table.swept {
            return;
        }
        if table.taken == 0 && table.target.as_ref().is_some_and(|target| target.is_new) {
            // Nothing was there before it.
            table.swept = version;
            return;
        }
        let now = Instant::now();
        let is_other = table.sweep.as_ref().is_none_or(|sweep| sweep.version < version);
        if is_other && table.sweep.is_none() {
            let mut held = HeldRecords::default();
            held.add(record.origin.assignment, record.offset);
            self.effects.push(Effect::Hold(record.origin.assignment, record.offset));
            table.sweep = Some(Sweep { version, held, is_due: is_last, seen: now });
        } else if let Some(sweep) = &mut table.sweep {
            sweep.version = sweep.version.max(version);
            sweep.is_due |= is_last;
            sweep.seen = now;
        }
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
        let ours = self.partitions.values().filter(|partition| partition.topic == *topic).count();
        if ours < records.partitions(topic).map_err(ApplyError::Records)? {
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
