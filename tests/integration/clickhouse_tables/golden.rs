//! The records of the golden scenarios, and what they say of tables.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tidewire::config::sink::modes::KeylessMode;
use tidewire::sink::clickhouse::client::Client;
use tidewire::sink::clickhouse::system_tables;
use tidewire::sink::record::schema_change::{SchemaChange, read_schema_change};
use tidewire::sink::table::adoption::ExistingTable;
use tidewire::sink::table::definition::TableOptions;
use tidewire::sink::table::mapping::MappingOptions;

/// A record as the broker had it.
pub struct Record {
    pub topic: String,
    pub offset: i64,
    pub key: Option<String>,
    pub value: Option<String>,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/corpus")
}

/// The names of the scenarios whose names begin so.
pub fn scenarios(begin: &str) -> Vec<String> {
    let folders = fs::read_dir(corpus()).expect("the corpus");
    let names = folders.map(|folder| folder.expect("a scenario").file_name().into_string().expect("a name"));
    let mut names: Vec<String> = names.filter(|name| name.starts_with(begin)).collect();
    names.sort();
    assert!(!names.is_empty(), "no scenarios {begin}");
    names
}

/// All records of a scenario, in the order of their offsets; none of a scenario that published nothing.
pub fn records(scenario: &str) -> Vec<Record> {
    let Ok(text) = fs::read_to_string(corpus().join(scenario).join("records.jsonl")) else {
        return Vec::new();
    };
    // Some scenarios keep the exact text, others what it says.
    let part = |part: &Value| match part {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of json"));
    let records = lines.map(|record| Record {
        topic: record["topic"].as_str().expect("a topic").to_owned(),
        offset: record["offset"].as_i64().expect("an offset"),
        key: part(&record["key"]),
        value: part(&record["value"]),
    });
    records.collect()
}

/// The schema changes of a scenario.
pub fn schema_changes(scenario: &str) -> Vec<SchemaChange> {
    let values = records(scenario).into_iter().filter_map(|record| record.value);
    let changes = values.filter(|value| value.contains("\"tableChanges\":"));
    changes
        .map(|value| read_schema_change(Some(value.as_bytes())).expect("a schema change").expect("a value"))
        .collect()
}

/// As the server of the tests is.
pub fn mapping() -> MappingOptions {
    MappingOptions { has_time64: true, ..MappingOptions::default() }
}

/// Tables without a key are kept, too.
pub fn options() -> TableOptions {
    TableOptions {
        synced_at: true,
        deduplication_window: 100,
        keyless: KeylessMode::Append,
        ..TableOptions::default()
    }
}

/// A table as the server has it now.
pub fn existing(client: &Client, database: &str, table: &str) -> ExistingTable {
    let found = system_tables::table(client, database, table).expect("an answer");
    ExistingTable::from(&found.unwrap_or_else(|| panic!("no table {database}.{table}")))
}
