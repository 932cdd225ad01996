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
    /// Unique keys in the server's order; the primary key is the one named `PRIMARY`. Not part of the stored history, so
    /// they are empty after a recovery from table changes alone.
    pub unique_keys: Vec<UniqueKey>,
    /// The other keys: a name that one of them has is not given to a key without a name. As little part of the history.
    pub other_keys: Vec<OtherKey>,
}

/// A unique key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueKey {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// Whether of one of them only the beginning counts. What is unique in its beginning is unique, but the server puts
    /// such a key behind others.
    pub prefix: bool,
}

/// A key that identifies no row: it is not unique, or one of its parts is an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherKey {
    /// Its name.
    pub name: String,
    /// Its columns, without the parts that are expressions.
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
            other_keys: Vec::new(),
        }
    }

    /// Takes over the keys of another version of the table.
    pub fn take_keys(&mut self, other: &Table) {
        self.unique_keys.clone_from(&other.unique_keys);
        self.other_keys.clone_from(&other.other_keys);
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
