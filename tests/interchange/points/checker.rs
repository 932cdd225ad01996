//! Nothing is missing, and nothing comes twice but what Debezium had published behind its offset.
//!
//! The number of a row's transaction, `tx`, and its place in it, `ord`, put all inserts and updates into the order of the
//! binlog. Of the rows that a turn of Debezium published the next turn may repeat those behind the stored offset: the last
//! ones in that order, all of them, none of a transaction before the one at which the offset stands. Tidewire's are never repeated.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::Outcome;
use crate::findings::Findings;
use crate::load::{Load, TABLES};
use crate::reader::{COMMITTED, Published, read};
use crate::sequence::Growth;
use crate::support::connector::Connector;

/// One of the two at work.
pub struct Turn {
    /// Whether it was Debezium.
    pub debezium: bool,
    /// Where each topic's partitions ended with it.
    pub ends: HashMap<String, Vec<i64>>,
    /// The offset that it left.
    pub stored: Value,
}

/// What was found, and what Debezium's restarts repeated.
#[derive(Default)]
pub struct Checked {
    pub findings: Findings,
    pub repeated: usize,
    pub statements: usize,
}

impl Checked {
    /// Those of another server's turns.
    pub fn add(&mut self, other: Checked) {
        self.findings.lost += other.findings.lost;
        self.findings.doubled += other.findings.doubled;
        self.findings.reordered += other.findings.reordered;
        self.findings.records += other.findings.records;
        self.findings.told.extend(other.findings.told);
        self.repeated += other.repeated;
        self.statements += other.statements;
    }
}

fn tables() -> impl Iterator<Item = String> {
    (0..TABLES).map(|table| format!("t{table}")).chain(["counter".to_owned()])
}

/// The topics of the tables and of statements.
pub fn topics(connector: &Connector) -> Vec<String> {
    let tables = tables().map(|table| format!("{}.{}.{table}", connector.prefix, connector.name));
    tables.chain([connector.prefix.clone()]).collect()
}

/// `(tx, ord)`.
type Place = (i64, i64);

/// The rows of each turn that it published as the first, and those that it repeated.
#[derive(Default)]
struct Rows {
    first: BTreeSet<Place>,
    repeated: BTreeSet<Place>,
}

fn turn_of(turns: &[Turn], topic: &str, partition: usize, offset: i64) -> usize {
    let is_before = |turn: &&Turn| {
        turn.ends.get(topic).and_then(|ends| ends.get(partition)).is_none_or(|end| *end <= offset)
    };
    turns.iter().take_while(is_before).count()
}

/// File and position of a source block or of an offset.
fn position(of: &Value) -> (String, i64) {
    (of["file"].as_str().unwrap_or_default().to_owned(), of["pos"].as_i64().unwrap_or(-1))
}

/// Compares everything.
pub fn check(
    brokers: &str,
    prefix: &str,
    load: &Load,
    turns: &[Turn],
    session: &mut Connection,
) -> Outcome<Checked> {
    let mut checked = Checked::default();
    let mut rows: Vec<Rows> = turns.iter().map(|_| Rows::default()).collect();
    for table in tables() {
        let topic = format!("{prefix}.{}.{table}", load.database);
        let mut known = Table::new(&topic, table == "counter");
        let mut growth = Growth::default();
        for (partition, records) in read(brokers, &topic, COMMITTED)?.iter().enumerate() {
            for record in records {
                if !known.counter {
                    growth.see(&topic, partition, record, &mut checked.findings);
                }
                let turn = turn_of(turns, &topic, partition, record.offset);
                known.record(record, (partition, turn), turns, &mut rows, &mut checked)?;
            }
        }
        let version = if known.counter { "n" } else { "v" };
        let stored = session.query(&format!("SELECT id, {version} FROM {}.{table}", load.database));
        known.compare(&stored.map_err(|error| error.to_string())?.rows, &mut checked.findings)?;
    }
    for (number, pair) in rows.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        let Some(first) = after.repeated.first() else { continue };
        if let Some(gap) = before.first.range(first..).find(|place| !after.repeated.contains(place)) {
            let what = format!("turn {}: {gap:?} is not repeated, {first:?} is", number + 1);
            checked.findings.doubled(what);
        }
    }
    statements(brokers, prefix, turns, &mut checked)?;
    Ok(checked)
}

/// What is known of a table while its topic is read.
struct Table<'a> {
    topic: &'a str,
    counter: bool,
    versions: BTreeMap<i64, i64>,
    /// The turn in which each version of each key came first; that of a delete is -1.
    seen: HashMap<(i64, i64), usize>,
    /// Partition, turn and place of the record before.
    last: (usize, usize, Place),
}

impl<'a> Table<'a> {
    fn new(topic: &'a str, counter: bool) -> Self {
        Table { topic, counter, versions: BTreeMap::new(), seen: HashMap::new(), last: (0, 0, (-1, -1)) }
    }

    fn record(
        &mut self,
        record: &Published,
        (partition, turn): (usize, usize),
        turns: &[Turn],
        rows: &mut [Rows],
        checked: &mut Checked,
    ) -> Outcome<()> {
        let Some(value) = &record.value else { return Ok(()) };
        let value = value.get("payload").unwrap_or(value);
        checked.findings.records += 1;
        let number = |side: &str, column: &str| {
            value[side][column].as_i64().ok_or_else(|| format!("{}: no {column} in {value}", self.topic))
        };
        let column = if self.counter { "n" } else { "v" };
        let ends = value["after"].is_null();
        let id = number(if ends { "before" } else { "after" }, "id")?;
        let version = if ends { -1 } else { number("after", column)? };
        let told = || format!("{} turn {turn}, key {id}: {value}", self.topic);
        let place = match (ends, self.counter) {
            (true, _) => None,
            (false, true) => Some((version, -1)),
            (false, false) => Some((number("after", "tx")?, number("after", "ord")?)),
        };
        if let Some(place) = place {
            if self.last >= (partition, turn, place) {
                checked.findings.reordered(format!("{} behind {:?}", told(), self.last));
            }
            self.last = (partition, turn, place);
        }
        if let Some(before) = self.seen.get(&(id, version)) {
            let earlier = turns.get(*before).filter(|turn| turn.debezium);
            let is_behind = earlier.is_some_and(|turn| position(&value["source"]) >= position(&turn.stored));
            if before + 1 != turn || !is_behind {
                checked.findings.doubled(told());
            }
            checked.repeated += 1;
            if let (Some(rows), Some(place)) = (rows.get_mut(turn), place) {
                rows.repeated.insert(place);
            }
            return Ok(());
        }
        self.seen.insert((id, version), turn);
        let from = if value["before"].is_null() { None } else { Some(number("before", column)?) };
        if self.versions.get(&id).copied() != from {
            checked.findings.lost(format!("{}, known {:?}", told(), self.versions.get(&id)));
        }
        let Some(place) = place else {
            self.versions.remove(&id);
            return Ok(());
        };
        self.versions.insert(id, version);
        if let Some(rows) = rows.get_mut(turn) {
            rows.first.insert(place);
        }
        Ok(())
    }

    /// The last versions are those of the table.
    fn compare(&self, rows: &[Vec<Option<String>>], findings: &mut Findings) -> Outcome<()> {
        let mut stored = BTreeMap::new();
        for row in rows {
            let cell = |place: usize| row.get(place).and_then(|cell| cell.as_deref()?.parse::<i64>().ok());
            let (Some(id), Some(version)) = (cell(0), cell(1)) else {
                return Err(format!("{}: no numbers", self.topic));
            };
            stored.insert(id, version);
        }
        for id in stored.keys().chain(self.versions.keys()).collect::<BTreeSet<_>>() {
            let (in_table, published) = (stored.get(id), self.versions.get(id));
            if in_table != published {
                findings.lost(format!("{}: {id} is {in_table:?}, published {published:?}", self.topic));
            }
        }
        Ok(())
    }
}

/// Every statement is published and stored. One comes again only where Debezium ends or begins.
fn statements(brokers: &str, prefix: &str, turns: &[Turn], checked: &mut Checked) -> Outcome<()> {
    let stored = read(brokers, &format!("history.{prefix}"), COMMITTED)?;
    let ddl = |record: &Published| {
        let value = record.value.as_ref().map(|value| value.get("payload").unwrap_or(value));
        let text = value.and_then(|value| value["ddl"].as_str()).unwrap_or_default();
        text.starts_with("ALTER TABLE").then(|| text.to_owned())
    };
    let stored: HashSet<String> = stored.iter().flatten().filter_map(ddl).collect();
    let mut published: HashMap<String, usize> = HashMap::new();
    for (partition, records) in read(brokers, prefix, COMMITTED)?.iter().enumerate() {
        for record in records {
            let Some(text) = ddl(record) else { continue };
            let turn = turn_of(turns, prefix, partition, record.offset);
            if !stored.contains(&text) {
                checked.findings.lost(format!("the history has no {text}"));
            }
            if let Some(before) = published.insert(text.clone(), turn) {
                let by_debezium =
                    [before, turn].iter().any(|turn| turns.get(*turn).is_some_and(|turn| turn.debezium));
                if before + 1 != turn || !by_debezium {
                    checked.findings.doubled(format!("turns {before} and {turn}: {text}"));
                }
                checked.statements += 1;
            }
        }
    }
    for text in stored.iter().filter(|text| !published.contains_key(*text)) {
        checked.findings.lost(format!("nothing published: {text}"));
    }
    if published.is_empty() {
        return Err("no statement".to_owned());
    }
    Ok(())
}
