//! What a statement does to the tables in force, and the records that follow from it.
//!
//! A text is carried out statement by statement; then the records are made, from the tables as they are at the end, as
//! Debezium does: the third name of a swap by RENAME TABLE has no table any more. A record's `source.table` names all
//! tables of the neighbouring records of the same database.

mod alter_table;
mod column;
mod create_table;
mod keys;
mod text_length;
mod timestamp;

use std::collections::HashSet;
use std::sync::Arc;

use crate::connect::java_map::sort_as_java;
use crate::schema::charset::collation;
use crate::schema::column::Column;
use crate::schema::database_schema::{DatabaseSchema, Statement};
use crate::schema::ddl::literal::quote_name;
use crate::schema::ddl::resolve::keys::Keys;
use crate::schema::ddl::session::Session;
use crate::schema::ddl::statement::{Action, AlterSpec, AlterTable, CharsetChoice, KeyDefinition, Renaming};
use crate::schema::ddl::{DdlError, ParsedStatement, parse};
use crate::schema::schema_change::{SchemaChange, SchemaChangeKind};
use crate::schema::table::Table;
use crate::schema::table_change::{TableChange, TableChangeType};
use crate::schema::table_id::TableId;

/// Carries out a text.
pub(crate) fn apply(
    schema: &mut DatabaseSchema,
    statement: &Statement<'_>,
) -> Result<Vec<SchemaChange>, DdlError> {
    let parsed = read(schema, statement)?;
    // Only a text of several statements can fail half way.
    let before = (parsed.len() > 1).then(|| schema.clone());
    let mut effects = Effects::default();
    for one in parsed {
        if let Err(error) = effects.carry_out(schema, statement, one) {
            if let Some(before) = before {
                *schema = before;
            }
            return Err(error);
        }
    }
    Ok(effects.into_changes(schema, statement))
}

/// Reads a text, with what its session's `explicit_defaults_for_timestamp` makes of it.
fn read(schema: &DatabaseSchema, statement: &Statement<'_>) -> Result<Vec<ParsedStatement>, DdlError> {
    let mut parsed = parse(statement, &schema.options)?;
    let options = &schema.options;
    let session = statement.explicit_defaults_for_timestamp;
    let explicit = session.unwrap_or(options.explicit_defaults_for_timestamp);
    parsed.iter_mut().for_each(|one| timestamp::imply_not_null(&mut one.action, explicit, options.flavor));
    if statement.error_code != 0 {
        parsed.iter_mut().for_each(leave_rest_of_failure);
    }
    Ok(parsed)
}

/// What is left of a statement that failed: DROP took the tables that there were (MySQL 5.7), and CREATE OR REPLACE the one
/// that it was to replace (MariaDB).
fn leave_rest_of_failure(parsed: &mut ParsedStatement) {
    match &parsed.action {
        Action::DropTables { .. } | Action::DropDatabase { .. } => {}
        Action::CreateTable(create) if create.or_replace => {
            parsed.action = Action::DropTables { if_exists: true, tables: vec![create.name.clone()] };
        }
        _ => parsed.action = Action::Ignored,
    }
}

/// What a statement about one table would make of it, without doing it: the table's name before, and the table after.
/// None for other statements and for those that cannot be followed.
pub(crate) fn preview(schema: &DatabaseSchema, statement: &Statement<'_>) -> Option<(TableId, Table)> {
    let mut parsed = read(schema, statement).ok()?;
    let ParsedStatement { action, database, .. } = parsed.pop()?;
    if !parsed.is_empty() {
        return None;
    }
    let session = Session::of(statement, &schema.options);
    match action {
        Action::CreateTable(create) => {
            let table = create_table::table(schema, create, &session)?;
            Some((table.id.clone(), table))
        }
        Action::AlterTable(alter) => {
            let before = schema.table(&schema.canonical(&alter.name))?;
            Some((before.id.clone(), alter_table::alter(schema, before, alter, &database, &session).ok()?))
        }
        Action::CreateIndex { table, key, or_replace } => {
            let before = schema.table(&schema.canonical(&table))?;
            Some((before.id.clone(), with_keys(before, |keys| create_index(keys, before, &key, or_replace))))
        }
        Action::DropIndex { table, name } => {
            let before = schema.table(&schema.canonical(&table))?;
            Some((before.id.clone(), with_keys(before, |keys| keys.drop_key(&name))))
        }
        Action::RenameTables(mut pairs) => {
            let Renaming { from, to, .. } = pairs.pop()?;
            let before = schema.table(&schema.canonical(&from))?;
            Some((before.id.clone(), Table { id: schema.canonical(&to), ..Table::clone(before) }))
        }
        _ => None,
    }
}

/// CREATE INDEX; MariaDB's OR REPLACE drops the key of that name first.
fn create_index(keys: &mut Keys, table: &Table, key: &KeyDefinition, or_replace: bool) {
    if let (true, Some(name)) = (or_replace, &key.name) {
        keys.drop_key(name);
    }
    keys.add(key, table);
}

/// A table with the keys that an ALTER TABLE leaves to a table whose columns and record key are known already. None for other
/// statements, for one about another table or one that renames it, and where the record key comes out differently.
pub(crate) fn keys_after_alter(
    schema: &DatabaseSchema,
    statement: &Statement<'_>,
    after: &Table,
) -> Option<Table> {
    let mut parsed = parse(statement, &schema.options).ok()?;
    let Action::AlterTable(AlterTable { name, specs, .. }) = parsed.pop()?.action else { return None };
    let renames = specs.iter().any(|spec| matches!(spec, AlterSpec::RenameTable(_)));
    let before = schema.table(&schema.canonical(&name))?;
    if !parsed.is_empty() || renames || before.id != after.id {
        return None;
    }
    // Keys ask for the names of columns and for NULL alone.
    let columns = after.columns.iter().map(|column| Column {
        name: column.name.clone(),
        optional: column.optional,
        ..Column::default()
    });
    let mut table = Table { columns: columns.collect(), ..Table::named(after.id.clone()) };
    alter_table::keys(before, after, &specs).finish(&mut table);
    (table.primary_key_column_names == after.primary_key_column_names).then_some(table)
}

/// The name of the table that a CREATE TABLE makes.
pub(crate) fn created_table(schema: &DatabaseSchema, statement: &Statement<'_>) -> Option<TableId> {
    match parse(statement, &schema.options).ok()?.pop()?.action {
        Action::CreateTable(create) => Some(schema.canonical(&create.name)),
        _ => None,
    }
}

/// A table with other keys.
fn with_keys(before: &Table, change: impl FnOnce(&mut Keys)) -> Table {
    let mut keys = Keys::of(before);
    change(&mut keys);
    let mut after = Table::clone(before);
    keys.finish(&mut after);
    after
}

/// A record to be made, with the table that it is about.
#[derive(Debug)]
struct Effect {
    kind: SchemaChangeKind,
    database: String,
    ddl: String,
    table: Option<(TableId, Option<TableId>)>,
}

/// What the statements of a text did so far.
#[derive(Debug, Default)]
struct Effects {
    list: Vec<Effect>,
    /// Whether a statement is to be recorded that has no effect of its own.
    other: bool,
}

impl Effects {
    fn database(&mut self, kind: SchemaChangeKind, database: &str, ddl: String) {
        self.list.push(Effect { kind, database: database.to_owned(), ddl, table: None });
    }

    fn table(&mut self, kind: SchemaChangeKind, id: TableId, previous: Option<TableId>, ddl: String) {
        self.list.push(Effect { kind, database: id.database.clone(), ddl, table: Some((id, previous)) });
    }

    fn carry_out(
        &mut self,
        schema: &mut DatabaseSchema,
        statement: &Statement<'_>,
        parsed: ParsedStatement,
    ) -> Result<(), DdlError> {
        let ParsedStatement { action, ddl, database } = parsed;
        let session = Session::of(statement, &schema.options);
        match action {
            Action::CreateTable(create) => match create_table::create(schema, create, &session) {
                Some(table) => {
                    let id = table.id.clone();
                    schema.put(Arc::new(table));
                    self.table(SchemaChangeKind::CreateTable, id, None, ddl);
                }
                None => self.other = true,
            },
            Action::AlterTable(alter) => match schema.table(&schema.canonical(&alter.name)).cloned() {
                Some(before) => {
                    let after = alter_table::alter(schema, &before, alter, &database, &session)?;
                    let id = after.id.clone();
                    if id != before.id {
                        schema.remove(&before.id);
                    }
                    schema.put(Arc::new(after));
                    self.table(SchemaChangeKind::AlterTable, id, None, ddl);
                }
                None => self.other = true,
            },
            Action::DropTables { if_exists, tables } => {
                for name in tables {
                    let id = schema.canonical(&name);
                    schema.remove(&id);
                    let condition = if if_exists { "IF EXISTS " } else { "" };
                    let (database, table) = (quote_name(&id.database), quote_name(&id.table));
                    let ddl = format!("DROP TABLE {condition}{database}.{table}");
                    self.table(SchemaChangeKind::DropTable, id, None, ddl);
                }
            }
            Action::RenameTables(pairs) => self.rename_tables(schema, pairs),
            Action::Truncate(name) => {
                let id = schema.canonical(&name);
                let database = id.database.clone();
                self.database(SchemaChangeKind::TruncateTable(id), &database, ddl);
            }
            Action::CreateIndex { table, key, or_replace } => {
                self.change_keys(schema, &table, ddl, |keys, table| {
                    create_index(keys, table, &key, or_replace)
                });
            }
            Action::DropIndex { table, name } => {
                self.change_keys(schema, &table, ddl, |keys, _| keys.drop_key(&name));
            }
            Action::CreateDatabase { name, if_not_exists, or_replace, charset } => {
                if or_replace {
                    schema.remove_database(&name);
                }
                if !(if_not_exists && schema.database_charset(&name).is_some()) {
                    let charset = named(charset).unwrap_or_else(|| created_with(schema, statement));
                    schema.set_database_charset(&name, &charset);
                }
                self.database(SchemaChangeKind::CreateDatabase, &name, ddl);
            }
            Action::AlterDatabase { name, charset } => {
                let name = name.unwrap_or(database);
                if let Some(choice) = charset {
                    let charset = named(Some(choice)).unwrap_or_else(|| created_with(schema, statement));
                    schema.set_database_charset(&name, &charset);
                }
                self.database(SchemaChangeKind::AlterDatabase, &name, ddl);
            }
            Action::DropDatabase { name } => {
                schema.remove_database(&name);
                self.database(SchemaChangeKind::DropDatabase, &name, ddl);
            }
            Action::Use(name) => self.database(SchemaChangeKind::UseDatabase, &name, ddl),
            Action::Set { server_charset } => {
                if let Some(charset) = server_charset {
                    schema.options.server_charset = charset;
                }
                self.database(SchemaChangeKind::SetVariable, "", ddl);
            }
            Action::Other => self.other = true,
            Action::Ignored => {}
        }
        Ok(())
    }

    fn rename_tables(&mut self, schema: &mut DatabaseSchema, pairs: Vec<Renaming>) {
        for Renaming { from, to, ddl } in pairs {
            let (from, to) = (schema.canonical(&from), schema.canonical(&to));
            // A view has no table; its renaming is recorded all the same.
            if let Some(table) = schema.remove(&from) {
                schema.put(Arc::new(Table { id: to.clone(), ..Table::clone(&table) }));
            }
            self.table(SchemaChangeKind::AlterTable, to, Some(from), ddl);
        }
    }

    /// CREATE and DROP INDEX: a record of the table only when the record key changed.
    fn change_keys(
        &mut self,
        schema: &mut DatabaseSchema,
        name: &TableId,
        ddl: String,
        change: impl FnOnce(&mut Keys, &Table),
    ) {
        let Some(before) = schema.table(&schema.canonical(name)).cloned() else {
            self.other = true;
            return;
        };
        let after = with_keys(&before, |keys| change(keys, &before));
        if after.primary_key_column_names == before.primary_key_column_names {
            self.other = true;
        } else {
            self.table(SchemaChangeKind::AlterTable, after.id.clone(), None, ddl);
        }
        schema.put(Arc::new(after));
    }

    fn into_changes(self, schema: &DatabaseSchema, statement: &Statement<'_>) -> Vec<SchemaChange> {
        if self.list.is_empty() {
            let other = self.other.then(|| SchemaChange::other(statement.database, statement.text));
            return other.into_iter().collect();
        }
        let mut changes = Vec::with_capacity(self.list.len());
        for group in self.list.chunk_by(|left, right| left.database == right.database) {
            let tables = source_table(group);
            for effect in group {
                changes.push(change_of(effect, &tables, schema));
            }
        }
        changes
    }
}

/// The names of all tables of a group, in the order of Java's hash set of their full names.
fn source_table(group: &[Effect]) -> Arc<str> {
    let (mut names, mut seen): (Vec<(String, &str)>, _) = (Vec::new(), HashSet::new());
    for (id, _) in group.iter().filter_map(|effect| effect.table.as_ref()) {
        let full = id.to_string();
        if seen.insert(full.clone()) {
            names.push((full, &id.table));
        }
    }
    sort_as_java(&mut names, |(full, _)| full);
    names.iter().map(|(_, table)| *table).collect::<Vec<_>>().join(",").into()
}

fn change_of(effect: &Effect, tables: &Arc<str>, schema: &DatabaseSchema) -> SchemaChange {
    let mut table_changes = Vec::new();
    if let Some((id, previous)) = &effect.table {
        let table = schema.table(id).cloned();
        let kind = match effect.kind {
            SchemaChangeKind::CreateTable => TableChangeType::Create,
            SchemaChangeKind::DropTable => TableChangeType::Drop,
            _ => TableChangeType::Alter,
        };
        let gone = kind == TableChangeType::Drop;
        if gone || table.is_some() {
            let table = if gone { None } else { table };
            table_changes.push(TableChange { kind, id: id.clone(), previous_id: previous.clone(), table });
        }
    }
    let source_table = match effect.kind {
        SchemaChangeKind::AlterDatabase => Some(Arc::default()),
        _ => effect.table.is_some().then(|| Arc::clone(tables)),
    };
    SchemaChange {
        kind: effect.kind.clone(),
        database: effect.database.clone(),
        ddl: effect.ddl.clone(),
        table_changes,
        source_table,
    }
}

fn named(choice: Option<CharsetChoice>) -> Option<String> {
    match choice {
        Some(CharsetChoice::Named(name)) => Some(name),
        Some(CharsetChoice::Default) | None => None,
    }
}

/// The character set of a database that names none: the session's `collation_server`.
fn created_with(schema: &DatabaseSchema, statement: &Statement<'_>) -> String {
    let session = statement.collation_server.and_then(collation::charset_of_collation_id);
    session.map_or_else(|| schema.options.server_charset.clone(), str::to_owned)
}
