//! The name of a table: database and table.

use std::fmt;

/// A table's full name, in the spelling of the server.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId {
    /// The database (Debezium's catalog).
    pub database: String,
    /// The table.
    pub table: String,
}

impl TableId {
    /// A name from its two parts.
    pub fn new(database: impl Into<String>, table: impl Into<String>) -> Self {
        TableId { database: database.into(), table: table.into() }
    }

    /// `"db"."table"`, the form of the schema history; a double quote inside a part is doubled.
    pub fn to_double_quoted(&self) -> String {
        format!("\"{}\".\"{}\"", self.database.replace('"', "\"\""), self.table.replace('"', "\"\""))
    }
}

/// `db.table`, the form that filters match and that records show.
impl fmt::Display for TableId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.database, self.table)
    }
}
