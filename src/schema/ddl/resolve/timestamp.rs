//! TIMESTAMP columns without `explicit_defaults_for_timestamp`, which MySQL 5.7 has off by itself.
//!
//! Such a column is NOT NULL where it does not say NULL. The first one of the statement, if it says nothing of a default
//! or of updates, gets CURRENT_TIMESTAMP for both; any other without a default gets the zero date. (Manual:
//! "explicit_defaults_for_timestamp"; MySQL source: `promote_first_timestamp_column`.)

use crate::schema::data_type::DataType;
use crate::schema::database_schema::Flavor;
use crate::schema::ddl::statement::{
    Action, AlterSpec, ColumnDefinition, CreateTable, CreateTableBody, DefaultValue,
};

/// Writes into a statement what its column definitions mean by saying nothing.
pub(crate) fn imply_defaults(action: &mut Action, flavor: Flavor) {
    match action {
        Action::CreateTable(CreateTable { body: CreateTableBody::Definition { columns, .. }, .. }) => {
            of_definitions(columns.iter_mut(), flavor);
        }
        Action::AlterTable(alter) => {
            let definitions = alter.specs.iter_mut().filter_map(|spec| match spec {
                AlterSpec::AddColumn { column, .. } | AlterSpec::ChangeColumn { column, .. } => Some(column),
                _ => None,
            });
            of_definitions(definitions, flavor);
        }
        _ => {}
    }
}

fn of_definitions<'a>(definitions: impl Iterator<Item = &'a mut ColumnDefinition>, flavor: Flavor) {
    let of_timestamps = |definition: &&mut ColumnDefinition| {
        DataType::named(&definition.data_type.type_name) == Some(DataType::Timestamp)
    };
    let mut first = true;
    // MariaDB's generated columns are nullable all the same.
    let concerned = |definition: &&mut ColumnDefinition| !(definition.generated && flavor == Flavor::MariaDb);
    for definition in definitions.filter(of_timestamps).filter(concerned) {
        let required = !*definition.nullable.get_or_insert(false);
        if required && definition.default.is_none() && !definition.generated {
            if first && !definition.on_update {
                definition.default = Some(DefaultValue::CurrentTimestamp);
                definition.on_update = true;
            } else {
                definition.default = Some(DefaultValue::Text("0000-00-00 00:00:00".to_owned()));
            }
        }
        first = false;
    }
}
