//! Keys and constraints: in CREATE TABLE, in ALTER TABLE … ADD, and as CREATE INDEX.
//!
//! Only what may identify a row is kept: the primary key and the unique keys with their columns. A prefix length does no
//! harm (what is unique in its first characters is unique), an expression makes the key unusable. (Manual: "CREATE INDEX
//! Statement".)

use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::statement::{Action, KeyDefinition, KeyKind};

/// A key or constraint, when one stands here in a list of columns and keys.
pub(crate) fn key(cursor: &mut Cursor<'_>) -> Parsed<Option<KeyDefinition>> {
    let mut name = None;
    if cursor.eat(&["CONSTRAINT"]) {
        cursor.eat_if_not_exists();
        if !cursor.is_any(&["PRIMARY", "UNIQUE", "FOREIGN", "CHECK"]) {
            name = Some(cursor.name()?);
            if cursor.eat_symbol('.') {
                name = Some(cursor.name()?);
            }
        }
    }
    if cursor.eat(&["PRIMARY", "KEY"]) {
        cursor.eat_if_not_exists();
        // A name is allowed here, and ignored.
        if cursor.is_name() && !cursor.is_word(0, "USING") && !cursor.is_word(0, "TYPE") {
            cursor.name()?;
        }
        return parts(cursor, KeyKind::Primary, None).map(Some);
    }
    if cursor.eat(&["UNIQUE"]) {
        cursor.eat_any(&["INDEX", "KEY"]);
        let own = index_name(cursor)?;
        return parts(cursor, KeyKind::Unique, own.or(name)).map(Some);
    }
    if cursor.eat(&["FOREIGN", "KEY"]) {
        cursor.eat_if_not_exists();
        if !cursor.is_symbol(0, '(') {
            cursor.name()?;
        }
        cursor.skip_parentheses()?;
        cursor.expect("REFERENCES", "REFERENCES")?;
        references(cursor)?;
        return other(name);
    }
    if cursor.eat(&["CHECK"]) {
        cursor.skip_parentheses()?;
        cursor.eat(&["NOT"]);
        cursor.eat(&["ENFORCED"]);
        return other(name);
    }
    let special = cursor.is_any(&["FULLTEXT", "SPATIAL"])
        || (cursor.is_word(0, "VECTOR") && (cursor.is_word(1, "INDEX") || cursor.is_word(1, "KEY")));
    if special {
        cursor.advance();
        cursor.eat_any(&["INDEX", "KEY"]);
        let own = index_name(cursor)?;
        return parts(cursor, KeyKind::Other, own).map(Some);
    }
    if cursor.eat_any(&["INDEX", "KEY"]) {
        let own = index_name(cursor)?;
        return parts(cursor, KeyKind::Other, own).map(Some);
    }
    if cursor.are_words(&["PERIOD", "FOR"]) {
        // MariaDB: `PERIOD FOR SYSTEM_TIME (a, b)`.
        cursor.advance();
        cursor.advance();
        cursor.name()?;
        return parts(cursor, KeyKind::Period, name).map(Some);
    }
    if name.is_some() {
        return Err(cursor.unexpected("a constraint"));
    }
    Ok(None)
}

fn other(name: Option<String>) -> Parsed<Option<KeyDefinition>> {
    Ok(Some(KeyDefinition { kind: KeyKind::Other, name, columns: None }))
}

/// `[IF NOT EXISTS] [name]` before the index type or the parts.
fn index_name(cursor: &mut Cursor<'_>) -> Parsed<Option<String>> {
    cursor.eat_if_not_exists();
    let kind_follows = cursor.is_any(&["USING", "TYPE"]) && !cursor.is_symbol(1, '(');
    if cursor.is_symbol(0, '(') || kind_follows { Ok(None) } else { cursor.name().map(Some) }
}

/// `[USING BTREE] (part, …) [option …]`.
fn parts(cursor: &mut Cursor<'_>, kind: KeyKind, name: Option<String>) -> Parsed<KeyDefinition> {
    if cursor.eat_any(&["USING", "TYPE"]) {
        cursor.name()?;
    }
    cursor.expect_symbol('(', "the columns of a key")?;
    let mut columns = Some(Vec::new());
    loop {
        if cursor.is_symbol(0, '(') {
            cursor.skip_parentheses()?;
            columns = None;
        } else {
            let column = cursor.column_name()?;
            if cursor.is_symbol(0, '(') {
                cursor.skip_parentheses()?;
            }
            if let Some(columns) = &mut columns {
                columns.push(column);
            }
        }
        cursor.eat_any(&["ASC", "DESC"]);
        // MariaDB: `period WITHOUT OVERLAPS`.
        cursor.eat(&["WITHOUT", "OVERLAPS"]);
        if !cursor.eat_symbol(',') {
            break;
        }
    }
    cursor.expect_symbol(')', "the end of the columns of a key")?;
    cursor.skip_to_comma()?;
    Ok(KeyDefinition { kind, name, columns })
}

/// What follows REFERENCES.
pub(crate) fn references(cursor: &mut Cursor<'_>) -> Parsed<()> {
    cursor.column_name()?;
    if cursor.is_symbol(0, '(') {
        cursor.skip_parentheses()?;
    }
    loop {
        if cursor.eat(&["MATCH"]) {
            cursor.name()?;
        } else if cursor.eat(&["ON", "DELETE"]) || cursor.eat(&["ON", "UPDATE"]) {
            if !(cursor.eat(&["SET", "NULL"])
                || cursor.eat(&["SET", "DEFAULT"])
                || cursor.eat(&["NO", "ACTION"])
                || cursor.eat_any(&["CASCADE", "RESTRICT"]))
            {
                return Err(cursor.unexpected("a reference option"));
            }
        } else {
            return Ok(());
        }
    }
}

/// TokuDB's `UNIQUE KEY CLUSTERING`.
pub(crate) fn skip_clustering(cursor: &mut Cursor<'_>) {
    cursor.eat(&["CLUSTERING"]);
}

/// `CREATE [OR REPLACE] [UNIQUE|FULLTEXT|SPATIAL] INDEX name … ON table (part, …)`, after CREATE.
pub(crate) fn create_index(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    cursor.eat_any(&["ONLINE", "OFFLINE"]);
    cursor.eat(&["OR", "REPLACE"]);
    let kind = if cursor.eat(&["UNIQUE"]) { KeyKind::Unique } else { KeyKind::Other };
    cursor.eat_any(&["FULLTEXT", "SPATIAL", "VECTOR"]);
    cursor.expect("INDEX", "INDEX")?;
    cursor.eat_if_not_exists();
    let name = cursor.name()?;
    if cursor.eat_any(&["USING", "TYPE"]) {
        cursor.name()?;
    }
    cursor.expect("ON", "ON")?;
    let table = cursor.table_id()?;
    let key = parts(cursor, kind, Some(name))?;
    cursor.skip_all();
    Ok(Action::CreateIndex { table, key })
}

/// `DROP INDEX [IF EXISTS] name ON table`, after DROP.
pub(crate) fn drop_index(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    cursor.eat_any(&["ONLINE", "OFFLINE"]);
    cursor.expect("INDEX", "INDEX")?;
    cursor.eat_if_exists();
    let name = cursor.name()?;
    cursor.expect("ON", "ON")?;
    let table = cursor.table_id()?;
    cursor.skip_all();
    Ok(Action::DropIndex { table, name })
}
