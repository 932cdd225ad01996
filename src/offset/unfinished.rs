//! Transactions of which a part was published when the position was stored, by their GTIDs.
//!
//! Debezium's offset counts the events of the running transaction, and the rows of the next one, that are done. The counts
//! belong to one server's log: a replica writes the same rows into events of its own (`binlog_row_event_max_size`, ROWS_QUERY
//! events, compression), and where its workers do not keep the order of commits (`replica_preserve_commit_order=OFF`) it has
//! other transactions before the one that was cut off. So beside the change sequence, under a key that Debezium does not
//! read, stands which transaction it was, and how many numbers of the sequence it had taken: these count rows, whatever
//! events they come in.
//!
//! ```json
//! {"last":…,"at":"binlog.000007:1907:3:2","next":…,
//!  "running":{"gtid":"…:6","numbers":5,"server":"…"},
//!  "unfinished":[{"gtid":"…:5","numbers":2,"tables":[["shop.orders",2]]}]}
//! ```
//!
//! | member | meaning |
//! |---|---|
//! | `at` | the stored offset that this goes with; with another one Debezium has been at work, and all of this is stale |
//! | `running` | the transaction in which the offset stands, on the server of that UUID; `ended`: its END record is published |
//! | `done` in it | where it ended; nothing of it is left to do |
//! | `prepared` in it | the GTID of the prepared XA transaction that it committed, which is done with it |
//! | `next` | the first number that was not used: what another server sends before `unfinished` ones gets none below it |
//! | `unfinished` | transactions of before a failover, which the present server has not sent yet |
//!
//! | the next start finds | and does |
//! |---|---|
//! | `done` | takes the GTID into the set: the server does not send it again |
//! | the same server | passes over the events and rows that the offset counts, as Debezium does |
//! | another server | passes over as many numbers of that GTID, whenever it comes, in whatever events |

use serde_json::{Map, Value, json};

use crate::offset::context::OffsetContext;
use crate::offset::gtid::{Gtid, GtidSet};
use crate::offset::sequence::ChangeSequence;

/// What of a transaction was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The transaction.
    pub gtid: Gtid,
    /// Numbers of the change sequence that its rows have taken.
    pub numbers: u64,
    /// Whether its END record was published.
    pub ended: bool,
    /// With transaction metadata: the records of each table.
    pub tables: Option<Vec<(String, i64)>>,
}

/// The transaction in which an offset was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Running {
    part: Part,
    server: String,
    done: Option<u64>,
    prepared: Option<Gtid>,
}

/// What was stored beside an offset, if it goes with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredProgress {
    running: Option<Running>,
    unfinished: Vec<Part>,
    next: u64,
    is_present: bool,
}

impl StoredProgress {
    /// Reads what `Unfinished::members` wrote; nothing where it goes with another offset.
    pub fn read(stored: Option<&str>, offset: &OffsetContext) -> Self {
        let stored = stored.and_then(|text| serde_json::from_str::<Value>(text).ok()).unwrap_or_default();
        if stored.get("at").and_then(Value::as_str) != Some(offset.place().as_str()) {
            return StoredProgress::default();
        }
        let running = stored.get("running").and_then(|running| {
            Some(Running {
                part: part(running)?,
                server: running.get("server")?.as_str()?.to_owned(),
                done: running.get("done").and_then(Value::as_u64),
                prepared: running.get("prepared").and_then(Value::as_str).and_then(|gtid| gtid.parse().ok()),
            })
        });
        let is_open = |part: &Part| !offset.gtids().is_some_and(|gtids| gtids.contains(&part.gtid));
        let unfinished = stored.get("unfinished").and_then(Value::as_array);
        StoredProgress {
            running: running.filter(|running| is_open(&running.part)),
            unfinished: unfinished.into_iter().flatten().filter_map(part).filter(is_open).collect(),
            next: stored.get("next").and_then(Value::as_u64).unwrap_or_default(),
            is_present: true,
        }
    }

    /// The transactions that were published at least in part and are not in the offset's set.
    pub fn begun(&self) -> GtidSet {
        let mut begun = GtidSet::new();
        let prepared = self.running.as_ref().and_then(|running| running.prepared.as_ref());
        let parts = self.unfinished.iter().chain(self.running.as_ref().map(|running| &running.part));
        for gtid in parts.map(|part| &part.gtid).chain(prepared) {
            // A number that is out of range is in no set.
            let _ = begun.add(gtid);
        }
        begun
    }

    /// Prepares offset and sequence for reading from the server with this UUID, and says what is to be passed over.
    pub fn resume(
        self,
        offset: &mut OffsetContext,
        sequence: &mut ChangeSequence,
        server: &str,
    ) -> Unfinished {
        let mut all = Unfinished::on(server);
        if offset.gtids().is_none() || !self.is_present {
            return all;
        }
        all.is_known = true;
        all.earlier = self.unfinished;
        if let Some(running) = self.running {
            if let Some(end) = running.done {
                offset.finish(&running.part.gtid, end);
                if let Some(prepared) = &running.prepared {
                    offset.passed(prepared);
                }
                sequence.raise(self.next);
            } else {
                let tables = offset.transaction().map(|transaction| {
                    transaction.counts().map(|(table, count)| (table.to_owned(), count)).collect()
                });
                all.counted = (running.server == server).then_some(running.part.gtid);
                all.earlier.push(Part { tables, ..running.part });
            }
        }
        if !all.earlier.is_empty() {
            all.floor = self.next;
        }
        all
    }
}

/// A part as it is stored.
fn part(value: &Value) -> Option<Part> {
    let table = |pair: &Value| Some((pair.get(0)?.as_str()?.to_owned(), pair.get(1)?.as_i64()?));
    Some(Part {
        gtid: value.get("gtid")?.as_str()?.parse().ok()?,
        numbers: value.get("numbers")?.as_u64()?,
        ended: value.get("ended").and_then(Value::as_bool).unwrap_or(false),
        tables: value
            .get("tables")
            .and_then(Value::as_array)
            .map(|tables| tables.iter().filter_map(table).collect()),
    })
}

/// The transactions of which only a part is published.
#[derive(Clone, Debug, Default)]
pub struct Unfinished {
    server: String,
    running: Option<Gtid>,
    ended: bool,
    /// What was published of the running transaction before it was sent again.
    resumed: Option<Part>,
    earlier: Vec<Part>,
    counted: Option<Gtid>,
    floor: u64,
    is_known: bool,
}

impl Unfinished {
    /// None, on the server with this UUID.
    pub fn on(server: &str) -> Self {
        Unfinished { server: server.to_owned(), ..Unfinished::default() }
    }

    /// Whether a server is read, and no file.
    pub fn is_of_server(&self) -> bool {
        !self.server.is_empty()
    }

    /// Whether it is known in which transaction the stored offset stands, if in any.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whether the events and rows that the stored offset counts are those of the running transaction in this log.
    pub fn is_counted(&self) -> bool {
        self.counted.is_some() && self.counted == self.running
    }

    /// A transaction or a statement begins; what was published of it before.
    pub fn begin(&mut self, gtid: Option<Gtid>, sequence: &mut ChangeSequence) -> Option<&Part> {
        self.running = gtid;
        self.ended = false;
        self.earlier.extend(self.resumed.take());
        let place = self.earlier.iter().position(|part| Some(part.gtid) == gtid);
        self.resumed = place.map(|place| self.earlier.remove(place));
        if self.resumed.is_none() && self.floor > 0 {
            // It comes behind rows that are published already.
            sequence.raise(self.floor);
            self.floor = 0;
        }
        self.resumed.as_ref()
    }

    /// Whether the END record of the running transaction was published before.
    pub fn was_ended(&self) -> bool {
        self.resumed.as_ref().is_some_and(|part| part.ended)
    }

    /// The END record of the running transaction is made.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The running transaction is over.
    pub fn over(&mut self) {
        self.resumed = None;
        self.counted = None;
    }

    /// What to store beside the change sequence; nothing without GTIDs.
    pub fn members(&self, sequence: &ChangeSequence, offset: &OffsetContext) -> Map<String, Value> {
        let mut members = Map::new();
        if offset.gtids().is_none() {
            return members;
        }
        members.insert("at".into(), offset.place().into());
        let unsettled = offset.unsettled();
        if let (Some(gtid), Some(done)) = (self.running, unsettled) {
            let before = self.resumed.as_ref().map_or(0, |part| part.numbers);
            let numbers = sequence.taken().max(before);
            let part = Part { gtid, numbers, ended: self.ended || self.was_ended(), tables: None };
            let mut running = part_members(&part);
            running.insert("server".into(), self.server.as_str().into());
            if let Some(end) = done {
                running.insert("done".into(), end.into());
                if let Some(prepared) = offset.committed_prepared() {
                    running.insert("prepared".into(), prepared.to_string().into());
                }
            }
            members.insert("running".into(), running.into());
        }
        // A transaction that is sent again and has no record yet is still one of before.
        let resumed = self.resumed.iter().filter(|_| unsettled.is_none());
        let unfinished: Vec<Value> =
            self.earlier.iter().chain(resumed).map(|part| part_members(part).into()).collect();
        if !unfinished.is_empty() {
            members.insert("unfinished".into(), unfinished.into());
        }
        if members.len() > 1 {
            members.insert("next".into(), sequence.next().max(self.floor).into());
        }
        members
    }
}

fn part_members(part: &Part) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("gtid".into(), part.gtid.to_string().into());
    members.insert("numbers".into(), part.numbers.into());
    if part.ended {
        members.insert("ended".into(), true.into());
    }
    if let Some(tables) = &part.tables {
        let pairs = tables.iter().map(|(table, count)| json!([table, count]));
        members.insert("tables".into(), pairs.collect());
    }
    members
}

#[cfg(test)]
mod tests;
