//! What becomes of a record that is not written: a copy of it is put aside, or what it belongs to stands still.

use crate::error::{Classify, chain};
use crate::sink::apply::applier::Applier;
use crate::sink::apply::batch::Origin;
use crate::sink::apply::carried::WaitingRecords;
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::quarantine::Quarantined;
use crate::sink::apply::record::{Effect, Record};
use crate::sink::record::envelope::RecordError;
use crate::sink::row::error::ChangeError;
use crate::sink::version::Version;

impl Applier {
    /// What is not written: a single record is put aside if that is wanted, anything else stops the table.
    pub(super) fn refuse(
        &mut self,
        at: usize,
        record: Record<'_>,
        version: Version,
        error: &TableError,
    ) -> Result<(), ApplyError> {
        // Columns that are missing or too many are not one record's fault: the others have them, too.
        let is_of_record = match error {
            TableError::Change { source, .. } => {
                !matches!(source, ChangeError::MissingColumn { .. } | ChangeError::UnknownColumn { .. })
            }
            error => matches!(error, TableError::Record { .. } | TableError::Key { .. }),
        };
        if is_of_record && self.config.errors.quarantine {
            let name = self.tables.get(at).map(|table| table.name.clone()).unwrap_or_default();
            return self.put_aside(&name, record, version.get(), error);
        }
        self.stop(at, error);
        self.keep(at, record.origin, record.offset);
        Ok(())
    }

    /// A record that no table can be found for: it is put aside, or its partition stands still.
    pub(super) fn unreadable(&mut self, record: Record<'_>, source: RecordError) -> Result<(), ApplyError> {
        let Record { origin, offset, .. } = record;
        let (topic, partition) = (origin.topic.to_string(), origin.partition);
        let error = TableError::Record { table: topic.clone(), topic, partition, offset, source };
        if self.config.errors.quarantine {
            return self.put_aside(&origin.topic.clone(), record, 0, &error);
        }
        tracing::error!(
            connector = self.config.name,
            error = chain(&error),
            remedy = error.remedy(),
            "a partition stands still"
        );
        self.report.stopped(&origin.topic);
        self.unreadable.insert(origin.assignment);
        self.effects.extend([Effect::Hold(origin.assignment, offset), Effect::Pause(origin.assignment)]);
        Ok(())
    }

    /// Keeps a copy of a record that is not written.
    pub(super) fn put_aside(
        &mut self,
        table: &str,
        record: Record<'_>,
        version: u64,
        error: &TableError,
    ) -> Result<(), ApplyError> {
        let text = chain(error);
        if let Some(refused) = &mut self.refused_again {
            refused.insert((record.origin.topic.to_string(), record.origin.partition, record.offset));
        }
        let kept = Quarantined {
            topic: &record.origin.topic,
            partition: record.origin.partition,
            offset: record.offset,
            table,
            version,
            key: record.key,
            value: record.value,
            sequence: record.headers.sequence,
            old_key: record.headers.old_key,
            error: &text,
        };
        self.ledger.put_aside(&self.server, kept).map_err(ApplyError::Server)?;
        tracing::error!(
            connector = self.config.name,
            error = text,
            remedy = error.remedy(),
            "a record is put aside in _tidewire.quarantine"
        );
        self.report.put_aside(table);
        Ok(())
    }

    /// A table stops: what it holds stays held, and its partitions stand still.
    pub(super) fn stop(&mut self, at: usize, error: &TableError) {
        let Some(table) = self.tables.get_mut(at) else { return };
        if table.is_stopped {
            return;
        }
        table.is_stopped = true;
        tracing::error!(
            connector = self.config.name,
            table = table.name,
            error = chain(error),
            remedy = error.remedy(),
            "a table stops, the others go on"
        );
        self.report.stopped(&table.name);
        // Their records were held when they were taken.
        table.layouts.clear();
        table.waiting = WaitingRecords::default();
        self.effects.extend(table.assignments.iter().map(|id| Effect::Pause(*id)));
        self.outbox.give_up_waiting(at);
    }

    /// A record of a stopped table.
    pub(super) fn keep(&mut self, at: usize, origin: &Origin, offset: i64) {
        let Some(table) = self.tables.get_mut(at) else { return };
        if table.held.add(origin.assignment, offset) {
            self.effects.extend([Effect::Hold(origin.assignment, offset), Effect::Pause(origin.assignment)]);
        }
    }
}
