//! What one DDL statement means to the outside: the records that Debezium publishes and stores for it.
//!
//! One statement gives none, one or several changes: a `DROP TABLE a, b` or a `RENAME TABLE` of several pairs is split,
//! one change a table. A change is one record of the schema-change topic and one of the schema history, except
//! `TruncateTable`, which is a data event (`op` = `t`) and is in neither.

use std::sync::Arc;

use crate::schema::table_change::TableChange;
use crate::schema::table_id::TableId;

/// The kinds of schema change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaChangeKind {
    /// CREATE TABLE.
    CreateTable,
    /// ALTER TABLE, RENAME TABLE, and CREATE or DROP INDEX that changed the record key.
    AlterTable,
    /// DROP TABLE.
    DropTable,
    /// TRUNCATE TABLE: no schema change, but a `t` event for this table.
    TruncateTable(TableId),
    /// CREATE DATABASE.
    CreateDatabase,
    /// ALTER DATABASE.
    AlterDatabase,
    /// DROP DATABASE; its tables are gone without a table change of their own.
    DropDatabase,
    /// USE.
    UseDatabase,
    /// SET of system variables.
    SetVariable,
    /// Anything else that Debezium records with its text and without table changes.
    Other,
}

/// One change, in order of the statement.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaChange {
    /// What happened.
    pub kind: SchemaChangeKind,
    /// `databaseName` of the records, also `source.db`: the table's database (a rename: the new one), the database
    /// itself, or the one that was current.
    pub database: String,
    /// The statement, or the part of it that belongs to this change.
    pub ddl: String,
    /// The tables that changed: at most one.
    pub table_changes: Vec<TableChange>,
    /// `source.table`: the names of all tables of the statement, comma separated in Java's hash order; the empty
    /// string for statements of kind `Other` and ALTER DATABASE; null for the other database statements.
    pub source_table: Option<Arc<str>>,
}

impl SchemaChange {
    /// The record of a statement without effect on tables: its raw text and no table change. Also what an unparseable
    /// statement becomes under `schema.history.internal.skip.unparseable.ddl`.
    pub fn other(database: &str, ddl: &str) -> Self {
        SchemaChange {
            kind: SchemaChangeKind::Other,
            database: database.to_owned(),
            ddl: ddl.to_owned(),
            table_changes: Vec::new(),
            source_table: Some(Arc::default()),
        }
    }
}
