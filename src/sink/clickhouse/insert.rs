//! The statement of an insert, and the settings that make it mean the same on every server.
//!
//! Columns are named, and their names and types stand at the head of the body again (`RowBinaryWithNamesAndTypes`): a server
//! whose table has changed refuses the insert instead of reading the bytes of one column as another's. Settings:
//!
//! | setting | value | why |
//! |---|---|---|
//! | `async_insert` | 0 | on by default since 26.3: it would mix the rows of several writers into one batch |
//! | `input_format_skip_unknown_fields` | 0 | a column that the table lacks is an error, not a loss |
//! | `input_format_null_as_default` | 0 | a NULL stays a NULL or is an error |
//! | `input_format_defaults_for_omitted_fields` | 1 | columns that are not named get the table's default |
//! | `input_format_with_names_use_header`, `…_types_…` | 1 | the head is compared with the table |
//! | `date_time_overflow_behavior` | throw | no date is bent into a range |
//! | `input_format_binary_read_json_as_string` | 1 | a JSON column takes text; only where there is one (from 24.10 on) |
//! | `insert_deduplication_token` | given | the same token twice is one insert (the specification, 6.1) |
//!
//! Rows that nothing tells apart must not be stored by two writers. Their insert has a *guard*: it fails when the table's newest rows
//! are not those that the writer left there.

use crate::sink::clickhouse::client::{Answer, Client, InsertBody, Query};
use crate::sink::clickhouse::compression::Compression;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::row_binary::header::write_header;
use crate::sink::table::column_type::ColumnType;
use crate::sink::table::identifier::{literal, qualified, quoted, quoted_list};

/// What every insert is sent with.
pub(in crate::sink) const SETTINGS: &[(&str, &str)] = &[
    ("async_insert", "0"),
    ("input_format_skip_unknown_fields", "0"),
    ("input_format_null_as_default", "0"),
    ("input_format_defaults_for_omitted_fields", "1"),
    ("input_format_with_names_use_header", "1"),
    ("input_format_with_types_use_header", "1"),
    ("date_time_overflow_behavior", "throw"),
];
const JSON_AS_TEXT: (&str, &str) = ("input_format_binary_read_json_as_string", "1");

/// An insert into one table, prepared once for the columns that a plan writes.
#[derive(Clone, Debug)]
pub struct InsertStatement {
    what: String,
    sql: String,
    table: String,
    /// Names of the columns, and names with types.
    columns: [String; 2],
    header: Vec<u8>,
    settings: Vec<(&'static str, &'static str)>,
}

/// A batch of rows and how it is sent.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Rows in RowBinary, one after another, each with the columns of the statement in their order.
    pub bytes: &'a [u8],
    /// Names the batch; the same batch always has the same token. None: every insert is a new one.
    pub token: Option<&'a str>,
    /// How the body is compressed.
    pub compression: Compression,
    /// Only while these are the table's newest rows.
    pub guard: Option<Guard<'a>>,
    /// Settings of the user, which do not replace ours.
    pub settings: &'a [(&'a str, &'a str)],
    /// Before a random part in the query's id.
    pub id_prefix: &'a str,
}

/// The newest rows of a table, by the column of their version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard<'a> {
    /// The column.
    pub column: &'a str,
    /// The highest version; 0 when there is none.
    pub version: u64,
    /// How many rows have it.
    pub rows: u64,
}

/// The code of the exception when a guard fails: FUNCTION_THROW_IF_VALUE_IS_NON_ZERO.
pub const GUARD_FAILED: u32 = 395;

impl InsertStatement {
    /// Prepares the insert of `columns` (name and type) into a table.
    pub fn new(database: &str, table: &str, columns: &[(&str, &ColumnType)]) -> Self {
        let mut header = Vec::new();
        write_header(columns, &mut header);
        let mut settings = SETTINGS.to_vec();
        if columns.iter().any(|(_, column)| *column.value_type() == ColumnType::Json) {
            settings.push(JSON_AS_TEXT);
        }
        let names = quoted_list(columns.iter().map(|(name, _)| *name));
        let typed: Vec<String> =
            columns.iter().map(|(name, column_type)| format!("{} {column_type}", quoted(name))).collect();
        let qualified = qualified(database, table);
        InsertStatement {
            what: format!("insert into {database}.{table}"),
            sql: format!("INSERT INTO {qualified} ({names}) FORMAT RowBinaryWithNamesAndTypes"),
            table: qualified,
            columns: [names, typed.join(", ")],
            header,
            settings,
        }
    }

    /// The same insert, only while the newest rows are these.
    fn guarded(&self, guard: Guard<'_>) -> String {
        let (table, [names, typed]) = (&self.table, &self.columns);
        let Guard { column, version, rows } = guard;
        let (column, typed) = (quoted(column), literal(typed));
        format!(
            "INSERT INTO {table} ({names}) SELECT {names} FROM input({typed}) WHERE NOT throwIf((SELECT \
             (countIf({column} = {version}), countIf({column} > {version})) FROM {table} WHERE {column} >= {version}) \
             != ({rows}, 0), 'somebody else has stored rows') FORMAT RowBinaryWithNamesAndTypes"
        )
    }

    /// The statement's text.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Sends rows; returns when the server has stored them. `buffer` holds the compressed body and is kept for the next.
    pub fn send(
        &self,
        client: &Client,
        rows: Rows<'_>,
        buffer: &mut Vec<u8>,
    ) -> Result<Answer, ClickHouseError> {
        buffer.clear();
        rows.compression
            .compress(&[&self.header, rows.bytes], buffer)
            .map_err(|source| ClickHouseError::Compression { what: self.what.clone(), source })?;
        let mut settings = rows.settings.to_vec();
        settings.extend_from_slice(&self.settings);
        settings.extend(rows.token.map(|token| ("insert_deduplication_token", token)));
        let guarded = rows.guard.map(|guard| self.guarded(guard));
        let sql = guarded.as_deref().unwrap_or(&self.sql);
        let query = Query { what: &self.what, sql, settings: &settings, id_prefix: rows.id_prefix };
        client.insert(
            query,
            InsertBody { bytes: buffer, content_encoding: rows.compression.content_encoding() },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_and_quoted() {
        let columns = [("id", &ColumnType::parse("Int32")), ("a`b", &ColumnType::parse("Nullable(String)"))];
        let insert = InsertStatement::new("shop-1", "orders", &columns);
        assert_eq!(
            insert.sql(),
            "INSERT INTO `shop-1`.`orders` (`id`, `a\\`b`) FORMAT RowBinaryWithNamesAndTypes"
        );
        assert_eq!(insert.header, b"\x02\x02id\x03a`b\x05Int32\x10Nullable(String)");
        assert!(!insert.settings.contains(&JSON_AS_TEXT));
        let guard = Guard { column: "_version", version: 7, rows: 2 };
        assert_eq!(
            insert.guarded(guard),
            "INSERT INTO `shop-1`.`orders` (`id`, `a\\`b`) SELECT `id`, `a\\`b` FROM input('`id` Int32, `a\\\\`b` Nullable(String)') \
             WHERE NOT throwIf((SELECT (countIf(`_version` = 7), countIf(`_version` > 7)) FROM `shop-1`.`orders` \
             WHERE `_version` >= 7) != (2, 0), 'somebody else has stored rows') FORMAT RowBinaryWithNamesAndTypes"
        );
        let insert = InsertStatement::new("d", "t", &[("j", &ColumnType::parse("JSON"))]);
        assert!(insert.settings.contains(&JSON_AS_TEXT));
    }
}
