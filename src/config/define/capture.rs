//! What is captured.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::optional("database.include.list", Kind::RegexList, "databases to capture").high(),
    ConfigDef::optional("database.exclude.list", Kind::RegexList, "databases to leave out").medium(),
    ConfigDef::optional("table.include.list", Kind::RegexList, "tables to capture, as database.table").high(),
    ConfigDef::optional("table.exclude.list", Kind::RegexList, "tables to leave out, as database.table")
        .medium(),
    ConfigDef::optional(
        "column.include.list",
        Kind::RegexList,
        "columns of values, as database.table.column",
    )
    .medium(),
    ConfigDef::optional(
        "column.exclude.list",
        Kind::RegexList,
        "columns left out of values, as database.table.column",
    )
    .medium(),
    ConfigDef::with("table.ignore.builtin", Kind::Boolean, "true", "leave out the server's own databases"),
    ConfigDef::optional(
        "snapshot.include.collection.list",
        Kind::RegexList,
        "tables whose rows a snapshot reads",
    ),
    ConfigDef::optional("message.key.columns", Kind::Text, "columns of record keys: tables:column,column;…")
        .medium()
        .checked(check::MESSAGE_KEY_COLUMNS),
    ConfigDef::optional(
        "gtid.source.includes",
        Kind::RegexList,
        "source UUIDs whose transactions are captured",
    ),
    ConfigDef::optional(
        "gtid.source.excludes",
        Kind::RegexList,
        "source UUIDs whose transactions are left out",
    ),
    ConfigDef::with("gtid.source.filter.dml.events", Kind::Boolean, "true", "whether these lists drop rows"),
    ConfigDef::with(
        "gtid.ignore.on.recovery",
        Kind::Boolean,
        "false",
        "start from file and position though GTIDs are stored",
    )
    .not_yet(),
    ConfigDef::with("guardrail.collections.max", Kind::Int, "0", "largest number of tables, 0 is off")
        .no_effect(),
    ConfigDef::with(
        "guardrail.collections.limit.action",
        Kind::Word { allowed: &["warn", "fail"], later: &[] },
        "warn",
        "what happens beyond it",
    )
    .harmless(),
];
