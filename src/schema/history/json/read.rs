//! A stored history record, read in one pass.
//!
//! A record is some ten kilobytes, nearly all of them the columns of a table, and a history holds thousands of them: the
//! members go from the text straight into the [`Column`]s that are kept, without a tree of values in between. Members
//! that are not known are passed over; null is the same as missing; numbers that do not fit, such as a length above 2^31,
//! are unset. A record that lacks what it must have is refused as a whole.
//!
//! Most versions of a table only live until the next one. [`outline`] keeps of the columns what a later statement may ask
//! for (names, types and NULL: keys depend on them) and checks the rest: it refuses what [`record`] refuses.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::schema::column::Column;
use crate::schema::history::HistoryError;
use crate::schema::history::record::HistoryRecord;
use crate::schema::table::Table;
use crate::schema::table_change::{TableChange, TableChangeType};
use crate::schema::table_id::TableId;

/// Reads a record in either of its forms.
pub(crate) fn record(text: &str) -> Result<HistoryRecord, HistoryError> {
    read::<true>(text)
}

/// The same without what columns have besides name, type and NULL.
pub(crate) fn outline(text: &str) -> Result<HistoryRecord, HistoryError> {
    read::<false>(text)
}

fn read<const WHOLE: bool>(text: &str) -> Result<HistoryRecord, HistoryError> {
    let stored: StoredRecord<WHOLE> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() { HistoryError::Shape(error) } else { HistoryError::Json(error) }
    })?;
    let changes = stored.table_changes.unwrap_or_default();
    Ok(HistoryRecord {
        source: stored.source.ok_or(HistoryError::Member("source"))?,
        position: stored.position.ok_or(HistoryError::Member("position"))?,
        ts_ms: stored.ts_ms,
        database_name: stored.database_name,
        schema_name: stored.schema_name,
        ddl: stored.ddl,
        table_changes: changes.into_iter().map(StoredChange::into_change).collect::<Result<_, _>>()?,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredRecord<const WHOLE: bool> {
    source: Option<Map<String, Value>>,
    position: Option<Map<String, Value>>,
    #[serde(rename = "ts_ms")]
    ts_ms: Option<i64>,
    database_name: Option<String>,
    schema_name: Option<String>,
    ddl: Option<String>,
    table_changes: Option<Vec<StoredChange<WHOLE>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredChange<const WHOLE: bool> {
    #[serde(rename = "type")]
    kind: Option<String>,
    id: Option<String>,
    previous_id: Option<String>,
    table: Option<StoredTable<WHOLE>>,
    comment: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredTable<const WHOLE: bool> {
    default_charset_name: Option<String>,
    primary_key_column_names: Option<Vec<String>>,
    columns: Option<StoredColumns<WHOLE>>,
}

impl<const WHOLE: bool> StoredChange<WHOLE> {
    fn into_change(self) -> Result<TableChange, HistoryError> {
        let kind = match self.kind.as_deref() {
            Some("CREATE") => TableChangeType::Create,
            Some("ALTER") => TableChangeType::Alter,
            Some("DROP") => TableChangeType::Drop,
            _ => return Err(HistoryError::Member("type")),
        };
        let id = self.id.as_deref().and_then(table_id).ok_or(HistoryError::Member("id"))?;
        let previous_id = match self.previous_id {
            Some(previous) => Some(table_id(&previous).ok_or(HistoryError::Member("previousId"))?),
            None => None,
        };
        let table = match self.table {
            Some(table) => Some(Arc::new(table.into_table(id.clone(), self.comment)?)),
            None if kind == TableChangeType::Drop => None,
            None => return Err(HistoryError::Member("table")),
        };
        Ok(TableChange { kind, id, previous_id, table })
    }
}

impl<const WHOLE: bool> StoredTable<WHOLE> {
    fn into_table(self, id: TableId, comment: Option<String>) -> Result<Table, HistoryError> {
        let columns = self.columns.ok_or(HistoryError::Member("columns"))?;
        Ok(Table {
            id,
            default_charset_name: self.default_charset_name,
            primary_key_column_names: self.primary_key_column_names.unwrap_or_default(),
            columns: columns.0?,
            comment,
            unique_keys: Vec::new(),
            other_keys: Vec::new(),
        })
    }
}

/// `"db"."table"`, each part with its quotes doubled; of three parts the first and the last.
pub(super) fn table_id(text: &str) -> Option<TableId> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(character) = chars.next() {
        match character {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                part.push('"');
            }
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(std::mem::take(&mut part)),
            _ => part.push(character),
        }
    }
    parts.push(part);
    let table = parts.pop()?;
    let database = parts.into_iter().next().unwrap_or_default();
    (!table.is_empty() && !quoted).then(|| TableId::new(database, table))
}

/// The columns of a table, or what one of them lacks.
struct StoredColumns<const WHOLE: bool>(Result<Vec<Column>, HistoryError>);

/// Room for the columns of most tables: growing moves them all.
const MANY_COLUMNS: usize = 32;

impl<'de, const WHOLE: bool> Deserialize<'de> for StoredColumns<WHOLE> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ColumnsVisitor::<WHOLE>)
    }
}

struct ColumnsVisitor<const WHOLE: bool>;

impl<'de, const WHOLE: bool> Visitor<'de> for ColumnsVisitor<WHOLE> {
    type Value = StoredColumns<WHOLE>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of columns")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<StoredColumns<WHOLE>, A::Error> {
        let mut columns = Vec::with_capacity(MANY_COLUMNS);
        let mut lacks = None;
        while let Some(StoredColumn::<WHOLE>(column)) = items.next_element()? {
            match column {
                Ok(column) => columns.push(column),
                Err(error) => lacks = Some(error),
            }
        }
        Ok(StoredColumns(lacks.map_or(Ok(columns), Err)))
    }
}

/// A column, or what it lacks.
struct StoredColumn<const WHOLE: bool>(Result<Column, HistoryError>);

/// The members of a column, borrowed where it need not be kept.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Member {
    Name,
    JdbcType,
    NativeType,
    TypeName,
    TypeExpression,
    CharsetName,
    Length,
    Scale,
    Position,
    Optional,
    AutoIncremented,
    Generated,
    Comment,
    HasDefaultValue,
    DefaultValueExpression,
    EnumValues,
    #[serde(other)]
    Unknown,
}

impl<'de, const WHOLE: bool> Deserialize<'de> for StoredColumn<WHOLE> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ColumnVisitor::<WHOLE>)
    }
}

struct ColumnVisitor<const WHOLE: bool>;

impl<'de, const WHOLE: bool> Visitor<'de> for ColumnVisitor<WHOLE> {
    type Value = StoredColumn<WHOLE>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a column")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<StoredColumn<WHOLE>, A::Error> {
        let mut name: Option<String> = None;
        let mut type_name: Option<String> = None;
        let (mut jdbc_type, mut native_type, mut position) = (None, None, None);
        let (mut optional, mut has_default_value) = (None, None);
        let mut column = Column::default();
        let mut type_expression: Option<String> = None;
        while let Some(member) = members.next_key()? {
            match member {
                // What is refused in a whole record is refused here, too.
                Member::TypeExpression | Member::Comment | Member::DefaultValueExpression if !WHOLE => {
                    members.next_value::<Option<Text>>()?;
                }
                Member::EnumValues if !WHOLE => {
                    members.next_value::<Option<Vec<Text>>>()?;
                }
                Member::Name => name = members.next_value()?,
                Member::JdbcType => jdbc_type = number(members.next_value()?),
                Member::NativeType => native_type = number(members.next_value()?),
                Member::TypeName => type_name = members.next_value()?,
                Member::TypeExpression => type_expression = members.next_value()?,
                Member::CharsetName => column.charset_name = members.next_value()?,
                Member::Length => column.length = number(members.next_value()?),
                Member::Scale => column.scale = number(members.next_value()?),
                Member::Position => position = number(members.next_value()?),
                Member::Optional => optional = members.next_value()?,
                Member::AutoIncremented => {
                    column.auto_incremented = members.next_value::<Option<bool>>()?.unwrap_or(false);
                }
                Member::Generated => {
                    column.generated = members.next_value::<Option<bool>>()?.unwrap_or(false);
                }
                Member::Comment => column.comment = members.next_value()?,
                Member::HasDefaultValue => has_default_value = members.next_value()?,
                Member::DefaultValueExpression => column.default_value_expression = members.next_value()?,
                Member::EnumValues => {
                    column.enum_values = members.next_value::<Option<Vec<String>>>()?.unwrap_or_default();
                }
                Member::Unknown => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        let (Some(name), Some(type_name), Some(jdbc_type), Some(position)) =
            (name, type_name, jdbc_type, position)
        else {
            return Ok(StoredColumn(Err(HistoryError::Member(
                "columns[].name, typeName, jdbcType, position",
            ))));
        };
        column.optional = optional.unwrap_or(true);
        column.has_default_value =
            has_default_value.unwrap_or(column.optional || column.default_value_expression.is_some());
        if WHOLE {
            column.type_expression = type_expression.unwrap_or_else(|| type_name.clone());
        }
        Ok(StoredColumn(Ok(Column { name, type_name, jdbc_type, native_type, position, ..column })))
    }
}

/// A string that is not kept.
struct Text;

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a string")
    }

    fn visit_str<E>(self, _: &str) -> Result<Text, E> {
        Ok(Text)
    }
}

fn number(value: Option<i64>) -> Option<i32> {
    value.and_then(|value| i32::try_from(value).ok())
}
