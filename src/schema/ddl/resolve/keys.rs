//! The keys of a table, and which of them is the record key.
//!
//! The record key is the primary key, else the first unique key without a nullable column (as Debezium has it in a
//! snapshot). It is worked out anew after every change, because both a dropped index and a column made NOT NULL can move
//! it. A primary key makes its columns NOT NULL; dropping it does not take that back. The server sorts its keys after each
//! statement and keeps them so: the primary key, unique keys without nullable columns, the others (`SHOW CREATE TABLE`
//! shows it). A key whose columns become NOT NULL later therefore stands behind those that had none before.
//!
//! After a recovery from table changes alone the unique keys are not known: then the recorded key is taken for the primary
//! key, and stays until it is dropped.

use crate::schema::ddl::statement::{KeyDefinition, KeyKind};
use crate::schema::table::{Table, UniqueKey, same_column_name};

const PRIMARY: &str = "PRIMARY";

/// The keys that may identify a row.
#[derive(Debug)]
pub(crate) struct Keys {
    list: Vec<UniqueKey>,
    /// Names of other keys of the same statement, for naming the nameless.
    taken: Vec<String>,
}

impl Keys {
    /// None yet.
    pub fn new() -> Self {
        Keys { list: Vec::new(), taken: Vec::new() }
    }

    /// Those of a table.
    pub fn of(table: &Table) -> Self {
        let mut keys = Keys { list: table.unique_keys.clone(), taken: Vec::new() };
        let recorded = &table.primary_key_column_names;
        if !recorded.is_empty() && !keys.list.iter().any(|key| key.columns == *recorded) {
            keys.list.insert(0, UniqueKey { name: PRIMARY.to_owned(), columns: recorded.clone() });
        }
        keys
    }

    /// One more.
    pub fn add(&mut self, definition: &KeyDefinition) {
        let first = definition.columns.as_ref().and_then(|columns| columns.first());
        let name = match (&definition.name, definition.kind) {
            (_, KeyKind::Primary) => PRIMARY.to_owned(),
            (Some(name), _) => name.clone(),
            (None, _) => self.free_name(first.map_or("functional_index", String::as_str)),
        };
        match (definition.kind, &definition.columns) {
            (KeyKind::Primary, Some(columns)) => {
                self.drop_key(PRIMARY);
                self.list.insert(0, UniqueKey { name, columns: columns.clone() });
            }
            (KeyKind::Unique, Some(columns)) => {
                self.list.push(UniqueKey { name, columns: columns.clone() });
            }
            _ => self.taken.push(name),
        }
    }

    /// A key over one column, from an attribute of the column.
    pub fn add_of_column(&mut self, column: &str, kind: KeyKind) {
        self.add(&KeyDefinition { kind, name: None, columns: Some(vec![column.to_owned()]) });
    }

    /// The name that MySQL gives: the first column's, with `_2` and so on when it is taken.
    fn free_name(&self, column: &str) -> String {
        let taken = |name: &str| {
            self.list
                .iter()
                .map(|key| &key.name)
                .chain(&self.taken)
                .any(|known| same_column_name(known, name))
        };
        let names = (2..).map(|number: u32| format!("{column}_{number}"));
        let free = std::iter::once(column.to_owned()).chain(names).find(|name| !taken(name));
        free.unwrap_or_else(|| column.to_owned())
    }

    /// Without the key of a name.
    pub fn drop_key(&mut self, name: &str) {
        self.list.retain(|key| !same_column_name(&key.name, name));
    }

    /// Without the primary key.
    pub fn drop_primary(&mut self) {
        self.drop_key(PRIMARY);
    }

    /// A key's new name.
    pub fn rename_key(&mut self, from: &str, to: &str) {
        for key in self.list.iter_mut().filter(|key| same_column_name(&key.name, from)) {
            key.name = to.to_owned();
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
        for key in &mut self.list {
            key.columns.retain(|column| !same_column_name(column, name));
        }
        self.list.retain(|key| !key.columns.is_empty());
    }

    /// Puts the keys into the table and works out the record key.
    pub fn finish(mut self, table: &mut Table) {
        for name in self.list.iter_mut().flat_map(|key| &mut key.columns) {
            // In the spelling of the column.
            if let Some(column) = table.columns.iter().find(|column| same_column_name(&column.name, name)) {
                name.clone_from(&column.name);
            }
        }
        if let Some(primary) = self.list.iter().find(|key| key.name == PRIMARY) {
            for column in table.columns.iter_mut().filter(|column| primary.columns.contains(&column.name)) {
                if column.optional {
                    column.optional = false;
                    column.has_default_value = column.default_value_expression.is_some();
                }
            }
        }
        let required =
            |name: &String| table.columns.iter().any(|column| column.name == *name && !column.optional);
        let usable = |key: &&UniqueKey| key.name == PRIMARY || key.columns.iter().all(required);
        self.list.sort_by_key(|key| match (key.name == PRIMARY, usable(&key)) {
            (true, _) => 0,
            (false, usable) => {
                if usable {
                    1
                } else {
                    2
                }
            }
        });
        let record_key = self.list.first().filter(usable).map(|key| key.columns.clone());
        table.primary_key_column_names = record_key.unwrap_or_default();
        table.unique_keys = self.list;
    }
}
