//! Queue, batches, errors.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::with(
        "max.queue.size",
        Kind::Int,
        "8192",
        "records between reading and publishing, more than max.batch.size",
    )
    .medium()
    .checked(check::POSITIVE_INT),
    ConfigDef::with("max.batch.size", Kind::Int, "2048", "records of a batch")
        .medium()
        .checked(check::POSITIVE_INT),
    ConfigDef::with(
        "max.queue.size.in.bytes",
        Kind::Long,
        "0",
        "bytes between reading and publishing, 0 is 16 MiB",
    )
    .checked(check::NON_NEGATIVE_LONG),
    ConfigDef::with(
        "poll.interval.ms",
        Kind::Long,
        "500",
        "an incomplete batch is handed over after this, at most 5000",
    )
    .medium()
    .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "tidewire.xa.spill.max.bytes",
        Kind::Long,
        "4294967296",
        "bytes of rows kept in memory and temporary files until their XA transactions are committed",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::with("poll.dispatch.interval.ms", Kind::Long, "0", "about Debezium's queue").harmless(),
    ConfigDef::with("queue.provider.type", Kind::Text, "memory", "about Debezium's queue").harmless(),
    ConfigDef::with("query.fetch.size", Kind::Int, "0", "about JDBC").harmless(),
    ConfigDef::with("binlog.buffer.size", Kind::Int, "0", "events looked ahead for rollbacks").no_effect(),
    ConfigDef::with(
        "errors.max.retries",
        Kind::Int,
        "-1",
        "restarts after retriable errors, -1 is without end",
    ),
    ConfigDef::with(
        "retriable.restart.connector.wait.ms",
        Kind::Long,
        "10000",
        "wait before such a restart in ms",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::optional("internal.custom.retriable.exception", Kind::Text, "about exceptions of Java")
        .harmless(),
    ConfigDef::with(
        "internal.log.position.check.enable",
        Kind::Boolean,
        "true",
        "whether a stored position is looked for at start",
    )
    .no_effect(),
    ConfigDef::with("internal.advanced.metrics.enable", Kind::Boolean, "false", "counters of tables")
        .harmless(),
    ConfigDef::with(
        "internal.offset.activity.monitor.interval.ms",
        Kind::Long,
        "600000",
        "about Debezium's metrics",
    )
    .harmless(),
    ConfigDef::optional("memory.management.*", Kind::Text, "about Debezium's memory").harmless(),
    ConfigDef::with("openlineage.integration.enabled", Kind::Boolean, "false", "events for OpenLineage")
        .no_effect(),
    ConfigDef::optional("openlineage.integration.*", Kind::Text, "about OpenLineage").harmless(),
];
