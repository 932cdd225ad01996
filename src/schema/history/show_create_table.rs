//! A table as a CREATE TABLE statement: the text beside the table changes in a compacted history.
//!
//! The table changes of a record are what recovery believes. The statement says what these leave out, the keys, so it
//! names columns and keys exactly; types are spelled as the history has them, defaults and what else makes no difference
//! are left out. Both our DDL layer and Debezium's read it.

use crate::schema::column::Column;
use crate::schema::ddl::literal::quote_name;
use crate::schema::table::Table;

/// The statement, with the name in full.
pub(super) fn show_create_table(table: &Table) -> String {
    let name = format!("{}.{}", quote_name(&table.id.database), quote_name(&table.id.table));
    let columns = table.columns.iter().map(column_definition);
    let keys = table.unique_keys.iter().map(|key| {
        // How much of a column counts is not known, only that it is not all of it.
        let columns = if key.prefix { beginnings(&key.columns) } else { names(&key.columns) };
        if key.name == "PRIMARY" {
            format!("PRIMARY KEY ({columns})")
        } else {
            format!("UNIQUE KEY {} ({columns})", quote_name(&key.name))
        }
    });
    let others = table.other_keys.iter().map(|key| match key.columns.as_slice() {
        [] => format!("KEY {} ((NULL))", quote_name(&key.name)),
        columns => format!("KEY {} ({})", quote_name(&key.name), names(columns)),
    });
    // A history of table changes alone does not tell keys apart: the record key stands for the primary key.
    let record_key = &table.primary_key_column_names;
    let unknown = table.unique_keys.is_empty() && !record_key.is_empty();
    let primary = unknown.then(|| format!("PRIMARY KEY ({})", names(record_key)));
    let definitions: Vec<String> = columns.chain(keys).chain(primary).chain(others).collect();
    let mut text = format!("CREATE TABLE {name} (\n  {}\n)", definitions.join(",\n  "));
    if let Some(charset) = &table.default_charset_name {
        text.push_str(&format!(" DEFAULT CHARSET={charset}"));
    }
    text
}

fn beginnings(columns: &[String]) -> String {
    columns.iter().map(|column| format!("{}(1)", quote_name(column))).collect::<Vec<_>>().join(", ")
}

fn names(columns: &[String]) -> String {
    columns.iter().map(|name| quote_name(name)).collect::<Vec<_>>().join(",")
}

fn column_definition(column: &Column) -> String {
    let mut text = format!("{} {}", quote_name(&column.name), data_type(column));
    if let Some(charset) = &column.charset_name {
        text.push_str(&format!(" CHARACTER SET {charset}"));
    }
    if !column.optional {
        text.push_str(" NOT NULL");
    }
    text
}

/// The type with its length behind the name and before UNSIGNED and its like.
fn data_type(column: &Column) -> String {
    if !column.enum_values.is_empty() {
        return format!("{}({})", column.type_name, column.enum_values.join(","));
    }
    let length = match (column.length, column.scale) {
        (Some(length), Some(scale)) => format!("({length},{scale})"),
        (Some(length), None) => format!("({length})"),
        (None, _) => return column.type_name.clone(),
    };
    let attributes = [" SIGNED", " UNSIGNED", " ZEROFILL", " BINARY", " ASCII", " UNICODE", " BYTE"];
    let name = &column.type_name;
    let end = attributes.iter().filter_map(|word| name.find(word)).min().unwrap_or(name.len());
    let (name, rest) = name.split_at_checked(end).unwrap_or((name, ""));
    format!("{name}{length}{rest}")
}
