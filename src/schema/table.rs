//! A table as of one version of it. Immutable and shared: a new version is a new `Table`.

use crate::schema::column::Column;
use crate::schema::table_id::TableId;

/// One version of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub id: TableId,
    /// The table's default character set.
    pub default_charset_name: Option<String>,
    /// The columns of the record key: the primary key, else the first unique key without a nullable column.
    pub primary_key_column_names: Vec<String>,
    /// The columns in order.
    pub columns: Vec<Column>,
    /// COMMENT.
    pub comment: Option<String>,
    /// Unique keys in order of definition; the primary key is the one named `PRIMARY`. Not part of the stored history, so
    /// they are empty after a recovery from table changes alone.
    pub unique_keys: Vec<UniqueKey>,
}

/// A unique key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueKey {
    /// Its name.
    pub name: String,
    /// Its columns; an expression part makes the key unusable and is left out with the whole key.
    pub columns: Vec<String>,
}

impl Table {
    /// A table without columns.
    pub fn named(id: TableId) -> Self {
        Table {
            id,
            default_charset_name: None,
            primary_key_column_names: Vec::new(),
            columns: Vec::new(),
            comment: None,
            unique_keys: Vec::new(),
        }
    }

    /// The column of a name, as MySQL compares them: without regard to case.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| same_column_name(&column.name, name))
    }
}

/// Whether two names mean the same column. (Manual: "Identifier Case Sensitivity": column names never are case sensitive.)
pub fn same_column_name(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right) || (!left.is_ascii() && left.to_lowercase() == right.to_lowercase())
}
