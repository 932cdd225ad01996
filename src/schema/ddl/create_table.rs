//! CREATE TABLE.
//!
//! After the name come either LIKE, or a list of columns and keys, then table options, partitions, and a query. Of
//! `CREATE TABLE … SELECT` the binlog in row format holds the columns that the server found, followed by START
//! TRANSACTION; of a bare query only the declared columns are known. (Manual: "CREATE TABLE Statement".)

use crate::schema::charset::collation;
use crate::schema::ddl::column_definition;
use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::data_type;
use crate::schema::ddl::index;
use crate::schema::ddl::statement::{Action, CharsetChoice, CreateTable, CreateTableBody, TableOptions};

/// After CREATE.
pub(crate) fn create_table(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    let or_replace = cursor.eat(&["OR", "REPLACE"]);
    cursor.eat(&["EXTERNAL"]);
    cursor.expect("TABLE", "TABLE")?;
    let if_not_exists = cursor.eat_if_not_exists();
    let name = cursor.table_id()?;
    let body = if let Some(body) = like(cursor)? { body } else { definition(cursor)? };
    Ok(Action::CreateTable(CreateTable { name, or_replace, if_not_exists, explicit_timestamps: true, body }))
}

/// `LIKE other` or `(LIKE other)`.
fn like(cursor: &mut Cursor<'_>) -> Parsed<Option<CreateTableBody>> {
    let parenthesised = cursor.is_symbol(0, '(') && cursor.is_word(1, "LIKE");
    if parenthesised {
        cursor.advance();
    }
    if !cursor.eat(&["LIKE"]) {
        return Ok(None);
    }
    let other = cursor.table_id()?;
    cursor.skip_all();
    Ok(Some(CreateTableBody::Like(other)))
}

fn definition(cursor: &mut Cursor<'_>) -> Parsed<CreateTableBody> {
    let (mut columns, mut keys) = (Vec::new(), Vec::new());
    let query = cursor.is_symbol(0, '(')
        && (cursor.is_symbol(1, '(') || cursor.is_word(1, "SELECT") || cursor.is_word(1, "WITH"));
    if !query && cursor.eat_symbol('(') {
        loop {
            match index::key(cursor)? {
                Some(key) => keys.push(key),
                None => {
                    let column = column_definition::column(cursor)?;
                    keys.extend(index::keys_of_column(&column));
                    columns.push(column);
                }
            }
            if !cursor.eat_symbol(',') {
                break;
            }
        }
        cursor.expect_symbol(')', "a comma or the end of the columns")?;
    }
    let options = table_options(cursor)?;
    Ok(CreateTableBody::Definition { columns, keys, options })
}

/// The options up to partitions, a query or the end. Unknown ones are stepped over.
fn table_options(cursor: &mut Cursor<'_>) -> Parsed<TableOptions> {
    const END: &[&str] =
        &["PARTITION", "SELECT", "AS", "WITH", "VALUES", "TABLE", "IGNORE", "REPLACE", "START"];
    let mut options = TableOptions::default();
    while !cursor.at_end() {
        // MariaDB: WITH SYSTEM VERSIONING is an option, a WITH that begins a query is not.
        if cursor.eat(&["WITH", "SYSTEM", "VERSIONING"]) || cursor.eat_symbol(',') {
            continue;
        }
        // `START TRANSACTION ENGINE=InnoDB`: options may still follow.
        if cursor.eat(&["START", "TRANSACTION"]) {
            continue;
        }
        if cursor.is_any(END) || cursor.is_symbol(0, '(') {
            cursor.skip_all();
            break;
        }
        if let Some(choice) = charset_option(cursor, options.charset.as_ref())? {
            options.charset = Some(choice);
        } else if let Some(comment) = comment_option(cursor)? {
            options.comment = Some(comment);
        } else {
            skip_option(cursor)?;
        }
    }
    Ok(options)
}

/// `[DEFAULT] CHARACTER SET [=] x` or `[DEFAULT] COLLATE [=] x`. A collation beside a character set says nothing new.
pub(crate) fn charset_option(
    cursor: &mut Cursor<'_>,
    so_far: Option<&CharsetChoice>,
) -> Parsed<Option<CharsetChoice>> {
    let mut ahead = cursor.clone();
    ahead.eat(&["DEFAULT"]);
    if let Some(charset) = data_type::charset(&mut ahead)? {
        *cursor = ahead;
        let default = charset.eq_ignore_ascii_case("DEFAULT");
        return Ok(Some(if default { CharsetChoice::Default } else { CharsetChoice::Named(charset) }));
    }
    if ahead.eat(&["COLLATE"]) {
        ahead.eat_symbol('=');
        let collation = ahead.name_or_text()?;
        *cursor = ahead;
        let named = collation::charset_of_collation(&collation).map(CharsetChoice::Named);
        return Ok(Some(match (so_far, named) {
            (Some(choice), _) => choice.clone(),
            (None, Some(_)) if collation.eq_ignore_ascii_case("DEFAULT") => CharsetChoice::Default,
            (None, Some(named)) => named,
            (None, None) => CharsetChoice::Default,
        }));
    }
    Ok(None)
}

/// `COMMENT [=] 'x'`.
pub(crate) fn comment_option(cursor: &mut Cursor<'_>) -> Parsed<Option<String>> {
    if !cursor.eat(&["COMMENT"]) {
        return Ok(None);
    }
    cursor.eat_symbol('=');
    cursor.text().map(Some)
}

/// `name [=] value`, the value possibly in parentheses. Without an equals sign name and value are stepped over one by one.
pub(crate) fn skip_option(cursor: &mut Cursor<'_>) -> Parsed<()> {
    cursor.skip_one()?;
    if cursor.eat_symbol('=') && !cursor.at_end() {
        cursor.skip_one()?;
    }
    Ok(())
}
