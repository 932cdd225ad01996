//! A version of a table, compiled: what its records look like.
//!
//! The key takes the columns of `message.key.columns`, else of the primary key (or of the unique key that stands in for
//! it), in that order; without any, records have no key. The value takes the columns that are not filtered out, in table
//! order; a key column that is filtered out stays in the key. Schemas are named after the topic, their names and those of
//! fields adjusted by the configured modes.

use std::sync::Arc;

use crate::config::modes::NameAdjustmentMode;
use crate::config::source::{EventConfig, ValueConfig};
use crate::connect::schema::{Schema, Type};
use crate::event::column_operations::ColumnOperations;
use crate::event::envelope;
use crate::event::error::EventError;
use crate::event::name_adjuster::{field_name, schema_name};
use crate::event::topic_naming::TopicNaming;
use crate::event::value::{ColumnConverter, ColumnSettings, Spelling};
use crate::schema::column::Column;
use crate::schema::table::Table;

/// What the compilation depends on, besides the table.
pub struct TableSchemaSettings<'a> {
    /// `topic.prefix` and `topic.delimiter`.
    pub topics: &'a TopicNaming,
    /// The handling and adjustment modes.
    pub values: &'a ValueConfig,
    /// `include.schema.comments`.
    pub comments: bool,
    /// The path; keys always have the stream's spelling.
    pub spelling: Spelling,
    /// The key columns by `message.key.columns`, in order; none when no entry matches the table.
    pub message_key: Option<&'a [String]>,
    /// Whether a column of this name is published (`column.include.list`, `column.exclude.list`).
    pub included: &'a dyn Fn(&str) -> bool,
    /// What else the configuration does to a column.
    pub operations: &'a dyn Fn(&Column) -> ColumnOperations,
}

impl<'a> TableSchemaSettings<'a> {
    /// Settings with every column published as it is and no `message.key.columns`.
    pub fn new(
        topics: &'a TopicNaming,
        values: &'a ValueConfig,
        events: &EventConfig,
        spelling: Spelling,
    ) -> Self {
        TableSchemaSettings {
            topics,
            values,
            comments: events.include_schema_comments,
            spelling,
            message_key: None,
            included: &|_| true,
            operations: &|_| ColumnOperations::default(),
        }
    }
}

/// A column in a key or a value.
#[derive(Debug)]
pub struct FieldColumn {
    /// The place of the column in the table, from 0.
    pub index: usize,
    /// The name of the field.
    pub field: String,
    /// The mapping.
    pub converter: ColumnConverter,
}

/// A key or a row.
#[derive(Debug)]
pub struct StructSchema {
    /// The schema: required for a key, optional for a row.
    pub schema: Arc<Schema>,
    /// Its fields, in order.
    pub columns: Vec<FieldColumn>,
}

/// A version of a table, compiled.
#[derive(Debug)]
pub struct TableSchema {
    /// The topic of the table's records.
    pub topic: Arc<str>,
    /// `db.table`, as transactions count it.
    pub collection: Arc<str>,
    /// The key, if records have one.
    pub key: Option<StructSchema>,
    /// The row, before and after.
    pub value: StructSchema,
    /// The envelope.
    pub envelope: Arc<Schema>,
}

impl TableSchema {
    /// Compiles a version of a table. Columns of a type without a mapping are left out. Fails when the character set of a
    /// published column has no decoder, or two columns come to the same field name.
    pub fn compile(table: &Table, settings: &TableSchemaSettings<'_>) -> Result<Self, EventError> {
        let topic: Arc<str> = settings.topics.data_topic(&table.id).into();
        let name =
            |suffix: &str| schema_name(settings.values.schema_name_adjustment, &format!("{topic}.{suffix}"));
        let key_columns = key_columns(table, settings.message_key);
        let key = if key_columns.is_empty() {
            None
        } else {
            Some(compile_struct(
                table,
                &key_columns,
                Schema::new(Type::Struct).named(name("Key"), None),
                Spelling::Stream,
                settings,
                ColumnOperations::for_key,
            )?)
        };
        let columns: Vec<usize> = table
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| (settings.included)(&column.name))
            .map(|(index, _)| index)
            .collect();
        let row = Schema::new(Type::Struct).optional().named(name("Value"), None);
        let value =
            compile_struct(table, &columns, row, settings.spelling, settings, |operations| operations)?;
        let envelope = Arc::new(envelope::schema(name("Envelope"), &value.schema));
        Ok(TableSchema { topic, collection: table.id.to_string().into(), key, value, envelope })
    }
}

/// The places of the key columns. Names that the table does not have are passed over.
fn key_columns(table: &Table, message_key: Option<&[String]>) -> Vec<usize> {
    let place = |name: &String| {
        let same = |column: &Column| column.name.eq_ignore_ascii_case(name);
        table.columns.iter().position(same)
    };
    message_key.unwrap_or(&table.primary_key_column_names).iter().filter_map(place).collect()
}

fn compile_struct(
    table: &Table,
    places: &[usize],
    mut schema: Schema,
    spelling: Spelling,
    settings: &TableSchemaSettings<'_>,
    done: impl Fn(ColumnOperations) -> ColumnOperations,
) -> Result<StructSchema, EventError> {
    let mode: NameAdjustmentMode = settings.values.field_name_adjustment;
    let mut columns: Vec<FieldColumn> = Vec::with_capacity(places.len());
    for (index, column) in places.iter().filter_map(|index| Some((*index, table.columns.get(*index)?))) {
        let operations = done((settings.operations)(column));
        let (values, comments) = (settings.values, settings.comments);
        let column_settings = ColumnSettings { values, comments, spelling, operations: &operations };
        let compiled = ColumnConverter::compile(&table.id, column, column_settings)
            .map_err(|source| EventError::Column { table: table.id.to_string(), source })?;
        let Some(converter) = compiled else {
            let (table, column, data_type) = (&table.id, &column.name, &column.type_name);
            tracing::warn!(%table, column, data_type, "a column of a type without a mapping is left out");
            continue;
        };
        let field = field_name(mode, &column.name);
        if let Some(other) = columns.iter().find(|other| other.field == field) {
            let first = table.columns.get(other.index).map_or(String::new(), |column| column.name.clone());
            let (table, second) = (table.id.to_string(), column.name.clone());
            return Err(EventError::DuplicateField { table, first, second, field });
        }
        schema = schema.field(&field, Arc::clone(converter.schema()));
        columns.push(FieldColumn { index, field, converter });
    }
    Ok(StructSchema { schema: Arc::new(schema), columns })
}

#[cfg(test)]
mod tests;
