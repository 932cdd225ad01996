//! The worker, by the names of Kafka Connect's distributed and standalone workers.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

const ABOUT_CONNECT: &str = "about a cluster of Kafka Connect";
const FORMAT: Kind = Kind::Word { allowed: &["BASE64", "NUMERIC"], later: &[] };

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::optional(
        "bootstrap.servers",
        Kind::Text,
        "Kafka brokers; without them records and offsets are in files",
    )
    .high(),
    ConfigDef::with(
        "group.id",
        Kind::Text,
        "connect",
        "name of the group of workers; with it an instance stands by while another one runs the connector",
    )
    .high(),
    ConfigDef::with("offset.storage.topic", Kind::Text, "connect-offsets", "the offset topic")
        .high()
        .checked(check::TOPIC_NAME),
    ConfigDef::with(
        "offset.storage.partitions",
        Kind::Int,
        "25",
        "partitions of the offset topic when it is created",
    )
    .checked(check::MINUS_ONE_OR_POSITIVE),
    ConfigDef::with(
        "offset.storage.replication.factor",
        Kind::Int,
        "3",
        "replicas of the offset topic when it is created",
    )
    .checked(check::MINUS_ONE_OR_POSITIVE),
    ConfigDef::optional(
        "offset.storage.file.filename",
        Kind::Text,
        "without Kafka: the offset file; else offsets.dat in the folder",
    ),
    ConfigDef::optional("offset.storage.*", Kind::Text, "settings of the offset topic when it is created")
        .no_effect(),
    ConfigDef::with("offset.flush.interval.ms", Kind::Long, "60000", "offsets are stored this often, in ms")
        .medium()
        .checked(check::POSITIVE_LONG),
    ConfigDef::with("offset.flush.timeout.ms", Kind::Long, "5000", "time limit of storing offsets in ms")
        .harmless(),
    ConfigDef::optional(
        "tidewire.file.path",
        Kind::Text,
        "without Kafka: a folder for the records, or - for standard output",
    )
    .medium(),
    ConfigDef::with(
        "tidewire.log.format",
        Kind::Word { allowed: &["text", "json"], later: &[] },
        "text",
        "lines of the log as text or as JSON",
    ),
    ConfigDef::optional("key.converter", Kind::Class, "the converter of keys where a connector names none")
        .checked(check::CONVERTER_CLASS),
    ConfigDef::with("key.converter.schemas.enable", Kind::Boolean, "true", "keys with their schema"),
    ConfigDef::with(
        "key.converter.replace.null.with.default",
        Kind::Boolean,
        "true",
        "null becomes the field's default",
    ),
    ConfigDef::with("key.converter.decimal.format", FORMAT, "BASE64", "Decimal as base64 or as a number"),
    ConfigDef::optional("key.converter.*", Kind::Text, "further properties of the converter of keys")
        .no_effect(),
    ConfigDef::optional(
        "value.converter",
        Kind::Class,
        "the converter of values where a connector names none",
    )
    .checked(check::CONVERTER_CLASS),
    ConfigDef::with("value.converter.schemas.enable", Kind::Boolean, "true", "values with their schema"),
    ConfigDef::with(
        "value.converter.replace.null.with.default",
        Kind::Boolean,
        "true",
        "null becomes the field's default",
    ),
    ConfigDef::with("value.converter.decimal.format", FORMAT, "BASE64", "Decimal as base64 or as a number"),
    ConfigDef::optional("value.converter.*", Kind::Text, "further properties of the converter of values")
        .no_effect(),
    ConfigDef::with(
        "header.converter",
        Kind::Class,
        "org.apache.kafka.connect.storage.SimpleHeaderConverter",
        "the converter of headers",
    )
    .not_yet(),
    ConfigDef::optional("internal.key.converter*", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("internal.value.converter*", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::with(
        "exactly.once.source.support",
        Kind::Word { allowed: &["disabled", "enabled", "preparing"], later: &[] },
        "disabled",
        "enabled: records, offsets and history records in Kafka transactions, each change exactly once",
    ),
    ConfigDef::with("topic.creation.enable", Kind::Boolean, "true", "whether missing topics are created")
        .no_effect(),
    ConfigDef::optional("producer.*", Kind::Text, "properties of the Kafka producers").medium(),
    ConfigDef::optional("consumer.*", Kind::Text, "properties of the Kafka consumers").medium(),
    ConfigDef::optional("admin.listeners", Kind::Text, "addresses of an administrative REST interface")
        .no_effect(),
    ConfigDef::optional("admin.*", Kind::Text, "properties of the Kafka administration client").medium(),
    ConfigDef::optional(
        "security.protocol",
        Kind::Text,
        "how brokers are reached: PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL",
    )
    .medium(),
    ConfigDef::optional("sasl.*", Kind::Text, "login at brokers").medium(),
    ConfigDef::optional("ssl.*", Kind::Text, "encryption to brokers").medium(),
    ConfigDef::optional("listeners", Kind::Text, "addresses of the REST interface").no_effect(),
    ConfigDef::optional("listeners.*", Kind::Text, "settings of the REST interface").harmless(),
    ConfigDef::optional("rest.*", Kind::Text, "settings of the REST interface").harmless(),
    ConfigDef::optional("access.control.*", Kind::Text, "settings of the REST interface").harmless(),
    ConfigDef::optional("response.http.headers.config", Kind::Text, "settings of the REST interface")
        .harmless(),
    ConfigDef::optional(
        "config.providers",
        Kind::Text,
        "names of configuration providers beside env, file and dir",
    ),
    ConfigDef::optional("config.providers.*", Kind::Text, "settings of a configuration provider"),
    ConfigDef::optional("config.storage.*", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("status.storage.*", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("plugin.*", Kind::Text, "where Java classes are").harmless(),
    ConfigDef::optional("client.*", Kind::Text, "settings of Kafka clients").harmless(),
    ConfigDef::optional(
        "connector.client.config.override.policy",
        Kind::Text,
        "which overrides are allowed; all are",
    )
    .harmless(),
    ConfigDef::optional("task.shutdown.graceful.timeout.ms", Kind::Long, ABOUT_CONNECT).harmless(),
    ConfigDef::with(
        "tidewire.standby.enabled",
        Kind::Boolean,
        "true",
        "with Kafka and a group.id: of several instances one runs a connector, the others stand by",
    )
    .medium(),
    ConfigDef::with(
        "session.timeout.ms",
        Kind::Int,
        "10000",
        "an instance that is silent for so long, in ms, is taken for dead, and another one takes over",
    )
    .checked(check::POSITIVE_INT),
    ConfigDef::with(
        "heartbeat.interval.ms",
        Kind::Int,
        "3000",
        "an instance says so often, in ms, that it is there",
    )
    .checked(check::POSITIVE_INT),
    ConfigDef::with(
        "rebalance.timeout.ms",
        Kind::Int,
        "60000",
        "how long the others are waited for when an instance comes or goes, in ms",
    )
    .checked(check::POSITIVE_INT),
    ConfigDef::optional("scheduled.rebalance.max.delay.ms", Kind::Int, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("connect.protocol", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("worker.*", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("inter.worker.*", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("topic.tracking.*", Kind::Text, ABOUT_CONNECT).harmless(),
    ConfigDef::optional("metrics.*", Kind::Text, "about metrics of Java").harmless(),
    ConfigDef::optional("metric.reporters", Kind::Text, "about metrics of Java").harmless(),
    ConfigDef::optional("request.timeout.ms", Kind::Int, "time limit of Kafka requests in ms").harmless(),
    ConfigDef::optional("retry.backoff.*", Kind::Text, "settings of Kafka clients").harmless(),
    ConfigDef::optional("reconnect.backoff.*", Kind::Text, "settings of Kafka clients").harmless(),
    ConfigDef::optional("metadata.*", Kind::Text, "settings of Kafka clients").harmless(),
    ConfigDef::optional("connections.max.idle.ms", Kind::Long, "settings of Kafka clients").harmless(),
    ConfigDef::optional("send.buffer.bytes", Kind::Int, "settings of Kafka clients").harmless(),
    ConfigDef::optional("receive.buffer.bytes", Kind::Int, "settings of Kafka clients").harmless(),
];
