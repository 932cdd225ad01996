//! What a consumer of the records believes, and what the server has.

use std::collections::BTreeMap;

use serde_json::Value;
use tidewire::source::mysql::Connection;

use crate::Outcome;
use crate::support::records::Record;

/// Rows as `column=value …`, and how often each is there.
pub type Rows = BTreeMap<String, i64>;

/// The rows that records leave, of a table with a record key or without.
pub fn believed(records: &[Record], columns: &[&str], is_key: bool) -> Rows {
    let row = |value: &Value| -> String {
        let cells = columns.iter().map(|column| match &value[column] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        cells.collect::<Vec<_>>().join("\t")
    };
    let mut by_key: BTreeMap<String, String> = BTreeMap::new();
    let mut rows = Rows::new();
    for record in records.iter().filter(|record| !record.value.is_null()) {
        let (before, after) = (&record.value["before"], &record.value["after"]);
        if record.op() == "t" {
            by_key.clear();
            rows.clear();
        } else if is_key {
            let key = record.key.to_string();
            if after.is_null() {
                by_key.remove(&key);
            } else {
                by_key.insert(key, row(after));
            }
        } else {
            if !before.is_null() {
                *rows.entry(row(before)).or_default() -= 1;
            }
            if !after.is_null() {
                *rows.entry(row(after)).or_default() += 1;
            }
        }
    }
    for row in by_key.into_values() {
        *rows.entry(row).or_default() += 1;
    }
    rows.retain(|_, count| *count != 0);
    rows
}

/// The rows of a table.
pub fn stored(session: &mut Connection, table: &str, columns: &[&str]) -> Outcome<Rows> {
    let found = session
        .query(&format!("SELECT {} FROM {table}", columns.join(", ")))
        .map_err(|error| error.to_string())?;
    let mut rows = Rows::new();
    for row in found.rows {
        let cells: Vec<String> = row.into_iter().map(|cell| cell.unwrap_or_else(|| "null".into())).collect();
        *rows.entry(cells.join("\t")).or_default() += 1;
    }
    Ok(rows)
}

/// What differs, a line each. When the snapshot began `again`, there may be rows that were deleted in between.
pub fn differences(table: &str, believed: &Rows, stored: &Rows, again: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for row in believed.keys().chain(stored.keys().filter(|row| !believed.contains_key(*row))) {
        let count = |rows: &Rows| rows.get(row).copied().unwrap_or_default();
        if count(believed) < count(stored) || (count(believed) > count(stored) && !again) {
            lines.push(format!("{table}: {row:?}: {} times, stored {}", count(believed), count(stored)));
        }
    }
    lines
}
