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
    /// The keys in the server's order; the primary key is the one named `PRIMARY`. Not part of the stored history, so they
    /// are empty after a recovery from table changes alone.
    pub unique_keys: Vec<Key>,
}

/// A key. Those that are not unique count too: a name that is taken names no other key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// How far it can identify a row.
    pub kind: KeyKind,
    /// Its columns; without the parts that are expressions.
    pub columns: Vec<String>,
}

/// The kinds of key, in the server's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyKind {
    /// PRIMARY KEY.
    Primary,
    /// UNIQUE, over whole columns.
    Unique,
    /// UNIQUE, with a column of which only the beginning counts. What is unique in its beginning is unique.
    UniquePrefix,
    /// UNIQUE with an expression, which identifies no row by its columns; or not unique at all.
    Other,
}

impl Table {
    /// The column of a name, as MySQL compares them: without regard to case.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| same_column_name(&column.name, name))
    }
}

/// Whether two names mean the same column. (Manual: "Identifier Case Sensitivity": column names never are case sensitive.)
pub fn same_column_name(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right) || (!left.is_ascii() && left.to_lowercase() == right.to_lowercase())
}
