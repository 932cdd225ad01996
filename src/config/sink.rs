//! What a ClickHouse sink connector is told to do.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::check::placeholder_bytes;
use crate::config::check::sink::{database_pairs, table_key_pairs};
use crate::config::define::CLICKHOUSE_SINK_CONNECTOR;
use crate::config::load::Reader;
use crate::config::pattern::JavaPattern;
use crate::config::problem::{ConfigProblem, Examined, Warning};
use crate::config::properties::Properties;
use crate::config::sink::modes::{
    KeylessMode, NullableMode, OutOfRangeMode, SourceHandling, TableEngine, TimeHandlingMode, ZeroDateMode,
};
use crate::config::source::Secret;

pub mod modes;

/// The most that an insert may have before it is sent: the server's answer is waited for with all of it in memory.
const MOST_FLUSH_BYTES: usize = 64 << 20;

/// The configuration of one ClickHouse sink connector.
#[derive(Clone, Debug)]
pub struct SinkConfig {
    /// `name`.
    pub name: String,
    /// `tasks.max`.
    pub tasks: u32,
    /// `topics` or `topics.regex`.
    pub topics: Topics,
    /// `schema.changes.topic`.
    pub schema_changes_topic: Option<String>,
    /// `schema.changes.wait.ms`.
    pub schema_changes_wait: Duration,
    /// `consumer.override.*`, prefix removed.
    pub consumer_overrides: ConsumerOverrides,
    /// The server.
    pub server: ServerConfig,
    /// When inserts are sent.
    pub flush: FlushConfig,
    /// What follows a failure.
    pub errors: ErrorConfig,
    /// `unavailable.value.placeholder`: its text as UTF-8, or the bytes behind `hex:`.
    pub unavailable_placeholder: Vec<u8>,
    /// How long deletions stay.
    pub tombstones: TombstoneConfig,
    /// How the source publishes types that have several forms.
    pub handling: SourceHandling,
    /// What tables look like.
    pub tables: TableConfig,
}

/// How long deletions stay in the tables.
#[derive(Clone, Copy, Debug)]
pub struct TombstoneConfig {
    /// `tombstones.keep.ms`; none for ever.
    pub keep: Option<Duration>,
    /// `tombstones.cleanup.interval.ms`.
    pub interval: Duration,
}

/// Whether `connector.class` names the sink; short names count, as in Kafka Connect.
pub fn is_sink_class(class: &str) -> bool {
    matches!(
        class,
        "tidewire.clickhouse.ClickHouseSinkConnector" | "ClickHouseSinkConnector" | "ClickHouseSink"
    )
}

/// What is consumed.
#[derive(Clone, Debug)]
pub enum Topics {
    /// These.
    Named(Vec<String>),
    /// Those whose whole name matches.
    Matching(String),
}

/// Properties of the consumer. They hold secrets, so only their names are printed.
#[derive(Clone, Default)]
pub struct ConsumerOverrides(pub Vec<(String, String)>);

impl std::fmt::Debug for ConsumerOverrides {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// How the server is reached.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// `clickhouse.url`, without a slash at the end.
    pub url: String,
    /// `clickhouse.user`.
    pub user: String,
    /// `clickhouse.password`.
    pub password: Option<Secret>,
    /// `clickhouse.ssl.ca`.
    pub ssl_ca: Option<PathBuf>,
    /// `clickhouse.connect.timeout.ms`.
    pub connect_timeout: Duration,
    /// `clickhouse.request.timeout.ms`.
    pub request_timeout: Duration,
    /// `clickhouse.compression=lz4`.
    pub compressed: bool,
}

/// When inserts are sent.
#[derive(Clone, Copy, Debug)]
pub struct FlushConfig {
    /// `flush.bytes`, at most 64 MiB.
    pub bytes: usize,
    /// `flush.rows`.
    pub rows: usize,
    /// `flush.interval.ms`.
    pub interval: Duration,
    /// `flush.interval.max.ms`.
    pub longest_interval: Duration,
    /// `inserts.per.second`.
    pub inserts_per_second: u32,
}

/// What follows a failure.
#[derive(Clone, Copy, Debug)]
pub struct ErrorConfig {
    /// `errors.tolerance=all`: a row that cannot be written is put aside.
    pub quarantine: bool,
    /// `errors.retry.timeout`; none without end.
    pub retry_timeout: Option<Duration>,
    /// `errors.retry.delay.max.ms`.
    pub longest_delay: Duration,
}

/// What tables look like.
#[derive(Clone, Debug)]
pub struct TableConfig {
    database: Option<String>,
    databases: Vec<(String, String)>,
    order_by: Vec<(String, String)>,
    partition_by: Vec<(String, String)>,
    low_cardinality: Vec<String>,
    /// `clickhouse.cluster`.
    pub cluster: Option<String>,
    /// `table.engine`.
    pub engine: TableEngine,
    /// `table.engine.replica.path` and `.name`.
    pub replica: Option<(String, String)>,
    /// `table.synced.at`.
    pub synced_at: bool,
    /// `table.deduplication.window`.
    pub deduplication_window: u32,
    /// `keyless.mode`.
    pub keyless: KeylessMode,
    /// `key.widen.integers`.
    pub widen_integer_keys: bool,
    /// `column.nullable`.
    pub nullable: NullableMode,
    /// `tinyint1.as.bool`.
    pub tinyint1_as_bool: bool,
    /// `time.handling.mode`.
    pub time: TimeHandlingMode,
    /// `dates.out.of.range`.
    pub out_of_range: OutOfRangeMode,
    /// `dates.zero`.
    pub zero_dates: ZeroDateMode,
}

impl TableConfig {
    /// The database in ClickHouse of one in MySQL. An entry of the map comes before `clickhouse.database`.
    pub fn database<'a>(&'a self, source: &'a str) -> &'a str {
        let mapped = self.databases.iter().find(|(from, _)| from == source).map(|(_, to)| to);
        mapped.or(self.database.as_ref()).map_or(source, String::as_str)
    }

    /// The databases in ClickHouse that are named, whatever comes.
    pub fn named_databases(&self) -> impl Iterator<Item = &str> {
        self.databases.iter().map(|(_, to)| to.as_str()).chain(self.database.as_deref())
    }

    /// The sorting key of a table of MySQL, named `database.table`; none where the identity is. The first entry counts.
    pub fn order_by(&self, table: &str) -> Option<&str> {
        key_of(&self.order_by, table)
    }

    /// The partition key, likewise.
    pub fn partition_by(&self, table: &str) -> Option<&str> {
        key_of(&self.partition_by, table)
    }

    /// The patterns of `low.cardinality.columns`, for `database.table.column`.
    pub fn low_cardinality(&self) -> Vec<JavaPattern> {
        self.low_cardinality.iter().filter_map(|pattern| JavaPattern::compile(pattern).ok()).collect()
    }
}

/// Asked once for each version of a table, so that nothing is kept compiled.
fn key_of<'a>(keys: &'a [(String, String)], table: &str) -> Option<&'a str> {
    let matches = |pattern: &str| JavaPattern::compile(pattern).is_ok_and(|pattern| pattern.matches(table));
    keys.iter().find(|(tables, _)| matches(tables)).map(|(_, key)| key.as_str())
}

impl SinkConfig {
    /// Reads a connector's properties. All problems are reported together. Placeholders must have been resolved.
    pub fn from_properties(
        properties: &Properties,
    ) -> Result<(SinkConfig, Vec<Warning>), Vec<ConfigProblem>> {
        Self::examine(properties).into_result()
    }

    /// The same, with the warnings beside the problems.
    pub fn examine(properties: &Properties) -> Examined<SinkConfig> {
        let mut reader = Reader::check(properties, CLICKHOUSE_SINK_CONNECTOR, |_| true);
        let topics = topics(&mut reader);
        let password = properties.get_untrimmed("clickhouse.password").filter(|text| !text.is_empty());
        let url = reader.string("clickhouse.url");
        if password.is_some() && url.starts_with("http://") {
            let text = "the password goes over the network unprotected, unless the url is https";
            reader.warnings.push(Warning::new("clickhouse.url", text));
        }
        let config = SinkConfig {
            name: reader.string("name"),
            tasks: reader.number("tasks.max"),
            topics,
            schema_changes_topic: reader.text("schema.changes.topic").map(str::to_owned),
            schema_changes_wait: reader.millis("schema.changes.wait.ms"),
            consumer_overrides: ConsumerOverrides(properties.with_prefix("consumer.override.")),
            server: ServerConfig {
                url: url.trim_end_matches('/').to_owned(),
                user: reader.string("clickhouse.user"),
                password: password.map(Secret::new),
                ssl_ca: reader.text("clickhouse.ssl.ca").map(PathBuf::from),
                connect_timeout: reader.millis("clickhouse.connect.timeout.ms"),
                request_timeout: reader.millis("clickhouse.request.timeout.ms"),
                compressed: reader.string("clickhouse.compression").eq_ignore_ascii_case("lz4"),
            },
            flush: flush(&mut reader),
            errors: ErrorConfig {
                quarantine: reader.string("errors.tolerance").eq_ignore_ascii_case("all"),
                retry_timeout: match reader.number("errors.retry.timeout") {
                    -1i64 => None,
                    _ => Some(reader.millis("errors.retry.timeout")),
                },
                longest_delay: reader.millis("errors.retry.delay.max.ms"),
            },
            tombstones: TombstoneConfig {
                keep: match reader.number("tombstones.keep.ms") {
                    -1i64 => None,
                    _ => Some(reader.millis("tombstones.keep.ms")),
                },
                interval: reader.millis("tombstones.cleanup.interval.ms"),
            },
            unavailable_placeholder: placeholder_bytes(&reader.string("unavailable.value.placeholder"))
                .unwrap_or_default(),
            handling: SourceHandling {
                decimal: reader.choice("decimal.handling.mode"),
                bigint_unsigned: reader.choice("bigint.unsigned.handling.mode"),
                temporal: reader.choice("time.precision.mode"),
                binary: reader.choice("binary.handling.mode"),
            },
            tables: tables(&mut reader),
        };
        reader.finish(config)
    }
}

/// Kafka Connect's own sentences.
fn topics(reader: &mut Reader) -> Topics {
    match (reader.list("topics"), reader.text("topics.regex")) {
        (Some(_), Some(_)) => {
            reader.problem(
                "topics.regex",
                "topics or topics.regex",
                "topics and topics.regex are mutually exclusive options, but both are set.",
                "remove one of them",
            );
            Topics::Named(Vec::new())
        }
        (Some(names), None) => Topics::Named(names),
        (None, Some(regex)) => Topics::Matching(regex.to_owned()),
        (None, None) => {
            // A refused one was reported already.
            if reader.written("topics").is_none() && reader.written("topics.regex").is_none() {
                reader.problem(
                    "topics",
                    "topics or topics.regex",
                    "Must configure one of topics or topics.regex",
                    "set topics.regex, for instance to prefix\\.database\\..*",
                );
            }
            Topics::Named(Vec::new())
        }
    }
}

fn flush(reader: &mut Reader) -> FlushConfig {
    let bytes: usize = reader.number("flush.bytes");
    if bytes > MOST_FLUSH_BYTES {
        reader.warnings.push(Warning::new("flush.bytes", "is cut to 67108864"));
    }
    let (interval, longest_interval) =
        (reader.millis("flush.interval.ms"), reader.millis("flush.interval.max.ms"));
    if longest_interval < interval {
        reader.problem(
            "flush.interval.max.ms",
            "at least flush.interval.ms",
            format!("it is below flush.interval.ms, {}", interval.as_millis()),
            "raise flush.interval.max.ms or lower flush.interval.ms",
        );
    }
    FlushConfig {
        bytes: bytes.min(MOST_FLUSH_BYTES),
        rows: reader.number("flush.rows"),
        interval,
        longest_interval,
        inserts_per_second: reader.number("inserts.per.second"),
    }
}

fn tables(reader: &mut Reader) -> TableConfig {
    let replica = reader.together("table.engine.replica.path", "table.engine.replica.name");
    let engine: TableEngine = reader.choice("table.engine");
    let has_path = reader.text("table.engine.replica.path").is_some();
    if has_path && engine == TableEngine::ReplacingMergeTree {
        let text = "has no effect without table.engine=ReplicatedReplacingMergeTree";
        reader.warnings.push(Warning::new("table.engine.replica.path", text));
    }
    let keys = |text: Option<&str>| table_key_pairs(text.unwrap_or_default());
    TableConfig {
        database: reader.text("clickhouse.database").map(str::to_owned),
        databases: database_pairs(reader.text("clickhouse.database.override.map").unwrap_or_default()),
        order_by: keys(reader.text("table.order.by")),
        partition_by: keys(reader.text("table.partition.by")),
        low_cardinality: reader.list("low.cardinality.columns").unwrap_or_default(),
        cluster: reader.text("clickhouse.cluster").map(str::to_owned),
        engine,
        replica,
        synced_at: reader.boolean("table.synced.at"),
        deduplication_window: reader.number("table.deduplication.window"),
        keyless: reader.choice("keyless.mode"),
        widen_integer_keys: reader.boolean("key.widen.integers"),
        nullable: reader.choice("column.nullable"),
        tinyint1_as_bool: reader.boolean("tinyint1.as.bool"),
        time: reader.choice("time.handling.mode"),
        out_of_range: reader.choice("dates.out.of.range"),
        zero_dates: reader.choice("dates.zero"),
    }
}

#[cfg(test)]
mod tests;
