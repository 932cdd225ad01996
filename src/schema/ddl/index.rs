//! Keys and constraints: in CREATE TABLE, in ALTER TABLE … ADD, and as CREATE INDEX.
//!
//! What may identify a row is the primary key and the unique keys; of the others the names count, for a key without a name
//! is given one that is free. (Manual: "CREATE INDEX Statement".)

use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::statement::{Action, ColumnDefinition, KeyClause, KeyDefinition, KeyPart};

/// A key or constraint, when one stands here in a list of columns and keys.
pub(crate) fn key(cursor: &mut Cursor<'_>) -> Parsed<Option<KeyDefinition>> {
    let mut name = None;
    let mut if_not_exists = false;
    if cursor.eat(&["CONSTRAINT"]) {
        if_not_exists = cursor.eat_if_not_exists();
        if !cursor.is_any(&["PRIMARY", "UNIQUE", "FOREIGN", "CHECK"]) {
            name = Some(cursor.name()?);
            if cursor.eat_symbol('.') {
                name = Some(cursor.name()?);
            }
        }
    }
    let head = KeyDefinition { clause: KeyClause::Index, name, if_not_exists, parts: Vec::new() };
    if cursor.eat(&["PRIMARY", "KEY"]) {
        let head = KeyDefinition { clause: KeyClause::Primary, ..head };
        // A name is allowed here, and ignored.
        let head = KeyDefinition { name: None, ..index_name(cursor, head)? };
        return parts(cursor, head).map(Some);
    }
    if cursor.eat(&["UNIQUE"]) {
        cursor.eat_any(&["INDEX", "KEY"]);
        let head = index_name(cursor, KeyDefinition { clause: KeyClause::Unique, ..head })?;
        return parts(cursor, head).map(Some);
    }
    if cursor.eat(&["FOREIGN", "KEY"]) {
        let constraint = head.name.clone();
        let head = index_name(cursor, KeyDefinition { clause: KeyClause::ForeignKey, ..head })?;
        let key = parts(cursor, KeyDefinition { name: constraint.or(head.name), ..head })?;
        cursor.expect("REFERENCES", "REFERENCES")?;
        references(cursor)?;
        return Ok(Some(key));
    }
    if cursor.eat(&["CHECK"]) {
        cursor.skip_parentheses()?;
        cursor.eat(&["NOT"]);
        cursor.eat(&["ENFORCED"]);
        return Ok(Some(KeyDefinition { clause: KeyClause::Check, ..head }));
    }
    if cursor.are_words(&["PERIOD", "FOR"]) && cursor.is_symbol(3, '(') {
        cursor.advance();
        return period(cursor);
    }
    if head.name.is_some() {
        return Err(cursor.unexpected("a constraint"));
    }
    let vector = cursor.is_word(0, "VECTOR") && (cursor.is_word(1, "INDEX") || cursor.is_word(1, "KEY"));
    if vector || cursor.is_any(&["FULLTEXT", "SPATIAL"]) {
        cursor.advance();
        cursor.eat_any(&["INDEX", "KEY"]);
    } else if !cursor.eat_any(&["INDEX", "KEY"]) {
        return Ok(None);
    }
    let head = index_name(cursor, head)?;
    parts(cursor, head).map(Some)
}

/// MariaDB: `FOR SYSTEM_TIME (a, b)`, after PERIOD.
pub(crate) fn period(cursor: &mut Cursor<'_>) -> Parsed<Option<KeyDefinition>> {
    cursor.expect("FOR", "FOR")?;
    cursor.name()?;
    let head =
        KeyDefinition { clause: KeyClause::Period, name: None, if_not_exists: false, parts: Vec::new() };
    parts(cursor, head).map(Some)
}

/// `[IF NOT EXISTS] [name] [USING BTREE]` before the parts; the name that is written takes the place of the constraint's.
fn index_name(cursor: &mut Cursor<'_>, head: KeyDefinition) -> Parsed<KeyDefinition> {
    let if_not_exists = cursor.eat_if_not_exists() || head.if_not_exists;
    // `USING (a)` is a key named so.
    let type_follows = |cursor: &Cursor<'_>| cursor.is_any(&["USING", "TYPE"]) && !cursor.is_symbol(1, '(');
    let mut name = head.name;
    if !cursor.is_symbol(0, '(') && !type_follows(cursor) {
        name = Some(cursor.name()?);
    }
    if type_follows(cursor) {
        cursor.advance();
        cursor.name()?;
    }
    Ok(KeyDefinition { name, if_not_exists, ..head })
}

/// `(part, …) [option …]`. The options of a foreign key are its references, which the caller reads.
fn parts(cursor: &mut Cursor<'_>, head: KeyDefinition) -> Parsed<KeyDefinition> {
    cursor.expect_symbol('(', "the columns of a key")?;
    let mut parts = Vec::new();
    loop {
        parts.push(part(cursor)?);
        cursor.eat_any(&["ASC", "DESC"]);
        // MariaDB: `period WITHOUT OVERLAPS`.
        cursor.eat(&["WITHOUT", "OVERLAPS"]);
        if !cursor.eat_symbol(',') {
            break;
        }
    }
    cursor.expect_symbol(')', "the end of the columns of a key")?;
    if head.clause != KeyClause::ForeignKey {
        cursor.skip_to_comma()?;
    }
    Ok(KeyDefinition { parts, ..head })
}

fn part(cursor: &mut Cursor<'_>) -> Parsed<KeyPart> {
    if cursor.is_symbol(0, '(') {
        cursor.skip_parentheses()?;
        return Ok(KeyPart::Expression);
    }
    let name = cursor.column_name()?;
    let mut prefix = None;
    if cursor.eat_symbol('(') {
        prefix = Some(cursor.number()?);
        cursor.expect_symbol(')', "the end of a length")?;
    }
    Ok(KeyPart::Column { name, prefix })
}

/// The keys that a column has as attributes.
pub(crate) fn keys_of_column(column: &ColumnDefinition) -> impl Iterator<Item = KeyDefinition> {
    let of = |clause: KeyClause, wanted: bool| {
        let part = KeyPart::Column { name: column.name.clone(), prefix: None };
        wanted.then(|| KeyDefinition { clause, name: None, if_not_exists: false, parts: vec![part] })
    };
    [of(KeyClause::Primary, column.primary_key), of(KeyClause::Unique, column.unique_key)]
        .into_iter()
        .flatten()
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
    let or_replace = cursor.eat(&["OR", "REPLACE"]);
    cursor.eat_any(&["ONLINE", "OFFLINE"]);
    let clause = if cursor.eat(&["UNIQUE"]) { KeyClause::Unique } else { KeyClause::Index };
    cursor.eat_any(&["FULLTEXT", "SPATIAL", "VECTOR"]);
    cursor.expect("INDEX", "INDEX")?;
    let if_not_exists = cursor.eat_if_not_exists();
    let name = Some(cursor.name()?);
    if cursor.eat_any(&["USING", "TYPE"]) {
        cursor.name()?;
    }
    cursor.expect("ON", "ON")?;
    let table = cursor.table_id()?;
    let key = parts(cursor, KeyDefinition { clause, name, if_not_exists, parts: Vec::new() })?;
    cursor.skip_all();
    Ok(Action::CreateIndex { table, key, or_replace })
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
