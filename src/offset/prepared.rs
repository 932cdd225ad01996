//! XA transactions that are prepared: their rows are in the log, whether they happened is not known yet, and the stored
//! position must not pass them.
//!
//! With GTIDs nothing more is needed than to leave them out of the stored set until they are over: a server sends exactly
//! these again, and then what is new.
//!
//! Without GTIDs the stored file and position stay where the oldest of them begins, so that whoever goes on from there (the
//! real Debezium, too) reads its rows. What was published behind it must not be published again. So the position that was
//! reached is stored under a key of our own, together with the offset that it belongs to:
//! ```json
//! {"stored":{"file":"binlog.000007","pos":1907,…},"reached":{"file":"binlog.000007","pos":84223,"event":3,…}}
//! ```
//! A start that finds exactly this offset stored reads from its position, takes nothing but prepared transactions up to
//! the one that was reached, and goes on there. Another offset was stored by another program: it alone counts.

use serde_json::{Map, Value, json};

use crate::offset::gtid::{Gtid, GtidSet};
use crate::offset::position::BinlogPosition;

/// A transaction that is prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedTransaction {
    /// Where it begins: its XA START.
    pub begin: BinlogPosition,
    /// The GTID of its first part; none with `gtid_mode=OFF`.
    pub gtid: Option<Gtid>,
}

/// All that are prepared, in the order of the log.
#[derive(Clone, Debug, Default)]
pub struct PreparedTransactions {
    list: Vec<PreparedTransaction>,
    read_from: Option<BinlogPosition>,
}

impl PreparedTransactions {
    /// Those that a start finds when it reads from an earlier position than the one that was reached.
    pub fn read_from(position: BinlogPosition) -> Self {
        PreparedTransactions { list: Vec::new(), read_from: Some(position) }
    }

    /// Where the log is to be read from, as long as what was reached before is not reached again.
    pub fn start(&self) -> Option<&BinlogPosition> {
        self.read_from.as_ref()
    }

    /// What was reached before is reached again.
    pub fn caught_up(&mut self) {
        self.read_from = None;
    }

    /// One more is prepared. It may have come already, where a lost connection is resumed.
    pub fn add(&mut self, transaction: PreparedTransaction) {
        if !self.list.contains(&transaction) {
            self.list.push(transaction);
        }
    }

    /// One of them was committed or rolled back.
    pub fn remove(&mut self, transaction: &PreparedTransaction) {
        self.list.retain(|other| other != transaction);
    }

    /// The position that the stored one must not pass.
    pub fn oldest(&self) -> Option<&BinlogPosition> {
        self.read_from.as_ref().or_else(|| self.list.first().map(|first| &first.begin))
    }

    /// Their GTIDs.
    pub fn gtids(&self) -> GtidSet {
        let mut set = GtidSet::new();
        for gtid in self.list.iter().filter_map(|transaction| transaction.gtid.as_ref()) {
            // The number of a GTID that was read is in range.
            let _ = set.add(gtid);
        }
        set
    }
}

/// The key of what stands beside a connector's offset.
pub fn prepared_key(connector: &str, prefix: &str) -> String {
    json!([connector, { "server": prefix, "tidewire": "xa" }]).to_string()
}

/// What to store beside an offset that stays behind.
pub fn beside(stored: Map<String, Value>, reached: Map<String, Value>) -> String {
    json!({ "stored": stored, "reached": reached }).to_string()
}

/// The offset that was reached, if what stands beside a stored offset belongs to it.
pub fn reached(beside: &str, stored: &str) -> Option<String> {
    let beside = serde_json::from_str::<Value>(beside).ok()?;
    let stored = serde_json::from_str::<Value>(stored).ok()?;
    (beside.get("stored")? == &stored).then(|| beside.get("reached").map(Value::to_string))?
}
