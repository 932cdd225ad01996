//! Key and value of a data record.
//!
//! A part of a record is `{"schema":…,"payload":…}` or the payload alone; Debezium's own members never are just these two.
//! A value's payload is the envelope: the operation, the source block, which is read in the same walk, and the rows before and
//! after, which stay slices until an encoder walks them. A null value is a tombstone: nothing is done for it, since the deletion came before. A schema is handed out as text:
//! whoever keeps the last one sees by comparing whether it has to be read at all.
//!
//! Records without an envelope (ExtractNewRecordState) are refused: they do not say what happened.

use std::borrow::Cow;

use crate::connect::schema::Schema;
use crate::converter::json::schema_reader::{SchemaError, read_schema};
use crate::error::{Classify, ErrorClass};
use crate::event::operation::Operation;
use crate::sink::record::scanner::{Json, Members, ScanError, Scanner, utf8};

/// A record's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordValue<'a> {
    /// Null.
    Tombstone,
    /// A change of a row.
    Row(RowChange<'a>),
    /// The table was emptied.
    Truncate(SourceFields<'a>),
}

/// A change of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowChange<'a> {
    /// What happened; never a truncate.
    pub operation: Operation,
    /// The row before: an object.
    pub before: Option<&'a str>,
    /// The row after: an object. There is one unless it was a deletion.
    pub after: Option<&'a str>,
    /// Where it stood in the log.
    pub source: SourceFields<'a>,
    /// The schema of the value, if it came with one.
    pub schema: Option<&'a str>,
}

/// A record's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordKey<'a> {
    /// The columns of the key: an object.
    pub columns: &'a str,
    /// The schema of the key, if it came with one.
    pub schema: Option<&'a str>,
}

/// What the sink reads of a source block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFields<'a> {
    /// `name`: `topic.prefix`.
    pub name: Cow<'a, str>,
    /// `db`.
    pub database: Cow<'a, str>,
    /// `table`; empty where there is none.
    pub table: Cow<'a, str>,
    /// `ts_ms`: when the change was made, in ms since 1970.
    pub ts_ms: Option<i64>,
    /// Whether a snapshot read it (`snapshot` is anything but `false`).
    pub snapshot: bool,
    /// Whether it is the last row of a snapshot, or of one table of it (`last`, `last_in_data_collection`).
    pub last_of_table: bool,
    /// Whether it is the first one (`first`, `first_in_data_collection`). One that is the last, too, does not say so.
    pub first_of_table: bool,
    /// Whether an incremental snapshot read it (`incremental`).
    pub incremental: bool,
}

/// Why a record cannot be read. Whether its table stops or the record is put aside is for its owner to say; nothing of the
/// record's content is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The bytes are no JSON.
    #[error("the {part} of the record cannot be read")]
    Json {
        /// `key` or `value`.
        part: &'static str,
        /// Where.
        source: ScanError,
    },
    /// A key that is no object.
    #[error("the key of the record is no struct")]
    Key,
    /// A value without Debezium's envelope.
    #[error("the value of the record has no envelope: {missing} is missing")]
    NoEnvelope {
        /// The member that is missing.
        missing: &'static str,
    },
    /// A member of the envelope has another type than it must.
    #[error("the member {member} of the record has another type than it must")]
    Member {
        /// The member.
        member: &'static str,
    },
    /// An operation that MySQL does not have.
    #[error("the record has an unknown operation")]
    Operation,
    /// An insert or update without the row.
    #[error("the record has no row after the change")]
    NoRowAfter,
    /// The schema cannot be read.
    #[error("the schema of the record cannot be read")]
    Schema {
        /// Why; none when it is no JSON.
        source: Option<SchemaError>,
    },
}

impl Classify for RecordError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            RecordError::NoEnvelope { .. } => Some(
                "take the transform ExtractNewRecordState off the source: a record without its envelope does not say \
                 whether a row was deleted"
                    .to_owned(),
            ),
            RecordError::Json { .. } => Some(
                "set key.converter and value.converter as the source does; only JsonConverter is read".to_owned(),
            ),
            _ => None,
        }
    }
}

/// Reads a key; none for a record without one.
pub fn read_key(bytes: Option<&[u8]>) -> Result<Option<RecordKey<'_>>, RecordError> {
    let Some(bytes) = bytes else { return Ok(None) };
    let of_key = |source| RecordError::Json { part: "key", source };
    let (schema, payload) = parts(Scanner::only_value(bytes).map_err(of_key)?).map_err(of_key)?;
    match payload {
        Json::Null => Ok(None),
        Json::Object(columns) => Ok(Some(RecordKey { columns, schema })),
        _ => Err(RecordError::Key),
    }
}

/// Reads a value. A payload alone is walked once; behind a schema it is found first and walked then.
pub fn read_value(bytes: Option<&[u8]>) -> Result<RecordValue<'_>, RecordError> {
    let Some(bytes) = bytes else { return Ok(RecordValue::Tombstone) };
    let of_value = |source| RecordError::Json { part: "value", source };
    let text = utf8(bytes).map_err(of_value)?;
    if !text.trim_start().starts_with('{') {
        return match Scanner::only_value(bytes).map_err(of_value)? {
            Json::Null => Ok(RecordValue::Tombstone),
            _ => Err(RecordError::NoEnvelope { missing: "op" }),
        };
    }
    let outer = EnvelopeMembers::walk(text).map_err(of_value)?;
    match (outer.operation, outer.schema, outer.payload) {
        (None, Some(Json::Object(_)), Some(Json::Null)) => Ok(RecordValue::Tombstone),
        (None, Some(Json::Object(schema)), Some(Json::Object(payload))) => {
            EnvelopeMembers::walk(payload).map_err(of_value)?.value(Some(schema))
        }
        _ => outer.value(None),
    }
}

/// A member of an envelope, or of the parts around one.
#[derive(Clone, Copy)]
enum Part {
    Schema,
    Payload,
    Before,
    After,
    Source,
    Operation,
    Other,
}

/// In Debezium's order.
const PARTS: [(&str, Part); 7] = [
    (r#""before":"#, Part::Before),
    (r#""after":"#, Part::After),
    (r#""source":"#, Part::Source),
    (r#""transaction":"#, Part::Other),
    (r#""op":"#, Part::Operation),
    (r#""schema":"#, Part::Schema),
    (r#""payload":"#, Part::Payload),
];

/// A field of the source block.
#[derive(Clone, Copy)]
enum Field {
    Name,
    Database,
    Table,
    Snapshot,
    Time,
    Other,
}

/// In Debezium's order, up to the last that is wanted.
const FIELDS: [(&str, Field); 10] = [
    (r#""version":"#, Field::Other),
    (r#""connector":"#, Field::Other),
    (r#""name":"#, Field::Name),
    (r#""ts_ms":"#, Field::Time),
    (r#""snapshot":"#, Field::Snapshot),
    (r#""db":"#, Field::Database),
    (r#""sequence":"#, Field::Other),
    (r#""ts_us":"#, Field::Other),
    (r#""ts_ns":"#, Field::Other),
    (r#""table":"#, Field::Table),
];
/// Fields that are wanted.
const WANTED: usize = 5;

/// The members of an envelope, or of the parts around one.
#[derive(Default)]
struct EnvelopeMembers<'a> {
    schema: Option<Json<'a>>,
    payload: Option<Json<'a>>,
    operation: Option<Json<'a>>,
    before: Option<Json<'a>>,
    after: Option<Json<'a>>,
    /// The fields; none of what is no object.
    source: Option<Option<SourceFields<'a>>>,
}

impl<'a> EnvelopeMembers<'a> {
    fn walk(object: &'a str) -> Result<Self, ScanError> {
        let mut found = EnvelopeMembers::default();
        let (mut members, mut guess) = (Members::of(object)?, 0);
        // What Debezium prints behind the operation nobody looks at.
        while !found.is_whole()
            && let Some(part) = members.next_of(&PARTS, &mut guess)?
        {
            if matches!(part, Some(Part::Source))
                && let Some(mut block) = members.enter()
            {
                found.source = Some(Some(SourceFields::read(&mut block)?));
                members.leave(block)?;
                continue;
            }
            let value = members.value()?;
            match part {
                Some(Part::Schema) => found.schema = Some(value),
                Some(Part::Payload) => found.payload = Some(value),
                Some(Part::Before) => found.before = Some(value),
                Some(Part::After) => found.after = Some(value),
                Some(Part::Operation) => found.operation = Some(value),
                Some(Part::Source) => found.source = Some(None),
                Some(Part::Other) | None => {}
            }
        }
        members.pass_over()?;
        Ok(found)
    }

    /// Whether all members of an envelope are there.
    fn is_whole(&self) -> bool {
        self.operation.is_some() && self.source.is_some() && self.before.is_some() && self.after.is_some()
    }

    fn value(self, schema: Option<&'a str>) -> Result<RecordValue<'a>, RecordError> {
        let missing = |missing| RecordError::NoEnvelope { missing };
        let operation = match self.operation.ok_or_else(|| missing("op"))? {
            Json::String(text) => text.plain().and_then(operation_of).ok_or(RecordError::Operation)?,
            _ => return Err(RecordError::Member { member: "op" }),
        };
        let source = self.source.ok_or_else(|| missing("source"))?;
        let source = source.ok_or(RecordError::Member { member: "source" })?;
        if operation == Operation::Truncate {
            return Ok(RecordValue::Truncate(source));
        }
        let (before, after) = (row(self.before, "before")?, row(self.after, "after")?);
        if operation != Operation::Delete && after.is_none() {
            return Err(RecordError::NoRowAfter);
        }
        Ok(RecordValue::Row(RowChange { operation, before, after, source, schema }))
    }
}

/// A row, where there is one.
fn row<'a>(value: Option<Json<'a>>, member: &'static str) -> Result<Option<&'a str>, RecordError> {
    match value {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Object(row)) => Ok(Some(row)),
        Some(_) => Err(RecordError::Member { member }),
    }
}

fn operation_of(code: &str) -> Option<Operation> {
    use Operation::{Create, Delete, Read, Truncate, Update};
    [Create, Update, Delete, Read, Truncate].into_iter().find(|operation| operation.code() == code)
}

/// Schema and payload of a part.
pub(in crate::sink) fn parts(json: Json<'_>) -> Result<(Option<&str>, Json<'_>), ScanError> {
    let Json::Object(object) = json else { return Ok((None, json)) };
    let mut members = Members::of(object)?;
    // Connect prints the schema first.
    if !members.next_name()?.is_some_and(|first| first.is("schema")) {
        return Ok((None, json));
    }
    let Json::Object(schema) = members.value()? else { return Ok((None, json)) };
    match (members.next_member()?, members.next_member()?) {
        (Some((second, payload)), None) if second.is("payload") => Ok((Some(schema), payload)),
        _ => Ok((None, json)),
    }
}

/// The schema of the row, out of the text of a value's schema.
pub fn row_schema(schema: &str) -> Result<Schema, RecordError> {
    let json: serde_json::Value =
        serde_json::from_str(schema).map_err(|_| RecordError::Schema { source: None })?;
    let schema = read_schema(&json).map_err(|source| RecordError::Schema { source: Some(source) })?;
    let after = schema.fields.iter().find(|field| field.name == "after");
    match after {
        Some(after) => Ok((*after.schema).clone()),
        None => Err(RecordError::NoEnvelope { missing: "after" }),
    }
}

impl<'a> SourceFields<'a> {
    /// Reads the fields that the sink uses, and no further than to the last of them.
    fn read(members: &mut Members<'a>) -> Result<Self, ScanError> {
        let mut fields = SourceFields::default();
        let (mut missing, mut guess) = (WANTED, 0);
        while missing > 0
            && let Some(field) = members.next_of(&FIELDS, &mut guess)?
        {
            match (field, members.value()?) {
                (Some(Field::Name), Json::String(text)) => fields.name = text.to_cow(),
                (Some(Field::Database), Json::String(text)) => fields.database = text.to_cow(),
                (Some(Field::Table), Json::String(text)) => fields.table = text.to_cow(),
                (Some(Field::Snapshot), Json::String(text)) => {
                    fields.snapshot = !text.is("false");
                    fields.last_of_table = text.is("last") || text.is("last_in_data_collection");
                    fields.first_of_table = text.is("first") || text.is("first_in_data_collection");
                    fields.incremental = text.is("incremental");
                }
                (Some(Field::Snapshot), Json::Boolean(flag)) => fields.snapshot = flag,
                (Some(Field::Time), Json::Number(digits)) => fields.ts_ms = digits.parse().ok(),
                _ => continue,
            }
            missing -= 1;
        }
        Ok(fields)
    }
}

#[cfg(test)]
mod tests;
