//! Statements that change rows, as a server logs them with `binlog_format` STATEMENT or MIXED: not the rows, the text.
//!
//! Nobody can tell from the text what became of the rows, so all that matters is whether a captured table is concerned.
//! The table is read only where a statement has a single one right behind its verb; any other form may concern any table.

use crate::schema::database_schema::{SchemaOptions, Statement};
use crate::schema::ddl::cursor::Cursor;
use crate::schema::ddl::token::{SqlMode, TokenKind};
use crate::schema::ddl::{preprocess, token};
use crate::schema::table_id::TableId;

/// Verbs whose statement changes rows, or may call a function that does.
const VERBS: [&str; 8] = ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "SELECT", "DO", "CALL"];

/// What stands between the verb and the table.
const MODIFIERS: [&str; 7] = ["LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "QUICK", "IGNORE", "INTO", "FROM"];

/// A statement that changes rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowStatement {
    /// Its first word.
    pub verb: &'static str,
    /// The only table that it can have changed; none when that cannot be told.
    pub table: Option<TableId>,
}

/// Looks at a statement; none when it changes no rows.
pub(crate) fn row_statement(statement: &Statement<'_>, options: &SchemaOptions) -> Option<RowStatement> {
    let mode = SqlMode::new(statement.sql_mode).of(options.flavor);
    let clean = preprocess::preprocess(statement.text, mode, options.flavor, options.version);
    let (tokens, _) = token::tokenize(&clean.text, mode);
    let mut cursor = Cursor::new(&clean.text, &tokens, mode, statement.database);
    let verb = VERBS.into_iter().find(|verb| cursor.eat(&[verb]))?;
    while cursor.eat_any(&MODIFIERS) {}
    let table = cursor.table_id().ok();
    let single = match verb {
        "INSERT" | "REPLACE" => true,
        "UPDATE" => cursor.is_word(0, "SET"),
        "DELETE" => {
            cursor.at_end()
                || cursor.is_any(&["WHERE", "ORDER", "LIMIT"])
                || cursor.kind(0) == Some(TokenKind::Symbol(';'))
        }
        _ => false,
    };
    Some(RowStatement { verb, table: table.filter(|_| single) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_where_there_is_one() {
        let cases = [
            ("INSERT INTO a VALUES (1)", Some(("INSERT", Some("d.a")))),
            (
                "/* x */ insert low_priority ignore into `e`.`a` select * from b",
                Some(("INSERT", Some("e.a"))),
            ),
            ("REPLACE a SET x = 1", Some(("REPLACE", Some("d.a")))),
            ("UPDATE a SET x = 1", Some(("UPDATE", Some("d.a")))),
            ("UPDATE a, b SET x = 1", Some(("UPDATE", None))),
            ("UPDATE a JOIN b ON 1 SET x = 1", Some(("UPDATE", None))),
            ("DELETE FROM `a`", Some(("DELETE", Some("d.a")))),
            ("DELETE QUICK FROM a WHERE x = 1", Some(("DELETE", Some("d.a")))),
            ("DELETE a FROM a JOIN b", Some(("DELETE", None))),
            ("WITH c AS (SELECT 1) DELETE FROM a", Some(("WITH", None))),
            ("SELECT `d`.`f`(1)", Some(("SELECT", None))),
            ("CREATE TABLE a (x INT)", None),
            ("TRUNCATE a", None),
            ("", None),
        ];
        for (text, wanted) in cases {
            let statement = Statement { text, database: "d", ..Statement::default() };
            let found = row_statement(&statement, &SchemaOptions::default());
            let found = found.map(|found| (found.verb, found.table.map(|table| table.to_string())));
            assert_eq!(found, wanted.map(|(verb, table)| (verb, table.map(str::to_owned))), "{text}");
        }
    }
}
