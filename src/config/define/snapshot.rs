//! The snapshot.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

const FLAG: &str = "a flag of snapshot.mode=configuration_based";

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::with(
        "snapshot.mode",
        Kind::Word {
            allowed: &[
                "always",
                "initial_only",
                "configuration_based",
                "when_needed",
                "initial",
                "custom",
                "no_data",
                "recovery",
            ],
            later: &["custom"],
        },
        "initial",
        "when schema and rows are read",
    )
    .high(),
    ConfigDef::with("snapshot.mode.configuration.based.snapshot.data", Kind::Boolean, "false", FLAG),
    ConfigDef::with("snapshot.mode.configuration.based.snapshot.schema", Kind::Boolean, "false", FLAG),
    ConfigDef::with("snapshot.mode.configuration.based.start.stream", Kind::Boolean, "false", FLAG),
    ConfigDef::with(
        "snapshot.mode.configuration.based.snapshot.on.schema.error",
        Kind::Boolean,
        "false",
        FLAG,
    ),
    ConfigDef::with("snapshot.mode.configuration.based.snapshot.on.data.error", Kind::Boolean, "false", FLAG),
    ConfigDef::optional("snapshot.mode.custom.name", Kind::Text, "name for snapshot.mode=custom").harmless(),
    ConfigDef::with(
        "snapshot.locking.mode",
        Kind::Word {
            allowed: &[
                "minimal",
                "minimal_percona",
                "custom",
                "none",
                "minimal_percona_no_table_locks",
                "extended",
            ],
            later: &["custom"],
        },
        "minimal",
        "which lock is held while the position is taken",
    )
    .medium(),
    ConfigDef::optional(
        "snapshot.locking.mode.custom.name",
        Kind::Text,
        "name for snapshot.locking.mode=custom",
    )
    .harmless(),
    ConfigDef::with(
        "snapshot.query.mode",
        Kind::Word { allowed: &["custom", "select_all"], later: &["custom"] },
        "select_all",
        "which rows are read",
    ),
    ConfigDef::optional("snapshot.query.mode.custom.name", Kind::Text, "name for snapshot.query.mode=custom")
        .harmless(),
    ConfigDef::with("snapshot.lock.timeout.ms", Kind::Long, "10000", "longest wait for the lock in ms")
        .checked(check::NON_NEGATIVE_LONG),
    ConfigDef::with("snapshot.delay.ms", Kind::Long, "0", "wait before the snapshot in ms")
        .checked(check::NON_NEGATIVE_LONG),
    ConfigDef::with("streaming.delay.ms", Kind::Long, "0", "wait after the snapshot in ms")
        .checked(check::NON_NEGATIVE_LONG),
    ConfigDef::with(
        "tidewire.snapshot.values",
        Kind::Word { allowed: &["debezium", "stream"], later: &[] },
        "debezium",
        "how a snapshot spells JSON, TIMESTAMP and BOOLEAN: as Debezium's snapshot or as the stream does",
    ),
    ConfigDef::with(
        "tidewire.snapshot.new.tables",
        Kind::Boolean,
        "false",
        "tables that the include and exclude lists let in later get a snapshot of their own",
    ),
    // Rows are taken from the socket as they arrive: there is no cursor whose batches could have a size.
    ConfigDef::optional("snapshot.fetch.size", Kind::Int, "about JDBC").harmless(),
    ConfigDef::with("min.row.count.to.stream.results", Kind::Int, "1000", "about JDBC").harmless(),
    ConfigDef::with("snapshot.max.threads", Kind::Int, "1", "connections that read rows")
        .checked(check::POSITIVE_INT),
    ConfigDef::with("snapshot.max.threads.multiplier", Kind::Int, "1", "chunks of a table and connection")
        .checked(check::POSITIVE_INT),
    ConfigDef::optional("snapshot.max.threads.multiplier.*", Kind::Int, "chunks of one table and connection")
        .checked(check::POSITIVE_INT),
    ConfigDef::with("legacy.snapshot.max.threads", Kind::Boolean, "false", "one table a connection"),
    ConfigDef::with("internal.legacy.snapshot.max.threads", Kind::Boolean, "false", "one table a connection"),
    ConfigDef::optional(
        "snapshot.select.statement.overrides",
        Kind::Text,
        "tables read by a SELECT of one's own",
    ),
    ConfigDef::optional("snapshot.select.statement.overrides.*", Kind::Text, "the SELECT of one table"),
    ConfigDef::with(
        "snapshot.tables.order.by.row.count",
        Kind::Word { allowed: &["disabled", "ascending", "descending"], later: &[] },
        "disabled",
        "order of tables by their size",
    ),
    ConfigDef::with(
        "incremental.snapshot.chunk.size",
        Kind::Int,
        "1024",
        "rows of a chunk of an incremental snapshot",
    )
    .no_effect(),
    ConfigDef::with(
        "incremental.snapshot.allow.schema.changes",
        Kind::Boolean,
        "false",
        "read a chunk again after DDL",
    )
    .no_effect(),
    ConfigDef::with(
        "incremental.snapshot.watermarking.strategy",
        Kind::Word { allowed: &["insert_delete", "insert_insert"], later: &[] },
        "INSERT_INSERT",
        "how windows of an incremental snapshot are marked",
    )
    .no_effect(),
    ConfigDef::with("internal.snapshot.scan.all.columns.force", Kind::Boolean, "false", "about JDBC")
        .harmless(),
];
