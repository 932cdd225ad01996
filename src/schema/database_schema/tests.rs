//! Statements in, tables and records out. Expectations are from histories that Debezium 3.6.1 wrote and from what MySQL
//! 9.7, 5.7 and MariaDB 10.11 said of the same statements (`information_schema`).

mod changes;
mod definitions;
mod mutations;
mod records;

use super::*;
use crate::schema::column::Column;
use crate::schema::ddl::DdlError;
use crate::schema::schema_change::SchemaChange;

fn apply(schema: &mut DatabaseSchema, text: &str) -> Vec<SchemaChange> {
    match schema.apply_ddl(&Statement { text, database: "d", ..Statement::default() }) {
        Ok(changes) => changes,
        Err(error) => panic!("{text}: {error}"),
    }
}

fn after(texts: &[&str]) -> DatabaseSchema {
    let mut schema = DatabaseSchema::default();
    for text in texts {
        apply(&mut schema, text);
    }
    schema
}

fn table<'a>(schema: &'a DatabaseSchema, name: &str) -> &'a Table {
    let (database, table) = name.split_once('.').unwrap_or(("d", name));
    schema.table(&TableId::new(database, table)).unwrap_or_else(|| panic!("no table {name}"))
}

/// Names of columns, `?` after the nullable ones, `:` and the character set after text.
fn columns(table: &Table) -> String {
    let describe = |column: &Column| {
        let charset = column.charset_name.as_ref().map(|name| format!(":{name}")).unwrap_or_default();
        format!("{}{}{charset}", column.name, if column.optional { "?" } else { "" })
    };
    table.columns.iter().map(describe).collect::<Vec<_>>().join(" ")
}
