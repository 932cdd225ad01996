//! XA transactions: their rows are in the log when they are prepared, and happened when they are committed, minutes or days
//! later. Manual: "XA Transactions"; "XA_PREPARE_LOG_EVENT".
//!
//! ```text
//! GTID 3 · XA START x · TABLE_MAP · WRITE_ROWS · XA END x · XA_PREPARE x      the rows are kept (`xa_spill`)
//! GTID 4 · …                                                                   other transactions are published
//! GTID 9 · XA COMMIT x                                                         the rows are published
//!        · XA ROLLBACK x                                                       the rows are forgotten
//! ```
//! XA_PREPARE with `one_phase` is a commit (`XA COMMIT … ONE PHASE`): the rows are published there. That is not known before,
//! so these rows are kept, too.
//!
//! # What is published
//! Everything between XA START and XA END is kept as bytes and read by `event_handler` when its time has come, as if it stood
//! behind a BEGIN there. So there is one way for rows, with partial images, JSON diffs and compressed transactions.
//!
//! A transaction of two phases is that of its XA COMMIT: its GTID is `source.gtid` and the id of the transaction block, its
//! time is `ts_ms`, and its place is `file` and `pos` of every row, as the place of a compressed transaction is. It happened
//! there: a reader that orders by position finds the rows in the order of commits, and the place of XA START would lie before
//! what was published long ago. `row` counts through the whole transaction, so that file, pos and row together stay unique.
//! `thread` is the session that changed the rows. A transaction of one phase has one GTID and its rows their own places.
//!
//! A table is what it was when the transaction was prepared. An ALTER of it waits for XA COMMIT or ROLLBACK, also when the
//! session is gone (seen on 5.7.19, 8.0.15 and 9.7.4); a DROP does not wait on 5.7.
//!
//! # Restarts
//! The stored offset counts XA COMMIT as the first event of its transaction, the kept events follow, as those of any other
//! one. Kept events are the same when they are read again, so a start in the midst of them goes on behind what was published.
//! What is prepared is read again before that (`offset::prepared`): with GTIDs because the server sends what the stored set
//! leaves out, without them because the log is read from the oldest one. It touches neither the position nor the stored
//! counts, which belong to the first transaction that is published.
//!
//! | killed | durable | the next start |
//! |---|---|---|
//! | before XA COMMIT | a position without the transaction | keeps the rows again |
//! | while its rows are published | XA COMMIT's position with counts, still without it | keeps them again, and goes on behind the counts |
//! | behind its END | the same with all counts | publishes nothing of it |
//! | in the next transaction | a position with both parts | does not see it |

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::source::binlog::event_handler::{EventHandler, EventPlace};
use crate::source::binlog::xa_spill::Spill;
use crate::source::binlog::xa_transactions::{Publishing, XaBranch};
use crate::source::binlog::xid::{XaStatement, Xid};
use crate::source::error::SourceError;
use crate::wire::event::{Event, EventHeader, XaPrepareEvent};

/// Bytes of one transaction that are kept in memory.
const IN_MEMORY: u64 = 1 << 20;
/// Bytes of all transactions that are kept in memory.
const ALL_IN_MEMORY: u64 = 16 << 20;
/// Seconds after which a prepared transaction is worth a warning, and again at every doubling.
const OLD: i64 = 300;
/// Between two looks at the age of prepared transactions.
const REST: Duration = Duration::from_secs(10);

impl EventHandler {
    /// XA START: what follows is kept.
    pub(super) fn start_xa(&mut self, thread: u32, at: EventPlace) {
        self.xa.reading = Some(XaBranch {
            begin: self.position(at),
            gtid: self.transaction.gtid,
            thread,
            tables: Vec::new(),
            spill: Spill::default(),
            prepared_at: 0,
            warn_at_age: OLD,
        });
    }

    /// Keeps an event of the XA transaction that is being read. False for those that say something of the transaction.
    pub(super) fn keep_event(
        &mut self,
        covered: &[u8],
        event: &Event<'_>,
        at: EventPlace,
    ) -> Result<bool, SourceError> {
        match event {
            Event::Query(query) if XaStatement::parse(&String::from_utf8_lossy(query.query)).is_some() => {
                return Ok(false);
            }
            Event::TableMap(_)
            | Event::Rows(_)
            | Event::RowsQuery(_)
            | Event::Query(_)
            | Event::Statement(_) => {}
            _ => return Ok(false),
        }
        let Some(branch) = &mut self.xa.reading else { return Ok(false) };
        if let Event::TableMap(map) = event
            && !branch.tables.iter().rev().any(|(number, _)| *number == map.table_id)
        {
            let (database, table) =
                (String::from_utf8_lossy(map.database), String::from_utf8_lossy(map.table));
            let table = self.dispatcher.schema.table(&TableId::new(database, table)).cloned();
            branch.tables.push((map.table_id, table));
        }
        let limit = self.dispatcher.config.queue.xa_spill_max_bytes;
        if self.xa.bytes + branch.spill.bytes() + Spill::size(covered) > limit {
            return Err(SourceError::XaSpillFull { position: branch.begin.clone(), limit });
        }
        let most = IN_MEMORY.min(ALL_IN_MEMORY.saturating_sub(self.xa.in_memory));
        branch
            .spill
            .add(covered, at, most)
            .map_err(|source| SourceError::XaSpill { position: branch.begin.clone(), source })?;
        Ok(true)
    }

    /// A statement on an XA transaction.
    pub(super) fn xa_statement(
        &mut self,
        header: &EventHeader,
        thread: u32,
        statement: XaStatement,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        match statement {
            XaStatement::Start => self.start_xa(thread, at),
            XaStatement::End => self.xa.end(),
            XaStatement::Commit(xid) => {
                if let Some(branch) = self.xa.take(&xid) {
                    self.dispatcher.offset.ends_prepared(branch.place());
                    return self.start_publishing(header, branch, false, at);
                }
                let gtid = self.transaction.gtid_text.as_str();
                tracing::warn!(
                    %xid, gtid, position = %self.position(at),
                    "an XA transaction is committed that was prepared before the position from which the log is read: its rows \
                     are not published here"
                );
                self.end_without_records(at);
            }
            XaStatement::Rollback(xid) => {
                self.xa.abandon();
                if let Some(branch) = self.xa.take(&xid) {
                    self.dispatcher.offset.ends_prepared(branch.place());
                }
                self.end_without_records(at);
            }
            XaStatement::Other => {
                return Err(SourceError::Unsupported { position: self.position(at), kind: "QUERY (XA)" });
            }
        }
        Ok(())
    }

    /// The same in the part of the log that is read only for what is prepared.
    pub(super) fn follow_xa_statement(&mut self, thread: u32, statement: &XaStatement, at: EventPlace) {
        match statement {
            XaStatement::Start => self.start_xa(thread, at),
            XaStatement::Commit(xid) | XaStatement::Rollback(xid) => {
                if let Some(branch) = self.xa.take(xid) {
                    self.dispatcher.offset.forget_prepared(&branch.place());
                }
            }
            XaStatement::End => self.xa.end(),
            XaStatement::Other => {}
        }
    }

    /// XA_PREPARE: the rows wait for their commit, or have it.
    pub(super) fn xa_prepare(
        &mut self,
        header: &EventHeader,
        event: &XaPrepareEvent<'_>,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        // Without its XA START the log is read from the midst of a transaction, and its rows were published as they came.
        let Some(branch) = self.xa.ended.take() else { return Ok(()) };
        if event.one_phase {
            return self.start_publishing(header, branch, true, at);
        }
        self.keep_prepared(header, event, branch)
    }

    /// The same in the part of the log that is read only for what is prepared.
    pub(super) fn follow_xa_prepare(
        &mut self,
        header: &EventHeader,
        event: &XaPrepareEvent<'_>,
    ) -> Result<(), SourceError> {
        match self.xa.ended.take() {
            Some(branch) if !event.one_phase => self.keep_prepared(header, event, branch),
            _ => Ok(()),
        }
    }

    fn keep_prepared(
        &mut self,
        header: &EventHeader,
        event: &XaPrepareEvent<'_>,
        mut branch: XaBranch,
    ) -> Result<(), SourceError> {
        branch.prepared_at = i64::from(header.timestamp);
        let kept = branch.spill.rest();
        kept.map_err(|source| SourceError::XaSpill { position: branch.begin.clone(), source })?;
        let (xid, place) = (Xid::of(event), branch.place());
        let earlier = self.xa.keep(xid.clone(), branch);
        if let Some(earlier) = earlier.map(|branch| branch.place()).filter(|earlier| *earlier != place) {
            tracing::warn!(
                %xid, position = %earlier.begin, again = %place.begin,
                "an XA transaction is prepared again whose end the log does not have: the rows of the first one are not published"
            );
            self.dispatcher.offset.forget_prepared(&earlier);
        }
        self.dispatcher.offset.prepare(place);
        // The position stays, and the GTID is not done.
        self.transaction.over();
        Ok(())
    }

    /// A transaction that leaves no record: the position moves by itself.
    fn end_without_records(&mut self, at: EventPlace) {
        let is_resuming = self.is_resuming();
        let offset = &mut self.dispatcher.offset;
        if !is_resuming {
            offset.begin(&self.log_file, at.start, None);
            if offset.commit(self.transaction.gtid, at.end) {
                self.dispatcher.sequence.settle();
                self.dispatcher.moved_silently();
            }
            self.resumed_transaction_is_over();
        } else if let Some(gtid) = &self.transaction.gtid {
            offset.passed(gtid);
        }
        self.transaction.over();
    }

    fn start_publishing(
        &mut self,
        header: &EventHeader,
        branch: XaBranch,
        one_phase: bool,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let XaBranch { begin, thread, tables, spill, .. } = branch;
        let schema = &self.dispatcher.schema;
        let is_same = |table: &Arc<Table>| schema.table(&table.id).is_some_and(|now| Arc::ptr_eq(now, table));
        if !tables.iter().filter_map(|(_, table)| table.as_ref()).all(is_same) {
            self.plans.clear();
            self.xa.tables = tables;
        }
        let start = if one_phase { begin.pos } else { at.start };
        self.begin(header, thread, EventPlace { start, end: at.end })?;
        self.xa.rows = (!one_phase).then_some(0);
        let events = spill.into_events();
        let events = events.map_err(|source| SourceError::XaSpill { position: begin.clone(), source })?;
        self.xa.publishing = Some(Publishing { header: *header, at, one_phase, events, begin });
        Ok(())
    }

    /// Publishes the rows of a transaction that the last event has committed. The wish to stop ends it between two events.
    pub fn publish_committed(&mut self, stop: &AtomicBool) -> Result<(), SourceError> {
        let Some(mut publishing) = self.xa.publishing.take() else { return Ok(()) };
        let mut event = std::mem::take(&mut self.xa.event);
        let Publishing { header, at, one_phase, .. } = publishing;
        while !stop.load(Ordering::Relaxed) {
            let next = publishing.events.next_event(&mut event);
            let next =
                next.map_err(|source| SourceError::XaSpill { position: publishing.begin.clone(), source })?;
            let Some(own) = next else {
                self.commit(&header, at)?;
                self.xa.rows = None;
                if !self.xa.tables.is_empty() {
                    self.xa.tables.clear();
                    self.plans.clear();
                }
                break;
            };
            let place = if one_phase { own } else { at };
            let parsed = self.parser.parse_covered(&event);
            let (mut kept, parsed) = parsed.map_err(|source| self.event_error(place, source))?;
            if !one_phase {
                (kept.timestamp, kept.server_id) = (header.timestamp, header.server_id);
            }
            self.event(&kept, parsed, place)?;
        }
        self.xa.event = event;
        Ok(())
    }

    /// Warns of transactions that hold the position for a long time.
    pub fn look_after_prepared(&mut self) {
        if self.xa.prepared.is_empty() || self.xa.looked.is_some_and(|looked| looked.elapsed() < REST) {
            return;
        }
        self.xa.looked = Some(Instant::now());
        let now = self.dispatcher.clock.now_nanos() / 1_000_000_000;
        for (xid, branch) in &mut self.xa.prepared {
            let age_seconds = now - branch.prepared_at;
            if age_seconds < branch.warn_at_age {
                continue;
            }
            branch.warn_at_age = age_seconds.saturating_mul(2);
            tracing::warn!(
                %xid, gtid = branch.gtid.map(|gtid| gtid.to_string()), position = %branch.begin, age_seconds,
                "an XA transaction is prepared and neither committed nor rolled back: the stored position does not pass it, and \
                 the server's log must be kept from there on. XA RECOVER lists it, XA COMMIT or XA ROLLBACK ends it"
            );
        }
    }
}
