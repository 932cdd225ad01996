//! DEFAULT: reading it, and spelling it for the schema history.
//!
//! Debezium keeps a default as text that its converters read by the column's type: a string unescaped, a number as
//! written, a BIT as binary digits, `1970-01-01 00:00:00` for CURRENT_TIMESTAMP, nothing for NULL and for expressions.
//! Where Debezium mangles a literal (hex cut short, bits read as decimal), the value that the server stores is spelled
//! instead:
//!
//! - hex and bit literals of a number column as a decimal number, of a BIT column as binary digits, of a text column as
//!   the text that the bytes are in the column's character set, or in that of an introducer (`_latin1 x'E9'`);
//! - a number of a text column as the text that the server makes of it;
//! - a text of a binary or BIT column as the bytes that it has in the session's `collation_connection`;
//! - a date or time that the session or the column's digits change as it is stored (see `session`);
//! - a default of a binary column is its text where the bytes are UTF-8, and `0x…` in upper case where they are not (or
//!   where the text itself begins so): `binary_default` reads it back.

use crate::schema::charset::Charset;
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::ddl::cursor::{Cursor, Parsed};
use crate::schema::ddl::literal;
use crate::schema::ddl::session::Session;
use crate::schema::ddl::statement::DefaultValue;
use crate::schema::ddl::token::{SqlMode, TokenKind};

/// The words that mean CURRENT_TIMESTAMP (manual: "Automatic Initialization and Updating for TIMESTAMP and DATETIME").
const CURRENT_TIMESTAMP: &[&str] = &["CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP"];

/// How Debezium spells a default of CURRENT_TIMESTAMP.
const EPOCH: &str = "1970-01-01 00:00:00";

/// What follows DEFAULT.
pub(crate) fn default_value(cursor: &mut Cursor<'_>) -> Parsed<DefaultValue> {
    if cursor.eat(&["NULL"]) {
        return Ok(DefaultValue::Null);
    }
    if current_timestamp(cursor)? {
        return operators(cursor, DefaultValue::CurrentTimestamp);
    }
    if cursor.is_symbol(0, '(') {
        // Even `(1)` is an expression to MySQL.
        if cursor.mode.is_mariadb()
            && let Some(value) = literal_in_parentheses(cursor)?
        {
            return Ok(value);
        }
        cursor.skip_parentheses()?;
        return operators(cursor, DefaultValue::Expression);
    }
    let value = match literal(cursor)? {
        Some(value) => value,
        None => {
            // MariaDB takes any expression without parentheses: a function, `NEXT VALUE FOR s`.
            if cursor.eat(&["NEXT", "VALUE", "FOR"]) {
                cursor.table_id()?;
            } else {
                cursor.column_name()?;
                if cursor.is_symbol(0, '(') {
                    cursor.skip_parentheses()?;
                }
            }
            DefaultValue::Expression
        }
    };
    operators(cursor, value)
}

/// CURRENT_TIMESTAMP or a synonym, with or without parentheses.
pub(crate) fn current_timestamp(cursor: &mut Cursor<'_>) -> Parsed<bool> {
    if !cursor.is_any(CURRENT_TIMESTAMP) {
        return Ok(false);
    }
    cursor.advance();
    if cursor.is_symbol(0, '(') {
        cursor.skip_parentheses()?;
    }
    Ok(true)
}

/// `(1)`, which is 1 to MariaDB.
fn literal_in_parentheses(cursor: &mut Cursor<'_>) -> Parsed<Option<DefaultValue>> {
    let mut ahead = cursor.clone();
    ahead.eat_symbol('(');
    let value = match ahead.kind(0) {
        Some(TokenKind::Symbol('(')) => literal_in_parentheses(&mut ahead)?,
        Some(TokenKind::Symbol('-')) if ahead.is_symbol(1, '(') => {
            ahead.advance();
            match literal_in_parentheses(&mut ahead)? {
                Some(DefaultValue::Number(number)) => Some(DefaultValue::Number(format!("-{number}"))),
                _ => None,
            }
        }
        Some(TokenKind::Symbol('-' | '+')) => literal(&mut ahead)?,
        Some(TokenKind::Symbol(_)) | None => None,
        Some(_) if ahead.eat(&["NULL"]) => Some(DefaultValue::Null),
        Some(_) => literal(&mut ahead)?,
    };
    if value.is_some() && ahead.eat_symbol(')') {
        *cursor = ahead;
        return Ok(value);
    }
    Ok(None)
}

/// A literal, when one stands here.
fn literal(cursor: &mut Cursor<'_>) -> Parsed<Option<DefaultValue>> {
    let sign = match cursor.kind(0) {
        Some(TokenKind::Symbol(sign @ ('-' | '+'))) => Some(sign),
        _ => None,
    };
    if let Some(sign) = sign {
        if cursor.kind(1) != Some(TokenKind::Number) {
            return Ok(None);
        }
        let number = format!("{sign}{}", cursor.raw(1));
        cursor.advance();
        cursor.advance();
        return Ok(Some(DefaultValue::Number(number)));
    }
    // `_latin1'x'`, `DATE '2024-01-01'`: what follows is the value.
    let prefixed = cursor.kind(0) == Some(TokenKind::Word)
        && (cursor.raw(0).starts_with('_') || cursor.is_any(&["DATE", "TIME", "TIMESTAMP"]))
        && matches!(cursor.kind(1), Some(TokenKind::Text | TokenKind::Hex | TokenKind::Bits));
    let introducer = cursor.raw(0).strip_prefix('_').filter(|_| prefixed);
    if prefixed {
        cursor.advance();
    }
    if let Some(introducer) = introducer {
        return introduced(cursor, introducer).map(Some);
    }
    let raw = cursor.raw(0);
    let value = match cursor.kind(0) {
        Some(TokenKind::Text) => return cursor.text().map(DefaultValue::Text).map(Some),
        Some(TokenKind::NationalText) => {
            let text = literal::unquote_text(raw.get(1..).unwrap_or_default(), cursor.mode);
            // The same as behind the introducer `_utf8`: what the client sent is read as UTF-8.
            match cursor.client.encode(&text).filter(|_| !text.is_ascii()) {
                Some(bytes) => DefaultValue::Introduced("utf8mb3".to_owned(), bytes),
                None => DefaultValue::Text(text),
            }
        }
        Some(TokenKind::Number) => DefaultValue::Number(raw.to_owned()),
        Some(TokenKind::Word) if cursor.is_any(&["TRUE", "FALSE"]) => DefaultValue::Number(raw.to_owned()),
        Some(TokenKind::Hex | TokenKind::Bits | TokenKind::Word) => match literal::digits(raw) {
            Some((digits, 2)) => DefaultValue::Bits(digits.to_owned()),
            Some(_) => DefaultValue::Bytes(literal::bytes(raw).unwrap_or_default()),
            None => return Ok(None),
        },
        _ => return Err(cursor.unexpected("a default value")),
    };
    cursor.advance();
    Ok(Some(value))
}

/// A literal behind an introducer: its bytes, as the client sent them, are text in that character set, or just bytes
/// for `_binary`. Manual: "Character Set Introducers".
fn introduced(cursor: &mut Cursor<'_>, introducer: &str) -> Parsed<DefaultValue> {
    if Charset::named(introducer).is_none() {
        return Err(cursor.unexpected("a character set"));
    }
    let bytes = if cursor.kind(0) == Some(TokenKind::Text) {
        let text = cursor.text()?;
        match cursor.client.encode(&text) {
            Some(bytes) => bytes,
            None => return Ok(DefaultValue::Text(text)),
        }
    } else {
        let bytes = literal::bytes(cursor.raw(0)).unwrap_or_default();
        cursor.advance();
        bytes
    };
    let binary = introducer.eq_ignore_ascii_case("binary");
    Ok(if binary {
        DefaultValue::Bytes(bytes)
    } else {
        DefaultValue::Introduced(introducer.to_owned(), bytes)
    })
}

/// MariaDB: an operator after the value makes it an expression.
fn operators(cursor: &mut Cursor<'_>, value: DefaultValue) -> Parsed<DefaultValue> {
    let mut value = value;
    while let Some(TokenKind::Symbol('+' | '-' | '*' | '/' | '%' | '|' | '&' | '^' | '<' | '>')) =
        cursor.kind(0)
    {
        cursor.advance();
        while let Some(TokenKind::Symbol('+' | '-' | '|' | '&' | '<' | '>' | '~')) = cursor.kind(0) {
            cursor.advance();
        }
        if cursor.is_name() {
            cursor.column_name()?;
            if cursor.is_symbol(0, '(') {
                cursor.skip_parentheses()?;
            }
        } else {
            cursor.skip_one()?;
        }
        value = DefaultValue::Expression;
    }
    Ok(value)
}

/// The spelling for a column; none for NULL, for expressions, and for what the server drops.
pub(crate) fn spell(default: &DefaultValue, column: &Column, session: &Session) -> Option<String> {
    let data_type = column.data_type();
    let is_bit = data_type == Some(DataType::Bit);
    if data_type.is_some_and(DataType::is_large) && !session.large_defaults {
        return None;
    }
    let bytes = match default {
        DefaultValue::Null | DefaultValue::Expression => return None,
        DefaultValue::CurrentTimestamp => return Some(EPOCH.to_owned()),
        DefaultValue::Number(text) if is_bit => return Some(bits_of_number(text)),
        DefaultValue::Number(text) => return Some(spell_number(text, column, session)),
        DefaultValue::Text(text) if is_bit => session.bytes(text),
        DefaultValue::Text(text) if is_binary(column) => return Some(spell_binary(&session.bytes(text))),
        // As text, a lone zero is a year of two digits.
        DefaultValue::Text(text) if data_type == Some(DataType::Year) && text == "0" => {
            return Some("00".to_owned());
        }
        DefaultValue::Text(text) if is_text_of_bytes(column) => session.bytes(text),
        DefaultValue::Text(text) => return Some(session.temporal(text, column)),
        DefaultValue::Introduced(_, bytes) if is_bit || is_binary(column) || is_text_of_bytes(column) => {
            bytes.clone()
        }
        DefaultValue::Introduced(charset, bytes) => {
            let text = Charset::named(charset)?.text_of_literal(bytes);
            return Some(session.temporal(&text, column));
        }
        DefaultValue::Bits(digits) if is_bit => return Some(digits.clone()),
        DefaultValue::Bits(digits) => literal::bytes(&format!("0b{digits}"))?,
        DefaultValue::Bytes(bytes) => bytes.clone(),
    };
    if is_bit {
        return Some(trim_zeros(bytes.iter().map(|byte| format!("{byte:08b}")).collect()));
    }
    if is_binary(column) {
        return Some(spell_binary(&bytes));
    }
    match &column.charset_name {
        Some(name) => {
            let charset = Charset::named(name);
            Some(charset.map_or_else(|| hex(&bytes), |charset| charset.text_of_literal(&bytes)))
        }
        None => {
            let number = bytes.iter().try_fold(0u128, |number, byte| {
                number.checked_mul(256).map(|number| number + u128::from(*byte))
            });
            Some(number.map_or_else(|| hex(&bytes), |number| number.to_string()))
        }
    }
}

fn spell_number(text: &str, column: &Column, session: &Session) -> String {
    match column.data_type() {
        // As a number, all zeros are the year 0000.
        Some(DataType::Year) if text.bytes().all(|digit| digit == b'0') => "0".to_owned(),
        Some(DataType::Enum) if !session.number_labels => {
            label(text, column).unwrap_or_else(|| text.to_owned())
        }
        Some(DataType::Set) if !session.number_labels => {
            labels(text, column).unwrap_or_else(|| text.to_owned())
        }
        Some(_) if column.charset_name.is_some() || is_binary(column) => text_of_number(text),
        _ => session.temporal(text, column),
    }
}

/// The label of a number, which counts from 1; 0 is the invalid value.
fn label(number: &str, column: &Column) -> Option<String> {
    match number.parse::<usize>().ok()?.checked_sub(1) {
        Some(place) => {
            column.enum_values.get(place).map(|label| literal::unquote_text(label, SqlMode::default()))
        }
        None => Some(String::new()),
    }
}

/// The labels of the bits of a number.
fn labels(number: &str, column: &Column) -> Option<String> {
    let bits: u64 = number.parse().ok()?;
    let labels: Option<Vec<String>> = (1..=64u8)
        .filter(|place| bits >> (place - 1) & 1 == 1)
        .map(|place| label(&place.to_string(), column))
        .collect();
    Some(labels?.join(","))
}

/// The text that a number becomes in a column of text or bytes.
fn text_of_number(number: &str) -> String {
    if number.eq_ignore_ascii_case("true") {
        return "1".to_owned();
    }
    if number.eq_ignore_ascii_case("false") {
        return "0".to_owned();
    }
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", number.strip_prefix('+').unwrap_or(number)),
    };
    if digits.contains(['e', 'E']) {
        return match number.parse::<f64>() {
            Ok(double) if double == 0.0 || (1e-5..1e15).contains(&double.abs()) => double.to_string(),
            Ok(double) => format!("{double:e}"),
            Err(_) => number.to_owned(),
        };
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = whole.trim_start_matches('0');
    let is_zero = whole.is_empty() && fraction.bytes().all(|digit| digit == b'0');
    let sign = if is_zero { "" } else { sign };
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// The bytes that a binary column's default stands for; the reverse of how such a default is spelled.
///
/// ```
/// use tidewire::schema::ddl::binary_default;
/// assert_eq!(binary_default("0x00FF00"), [0, 255, 0]);
/// assert_eq!(binary_default("ab"), *b"ab");
/// ```
pub fn binary_default(expression: &str) -> Vec<u8> {
    let hex = expression.strip_prefix("0x").filter(|digits| digits.len() % 2 == 0);
    let bytes = hex.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    bytes.and_then(|_| literal::bytes(expression)).unwrap_or_else(|| expression.as_bytes().to_vec())
}

/// Text of the character set `binary`: its values are bytes, of which each is published as a character.
fn is_text_of_bytes(column: &Column) -> bool {
    let is_text = column.enum_values.is_empty() && !is_binary(column);
    is_text && column.charset_name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case("binary"))
}

/// BINARY, VARBINARY, the BLOBs. (Text of the character set `binary` is text.)
fn is_binary(column: &Column) -> bool {
    DataType::named(&column.type_name).is_some_and(DataType::is_binary)
}

fn spell_binary(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.starts_with("0x") => text.to_owned(),
        _ => hex(bytes),
    }
}

fn hex(bytes: &[u8]) -> String {
    std::iter::once("0x".to_owned()).chain(bytes.iter().map(|byte| format!("{byte:02X}"))).collect()
}

fn bits_of_number(text: &str) -> String {
    match text.parse::<u64>() {
        Ok(number) => format!("{number:b}"),
        Err(_) if text.eq_ignore_ascii_case("true") => "1".to_owned(),
        Err(_) if text.eq_ignore_ascii_case("false") => "0".to_owned(),
        Err(_) => text.to_owned(),
    }
}

fn trim_zeros(bits: String) -> String {
    let trimmed = bits.trim_start_matches('0');
    if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_owned() }
}
