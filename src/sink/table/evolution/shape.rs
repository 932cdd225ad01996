//! What MySQL's table is now, out of a record.
//!
//! A schema-change record describes the whole table with MySQL's own types. A snapshot drops and creates every table in that
//! topic before it reads them, which says nothing about the table itself, so only the description counts. Where there is no
//! such record, a changed record schema describes the row; a field that may stand for the type that the column had keeps it
//! (`connect_type`), so that a schema without MySQL's types widens nothing by itself.

use crate::connect::schema::{Field, Schema};
use crate::sink::record::schema_change::{ChangeType, SchemaChange, TableChange};
use crate::sink::table::definition::TableDefinition;
use crate::sink::table::evolution::EvolutionError;
use crate::sink::table::evolution::statement_effect::{Effect, effect};
use crate::sink::table::mapping::added_default::may_compute_defaults;
use crate::sink::table::mapping::connect_type::{source_column, stands_for};
use crate::sink::table::mapping::mysql_type::ChangedColumn;
use crate::sink::table::mapping::{AddedValue, MappingError, SourceColumn};

/// A table of MySQL's.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its columns, in order.
    pub columns: Vec<SourceColumn>,
    /// The columns of its key, in order.
    pub key: Vec<String>,
    /// When the statement was run, in seconds since 1970.
    pub statement_seconds: u32,
}

/// What a schema-change record says of one of its tables, for a table that the sink writes already; none when it asks for
/// nothing.
pub fn shape_of(change: &SchemaChange, table: &TableChange) -> Result<Option<Shape>, EvolutionError> {
    let named = || match table.names() {
        Some((database, table)) => format!("{database}.{table}"),
        None => table.id.clone(),
    };
    let statement = |what| EvolutionError::Statement { table: named(), what };
    let is_snapshot = change.source.snapshot.as_deref().is_some_and(|snapshot| snapshot != "false");
    let described = match (&table.table, table.kind) {
        (_, ChangeType::Drop) if is_snapshot => return Ok(None),
        (_, ChangeType::Drop) => return Err(statement("it was dropped")),
        (None, ChangeType::Create | ChangeType::Alter) => return Err(statement("it is not described")),
        (Some(described), ChangeType::Create | ChangeType::Alter) => described,
    };
    let ddl = change.ddl.as_deref().unwrap_or_default();
    if !is_snapshot {
        let has_column =
            |name: &str| described.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
        match effect(ddl, has_column) {
            Some(Effect::Table(what)) => return Err(statement(what)),
            Some(Effect::Column(column, what)) => {
                return Err(EvolutionError::Moved { table: named(), column, what });
            }
            None => {}
        }
    }
    let computes = may_compute_defaults(ddl);
    let column = |column: &ChangedColumn| {
        let mut column = column.source_column()?;
        // DEFAULT with an expression is not in the description.
        if computes && column.added == AddedValue::Implicit {
            column.added = AddedValue::Computed;
        }
        Ok(column)
    };
    let columns = described.columns.iter().map(column).collect::<Result<_, MappingError>>();
    Ok(Some(Shape {
        columns: columns.map_err(|source| EvolutionError::Column { table: named(), source })?,
        key: described.primary_key_column_names.clone().unwrap_or_default(),
        statement_seconds: u32::try_from(change.source.ts_ms.div_euclid(1000)).unwrap_or_default(),
    }))
}

/// What a changed record schema says: of the row, and the columns of the record's key.
pub fn shape_of_record(
    row: &Schema,
    key: &[String],
    present: &TableDefinition,
    record_seconds: u32,
) -> Result<Shape, EvolutionError> {
    let column = |field: &Field| {
        let mut column = source_column(&field.name, &field.schema)?;
        let known = present.columns.iter().find(|known| known.name == field.name && known.exact);
        if let Some(known) =
            known.filter(|known| !column.exact && stands_for(&column.source_type, &known.source_type))
        {
            column.source_type = known.source_type.clone();
            column.exact = true;
        }
        Ok(column)
    };
    let columns = row.fields.iter().map(column).collect::<Result<_, MappingError>>();
    let table = || format!("{}.{}", present.database, present.table);
    Ok(Shape {
        columns: columns.map_err(|source| EvolutionError::Column { table: table(), source })?,
        key: key.to_vec(),
        statement_seconds: record_seconds,
    })
}
