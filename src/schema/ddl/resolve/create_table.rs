//! CREATE TABLE, resolved.

use crate::schema::column::Column;
use crate::schema::database_schema::DatabaseSchema;
use crate::schema::ddl::resolve::column;
use crate::schema::ddl::resolve::keys::Keys;
use crate::schema::ddl::resolve::timestamp;
use crate::schema::ddl::session::Session;
use crate::schema::ddl::statement::{
    CharsetChoice, ColumnDefinition, CreateTable, CreateTableBody, KeyClause, KeyDefinition, KeyPart,
    TableOptions,
};
use crate::schema::table::{Table, same_column_name};
use crate::schema::table_id::TableId;

/// The new table; none where the statement changed nothing: the table existed (IF NOT EXISTS), the statement is read a
/// second time, or it copies a table that is not known.
pub(crate) fn create(schema: &DatabaseSchema, statement: CreateTable, session: &Session) -> Option<Table> {
    let id = schema.canonical(&statement.name);
    let known = schema.table(&id);
    if known.is_some() && statement.if_not_exists {
        return None;
    }
    let or_replace = statement.or_replace;
    let Some(table) = table(schema, statement, session) else {
        tracing::warn!(table = %id, "a table was created like one that is not known");
        return None;
    };
    // Without IF NOT EXISTS the server has found no such table: what is known is from this very statement, read before,
    // or out of date.
    let again = !or_replace && known.is_some_and(|known| is_same(known, &table));
    (!again).then_some(table)
}

/// The table that the statement describes; none when it copies one that is not known.
pub(crate) fn table(schema: &DatabaseSchema, statement: CreateTable, session: &Session) -> Option<Table> {
    let id = schema.canonical(&statement.name);
    Some(match statement.body {
        CreateTableBody::Like(other) => {
            let original = schema.table(&schema.canonical(&other))?;
            Table { id, ..Table::clone(original) }
        }
        CreateTableBody::Definition { columns, keys, options } => {
            let mut table = define(schema, id, &columns, &keys, options, session);
            let rules = (statement.explicit_timestamps, schema.options.flavor);
            timestamp::finish(&mut table, columns.iter(), &[], rules, session);
            table
        }
    })
}

/// The same as far as the stored history tells.
fn is_same(left: &Table, right: &Table) -> bool {
    let stored = |column: &Column| Column { default_is_expression: false, ..column.clone() };
    left.columns.iter().map(stored).eq(right.columns.iter().map(stored))
        && left.primary_key_column_names == right.primary_key_column_names
        && left.default_charset_name == right.default_charset_name
}

fn define(
    schema: &DatabaseSchema,
    id: TableId,
    columns: &[ColumnDefinition],
    keys: &[KeyDefinition],
    options: TableOptions,
    session: &Session,
) -> Table {
    let charset = match options.charset {
        Some(CharsetChoice::Named(name)) => name,
        Some(CharsetChoice::Default) | None => schema.charset_of_new_tables(&id.database),
    };
    let comments = schema.options.include_comments;
    let mut all_keys = Keys::new();
    let mut table = Table {
        id,
        columns: Vec::with_capacity(columns.len()),
        comment: options.comment.filter(|_| comments),
        default_charset_name: Some(charset.clone()),
        primary_key_column_names: Vec::new(),
        unique_keys: Vec::new(),
        other_keys: Vec::new(),
    };
    for definition in columns {
        table.columns.push(column::column(definition, Some(&charset), comments, session));
    }
    for key in keys {
        all_keys.add(key, &table);
        if key.clause == KeyClause::Period {
            require(&mut table, &key.parts);
        }
    }
    number(&mut table);
    all_keys.finish(&mut table);
    table
}

/// Makes columns NOT NULL.
pub(crate) fn require(table: &mut Table, parts: &[KeyPart]) {
    let listed = |column: &&mut Column| {
        parts.iter().any(|part| match part {
            KeyPart::Column { name, .. } => same_column_name(name, &column.name),
            KeyPart::Expression => false,
        })
    };
    table.columns.iter_mut().filter(listed).for_each(column::require);
}

/// Positions, from 1.
pub(crate) fn number(table: &mut Table) {
    for (column, position) in table.columns.iter_mut().zip(1..) {
        column.position = position;
    }
}
