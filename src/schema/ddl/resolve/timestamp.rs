//! TIMESTAMP columns without `explicit_defaults_for_timestamp`, which MySQL 5.7 has off by itself.
//!
//! Such a column is NOT NULL where it does not say NULL. The first one of the statement, if it says nothing of a default
//! or of updates, gets CURRENT_TIMESTAMP for both; any other without a default gets the zero date. MariaDB's generated
//! columns are nullable all the same, and MariaDB gives the zero date to any required column that follows updates. (Manual:
//! "explicit_defaults_for_timestamp"; MySQL source: `promote_first_timestamp_column`.)

use crate::schema::data_type::DataType;
use crate::schema::database_schema::Flavor;
use crate::schema::ddl::statement::{
    Action, AlterSpec, ColumnDefinition, CreateTable, CreateTableBody, DefaultValue,
};

/// The zero date.
const ZERO: &str = "0000-00-00 00:00:00";

/// What decides of it.
#[derive(Clone, Copy)]
pub(crate) struct TimestampRules {
    /// `explicit_defaults_for_timestamp`.
    pub explicit: bool,
    /// Whose server it is.
    pub flavor: Flavor,
}

impl TimestampRules {
    /// Writes into a statement what its column definitions mean by saying nothing.
    pub(crate) fn apply(self, action: &mut Action) {
        match action {
            Action::CreateTable(CreateTable {
                body: CreateTableBody::Definition { columns, .. }, ..
            }) => {
                self.imply(columns.iter_mut());
            }
            Action::AlterTable(alter) => self.imply(alter.specs.iter_mut().filter_map(|spec| match spec {
                AlterSpec::AddColumn { column, .. } | AlterSpec::ChangeColumn { column, .. } => Some(column),
                _ => None,
            })),
            _ => {}
        }
    }

    fn imply<'a>(self, definitions: impl Iterator<Item = &'a mut ColumnDefinition>) {
        let mariadb = self.flavor == Flavor::MariaDb;
        let mut first = true;
        for definition in definitions {
            let timestamp = DataType::named(&definition.data_type.type_name) == Some(DataType::Timestamp)
                && !self.explicit;
            if timestamp && !(definition.generated && mariadb) {
                definition.nullable.get_or_insert(false);
            }
            let required = definition.nullable == Some(false) && !definition.generated;
            let open = required && definition.default.is_none();
            if open && timestamp && first && !definition.on_update {
                definition.default = Some(DefaultValue::CurrentTimestamp);
                definition.on_update = true;
            } else if open && (timestamp || (mariadb && definition.on_update)) {
                definition.default = Some(DefaultValue::Text(ZERO.to_owned()));
            }
            first &= !timestamp;
        }
    }
}
