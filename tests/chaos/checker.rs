//! What a reader of committed records has, against what the tables have.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::Outcome;
use crate::findings::Findings;
use crate::load::TABLES;
use crate::reader::{COMMITTED, read_each, values};
use crate::sequence::{self, Growth};

fn number(row: &Value, column: &str) -> Outcome<i64> {
    row[column].as_i64().ok_or_else(|| format!("no {column} in {row}"))
}

/// Compares everything.
pub fn check(brokers: &str, prefix: &str, session: &mut Connection) -> Outcome<Findings> {
    let mut findings = Findings::default();
    for table in 0..TABLES {
        check_table(brokers, prefix, &format!("t{table}"), session, &mut findings)?;
        let topic = format!("{prefix}.{}.t{table}", crate::DATABASE);
        sequence::is_the_same_again(brokers, &topic, &mut findings)?;
    }
    check_counter(brokers, prefix, session, &mut findings)?;
    check_statements(brokers, prefix, &mut findings)?;
    check_boundaries(brokers, prefix, &mut findings)?;
    Ok(findings)
}

/// Every key's versions follow one another, and so do the transactions of a partition; the last versions are the table's.
fn check_table(
    brokers: &str,
    prefix: &str,
    table: &str,
    session: &mut Connection,
    findings: &mut Findings,
) -> Outcome<()> {
    let topic = format!("{prefix}.{}.{table}", crate::DATABASE);
    let mut versions: BTreeMap<i64, i64> = BTreeMap::new();
    let mut ended: HashSet<i64> = HashSet::new();
    let mut growth = Growth::default();
    // By partition: transaction, and place in it.
    let mut last: HashMap<usize, (i64, i64)> = HashMap::new();
    read_each(brokers, &topic, COMMITTED, |partition, record| {
        growth.see(&topic, partition, &record, findings);
        let Some(value) = &record.value else { return Ok(()) };
        findings.records += 1;
        let (before, after) = (&value["before"], &value["after"]);
        let id = number(if after.is_null() { before } else { after }, "id")?;
        let place = || format!("{topic}-{partition}, key {id}: {value}");
        let known = versions.get(&id).copied().unwrap_or(0);
        let from = if before.is_null() { 0 } else { number(before, "v")? };
        let to = if after.is_null() { known + 1 } else { number(after, "v")? };
        if to <= known || ended.contains(&id) {
            findings.doubled(place());
        } else if from != known {
            findings.lost(place());
        }
        if after.is_null() {
            versions.remove(&id);
            ended.insert(id);
            return Ok(());
        }
        versions.insert(id, to);
        let at = (number(after, "tx")?, number(after, "ord")?);
        let last = last.entry(partition).or_insert((0, -1));
        if at <= *last {
            findings.reordered(format!("{} behind {last:?}", place()));
        }
        *last = at;
        Ok(())
    })?;
    let rows = session.query(&format!("SELECT id, v FROM {}.{table}", crate::DATABASE));
    let rows = rows.map_err(|error| error.to_string())?;
    let mut stored: BTreeMap<i64, i64> = BTreeMap::new();
    for row in rows.rows {
        let cell = |place: usize| row.get(place).and_then(|cell| cell.as_deref()?.parse::<i64>().ok());
        let (Some(id), Some(v)) = (cell(0), cell(1)) else { return Err(format!("{table}: no numbers")) };
        stored.insert(id, v);
    }
    for (id, v) in &stored {
        if versions.get(id) != Some(v) {
            findings.lost(format!(
                "{topic}: the table has version {v} of {id}, the topic {:?}",
                versions.get(id)
            ));
        }
    }
    for id in versions.keys().filter(|id| !stored.contains_key(id)) {
        findings.lost(format!("{topic}: {id} is deleted, and nothing says so"));
    }
    Ok(())
}

/// The counter goes up by one, from its first to its last value.
fn check_counter(
    brokers: &str,
    prefix: &str,
    session: &mut Connection,
    findings: &mut Findings,
) -> Outcome<()> {
    let topic = format!("{prefix}.{}.counter", crate::DATABASE);
    let mut known = 0;
    for value in values(brokers, &topic)?.iter().flatten().flatten() {
        let n = number(&value["after"], "n")?;
        let is_first = value["op"] == "r";
        if n <= known && !is_first {
            findings.doubled(format!("{topic}: {n} behind {known}"));
            continue;
        }
        if n != known + 1 && !is_first {
            findings.lost(format!("{topic}: {n} behind {known}"));
        }
        known = n;
    }
    let stored = session.query_value(&format!("SELECT n FROM {}.counter", crate::DATABASE));
    let stored = stored.map_err(|error| error.to_string())?.and_then(|text| text.parse().ok());
    if stored != Some(known) {
        findings.lost(format!("{topic} ends with {known}, the table with {stored:?}"));
    }
    Ok(())
}

/// Every statement is published once, and stored once in the history.
fn check_statements(brokers: &str, prefix: &str, findings: &mut Findings) -> Outcome<()> {
    let mut counts: HashMap<String, [usize; 2]> = HashMap::new();
    for (place, topic) in [prefix.to_owned(), format!("history.{prefix}")].iter().enumerate() {
        for value in values(brokers, topic)?.iter().flatten().flatten() {
            let text = value["ddl"].as_str().unwrap_or_default();
            if text.starts_with("ALTER TABLE") {
                let counts = counts.entry(text.to_owned()).or_default();
                if let Some(count) = counts.get_mut(place) {
                    *count += 1;
                }
            }
        }
    }
    for (text, [published, stored]) in counts {
        match (published, stored) {
            (1, 1) => {}
            (0, _) | (_, 0) => findings.lost(format!("{text}: {published} published, {stored} stored")),
            _ => findings.doubled(format!("{text}: {published} published, {stored} stored")),
        }
    }
    Ok(())
}

/// Every transaction has one BEGIN and one END; the last one may be open.
fn check_boundaries(brokers: &str, prefix: &str, findings: &mut Findings) -> Outcome<()> {
    let topic = format!("{prefix}.transaction");
    let mut seen: HashSet<String> = HashSet::new();
    let mut open: Option<String> = None;
    for value in values(brokers, &topic)?.iter().flatten().flatten() {
        let id = value["id"].as_str().unwrap_or_default().to_owned();
        match value["status"].as_str() {
            Some("BEGIN") => {
                if let Some(open) = open.replace(id.clone()) {
                    findings.lost(format!("{topic}: no END of {open}"));
                }
                if !seen.insert(id.clone()) {
                    findings.doubled(format!("{topic}: BEGIN of {id}"));
                }
            }
            _ => {
                if open.take().as_ref() != Some(&id) {
                    findings.doubled(format!("{topic}: END of {id}"));
                }
            }
        }
    }
    Ok(())
}
