//! Data types: every spelling that MySQL and MariaDB take, and what Debezium makes of it.
//!
//! The type name is the type as written, in upper case, with the words that follow it (`INT UNSIGNED ZEROFILL`,
//! `VARCHAR BINARY`, `DOUBLE PRECISION`); synonyms are not replaced. The number is of java.sql.Types. Length and scale are
//! what stands in parentheses; DECIMAL is (10,0), BIT (1), ENUM 1 and SET 2n - 1 by themselves, and a length of 0 for CHAR, VARCHAR and their binary kin is shown as 10. All of it
//! was read off schema histories that Debezium 3.6.1 wrote. (MySQL manual: "Data Types"; MariaDB manual: "Data Types".)

use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::literal;
use crate::schema::ddl::statement::{ColumnCharset, DataType, Member};
use crate::schema::ddl::token::TokenKind;

/// What may follow the name of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// `(length[, scale])`, SIGNED, UNSIGNED, ZEROFILL.
    Number,
    /// `(length)` and nothing else.
    Plain,
    /// `(length)`, character set, BINARY, ASCII, UNICODE, BYTE.
    Text,
    /// As text, in utf8 by itself.
    National,
    /// `('a','b')`, then as text.
    Members,
    /// As plain; `(precision)` is not a length of characters.
    Serial,
}

/// The words of each type, the number in java.sql.Types and the family. Longer spellings come first.
#[rustfmt::skip]
const TYPES: &[(&[&str], i32, Family)] = &[
    (&["NATIONAL", "CHARACTER", "VARYING"], -9, Family::National), (&["NATIONAL", "CHAR", "VARYING"], -9, Family::National),
    (&["NATIONAL", "CHARACTER"], -15, Family::National), (&["NATIONAL", "CHAR"], -15, Family::National),
    (&["NATIONAL", "VARCHARACTER"], -9, Family::National), (&["NATIONAL", "VARCHAR"], -9, Family::National),
    (&["NCHAR", "VARYING"], -9, Family::National), (&["NCHAR", "VARCHARACTER"], -9, Family::National),
    (&["NCHAR", "VARCHAR"], -9, Family::National), (&["NCHAR"], -15, Family::National),
    (&["NVARCHAR"], -9, Family::National),
    (&["CHARACTER", "VARYING"], 12, Family::Text), (&["CHAR", "VARYING"], 12, Family::Text),
    (&["CHARACTER"], 1, Family::Text), (&["CHAR"], 1, Family::Text),
    (&["VARCHARACTER"], 12, Family::Text), (&["VARCHAR2"], 12, Family::Text), (&["VARCHAR"], 12, Family::Text),
    (&["TINYTEXT"], 12, Family::Text), (&["TEXT"], 12, Family::Text), (&["MEDIUMTEXT"], 12, Family::Text),
    (&["LONGTEXT"], 12, Family::Text), (&["CLOB"], 12, Family::Text),
    (&["LONG", "CHARACTER", "VARYING"], 12, Family::Text), (&["LONG", "CHAR", "VARYING"], 12, Family::Text),
    (&["LONG", "VARCHARACTER"], 12, Family::Text), (&["LONG", "VARCHAR"], 12, Family::Text),
    (&["LONG", "VARBINARY"], 2004, Family::Plain), (&["LONG"], 12, Family::Text),
    (&["TINYINT"], 5, Family::Number), (&["INT1"], 5, Family::Number), (&["SMALLINT"], 5, Family::Number),
    (&["INT2"], 5, Family::Number), (&["MEDIUMINT"], 4, Family::Number), (&["MIDDLEINT"], 4, Family::Number),
    (&["INT3"], 4, Family::Number), (&["INT"], 4, Family::Number), (&["INTEGER"], 4, Family::Number),
    (&["INT4"], 4, Family::Number), (&["BIGINT"], -5, Family::Number), (&["INT8"], -5, Family::Number),
    (&["REAL"], 7, Family::Number), (&["DOUBLE", "PRECISION"], 8, Family::Number), (&["DOUBLE"], 8, Family::Number),
    (&["FLOAT8"], 8, Family::Number), (&["FLOAT4"], 6, Family::Number), (&["FLOAT"], 6, Family::Number),
    (&["DECIMAL"], 3, Family::Number), (&["DEC"], 3, Family::Number), (&["FIXED"], 3, Family::Number),
    (&["NUMERIC"], 2, Family::Number), (&["NUMBER"], 3, Family::Number),
    (&["BIT"], -7, Family::Plain), (&["BOOLEAN"], 16, Family::Plain), (&["BOOL"], 16, Family::Plain),
    (&["SERIAL"], -5, Family::Serial),
    (&["DATE"], 91, Family::Plain), (&["TIME"], 92, Family::Plain), (&["DATETIME"], 93, Family::Plain),
    (&["TIMESTAMP"], 2014, Family::Plain), (&["YEAR"], 4, Family::Plain),
    (&["BINARY"], -2, Family::Plain), (&["VARBINARY"], -3, Family::Plain), (&["RAW"], -3, Family::Plain),
    (&["TINYBLOB"], 2004, Family::Plain), (&["BLOB"], 2004, Family::Plain), (&["MEDIUMBLOB"], 2004, Family::Plain),
    (&["LONGBLOB"], 2004, Family::Plain),
    (&["ENUM"], 1, Family::Members), (&["SET"], 1, Family::Members),
    (&["JSON"], 1111, Family::Plain), (&["VECTOR"], 1111, Family::Plain),
    (&["GEOMETRYCOLLECTION"], 1111, Family::Plain), (&["GEOMCOLLECTION"], 1111, Family::Plain),
    (&["GEOMETRY"], 1111, Family::Plain), (&["POINT"], 1111, Family::Plain), (&["LINESTRING"], 1111, Family::Plain),
    (&["POLYGON"], 1111, Family::Plain), (&["MULTIPOINT"], 1111, Family::Plain),
    (&["MULTILINESTRING"], 1111, Family::Plain), (&["MULTIPOLYGON"], 1111, Family::Plain),
    // Of MariaDB.
    (&["UUID"], 1111, Family::Plain), (&["INET4"], 1111, Family::Plain), (&["INET6"], 1111, Family::Plain),
    (&["XMLTYPE"], 1111, Family::Plain),
];

/// A data type with everything that belongs to it.
pub(crate) fn data_type(cursor: &mut Cursor<'_>) -> Parsed<DataType> {
    let Some((words, jdbc_type, family)) = TYPES.iter().find(|(words, ..)| cursor.are_words(words)) else {
        return Err(cursor.unexpected("a data type"));
    };
    cursor.eat(words);
    let mut out = DataType {
        jdbc_type: *jdbc_type,
        type_name: words.join(" "),
        length: None,
        scale: None,
        charset: ColumnCharset::None,
        members: Vec::new(),
        serial: false,
    };
    match family {
        Family::Number => {
            dimension(cursor, &mut out)?;
            sign(cursor, &mut out);
            if matches!(jdbc_type, 2 | 3) {
                out.length = out.length.or(Some(10));
                out.scale = out.scale.or(Some(0));
            }
        }
        Family::Plain => {
            dimension(cursor, &mut out)?;
            if *jdbc_type == -7 {
                out.length = out.length.or(Some(1));
            }
        }
        Family::Text => {
            out.charset = ColumnCharset::Table;
            dimension(cursor, &mut out)?;
            text_attributes(cursor, &mut out)?;
        }
        Family::National => {
            out.charset = ColumnCharset::Named("utf8".to_owned());
            dimension(cursor, &mut out)?;
            if cursor.eat(&["BINARY"]) {
                out.type_name.push_str(" BINARY");
            }
        }
        Family::Members => {
            out.charset = ColumnCharset::Table;
            members(cursor, &mut out)?;
            text_attributes(cursor, &mut out)?;
        }
        Family::Serial => {
            out.type_name = "BIGINT UNSIGNED".to_owned();
            out.serial = true;
        }
    }
    if out.length == Some(0) && matches!(jdbc_type, 1 | 12 | -2 | -3 | -9 | -15) {
        out.length = Some(10);
    }
    Ok(out)
}

/// `(length[, scale])`.
fn dimension(cursor: &mut Cursor<'_>, out: &mut DataType) -> Parsed<()> {
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
fn sign(cursor: &mut Cursor<'_>, out: &mut DataType) {
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
fn members(cursor: &mut Cursor<'_>, out: &mut DataType) -> Parsed<()> {
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
fn text_attributes(cursor: &mut Cursor<'_>, out: &mut DataType) -> Parsed<()> {
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
            become_binary(out);
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

/// `CHAR BYTE` and its kin are binary strings.
fn become_binary(out: &mut DataType) {
    let (name, jdbc_type) = match out.type_name.as_str() {
        "CHAR" | "CHARACTER" => ("BINARY", -2),
        "TINYTEXT" => ("TINYBLOB", 2004),
        "TEXT" => ("BLOB", 2004),
        "MEDIUMTEXT" | "LONG" | "LONG VARCHAR" => ("MEDIUMBLOB", 2004),
        "LONGTEXT" => ("LONGBLOB", 2004),
        _ => ("VARBINARY", -3),
    };
    out.type_name = name.to_owned();
    out.jdbc_type = jdbc_type;
    out.charset = ColumnCharset::None;
}

/// `CHARACTER SET x`, `CHAR SET x`, `CHARSET x`, with an equals sign or not.
pub(crate) fn charset(cursor: &mut Cursor<'_>) -> Parsed<Option<String>> {
    if !(cursor.eat(&["CHARACTER", "SET"]) || cursor.eat(&["CHAR", "SET"]) || cursor.eat(&["CHARSET"])) {
        return Ok(None);
    }
    cursor.eat_symbol('=');
    cursor.name_or_text().map(Some)
}
