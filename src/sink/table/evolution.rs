//! From the table as it is to the table as MySQL has it now: the additive part of schema evolution.
//!
//! no statement of MySQL's is translated. What is wanted comes as a whole ([`shape`]): the columns and the key that a
//! schema-change record or a changed record schema describes. It is compared with the columns that the server has, and the
//! difference is a list of statements:
//! - a new column is added with the value that MySQL gave to old rows, which is materialised at once;
//! - a type is widened to the least one that holds both the old values and the new ones, and never narrowed;
//! - a column gets NULL when MySQL allows it, and never loses it.
//!
//! The comparison is with the server and not with what was done before, so after a kill between two statements the same call
//! gives those that are left; that a default was materialised cannot be seen, so it is done again.
//!
//! Everything else is refused by name, and its table stops: columns that are gone or renamed, another key, another type of a
//! key, and conversions in which MySQL rewrote the values of old rows, since no row event tells of that.

use crate::error::{Classify, ErrorClass};
use crate::sink::table::adoption::ExistingTable;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::definition::{Identity, SourceTable, TableDefinition, usable_key};
use crate::sink::table::mapping::added_default::{AddedDefault, added_default};
use crate::sink::table::mapping::{
    ColumnRole, MappedColumn, MappingError, MappingOptions, SourceColumn, SourceType, map_column,
};

mod conversion;
pub mod shape;
mod statement_effect;

/// What has to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolution {
    /// The table when it is done.
    pub table: TableDefinition,
    /// The statements, in order; none when the server has all of it.
    pub steps: Vec<EvolutionStep>,
    /// Columns whose old rows hold values that are not known here: they must be read again.
    pub refresh: Vec<Refresh>,
}

/// One statement. All can be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvolutionStep {
    /// What it does.
    pub kind: StepKind,
    /// Its column.
    pub column: String,
    /// The statement.
    pub statement: String,
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// `ADD COLUMN IF NOT EXISTS`.
    Add,
    /// `MATERIALIZE COLUMN`: a mutation.
    Materialize,
    /// `MODIFY COLUMN` to a wider type: a mutation.
    Widen,
}

/// A column to be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refresh {
    /// The column.
    pub column: String,
    /// Why.
    pub reason: &'static str,
}

/// Why a table cannot follow. It stops, the others go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvolutionError {
    /// A statement that does more than its columns show.
    #[error("table {table}: {what}")]
    Statement {
        /// `database.table`.
        table: String,
        /// What it does.
        what: &'static str,
    },
    /// A column was renamed, or dropped and added again.
    #[error("table {table}: the column {column} was {what}")]
    Moved {
        /// See above.
        table: String,
        /// Its name before.
        column: String,
        /// What was done.
        what: &'static str,
    },
    /// A column is gone.
    #[error("table {table}: the column {column} was dropped or renamed")]
    Gone {
        /// See above.
        table: String,
        /// The column.
        column: String,
    },
    /// The server has lost a column.
    #[error("table {table}: the column {column} is not there any more")]
    Missing {
        /// See above.
        table: String,
        /// The column.
        column: String,
    },
    /// The key consists of other columns.
    #[error("table {table}: the key was ({present}) and is ({changed})")]
    Key {
        /// See above.
        table: String,
        /// The columns before.
        present: String,
        /// The columns now; none for no key.
        changed: String,
    },
    /// A column of the sorting key or the partition key would need another type.
    #[error("table {table}: the key column {column} is {present} and would have to be {wanted}")]
    KeyType {
        /// See above.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        present: String,
        /// The type that holds old and new values.
        wanted: String,
    },
    /// A table whose rows are told apart by the hash of all columns.
    #[error("table {table}: the hash of its rows would change with the column {column}")]
    RowHash {
        /// See above.
        table: String,
        /// The first column that is new or changed.
        column: String,
    },
    /// MySQL rewrote old rows, of which no row event tells.
    #[error("table {table}: the values of column {column} were converted by the server")]
    Rewritten {
        /// See above.
        table: String,
        /// The column.
        column: String,
    },
    /// No type holds old and new values.
    #[error("table {table}: the column {column} is {present}, and no type holds it and {wanted}")]
    Incompatible {
        /// See above.
        table: String,
        /// The column.
        column: String,
        /// Its type.
        present: String,
        /// The type of the new values.
        wanted: String,
    },
    /// A new column has the name of one of ours.
    #[error("table {table}: the new column {column} has the name of a column of the sink's")]
    MetaColumn {
        /// See above.
        table: String,
        /// The column.
        column: String,
    },
    /// A column of that name is there and computed.
    #[error("table {table}: the new column {column} is there already and {kind}")]
    Computed {
        /// See above.
        table: String,
        /// The column.
        column: String,
        /// ALIAS, MATERIALIZED or EPHEMERAL.
        kind: String,
    },
    /// One of its columns cannot be mapped.
    #[error("table {table}")]
    Column {
        /// See above.
        table: String,
        /// What is wrong with it.
        source: MappingError,
    },
}

impl Classify for EvolutionError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        match self {
            EvolutionError::MetaColumn { .. } | EvolutionError::Computed { .. } => {
                Some("rename that column in ClickHouse, or leave it out at the source".to_owned())
            }
            EvolutionError::Column { source, .. } => source.remedy(),
            _ => Some(
                "drop the table in ClickHouse and let the source read a new snapshot of it: it is made anew"
                    .to_owned(),
            ),
        }
    }
}

/// Compares the table that the sink writes, and the columns that the server has, with what MySQL has now.
///
/// `statement_seconds`: when the statement was run, in seconds since 1970.
pub fn evolve(
    present: &TableDefinition,
    existing: &ExistingTable,
    wanted: SourceTable<'_>,
    statement_seconds: u32,
    mapping: &MappingOptions,
) -> Result<Evolution, EvolutionError> {
    let comparison = Comparison { present, existing, wanted, statement_seconds, mapping };
    comparison.same_key()?;
    if let Some(gone) = present.columns.iter().find(|column| wanted.column(&column.name).is_none()) {
        return Err(EvolutionError::Gone { table: comparison.table(), column: gone.name.clone() });
    }
    let mut evolution = Evolution { table: present.clone(), steps: Vec::new(), refresh: Vec::new() };
    evolution.table.columns.clear();
    let mut after = None;
    for column in wanted.columns {
        let evolved = comparison.column(column, after, &mut evolution)?;
        evolution.table.columns.push(evolved);
        after = Some(column.name.as_str());
    }
    Ok(evolution)
}

/// What is compared.
struct Comparison<'a> {
    present: &'a TableDefinition,
    existing: &'a ExistingTable,
    wanted: SourceTable<'a>,
    statement_seconds: u32,
    mapping: &'a MappingOptions,
}

impl Comparison<'_> {
    fn table(&self) -> String {
        format!("{}.{}", self.present.database, self.present.table)
    }

    /// The order of a key's columns does not matter: it tells the same rows apart.
    fn same_key(&self) -> Result<(), EvolutionError> {
        let present: &[String] = match &self.present.identity {
            Identity::Key(key) => key,
            Identity::RowHash | Identity::None => &[],
        };
        let changed = usable_key(self.wanted).unwrap_or_default();
        if present.len() == changed.len() && present.iter().all(|column| changed.contains(column)) {
            return Ok(());
        }
        let (present, changed) = (present.join(", "), changed.join(", "));
        Err(EvolutionError::Key { table: self.table(), present, changed })
    }

    fn is_key(&self, name: &str) -> bool {
        matches!(&self.present.identity, Identity::Key(key) if key.iter().any(|column| column == name))
    }

    /// One column, as it will be.
    fn column(
        &self,
        wanted: &SourceColumn,
        after: Option<&str>,
        evolution: &mut Evolution,
    ) -> Result<MappedColumn, EvolutionError> {
        let name = wanted.name.as_str();
        let role =
            ColumnRole { key: self.is_key(name), low_cardinality: (self.wanted.low_cardinality)(name) };
        let mapped = map_column(wanted, role, self.mapping)
            .map_err(|source| EvolutionError::Column { table: self.table(), source })?;
        let known = self.present.columns.iter().find(|column| column.name == name);
        let there = self.existing.columns.iter().find(|column| column.name == name);
        let Some(there) = there else {
            return match known {
                Some(_) => Err(EvolutionError::Missing { table: self.table(), column: name.to_owned() }),
                None => self.added(wanted, mapped, after, evolution),
            };
        };
        let mut actual = ColumnType::parse(&there.column_type);
        if let Some(known) = known {
            if !conversion::keeps_values(&known.source_type, &wanted.source_type) {
                return Err(EvolutionError::Rewritten { table: self.table(), column: name.to_owned() });
            }
            if let Some(text) = integer_to_text(known, &actual, &mapped) {
                evolution.steps.push(self.widened(&mapped, text.clone(), &there.column_type)?);
                actual = text;
            }
        } else {
            if self.is_ours(name) {
                return Err(EvolutionError::MetaColumn { table: self.table(), column: name.to_owned() });
            }
            if !matches!(there.default_kind.as_str(), "" | "DEFAULT") {
                let (column, kind) = (name.to_owned(), there.default_kind.clone());
                return Err(EvolutionError::Computed { table: self.table(), column, kind });
            }
            self.filled(wanted, &mapped, evolution);
        }
        let Some(least) = actual.least_holding(&mapped.column_type) else {
            return Err(EvolutionError::Incompatible {
                table: self.table(),
                column: name.to_owned(),
                present: there.column_type.clone(),
                wanted: mapped.column_type.to_string(),
            });
        };
        if least != actual {
            evolution.steps.push(self.widened(&mapped, least.clone(), &there.column_type)?);
        }
        Ok(MappedColumn { column_type: least, ..mapped })
    }

    fn is_ours(&self, name: &str) -> bool {
        self.present.meta.typed().iter().any(|(ours, _)| *ours == name)
    }

    /// A new column.
    fn added(
        &self,
        wanted: &SourceColumn,
        mapped: MappedColumn,
        after: Option<&str>,
        evolution: &mut Evolution,
    ) -> Result<MappedColumn, EvolutionError> {
        let column = wanted.name.clone();
        if self.is_ours(&column) {
            return Err(EvolutionError::MetaColumn { table: self.table(), column });
        }
        if self.present.identity == Identity::RowHash {
            return Err(EvolutionError::RowHash { table: self.table(), column });
        }
        let default = added_default(wanted, &mapped, self.mapping);
        let statement = self.present.add_column(&mapped, &default, self.statement_seconds, after);
        evolution.steps.push(EvolutionStep { kind: StepKind::Add, column, statement });
        self.filled(wanted, &mapped, evolution);
        Ok(mapped)
    }

    /// What has to be done for the old rows of a new column that is there.
    fn filled(&self, wanted: &SourceColumn, mapped: &MappedColumn, evolution: &mut Evolution) {
        let column = wanted.name.clone();
        match added_default(wanted, mapped, self.mapping) {
            AddedDefault::Null => {}
            AddedDefault::Expression(_) | AddedDefault::StatementTime => {
                let statement = self.present.materialize_column(&column);
                evolution.steps.push(EvolutionStep { kind: StepKind::Materialize, column, statement });
            }
            AddedDefault::Refresh(reason) => evolution.refresh.push(Refresh { column, reason }),
        }
    }

    /// A wider type, which a key cannot get.
    fn widened(
        &self,
        mapped: &MappedColumn,
        column_type: ColumnType,
        present: &str,
    ) -> Result<EvolutionStep, EvolutionError> {
        let column = mapped.name.clone();
        if self.is_key(&column) || self.present.position_columns().contains(&column.as_str()) {
            let (present, wanted) = (present.to_owned(), column_type.to_string());
            return Err(EvolutionError::KeyType { table: self.table(), column, present, wanted });
        }
        if self.present.identity == Identity::RowHash {
            return Err(EvolutionError::RowHash { table: self.table(), column });
        }
        let statement = self.present.widen_column(&MappedColumn { column_type, ..mapped.clone() });
        Ok(EvolutionStep { kind: StepKind::Widen, column, statement })
    }
}

/// The text that an integer column becomes: both servers print the same digits, but for the zeros that only MySQL prints at the
/// front of a ZEROFILL column, which is always unsigned.
fn integer_to_text(known: &MappedColumn, actual: &ColumnType, mapped: &MappedColumn) -> Option<ColumnType> {
    let prints_alike =
        matches!(known.source_type, SourceType::TinyInt1 | SourceType::Integer { unsigned: false, .. });
    let is_integer = matches!(actual.value_type(), ColumnType::Int(_));
    (prints_alike && is_integer && *mapped.column_type.value_type() == ColumnType::String)
        .then(|| if actual.is_nullable() { ColumnType::String.nullable() } else { ColumnType::String })
}

#[cfg(test)]
mod tests;
