//! DROP TABLE and TRUNCATE TABLE.

use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::statement::Action;

/// After DROP.
pub(crate) fn drop_tables(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    if !cursor.eat_any(&["TABLE", "TABLES"]) {
        return Err(cursor.unexpected("TABLE"));
    }
    let if_exists = cursor.eat_if_exists();
    let mut tables = Vec::new();
    loop {
        tables.push(cursor.table_id()?);
        if !cursor.eat_symbol(',') {
            break;
        }
    }
    // RESTRICT and CASCADE do nothing; MariaDB has WAIT and NOWAIT.
    cursor.skip_all();
    Ok(Action::DropTables { if_exists, tables })
}

/// After TRUNCATE.
pub(crate) fn truncate(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    if cursor.is_word(0, "TABLE") && !cursor.at_end() && cursor.peek(1).is_some() && !cursor.is_symbol(1, '.')
    {
        cursor.advance();
    }
    let table = cursor.table_id()?;
    cursor.skip_all();
    Ok(Action::Truncate(table))
}
