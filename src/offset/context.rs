//! Where a connector is, and the stored form of it: exactly Debezium's, so that either can take over from the other.
//!
//! The stored position is a place to *start again*, not the place that was reached. Inside a transaction `file` and
//! `pos` are where the transaction begins (its BEGIN, not the GTID event before it), `gtids` is what was executed
//! before it, `event` counts the binlog events of the transaction that are done (BEGIN is the first), and `row` the
//! rows of the next one that are done. A start reads from `pos`, passes over `event` events and then `row` rows.
//!
//! What is stored is the position *as of the last record*. A commit therefore does not move the stored position by
//! itself: it takes effect when the next transaction begins (`settle`). A transaction that published nothing moves it
//! at once, and says so (`moved_silently`), since no record will carry it.
//!
//! An XA transaction that is prepared is not done: the stored position does not pass it (`prepared`).
//!
//! Members come in the order in which Java's HashMap gives them; golden offsets show the same order.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::connect::java_map::sort_as_java;
use crate::connect::record::StoredOffset;
use crate::offset::error::OffsetError;
use crate::offset::gtid::{Gtid, GtidSet};
use crate::offset::position::BinlogPosition;
use crate::offset::prepared::{PreparedTransaction, PreparedTransactions};
use crate::offset::transaction_context::TransactionContext;

mod held_position;

/// The prefix of the members that count the rows of each table of a transaction.
const TABLE_COUNT: &str = "transaction_data_collection_order_";

/// What a snapshot writes in `snapshot` while it runs.
pub const INITIAL: &str = "INITIAL";

/// The position of one connector, as it goes on.
#[derive(Clone, Debug)]
pub struct OffsetContext {
    key: String,
    file: String,
    pos: u64,
    gtids: Option<GtidSet>,
    streaming: bool,
    event: u64,
    row: u64,
    recorded: Option<(u64, u64)>,
    server_id: u32,
    ts_sec: i64,
    snapshot: Option<String>,
    transaction: Option<TransactionContext>,
    committed: Option<Commit>,
    previous_gtids: Option<GtidSet>,
    prepared: PreparedTransactions,
    ending: Option<PreparedTransaction>,
    extra: Map<String, Value>,
}

/// A commit that has not yet moved the position.
#[derive(Clone, Debug)]
struct Commit {
    gtid: Option<Gtid>,
    pos: u64,
    /// The prepared transaction that it ends.
    prepared: Option<PreparedTransaction>,
}

/// The key of a connector's stored offset: `["connector",{"server":"prefix"}]`.
pub fn offset_key(connector: &str, prefix: &str) -> String {
    Value::from(vec![Value::from(connector), serde_json::json!({ "server": prefix })]).to_string()
}

impl OffsetContext {
    /// A position to start from, with nothing done.
    pub fn new(key: String, position: BinlogPosition, gtids: Option<GtidSet>) -> Self {
        OffsetContext {
            key,
            file: position.file,
            pos: position.pos,
            gtids,
            streaming: false,
            event: 0,
            row: 0,
            recorded: None,
            server_id: 0,
            ts_sec: 0,
            snapshot: None,
            transaction: None,
            committed: None,
            previous_gtids: None,
            prepared: PreparedTransactions::default(),
            ending: None,
            extra: Map::new(),
        }
    }

    /// Reads a stored offset. Members that are not ours (an incremental snapshot's) are kept and written again.
    pub fn from_stored(key: String, text: &str) -> Result<Self, OffsetError> {
        let members: Map<String, Value> =
            serde_json::from_str(text).map_err(|source| OffsetError::NotJson { key: key.clone(), source })?;
        let mut context = OffsetContext::new(key, BinlogPosition::default(), None);
        let mut transaction_id = None;
        let mut table_counts = Vec::new();
        for (name, value) in members {
            let number = || {
                value
                    .as_u64()
                    .ok_or_else(|| OffsetError::Member { key: context.key.clone(), member: name.clone() })
            };
            match name.as_str() {
                "file" => context.file = value.as_str().unwrap_or_default().to_owned(),
                "pos" => context.pos = number()?,
                "gtids" => {
                    let set = value.as_str().unwrap_or_default();
                    context.gtids =
                        Some(set.parse::<GtidSet>().map_err(|source| OffsetError::Gtids { source })?);
                }
                "event" => context.event = number()?,
                "row" => context.row = number()?,
                "server_id" => context.server_id = u32::try_from(number()?).unwrap_or_default(),
                "ts_sec" => context.ts_sec = value.as_i64().unwrap_or_default(),
                // Old connectors stored true for what is INITIAL now.
                "snapshot" if value == Value::Bool(true) => context.snapshot = Some(INITIAL.to_owned()),
                "snapshot" => context.snapshot = value.as_str().map(str::to_owned),
                "transaction_id" => transaction_id = value.as_str().map(str::to_owned),
                _ => match name.strip_prefix(TABLE_COUNT) {
                    Some(table) => table_counts.push((table.to_owned(), number()?.cast_signed())),
                    None => {
                        context.extra.insert(name, value);
                    }
                },
            }
        }
        context.transaction = transaction_id.map(|id| TransactionContext::restored(id, table_counts));
        if context.event > 0 || context.row > 0 {
            context.recorded = Some((context.event, context.row));
        }
        Ok(context)
    }

    /// The same position on a server that has GTIDs or has none: there a set that was kept goes
    /// on; here it means nothing. A position without a set stays one of file and position.
    pub fn on_server(mut self, has_gtids: bool) -> Self {
        if !has_gtids {
            self.gtids = None;
        }
        self
    }

    /// From here on events are read, and no snapshot.
    pub fn start_streaming(&mut self) {
        self.streaming = true;
    }

    /// A transaction is done that is not the one in which the stored counts stand.
    pub fn passed(&mut self, gtid: &Gtid) {
        if let Some(set) = self.gtids.as_mut() {
            // The set can be full only after 2^63 transactions of one source.
            let _ = set.add(gtid);
        }
    }

    /// A transaction without an end of its own is over, and its counts with it.
    pub fn executed(&mut self, gtid: &Gtid) {
        self.passed(gtid);
        self.event = 0;
        self.row = 0;
        self.recorded = None;
    }

    /// Whether everything before a position is done, the last commit counted in, and what is prepared too. GTIDs decide
    /// where both have them.
    pub fn has_reached(&self, until: &BinlogPosition, gtids: Option<&GtidSet>) -> bool {
        let commit = self.committed.as_ref();
        match (&self.gtids, gtids) {
            (Some(executed), Some(wanted)) => {
                let mut missing = wanted.subtract(executed).subtract(&self.prepared.gtids());
                if let Some(gtid) = commit.and_then(|commit| commit.gtid) {
                    let mut last = GtidSet::new();
                    missing = if last.add(&gtid).is_ok() { missing.subtract(&last) } else { missing };
                }
                missing.is_empty()
            }
            _ => {
                let pos = commit.map_or(self.pos, |commit| commit.pos);
                BinlogPosition::new(self.file.as_str(), pos).compare(until) != Ordering::Less
            }
        }
    }

    /// Whether something that follows a position is done.
    pub fn is_past(&self, until: &BinlogPosition, gtids: Option<&GtidSet>) -> bool {
        match (&self.gtids, gtids) {
            (Some(executed), Some(before)) => !executed.is_subset(before),
            _ => self.position().compare(until) == Ordering::Greater,
        }
    }

    /// The key under which it is stored.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Where to start reading.
    pub fn position(&self) -> BinlogPosition {
        BinlogPosition::new(self.file.clone(), self.pos)
    }

    /// The file of the log that is being read.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What was executed before the running transaction; none where the server has no GTIDs.
    pub fn gtids(&self) -> Option<&GtidSet> {
        self.gtids.as_ref()
    }

    /// Events and rows to pass over after a start, as stored.
    pub fn to_skip(&self) -> (u64, u64) {
        self.recorded.unwrap_or_default()
    }

    /// Events of the running transaction that are done.
    pub fn events_done(&self) -> u64 {
        self.event
    }

    /// Whether an initial snapshot was running when the offset was stored.
    pub fn in_initial_snapshot(&self) -> bool {
        self.snapshot.as_deref() == Some(INITIAL)
    }

    /// Sets or clears the mark of a running snapshot.
    pub fn set_snapshot(&mut self, mark: Option<&str>) {
        self.snapshot = mark.map(str::to_owned);
    }

    /// The same position as one of a snapshot that is taken at `ts_sec`: without a transaction, and of no server.
    pub fn of_snapshot(&self, ts_sec: i64) -> OffsetContext {
        let snapshot = Some(INITIAL.to_owned());
        OffsetContext { snapshot, ts_sec, server_id: 0, transaction: None, ..self.clone() }
    }

    /// The running transaction, when transaction metadata is provided.
    pub fn transaction(&mut self) -> Option<&mut TransactionContext> {
        self.transaction.as_mut()
    }

    /// Takes over the time and origin of an event, for `ts_sec` and `server_id`.
    pub fn observe(&mut self, ts_sec: i64, server_id: u32) {
        self.ts_sec = ts_sec;
        self.server_id = server_id;
    }

    /// The time of the snapshot, in seconds.
    pub fn set_ts_sec(&mut self, ts_sec: i64) {
        self.ts_sec = ts_sec;
    }

    /// The log goes on in another file.
    pub fn rotate(&mut self, file: &str, pos: u64) {
        self.settle();
        self.set_position(file, pos);
        self.event = 0;
        self.row = 0;
        self.recorded = None;
    }

    /// The last commit takes effect: something new begins. True when it moved the position.
    pub fn settle(&mut self) -> bool {
        let Some(commit) = self.committed.take() else { return false };
        if let Some(prepared) = &commit.prepared {
            self.prepared.remove(prepared);
        }
        for gtid in [commit.prepared.and_then(|prepared| prepared.gtid), commit.gtid].iter().flatten() {
            self.executed(gtid);
        }
        self.pos = commit.pos;
        self.event = 0;
        self.row = 0;
        self.recorded = None;
        self.transaction = None;
        true
    }

    /// A transaction begins at the position of its BEGIN. `id` is given when transaction metadata is provided.
    pub fn begin(&mut self, file: &str, pos: u64, id: Option<String>) {
        self.settle();
        self.set_position(file, pos);
        self.event = 0;
        self.row = 0;
        self.recorded = None;
        self.transaction = id.map(TransactionContext::new);
    }

    /// The transaction in which the stored offset stands begins again: its counts go on, and so does what is stored.
    pub fn resume(&mut self, file: &str, pos: u64) {
        self.set_position(file, pos);
        self.event = 0;
        self.row = 0;
    }

    /// One more event of the transaction is done.
    pub fn event_done(&mut self) {
        self.event += 1;
        self.row = 0;
    }

    /// Whether no transaction of the source is being read.
    pub fn is_between_transactions(&self) -> bool {
        self.committed.is_some() || self.event == 0 && self.row == 0
    }

    /// So many rows of the current event are done.
    pub fn rows_done(&mut self, rows: u64) {
        self.row = rows;
    }

    /// A record was made at this point: this is what is stored once it is durable.
    pub fn record_made(&mut self) {
        self.recorded = Some((self.event, self.row));
    }

    /// The transaction ended at `pos`. Without a record of its own the position moves at once; true says so.
    pub fn commit(&mut self, gtid: Option<Gtid>, pos: u64) -> bool {
        let silent = self.recorded.is_none();
        self.committed = Some(Commit { gtid, pos, prepared: self.ending.take() });
        silent && self.settle()
    }

    /// A statement outside a transaction ended at `pos`: the position is behind it, but its own GTID joins the set only
    /// when the next transaction begins, as Debezium stores it.
    pub fn statement_done(&mut self, gtid: Option<Gtid>, file: &str, pos: u64) {
        self.settle();
        self.set_position(file, pos);
        self.event = 0;
        self.row = 0;
        self.recorded = None;
        self.transaction = None;
        self.committed = Some(Commit { gtid, pos, prepared: None });
    }

    fn set_position(&mut self, file: &str, pos: u64) {
        if self.file != file {
            self.file.clear();
            self.file.push_str(file);
        }
        self.pos = pos;
    }

    /// The members in stored order, as of the last record: also the `position` of a history record.
    pub fn members(&self) -> Map<String, Value> {
        let mut members: Vec<(String, Value)> = Vec::with_capacity(10);
        if let Some(mark) = &self.snapshot {
            members.push(("snapshot".into(), mark.as_str().into()));
        }
        if self.server_id != 0 {
            members.push(("server_id".into(), self.server_id.into()));
        }
        if self.ts_sec != 0 {
            members.push(("ts_sec".into(), self.ts_sec.into()));
        }
        members.push(("file".into(), self.file.as_str().into()));
        members.push(("pos".into(), self.pos.into()));
        if let Some(gtids) = &self.gtids {
            // A snapshot has the server's text, streaming its own.
            let text = if self.streaming { format!("{gtids:#}") } else { gtids.to_string() };
            members.push(("gtids".into(), text.into()));
        }
        let (event, row) = self.recorded.unwrap_or_default();
        if row > 0 {
            members.push(("row".into(), row.into()));
        }
        if event > 0 {
            members.push(("event".into(), event.into()));
        }
        if let Some(transaction) = &self.transaction {
            members.push(("transaction_id".into(), transaction.id().into()));
            for (table, count) in transaction.counts() {
                members.push((format!("{TABLE_COUNT}{table}"), count.into()));
            }
        }
        members.extend(self.extra.iter().map(|(name, value)| (name.clone(), value.clone())));
        sort_as_java(&mut members, |(name, _)| name);
        members.into_iter().collect()
    }

    /// What to store.
    pub fn to_stored(&self) -> StoredOffset {
        let members = self.held().unwrap_or_else(|| self.members());
        StoredOffset { key: self.key.clone(), value: Some(Value::Object(members).to_string()) }
    }
}

mod progress;
#[cfg(test)]
mod tests;
