//! The tables in force as a history of their own: the shortest that recovers to the same.
//!
//! The order is a snapshot's: the server's default character set, each database with its own, then each table with all
//! that is known of it. The records carry the position of the last one that they replace, so that they hold at every
//! position at which that one does.

use serde_json::Map;

use crate::schema::database_schema::DatabaseSchema;
use crate::schema::ddl::literal::quote_name;
use crate::schema::history::comparator::Position;
use crate::schema::history::record::HistoryRecord;
use crate::schema::history::show_create_table::show_create_table;
use crate::schema::table::Table;
use crate::schema::table_change::{TableChange, TableChangeType};

/// What a compacted history begins with.
pub fn compacted(
    schema: &DatabaseSchema,
    server: &str,
    position: &Position,
    now_ms: i64,
) -> Vec<HistoryRecord> {
    let record = |database: &str, ddl: String, table_changes: Vec<TableChange>| HistoryRecord {
        source: Map::from_iter([("server".to_owned(), server.into())]),
        position: position.clone(),
        ts_ms: Some(now_ms),
        database_name: Some(database.to_owned()),
        schema_name: None,
        ddl: Some(ddl),
        table_changes,
    };
    let charset = &schema.options().server_charset;
    let mut records = vec![record("", format!("SET character_set_server={charset}"), Vec::new())];
    for (database, charset) in schema.databases() {
        let ddl = format!("CREATE DATABASE {} CHARSET {charset}", quote_name(database));
        records.push(record(database, ddl, Vec::new()));
    }
    for table in schema.tables() {
        let change = TableChange {
            kind: TableChangeType::Create,
            id: table.id.clone(),
            previous_id: None,
            table: Some(std::sync::Arc::clone(table)),
        };
        records.push(record(&table.id.database, show_create_table(table), vec![change]));
    }
    records
}

/// Whether two schemas are the same to everything that comes after: databases, tables, columns, keys, character sets.
pub fn same_schema(left: &DatabaseSchema, right: &DatabaseSchema) -> bool {
    left.options().server_charset == right.options().server_charset
        && left.databases().eq(right.databases())
        && left
            .tables()
            .map(|table| with_known_keys(table))
            .eq(right.tables().map(|table| with_known_keys(table)))
}

/// A record key without known keys behaves as a primary key does (`ddl::resolve::keys`).
fn with_known_keys(table: &Table) -> Table {
    let mut table = table.clone();
    if table.unique_keys.is_empty() && !table.primary_key_column_names.is_empty() {
        table.unique_keys.push(crate::schema::table::UniqueKey {
            name: "PRIMARY".to_owned(),
            columns: table.primary_key_column_names.clone(),
            prefix: false,
        });
    }
    table
}

#[cfg(test)]
mod tests;
