//! The tables in force at one position of the binlog.
//!
//! A statement is parsed by `ddl`, resolved against what is known here (current database, default character sets, the
//! table before) and applied; the answer is what Debezium would publish and store. A statement that fails leaves
//! everything as it was.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::schema::ddl::row_statement::{RowStatement, row_statement};
use crate::schema::ddl::{DdlError, resolve};
use crate::schema::schema_change::SchemaChange;
use crate::schema::table::Table;
use crate::schema::table_change::{TableChange, TableChangeType};
use crate::schema::table_id::TableId;

/// Whose server it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavor {
    /// MySQL and Percona Server.
    #[default]
    MySql,
    /// MariaDB.
    MariaDb,
}

/// What decides how the server reads a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaOptions {
    /// MySQL or MariaDB.
    pub flavor: Flavor,
    /// The version as versioned comments count it: 9.7.4 is 90704.
    pub version: u32,
    /// `lower_case_table_names`: 0 names are compared as written, 1 they are stored in lower case, 2 they are stored as
    /// written and compared in lower case.
    pub lower_case_table_names: u8,
    /// `character_set_server`.
    pub server_charset: String,
    /// `system_time_zone`: what the time zone SYSTEM is.
    pub system_time_zone: String,
    /// `include.schema.comments`: whether comments are kept at all.
    pub include_comments: bool,
    /// `explicit_defaults_for_timestamp`, for statements that do not say it (MySQL 5.7). Without it a TIMESTAMP column is
    /// NOT NULL by itself, and the first one follows the time of the change.
    pub explicit_defaults_for_timestamp: bool,
}

impl Default for SchemaOptions {
    fn default() -> Self {
        SchemaOptions {
            flavor: Flavor::MySql,
            version: 90_704,
            lower_case_table_names: 0,
            server_charset: "utf8mb4".to_owned(),
            system_time_zone: "UTC".to_owned(),
            include_comments: false,
            explicit_defaults_for_timestamp: true,
        }
    }
}

/// A statement as it stands in a QUERY event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statement<'a> {
    /// The text, in UTF-8.
    pub text: &'a str,
    /// The database that was current; may be empty.
    pub database: &'a str,
    /// `sql_mode` of the session, from the status variables: ANSI_QUOTES is 4, NO_BACKSLASH_ESCAPES 0x100000.
    pub sql_mode: u64,
    /// `character_set_client` of the session, as a collation, from the status variables: what set the text was in
    /// before it became UTF-8. None is UTF-8.
    pub collation_client: Option<u16>,
    /// `collation_connection` of the session, from the status variables: what set its literals are in. None is UTF-8.
    pub collation_connection: Option<u16>,
    /// `collation_server` of the session, from the status variables: what CREATE DATABASE defaults to.
    pub collation_server: Option<u16>,
    /// The error with which it ended; the server logs a failed statement where something is left of it.
    pub error_code: u16,
    /// `explicit_defaults_for_timestamp` of the session, where the event says it.
    pub explicit_defaults_for_timestamp: Option<bool>,
    /// `time_zone` of the session, from the status variables; without it the statement depends on none.
    pub time_zone: Option<&'a str>,
}

impl<'a> Statement<'a> {
    /// What SHOW CREATE TABLE printed, and the like: it says everything, whatever the server is set to.
    pub fn printed(text: &'a str, database: &'a str) -> Self {
        Statement { text, database, explicit_defaults_for_timestamp: Some(true), ..Statement::default() }
    }
}

/// The tables in force, with everything that a statement is resolved against.
#[derive(Clone, Debug, Default)]
pub struct DatabaseSchema {
    pub(crate) options: SchemaOptions,
    /// The default character set of each known database, by the name that is compared.
    databases: BTreeMap<String, String>,
    /// By the name that is compared.
    tables: BTreeMap<TableId, Arc<Table>>,
}

impl DatabaseSchema {
    /// No tables yet.
    pub fn new(options: SchemaOptions) -> Self {
        DatabaseSchema { options, ..DatabaseSchema::default() }
    }

    /// What the schema was made with; `server_charset` is the present one.
    pub fn options(&self) -> &SchemaOptions {
        &self.options
    }

    /// A table. Allocates only where names are not compared as written and this one is not in lower case.
    pub fn table(&self, id: &TableId) -> Option<&Arc<Table>> {
        self.tables.get(self.compared(id).as_ref())
    }

    /// All tables, by name.
    pub fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    /// All known databases with their default character sets, by name.
    pub fn databases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.databases.iter().map(|(database, charset)| (database.as_str(), charset.as_str()))
    }

    /// The default character set of a database, where it is known.
    pub fn database_charset(&self, database: &str) -> Option<&str> {
        self.databases.get(self.compared_name(database).as_ref()).map(String::as_str)
    }

    /// Makes a database known.
    pub fn set_database_charset(&mut self, database: &str, charset: &str) {
        let name = self.compared_name(database).into_owned();
        self.databases.insert(name, charset.to_owned());
    }

    /// `character_set_server`, as the server has it now.
    pub fn set_server_charset(&mut self, charset: &str) {
        charset.clone_into(&mut self.options.server_charset);
    }

    /// Carries out a statement and gives what is to be published and stored for it, in order; nothing for statements
    /// that Debezium passes over. After an error nothing has changed.
    pub fn apply_ddl(&mut self, statement: &Statement<'_>) -> Result<Vec<SchemaChange>, DdlError> {
        resolve::apply(self, statement)
    }

    /// Whether a statement changes rows, which a log in row format never has as text.
    pub fn row_statement(&self, statement: &Statement<'_>) -> Option<RowStatement> {
        row_statement(statement, &self.options)
    }

    /// The table that a CREATE TABLE makes, known or not; none for other statements.
    pub fn created_table(&self, statement: &Statement<'_>) -> Option<TableId> {
        resolve::created_table(self, statement)
    }

    /// Takes over changes as they are: a new version of a table replaces the old one, also under its old name.
    pub fn apply_changes(&mut self, changes: &[TableChange]) {
        for change in changes {
            if let Some(previous) = &change.previous_id {
                self.remove(previous);
            }
            match (&change.table, change.kind) {
                (Some(table), TableChangeType::Create | TableChangeType::Alter) => {
                    self.put(Arc::clone(table))
                }
                _ => drop(self.remove(&change.id)),
            }
        }
    }

    /// The character set that a new table of a database gets.
    pub(crate) fn charset_of_new_tables(&self, database: &str) -> String {
        self.database_charset(database).unwrap_or(&self.options.server_charset).to_owned()
    }

    /// A name as the server stores it.
    pub(crate) fn canonical(&self, id: &TableId) -> TableId {
        match self.options.lower_case_table_names {
            0 => id.clone(),
            1 => TableId::new(id.database.to_lowercase(), id.table.to_lowercase()),
            _ => self.table(id).map_or_else(|| id.clone(), |table| table.id.clone()),
        }
    }

    pub(crate) fn put(&mut self, table: Arc<Table>) {
        let id = self.compared(&table.id).into_owned();
        self.tables.insert(id, table);
    }

    pub(crate) fn remove(&mut self, id: &TableId) -> Option<Arc<Table>> {
        let id = self.compared(id).into_owned();
        self.tables.remove(&id)
    }

    pub(crate) fn remove_database(&mut self, database: &str) {
        let name = self.compared_name(database).into_owned();
        self.databases.remove(&name);
        self.tables.retain(|id, _| id.database != name);
    }

    fn compared<'a>(&self, id: &'a TableId) -> Cow<'a, TableId> {
        match (self.compared_name(&id.database), self.compared_name(&id.table)) {
            (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(id),
            (database, table) => Cow::Owned(TableId::new(database, table)),
        }
    }

    fn compared_name<'a>(&self, name: &'a str) -> Cow<'a, str> {
        let as_written = self.options.lower_case_table_names == 0
            || !name.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
        if as_written { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
    }
}

#[cfg(test)]
mod tests;
