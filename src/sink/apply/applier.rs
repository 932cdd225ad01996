//! The applying task: takes records one after another, and keeps their tables.
//!
//! Whoever drives it hands in records with [`Applier::apply`], what the schema-change topic has got before these with
//! [`Applier::learn`], calls [`Applier::tick`] all the time, and carries out the effects. An error ends the attempt; what
//! concerns one table only stops that table.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::config::pattern::JavaPattern;
use crate::config::sink::{SinkConfig, Topics};
use crate::sink::apply::batch::{Batch, NewestRows};
use crate::sink::apply::catalog::SchemaCatalog;
use crate::sink::apply::descriptions::LastRecords;
use crate::sink::apply::error::ApplyError;
use crate::sink::apply::ledger::Ledger;
use crate::sink::apply::opening::{FirstRecord, topic_pattern};
use crate::sink::apply::outbox::Outbox;
use crate::sink::apply::record::{Effect, ReadPartition, Record, RecordStore, SchemaRecord};
use crate::sink::apply::report::Report;
use crate::sink::apply::senders::Senders;
use crate::sink::apply::server::Server;
use crate::sink::apply::table::Table;
use crate::sink::consumer::AssignmentId;
use crate::sink::record::envelope::{RecordKey, RecordValue, RowChange, SourceFields, read_key, read_value};

/// Threads that send inserts.
const SENDERS: usize = 3;

/// Tables that were read anew after somebody else changed them, and when. It outlives attempts: a table that fails again soon stops.
#[derive(Debug, Default)]
pub struct Reloads {
    pub(super) tables: HashMap<String, Instant>,
}

/// All tables of a connector.
pub struct Applier {
    pub(super) config: SinkConfig,
    pub(super) server: Server,
    pub(super) ledger: Ledger,
    pub(super) catalog: SchemaCatalog,
    pub(super) last_records: LastRecords,
    pub(super) tables: Vec<Table>,
    recent: usize,
    pub(super) outbox: Outbox,
    pub(super) effects: Vec<Effect>,
    /// Partitions that are read, by their assignment.
    pub(super) partitions: HashMap<AssignmentId, ReadPartition>,
    /// Partitions with a record that cannot even be given to a table.
    pub(super) unreadable: HashSet<AssignmentId>,
    pub(super) without_rows: HashSet<(String, String)>,
    pub(super) report: Report,
    pub(super) reloads: Reloads,
    /// When old deletions were looked for last.
    pub(super) cleaned: Option<Instant>,
    /// Of one whose records are not read from their topics, but were put aside: those that are refused again.
    pub(super) refused_again: Option<HashSet<(String, i32, i64)>>,
    pattern: Option<JavaPattern>,
}

impl Applier {
    /// Connects to the server and makes ready.
    pub fn open(config: &SinkConfig, reloads: Reloads) -> Result<Applier, ApplyError> {
        let server = Server::connect(config).map_err(ApplyError::Server)?;
        let ledger = Ledger::open(&server, &config.name, &config.tables).map_err(ApplyError::Server)?;
        let run = format!("tidewire-{}-{}", config.name, uuid::Uuid::new_v4().simple());
        let senders = Senders::start(&server, &run, SENDERS)?;
        let outbox = Outbox::new(senders, SENDERS, config.flush.inserts_per_second, run);
        tracing::info!(connector = config.name, server = server.client.endpoint(), "clickhouse is there");
        Ok(Applier {
            pattern: topic_pattern(config),
            report: Report::new(&config.name),
            config: config.clone(),
            server,
            ledger,
            catalog: SchemaCatalog::default(),
            last_records: LastRecords::default(),
            tables: Vec::new(),
            recent: 0,
            outbox,
            effects: Vec::new(),
            partitions: HashMap::new(),
            reloads,
            cleaned: None,
            refused_again: None,
            unreadable: HashSet::new(),
            without_rows: HashSet::new(),
        })
    }

    /// What the consumer has to do, in this order.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Partitions that are read from now on.
    pub fn assigned(&mut self, partitions: impl IntoIterator<Item = ReadPartition>) {
        for partition in partitions {
            self.partitions.insert(partition.id, partition);
        }
        // Whoever had them before has stored more since.
        for table in &mut self.tables {
            table.asks_stored = true;
            table.stored_versions.clear();
            table.asks_life = true;
        }
    }

    /// Partitions that are elsewhere.
    pub fn revoked(&mut self, assignments: &[AssignmentId]) {
        for id in assignments {
            self.partitions.remove(id);
            self.unreadable.remove(id);
        }
        let is_gone = |id: &AssignmentId| assignments.contains(id);
        for table in &mut self.tables {
            table.stored_versions.clear();
            let had = table.assignments.iter().any(is_gone);
            table.assignments.retain(|id| !is_gone(id));
            // Whoever reads their records again counts what is stored; a later insert of ours would double them.
            if had && table.target.as_ref().is_some_and(|target| target.is_append()) {
                table.layouts.clear();
            }
        }
    }

    /// Takes in what the schema-change topic has.
    pub fn learn(&mut self, record: SchemaRecord<'_>) -> Result<(), ApplyError> {
        let offset = record.offset;
        let of = |source| ApplyError::SchemaChange { offset, source };
        let changed = self.catalog.learn_record(record).map_err(of)?;
        self.last_records.note(record, &changed);
        for name in changed {
            self.without_rows.remove(&name);
        }
        Ok(())
    }

    /// Changes the tables that have a new description.
    pub fn follow_all(&mut self, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        (0..self.tables.len()).try_for_each(|at| self.follow(at, records))
    }

    /// Makes the tables that have no row yet. While records are on their way (`quiet` is false), only those that were made once:
    /// rows of a table that was dropped since may be among them.
    pub fn make_empty(&mut self, quiet: bool) -> Result<(), ApplyError> {
        self.make_empty_tables(quiet)
    }

    pub(super) fn is_of_topics(&self, topic: &str) -> bool {
        match (&self.config.topics, &self.pattern) {
            (Topics::Named(names), _) => names.iter().any(|name| name == topic),
            (Topics::Matching(_), Some(pattern)) => pattern.matches(topic),
            (Topics::Matching(_), None) => false,
        }
    }

    /// Whether a topic has other things than rows.
    fn is_of_no_table(&self, topic: &str) -> bool {
        is_of_no_table(self.config.schema_changes_topic.as_deref(), topic)
    }

    /// Whether so much is not confirmed that nothing more is to be taken.
    pub fn is_full(&self) -> bool {
        let open: usize = self.tables.iter().map(Table::weight).sum();
        open + self.outbox.weight() > 3 * self.config.flush.bytes
    }

    /// The partitions that do not stand still for a table of theirs.
    pub fn going(&self) -> Vec<AssignmentId> {
        let stands = |table: &Table| table.is_stopped || table.is_paused;
        let stopped = |id: &AssignmentId| {
            self.unreadable.contains(id)
                || self.tables.iter().any(|table| stands(table) && table.assignments.contains(id))
        };
        self.partitions.keys().copied().filter(|id| !stopped(id)).collect()
    }

    /// Takes a record.
    pub fn apply(&mut self, record: Record<'_>, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        let Record { origin, offset, .. } = record;
        if self.unreadable.contains(&origin.assignment) || self.is_of_no_table(&origin.topic) {
            return Ok(());
        }
        let value = match read_value(record.value) {
            Ok(RecordValue::Tombstone) => return Ok(()),
            Ok(value) => value,
            Err(error) => return self.unreadable(record, error),
        };
        let key = match read_key(record.key) {
            Ok(key) => key,
            Err(error) => return self.unreadable(record, error),
        };
        let (fields, change) = match &value {
            RecordValue::Row(change) => (&change.source, Some(change)),
            RecordValue::Truncate(source) => (source, None),
            RecordValue::Tombstone => return Ok(()),
        };
        let at = self.table_of(record, fields, change, key, records)?;
        let Some(table) = self.tables.get_mut(at) else { return Ok(()) };
        if !table.assignments.contains(&origin.assignment) {
            table.assignments.push(origin.assignment);
        }
        if table.is_stopped {
            self.keep(at, origin, offset);
            return Ok(());
        }
        match change {
            Some(change) => self.apply_row(at, record, change, key, fields, records),
            None => self.apply_truncate(at, record, records),
        }
    }

    fn table_of(
        &mut self,
        record: Record<'_>,
        fields: &SourceFields<'_>,
        change: Option<&RowChange<'_>>,
        key: Option<RecordKey<'_>>,
        records: &mut dyn RecordStore,
    ) -> Result<usize, ApplyError> {
        let is = |table: &Table| table.is(&fields.database, &fields.table);
        if self.tables.get(self.recent).is_some_and(is) {
            return Ok(self.recent);
        }
        let at = match self.tables.iter().position(is) {
            Some(at) => at,
            None => {
                let seconds = fields.ts_ms.map_or(0, |ms| ms.div_euclid(1000));
                let first = FirstRecord {
                    record,
                    source: &fields.name,
                    change,
                    key,
                    seconds: u32::try_from(seconds).unwrap_or_default(),
                };
                self.add_table((fields.database.to_string(), fields.table.to_string()), &first, records)?
            }
        };
        self.recent = at;
        Ok(at)
    }

    /// Sends what is due, and takes in what the server has said. Waits for that at most so long.
    pub fn tick(&mut self, wait: Duration, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        self.outbox.send_waiting();
        self.carry_due(records)?;
        self.send_due(false);
        let mut left = wait;
        while let Some((piece, outcome)) = self.outbox.receive(left) {
            self.conclude(piece, outcome, records)?;
            left = Duration::ZERO;
        }
        self.sweep_due(records)?;
        let (server, tables, outbox) = (&self.server, &self.tables, &self.outbox);
        self.report.say(server, tables, |at| outbox.fails(at));
        Ok(())
    }

    /// Sends full and old batches, the oldest first; all of them with `everything`.
    pub(super) fn send_due(&mut self, everything: bool) {
        while self.outbox.has_room() {
            let flush = &self.config.flush;
            let due = |table: &Table, batch: &Batch| {
                everything
                    || batch.weight() >= flush.bytes
                    || batch.rows >= flush.rows
                    || batch.began.elapsed() >= table.interval
            };
            let oldest = self
                .tables
                .iter()
                .enumerate()
                .filter(|(at, table)| self.may_send(*at, table))
                .flat_map(|(at, table)| {
                    let open = table.layouts.iter().enumerate();
                    open.filter_map(move |(layout, open)| Some((at, layout, open.batch.as_ref()?, table)))
                })
                .filter(|(_, _, batch, table)| !batch.marks.is_empty() && due(table, batch))
                .min_by_key(|(_, _, batch, _)| batch.began)
                .map(|(at, layout, ..)| (at, layout));
            let Some((at, layout)) = oldest else { return };
            let batch = self
                .tables
                .get_mut(at)
                .and_then(|table| table.layouts.get_mut(layout))
                .and_then(|open| open.batch.take());
            if let Some(mut batch) = batch {
                batch.only_behind = self.newest_rows(at);
                self.outbox.post(at, batch);
            }
        }
    }

    /// What the insert of a table whose changes are rows asks for first.
    fn newest_rows(&self, at: usize) -> Option<(Arc<str>, NewestRows)> {
        let table = self.tables.get(at)?;
        Some((Arc::from(table.target.as_ref()?.definition().meta.version.as_str()), table.newest?))
    }

    /// A table whose last insert failed waits; one whose changes are rows has one insert at a time, so that what is stored is
    /// always what came first.
    fn may_send(&self, at: usize, table: &Table) -> bool {
        let is_append = table.target.as_ref().is_some_and(|target| target.is_append());
        !(self.outbox.fails(at) || is_append && self.outbox.open_of(at) > 0)
    }

    /// Sends everything and waits until the server has it. False when it has not within the time.
    pub fn flush(&mut self, limit: Duration, records: &mut dyn RecordStore) -> Result<bool, ApplyError> {
        let end = Instant::now() + limit;
        for at in 0..self.tables.len() {
            if self.tables.get(at).is_some_and(|table| !table.is_stopped) && !self.outbox.fails(at) {
                self.carry(at, records)?;
            }
        }
        loop {
            self.send_due(true);
            self.outbox.send_waiting();
            let is_open = |table: &Table| !table.is_stopped && table.weight() > 0;
            if self.outbox.is_empty() && !self.tables.iter().any(is_open) {
                return Ok(true);
            }
            if Instant::now() >= end {
                return Ok(false);
            }
            if let Some((piece, outcome)) = self.outbox.receive(Duration::from_millis(20)) {
                self.conclude(piece, outcome, records)?;
            }
        }
    }

    /// What the next attempt has to know.
    pub fn take_reloads(&mut self) -> Reloads {
        std::mem::take(&mut self.reloads)
    }

    /// Says all figures once more.
    pub fn say_goodbye(&mut self) {
        self.report.say_now(&self.tables);
    }
}

/// Whether a topic has other things than rows: heartbeats, schema changes, transactions.
pub fn is_of_no_table(schema_changes: Option<&str>, topic: &str) -> bool {
    topic.starts_with("__debezium-heartbeat.")
        || schema_changes == Some(topic)
        || schema_changes.is_some_and(|prefix| topic.strip_prefix(prefix) == Some(".transaction"))
}
