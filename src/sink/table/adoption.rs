//! Whether a table that is already there fits.
//!
//! A table is taken over when rows can go into it and mean the same: its engine replaces rows by a version, its sorting key is
//! ours, each of our columns is there in a type that holds its values, and a column says that a row was deleted. Further
//! columns may be there. Tables that MaterializedMySQL left behind fit: they have `_sign` instead of a deletion that the engine
//! knows, and both of their columns are MATERIALIZED, so that inserts need `insert_allow_materialized_columns`. Everything
//! that does not fit is named, all at once.

use std::fmt;

use crate::sink::clickhouse::system_tables::Table;
use crate::sink::table::column_type::{ColumnType, Width};
use crate::sink::table::definition::{Identity, TableDefinition};
use crate::sink::table::meta_columns::{DeletionMarker, MetaColumns};
use crate::sink::table::sorting_key::{ProvenKey, prove_partition_by, same_key};

/// A table as `system.tables` and `system.columns` describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExistingTable {
    /// `system.tables.engine`.
    pub engine: String,
    /// `system.tables.engine_full`: the engine with its arguments.
    pub engine_full: String,
    /// `system.tables.sorting_key`.
    pub sorting_key: String,
    /// `system.tables.partition_key`.
    pub partition_key: String,
    /// Its columns, in order.
    pub columns: Vec<ExistingColumn>,
}

/// A column of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExistingColumn {
    /// `name`.
    pub name: String,
    /// `type`.
    pub column_type: String,
    /// `default_kind`: empty, DEFAULT, MATERIALIZED, ALIAS or EPHEMERAL.
    pub default_kind: String,
}

/// How an existing table is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// The names of its version and deletion.
    pub meta: MetaColumns,
    /// Its partition key, proved.
    pub partition_by: Option<ProvenKey>,
    /// Whether inserts need `insert_allow_materialized_columns=1`.
    pub inserts_materialized: bool,
    /// MySQL's columns whose type there is wider than ours, with that type: values are encoded in it.
    pub wider: Vec<(String, ColumnType)>,
}

impl Adoption {
    /// The table as it is there: rows are encoded and named by it.
    pub fn apply(self, mut table: TableDefinition) -> TableDefinition {
        table.meta = self.meta;
        table.partition_by = self.partition_by;
        for (name, column_type) in self.wider {
            if let Some(column) = table.columns.iter_mut().find(|column| column.name == name) {
                column.column_type = column_type;
            }
        }
        table
    }
}

/// One thing that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The engine does not replace rows.
    Engine {
        /// What it is.
        actual: String,
    },
    /// No version that we can write: none, or of another type.
    Version {
        /// The engine's argument, or the column and its type.
        actual: String,
    },
    /// No deletion that we can write.
    Deletion {
        /// The column and its type, or what is missing.
        actual: String,
    },
    /// Another sorting key.
    SortingKey {
        /// Ours.
        expected: String,
        /// The table's.
        actual: String,
    },
    /// A partition key in which rows would be lost.
    PartitionKey {
        /// Why.
        reason: String,
    },
    /// A column is not there.
    MissingColumn {
        /// Ours.
        column: String,
        /// One that differs by case only.
        similar: Option<String>,
    },
    /// A column does not hold our values.
    NarrowColumn {
        /// The column.
        column: String,
        /// Our type.
        expected: String,
        /// The table's.
        actual: String,
    },
    /// A column is computed by the server.
    ComputedColumn {
        /// The column.
        column: String,
        /// ALIAS, MATERIALIZED or EPHEMERAL.
        kind: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Engine { actual } => {
                write!(out, "engine: expected a ReplacingMergeTree with a version, found {actual}")
            }
            Difference::Version { actual } => {
                write!(out, "version: expected a column UInt64 or Int64 in the engine, found {actual}")
            }
            Difference::Deletion { actual } => {
                write!(out, "deletion: expected a column UInt8 in the engine or Int8 _sign, found {actual}")
            }
            Difference::SortingKey { expected, actual } => {
                write!(out, "sorting key: expected {expected}, found {actual}")
            }
            Difference::PartitionKey { reason } => write!(out, "partition key: {reason}"),
            Difference::MissingColumn { column, similar: None } => write!(out, "column {column}: missing"),
            Difference::MissingColumn { column, similar: Some(similar) } => {
                write!(out, "column {column}: missing, but there is {similar}")
            }
            Difference::NarrowColumn { column, expected, actual } => {
                write!(out, "column {column}: expected {expected}, found {actual}, which does not hold it")
            }
            Difference::ComputedColumn { column, kind } => {
                write!(out, "column {column}: it is {kind}, so nothing can be inserted into it")
            }
        }
    }
}

impl From<&Table> for ExistingTable {
    fn from(table: &Table) -> Self {
        let columns = table.columns.iter().map(|column| ExistingColumn {
            name: column.name.clone(),
            column_type: column.column_type.clone(),
            default_kind: column.default_kind.clone(),
        });
        ExistingTable {
            engine: table.engine.clone(),
            engine_full: table.engine_full.clone(),
            sorting_key: table.sorting_key.clone(),
            partition_key: table.partition_key.clone(),
            columns: columns.collect(),
        }
    }
}

impl ExistingTable {
    fn column(&self, name: &str) -> Option<&ExistingColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Compares the table with what we would make.
    pub fn adopt(&self, wanted: &TableDefinition) -> Result<Adoption, Vec<Difference>> {
        let mut differences = Vec::new();
        let meta = self.meta(wanted, &mut differences);
        if !same_key(&self.sorting_key, &wanted.order_by.text()) {
            let (expected, actual) = (wanted.order_by.text(), format!("({})", self.sorting_key));
            differences.push(Difference::SortingKey { expected, actual });
        }
        let partition_by = self.partition_by(wanted, &mut differences);
        let wider = self.wider(wanted, &mut differences);
        match meta {
            Some(meta) if differences.is_empty() => {
                let ours = [meta.version.as_str(), meta.deletion.name()];
                let inserts_materialized = self.columns.iter().any(|column| {
                    column.default_kind == "MATERIALIZED" && ours.contains(&column.name.as_str())
                });
                Ok(Adoption { meta, partition_by, inserts_materialized, wider })
            }
            _ => Err(differences),
        }
    }

    /// Version and deletion, by the engine's arguments.
    fn meta(&self, wanted: &TableDefinition, differences: &mut Vec<Difference>) -> Option<MetaColumns> {
        let replaces = wanted.identity != Identity::None;
        let family = if replaces { "ReplacingMergeTree" } else { "MergeTree" };
        let fits =
            ["", "Replicated", "Shared"].iter().any(|prefix| self.engine == format!("{prefix}{family}"));
        if !fits {
            differences.push(Difference::Engine { actual: self.engine.clone() });
            return None;
        }
        let mut arguments = engine_arguments(&self.engine_full).into_iter();
        let (version, deletion) = if replaces {
            (arguments.next(), arguments.next())
        } else {
            (Some(wanted.meta.version.clone()), Some(wanted.meta.deletion.name().to_owned()))
        };
        let Some(version) = version else {
            differences.push(Difference::Version { actual: self.engine_full.clone() });
            return None;
        };
        let described = |name: &str| match self.column(name) {
            Some(column) => format!("{} {}", column.name, column.column_type),
            None => format!("no column {name}"),
        };
        let is_of = |name: &str, types: &[ColumnType]| {
            self.column(name).is_some_and(|column| {
                column.default_kind != "ALIAS" && types.contains(&ColumnType::parse(&column.column_type))
            })
        };
        if !is_of(&version, &[ColumnType::UInt(Width::Eight), ColumnType::Int(Width::Eight)]) {
            differences.push(Difference::Version { actual: described(&version) });
        }
        let deletion = match deletion {
            Some(name) if is_of(&name, &[ColumnType::UInt(Width::One), ColumnType::Bool]) => {
                DeletionMarker::IsDeleted(name)
            }
            Some(name) => {
                differences.push(Difference::Deletion { actual: described(&name) });
                return None;
            }
            None if is_of("_sign", &[ColumnType::Int(Width::One)]) => {
                DeletionMarker::Sign("_sign".to_owned())
            }
            None => {
                differences.push(Difference::Deletion { actual: described("_sign") });
                return None;
            }
        };
        let own = |name: &Option<String>| name.clone().filter(|name| self.column(name).is_some());
        let meta = MetaColumns {
            version,
            deletion,
            synced_at: own(&wanted.meta.synced_at),
            row_hash: wanted.meta.row_hash.clone(),
        };
        if let Some(column) =
            meta.row_hash.clone().filter(|name| !is_of(name, &[ColumnType::FixedString(16)]))
        {
            differences.push(Difference::MissingColumn { column, similar: None });
        }
        // A column of MySQL's that is the engine's version would be written twice.
        let ours = [meta.version.as_str(), meta.deletion.name()];
        if let Some(column) = wanted.columns.iter().find(|column| ours.contains(&column.name.as_str())) {
            differences.push(Difference::Version {
                actual: format!("{}, which is a column of MySQL's", column.name),
            });
        }
        Some(meta)
    }

    fn partition_by(&self, wanted: &TableDefinition, differences: &mut Vec<Difference>) -> Option<ProvenKey> {
        let identity = match &wanted.identity {
            Identity::Key(key) => key.as_slice(),
            Identity::RowHash | Identity::None => &[],
        };
        if same_key(&self.partition_key, "") {
            return None;
        }
        match prove_partition_by(&self.partition_key, identity, &wanted.columns) {
            Ok(proven) => Some(proven),
            Err(error) => {
                differences.push(Difference::PartitionKey { reason: error.to_string() });
                None
            }
        }
    }

    /// Compares MySQL's columns, and finds those that are wider here.
    fn wider(
        &self,
        wanted: &TableDefinition,
        differences: &mut Vec<Difference>,
    ) -> Vec<(String, ColumnType)> {
        let mut wider = Vec::new();
        for column in &wanted.columns {
            let name = column.name.clone();
            let Some(existing) = self.column(&name) else {
                let similar = self.columns.iter().find(|other| other.name.eq_ignore_ascii_case(&name));
                let similar = similar.map(|other| other.name.clone());
                differences.push(Difference::MissingColumn { column: name, similar });
                continue;
            };
            if !matches!(existing.default_kind.as_str(), "" | "DEFAULT") {
                let kind = existing.default_kind.clone();
                differences.push(Difference::ComputedColumn { column: name, kind });
                continue;
            }
            let actual = ColumnType::parse(&existing.column_type);
            if !actual.holds(&column.column_type) {
                let (expected, actual) = (column.column_type.to_string(), existing.column_type.clone());
                differences.push(Difference::NarrowColumn { column: name, expected, actual });
            } else if actual != column.column_type {
                wider.push((name, actual));
            }
        }
        wider
    }
}

/// The names among an engine's arguments; the texts before them are path and replica.
fn engine_arguments(engine_full: &str) -> Vec<String> {
    // Without arguments the next parenthesis is of a key.
    let after_name = engine_full.trim_start_matches(char::is_alphanumeric);
    let Some(rest) = after_name.strip_prefix('(') else { return Vec::new() };
    let mut names = Vec::new();
    let (mut name, mut quote, mut is_text) = (String::new(), None, false);
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => name.extend(characters.next()),
            (Some(open), close) if open == close => quote = None,
            (Some(_), inside) => name.push(inside),
            (None, '\'') => (quote, is_text) = (Some('\''), true),
            (None, '`') => quote = Some('`'),
            (None, ',' | ')') => {
                let argument = std::mem::take(&mut name);
                if !is_text && !argument.is_empty() {
                    names.push(argument);
                }
                is_text = false;
                if character == ')' {
                    break;
                }
            }
            (None, blank) if blank.is_whitespace() => {}
            (None, outside) => name.push(outside),
        }
    }
    names
}

#[cfg(test)]
mod tests;
