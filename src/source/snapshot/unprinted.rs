//! What the server stores where SHOW CREATE TABLE printed a question mark (`schema::ddl::printed_table` is about the text).
//!
//! *Defaults* come from COM_FIELD_LIST, in the character set of the session.
//!
//! *Members* of an ENUM or SET are nowhere to be read, but the server converts a number that is stored into such a column. The
//! column of a recursive common table expression has the type of its first SELECT, here that of the column itself by an
//! outer join that finds no row; into it go the numbers of all members. It takes no privilege but SELECT, reads no row and
//! writes nothing. MySQL 5.7 has no such expressions, and 8.0.15 makes the column a VARCHAR (the members that come back are
//! then their numbers, which no printed member can stand for). There the rows of the table are asked for the members that
//! they hold, for a limited time, because the lock of the snapshot may be held; a default may name another one.
//!
//! What stays unknown stays `?`, with a warning that says for which column. Nothing here ends a snapshot but a lost connection.

use std::time::{Duration, Instant};

use crate::schema::ddl::literal::bytes;
use crate::schema::ddl::printed_table::{DoubtfulColumn, Stored, doubtful_columns, restored};
use crate::schema::table_id::TableId;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::field_list::FieldDefault;
use crate::source::snapshot::locking::{quote, quoted};
use crate::source::snapshot::schema_reader::cell;

/// Character sets with characters that are not in three-byte UTF-8, or with bytes that are none.
const WIDE: [&str; 6] = ["utf8mb4", "utf16", "utf16le", "utf32", "gb18030", "binary"];
/// How long the rows of a table may be searched for the members of a column.
const SEARCH_TIME: Duration = Duration::from_secs(2);

/// The text of SHOW CREATE TABLE with what the server stores in the place of its question marks.
///
/// # Errors
/// Only such as end the session.
pub(super) fn restore(
    session: &mut Connection,
    table: &TableId,
    printed: String,
) -> Result<String, MySqlError> {
    let columns = doubtful_columns(&printed);
    if columns.is_empty() {
        return Ok(printed);
    }
    let defaults = match columns.iter().any(|column| column.default.is_some()) {
        true => defaults(session, table)?,
        false => Vec::new(),
    };
    let mut edits = Vec::new();
    for column in &columns {
        let raw = |span: &std::ops::Range<usize>| printed.get(span.clone()).unwrap_or_default();
        let field = defaults.iter().find(|field| field.name == column.name);
        let default = field.and_then(stored);
        if let (Some(span), Some(stored)) = (&column.default, &default) {
            edits.extend(restored(raw(span), stored).map(|literal| (span.clone(), literal)));
        }
        if column.members.is_empty() {
            continue;
        }
        let members: Vec<&str> = column.members.iter().map(raw).collect();
        let mut known = members_by_number(session, table, column, &members)?;
        if known.iter().any(Option::is_none) {
            let named = default.map(|default| values_of(default, column.is_set)).unwrap_or_default();
            name_members(&members, &named, &mut known);
            warn_of_unknown(table, column, &known);
        }
        for (span, literal) in column.members.iter().zip(known) {
            edits.extend(literal.map(|literal| (span.clone(), literal)));
        }
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut text = printed;
    for (span, literal) in edits.into_iter().rev() {
        text.replace_range(span, &literal);
    }
    Ok(text)
}

/// The members as literals, in order; None for those that stay unknown.
fn members_by_number(
    session: &mut Connection,
    table: &TableId,
    column: &DoubtfulColumn,
    printed: &[&str],
) -> Result<Vec<Option<String>>, MySqlError> {
    let mut known = vec![None; printed.len()];
    let name = format!("{}.{}", quoted(table), quote(&column.name));
    let number = if column.is_set { "1 << n" } else { "n + 1" };
    let computed = session.query(&format!(
        "WITH RECURSIVE member (n, v) AS (SELECT 0, {name} FROM (SELECT 1) AS one LEFT JOIN {table} ON FALSE \
         UNION ALL SELECT n + 1, {number} FROM member WHERE n < {count}) \
         SELECT /*+ SET_VAR(cte_max_recursion_depth = 100000) */ \
         CHARSET(v), HEX(CONVERT(v USING utf8mb4)), HEX(v) FROM member WHERE n > 0 ORDER BY n",
        table = quoted(table),
        count = printed.len(),
    ));
    if let Some(computed) = unless_refused(computed)? {
        for (row, (known, printed)) in known.iter_mut().zip(printed).enumerate() {
            *known = value(&computed.rows, row, 0).and_then(|value| restored_member(printed, &value));
        }
        if known.iter().all(Option::is_some) {
            return Ok(known);
        }
    }
    for (known, printed) in known.iter_mut().zip(printed) {
        *known = (!printed.contains('?')).then(|| (*printed).to_owned());
    }
    let charset = session.query(&format!(
        "SELECT CHARSET({name}) FROM (SELECT 1) AS one LEFT JOIN {} ON FALSE",
        quoted(table)
    ));
    let charset = unless_refused(charset)?.map(|found| cell(&found.rows, 0, 0)).unwrap_or_default();
    if !WIDE.contains(&charset.as_str()) {
        // The question marks are the members' own.
        return Ok(printed.iter().map(|printed| Some((*printed).to_owned())).collect());
    }
    search(session, table, column, &name, printed, &mut known)?;
    Ok(known)
}

/// Looks for rows that hold the members that are still unknown.
fn search(
    session: &mut Connection,
    table: &TableId,
    column: &DoubtfulColumn,
    name: &str,
    printed: &[&str],
    known: &mut [Option<String>],
) -> Result<(), MySqlError> {
    let began = Instant::now();
    for at in 0..printed.len() {
        let is_open = known.get(at).is_some_and(Option::is_none);
        let left = SEARCH_TIME.saturating_sub(began.elapsed()).as_millis();
        if left == 0 {
            break;
        }
        if !is_open {
            continue;
        }
        let holds =
            if column.is_set { format!("{name} & (1 << {at})") } else { format!("{name} = {}", at + 1) };
        let found = session.query(&format!(
            "SELECT /*+ MAX_EXECUTION_TIME({left}) */ CAST({name} AS UNSIGNED), CHARSET({name}), \
             HEX(CONVERT({name} USING utf8mb4)), HEX({name}) FROM {} WHERE {holds} LIMIT 1",
            quoted(table),
        ));
        let Some(found) = unless_refused(found)? else { continue };
        let number: u64 = cell(&found.rows, 0, 0).parse().unwrap_or_default();
        let Some(value) = value(&found.rows, 0, 1) else { continue };
        let values = values_of(value, column.is_set);
        let mut places: Vec<usize> = match column.is_set {
            true => (0..printed.len().min(64)).filter(|bit| number >> bit & 1 == 1).collect(),
            false => vec![at],
        };
        // An empty label in front of others does not show.
        if places.len() > values.len() {
            places.remove(0);
        }
        for (place, value) in places.into_iter().zip(values) {
            if let (Some(known), Some(printed)) = (known.get_mut(place), printed.get(place)) {
                *known = restored_member(printed, &value).or(known.take());
            }
        }
    }
    Ok(())
}

fn warn_of_unknown(table: &TableId, column: &DoubtfulColumn, known: &[Option<String>]) {
    let unknown = known.iter().filter(|known| known.is_none()).count();
    if unknown > 0 {
        tracing::warn!(
            table = %table,
            column = column.name.as_str(),
            members = unknown,
            "the server prints ? for characters of four bytes in members of the column, and no row was found that holds them; \
             they are published so until ALTER TABLE … MODIFY states the column again"
        );
    }
}

/// Gives names to members that are not known yet: the only one that such a value can be.
fn name_members(printed: &[&str], values: &[Stored], known: &mut [Option<String>]) {
    for value in values {
        let mut fitting = printed.iter().zip(known.iter_mut()).filter_map(|(printed, known)| match known {
            Some(_) => None,
            None => restored_member(printed, value).map(|literal| (known, literal)),
        });
        if let (Some((known, literal)), None) = (fitting.next(), fitting.next()) {
            *known = Some(literal);
        }
    }
}

/// A member in hexadecimal digits was printed whole.
fn restored_member(printed: &str, stored: &Stored) -> Option<String> {
    if printed.starts_with(['x', '0']) { Some(printed.to_owned()) } else { restored(printed, stored) }
}

/// The members of a value.
fn values_of(value: Stored, is_set: bool) -> Vec<Stored> {
    match value {
        one if !is_set => vec![one],
        Stored::Text(text) => text.split(',').map(|member| Stored::Text(member.to_owned())).collect(),
        Stored::Bytes(bytes) => {
            bytes.split(|&byte| byte == b',').map(|member| Stored::Bytes(member.to_vec())).collect()
        }
    }
}

/// A value of three cells: its character set, itself as UTF-8, its bytes, the latter in hexadecimal digits.
fn value(rows: &[Vec<Option<String>>], row: usize, first: usize) -> Option<Stored> {
    let digits = |column| bytes(&format!("0x{}", cell(rows, row, column)));
    if cell(rows, row, first) == "binary" {
        return digits(first + 2).map(Stored::Bytes);
    }
    String::from_utf8(digits(first + 1)?).ok().map(Stored::Text)
}

/// The defaults of all columns; none where the server does not tell.
fn defaults(session: &mut Connection, table: &TableId) -> Result<Vec<FieldDefault>, MySqlError> {
    if unless_refused(session.execute(&format!("USE {}", quote(&table.database))))?.is_none() {
        return Ok(Vec::new());
    }
    Ok(unless_refused(session.field_defaults(&table.table))?.unwrap_or_default())
}

fn stored(field: &FieldDefault) -> Option<Stored> {
    let value = field.value.clone()?;
    if field.is_binary {
        return Some(Stored::Bytes(value));
    }
    String::from_utf8(value).ok().map(Stored::Text)
}

/// What the server answered; None when it refused, which is none of the snapshot's business.
fn unless_refused<T>(answer: Result<T, MySqlError>) -> Result<Option<T>, MySqlError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error @ MySqlError::Server { .. }) => {
            tracing::debug!(%error, "the server does not tell what SHOW CREATE TABLE cannot print");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
