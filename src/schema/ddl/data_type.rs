//! The data type in a column definition, and what Debezium keeps of it.
//!
//! The type name (all of them: `schema::data_type`) is the type as written, in upper case, with the words that follow it
//! (`INT UNSIGNED ZEROFILL`, `VARCHAR BINARY`, `DOUBLE PRECISION`); synonyms are not replaced. The number is of
//! java.sql.Types. Length and scale are what stands in parentheses; DECIMAL is (10,0), BIT (1), ENUM 1 and SET 2n - 1 by
//! themselves, and a length of 0 for CHAR, VARCHAR and their binary kin is shown as 10. All of it was read off schema
//! histories that Debezium 3.6.1 wrote. (MySQL manual: "Data Types"; MariaDB manual: "Data Types".)

use crate::schema::data_type::{DataType, Syntax, longest_spelling};
use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::literal;
use crate::schema::ddl::statement::{ColumnCharset, DeclaredType, Member};
use crate::schema::ddl::token::TokenKind;

/// A data type with everything that belongs to it.
pub(crate) fn data_type(cursor: &mut Cursor<'_>) -> Parsed<DeclaredType> {
    let Some(mut spelling) = longest_spelling(|words| cursor.are_words(words)) else {
        return Err(cursor.unexpected("a data type"));
    };
    cursor.eat(spelling.words);
    let meant = cursor.mode.data_type(spelling.data_type);
    if meant != spelling.data_type {
        spelling = meant.spelling();
    }
    let data_type = spelling.data_type;
    let mut out = DeclaredType {
        jdbc_type: spelling.jdbc_type,
        type_name: spelling.words.join(" "),
        length: None,
        scale: None,
        charset: ColumnCharset::None,
        members: Vec::new(),
        serial: false,
    };
    match spelling.syntax {
        Syntax::Number => {
            dimension(cursor, &mut out)?;
            sign(cursor, &mut out);
            if data_type == DataType::Decimal {
                out.length = out.length.or(Some(10));
                out.scale = out.scale.or(Some(0));
            }
        }
        Syntax::Plain => {
            dimension(cursor, &mut out)?;
            if data_type == DataType::Bit {
                out.length = out.length.or(Some(1));
            }
        }
        Syntax::Text => {
            out.charset = ColumnCharset::Table;
            dimension(cursor, &mut out)?;
            text_attributes(cursor, data_type, &mut out)?;
        }
        Syntax::National => {
            out.charset = ColumnCharset::Named("utf8".to_owned());
            dimension(cursor, &mut out)?;
            if cursor.eat(&["BINARY"]) {
                out.type_name.push_str(" BINARY");
            }
        }
        Syntax::Members => {
            out.charset = ColumnCharset::Table;
            members(cursor, &mut out)?;
            text_attributes(cursor, data_type, &mut out)?;
        }
        Syntax::Serial => {
            out.type_name = "BIGINT UNSIGNED".to_owned();
            out.serial = true;
        }
    }
    let sized = [DataType::Char, DataType::VarChar, DataType::Binary, DataType::VarBinary];
    if out.length == Some(0) && sized.contains(&data_type) {
        out.length = Some(10);
    }
    Ok(out)
}

/// `(length[, scale])`.
fn dimension(cursor: &mut Cursor<'_>, out: &mut DeclaredType) -> Parsed<()> {
    if !cursor.eat_symbol('(') {
        return Ok(());
    }
    // VARCHAR2(10 CHAR) is Oracle's, which MariaDB takes; MAX is nobody's.
    out.length = Some(cursor.number()?);
    if cursor.eat_symbol(',') {
        out.scale = Some(cursor.number()?);
    }
    cursor.eat_any(&["CHAR", "BYTE"]);
    cursor.expect_symbol(')', "the end of a length")
}

/// SIGNED, UNSIGNED and ZEROFILL in any order. ZEROFILL is UNSIGNED too, and Debezium prints both.
fn sign(cursor: &mut Cursor<'_>, out: &mut DeclaredType) {
    let (mut signed, mut unsigned, mut zerofill) = (false, false, false);
    loop {
        if cursor.eat(&["SIGNED"]) {
            signed = true;
        } else if cursor.eat(&["UNSIGNED"]) {
            unsigned = true;
        } else if cursor.eat(&["ZEROFILL"]) {
            zerofill = true;
        } else {
            break;
        }
    }
    if unsigned || zerofill {
        out.type_name.push_str(" UNSIGNED");
    } else if signed {
        out.type_name.push_str(" SIGNED");
    }
    if zerofill {
        out.type_name.push_str(" ZEROFILL");
    }
}

/// The members of ENUM and SET.
fn members(cursor: &mut Cursor<'_>, out: &mut DeclaredType) -> Parsed<()> {
    cursor.expect_symbol('(', "the members of ENUM or SET")?;
    loop {
        out.members.push(member(cursor)?);
        if !cursor.eat_symbol(',') {
            break;
        }
    }
    cursor.expect_symbol(')', "the end of the members of ENUM or SET")?;
    let count = i32::try_from(out.members.len()).unwrap_or(i32::MAX);
    out.length = Some(if out.type_name == "SET" { count.saturating_mul(2) - 1 } else { 1 });
    Ok(())
}

/// One member. It is kept as written where that reads the same in any `sql_mode`.
fn member(cursor: &mut Cursor<'_>) -> Parsed<Member> {
    let raw = cursor.raw(0);
    match cursor.kind(0) {
        Some(TokenKind::Text) => {
            let verbatim = raw.starts_with('\'') && (cursor.mode.backslash_escapes() || !raw.contains('\\'));
            let alone = cursor.kind(1) != Some(TokenKind::Text);
            let text = cursor.text()?;
            Ok(Member::Literal(if verbatim && alone { raw.to_owned() } else { literal::quote_text(&text) }))
        }
        Some(TokenKind::NationalText) => {
            cursor.advance();
            let text = literal::unquote_text(raw.get(1..).unwrap_or_default(), cursor.mode);
            Ok(Member::Literal(literal::quote_text(&text)))
        }
        Some(TokenKind::Hex | TokenKind::Bits | TokenKind::Word) => {
            let Some(bytes) = literal::bytes(raw) else {
                return Err(cursor.unexpected("a member of ENUM or SET"));
            };
            cursor.advance();
            Ok(Member::Bytes(bytes))
        }
        _ => Err(cursor.unexpected("a member of ENUM or SET")),
    }
}

/// CHARACTER SET, BINARY, ASCII, UNICODE and BYTE after a text type, in any order. COLLATE is an attribute of the column.
fn text_attributes(cursor: &mut Cursor<'_>, data_type: DataType, out: &mut DeclaredType) -> Parsed<()> {
    let mut binary = false;
    loop {
        if let Some(charset) = charset(cursor)? {
            out.charset = ColumnCharset::Named(charset);
        } else if cursor.eat(&["BINARY"]) {
            binary = true;
        } else if cursor.eat(&["ASCII"]) {
            out.charset = ColumnCharset::Named("latin1".to_owned());
        } else if cursor.eat(&["UNICODE"]) {
            out.charset = ColumnCharset::Named("ucs2".to_owned());
        } else if cursor.is_word(0, "BYTE") {
            cursor.advance();
            // `CHAR BYTE` and its kin are binary strings.
            let spelling = data_type.of_bytes().spelling();
            out.type_name = spelling.words.join(" ");
            out.jdbc_type = spelling.jdbc_type;
            out.charset = ColumnCharset::None;
        } else if cursor.eat(&["COMPRESSED"]) {
            // MariaDB; the binlog holds the plain value.
            if cursor.eat_symbol('=') {
                cursor.advance();
            }
        } else {
            break;
        }
    }
    if binary {
        out.type_name.push_str(" BINARY");
    }
    Ok(())
}

/// `CHARACTER SET x`, `CHAR SET x`, `CHARSET x`, with an equals sign or not.
pub(crate) fn charset(cursor: &mut Cursor<'_>) -> Parsed<Option<String>> {
    if !(cursor.eat(&["CHARACTER", "SET"]) || cursor.eat(&["CHAR", "SET"]) || cursor.eat(&["CHARSET"])) {
        return Ok(None);
    }
    cursor.eat_symbol('=');
    cursor.name_or_text().map(Some)
}
