//! The history record as JSON: members in Debezium's order, text in Jackson's spelling.
//!
//! The form of Kafka is that of Jackson's default pretty printer: two spaces a level of objects, ` : ` between name and
//! value, arrays on one line with a space inside their brackets (objects in them go on at the level of the array), `[ ]`
//! and `{ }` when empty. Strings keep every character but quotes, backslashes and control characters, whose escapes have
//! upper-case digits. Files hold the same without white space. Members that are unset are left out or null, each as
//! Debezium has it.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::schema::column::Column;
use crate::schema::history::record::HistoryRecord;
use crate::schema::table::Table;
use crate::schema::table_change::{TableChange, TableChangeType};
use crate::schema::table_id::TableId;

pub(crate) mod read;

/// The record's members.
pub(crate) fn record_to_value(record: &HistoryRecord) -> Value {
    let mut out = Map::new();
    put(&mut out, "source", record.source.clone());
    put(&mut out, "position", record.position.clone());
    put_some(&mut out, "ts_ms", record.ts_ms);
    put_some(&mut out, "databaseName", record.database_name.clone());
    put_some(&mut out, "schemaName", record.schema_name.clone());
    put_some(&mut out, "ddl", record.ddl.clone());
    let changes: Vec<Value> = record.table_changes.iter().map(change_to_value).collect();
    put(&mut out, "tableChanges", changes);
    Value::Object(out)
}

fn put(out: &mut Map<String, Value>, name: &str, value: impl Into<Value>) {
    out.insert(name.to_owned(), value.into());
}

fn put_some(out: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        put(out, name, value);
    }
}

fn change_to_value(change: &TableChange) -> Value {
    let mut out = Map::new();
    let kind = match change.kind {
        TableChangeType::Create => "CREATE",
        TableChangeType::Alter => "ALTER",
        TableChangeType::Drop => "DROP",
    };
    put(&mut out, "type", kind);
    put(&mut out, "id", change.id.to_double_quoted());
    put_some(&mut out, "previousId", change.previous_id.as_ref().map(TableId::to_double_quoted));
    if let Some(table) = &change.table {
        put(&mut out, "table", table_to_value(table));
        put(&mut out, "comment", table.comment.clone());
    }
    Value::Object(out)
}

/// A table as the history has it.
pub fn table_to_value(table: &Table) -> Value {
    let mut out = Map::new();
    put(&mut out, "defaultCharsetName", table.default_charset_name.clone());
    put(&mut out, "primaryKeyColumnNames", table.primary_key_column_names.clone());
    put(&mut out, "columns", table.columns.iter().map(column_to_value).collect::<Vec<_>>());
    put(&mut out, "attributes", Vec::<Value>::new());
    Value::Object(out)
}

fn column_to_value(column: &Column) -> Value {
    let mut out = Map::new();
    put(&mut out, "name", column.name.clone());
    put(&mut out, "jdbcType", column.jdbc_type);
    put_some(&mut out, "nativeType", column.native_type);
    put(&mut out, "typeName", column.type_name.clone());
    put(&mut out, "typeExpression", column.type_expression.clone());
    put(&mut out, "charsetName", column.charset_name.clone());
    put_some(&mut out, "length", column.length);
    put_some(&mut out, "scale", column.scale);
    put(&mut out, "position", column.position);
    put(&mut out, "optional", column.optional);
    put(&mut out, "autoIncremented", column.auto_incremented);
    put(&mut out, "generated", column.generated);
    put(&mut out, "comment", column.comment.clone());
    put(&mut out, "hasDefaultValue", column.has_default_value);
    put_some(&mut out, "defaultValueExpression", column.default_value_expression.clone());
    put(&mut out, "enumValues", column.enum_values.clone());
    Value::Object(out)
}

/// Without white space.
pub(crate) fn compact(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, None);
    out
}

/// As Jackson's default pretty printer has it.
pub(crate) fn pretty(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, Some(0));
    out
}

/// `level` is the depth of objects, or none for the compact form.
fn write_value(out: &mut String, value: &Value, level: Option<usize>) {
    match value {
        Value::String(text) => write_text(out, text),
        Value::Array(items) => {
            let space = if level.is_some() { " " } else { "" };
            out.push('[');
            out.push_str(space);
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                    out.push_str(space);
                }
                write_value(out, item, level);
            }
            if !items.is_empty() {
                out.push_str(space);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            let inner = level.map(|level| level + 1);
            for (at, (name, member)) in members.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                new_line(out, inner);
                write_text(out, name);
                out.push_str(if level.is_some() { " : " } else { ":" });
                write_value(out, member, inner);
            }
            if !members.is_empty() {
                new_line(out, level);
            } else if level.is_some() {
                out.push(' ');
            }
            out.push('}');
        }
        // Null, booleans and whole numbers print alike everywhere. Writing to a String cannot fail.
        _ => drop(write!(out, "{value}")),
    }
}

fn new_line(out: &mut String, level: Option<usize>) {
    if let Some(level) = level {
        out.push('\n');
        (0..level).for_each(|_| out.push_str("  "));
    }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            // Writing to a String cannot fail.
            '\0'..='\u{1f}' => drop(write!(out, "\\u{:04X}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
