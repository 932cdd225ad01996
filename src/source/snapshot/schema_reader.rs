//! The databases, tables and definitions that a snapshot finds.

use std::collections::BTreeMap;

use crate::config::source::HistoryConfig;
use crate::schema::table_id::TableId;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::error_codes::{ER_BAD_DB_ERROR, ER_NO_SUCH_TABLE};
use crate::source::snapshot::locking::{quote, quoted};
use crate::source::snapshot::unprinted;

/// Databases that belong to the server.
const BUILTIN: [&str; 4] = ["information_schema", "mysql", "performance_schema", "sys"];

/// A database with its defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseDefaults {
    /// `default_character_set_name`.
    pub charset: String,
    /// `default_collation_name`.
    pub collation: String,
}

/// What was found, in order of name.
pub struct SchemaReader {
    /// The server's own defaults: `character_set_server` and `collation_server`.
    pub server: DatabaseDefaults,
    /// All databases.
    pub databases: BTreeMap<String, DatabaseDefaults>,
    /// The tables whose definition is wanted, with what `SHOW CREATE TABLE` printed.
    pub tables: BTreeMap<TableId, String>,
}

impl SchemaReader {
    /// Lists what there is and chooses the tables whose definition is kept: the captured ones, and unless the history is
    /// told otherwise all the others too.
    pub fn read_names(
        session: &mut Connection,
        filters: &Filters,
        history: &HistoryConfig,
    ) -> Result<Self, SourceError> {
        let defaults = session.query("SELECT @@global.character_set_server, @@global.collation_server")?;
        let server =
            DatabaseDefaults { charset: cell(&defaults.rows, 0, 0), collation: cell(&defaults.rows, 0, 1) };
        let databases = database_defaults(session)?;
        let mut reader = SchemaReader { server, databases, tables: BTreeMap::new() };
        for database in reader.databases.keys() {
            if history.only_captured_databases && !filters.database_captured(database) {
                continue;
            }
            let sql = format!("SHOW FULL TABLES IN {} WHERE Table_type = 'BASE TABLE'", quote(database));
            let names = match session.query(&sql) {
                Ok(names) => names,
                // Dropped since, where nothing is locked.
                Err(error) if error.code() == Some(ER_BAD_DB_ERROR) => continue,
                // Rows of a database that was asked for by name must not be missing in silence.
                Err(error) if error.is_missing_privilege() && filters.names_database(database) => {
                    return Err(error.into());
                }
                Err(error) if error.is_missing_privilege() => {
                    tracing::warn!(database = database.as_str(), %error, "the tables of a database cannot be listed");
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            for row in 0..names.rows.len() {
                let id = TableId::new(database.clone(), cell(&names.rows, row, 0));
                let captured = filters.table_captured(&id);
                if captured || !history.only_captured_tables {
                    reader.tables.insert(id, String::new());
                }
            }
        }
        Ok(reader)
    }

    /// Reads the definition of each table.
    pub fn read_definitions(
        &mut self,
        session: &mut Connection,
        filters: &Filters,
    ) -> Result<(), SourceError> {
        let mut gone = Vec::new();
        for (id, definition) in &mut self.tables {
            match session.query(&format!("SHOW CREATE TABLE {}", quoted(id))) {
                Ok(result) => *definition = unprinted::restore(session, id, cell(&result.rows, 0, 1))?,
                Err(error) if !filters.table_captured(id) => {
                    // A foreign table that cannot be read (a broken view, a missing privilege) is none of our business.
                    tracing::warn!(table = %id, %error, "the definition of a table that is not captured cannot be read");
                    gone.push(id.clone());
                }
                // Dropped since, where nothing is locked.
                Err(error) if error.code() == Some(ER_NO_SUCH_TABLE) => {
                    return Err(SourceError::TableChanged { table: id.to_string() });
                }
                Err(error) => return Err(error.into()),
            }
        }
        for id in gone {
            self.tables.remove(&id);
        }
        if !self.tables.keys().any(|id| filters.table_captured(id)) {
            tracing::warn!("no table of the server passes the database and table filters");
        }
        Ok(())
    }

    /// The captured tables.
    pub fn captured(&self, filters: &Filters) -> Vec<TableId> {
        self.tables.keys().filter(|id| filters.table_captured(id)).cloned().collect()
    }

    /// The tables whose rows are read, in the order of the include list.
    pub fn to_read(&self, filters: &Filters) -> Vec<TableId> {
        let read = |id: &&TableId| filters.snapshot_reads(id);
        let mut tables: Vec<TableId> = self.tables.keys().filter(read).cloned().collect();
        filters.sort_for_snapshot(&mut tables);
        tables
    }
}

/// The databases of the server's users, with their defaults.
pub fn database_defaults(session: &mut Connection) -> Result<BTreeMap<String, DatabaseDefaults>, MySqlError> {
    let found = session.query(
        "SELECT schema_name, default_character_set_name, default_collation_name FROM information_schema.schemata",
    )?;
    let databases = (0..found.rows.len()).map(|row| {
        let defaults =
            DatabaseDefaults { charset: cell(&found.rows, row, 1), collation: cell(&found.rows, row, 2) };
        (cell(&found.rows, row, 0), defaults)
    });
    Ok(databases.filter(|(name, _)| !BUILTIN.contains(&name.to_ascii_lowercase().as_str())).collect())
}

/// A cell of a text result; NULL and what is missing are empty.
pub fn cell(rows: &[Vec<Option<String>>], row: usize, column: usize) -> String {
    rows.get(row).and_then(|cells| cells.get(column)).cloned().flatten().unwrap_or_default()
}
