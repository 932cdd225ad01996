//! The keys of a table, and which of them is the record key.
//!
//! The record key is the primary key, else the first unique key without a nullable column (as Debezium has it in a
//! snapshot). It is worked out anew after every change, because both a dropped index and a column made NOT NULL can move
//! it. A primary key makes its columns NOT NULL; dropping it does not take that back. The server sorts its keys after each
//! statement and keeps them so: the primary key, unique keys without nullable columns, the others (`SHOW CREATE TABLE`
//! shows it), and among equals those that take whole columns first. A key whose columns become NOT NULL later therefore
//! stands behind those that had none before. (MySQL source: `sort_keys`.)
//!
//! After a recovery from table changes alone the keys are not known: then the recorded key is taken for the primary key, and
//! stays until it is dropped.

use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::ddl::resolve::column;
use crate::schema::ddl::statement::{KeyClause, KeyDefinition, KeyPart};
use crate::schema::table::{OtherKey, Table, UniqueKey, same_column_name};

const PRIMARY: &str = "PRIMARY";

/// The columns of the primary key; none where there is none.
pub(crate) fn primary_key(table: &Table) -> &[String] {
    let primary = table.unique_keys.iter().find(|key| key.name == PRIMARY);
    primary.map_or(&[], |key| key.columns.as_slice())
}

/// The keys of a table.
#[derive(Debug)]
pub(crate) struct Keys {
    list: Vec<Key>,
}

#[derive(Debug)]
struct Key {
    name: String,
    kind: KeyKind,
    columns: Vec<String>,
}

/// The kinds of key, in the server's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum KeyKind {
    Primary,
    /// Over whole columns.
    Unique,
    /// With a column of which only the beginning counts.
    UniquePrefix,
    Other,
}

impl Keys {
    /// None yet.
    pub fn new() -> Self {
        Keys { list: Vec::new() }
    }

    /// Those of a table.
    pub fn of(table: &Table) -> Self {
        let unique = table.unique_keys.iter().map(|UniqueKey { name, columns, prefix }| {
            let kind = match (name.as_str(), prefix) {
                (PRIMARY, _) => KeyKind::Primary,
                (_, false) => KeyKind::Unique,
                (_, true) => KeyKind::UniquePrefix,
            };
            Key { name: name.clone(), kind, columns: columns.clone() }
        });
        let others = table.other_keys.iter().map(|OtherKey { name, columns }| Key {
            name: name.clone(),
            kind: KeyKind::Other,
            columns: columns.clone(),
        });
        let mut list: Vec<Key> = unique.chain(others).collect();
        let recorded = &table.primary_key_column_names;
        let known = |key: &Key| key.kind != KeyKind::Other && key.columns == *recorded;
        if !recorded.is_empty() && !list.iter().any(known) {
            list.insert(
                0,
                Key { name: PRIMARY.to_owned(), kind: KeyKind::Primary, columns: recorded.clone() },
            );
        }
        Keys { list }
    }

    /// Whether there is a key of a name.
    pub fn has(&self, name: &str) -> bool {
        self.list.iter().any(|key| same_column_name(&key.name, name))
    }

    /// One more, over columns of a table.
    pub fn add(&mut self, definition: &KeyDefinition, columns_of: &Table) {
        let KeyDefinition { clause, parts, .. } = definition;
        let mut columns = Vec::with_capacity(parts.len());
        let (mut expression, mut prefixed) = (false, false);
        for part in parts {
            match part {
                KeyPart::Column { name, prefix } => {
                    prefixed |= match prefix {
                        Some(prefix) => is_shorter(*prefix, name, columns_of),
                        // MariaDB keeps a hash of a whole TEXT, and puts the key behind others too.
                        None => is_large(name, columns_of),
                    };
                    columns.push(name.clone());
                }
                KeyPart::Expression => expression = true,
            }
        }
        let kind = match clause {
            KeyClause::Primary => KeyKind::Primary,
            KeyClause::Unique if expression => KeyKind::Other,
            KeyClause::Unique if prefixed => KeyKind::UniquePrefix,
            KeyClause::Unique => KeyKind::Unique,
            KeyClause::Index | KeyClause::ForeignKey => KeyKind::Other,
            KeyClause::Period | KeyClause::Check => return,
        };
        // A foreign key does with an index that begins with its columns.
        if *clause == KeyClause::ForeignKey && self.list.iter().any(|key| begins_with(key, &columns)) {
            return;
        }
        let name = match (&definition.name, clause) {
            (_, KeyClause::Primary) => PRIMARY.to_owned(),
            (Some(name), _) => name.clone(),
            (None, _) => self.free_name(columns.first().filter(|_| !expression).map(String::as_str)),
        };
        if definition.if_not_exists && self.has(&name) {
            return;
        }
        if kind == KeyKind::Primary {
            self.drop_key(PRIMARY);
        }
        self.list.push(Key { name, kind, columns });
    }

    /// The name that MySQL gives: the first column's, with `_2` and so on when it is taken.
    fn free_name(&self, column: Option<&str>) -> String {
        let stem = column.unwrap_or("functional_index");
        let names = (2..).map(|number: u32| format!("{stem}_{number}"));
        let taken = |name: &str| same_column_name(name, PRIMARY) || self.has(name);
        let free = std::iter::once(stem.to_owned()).chain(names).find(|name| !taken(name));
        free.unwrap_or_else(|| stem.to_owned())
    }

    /// Without the key of a name.
    pub fn drop_key(&mut self, name: &str) {
        self.list.retain(|key| !same_column_name(&key.name, name));
    }

    /// Without the primary key.
    pub fn drop_primary(&mut self) {
        self.drop_key(PRIMARY);
    }

    /// The keys' new names, all at once: the old names are those of the table as it was.
    pub fn rename_keys(&mut self, renames: &[(String, String)]) {
        for key in &mut self.list {
            if let Some((_, to)) = renames.iter().find(|(from, _)| same_column_name(from, &key.name)) {
                key.name.clone_from(to);
            }
        }
    }

    /// New names of columns, all at once.
    pub fn rename_columns(&mut self, renames: &[(String, String)]) {
        for column in self.list.iter_mut().flat_map(|key| &mut key.columns) {
            if let Some((_, to)) = renames.iter().find(|(from, _)| same_column_name(from, column)) {
                column.clone_from(to);
            }
        }
    }

    /// Without a column: it leaves its keys, and a key without columns is gone.
    pub fn drop_column(&mut self, name: &str) {
        self.list.retain_mut(|key| {
            let before = key.columns.len();
            key.columns.retain(|column| !same_column_name(column, name));
            key.columns.len() == before || !key.columns.is_empty()
        });
    }

    /// Puts the keys into the table and works out the record key.
    pub fn finish(mut self, table: &mut Table) {
        for name in self.list.iter_mut().flat_map(|key| &mut key.columns) {
            // In the spelling of the column.
            if let Some(column) = table.columns.iter().find(|column| same_column_name(&column.name, name)) {
                name.clone_from(&column.name);
            }
        }
        if let Some(primary) = self.list.iter().find(|key| key.kind == KeyKind::Primary) {
            for column in table.columns.iter_mut().filter(|column| primary.columns.contains(&column.name)) {
                if column.optional {
                    column::require(column);
                }
            }
        }
        let required =
            |name: &String| table.columns.iter().any(|column| column.name == *name && !column.optional);
        let usable = |key: &Key| match key.kind {
            KeyKind::Primary => true,
            KeyKind::Unique | KeyKind::UniquePrefix => key.columns.iter().all(required),
            KeyKind::Other => false,
        };
        self.list.sort_by_key(|key| match key.kind {
            KeyKind::Primary => (0, key.kind),
            KeyKind::Unique | KeyKind::UniquePrefix => (if usable(key) { 1 } else { 2 }, key.kind),
            KeyKind::Other => (3, key.kind),
        });
        let record_key = self.list.first().filter(|key| usable(key)).map(|key| key.columns.clone());
        table.primary_key_column_names = record_key.unwrap_or_default();
        table.unique_keys.clear();
        table.other_keys.clear();
        for Key { name, kind, columns } in self.list {
            if kind == KeyKind::Other {
                table.other_keys.push(OtherKey { name, columns });
            } else {
                table.unique_keys.push(UniqueKey { name, columns, prefix: kind == KeyKind::UniquePrefix });
            }
        }
    }
}

/// Whether a key over so many characters or bytes of a column leaves out some of it.
fn is_shorter(prefix: i32, column: &str, table: &Table) -> bool {
    table.column(column).and_then(|column| column.length).is_none_or(|length| prefix < length)
}

/// Whether a column is of the TEXT or BLOB family.
fn is_large(column: &str, table: &Table) -> bool {
    table.column(column).and_then(Column::data_type).is_some_and(DataType::is_large)
}

fn begins_with(key: &Key, columns: &[String]) -> bool {
    key.columns.len() >= columns.len()
        && key.columns.iter().zip(columns).all(|(known, wanted)| same_column_name(known, wanted))
}
