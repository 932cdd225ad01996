//! Descriptions of tables outlive their topic's retention.
//!
//! A broker deletes records after a week unless it is told otherwise, also those of the schema-change topic. A table that was not
//! altered for so long would have no description any more after a restart, and its rows no types. So the last record about each
//! table is kept in `_tidewire.state` when it is read, and taken in before the topic is, if the topic does not have it any more.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sink::apply::applier::Applier;
use crate::sink::apply::catalog::SourceName;
use crate::sink::apply::error::ApplyError;
use crate::sink::apply::ledger::Kind;
use crate::sink::apply::record::{RecordStore, SchemaRecord};

/// The last record about a table, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptRecord {
    offset: i64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    sequence: Option<Vec<u8>>,
    /// Text of JSON, which each such record is.
    value: String,
}

/// The last records about the tables that were learned, until they are stored.
#[derive(Debug, Default)]
pub struct LastRecords {
    records: BTreeMap<SourceName, KeptRecord>,
    are_restored: bool,
}

impl LastRecords {
    /// A record told something new about these tables.
    pub fn note(&mut self, record: SchemaRecord<'_>, tables: &[SourceName]) {
        let Some(value) = record.value.and_then(|value| std::str::from_utf8(value).ok()) else { return };
        for table in tables {
            let kept = KeptRecord {
                offset: record.offset,
                sequence: record.sequence.map(<[u8]>::to_vec),
                value: value.to_owned(),
            };
            self.records.insert(table.clone(), kept);
        }
    }
}

fn line_name(topic: &str, (database, table): &SourceName) -> String {
    format!("{topic} {database}.{table}")
}

impl Applier {
    /// Takes in what the topic has lost, once for each attempt.
    pub(super) fn restore_descriptions(&mut self, records: &mut dyn RecordStore) -> Result<(), ApplyError> {
        let Some(topic) = self.config.schema_changes_topic.clone() else { return Ok(()) };
        if std::mem::replace(&mut self.last_records.are_restored, true) {
            return Ok(());
        }
        let begin = records.schema_changes_begin().map_err(ApplyError::Records)?;
        let prefix = format!("{topic} ");
        let mut kept: Vec<KeptRecord> = self
            .ledger
            .all(Kind::Description)
            .filter(|(name, _)| name.starts_with(&prefix))
            .filter_map(|(_, value)| serde_json::from_str(value).ok())
            .filter(|kept: &KeptRecord| kept.offset < begin)
            .collect();
        kept.sort_by_key(|kept| kept.offset);
        for KeptRecord { offset, sequence, value } in &kept {
            let record = SchemaRecord {
                offset: *offset,
                value: Some(value.as_bytes()),
                sequence: sequence.as_deref(),
            };
            self.learn(record)?;
        }
        Ok(())
    }

    /// Keeps the last record about each table that has learned something.
    pub(super) fn keep_descriptions(&mut self) -> Result<(), ApplyError> {
        let Some(topic) = &self.config.schema_changes_topic else { return Ok(()) };
        let mut lines = Vec::new();
        for (table, record) in std::mem::take(&mut self.last_records.records) {
            let name = line_name(topic, &table);
            let Ok(line) = serde_json::to_string(&record) else { continue };
            if self.ledger.get(Kind::Description, &name) != Some(line.as_str()) {
                lines.push((name, line));
            }
        }
        self.ledger.set_all(&self.server, Kind::Description, lines).map_err(ApplyError::Server)
    }
}
