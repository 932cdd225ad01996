//! ALTER TABLE, resolved as the server does it.
//!
//! All clauses speak of the table as it was. Existing columns are gone through once, in order: dropped ones go, changed
//! ones get their new definition in place, renamed ones their name; so two columns can swap names. Then new and moved
//! columns are put where they belong, one after the other: a moved one stays where it was until its turn. A new default
//! character set holds for every column of the statement that names none, wherever the option stands; CONVERT TO takes all
//! text columns along. In MariaDB both may stand in one statement; then the option is for the table, CONVERT TO for its
//! columns. (MySQL source: `mysql_prepare_alter_table`, `prepare_fields_and_keys`.)

use crate::schema::column::Column;
use crate::schema::database_schema::{DatabaseSchema, Flavor};
use crate::schema::ddl::DdlError;
use crate::schema::ddl::index;
use crate::schema::ddl::resolve::column;
use crate::schema::ddl::resolve::create_table::{number, require};
use crate::schema::ddl::resolve::keys::Keys;
use crate::schema::ddl::resolve::{text_length, timestamp};
use crate::schema::ddl::session::Session;
use crate::schema::ddl::statement::{
    AlterSpec, AlterTable, CharsetChoice, ColumnDefinition, KeyClause, KeyDefinition, Place,
};
use crate::schema::table::{Table, same_column_name};
use crate::schema::table_id::TableId;

/// The table after the statement; `database` is the current one.
pub(crate) fn alter(
    schema: &DatabaseSchema,
    before: &Table,
    statement: AlterTable,
    database: &str,
    session: &Session,
) -> Result<Table, DdlError> {
    let specs = statement.specs;
    let options = Options::of(schema, before, &specs, database, session);
    let mut columns = existing_columns(before, &specs, &options)?;
    place_columns(&mut columns, before, &specs, &options)?;
    let resizes = schema.options.flavor == Flavor::MySql && schema.options.version >= 80_000;
    if let Some(charset) = &options.convert_to {
        for column in &mut columns {
            if schema.options.flavor == Flavor::MariaDb {
                column::json_as_text(column);
            }
            convert(column, charset, before, &specs, resizes);
        }
    }
    let mut table = Table {
        id: options.id,
        columns,
        default_charset_name: options.charset,
        comment: options.comment,
        primary_key_column_names: Vec::new(),
        unique_keys: Vec::new(),
        other_keys: Vec::new(),
    };
    for spec in &specs {
        if let AlterSpec::AddKey(KeyDefinition { clause: KeyClause::Period, parts, .. }) = spec {
            require(&mut table, parts);
        }
    }
    number(&mut table);
    keys(before, &table, &specs).finish(&mut table);
    let lost = specs.iter().filter_map(|spec| match spec {
        AlterSpec::SetDefault { name, default: None, .. } => Some(name.as_str()),
        _ => None,
    });
    let lost: Vec<&str> = lost.collect();
    let rules = (statement.explicit_timestamps, schema.options.flavor);
    let definitions = specs.iter().filter_map(|spec| definition(spec, before));
    timestamp::finish(&mut table, definitions, &lost, rules, session);
    Ok(table)
}

/// What the statement says of the table as a whole.
struct Options {
    id: TableId,
    charset: Option<String>,
    convert_to: Option<String>,
    comment: Option<String>,
    comments: bool,
    session: Session,
}

impl Options {
    fn of(
        schema: &DatabaseSchema,
        before: &Table,
        specs: &[AlterSpec],
        database: &str,
        session: &Session,
    ) -> Self {
        let mut out = Options {
            id: before.id.clone(),
            charset: before.default_charset_name.clone(),
            convert_to: None,
            comment: before.comment.clone(),
            comments: schema.options.include_comments,
            session: session.clone(),
        };
        let named = |choice: &CharsetChoice| match choice {
            CharsetChoice::Named(name) => name.clone(),
            // MySQL takes the current database, MariaDB the table's (seen on 9.7 and 10.11).
            CharsetChoice::Default if schema.options.flavor == Flavor::MySql => {
                schema.charset_of_new_tables(database)
            }
            CharsetChoice::Default => schema.charset_of_new_tables(&before.id.database),
        };
        let mut default_named = false;
        for spec in specs {
            match spec {
                AlterSpec::RenameTable(name) => out.id = schema.canonical(name),
                AlterSpec::DefaultCharset(choice) => {
                    out.charset = Some(named(choice));
                    default_named = true;
                }
                AlterSpec::ConvertCharset(choice) => {
                    out.convert_to = Some(named(choice));
                    if !(default_named && schema.options.flavor == Flavor::MariaDb) {
                        out.charset.clone_from(&out.convert_to);
                    }
                }
                AlterSpec::Comment(comment) if out.comments => out.comment = Some(comment.clone()),
                _ => {}
            }
        }
        out
    }

    fn column(&self, definition: &ColumnDefinition) -> Column {
        let charset = self.convert_to.as_ref().or(self.charset.as_ref());
        column::column(definition, charset.map(String::as_str), self.comments, &self.session)
    }
}

/// The columns that there were, with what was done to them in place.
fn existing_columns(before: &Table, specs: &[AlterSpec], options: &Options) -> Result<Vec<Column>, DdlError> {
    let mut columns = Vec::with_capacity(before.columns.len());
    'columns: for old in &before.columns {
        let mut column = old.clone();
        for spec in specs {
            match spec {
                AlterSpec::DropColumn { name } if same_column_name(name, &old.name) => continue 'columns,
                AlterSpec::ChangeColumn { old_name, column: definition, .. }
                    if same_column_name(old_name, &old.name) =>
                {
                    column = options.column(definition);
                }
                AlterSpec::RenameColumn { from, to, .. } if same_column_name(from, &old.name) => {
                    column.name.clone_from(to);
                }
                AlterSpec::SetDefault { name, default, .. } if same_column_name(name, &old.name) => {
                    column::set_default(&mut column, default.as_ref(), &options.session);
                }
                _ => {}
            }
        }
        columns.push(column);
    }
    check_names(before, specs)?;
    Ok(columns)
}

/// Every changed column must be there. A new name that is there already, in place of the old one, is a statement read a
/// second time.
fn check_names(before: &Table, specs: &[AlterSpec]) -> Result<(), DdlError> {
    for spec in specs {
        let (name, new_name, if_exists) = match spec {
            AlterSpec::ChangeColumn { old_name, column, if_exists, .. } => {
                (old_name, &column.name, if_exists)
            }
            AlterSpec::RenameColumn { from, to, if_exists } => (from, to, if_exists),
            AlterSpec::SetDefault { name, if_exists, .. } => (name, name, if_exists),
            _ => continue,
        };
        if before.column(name).is_none() && before.column(new_name).is_none() && !if_exists {
            return Err(DdlError::UnknownColumn { table: before.id.clone(), column: name.clone() });
        }
    }
    Ok(())
}

/// New columns, and those that a change moves, in order of the statement.
fn place_columns(
    columns: &mut Vec<Column>,
    before: &Table,
    specs: &[AlterSpec],
    options: &Options,
) -> Result<(), DdlError> {
    for spec in specs {
        match spec {
            AlterSpec::AddColumn { column, place, if_not_exists } => {
                let known = columns.iter().position(|known| same_column_name(&known.name, &column.name));
                match known {
                    _ if *if_not_exists && before.column(&column.name).is_some() => {}
                    Some(_) if *if_not_exists => {}
                    Some(at) => {
                        // Read a second time.
                        if let Some(slot) = columns.get_mut(at) {
                            *slot = options.column(column);
                        }
                    }
                    None => insert(columns, options.column(column), place.as_ref(), &before.id)?,
                }
            }
            // Where the old name is not there, the statement is read a second time.
            AlterSpec::ChangeColumn { old_name, column, place: Some(place), if_exists }
                if before.column(old_name).is_some() || !if_exists =>
            {
                columns.retain(|known| !same_column_name(&known.name, &column.name));
                insert(columns, options.column(column), Some(place), &before.id)?;
            }
            AlterSpec::ChangeColumn { old_name, column, place: None, .. }
                if before.column(old_name).is_none() =>
            {
                if let Some(slot) =
                    columns.iter_mut().find(|known| same_column_name(&known.name, &column.name))
                {
                    *slot = options.column(column);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn insert(
    columns: &mut Vec<Column>,
    column: Column,
    place: Option<&Place>,
    table: &TableId,
) -> Result<(), DdlError> {
    let at = match place {
        None => columns.len(),
        Some(Place::First) => 0,
        Some(Place::After(name)) => {
            let found = columns.iter().position(|known| same_column_name(&known.name, name));
            let unknown = || DdlError::UnknownColumn { table: table.clone(), column: name.clone() };
            found.ok_or_else(unknown)? + 1
        }
    };
    columns.insert(at, column);
    Ok(())
}

/// The column that a clause defines; none where it says IF [NOT] EXISTS and has no effect.
fn definition<'a>(spec: &'a AlterSpec, before: &Table) -> Option<&'a ColumnDefinition> {
    let definition = spec.definition()?;
    let effective = match spec {
        AlterSpec::AddColumn { if_not_exists: true, .. } => before.column(&definition.name).is_none(),
        AlterSpec::ChangeColumn { old_name, if_exists: true, .. } => before.column(old_name).is_some(),
        _ => true,
    };
    effective.then_some(definition)
}

/// CONVERT TO: all text, that is everything with a character set but binary strings. Columns that the statement defines
/// have the type that they say, but for MySQL 8.0 and later those that it changes.
fn convert(column: &mut Column, charset: &str, before: &Table, specs: &[AlterSpec], resizes: bool) {
    let defines = |spec: &&AlterSpec| {
        definition(spec, before).is_some_and(|definition| same_column_name(&definition.name, &column.name))
    };
    let defined = specs.iter().find(defines);
    let is_text = column.charset_name.as_ref().is_some_and(|name| !name.eq_ignore_ascii_case("binary"));
    match defined {
        None if is_text => text_length::convert(column, charset),
        Some(_) if is_text => column.charset_name = Some(charset.to_owned()),
        _ => {}
    }
    if let (true, Some(AlterSpec::ChangeColumn { old_name, .. })) = (resizes, defined)
        && let Some(old) = before.column(old_name)
    {
        text_length::resize(column, old);
    }
}

/// The keys: what is dropped goes first, then keys and columns get their new names, then what is added comes.
pub(super) fn keys(before: &Table, after: &Table, specs: &[AlterSpec]) -> Keys {
    let mut keys = Keys::of(before);
    let (mut of_columns, mut of_keys) = (Vec::new(), Vec::new());
    for spec in specs {
        match spec {
            AlterSpec::DropPrimaryKey => keys.drop_primary(),
            AlterSpec::DropKey { name } => keys.drop_key(name),
            AlterSpec::DropColumn { name } => keys.drop_column(name),
            AlterSpec::RenameKey { from, to } => of_keys.push((from.clone(), to.clone())),
            AlterSpec::RenameColumn { from, to, .. } => of_columns.push((from.clone(), to.clone())),
            AlterSpec::ChangeColumn { old_name, column, .. } => {
                of_columns.push((old_name.clone(), column.name.clone()));
            }
            _ => {}
        }
    }
    keys.rename_keys(&of_keys);
    keys.rename_columns(&of_columns);
    for spec in specs {
        match spec {
            // MariaDB adds them even where the column was there already.
            AlterSpec::AddColumn { column, .. } => {
                index::keys_of_column(column).for_each(|key| keys.add(&key, after));
            }
            AlterSpec::ChangeColumn { old_name, column, if_exists, .. }
                if !*if_exists || before.column(old_name).is_some() =>
            {
                index::keys_of_column(column).for_each(|key| keys.add(&key, after));
            }
            AlterSpec::AddKey(key) => keys.add(key, after),
            _ => {}
        }
    }
    keys
}
