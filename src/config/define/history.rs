//! The schema history.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::with(
        "schema.history.internal",
        Kind::Class,
        "io.debezium.storage.kafka.history.KafkaSchemaHistory",
        "where the history is stored",
    )
    .checked(check::HISTORY_CLASS),
    ConfigDef::optional("schema.history.internal.name", Kind::Text, "base of client ids").harmless(),
    ConfigDef::optional("schema.history.internal.kafka.topic", Kind::Text, "the history topic")
        .high()
        .checked(check::TOPIC_NAME),
    ConfigDef::optional(
        "schema.history.internal.kafka.bootstrap.servers",
        Kind::Text,
        "brokers of the history topic",
    )
    .high(),
    ConfigDef::with(
        "schema.history.internal.kafka.recovery.poll.interval.ms",
        Kind::Int,
        "100",
        "wait for history records in ms",
    )
    .checked(check::POSITIVE_INT),
    ConfigDef::with(
        "schema.history.internal.kafka.recovery.attempts",
        Kind::Int,
        "100",
        "such waits without a record",
    )
    .checked(check::POSITIVE_INT),
    ConfigDef::with(
        "schema.history.internal.kafka.query.timeout.ms",
        Kind::Long,
        "3000",
        "time limit of questions to brokers in ms",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "schema.history.internal.kafka.create.timeout.ms",
        Kind::Long,
        "30000",
        "time limit of making the topic in ms",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "schema.history.internal.kafka.buffer.batch.size",
        Kind::Int,
        "1024",
        "records written at once",
    )
    .harmless(),
    ConfigDef::optional("schema.history.internal.producer.*", Kind::Text, "client properties for writing"),
    ConfigDef::optional("schema.history.internal.consumer.*", Kind::Text, "client properties for reading"),
    ConfigDef::optional("schema.history.internal.file.filename", Kind::Text, "the history file").high(),
    ConfigDef::with(
        "schema.history.internal.skip.unparseable.ddl",
        Kind::Boolean,
        "false",
        "pass over statements that cannot be parsed",
    ),
    ConfigDef::with(
        "schema.history.internal.store.only.captured.tables.ddl",
        Kind::Boolean,
        "false",
        "store statements of captured tables only",
    ),
    ConfigDef::with(
        "schema.history.internal.store.only.captured.databases.ddl",
        Kind::Boolean,
        "false",
        "store statements of captured databases only",
    ),
    ConfigDef::with(
        "schema.history.internal.memory.optimization",
        Kind::Text,
        "off",
        "about Debezium's memory",
    )
    .harmless(),
    ConfigDef::optional(
        "internal.schema.history.internal.ddl.filter",
        Kind::RegexList,
        "statements that are passed over, beside those that touch no table",
    ),
    ConfigDef::with(
        "internal.schema.history.internal.prefer.ddl",
        Kind::Boolean,
        "false",
        "recover by parsing statements again",
    ),
];
