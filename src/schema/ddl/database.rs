//! CREATE, ALTER and DROP DATABASE, USE, and SET.
//!
//! All that is kept of a database is its default character set, which its new tables get. (Manual: "CREATE DATABASE
//! Statement", "ALTER DATABASE Statement", "SET Syntax for Variable Assignment".)

use crate::schema::charset::collation;
use crate::schema::ddl::create_table;
use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::statement::{Action, CharsetChoice};
use crate::schema::ddl::token::TokenKind;

/// After CREATE.
pub(crate) fn create_database(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    let or_replace = cursor.eat(&["OR", "REPLACE"]);
    expect_database(cursor)?;
    let if_not_exists = cursor.eat_if_not_exists();
    let name = cursor.name()?;
    let charset = options(cursor)?;
    Ok(Action::CreateDatabase { name, if_not_exists, or_replace, charset })
}

/// After ALTER.
pub(crate) fn alter_database(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    expect_database(cursor)?;
    let option =
        cursor.is_any(&["DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "COMMENT"])
            && !cursor.at_end()
            && !option_is_a_name(cursor);
    let name = if option { None } else { Some(cursor.name()?) };
    let charset = options(cursor)?;
    Ok(Action::AlterDatabase { name, charset })
}

/// `ALTER DATABASE charset CHARSET latin1`: a name that looks like an option.
fn option_is_a_name(cursor: &Cursor<'_>) -> bool {
    ["DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "COMMENT"].iter().any(|word| {
        cursor.is_word(1, word) && !cursor.is_word(0, "DEFAULT") && !(cursor.is_word(0, "CHARACTER"))
    })
}

/// After DROP.
pub(crate) fn drop_database(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    expect_database(cursor)?;
    cursor.eat_if_exists();
    Ok(Action::DropDatabase { name: cursor.name()? })
}

/// After USE.
pub(crate) fn use_database(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    cursor.name().map(Action::Use)
}

fn expect_database(cursor: &mut Cursor<'_>) -> Parsed<()> {
    if cursor.eat_any(&["DATABASE", "SCHEMA"]) { Ok(()) } else { Err(cursor.unexpected("DATABASE")) }
}

fn options(cursor: &mut Cursor<'_>) -> Parsed<Option<CharsetChoice>> {
    let mut charset: Option<CharsetChoice> = None;
    while !cursor.at_end() {
        if let Some(choice) = create_table::charset_option(cursor, charset.as_ref())? {
            charset = Some(choice);
        } else {
            create_table::skip_option(cursor)?;
        }
    }
    Ok(charset)
}

/// After SET: the variables, of which `character_set_server` and `collation_server` matter. Assignments to user variables
/// alone are no statement of interest.
pub(crate) fn set(cursor: &mut Cursor<'_>) -> Parsed<Action> {
    if cursor.is_any(&["PASSWORD", "ROLE", "TRANSACTION"]) || cursor.are_words(&["DEFAULT", "ROLE"]) {
        cursor.skip_all();
        return Ok(Action::Ignored);
    }
    let (mut of_system, mut server_charset, mut collated) = (false, None, None);
    loop {
        let scope = cursor.is_any(&["GLOBAL", "SESSION", "LOCAL", "PERSIST", "PERSIST_ONLY"]);
        if scope && cursor.kind(1) == Some(TokenKind::Word) {
            cursor.advance();
        }
        let raw = cursor.raw(0).to_ascii_lowercase();
        of_system |=
            cursor.kind(0) == Some(TokenKind::Word) && (!raw.starts_with('@') || raw.starts_with("@@"));
        // `@@global.x` is cut at the point.
        while cursor.is_symbol(1, '.') {
            cursor.advance();
            cursor.advance();
        }
        let variable = cursor.raw(0).trim_start_matches('@').to_ascii_lowercase();
        cursor.advance();
        if cursor.eat_symbol('=') || cursor.eat_symbol(':') {
            match variable.as_str() {
                "character_set_server" if cursor.is_name() || cursor.kind(0) == Some(TokenKind::Text) => {
                    server_charset = Some(cursor.name_or_text()?);
                }
                "collation_server" if cursor.is_name() || cursor.kind(0) == Some(TokenKind::Text) => {
                    collated = collation::charset_of_collation(&cursor.name_or_text()?);
                }
                _ => {}
            }
        }
        cursor.skip_to_comma()?;
        if !cursor.eat_symbol(',') {
            break;
        }
    }
    cursor.skip_all();
    let server_charset = server_charset.or(collated).filter(|name| !name.eq_ignore_ascii_case("DEFAULT"));
    Ok(if of_system { Action::Set { server_charset } } else { Action::Ignored })
}
