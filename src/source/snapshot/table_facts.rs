//! What `information_schema.tables` says of tables, beside their definition.
//!
//! It is asked before anything is locked, since on MySQL 5.7 and MariaDB it opens every table. What changes between then and
//! the lock is taken for a changed table: the snapshot starts again once too often rather than once too seldom.

use std::collections::HashMap;

use crate::schema::table_id::TableId;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::snapshot::schema_reader::cell;

/// Storage engines with consistent views.
const WITH_VIEWS: [&str; 3] = ["INNODB", "ROCKSDB", "TOKUDB"];

/// The facts of one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFacts {
    /// The server's estimate of its rows.
    pub rows: u64,
    engine: String,
    /// `CREATE_TIME`: changed by ALTER TABLE and TRUNCATE, taken along by RENAME.
    created: String,
}

impl TableFacts {
    /// Whether rows can be read as they were when a view was opened.
    pub fn has_views(&self) -> bool {
        WITH_VIEWS.contains(&self.engine.to_ascii_uppercase().as_str())
    }

    /// Whether these are facts of the same table.
    pub fn is_same_table(&self, other: &TableFacts) -> bool {
        (&self.engine, &self.created) == (&other.engine, &other.created)
    }
}

/// Asks for one table, or for all of the server's users.
pub fn table_facts(
    session: &mut Connection,
    id: Option<&TableId>,
) -> Result<HashMap<TableId, TableFacts>, MySqlError> {
    let which = match id {
        Some(id) => {
            format!("table_schema = {} AND table_name = {}", literal(&id.database), literal(&id.table))
        }
        None => "table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')".to_owned(),
    };
    let found = session.query(&format!(
        "SELECT table_schema, table_name, engine, create_time, table_rows FROM information_schema.tables \
         WHERE {which} AND table_type = 'BASE TABLE'"
    ))?;
    let rows = &found.rows;
    let facts = (0..rows.len()).map(|row| {
        let facts = TableFacts {
            engine: cell(rows, row, 2),
            created: cell(rows, row, 3),
            rows: cell(rows, row, 4).parse().unwrap_or_default(),
        };
        (TableId::new(cell(rows, row, 0), cell(rows, row, 1)), facts)
    });
    Ok(facts.collect())
}

/// Whether only the beginning of a column is in a key.
pub fn is_key_of_beginnings(session: &mut Connection, id: &TableId, key: &str) -> Result<bool, MySqlError> {
    let (database, table, key) = (literal(&id.database), literal(&id.table), literal(key));
    let found = session.query_value(&format!(
        "SELECT COUNT(sub_part) FROM information_schema.statistics \
         WHERE table_schema = {database} AND table_name = {table} AND index_name = {key}"
    ))?;
    Ok(found.is_some_and(|count| count != "0"))
}

/// A string; the session's `sql_mode` leaves the backslash its meaning.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}
