//! What a server says of its tables: `system.tables` and `system.columns`.
//!
//! One question for a whole database, since a connector may own thousands of tables. Tables that are being dropped and
//! temporary ones are not among them. Manual: "System tables".

use crate::sink::clickhouse::client::{Client, Query};
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::table::identifier::literal;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// `ReplacingMergeTree`, without arguments.
    pub engine: String,
    /// `ReplacingMergeTree(_version, _deleted) ORDER BY id SETTINGS index_granularity = 8192`.
    pub engine_full: String,
    /// The expressions of ORDER BY, as the server prints them: `id, b`. Empty for `tuple()`.
    pub sorting_key: String,
    /// The expressions of PRIMARY KEY.
    pub primary_key: String,
    /// The expression of PARTITION BY; empty without one.
    pub partition_key: String,
    /// Its comment.
    pub comment: String,
    /// Columns in order.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type, as the server prints it.
    pub column_type: String,
    /// `DEFAULT`, `MATERIALIZED`, `ALIAS`, `EPHEMERAL`, or empty.
    pub default_kind: String,
    /// The expression of the default; empty without one.
    pub default_expression: String,
    /// Its comment.
    pub comment: String,
    /// Part of PARTITION BY.
    pub in_partition_key: bool,
    /// Part of ORDER BY.
    pub in_sorting_key: bool,
}

type TableRow = (String, String, String, String, String, String, String);
type ColumnRow = (String, String, String, String, String, String, u8, u8);

const TABLES: &str = "SELECT name, engine, engine_full, sorting_key, primary_key, partition_key, comment FROM system.tables \
                      WHERE database = {database:String} AND (name = {table:String} OR {table:String} = '') AND NOT is_temporary ORDER BY name";
const COLUMNS: &str = "SELECT table, name, type, default_kind, default_expression, comment, is_in_partition_key, is_in_sorting_key \
                       FROM system.columns WHERE database = {database:String} AND (table = {table:String} OR {table:String} = '') \
                       ORDER BY table, position";

/// All tables of a database, by name. Empty if there is no such database.
pub fn tables(client: &Client, database: &str) -> Result<Vec<Table>, ClickHouseError> {
    read(client, database, "")
}

/// One table.
pub fn table(client: &Client, database: &str, table: &str) -> Result<Option<Table>, ClickHouseError> {
    Ok(read(client, database, table)?.pop())
}

/// The engine of a database: `Atomic`, `Replicated`, …; none if there is no such database.
pub fn database_engine(client: &Client, database: &str) -> Result<Option<String>, ClickHouseError> {
    let sql = "SELECT engine FROM system.databases WHERE name = {database:String}";
    let rows: Vec<(String,)> = client
        .rows(Query::new("read system.databases", sql).with(&[("param_database", &parameter(database))]))?;
    Ok(rows.into_iter().next().map(|(engine,)| engine))
}

/// How many active parts the tables of some databases have, as `database.table`.
pub fn active_parts(client: &Client, databases: &[&str]) -> Result<Vec<(String, u64)>, ClickHouseError> {
    let databases: Vec<String> = databases.iter().map(|name| literal(name)).collect();
    let sql = format!(
        "SELECT concat(database, '.', table), count() FROM system.parts WHERE active AND database IN ({}) GROUP BY database, table",
        databases.join(", ")
    );
    client.rows(Query::new("read system.parts", &sql))
}

/// The server's version: `26.7.2.1`.
pub fn version(client: &Client) -> Result<String, ClickHouseError> {
    let rows: Vec<(String,)> = client.rows(Query::new("read the version", "SELECT version()"))?;
    Ok(rows.into_iter().next().map(|(version,)| version).unwrap_or_default())
}

fn read(client: &Client, database: &str, table: &str) -> Result<Vec<Table>, ClickHouseError> {
    let (database, table) = (parameter(database), parameter(table));
    let parameters = [("param_database", database.as_str()), ("param_table", table.as_str())];
    let rows: Vec<TableRow> = client.rows(Query::new("read system.tables", TABLES).with(&parameters))?;
    let mut columns: Vec<ColumnRow> =
        client.rows(Query::new("read system.columns", COLUMNS).with(&parameters))?;
    // Both are in the same order; what was made or dropped between the two questions is in one of them only.
    columns.reverse();
    let mut tables = Vec::with_capacity(rows.len());
    for (name, engine, engine_full, sorting_key, primary_key, partition_key, comment) in rows {
        let mut own = Vec::new();
        while columns.last().is_some_and(|row| row.0 < name) {
            columns.pop();
        }
        while let Some(row) = columns.pop_if(|row| row.0 == name) {
            let (_, name, column_type, default_kind, default_expression, comment, partition, sorting) = row;
            let (in_partition_key, in_sorting_key) = (partition != 0, sorting != 0);
            own.push(Column {
                name,
                column_type,
                default_kind,
                default_expression,
                comment,
                in_partition_key,
                in_sorting_key,
            });
        }
        if own.is_empty() {
            continue;
        }
        tables.push(Table {
            name,
            engine,
            engine_full,
            sorting_key,
            primary_key,
            partition_key,
            comment,
            columns: own,
        });
    }
    Ok(tables)
}

/// A parameter of a query is read as a field of a TSV file is: what has a meaning there gets a backslash. Manual: "HTTP
/// interface", Queries with parameters, tab in parameters.
fn parameter(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            '\\' => out.push_str("\\\\"),
            other => out.push(other),
        }
    }
    out
}
