//! The target table.
//!
//! A table has MySQL's columns in MySQL's order, then ours (`meta_columns`). What tells its rows apart is its *identity*:
//! - a key: ReplacingMergeTree keeps the row with the highest version for each key, and a deleted row is one whose newest
//!   version says so;
//! - the hash of the row, for a table without a key whose rows all differ: rows that are alike become one;
//! - nothing: each change is a row of its own in a MergeTree, an update two of them (the row before, marked as deleted, and
//!   the row after), so that live rows minus deleted ones are how often a row is there.
//!
//! Without a key and without such a choice a table is refused: in a ReplacingMergeTree without a sorting key all rows become
//! one.
//!
//! What is asked of the server with it is in `statements`. Manual: "ReplacingMergeTree".

use crate::config::sink::TableConfig;
use crate::config::sink::modes::{KeylessMode, TableEngine};
use crate::error::{Classify, ErrorClass};
use crate::sink::table::mapping::{
    ColumnRole, MappedColumn, MappingError, MappingOptions, SourceColumn, map_column,
};
use crate::sink::table::meta_columns::MetaColumns;
use crate::sink::table::sorting_key::{
    KeyError, ProvenKey, identity_key, prove_order_by, prove_partition_by,
};

mod cleanup;
mod statements;

/// What tells the rows of a table apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// These columns, in the order of the record's key.
    Key(Vec<String>),
    /// A hash of all columns.
    RowHash,
    /// Nothing.
    None,
}

/// What the configuration says of a table, besides its columns.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// The engine.
    pub engine: TableEngine,
    /// The path in Keeper and the name of the replica; the server's own where there are none.
    pub replica: Option<(String, String)>,
    /// `ON CLUSTER`.
    pub cluster: Option<String>,
    /// A sorting key instead of the identity.
    pub order_by: Option<String>,
    /// A partition key.
    pub partition_by: Option<String>,
    /// What becomes of a table without a key.
    pub keyless: KeylessMode,
    /// Whether it has the column of the time of arrival.
    pub synced_at: bool,
    /// Inserts whose tokens a table remembers.
    pub deduplication_window: u32,
}

impl TableOptions {
    /// What the configuration says of a table of MySQL, named `database.table`.
    pub fn of(config: &TableConfig, table: &str) -> Self {
        TableOptions {
            engine: config.engine,
            replica: config.replica.clone(),
            cluster: config.cluster.clone(),
            order_by: config.order_by(table).map(str::to_owned),
            partition_by: config.partition_by(table).map(str::to_owned),
            keyless: config.keyless,
            synced_at: config.synced_at,
            deduplication_window: config.deduplication_window,
        }
    }
}

/// A table that can be made.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDefinition {
    /// The database.
    pub database: String,
    /// The table.
    pub table: String,
    /// MySQL's columns.
    pub columns: Vec<MappedColumn>,
    /// Ours.
    pub meta: MetaColumns,
    /// What tells its rows apart.
    pub identity: Identity,
    /// The sorting key.
    pub order_by: ProvenKey,
    /// The partition key.
    pub partition_by: Option<ProvenKey>,
    engine: TableEngine,
    replica: Option<(String, String)>,
    cluster: Option<String>,
    deduplication_window: u32,
}

/// Why a table cannot be made. It stops, the others go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// It has no key.
    #[error("table {table}: it has neither a primary key nor a unique key without null")]
    Keyless {
        /// `database.table` in ClickHouse.
        table: String,
    },
    /// A column of its key is not among its columns.
    #[error("table {table}: the key column {column} is not in the row")]
    KeyColumn {
        /// `database.table` in ClickHouse.
        table: String,
        /// The column.
        column: String,
    },
    /// Two columns differ by nothing.
    #[error("table {table}: the column {column} is there twice")]
    DuplicateColumn {
        /// `database.table` in ClickHouse.
        table: String,
        /// The column.
        column: String,
    },
    /// One of its columns.
    #[error("table {table}")]
    Column {
        /// `database.table` in ClickHouse.
        table: String,
        /// What is wrong with it.
        source: MappingError,
    },
    /// Its sorting key or partition key.
    #[error("table {table}")]
    Key {
        /// `database.table` in ClickHouse.
        table: String,
        /// What is wrong with it.
        source: KeyError,
    },
}

impl Classify for DefinitionError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            DefinitionError::Keyless { .. } => Some(
                "give the table a primary key (sql_generate_invisible_primary_key=ON makes one), name columns in the \
                 source's message.key.columns, or set keyless.mode=append"
                    .to_owned(),
            ),
            DefinitionError::Key { .. } => Some("change table.order.by or table.partition.by".to_owned()),
            _ => None,
        }
    }
}

/// What the sink knows of the rows of a table: its columns and the key of its records.
#[derive(Clone, Copy)]
pub struct SourceTable<'a> {
    /// The columns of the row, in order.
    pub columns: &'a [SourceColumn],
    /// The columns of the record's key, in order; empty without one.
    pub key: &'a [String],
    /// Whether `low.cardinality.columns` names a column.
    pub low_cardinality: &'a dyn Fn(&str) -> bool,
}

impl TableDefinition {
    /// Puts a table together and proves its keys.
    pub fn new(
        database: &str,
        table: &str,
        source: SourceTable<'_>,
        mapping: &MappingOptions,
        options: &TableOptions,
    ) -> Result<Self, DefinitionError> {
        let named = || format!("{database}.{table}");
        let identity =
            identity(source, options.keyless).ok_or_else(|| DefinitionError::Keyless { table: named() })?;
        let key = match &identity {
            Identity::Key(key) => key.as_slice(),
            Identity::RowHash | Identity::None => &[],
        };
        let has = |name: &str| source.columns.iter().filter(|column| column.name == name).count();
        if let Some(column) = key.iter().find(|column| has(column) == 0) {
            return Err(DefinitionError::KeyColumn { table: named(), column: column.clone() });
        }
        if let Some(column) = source.columns.iter().find(|column| has(&column.name) > 1) {
            return Err(DefinitionError::DuplicateColumn { table: named(), column: column.name.clone() });
        }
        let map = |column: &SourceColumn| {
            let role = ColumnRole {
                key: key.contains(&column.name),
                low_cardinality: (source.low_cardinality)(&column.name),
            };
            map_column(column, role, mapping)
        };
        let columns: Vec<MappedColumn> = source
            .columns
            .iter()
            .map(map)
            .collect::<Result<_, _>>()
            .map_err(|source| DefinitionError::Column { table: named(), source })?;
        let names = columns.iter().map(|column| column.name.as_str());
        let meta = MetaColumns::beside(names, options.synced_at, identity == Identity::RowHash);
        let of_key = |source| DefinitionError::Key { table: named(), source };
        let order_by = match (&identity, &options.order_by) {
            (Identity::Key(key), Some(order_by)) => {
                prove_order_by(order_by, key, &columns).map_err(of_key)?
            }
            (Identity::Key(key), None) => identity_key(key),
            (Identity::RowHash, _) => identity_key(meta.row_hash.as_slice()),
            (Identity::None, _) => identity_key(std::slice::from_ref(&meta.version)),
        };
        let partition_by = match &options.partition_by {
            Some(partition_by) => Some(prove_partition_by(partition_by, key, &columns).map_err(of_key)?),
            None => None,
        };
        Ok(TableDefinition {
            database: database.to_owned(),
            table: table.to_owned(),
            columns,
            meta,
            identity,
            order_by,
            partition_by,
            engine: options.engine,
            replica: options.replica.clone(),
            cluster: options.cluster.clone(),
            deduplication_window: options.deduplication_window,
        })
    }

    /// The columns whose change moves a row: the old position needs a deletion, made from the row before.
    pub fn position_columns(&self) -> Vec<&str> {
        let keys = [Some(&self.order_by), self.partition_by.as_ref()];
        let mut columns: Vec<&str> = Vec::new();
        for column in keys.into_iter().flatten().flat_map(|key| &key.position_columns) {
            if !columns.contains(&column.as_str()) {
                columns.push(column);
            }
        }
        columns
    }
}

impl<'a> SourceTable<'a> {
    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&'a SourceColumn> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// The key that tells rows apart, if there is one. NULLs of a unique key are all different in MySQL and one in ClickHouse, so
/// a key with them is none.
pub(super) fn usable_key(source: SourceTable<'_>) -> Option<&[String]> {
    let allows_null = |name: &String| source.column(name).is_some_and(|column| column.nullable);
    (!source.key.is_empty() && !source.key.iter().any(allows_null)).then_some(source.key)
}

/// What tells the rows apart; none for a table to be refused.
fn identity(source: SourceTable<'_>, keyless: KeylessMode) -> Option<Identity> {
    if let Some(key) = usable_key(source) {
        return Some(Identity::Key(key.to_vec()));
    }
    match keyless {
        KeylessMode::Refuse => None,
        KeylessMode::Append => Some(Identity::None),
        KeylessMode::RowHash => Some(Identity::RowHash),
    }
}

#[cfg(test)]
mod tests;
