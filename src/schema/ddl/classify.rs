//! What kind of statement it is, by its leading words.
//!
//! Debezium publishes and stores some statements that touch no table, and filters others (its `ddl.filter`): both kinds
//! are told apart here, and are not read any further. A statement that may touch a table goes to its parser.

use crate::schema::ddl::cursor::Cursor;

/// What to do with a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    CreateTable,
    AlterTable,
    DropTable,
    RenameTable,
    TruncateTable,
    CreateIndex,
    DropIndex,
    CreateDatabase,
    AlterDatabase,
    DropDatabase,
    Use,
    Set,
    /// Recorded with its text.
    Other,
    /// Not recorded.
    Ignored,
}

/// Statements that are never recorded: rows, transactions, sessions, grants, table maintenance.
const IGNORED: &[&str] = &[
    "INSERT",
    "UPDATE",
    "DELETE",
    "REPLACE",
    "SELECT",
    "WITH",
    "LOAD",
    "CALL",
    "DO",
    "HANDLER",
    "VALUES",
    "TABLE",
    "BEGIN",
    "START",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT",
    "RELEASE",
    "XA",
    "LOCK",
    "UNLOCK",
    "GRANT",
    "REVOKE",
    "ANALYZE",
    "OPTIMIZE",
    "REPAIR",
    "CHECK",
    "CHECKSUM",
    "SHOW",
    "EXPLAIN",
    "DESCRIBE",
    "DESC",
    "HELP",
    "KILL",
    "PREPARE",
    "EXECUTE",
    "DEALLOCATE",
    "BINLOG",
    "PURGE",
    "CHANGE",
    "STOP",
    "RESET",
    "END",
];

/// Objects whose CREATE, ALTER and DROP are never recorded.
const IGNORED_OBJECTS: &[&str] =
    &["VIEW", "FUNCTION", "PROCEDURE", "TRIGGER", "USER", "ROLE", "SERVER", "AGGREGATE"];

/// The kind, and the cursor past the verb (of RENAME: before it).
pub(crate) fn classify(cursor: &mut Cursor<'_>) -> Kind {
    set_statement(cursor);
    if cursor.at_end() || cursor.is_any(IGNORED) {
        return Kind::Ignored;
    }
    if cursor.is_word(0, "RENAME") {
        return if cursor.is_word(1, "TABLE") || cursor.is_word(1, "TABLES") {
            Kind::RenameTable
        } else {
            Kind::Other
        };
    }
    if cursor.eat(&["CREATE"]) {
        return create(cursor);
    }
    if cursor.eat(&["ALTER"]) {
        return alter(cursor);
    }
    if cursor.eat(&["DROP"]) {
        return drop_kind(cursor);
    }
    if cursor.eat(&["TRUNCATE"]) {
        return Kind::TruncateTable;
    }
    if cursor.eat(&["USE"]) {
        return Kind::Use;
    }
    if cursor.eat(&["SET"]) {
        return Kind::Set;
    }
    if cursor.are_words(&["FLUSH", "RELAY"]) || cursor.are_words(&["FLUSH", "LOCAL", "RELAY"]) {
        return Kind::Ignored;
    }
    Kind::Other
}

/// MariaDB: `SET STATEMENT x=y, … FOR statement`.
fn set_statement(cursor: &mut Cursor<'_>) {
    if !cursor.are_words(&["SET", "STATEMENT"]) {
        return;
    }
    let mut ahead = cursor.clone();
    while !ahead.at_end() {
        if ahead.eat(&["FOR"]) {
            *cursor = ahead;
            return;
        }
        ahead.advance();
    }
}

fn create(cursor: &mut Cursor<'_>) -> Kind {
    let mut ahead = cursor.clone();
    ahead.eat(&["OR", "REPLACE"]);
    if ahead.is_any(&["TEMPORARY"]) {
        return Kind::Ignored;
    }
    if ahead.is_word(0, "TABLE") || ahead.are_words(&["EXTERNAL", "TABLE"]) {
        return Kind::CreateTable;
    }
    if ahead.is_any(&["DATABASE", "SCHEMA"]) {
        return Kind::CreateDatabase;
    }
    if is_index(&ahead) {
        return Kind::CreateIndex;
    }
    if after_clauses(&mut ahead).is_any(IGNORED_OBJECTS) { Kind::Ignored } else { Kind::Other }
}

/// `[ONLINE|OFFLINE] [UNIQUE|FULLTEXT|SPATIAL|VECTOR] INDEX`.
fn is_index(cursor: &Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    ahead.eat_any(&["ONLINE", "OFFLINE"]);
    ahead.eat_any(&["UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR"]);
    ahead.is_word(0, "INDEX")
}

/// Past ALGORITHM, DEFINER and SQL SECURITY.
fn after_clauses<'c, 'a>(cursor: &'c mut Cursor<'a>) -> &'c mut Cursor<'a> {
    loop {
        if cursor.is_any(&["ALGORITHM", "DEFINER"]) && cursor.is_symbol(1, '=') {
            cursor.advance();
            cursor.advance();
            // A user is one word, or `name`@`host` in pieces.
            cursor.advance();
            while !cursor.at_end() && (cursor.is_symbol(0, '@') || cursor.raw(0).starts_with('@')) {
                cursor.advance();
                if !cursor.is_any(IGNORED_OBJECTS) && !cursor.is_any(&["SQL", "EVENT"]) {
                    cursor.advance();
                }
            }
            if cursor.is_symbol(0, '(') && cursor.skip_parentheses().is_err() {
                return cursor;
            }
        } else if cursor.eat(&["SQL", "SECURITY"]) {
            cursor.advance();
        } else {
            return cursor;
        }
    }
}

fn alter(cursor: &mut Cursor<'_>) -> Kind {
    let mut ahead = cursor.clone();
    ahead.eat_any(&["ONLINE", "OFFLINE"]);
    ahead.eat(&["IGNORE"]);
    if ahead.is_word(0, "TABLE") {
        return Kind::AlterTable;
    }
    if ahead.is_any(&["DATABASE", "SCHEMA"]) {
        return Kind::AlterDatabase;
    }
    if after_clauses(&mut ahead).is_any(IGNORED_OBJECTS) { Kind::Ignored } else { Kind::Other }
}

fn drop_kind(cursor: &mut Cursor<'_>) -> Kind {
    if cursor.is_word(0, "TEMPORARY") || cursor.is_any(IGNORED_OBJECTS) {
        Kind::Ignored
    } else if cursor.is_any(&["TABLE", "TABLES"]) {
        Kind::DropTable
    } else if cursor.is_any(&["DATABASE", "SCHEMA"]) {
        Kind::DropDatabase
    } else if is_index(cursor) {
        Kind::DropIndex
    } else {
        // `DROP PREPARE` is a statement of the session.
        if cursor.is_word(0, "PREPARE") { Kind::Ignored } else { Kind::Other }
    }
}
