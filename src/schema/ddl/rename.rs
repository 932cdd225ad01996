//! RENAME TABLE.
//!
//! Pairs are carried out from left to right, so a swap goes over a third name. Each pair is a record of its own, with the
//! words before the first pair and the pair as its text. (Manual: "RENAME TABLE Statement".)

use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::statement::{Action, Renaming};

/// The whole statement, from RENAME. `text` is the statement with its comments.
pub(crate) fn rename_tables(cursor: &mut Cursor<'_>, text: &str) -> Parsed<Action> {
    let start = cursor.index();
    cursor.expect("RENAME", "RENAME")?;
    if !cursor.eat_any(&["TABLE", "TABLES"]) {
        return Err(cursor.unexpected("TABLE"));
    }
    cursor.eat_if_exists();
    let words = cursor.span_from(start);
    // Up to the first name, so that the space before it stays as it was.
    let first = cursor.peek(0).map_or(words.end, |token| token.span.start);
    let head = text.get(words.start..first).unwrap_or_default();
    let mut pairs = Vec::new();
    loop {
        let pair = cursor.index();
        let from = cursor.table_id()?;
        if cursor.eat(&["WAIT"]) {
            cursor.skip_one()?;
        }
        cursor.eat(&["NOWAIT"]);
        cursor.expect("TO", "TO")?;
        let to = cursor.table_id()?;
        let written = text.get(cursor.span_from(pair)).unwrap_or_default();
        pairs.push(Renaming { from, to, ddl: format!("{head}{written}") });
        if !cursor.eat_symbol(',') {
            break;
        }
    }
    if cursor.at_end() {
        Ok(Action::RenameTables(pairs))
    } else {
        Err(cursor.unexpected("a comma or the end"))
    }
}
