//! TIMESTAMP columns without `explicit_defaults_for_timestamp`, which MySQL 5.7 has off by itself.
//!
//! Such a column is NOT NULL where it does not say NULL. The first one of the table that comes out, if it has neither a
//! default nor follows updates, then gets CURRENT_TIMESTAMP for both; any other that the statement defines without a
//! default gets the zero date, but in MySQL not one of the primary key. A first one whose default a statement drops follows updates from then on; to MariaDB it is
//! the next statement that makes it so, and gives it the default as well. MariaDB's generated columns are nullable all the
//! same, and MariaDB gives the zero date to any required column that follows updates. (Manual:
//! "explicit_defaults_for_timestamp"; MySQL source: `promote_first_timestamp_column`; 5.7, 9.7 and MariaDB 10.11 were asked.)

use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::database_schema::Flavor;
use crate::schema::ddl::resolve::column::set_default;
use crate::schema::ddl::resolve::keys;
use crate::schema::ddl::session::Session;
use crate::schema::ddl::statement::{
    Action, AlterSpec, ColumnDefinition, CreateTable, CreateTableBody, DefaultValue,
};
use crate::schema::table::{Table, same_column_name};

/// The zero date.
const ZERO: &str = "0000-00-00 00:00:00";

/// Writes into a statement which of its columns are NOT NULL by saying nothing, and how its table is to be finished.
pub(crate) fn imply_not_null(action: &mut Action, explicit: bool, flavor: Flavor) {
    let imply = |definition: &mut ColumnDefinition| {
        let timestamp = DataType::named(&definition.data_type.type_name) == Some(DataType::Timestamp);
        if timestamp && !explicit && !(definition.generated && flavor == Flavor::MariaDb) {
            definition.nullable.get_or_insert(false);
        }
    };
    match action {
        Action::CreateTable(create) => {
            create.explicit_timestamps = explicit;
            if let CreateTable { body: CreateTableBody::Definition { columns, .. }, .. } = create {
                columns.iter_mut().for_each(imply);
            }
        }
        Action::AlterTable(alter) => {
            alter.explicit_timestamps = explicit;
            alter.specs.iter_mut().filter_map(AlterSpec::definition_mut).for_each(imply);
        }
        _ => {}
    }
}

/// Gives the columns of a table the defaults that a statement means by saying nothing.
pub(crate) fn finish<'a>(
    table: &mut Table,
    definitions: impl Iterator<Item = &'a ColumnDefinition>,
    without_default: &[&str],
    (explicit, flavor): (bool, Flavor),
    session: &Session,
) {
    let mariadb = flavor == Flavor::MariaDb;
    if explicit && !mariadb {
        return;
    }
    let definitions: Vec<&ColumnDefinition> = definitions.collect();
    let primary = keys::primary_key(table).to_vec();
    let mut first = true;
    for column in &mut table.columns {
        let definition = definitions.iter().find(|known| same_column_name(&known.name, &column.name));
        let instant = column.data_type().is_some_and(DataType::is_instant);
        if !instant {
            continue;
        }
        let timestamp = column.data_type() == Some(DataType::Timestamp) && !explicit;
        let generated = definition.is_some_and(|definition| definition.generated);
        let open = !column.optional && !column.has_default_value && !generated;
        let gets_zero = if mariadb {
            timestamp || column.auto_incremented
        } else {
            timestamp && !primary.iter().any(|name| same_column_name(name, &column.name))
        };
        if open && timestamp && first && !column.auto_incremented {
            let lost_now = without_default.iter().any(|name| same_column_name(name, &column.name));
            promote(column, (definition.is_some(), lost_now, mariadb), session);
        } else if open && definition.is_some() && gets_zero {
            set_default(column, Some(&DefaultValue::Text(ZERO.to_owned())), session);
        }
        first &= !timestamp;
    }
}

/// Makes the first TIMESTAMP column follow the time. One that was there before without a default may be a generated one in
/// MySQL, which stays as it is.
fn promote(column: &mut Column, (defined, lost_default_now, mariadb): (bool, bool, bool), session: &Session) {
    if defined || (mariadb && !lost_default_now) {
        set_default(column, Some(&DefaultValue::CurrentTimestamp), session);
    }
    if defined || mariadb != lost_default_now {
        column.auto_incremented = true;
        column.generated = true;
    }
}
