//! The ClickHouse sink: what is consumed, where it goes, what tables look like.
//!
//! Kafka Connect's names for what every sink has; for the rest names like those of other sinks to ClickHouse.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

/// Topics, server, batches, errors.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::needed(
        "connector.class",
        Kind::Class,
        "the connector: tidewire.clickhouse.ClickHouseSinkConnector",
    )
    .checked(check::sink::CONNECTOR_CLASS),
    ConfigDef::needed("name", Kind::Text, "the connector's name; its consumer group is connect-NAME"),
    ConfigDef::with("tasks.max", Kind::Int, "1", "consumers of the group in this process")
        .medium()
        .checked(check::POSITIVE_INT),
    ConfigDef::optional("topics", Kind::Text, "topics of tables, separated by commas; or topics.regex")
        .high()
        .checked(check::sink::TOPICS),
    ConfigDef::optional(
        "topics.regex",
        Kind::Text,
        "a regular expression of Java for the names of topics: one line mirrors a whole database",
    )
    .high()
    .checked(check::sink::REGEX),
    ConfigDef::optional(
        "schema.changes.topic",
        Kind::Text,
        "the topic of schema changes, which is the source's topic.prefix; without it types come from record schemas",
    )
    .high()
    .checked(check::TOPIC_NAME),
    ConfigDef::with(
        "schema.changes.wait.ms",
        Kind::Long,
        "10000",
        "how long a changed record schema waits for its schema change, for topics of Debezium",
    )
    .checked(check::NON_NEGATIVE_LONG),
    ConfigDef::optional("consumer.override.*", Kind::Text, "properties of the Kafka consumer"),
    ConfigDef::needed("clickhouse.url", Kind::Text, "http://host:8123 or https://host:8443")
        .checked(check::sink::URL),
    ConfigDef::with("clickhouse.user", Kind::Text, "default", "user name").high(),
    ConfigDef::optional("clickhouse.password", Kind::Password, "password").high(),
    ConfigDef::optional(
        "clickhouse.ssl.ca",
        Kind::Text,
        "a PEM file with the trusted authorities; else the system's",
    ),
    ConfigDef::with("clickhouse.connect.timeout.ms", Kind::Long, "10000", "time limit of connecting in ms")
        .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "clickhouse.request.timeout.ms",
        Kind::Long,
        "300000",
        "time limit of a request in ms; an insert without an answer is sent again with its token",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "clickhouse.compression",
        Kind::Word { allowed: &["lz4", "none"], later: &[] },
        "lz4",
        "how inserts are compressed on the way",
    ),
    ConfigDef::with(
        "flush.bytes",
        Kind::Long,
        "33554432",
        "an insert is sent when it has so many bytes, at most 64 MiB",
    )
    .medium()
    .checked(check::POSITIVE_LONG),
    ConfigDef::with("flush.rows", Kind::Long, "500000", "or so many rows")
        .medium()
        .checked(check::POSITIVE_LONG),
    ConfigDef::with("flush.interval.ms", Kind::Long, "1000", "or when its first row is so old")
        .medium()
        .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "flush.interval.max.ms",
        Kind::Long,
        "10000",
        "how old it may become while the server has too many parts",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "inserts.per.second",
        Kind::Int,
        "20",
        "inserts of all tables together, the oldest rows first",
    )
    .checked(check::POSITIVE_INT),
    ConfigDef::with(
        "tombstones.keep.ms",
        Kind::Long,
        "-1",
        "how long deletions stay on the disk, -1 is for ever; longer than topics may be read again, and than a snapshot takes",
    )
    .checked(check::sink::MINUS_ONE_OR_MORE),
    ConfigDef::with(
        "tombstones.cleanup.interval.ms",
        Kind::Long,
        "86400000",
        "between two removals of old deletions of a table",
    )
    .checked(check::POSITIVE_LONG),
    ConfigDef::with(
        "errors.tolerance",
        Kind::Word { allowed: &["none", "all"], later: &[] },
        "none",
        "none: a row that cannot be written stops its table; all: it is put aside, to be written later in its place",
    )
    .medium(),
    ConfigDef::with(
        "errors.retry.timeout",
        Kind::Long,
        "-1",
        "how long a failed insert is repeated in ms before its table stops, -1 is without end",
    )
    .medium()
    .checked(check::sink::MINUS_ONE_OR_MORE),
    ConfigDef::with("errors.retry.delay.max.ms", Kind::Long, "60000", "the longest wait between two attempts")
        .checked(check::POSITIVE_LONG),
    ConfigDef::with("errors.deadletterqueue.topic.name", Kind::Text, "", "rows are put aside in ClickHouse")
        .not_yet(),
    ConfigDef::optional("errors.deadletterqueue.*", Kind::Text, "about Kafka Connect's dead letter queue")
        .harmless(),
    ConfigDef::with("errors.log.enable", Kind::Boolean, "false", "errors are always logged").harmless(),
    ConfigDef::with(
        "errors.log.include.messages",
        Kind::Boolean,
        "false",
        "values are never logged",
    )
    .no_effect(),
    ConfigDef::optional(
        "key.converter",
        Kind::Class,
        "the converter of keys: org.apache.kafka.connect.json.JsonConverter, with or without schemas",
    )
    .checked(check::CONVERTER_CLASS),
    ConfigDef::optional("key.converter.*", Kind::Text, "found in the records").harmless(),
    ConfigDef::optional(
        "value.converter",
        Kind::Class,
        "the converter of values: org.apache.kafka.connect.json.JsonConverter, with or without schemas",
    )
    .checked(check::CONVERTER_CLASS),
    ConfigDef::optional("value.converter.*", Kind::Text, "found in the records").harmless(),
    ConfigDef::optional("header.converter", Kind::Class, "headers are read as bytes").harmless(),
    ConfigDef::with(
        "decimal.handling.mode",
        Kind::Word { allowed: &["string", "double", "precise"], later: &[] },
        "precise",
        "that of the source: how records without schemas have DECIMAL",
    ),
    ConfigDef::with(
        "bigint.unsigned.handling.mode",
        Kind::Word { allowed: &["precise", "long"], later: &[] },
        "long",
        "that of the source: how records without schemas have BIGINT UNSIGNED",
    ),
    ConfigDef::with(
        "time.precision.mode",
        Kind::Word {
            allowed: &["adaptive_time_microseconds", "isostring", "microseconds", "nanoseconds", "connect"],
            later: &[],
        },
        "adaptive_time_microseconds",
        "that of the source: how records without schemas have dates and times",
    ),
    ConfigDef::with(
        "binary.handling.mode",
        Kind::Word { allowed: &["bytes", "base64", "hex", "base64-url-safe"], later: &[] },
        "bytes",
        "that of the source: how binary columns are spelled",
    ),
    ConfigDef::with(
        "unavailable.value.placeholder",
        Kind::Text,
        "__debezium_unavailable_value",
        "what the source puts in place of values that the server left out: they keep what the table has",
    )
    .checked(check::UNAVAILABLE_PLACEHOLDER),
    ConfigDef::optional("transforms", Kind::Text, "names of single message transforms").not_yet(),
    ConfigDef::optional("transforms.*", Kind::Text, "properties of a transform").harmless(),
    ConfigDef::optional("predicates", Kind::Text, "names of predicates of transforms").harmless(),
    ConfigDef::optional("predicates.*", Kind::Text, "properties of a predicate").harmless(),
    ConfigDef::with("config.action.reload", Kind::Text, "restart", "when a placeholder's value changes")
        .harmless(),
    ConfigDef::optional("tasks.max.enforce", Kind::Boolean, "about Kafka Connect's tasks").harmless(),
    ConfigDef::optional("connector.plugin.version", Kind::Text, "about Kafka Connect's plugins").harmless(),
];

/// Databases, tables, columns.
pub(super) const TABLE_ROWS: &[ConfigDef] = &[
    ConfigDef::optional(
        "clickhouse.database",
        Kind::Text,
        "the database of all tables; else each goes to the one that is named as in MySQL",
    )
    .high(),
    ConfigDef::optional(
        "clickhouse.database.override.map",
        Kind::Text,
        "other databases for some of MySQL's: source:target, separated by commas",
    )
    .checked(check::sink::DATABASE_MAP),
    ConfigDef::optional(
        "clickhouse.cluster",
        Kind::Text,
        "ON CLUSTER of all statements that make or change tables",
    ),
    ConfigDef::with(
        "table.engine",
        Kind::Word { allowed: &["ReplacingMergeTree", "ReplicatedReplacingMergeTree"], later: &[] },
        "ReplacingMergeTree",
        "the engine of tables that are made",
    )
    .medium(),
    ConfigDef::optional(
        "table.engine.replica.path",
        Kind::Text,
        "the path of a replicated table in Keeper, with macros; else the server's default",
    ),
    ConfigDef::optional(
        "table.engine.replica.name",
        Kind::Text,
        "the name of the replica, with macros; else the server's default",
    ),
    ConfigDef::optional(
        "table.order.by",
        Kind::Text,
        "other sorting keys: tables:expressions, separated by semicolons; each contains the key columns",
    )
    .checked(check::sink::TABLE_KEYS),
    ConfigDef::optional(
        "table.partition.by",
        Kind::Text,
        "partition keys: tables:expressions, separated by semicolons",
    )
    .checked(check::sink::TABLE_KEYS),
    ConfigDef::with("table.synced.at", Kind::Boolean, "true", "whether tables have a column _synced_at"),
    ConfigDef::with(
        "table.deduplication.window",
        Kind::Int,
        "10000",
        "inserts whose tokens a table remembers",
    )
    .checked(check::NON_NEGATIVE_INT),
    ConfigDef::with(
        "keyless.mode",
        Kind::Word { allowed: &["refuse", "append", "row_hash"], later: &[] },
        "refuse",
        "tables without a key: refused, every change a row, or the whole row as key (equal rows become one)",
    )
    .medium(),
    ConfigDef::with(
        "key.widen.integers",
        Kind::Boolean,
        "false",
        "whether integers in keys get 64 bits, since a key's type cannot change later",
    ),
    ConfigDef::with(
        "column.nullable",
        Kind::Word { allowed: &["as_source", "always", "never"], later: &[] },
        "as_source",
        "which columns allow null",
    ),
    ConfigDef::optional(
        "low.cardinality.columns",
        Kind::RegexList,
        "text columns with a dictionary, as database.table.column",
    ),
    ConfigDef::with("tinyint1.as.bool", Kind::Boolean, "false", "whether TINYINT(1) becomes Bool"),
    ConfigDef::with(
        "time.handling.mode",
        Kind::Word { allowed: &["auto", "int64", "string"], later: &[] },
        "auto",
        "TIME as Time64 where the server has it, as microseconds, or as text",
    ),
    ConfigDef::with(
        "dates.out.of.range",
        Kind::Word { allowed: &["exact", "clamp", "null"], later: &[] },
        "exact",
        "dates that the server cannot hold: an error of the row, the nearest one, or null",
    ),
    ConfigDef::with(
        "dates.zero",
        Kind::Word { allowed: &["min", "epoch"], later: &[] },
        "min",
        "zero dates in columns without null: the first date of the server, or 1970-01-01",
    ),
];
