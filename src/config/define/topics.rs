//! Names and creation of topics.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::with(
        "topic.naming.strategy",
        Kind::Class,
        "io.debezium.schema.DefaultTopicNamingStrategy",
        "how topics are named",
    )
    .not_yet(),
    ConfigDef::with("topic.delimiter", Kind::Text, ".", "between the parts of a topic's name")
        .checked(check::TOPIC_NAME),
    ConfigDef::with("topic.cache.size", Kind::Int, "10000", "about Debezium's caches").harmless(),
    ConfigDef::with(
        "topic.heartbeat.prefix",
        Kind::Text,
        "__debezium-heartbeat",
        "the heartbeat topic is this, delimiter, prefix",
    )
    .checked(check::TOPIC_NAME),
    ConfigDef::optional("topic.heartbeat.name", Kind::Text, "the whole name of the heartbeat topic")
        .checked(check::TOPIC_NAME),
    ConfigDef::with("heartbeat.topics.prefix", Kind::Text, "__debezium-heartbeat", "dead in Debezium")
        .harmless(),
    ConfigDef::with(
        "topic.transaction",
        Kind::Text,
        "transaction",
        "the transaction topic is prefix, delimiter, this",
    )
    .checked(check::TOPIC_NAME),
    ConfigDef::optional("topic.regex", Kind::Text, "tables that share a topic").not_yet(),
    ConfigDef::optional("topic.replacement", Kind::Text, "the topic they share").not_yet(),
    ConfigDef::with(
        "topic.key.enforce.uniqueness",
        Kind::Boolean,
        "true",
        "a field of the key that tells tables apart",
    )
    .harmless(),
    ConfigDef::with("topic.key.field.name", Kind::Text, "__dbz__physicalTableIdentifier", "its name")
        .harmless(),
    ConfigDef::optional("topic.key.field.regex", Kind::Text, "its value").harmless(),
    ConfigDef::optional("topic.key.field.replacement", Kind::Text, "its value").harmless(),
    ConfigDef::with(
        "topic.creation.default.partitions",
        Kind::Int,
        "-1",
        "partitions of topics that are created, -1 is the broker's default",
    )
    .checked(check::MINUS_ONE_OR_POSITIVE),
    ConfigDef::with(
        "topic.creation.default.replication.factor",
        Kind::Int,
        "-1",
        "replicas of topics that are created, -1 is the broker's default",
    )
    .checked(check::MINUS_ONE_OR_POSITIVE),
    ConfigDef::optional("topic.creation.groups", Kind::Text, "groups of topics created otherwise").not_yet(),
    ConfigDef::optional("topic.creation.*", Kind::Text, "settings of topics that are created").no_effect(),
    ConfigDef::optional("producer.override.*", Kind::Text, "properties of the Kafka producer"),
    ConfigDef::optional(
        "tidewire.file.path",
        Kind::Text,
        "without Kafka: a folder for the records, or - for standard output",
    )
    .medium(),
];
