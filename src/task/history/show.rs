//! `tidewire history show`: the tables in force at a position, for people or as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::schema::column::Column;
use crate::schema::database_schema::SchemaOptions;
use crate::schema::history::table_to_value;
use crate::schema::table::{Table, UniqueKey};
use crate::task::history::{Believed, HistoryCommandError, HistoryPosition, Subject, TablePatterns};

/// The text. No server is asked: statements without table changes are read as MySQL 9.7 reads them.
pub fn show(
    subject: &Subject<'_>,
    position: &HistoryPosition,
    tables: &TablePatterns,
    as_json: bool,
) -> Result<String, HistoryCommandError> {
    let options = SchemaOptions { include_comments: true, ..SchemaOptions::default() };
    let believed = subject.believed(position, options)?;
    let shown: Vec<&Table> =
        believed.schema.tables().map(AsRef::as_ref).filter(|table| tables.matches(table)).collect();
    Ok(if as_json { json_text(subject, &believed, &shown) } else { text(subject, &believed, &shown) })
}

fn text(subject: &Subject<'_>, believed: &Believed, tables: &[&Table]) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "history    {}", subject.name());
    let _ = writeln!(out, "position   {}", believed.position);
    let recovered = &believed.recovered;
    let _ = writeln!(out, "records    {} read, {} applied", recovered.read, recovered.applied);
    let _ = writeln!(out, "server     {}", believed.schema.options().server_charset);
    for (database, charset) in believed.schema.databases() {
        let _ = writeln!(out, "database   {database} {charset}");
    }
    for table in tables {
        table_text(&mut out, table);
    }
    let _ = writeln!(out, "\nhistory: {} of {} tables", tables.len(), believed.schema.tables().count());
    out
}

fn table_text(out: &mut String, table: &Table) {
    let key = table.primary_key_column_names.join(", ");
    let charset = table.default_charset_name.as_deref().unwrap_or("unknown");
    let _ = writeln!(out, "\n{}  charset {charset}  key ({key})", table.id);
    for unique in table.unique_keys.iter().filter(|key| key.name != "PRIMARY") {
        let _ = writeln!(out, "       unique {} ({})", unique.name, unique.columns.join(", "));
    }
    let width = table.columns.iter().map(|column| column.name.chars().count()).max().unwrap_or(0);
    for column in &table.columns {
        let padding = " ".repeat(width.saturating_sub(column.name.chars().count()));
        let _ = writeln!(out, "  {:>3}  {}{padding}  {}", column.position, column.name, description(column));
    }
}

/// `DECIMAL(5,2) not null default '1.00'`.
fn description(column: &Column) -> String {
    let mut text = column.type_name.clone();
    if !column.enum_values.is_empty() {
        let _ = write!(text, "({})", column.enum_values.join(","));
    } else if let Some(length) = column.length {
        let scale = column.scale.map(|scale| format!(",{scale}")).unwrap_or_default();
        let _ = write!(text, "({length}{scale})");
    }
    if let Some(charset) = &column.charset_name {
        let _ = write!(text, " {charset}");
    }
    text.push_str(if column.optional { " null" } else { " not null" });
    match &column.default_value_expression {
        Some(default) => drop(write!(text, " default {default:?}")),
        None if column.has_default_value && !column.optional => text.push_str(" default by expression"),
        None => {}
    }
    if column.auto_incremented {
        text.push_str(" set by the server");
    }
    text
}

fn json_text(subject: &Subject<'_>, believed: &Believed, tables: &[&Table]) -> String {
    let databases: serde_json::Map<String, Value> = believed
        .schema
        .databases()
        .map(|(database, charset)| (database.to_owned(), json!({ "defaultCharsetName": charset })))
        .collect();
    let tables: Vec<Value> = tables.iter().map(|table| table_json(table)).collect();
    let shown = json!({
        "history": subject.name(),
        "server": subject.source.topic_prefix,
        "position": believed.position,
        "records": { "read": believed.recovered.read, "applied": believed.recovered.applied },
        "defaultCharsetName": believed.schema.options().server_charset,
        "databases": databases,
        "tables": tables,
    });
    format!("{shown:#}\n")
}

/// As in `tableChanges` of a history record, with the comment and the unique keys, which these do not have.
fn table_json(table: &Table) -> Value {
    let keys = table.unique_keys.iter();
    let keys: Vec<Value> =
        keys.map(|UniqueKey { name, columns, .. }| json!({ "name": name, "columns": columns })).collect();
    json!({
        "id": table.id.to_double_quoted(),
        "table": table_to_value(table),
        "comment": table.comment,
        "uniqueKeys": keys,
    })
}
