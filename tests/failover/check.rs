//! The records against the tables.

use std::collections::{BTreeMap, HashMap, HashSet};

use tidewire::source::mysql::Connection;

use crate::load::{DATABASE, TABLES};
use crate::support::connector::Connector;
use crate::support::records::Record;

/// What was found.
#[derive(Default)]
pub struct Report {
    pub records: usize,
    pub lost: Vec<String>,
    pub doubled: Vec<String>,
}

fn number(record: &Record, column: &str) -> i64 {
    record.cell(column).as_i64().unwrap_or_else(|| panic!("no {column} in {record:?}"))
}

fn gtid(record: &Record) -> String {
    record.value["source"]["gtid"].as_str().unwrap_or_else(|| panic!("no GTID in {record:?}")).to_owned()
}

/// Compares everything.
pub fn check(connector: &Connector, session: &mut Connection) -> Report {
    let mut report = Report::default();
    let mut changes: HashMap<String, i64> = HashMap::new();
    for table in 0..TABLES {
        let table = format!("t{table}");
        compare(&table, &connector.records(&table), session, &mut changes, &mut report);
    }
    log(&connector.records("log"), session, &changes, &mut report);
    transactions(connector, &mut report);
    statements(connector, session, &mut report);
    report
}

/// The versions of each key, and what they end with.
fn compare(
    table: &str,
    records: &[Record],
    session: &mut Connection,
    changes: &mut HashMap<String, i64>,
    report: &mut Report,
) {
    let mut believed: BTreeMap<i64, Option<i64>> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut last = 0;
    for record in records.iter().filter(|record| !record.value.is_null()) {
        let sequence = record.sequence.unwrap_or_else(|| panic!("no tidewire.seq in {record:?}"));
        if sequence <= last {
            report.doubled.push(format!("{table}: tidewire.seq {sequence} behind {last}"));
        }
        last = sequence;
        report.records += 1;
        let (id, version, op, gtid) = (record.id(), number(record, "v"), record.op(), gtid(record));
        let what = format!("{table} {op}{id} version {version} of {gtid}");
        *changes.entry(gtid.clone()).or_default() += 1;
        // One transaction may change a row several times, but each time to another version.
        if !seen.insert((gtid, id, version, op.to_owned())) {
            report.doubled.push(what);
            continue;
        }
        let before = believed.get(&id).copied();
        let expected = match (op, before) {
            ("c", None) => Some(0),
            ("u", Some(Some(before))) => Some(before + 1),
            ("d", Some(Some(before))) => Some(before),
            _ => None,
        };
        match expected {
            Some(expected) if expected == version => {}
            Some(expected) if version < expected => report.doubled.push(format!("{what} after {before:?}")),
            None if op == "c" => report.doubled.push(format!("{what} after {before:?}")),
            _ => report.lost.push(format!("something before {what}: {before:?}")),
        }
        believed.insert(id, if op == "d" { None } else { Some(version) });
    }
    let rows = session.query(&format!("SELECT id, v FROM {DATABASE}.{table}")).expect("the table");
    let stored: BTreeMap<i64, i64> = rows
        .rows
        .iter()
        .map(|row| {
            let cell =
                |place: usize| row[place].as_deref().and_then(|cell| cell.parse().ok()).expect("a number");
            (cell(0), cell(1))
        })
        .collect();
    for (id, version) in &stored {
        if believed.get(id) != Some(&Some(*version)) {
            report.lost.push(format!("{table} {id}: stored {version}, published {:?}", believed.get(id)));
        }
    }
    for (id, version) in believed.iter().filter_map(|(id, version)| Some((id, (*version)?))) {
        if !stored.contains_key(id) {
            report.lost.push(format!("the delete of {table} {id}, published {version}"));
        }
    }
}

/// Each transaction says how many rows it changed.
fn log(records: &[Record], session: &mut Connection, changes: &HashMap<String, i64>, report: &mut Report) {
    let mut published = HashMap::new();
    for record in records {
        let key = (number(record, "writer"), number(record, "n"));
        if published.insert(key, (gtid(record), number(record, "changes"))).is_some() {
            report.doubled.push(format!("log {key:?} of {}", gtid(record)));
        }
    }
    let rows = session.query(&format!("SELECT writer, n, changes FROM {DATABASE}.log")).expect("the table");
    for row in &rows.rows {
        let cell = |place: usize| -> i64 { row[place].as_deref().unwrap().parse().unwrap() };
        let key = (cell(0), cell(1));
        match published.get(&key) {
            None => report.lost.push(format!("log {key:?}")),
            Some((gtid, _)) => {
                let found = changes.get(gtid).copied().unwrap_or_default();
                if found < cell(2) {
                    report.lost.push(format!("{} of the {} changes of {gtid}", cell(2) - found, cell(2)));
                } else if found > cell(2) {
                    report.doubled.push(format!("{} changes of {gtid}, which has {}", found, cell(2)));
                }
            }
        }
    }
}

/// One BEGIN and one END a transaction.
fn transactions(connector: &Connector, report: &mut Report) {
    let mut marks: HashMap<(String, String), u32> = HashMap::new();
    for mark in connector.topic(&format!("{DATABASE}.transaction")) {
        let text = |member: &str| mark.value[member].as_str().unwrap_or_default().to_owned();
        *marks.entry((text("id"), text("status"))).or_default() += 1;
    }
    let ids: HashSet<String> = marks.keys().map(|(id, _)| id.clone()).collect();
    for id in ids {
        for status in ["BEGIN", "END"] {
            match marks.get(&(id.clone(), status.to_owned())) {
                Some(1) => {}
                Some(count) => report.doubled.push(format!("{count} {status} of {id}")),
                None => report.lost.push(format!("{status} of {id}")),
            }
        }
    }
}

/// Each column that was added was published once.
fn statements(connector: &Connector, session: &mut Connection, report: &mut Report) {
    let published = connector.topic(DATABASE);
    let columns = session
        .query(&format!(
            "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '{DATABASE}' AND COLUMN_NAME LIKE 'c%\\_%'"
        ))
        .expect("the columns");
    for column in columns.rows.iter().filter_map(|row| row[0].as_deref()) {
        let text = format!("ADD COLUMN {column} ");
        let ddl = |record: &&Record| record.value["ddl"].as_str().is_some_and(|ddl| ddl.contains(&text));
        match published.iter().filter(ddl).count() {
            1 => {}
            0 => report.lost.push(format!("the statement that added {column}")),
            count => report.doubled.push(format!("{count} times the statement that added {column}")),
        }
    }
}
