//! What records say of the source, and which tables they are of.
//!
//! Of each topic some of the oldest and of the newest records are given. Whoever wrote them is known only by them: whether they have
//! Debezium's envelope, a key, a schema, the number of our own source; and whether types come in the forms that the sink expects
//! (`handling`). A table that the schema-change topic describes is compared with that, since only there MySQL's own types stand.

use std::collections::BTreeMap;

use crate::config::sink::SinkConfig;
use crate::config::sink::modes::KeylessMode;
use crate::connect::schema::Schema;
use crate::error::Classify;
use crate::event::operation::Operation;
use crate::sink::apply::catalog::{SchemaCatalog, SourceName};
use crate::sink::apply::record::OwnedRecord;
use crate::sink::apply::shapes::{key_columns, names, shape_of_schema};
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::preflight::handling::{Differs, PLACEHOLDER, by_schema, by_value, is_placeholder};
use crate::sink::preflight::tables::ComingTable;
use crate::sink::record::envelope::{RecordError, RecordValue, parts, read_key, read_value, row_schema};
use crate::sink::record::scanner::{Json, Members, ScanError, Scanner};
use crate::sink::table::evolution::shape::Shape;
use crate::sink::table::mapping::{MappingError, SourceColumn};
use crate::sink::version::Version;

/// Some records of a topic.
#[derive(Clone, Debug, Default)]
pub struct TopicSample {
    /// The topic.
    pub topic: String,
    /// Its partitions.
    pub partitions: usize,
    /// The records: of each partition the oldest first.
    pub records: Vec<OwnedRecord>,
}

/// What was found in the records of a topic.
#[derive(Debug, Default)]
pub struct Judged {
    /// What is not as it has to be.
    pub findings: Vec<Finding>,
    /// The tables of its rows.
    pub tables: Vec<ComingTable>,
}

/// What the rows of one table have shown.
struct Seen {
    coming: ComingTable,
    key: Option<Vec<String>>,
    without_key: bool,
    sequenced: bool,
    with_schema: bool,
    with_source_types: bool,
    /// A record schema that stands for no type of MySQL's.
    unmapped: Option<MappingError>,
    partial_before: bool,
    /// Columns whose values were left out.
    left_out: Vec<String>,
    /// The same with a placeholder that the sink does not know.
    unknown_placeholder: Vec<String>,
    differs: BTreeMap<Differs, Vec<String>>,
}

/// Judges the records of a topic.
pub fn judge(sample: &TopicSample, catalog: &SchemaCatalog, config: &SinkConfig) -> Judged {
    let what = format!("topic {}", sample.topic);
    let mut judged = Judged::default();
    let mut seen: BTreeMap<SourceName, Seen> = BTreeMap::new();
    let mut told: Vec<String> = Vec::new();
    for record in &sample.records {
        if let Err(error) = look(&sample.topic, record, catalog, config, &mut seen) {
            let found = unreadable(&what, record, &error);
            if !told.contains(&found.actual) {
                told.push(found.actual.clone());
                judged.findings.push(found);
            }
        }
    }
    for (name, seen) in seen {
        let described = catalog.descriptions(&name).iter().rev().find_map(|known| known.shape.as_ref());
        let types = Types { described, are_told: catalog.tables().next().is_some() };
        judge_table(&what, sample, &seen, types, config, &mut judged.findings);
        judged.tables.push(seen.coming);
    }
    judged
}

/// Takes a record in.
fn look(
    topic: &str,
    record: &OwnedRecord,
    catalog: &SchemaCatalog,
    config: &SinkConfig,
    seen: &mut BTreeMap<SourceName, Seen>,
) -> Result<(), RecordError> {
    let RecordValue::Row(change) = read_value(record.value.as_deref())? else { return Ok(()) };
    let key = read_key(record.key.as_deref())?;
    let fields = &change.source;
    let of_value = |source| RecordError::Json { part: "value", source };
    let of_key = |source| RecordError::Json { part: "key", source };
    let name = (fields.database.to_string(), fields.table.to_string());
    let image = change.after.or(change.before).unwrap_or("{}");
    let schema = change.schema.map(row_schema).transpose()?;
    let key_names = key_columns(key).map_err(of_key)?;
    let table = match seen.entry(name.clone()) {
        std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
        std::collections::btree_map::Entry::Vacant(new) => {
            let seconds = fields.ts_ms.map_or(0, |ms| ms.div_euclid(1000));
            let seconds = u32::try_from(seconds).unwrap_or_default();
            let shape = schema.as_ref().map(|row| shape_of_schema(row, key_names.clone(), seconds));
            let (shape, unmapped) = match shape.transpose() {
                Ok(shape) => (shape, None),
                Err(error) => (None, Some(error)),
            };
            new.insert(Seen {
                coming: ComingTable {
                    name: name.clone(),
                    source: fields.name.to_string(),
                    shape,
                    columns: names(image).map_err(of_value)?,
                    topic: topic.to_owned(),
                    life: None,
                    version: record
                        .sequence
                        .as_deref()
                        .and_then(|bytes| Version::from_sequence_header(bytes).ok()),
                },
                key: None,
                without_key: false,
                sequenced: true,
                with_schema: false,
                with_source_types: false,
                unmapped,
                partial_before: false,
                left_out: Vec::new(),
                unknown_placeholder: Vec::new(),
                differs: BTreeMap::new(),
            })
        }
    };
    table.sequenced &= record.sequence.is_some();
    match key {
        None => table.without_key = true,
        Some(_) => table.key = Some(key_names),
    }
    if change.operation == Operation::Update {
        let before = change.before.map(names).transpose().map_err(of_value)?;
        let after = change.after.map(names).transpose().map_err(of_value)?.unwrap_or_default();
        table.partial_before |= before.is_none_or(|before| before.len() < after.len());
    }
    table.with_schema |= schema.is_some();
    let described = catalog.descriptions(&name).iter().rev().find_map(|known| known.shape.as_ref());
    for image in [change.before, change.after].into_iter().flatten() {
        table.look_at_values(image, schema.as_ref(), described, config).map_err(of_value)?;
    }
    Ok(())
}

impl Seen {
    fn look_at_values(
        &mut self,
        image: &str,
        schema: Option<&Schema>,
        described: Option<&Shape>,
        config: &SinkConfig,
    ) -> Result<(), ScanError> {
        let of_schema = self.coming.shape.clone();
        let exact = |name: &str| -> Option<SourceColumn> {
            let described = described.and_then(|shape| column(shape, name));
            described.or_else(|| column(of_schema.as_ref()?, name)).filter(|column| column.exact).cloned()
        };
        let mut members = Members::of(image)?;
        while let Some((name, value)) = members.next_member()? {
            let name = name.to_cow();
            let placeholder = &mut if is_placeholder(value, &config.unavailable_placeholder) {
                Some(&mut self.left_out)
            } else if is_placeholder(value, PLACEHOLDER) {
                Some(&mut self.unknown_placeholder)
            } else {
                None
            };
            if let Some(columns) = placeholder {
                if !columns.iter().any(|known| *known == *name) {
                    columns.push(name.to_string());
                }
                continue;
            }
            let source = exact(&name).map(|column| column.source_type);
            let field =
                schema.and_then(|row| row.fields.iter().find(|field| field.name == *name)).map(|f| &f.schema);
            let differs = match (field, &source) {
                (Some(field), source) => {
                    self.with_source_types |= field
                        .parameters
                        .iter()
                        .any(|(name, _)| name.starts_with("__debezium.source.column."));
                    by_schema(field, source.as_ref())
                }
                (None, Some(source)) => by_value(value, source, config.handling),
                (None, None) => None,
            };
            if let Some(differs) = differs {
                let columns = self.differs.entry(differs).or_default();
                if !columns.iter().any(|known| *known == *name) {
                    columns.push(name.to_string());
                }
            }
        }
        Ok(())
    }
}

fn column<'a>(shape: &'a Shape, name: &str) -> Option<&'a SourceColumn> {
    shape.columns.iter().find(|column| column.name == name)
}

/// What the schema-change topic says.
#[derive(Clone, Copy)]
struct Types<'a> {
    /// Of the table.
    described: Option<&'a Shape>,
    /// Whether it says anything at all: what is wrong with the topic itself is told once.
    are_told: bool,
}

/// All that is to be said of one table.
fn judge_table(
    what: &str,
    sample: &TopicSample,
    seen: &Seen,
    types: Types<'_>,
    config: &SinkConfig,
    found: &mut Vec<Finding>,
) {
    let described = types.described;
    let table = format!("{}.{}", seen.coming.name.0, seen.coming.name.1);
    let mut add = |severity, expected: &str, actual: String, remedy: &str| {
        found.push(Finding::new(severity, what, expected, actual, remedy));
    };
    if seen.without_key {
        let by_hash = config.tables.keyless == KeylessMode::RowHash && seen.sequenced;
        if sample.partitions > 1 && !by_hash {
            add(
                Severity::Error,
                "a key in every record, so that the changes of a row are in one partition",
                format!("records of {table} without a key, in a topic of {} partitions", sample.partitions),
                "give the table a primary key, name columns in the source's message.key.columns, or write a new snapshot into a \
                 topic with one partition",
            );
        } else if described.is_some_and(|shape| !shape.key.is_empty()) {
            add(
                Severity::Error,
                "the table's primary key as the key of every record",
                format!("records of {table} without a key"),
                "take off what removes the keys at the source (a transform, or message.key.columns)",
            );
        }
    }
    if let (Some(key), Some(shape)) = (&seen.key, described)
        && !shape.key.is_empty()
        && !same_names(key, &shape.key)
    {
        let severity = if seen.sequenced { Severity::Warning } else { Severity::Error };
        add(
            severity,
            "the table's primary key as the key of its records",
            format!("{table} has the key {}, its records {}", shape.key.join(", "), key.join(", ")),
            "take message.key.columns off the source, unless its columns tell rows apart as well",
        );
    }
    if !seen.with_schema && described.is_none() {
        add(
            Severity::Error,
            "types: schemas in the records, or a schema-change topic that describes the table",
            format!("records of {table} have neither"),
            "set schema.changes.topic to the source's topic.prefix (include.schema.changes=true there), or \
             value.converter.schemas.enable=true at the source",
        );
    } else if described.is_none() && types.are_told && !seen.with_source_types {
        add(
            Severity::Warning,
            "MySQL's own types, from the schema-change topic or column.propagate.source.type",
            format!(
                "of {table} only what the record schemas stand for is known: the widest types, and added columns"
            ),
            "set schema.changes.topic to the source's topic.prefix, or column.propagate.source.type=.* at the source",
        );
    }
    if let Some(error) = seen.unmapped.as_ref().filter(|_| described.is_none()) {
        let actual = format!("{table}: {error}");
        add(
            Severity::Error,
            "record schemas that stand for types of MySQL",
            actual,
            "set schema.changes.topic to the source's topic.prefix, or take off the converter or transform that makes the field",
        );
    }
    let is_moved = config.tables.order_by(&table).is_some() || config.tables.partition_by(&table).is_some();
    if seen.partial_before && is_moved {
        add(
            Severity::Error,
            "the whole row before each change, for table.order.by and table.partition.by",
            format!("updates of {table} without it"),
            "set binlog_row_image=FULL at MySQL, or leave the table out of table.order.by and table.partition.by",
        );
    }
    if !seen.left_out.is_empty() {
        // The row before is found by its key.
        let severity = if seen.without_key { Severity::Error } else { Severity::Warning };
        add(
            severity,
            "the value of every column, as binlog_row_image=FULL gives it",
            format!(
                "values of {table} are left out, and are looked up in the row before: {}",
                seen.left_out.join(", ")
            ),
            "set binlog_row_image=FULL at MySQL; until then drop no table here, as a row without one before it stops its table",
        );
    }
    if !seen.unknown_placeholder.is_empty() {
        add(
            Severity::Error,
            "unavailable.value.placeholder as the source has it",
            format!(
                "__debezium_unavailable_value in columns of {table}, which would be taken for a value: {}",
                seen.unknown_placeholder.join(", ")
            ),
            "take unavailable.value.placeholder off the connector, or set it to that of the source",
        );
    }
    for (differs, columns) in &seen.differs {
        let Differs { property, value, effect, .. } = differs;
        let (expected, remedy) = if differs.settable {
            (
                format!("{property} as the source has it"),
                format!(
                    "set {property}={value} on this connector, or leave it at its default at the source and write a new snapshot"
                ),
            )
        } else {
            (
                format!("another {property} at the source"),
                format!("leave {property} at its default at the source, and write a new snapshot"),
            )
        };
        let actual = format!("{value} in columns of {table}: {}; {effect}", columns.join(", "));
        add(differs.severity, &expected, actual, &remedy);
    }
}

fn same_names(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().all(|name| other.contains(name))
}

/// Why a record cannot be read, as far as its form tells.
fn unreadable(what: &str, record: &OwnedRecord, error: &RecordError) -> Finding {
    let expected = "records of Debezium, as JsonConverter writes them";
    let of_registry = |bytes: &Option<Vec<u8>>| bytes.as_ref().is_some_and(|bytes| bytes.first() == Some(&0));
    match error {
        RecordError::Json { part, .. }
            if of_registry(if *part == "key" { &record.key } else { &record.value }) =>
        {
            Finding::new(
                Severity::Error,
                what,
                expected,
                format!("a {part} that begins with a zero byte: Avro, Protobuf or JSON of a schema registry"),
                format!(
                    "set {part}.converter=org.apache.kafka.connect.json.JsonConverter at the source, and write a new snapshot"
                ),
            )
        }
        RecordError::NoEnvelope { .. } => {
            let deletes = record.value.as_deref().and_then(flattened);
            let actual = match deletes {
                Some(true) => "rows without an envelope (ExtractNewRecordState), with __deleted",
                Some(false) => {
                    "rows without an envelope (ExtractNewRecordState), which do not even say what was deleted"
                }
                None => "values without an envelope",
            };
            let remedy = error.remedy().unwrap_or_default();
            Finding::new(Severity::Error, what, expected, actual, remedy)
        }
        _ => Finding::of_error(what, expected, error, "leave the topic out, or correct what writes it"),
    }
}

/// Of a value that is an object: whether it says that its row was deleted.
fn flattened(bytes: &[u8]) -> Option<bool> {
    let (_, payload) = parts(Scanner::only_value(bytes).ok()?).ok()?;
    let Json::Object(row) = payload else { return None };
    let names = names(row).ok()?;
    Some(names.iter().any(|name| name == "__deleted" || name == "__op"))
}

#[cfg(test)]
mod tests;
