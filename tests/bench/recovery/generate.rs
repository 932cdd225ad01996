//! A history as a long-lived connector has it: tables that were altered again and again.

use serde_json::{Map, Value, json};
use tidewire::schema::database_schema::{DatabaseSchema, Statement};
use tidewire::schema::history::record::HistoryRecord;

use crate::Result;

/// `topic.prefix` of the records.
pub const SERVER: &str = "recovery";
const SOURCE: &str = "1b27fa8c-ec3a-11f1-83ee-02fc00000001";

/// The types of the columns, in turn.
const TYPES: [&str; 10] = [
    "int unsigned not null default '0'",
    "varchar(120) not null default 'none'",
    "decimal(12,4) not null default '0.0000'",
    "datetime(3) not null default '2000-01-01 00:00:00.000'",
    "enum('new','paid','packed','sent','received','returned') not null default 'new'",
    "bigint not null default '0'",
    "text",
    "tinyint(1) not null default '1'",
    "timestamp not null default '2000-01-01 00:00:00'",
    "varchar(64) character set latin1 not null default ''",
];

/// Makes the records one after the other and hands each to `each`.
pub fn generate(
    records: u64,
    tables: u64,
    mut each: impl FnMut(HistoryRecord) -> Result<()>,
) -> Result<DatabaseSchema> {
    let mut schema = DatabaseSchema::default();
    for number in 0..records {
        let statement = match number {
            0 => "CREATE DATABASE shop CHARACTER SET utf8mb4".to_owned(),
            _ if number <= tables => create(number - 1),
            _ => alter((number - 1) % tables, (number - 1) / tables - 1),
        };
        let changes =
            schema.apply_ddl(&Statement { text: &statement, database: "shop", ..Statement::default() })?;
        for change in changes {
            let mut source = Map::new();
            source.insert("server".to_owned(), SERVER.into());
            each(HistoryRecord {
                source,
                position: position(number),
                ts_ms: Some(1_795_987_667_394),
                database_name: Some(change.database),
                schema_name: None,
                ddl: Some(change.ddl),
                table_changes: change.table_changes,
            })?;
        }
    }
    Ok(schema)
}

/// The position of a statement; behind the last one it is the offset to recover to.
pub fn position(number: u64) -> Map<String, Value> {
    let position = json!({
        "ts_sec": 1_795_987_666_u64 + number,
        "file": format!("binlog.{:06}", 1 + number / 500),
        "pos": 157 + number % 500 * 1_000,
        "gtids": format!("{SOURCE}:1-{}", number + 1),
        "server_id": 1,
    });
    position.as_object().cloned().unwrap_or_default()
}

/// A table of 20 to 45 columns.
fn create(table: u64) -> String {
    let mut text = format!("CREATE TABLE `orders_{table}` (`id` bigint NOT NULL AUTO_INCREMENT");
    for column in 0..19 + table % 26 {
        text.push_str(&format!(", `{}` {}", name(column), kind(column)));
    }
    text.push_str(&format!(
        ", PRIMARY KEY (`id`), UNIQUE KEY `u` (`{}`,`{}`), KEY `k` (`{}`)) ENGINE=InnoDB",
        name(0),
        name(2),
        name(3)
    ));
    text
}

/// The nth change of a table: in turn a column more, another type, an index, another default, and the column gone again.
fn alter(table: u64, turn: u64) -> String {
    let table = format!("`orders_{table}`");
    let column = name(100 + turn / 5);
    match turn % 5 {
        0 => format!("ALTER TABLE {table} ADD COLUMN `{column}` int DEFAULT NULL AFTER `{}`", name(1)),
        1 => format!("ALTER TABLE {table} MODIFY `{column}` varchar(40) NOT NULL DEFAULT 'x'"),
        2 => format!("ALTER TABLE {table} ADD UNIQUE KEY `u{turn}` (`{column}`), ALGORITHM=INPLACE"),
        3 => format!("ALTER TABLE {table} ALTER COLUMN `{column}` SET DEFAULT 'y'"),
        _ => format!("ALTER TABLE {table} DROP COLUMN `{column}`"),
    }
}

fn name(column: u64) -> String {
    format!("customer_order_line_attribute_{column:03}")
}

fn kind(column: u64) -> &'static str {
    TYPES.get(usize::try_from(column).unwrap_or(0) % TYPES.len()).copied().unwrap_or("int")
}
