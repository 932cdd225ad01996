//! What the schema-change topic says of each table, from its beginning to now.
//!
//! A table has a list of *descriptions*, in the order of the topic, each with a version. From our own source it is the number of
//! the statement in the order of all changes: a row follows the last description that is not above its own version. That order
//! holds in every partition, so that rows of an older shape may still come after the table was changed. Topics of the real
//! Debezium have no such numbers. There the offset in the topic orders descriptions among themselves, and a row follows the
//! description that has its columns. An offset is below every such number, so that a source may change from Debezium to ours.
//!
//! What is repeated (the topic is written at least once, and each snapshot describes all tables again) adds nothing new. A Debezium
//! that was killed tells its last statements a second time, with tables as they were then: without numbers such a statement is
//! known by its place in the server's log.

use std::collections::{BTreeMap, HashSet};

use crate::sink::apply::record::SchemaRecord;
use crate::sink::record::envelope::RecordError;
use crate::sink::record::schema_change::{LoggedStatement, SchemaChange, TableChange, read_schema_change};
use crate::sink::table::evolution::EvolutionError;
use crate::sink::table::evolution::shape::{Shape, shape_of};
use crate::sink::version::Version;

/// Database and table in MySQL.
pub type SourceName = (String, String);

/// What a table was from some point on.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The number of the statement; in topics of the real Debezium one more than the offset.
    pub version: Version,
    /// Whether it is comparable with the versions of rows.
    pub sequenced: bool,
    /// Columns and key; none where the table was dropped or its columns cannot be mapped.
    pub shape: Option<Shape>,
    /// Why a table that has the description before cannot follow.
    pub breaks: Option<EvolutionError>,
    /// `topic.prefix` of the source.
    pub source: String,
}

/// The descriptions of all tables.
#[derive(Debug, Default)]
pub struct SchemaCatalog {
    tables: BTreeMap<SourceName, Vec<Description>>,
    /// Of the real Debezium.
    statements: HashSet<LoggedStatement>,
}

impl SchemaCatalog {
    /// Takes a record of the topic in, with the version that it has: its sequence, or one more than its offset.
    pub fn learn_record(&mut self, record: SchemaRecord<'_>) -> Result<Vec<SourceName>, RecordError> {
        let sequence = record.sequence.and_then(|bytes| Version::from_sequence_header(bytes).ok());
        let of_offset =
            u64::try_from(record.offset).ok().and_then(|offset| Version::new(offset.saturating_add(1)));
        let version = sequence.or(of_offset).unwrap_or(Version::ZERO);
        self.learn(record.value, version, sequence.is_some())
    }

    /// Takes a record of the topic in. The tables that have a new description.
    pub fn learn(
        &mut self,
        value: Option<&[u8]>,
        version: Version,
        sequenced: bool,
    ) -> Result<Vec<SourceName>, RecordError> {
        let Some(change) = read_schema_change(value)? else { return Ok(Vec::new()) };
        if !sequenced && change.statement().is_some_and(|statement| !self.statements.insert(statement)) {
            return Ok(Vec::new());
        }
        let mut changed = Vec::new();
        for table in &change.table_changes {
            let Some(name) = table.names() else { continue };
            let Some(description) = describe(&change, table) else { continue };
            let description = Description { version, sequenced, ..description };
            let known = self.tables.entry(name.clone()).or_default();
            if known.last().is_none_or(|last| description.follows(last)) {
                known.push(description);
                changed.push(name);
            }
        }
        Ok(changed)
    }

    /// The descriptions of a table, in order.
    pub fn descriptions(&self, name: &SourceName) -> &[Description] {
        self.tables.get(name).map_or(&[], Vec::as_slice)
    }

    /// All tables.
    pub fn tables(&self) -> impl Iterator<Item = &SourceName> {
        self.tables.keys()
    }
}

impl Description {
    /// Whether it says something that the one before does not.
    fn follows(&self, last: &Description) -> bool {
        self.version > last.version
            && (self.sequenced || (&self.shape, &self.breaks) != (&last.shape, &last.breaks))
    }
}

/// What a record says of one table; none when it asks for nothing.
fn describe(change: &SchemaChange, table: &TableChange) -> Option<Description> {
    let (version, sequenced, source) = (Version::ZERO, false, change.source.name.clone());
    match shape_of(change, table) {
        Ok(None) => None,
        Ok(Some(shape)) => Some(Description { version, sequenced, shape: Some(shape), breaks: None, source }),
        Err(error) => {
            // Without the statement's words only the description is left, of which a new table can be made.
            let plain = SchemaChange { ddl: None, ..change.clone() };
            let shape = shape_of(&plain, table).ok().flatten();
            Some(Description { version, sequenced, shape, breaks: Some(error), source })
        }
    }
}

/// The description that a row follows: the last one not above its version, else the first.
pub fn in_force(descriptions: &[Description], version: Version) -> Option<usize> {
    let after = descriptions.partition_point(|known| known.version <= version);
    (!descriptions.is_empty()).then(|| after.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(ddl: &str, kind: &str, columns: &[&str], snapshot: &str) -> Vec<u8> {
        let columns: Vec<_> = columns
            .iter()
            .map(|name| serde_json::json!({"name": name, "typeName": "INT", "optional": false}))
            .collect();
        let table = if kind == "DROP" {
            serde_json::Value::Null
        } else {
            serde_json::json!({"primaryKeyColumnNames": ["id"], "columns": columns})
        };
        serde_json::json!({
            "ddl": ddl,
            "source": {"name": "p", "ts_ms": 5000, "snapshot": snapshot},
            "tableChanges": [{"type": kind, "id": "\"d\".\"t\"", "table": table}],
        })
        .to_string()
        .into_bytes()
    }

    #[test]
    fn a_row_follows_the_description_of_its_version() {
        let mut catalog = SchemaCatalog::default();
        let name = ("d".to_owned(), "t".to_owned());
        let mut learn = |record: &[u8], version| {
            catalog.learn(Some(record), Version::new(version).unwrap(), true).unwrap().len()
        };
        assert_eq!(learn(&record("", "DROP", &[], "true"), 10), 0, "of a snapshot");
        assert_eq!(learn(&record("CREATE TABLE t …", "CREATE", &["id"], "true"), 10), 1);
        let added = record("ALTER TABLE t ADD COLUMN a INT", "ALTER", &["id", "a"], "false");
        assert_eq!(learn(&added, 20), 1);
        assert_eq!(learn(&added, 20), 0, "a second time");
        assert_eq!(learn(&record("RENAME TABLE x TO t", "ALTER", &["id", "a"], "false"), 30), 1);
        assert_eq!(learn(&record("DROP TABLE t", "DROP", &[], "false"), 40), 1);
        let known = catalog.descriptions(&name);
        let at = |version| in_force(known, Version::new(version).unwrap());
        assert_eq!([5, 10, 19, 20, 39, 99].map(at), [0, 0, 0, 1, 2, 3].map(Some));
        let columns: Vec<_> =
            known.iter().map(|known| known.shape.as_ref().map(|shape| shape.columns.len())).collect();
        assert_eq!(columns, [Some(1), Some(2), Some(2), None]);
        let breaks: Vec<_> = known.iter().map(|known| known.breaks.is_some()).collect();
        assert_eq!(breaks, [false, false, true, true]);
        assert_eq!(in_force(&[], Version::new(1).unwrap()), None);
    }

    #[test]
    fn a_statement_that_is_told_again_changes_nothing_back() {
        let told = |ddl: &str, columns: &[&str], place: serde_json::Value| {
            let mut record: serde_json::Value =
                serde_json::from_slice(&record(ddl, "ALTER", columns, "false")).unwrap();
            let source = record["source"].as_object_mut().unwrap();
            source.extend(place.as_object().unwrap().clone());
            record.to_string().into_bytes()
        };
        for (first, second) in [
            (serde_json::json!({"gtid": "u:1"}), serde_json::json!({"gtid": "u:2"})),
            (serde_json::json!({"file": "b.1", "pos": 4}), serde_json::json!({"file": "b.1", "pos": 9})),
        ] {
            let mut catalog = SchemaCatalog::default();
            let records = [
                record("", "CREATE", &["id"], "true"),
                told("ALTER TABLE t ADD COLUMN a INT", &["id", "a"], first),
                told("ALTER TABLE t ADD COLUMN b INT", &["id", "a", "b"], second),
            ];
            let again = [0, 1, 2, 1, 2, 1];
            let news: Vec<usize> = (1..)
                .zip(again)
                .map(|(version, at): (u64, usize)| {
                    catalog.learn(Some(&records[at]), Version::new(version).unwrap(), false).unwrap().len()
                })
                .collect();
            assert_eq!(news, [1, 1, 1, 0, 0, 0]);
        }
    }

    #[test]
    fn without_versions_only_what_is_new_is_added() {
        let mut catalog = SchemaCatalog::default();
        let created = record("CREATE TABLE t …", "CREATE", &["id"], "true");
        let mut learn = |record: Option<&[u8]>, offset: u64| {
            catalog.learn(record, Version::new(offset + 1).unwrap(), false).map(|changed| changed.len())
        };
        assert_eq!([0, 1].map(|offset| learn(Some(&created), offset)), [Ok(1), Ok(0)]);
        assert!(learn(Some(b"{}"), 2).is_err());
        assert_eq!(learn(None, 3), Ok(0));
    }
}
