//! Which events are published, and what they carry.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

const FAILURE: Kind = Kind::Word { allowed: &["warn", "fail", "ignore", "skip"], later: &[] };

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::with(
        "tombstones.on.delete",
        Kind::Boolean,
        "true",
        "a record without value after each delete",
    )
    .medium(),
    ConfigDef::with(
        "skipped.operations",
        Kind::Text,
        "t",
        "operations that are not published: c, u, d, t, r or none",
    )
    .checked(check::SKIPPED_OPERATIONS),
    ConfigDef::with(
        "skip.messages.without.change",
        Kind::Boolean,
        "false",
        "leave out updates of hidden columns alone",
    )
    .not_yet(),
    ConfigDef::with("include.query", Kind::Boolean, "false", "source.query holds the statement").medium(),
    ConfigDef::with(
        "include.schema.changes",
        Kind::Boolean,
        "true",
        "publish schema changes to the topic of the prefix",
    )
    .medium(),
    ConfigDef::with("include.schema.comments", Kind::Boolean, "false", "keep comments of tables and columns"),
    ConfigDef::with(
        "provide.transaction.metadata",
        Kind::Boolean,
        "false",
        "publish transactions and label rows with them",
    )
    .medium(),
    ConfigDef::with(
        "transaction.metadata.factory",
        Kind::Class,
        "io.debezium.pipeline.txmetadata.DefaultTransactionMetadataFactory",
        "makes the transaction block",
    )
    .not_yet(),
    ConfigDef::with(
        "sourceinfo.struct.maker",
        Kind::Class,
        "io.debezium.connector.mysql.MySqlSourceInfoStructMaker",
        "makes the source block",
    )
    .not_yet(),
    ConfigDef::with("extended.headers.enabled", Kind::Boolean, "true", "the four __debezium.context headers"),
    ConfigDef::with(
        "tidewire.sequence.header",
        Kind::Boolean,
        "true",
        "the header tidewire.seq with the change sequence",
    )
    .medium(),
    ConfigDef::with(
        "event.processing.failure.handling.mode",
        FAILURE,
        "fail",
        "what happens to an event that cannot be processed",
    ),
    ConfigDef::with(
        "event.deserialization.failure.handling.mode",
        FAILURE,
        "fail",
        "older name of event.processing.failure.handling.mode",
    ),
    ConfigDef::with(
        "inconsistent.schema.handling.mode",
        FAILURE,
        "fail",
        "what happens to rows of a table whose schema is unknown",
    ),
    ConfigDef::with(
        "resolve.create.table.like.schema",
        Kind::Boolean,
        "false",
        "ask the server when CREATE TABLE LIKE names an unknown table",
    )
    .not_yet(),
    ConfigDef::with(
        "ddl.parser.type",
        Kind::Word { allowed: &["default", "legacy"], later: &[] },
        "default",
        "about Debezium's parsers",
    )
    .harmless(),
    ConfigDef::optional("custom.metric.tags", Kind::Text, "tags of metrics").no_effect(),
    ConfigDef::with("statistics.metrics.enabled", Kind::Boolean, "true", "percentiles among the metrics")
        .harmless(),
    ConfigDef::optional("custom.sanitize.pattern", Kind::Text, "names whose values are not logged; none are")
        .harmless(),
];
