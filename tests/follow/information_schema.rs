//! The tables that the server has, as facts.

use std::collections::BTreeMap;

use tidewire::source::mysql::Connection;

use crate::facts::{
    ColumnFacts, DefaultFact, TableFacts, Tables, charset_name, shortest_number, shortest_time,
};
use crate::ground::Server;

/// Rows of text.
pub type Rows = Vec<Vec<String>>;

/// What stands for NULL: no text here is this.
const NULL: &str = "\u{1}NULL\u{1}";

/// Runs a query; NULL is `NULL` of this module.
pub fn rows(connection: &mut Connection, sql: &str) -> Result<Rows, String> {
    let result = connection.query(sql).map_err(|error| format!("{error}: {sql}"))?;
    let text = |cell: Option<String>| cell.unwrap_or_else(|| NULL.to_owned());
    Ok(result.rows.into_iter().map(|row| row.into_iter().map(text).collect()).collect())
}

/// A string literal.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// A name in backticks.
pub fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// All tables of some databases.
pub fn tables(connection: &mut Connection, server: Server, databases: &[String]) -> Result<Tables, String> {
    let mut out = Tables::new();
    for database in databases {
        let schema = literal(database);
        let kinds = "table_type IN ('BASE TABLE', 'SYSTEM VERSIONED')";
        let found = rows(
            connection,
            &format!(
                "SELECT table_name, table_collation, table_comment FROM information_schema.tables \
                 WHERE table_schema = {schema} AND {kinds}"
            ),
        )?;
        if found.is_empty() {
            continue;
        }
        let mut columns: BTreeMap<String, Vec<ColumnFacts>> = BTreeMap::new();
        for row in rows(
            connection,
            &format!(
                "SELECT table_name, column_name, column_type, character_set_name, is_nullable, column_default, extra, \
                 column_comment, data_type FROM information_schema.columns WHERE table_schema = {schema} \
                 ORDER BY table_name, ordinal_position"
            ),
        )? {
            let [table, name, column_type, charset, nullable, default, extra, comment, data_type] =
                row.as_slice()
            else {
                return Err("information_schema.columns has other columns".to_owned());
            };
            let nullable = nullable == "YES";
            let mut default = default_fact(server, default, extra, nullable, data_type);
            if let (DefaultFact::Value(text), "binary" | "varbinary", true) =
                (&mut default, data_type.as_str(), nullable)
            {
                *text = bytes_of_default(connection, (database, table, name), data_type == "binary")?;
            }
            columns.entry(table.clone()).or_default().push(ColumnFacts {
                name: name.clone(),
                column_type: normal_type(column_type, charset),
                charset: (charset != NULL && charset != "binary").then(|| charset_name(charset)),
                nullable,
                default,
                by_server: extra.contains("auto_increment") || extra.to_lowercase().contains("on update"),
                comment: comment.clone(),
            });
        }
        let mut keys = unique_keys(connection, server, database)?;
        for row in found {
            let [table, collation, comment] = row.as_slice() else {
                return Err("information_schema.tables has other columns".to_owned());
            };
            let columns = columns.remove(table).unwrap_or_default();
            let key = match keys.remove(table) {
                Some(unique) => record_key(connection, database, table, &columns, &unique)?,
                None => Vec::new(),
            };
            let charset = charset_name(collation.split('_').next().unwrap_or_default());
            out.insert(
                format!("{database}.{table}"),
                TableFacts { charset, comment: comment.clone(), key, columns },
            );
        }
    }
    Ok(out)
}

/// Unique keys by table and name: their columns, none where a part is an expression.
type UniqueKeys = BTreeMap<String, BTreeMap<String, Option<Vec<String>>>>;

fn unique_keys(connection: &mut Connection, server: Server, database: &str) -> Result<UniqueKeys, String> {
    let mut out = UniqueKeys::new();
    let schema = literal(database);
    // Before 8.0 a part is always a column.
    let sorted = "ORDER BY table_name, index_name, seq_in_index";
    let _ = server;
    for row in rows(
        connection,
        &format!(
            "SELECT table_name, index_name, column_name FROM information_schema.statistics \
             WHERE table_schema = {schema} AND non_unique = 0 {sorted}"
        ),
    )? {
        let [table, index, column] = row.as_slice() else {
            return Err("information_schema.statistics has other columns".to_owned());
        };
        let columns =
            out.entry(table.clone()).or_default().entry(index.clone()).or_insert_with(|| Some(Vec::new()));
        match columns {
            Some(columns) if column != NULL => columns.push(column.clone()),
            _ => *columns = None,
        }
    }
    Ok(out)
}

/// The primary key, else the first unique key in the server's order whose columns are all NOT NULL.
fn record_key(
    connection: &mut Connection,
    database: &str,
    table: &str,
    columns: &[ColumnFacts],
    keys: &BTreeMap<String, Option<Vec<String>>>,
) -> Result<Vec<String>, String> {
    if let Some(Some(primary)) = keys.get("PRIMARY") {
        return Ok(primary.clone());
    }
    let required = |name: &String| columns.iter().any(|column| column.name == *name && !column.nullable);
    let usable: Vec<(&String, &Vec<String>)> = keys
        .iter()
        .filter_map(|(name, columns)| columns.as_ref().map(|columns| (name, columns)))
        .filter(|(_, columns)| columns.iter().all(required))
        .collect();
    match usable.as_slice() {
        [] => Ok(Vec::new()),
        [(_, only)] => Ok((*only).clone()),
        several => {
            let shown =
                rows(connection, &format!("SHOW CREATE TABLE {}.{}", quoted(database), quoted(table)))?;
            let text = shown.first().and_then(|row| row.get(1)).cloned().unwrap_or_default();
            let place = |name: &str| {
                text.find(&format!("\n  UNIQUE KEY {} (", quoted(name)))
                    .ok_or_else(|| format!("no key {name} in {text}"))
            };
            let mut ordered = Vec::new();
            for (name, columns) in several {
                ordered.push((place(name)?, (*columns).clone()));
            }
            ordered.sort();
            Ok(ordered.into_iter().next().map(|(_, columns)| columns).unwrap_or_default())
        }
    }
}

/// `COLUMN_TYPE` without display widths, synonyms made one.
fn normal_type(text: &str, charset: &str) -> String {
    let lower = text.to_ascii_lowercase();
    for (prefix, name) in [("enum(", "enum"), ("set(", "set")] {
        if lower.starts_with(prefix) && crate::believed::has_wide_units(charset) {
            return name.to_owned();
        }
        if lower.starts_with(prefix) {
            return format!("{name}{:?}", members(text));
        }
    }
    // MariaDB says of a compressed column so, in a comment.
    let lower = lower.split(" /*").next().unwrap_or_default();
    let integers = ["tinyint", "smallint", "mediumint", "int", "bigint", "year"];
    if let Some(name) = integers.iter().find(|name| lower.starts_with(*name)) {
        let rest = lower.get(name.len()..).unwrap_or_default();
        let rest = match rest.find(')') {
            Some(end) if rest.starts_with('(') => rest.get(end + 1..).unwrap_or_default(),
            _ => rest,
        };
        return format!("{name}{rest}");
    }
    match lower {
        "geomcollection" => "geometrycollection".to_owned(),
        // Debezium shows the length 0 as 10.
        "char(0)" | "varchar(0)" | "binary(0)" | "varbinary(0)" => lower.replace("(0)", "(10)"),
        _ => lower.to_owned(),
    }
}

/// The members of `enum('a','b''c')`.
fn members(text: &str) -> Vec<String> {
    let inner = text.split_once('(').map_or("", |(_, rest)| rest);
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let mut out = Vec::new();
    let mut characters = inner.chars().peekable();
    while characters.next_if_eq(&'\'').is_some() {
        let mut member = String::new();
        while let Some(character) = characters.next() {
            if character != '\'' {
                member.push(character);
            } else if characters.next_if_eq(&'\'').is_some() {
                member.push('\'');
            } else {
                break;
            }
        }
        out.push(member);
        characters.next_if_eq(&',');
    }
    out
}

fn default_fact(server: Server, default: &str, extra: &str, nullable: bool, data_type: &str) -> DefaultFact {
    let generated = extra.to_uppercase().contains("GENERATED") && !extra.contains("DEFAULT_GENERATED");
    let absent = if nullable { DefaultFact::NullOrExpression } else { DefaultFact::Absent };
    let now = default.to_ascii_lowercase().starts_with("current_timestamp");
    if extra.contains("DEFAULT_GENERATED") && !now {
        let unclear = default == NULL && !nullable;
        return if unclear { DefaultFact::AbsentOrExpression } else { DefaultFact::NullOrExpression };
    }
    if default == NULL || generated {
        return absent;
    }
    // MariaDB keeps an expression that it never uses, and says NULL of it at times.
    if server.is_mariadb() && extra.contains("auto_increment") {
        return DefaultFact::AbsentOrExpression;
    }
    let lower = default.to_ascii_lowercase();
    let temporal = ["timestamp", "datetime"].contains(&data_type);
    if temporal && lower.starts_with("current_timestamp") {
        return DefaultFact::Value("1970-01-01 00:00:00".to_owned());
    }
    let text = if server.is_mariadb() {
        if lower == "null" {
            return DefaultFact::NullOrExpression;
        }
        match default.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            Some(inner) if !literal_goes_on(inner) => crate::believed::unquote(&format!("'{inner}'")),
            _ if data_type == "bit" && default.starts_with("b'") => default.to_owned(),
            _ if lower.starts_with("x'") => {
                String::from_utf8_lossy(&of_hex(lower.trim_start_matches("x'").trim_end_matches('\'')))
                    .into_owned()
            }
            _ if shortest_number(default).parse::<f64>().is_ok() => default.to_owned(),
            _ => return DefaultFact::NullOrExpression,
        }
    } else {
        default.to_owned()
    };
    DefaultFact::Value(match data_type {
        "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "float" | "double" | "decimal" | "year" => {
            shortest_number(&text)
        }
        "time" | "datetime" | "timestamp" => shortest_time(&text),
        "bit" => text.trim_start_matches("b'").trim_end_matches('\'').trim_start_matches('0').to_owned(),
        // An ENUM or SET of bytes.
        "enum" | "set" if text.starts_with("0x") => {
            String::from_utf8_lossy(&of_hex(text.trim_start_matches("0x"))).into_owned()
        }
        "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" => {
            let hex = text.strip_prefix("0x").filter(|_| !server.is_mariadb());
            let mut bytes: Vec<u8> = match hex {
                Some(digits) => of_hex(digits),
                None => text.as_bytes().to_vec(),
            };
            shown_bytes(&mut bytes, data_type == "binary")
        }
        _ => text,
    })
}

/// The bytes that a column's default stores: `information_schema` cuts them at a zero (8.0) or loses those that are no UTF-8.
/// A row that the join makes has them for nullable columns only.
fn bytes_of_default(
    connection: &mut Connection,
    (database, table, column): (&str, &str, &str),
    padded: bool,
) -> Result<String, String> {
    let (database, table, column) = (quoted(database), quoted(table), quoted(column));
    let sql = format!(
        "SELECT HEX(DEFAULT(asked.{column})) FROM (SELECT 1 AS one) AS one LEFT JOIN {database}.{table} AS asked ON TRUE LIMIT 1"
    );
    let found = rows(connection, &sql)?;
    let digits = found.first().and_then(|row| row.first()).ok_or("no default")?;
    Ok(shown_bytes(&mut of_hex(digits), padded))
}

/// Bytes, without the zeros that a column is filled with.
fn shown_bytes(bytes: &mut Vec<u8>, padded: bool) -> String {
    if padded {
        let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        bytes.truncate(length);
    }
    format!("{bytes:02x?}")
}

/// Forgets, on both sides, defaults of bytes that are no UTF-8: SHOW CREATE TABLE prints question marks for them before 9.7.
pub fn forget_unprintable(captured: &mut Tables, is: &mut Tables) {
    for (name, table) in is.iter_mut() {
        let Some(captured) = captured.get_mut(name) else { continue };
        for (theirs, ours) in table.columns.iter_mut().zip(&mut captured.columns) {
            let DefaultFact::Value(text) = &theirs.default else { continue };
            let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
            if theirs.column_type.contains("binary") && String::from_utf8(of_hex(&digits)).is_err() {
                (theirs.default, ours.default) = (DefaultFact::Absent, DefaultFact::Absent);
            }
        }
    }
}

/// The bytes of hexadecimal digits.
fn of_hex(digits: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2).unwrap_or("0"), 16).unwrap_or(0);
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// Whether a quote that is not doubled ends the literal before its end: then it is an expression.
fn literal_goes_on(inner: &str) -> bool {
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '\'' if characters.next() != Some('\'') => return true,
            _ => {}
        }
    }
    false
}
