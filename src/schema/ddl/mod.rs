//! DDL: from a statement's text to what it says.
//!
//! 1. *Preprocess*: comments become spaces; versioned comments run or not, by the server's version.
//! 2. *Tokenise*, under the statement's `sql_mode`; cut at semicolons.
//! 3. *Classify* by leading words: what touches no table is recorded or ignored without being read.
//! 4. *Parse* by recursive descent, one file a statement. What is not understood is an error with its place, never a guess.
//! 5. *Resolve* against the tables in force (`resolve`): character sets, keys, names.

mod alter_table;
mod classify;
mod column_definition;
mod create_table;
mod cursor;
mod data_type;
mod database;
mod default_value;
mod drop_truncate;
mod error;
mod index;
pub(crate) mod literal;
mod preprocess;
pub(crate) mod printed_table;
mod rename;
pub(crate) mod resolve;
pub mod row_statement;
pub(crate) mod session;
pub(crate) mod statement;
mod token;

use std::ops::Range;

use crate::schema::charset::Charset;
use crate::schema::database_schema::{SchemaOptions, Statement};
use crate::schema::ddl::classify::Kind;
use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::statement::Action;
use crate::schema::ddl::token::{SqlMode, Token, TokenKind};

pub use crate::schema::ddl::default_value::binary_default;
pub use crate::schema::ddl::error::DdlError;

/// One statement of a text.
#[derive(Debug)]
pub(crate) struct ParsedStatement {
    pub action: Action,
    /// Its text as published: from its first to its last word, a versioned comment around an end taken along, strings in
    /// double quotes put into single ones as Debezium does.
    pub ddl: String,
    /// The database that is current for it.
    pub database: String,
}

/// Reads all statements of a text.
pub(crate) fn parse(statement: &Statement<'_>, options: &SchemaOptions) -> Parsed<Vec<ParsedStatement>> {
    let mode = mode_of(statement).of(options.flavor);
    let client = statement.collation_client.and_then(Charset::of_client).unwrap_or(Charset::UTF8MB4);
    let clean = preprocess::preprocess(statement.text, mode, options.flavor, options.version);
    let (tokens, whole) = token::tokenize(&clean.text, mode);
    let mut out = Vec::new();
    let mut database = statement.database.to_owned();
    let mut rest = tokens.as_slice();
    let mut begin = 0;
    while !rest.is_empty() {
        let semicolon = rest.iter().position(|token| token.kind == TokenKind::Symbol(';'));
        let mut length = semicolon.unwrap_or(rest.len());
        let all = rest;
        let tokens = all.get(..length).unwrap_or_default();
        let mut cursor = Cursor::new(&clean.text, tokens, mode, &database).of_client(client);
        let kind = classify::classify(&mut cursor);
        if matches!(kind, Kind::Other | Kind::Ignored) {
            // A routine's body may hold semicolons; nothing after it is of interest.
            if may_have_body(&clean.text, all) {
                length = all.len();
            }
        } else if !whole && length == all.len() {
            return Err(unfinished(&clean.text, all));
        }
        let words = all.get(..length).unwrap_or_default();
        if !words.is_empty() {
            let action = read(kind, &mut cursor, statement.text)?;
            let end = all.get(length).map_or(statement.text.len(), |semicolon| semicolon.span.start);
            let ddl = published_text(statement.text, begin..end, words, &clean.executed);
            let next = if let Action::Use(name) = &action { Some(name.clone()) } else { None };
            out.push(ParsedStatement { action, ddl, database: database.clone() });
            if let Some(next) = next {
                database = next;
            }
        }
        begin = all.get(length).map_or(begin, |semicolon| semicolon.span.end);
        rest = all.get(length + 1..).unwrap_or_default();
    }
    Ok(out)
}

/// The mode in which a text is written: the session's, but for what the server itself writes, where backslashes always
/// escape (seen on 9.7).
fn mode_of(statement: &Statement<'_>) -> SqlMode {
    let mode = SqlMode::new(statement.sql_mode);
    if written_by_server(statement.text) { mode.with_backslash_escapes() } else { mode }
}

/// Whether a text is what the server writes for CREATE TABLE … SELECT and for CREATE TABLE LIKE a temporary table: in the
/// form of SHOW CREATE TABLE, and yet with START TRANSACTION (MySQL 9.7 and 8.0.21 on), or without the engine or the
/// character set that SHOW CREATE TABLE always names.
pub(crate) fn written_by_server(text: &str) -> bool {
    let created = text.starts_with("CREATE TABLE ") || text.starts_with("CREATE OR REPLACE TABLE ");
    let listed = text.contains("` (\n  `") || text.contains("\" (\n  \"");
    let complete = text.contains("\n) ENGINE=") && text.contains(" DEFAULT CHARSET=");
    created && listed && (text.contains("\n) START TRANSACTION") || !complete)
}

fn read(kind: Kind, cursor: &mut Cursor<'_>, text: &str) -> Parsed<Action> {
    match kind {
        Kind::CreateTable => create_table::create_table(cursor),
        Kind::AlterTable => alter_table::alter_table(cursor),
        Kind::DropTable => drop_truncate::drop_tables(cursor),
        Kind::RenameTable => rename::rename_tables(cursor, text),
        Kind::TruncateTable => drop_truncate::truncate(cursor),
        Kind::CreateIndex => index::create_index(cursor),
        Kind::DropIndex => index::drop_index(cursor),
        Kind::CreateDatabase => database::create_database(cursor),
        Kind::AlterDatabase => database::alter_database(cursor),
        Kind::DropDatabase => database::drop_database(cursor),
        Kind::Use => database::use_database(cursor),
        Kind::Set => database::set(cursor),
        Kind::Other => Ok(Action::Other),
        Kind::Ignored => Ok(Action::Ignored),
    }
}

/// Whether the statement is one that may hold a body of statements: a routine, a trigger, an event.
fn may_have_body(text: &str, tokens: &[Token]) -> bool {
    let first = tokens.first().and_then(|token| text.get(token.span.clone())).unwrap_or_default();
    first.eq_ignore_ascii_case("CREATE") || first.eq_ignore_ascii_case("ALTER")
}

fn unfinished(text: &str, tokens: &[Token]) -> DdlError {
    let position = tokens.last().map_or(0, |token| token.span.end);
    let excerpt = text.get(position..).unwrap_or_default().chars().take(40).collect();
    DdlError::Unparseable { position, excerpt, expected: "a complete token" }
}

/// The text of the words, which are all of `place`. A comment that goes on into the next statement is not taken along.
fn published_text(text: &str, place: Range<usize>, words: &[Token], executed: &[Range<usize>]) -> String {
    let start = words.first().map_or(0, |token| token.span.start);
    let end = words.last().map_or(start, |token| token.span.end);
    let outer = |at: usize| {
        let next = executed.partition_point(|comment| comment.end <= at);
        let is_here = |comment: &&Range<usize>| place.start <= comment.start && comment.end <= place.end;
        executed.get(next).filter(|comment| comment.contains(&at)).filter(is_here)
    };
    let first = outer(start).map_or(start, |comment| comment.start);
    let last = end.checked_sub(1).and_then(outer).map_or(end, |comment| comment.end);
    let mut out = String::with_capacity(last - first);
    let mut at = first;
    for token in words {
        let raw = text.get(token.span.clone()).unwrap_or_default();
        if token.kind == TokenKind::Text && raw.starts_with('"') {
            out.push_str(text.get(at..token.span.start).unwrap_or_default());
            out.push_str(&single_quoted(raw));
            at = token.span.end;
        }
    }
    out.push_str(text.get(at..last).unwrap_or_default());
    out
}

/// A string in double quotes, with its escapes, in single quotes.
fn single_quoted(raw: &str) -> String {
    let inner = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw);
    let mut out = String::from("'");
    let mut chars = inner.chars();
    while let Some(character) = chars.next() {
        out.push(character);
        match character {
            '\\' => out.extend(chars.next()),
            '\'' => out.push('\''),
            // The second of a doubled quote.
            '"' => drop(chars.next()),
            _ => {}
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::database_schema::Flavor;

    #[test]
    fn a_comment_around_several_statements_is_of_none() {
        let options = SchemaOptions { flavor: Flavor::MySql, version: 90_700, ..SchemaOptions::default() };
        for (text, published) in [
            (
                "/*!50700 DROP TABLE a */; /*!50700 DROP TABLE b */",
                ["/*!50700 DROP TABLE a */", "/*!50700 DROP TABLE b */"],
            ),
            ("DROP /*!50700 TABLE a */;DROP TABLE b", ["DROP /*!50700 TABLE a */", "DROP TABLE b"]),
            ("/*!50700 DROP TABLE a; DROP TABLE b */", ["DROP TABLE a", "DROP TABLE b"]),
            ("/*!50700 DROP TABLE a; DROP */ TABLE b", ["DROP TABLE a", "DROP */ TABLE b"]),
        ] {
            let statement = Statement { text, database: "d", ..Statement::default() };
            let parsed = parse(&statement, &options).unwrap();
            assert_eq!(parsed.iter().map(|one| one.ddl.as_str()).collect::<Vec<_>>(), published);
        }
        // Statements of 1 MB in such a comment had 10 GB of text.
        let text = format!("/*!50700 {}*/", "DROP TABLE a;".repeat(10_000));
        let statement = Statement { text: &text, database: "d", ..Statement::default() };
        let parsed = parse(&statement, &options).unwrap();
        assert!(parsed.iter().map(|one| one.ddl.len()).sum::<usize>() < text.len());
    }

    /// As they stand in the logs of MySQL 9.7 and 5.7 and MariaDB 10.11 when a client has latin1.
    #[test]
    fn statements_of_the_server_are_told_from_those_of_clients() {
        for (text, by_server) in [
            ("CREATE TABLE `sé` (\n  `é` int NOT NULL DEFAULT '0'\n) START TRANSACTION", true),
            ("CREATE TABLE `ké` (\n  `é` int DEFAULT NULL\n) ENGINE=InnoDB", true),
            ("CREATE TABLE `sé` (\n  `é` int(1) NOT NULL\n)", true),
            ("CREATE TABLE `t` (\n  `a` int DEFAULT NULL\n) ENGINE=InnoDB DEFAULT CHARSET=latin1", false),
            ("CREATE TABLE \"s\" (\n  \"a\" int NOT NULL\n) START TRANSACTION DEFAULT CHARSET=utf8mb4", true),
            ("create table `t` (\n  `a` int)", false),
            ("CREATE TABLE `t` (`a` int)", false),
        ] {
            assert_eq!(written_by_server(text), by_server, "{text}");
        }
    }
}
