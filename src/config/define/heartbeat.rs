//! Heartbeats, signals, notifications.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::with("heartbeat.interval.ms", Kind::Int, "0", "time between heartbeats in ms, 0 is off")
        .medium()
        .checked(check::NON_NEGATIVE_INT),
    ConfigDef::optional("heartbeat.action.query", Kind::Text, "a statement run with each heartbeat"),
    ConfigDef::optional("signal.data.collection", Kind::Text, "the signal table, as database.table")
        .checked(check::ONE_TABLE),
    ConfigDef::with(
        "signal.enabled.channels",
        Kind::Words {
            allowed: &["source", "kafka", "file", "jmx", "in-process"],
            later: &["kafka", "file", "jmx", "in-process"],
        },
        "source",
        "where signals come from",
    )
    .medium(),
    ConfigDef::with(
        "signal.poll.interval.ms",
        Kind::Long,
        "5000",
        "time between looks at the channels in ms",
    )
    .harmless(),
    ConfigDef::with("signal.emit.failure.max.retries", Kind::Int, "0", "tries to write a watermark again")
        .harmless(),
    ConfigDef::with("signal.emit.failure.backoff.ms", Kind::Long, "10000", "wait between them in ms")
        .harmless(),
    ConfigDef::with("signal.file", Kind::Text, "file-signals.txt", "the file of the file channel").harmless(),
    ConfigDef::optional("signal.kafka.topic", Kind::Text, "the topic of the Kafka channel").harmless(),
    ConfigDef::optional("signal.kafka.bootstrap.servers", Kind::Text, "the brokers of the Kafka channel")
        .harmless(),
    ConfigDef::with("signal.kafka.poll.timeout.ms", Kind::Int, "0", "about the Kafka channel").harmless(),
    ConfigDef::with(
        "signal.kafka.groupId",
        Kind::Text,
        "kafka-signal",
        "the consumer group of the Kafka channel",
    )
    .harmless(),
    ConfigDef::optional("signal.consumer.*", Kind::Text, "client properties of the Kafka channel").harmless(),
    ConfigDef::optional(
        "notification.enabled.channels",
        Kind::Words { allowed: &["sink", "log", "jmx"], later: &["sink"] },
        "where notifications go",
    ),
    ConfigDef::optional("notification.sink.topic.name", Kind::Text, "the topic of the sink channel")
        .harmless(),
];
