//! What the server said of an insert, and what follows.
//!
//! | it said | what follows |
//! |---|---|
//! | stored | the records of the batch are released |
//! | may pass (`treatment`) | the same batch again under the same token, later and later; its table takes no more meanwhile |
//! | rows that cannot be stored | the batch is cut in halves until they are found; each is put aside, or stops its table |
//! | another definition | everything is read anew; if that does not help, the table stops |
//! | about the account or the server, and stays | the connector ends |
//! | anything else | the table stops |

use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::error::{Classify, ErrorClass, chain};
use crate::sink::apply::applier::{Applier, Reloads};
use crate::sink::apply::batch::Mark;
use crate::sink::apply::error::{ApplyError, TableError};
use crate::sink::apply::outbox::Piece;
use crate::sink::apply::record::{Effect, OwnedRecord, Record, RecordStore};
use crate::sink::apply::senders::{Outcome, Shipment};
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::insert::GUARD_FAILED;
use crate::sink::clickhouse::treatment::Scope;
use crate::sink::record::headers::KnownHeaders;

/// The first wait before an insert is repeated.
const FIRST_DELAY: Duration = Duration::from_millis(200);
/// From so many failures of an insert on its table's partitions stand still.
const PATIENT_FAILURES: u32 = 3;
/// How long all inserts of one table may take before its schema is changed.
const DRAIN: Duration = Duration::from_secs(60);
/// Another member of the group may change a table under our inserts, and somebody by hand; not every minute.
const RELOAD: Duration = Duration::from_secs(60);
/// Too much memory for one insert: half of it is tried.
const MEMORY_LIMIT: u32 = 241;
/// Too many parts.
const TOO_MANY_PARTS: u32 = 252;
/// The table is not there any more. Made anew it would lack all rows of before.
const TABLE_GONE: [u32; 2] = [60, 218];

impl Reloads {
    /// Whether the definitions are to be read anew after an error: not so soon after the last time.
    fn allow(&mut self, table: &str) -> bool {
        let last = self.tables.insert(table.to_owned(), Instant::now());
        last.is_none_or(|last| last.elapsed() >= RELOAD)
    }
}

impl Applier {
    pub(super) fn conclude(
        &mut self,
        piece: Piece,
        (shipment, answer): Outcome,
        records: &mut dyn RecordStore,
    ) -> Result<(), ApplyError> {
        let at = piece.table;
        let error = match answer {
            Ok(_) => {
                self.stored(piece, &shipment);
                return Ok(());
            }
            Err(error) => error,
        };
        let Some(table) = self.tables.get(at) else { return Ok(()) };
        self.report.failed(&table.name);
        if table.is_stopped {
            self.outbox.give_up(shipment.number);
            return Ok(());
        }
        let code = error.exception().and_then(|exception| exception.code);
        if code == Some(GUARD_FAILED) {
            return Err(ApplyError::OtherWriter { table: table.name.clone() });
        }
        match (error.class(), error.scope()) {
            (ErrorClass::Retriable, _) => self.repeat(piece, shipment, error, code),
            (_, Scope::Server) => Err(ApplyError::Server(error)),
            (_, Scope::Rows) => match self.outbox.split(shipment) {
                None => Ok(()),
                Some(one) => self.one_row(at, one, error, records),
            },
            (_, Scope::Definition) if !code.is_some_and(|code| TABLE_GONE.contains(&code)) => {
                let name = table.name.clone();
                if self.reloads.allow(&name) {
                    return Err(ApplyError::Changed { table: name, source: error });
                }
                self.end(at, shipment.number, error);
                Ok(())
            }
            _ => {
                self.end(at, shipment.number, error);
                Ok(())
            }
        }
    }

    fn end(&mut self, at: usize, number: u64, error: ClickHouseError) {
        self.outbox.give_up(number);
        self.stop(at, &TableError::Server(error));
    }

    fn stored(&mut self, piece: Piece, shipment: &Shipment) {
        let at = piece.table;
        if let Some(mut held) = self.outbox.done(shipment.number) {
            self.effects.extend(held.drain().map(|(id, offset)| Effect::Release(id, offset)));
        }
        let fails = self.outbox.fails(at);
        let Some(table) = self.tables.get_mut(at) else { return };
        let now = Clock::System.now_nanos() / 1_000_000;
        table.lag_ms = now - shipment.batch.latest_ms;
        table.rows += u64::try_from(shipment.batch.rows).unwrap_or_default();
        if let Some(newest) = &mut table.newest {
            newest.add(&shipment.batch);
        }
        if self.config.tombstones.keep.is_some() {
            table.stored_versions.add(&shipment.batch);
        }
        self.report.stored(&table.name, shipment.batch.rows, shipment.batch.bytes.len(), table.lag_ms);
        if piece.failures > 0 && !fails {
            tracing::info!(connector = self.config.name, table = table.name, "inserts succeed again");
        }
        if table.is_paused && !fails && !table.is_stopped {
            table.is_paused = false;
            table.interval = self.config.flush.interval;
            self.effects.extend(table.assignments.iter().map(|id| Effect::Resume(*id)));
        }
    }

    /// The same batch again, later.
    fn repeat(
        &mut self,
        piece: Piece,
        shipment: Shipment,
        error: ClickHouseError,
        code: Option<u32>,
    ) -> Result<(), ApplyError> {
        let Some(table) = self.tables.get_mut(piece.table) else { return Ok(()) };
        let failing = piece.failing_since.map_or(Duration::ZERO, |since| since.elapsed());
        if self.config.errors.retry_timeout.is_some_and(|limit| failing >= limit) {
            self.end(piece.table, shipment.number, error);
            return Ok(());
        }
        let longest = self.config.errors.longest_delay;
        let factor = 1u32.checked_shl(piece.failures).unwrap_or(u32::MAX);
        let delay = FIRST_DELAY.saturating_mul(factor).min(longest);
        if code == Some(TOO_MANY_PARTS) {
            table.interval = (table.interval * 2).min(self.config.flush.longest_interval);
        }
        let failures = piece.failures + 1;
        if failures.is_power_of_two() {
            tracing::warn!(
                connector = self.config.name,
                table = table.name,
                error = chain(&error),
                remedy = error.remedy(),
                failures,
                delay_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX),
                "an insert failed and is repeated"
            );
        }
        if failures >= PATIENT_FAILURES && !table.is_paused {
            table.is_paused = true;
            self.effects.extend(table.assignments.iter().map(|id| Effect::Pause(*id)));
        }
        if code == Some(MEMORY_LIMIT) && failures >= PATIENT_FAILURES {
            if let Some(one) = self.outbox.split(shipment) {
                self.outbox.retry(one, delay);
            }
            return Ok(());
        }
        self.outbox.retry(shipment, delay);
        Ok(())
    }

    /// The one record that is left of a batch which the server did not take.
    fn one_row(
        &mut self,
        at: usize,
        shipment: Shipment,
        error: ClickHouseError,
        records: &mut dyn RecordStore,
    ) -> Result<(), ApplyError> {
        let Some(table) = self.tables.get(at).map(|table| table.name.clone()) else { return Ok(()) };
        let batch = &shipment.batch;
        let Some((&mark, origin)) =
            batch.marks.first().and_then(|mark| Some((mark, batch.origin(mark)?.clone())))
        else {
            self.end(at, shipment.number, error);
            return Ok(());
        };
        let Mark { offset, version, .. } = mark;
        let (topic, partition) = (origin.topic.to_string(), origin.partition);
        let mut refusal =
            TableError::Row { table: table.clone(), topic: topic.clone(), partition, offset, source: error };
        if let Some(refused) = &mut self.refused_again {
            // It is still put aside.
            refused.insert((topic, partition, offset));
            self.outbox.done(shipment.number);
            tracing::error!(
                connector = self.config.name,
                error = chain(&refusal),
                remedy = refusal.remedy(),
                "a record is refused again"
            );
            return Ok(());
        }
        if self.config.errors.quarantine {
            match records.fetch(&topic, partition, offset).map_err(ApplyError::Records)? {
                Some(OwnedRecord { key, value, sequence, old_key }) => {
                    let headers = KnownHeaders { sequence: sequence.as_deref(), old_key: old_key.as_deref() };
                    let record = Record {
                        origin: &origin,
                        offset,
                        key: key.as_deref(),
                        value: value.as_deref(),
                        headers,
                        version: None,
                    };
                    self.put_aside(&table, record, version, &refusal)?;
                    if let Some(mut held) = self.outbox.done(shipment.number) {
                        self.effects.extend(held.drain().map(|(id, offset)| Effect::Release(id, offset)));
                    }
                    return Ok(());
                }
                None => refusal = TableError::RecordGone { table, topic, partition, offset },
            }
        }
        self.outbox.give_up(shipment.number);
        self.stop(at, &refusal);
        Ok(())
    }

    /// Waits until everything of a table is stored, before its schema changes or it is emptied.
    pub(super) fn drain(&mut self, at: usize, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        let end = Instant::now() + DRAIN;
        self.carry(at, records)?;
        loop {
            self.outbox.send_waiting();
            self.send_due(true);
            let Some(table) = self.tables.get(at) else { return Ok(()) };
            if table.is_stopped || (table.weight() == 0 && self.outbox.open_of(at) == 0) {
                return Ok(());
            }
            if Instant::now() >= end {
                return Err(ApplyError::NotConfirmed { table: table.name.clone(), seconds: DRAIN.as_secs() });
            }
            if let Some((piece, outcome)) = self.outbox.receive(Duration::from_millis(20)) {
                self.conclude(piece, outcome, records)?;
            }
        }
    }
}
