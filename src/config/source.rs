//! What a source connector is told to do.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::column_mapper::ColumnMapperConfig;
use crate::config::custom_converter::CustomConverterConfig;
use crate::config::error::ConfigError;
use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, FailureHandlingMode,
    NameAdjustmentMode, SslMode, TemporalPrecisionMode, TransactionBoundary,
};
use crate::config::pattern::JavaPattern;
use crate::config::snapshot::SnapshotConfig;

/// The configuration of one MySQL source connector.
#[derive(Clone)]
pub struct SourceConfig {
    /// `name`, else `topic.prefix`: part of the key of the stored offset.
    pub connector_name: String,
    /// `topic.prefix`.
    pub topic_prefix: String,
    /// How to reach the server.
    pub connection: ConnectionConfig,
    /// What to capture.
    pub filters: FilterConfig,
    /// How values look.
    pub values: ValueConfig,
    /// Which events are published, and how.
    pub events: EventConfig,
    /// The snapshot.
    pub snapshot: SnapshotConfig,
    /// The schema history.
    pub history: HistoryConfig,
    /// Queue and batch bounds.
    pub queue: QueueConfig,
    /// Key and value converters.
    pub key_converter: ConverterConfig,
    /// See `key_converter`.
    pub value_converter: ConverterConfig,
    /// `producer.override.*`, prefix removed.
    pub producer_overrides: Vec<(String, String)>,
    /// `topic.creation.default.partitions` and `.replication.factor` (-1: the broker's default), when topics are to be created by us.
    pub topic_creation: TopicCreation,
    /// Kafka transactions, where the worker has them.
    pub transactions: TransactionConfig,
    /// `errors.max.retries`: -1 unlimited.
    pub errors_max_retries: i32,
    /// `retriable.restart.connector.wait.ms`.
    pub retry_wait: Duration,
}

/// Client properties hold secrets, so only their names are printed.
fn names(pairs: &[(String, String)]) -> Vec<&str> {
    pairs.iter().map(|(name, _)| name.as_str()).collect()
}

impl std::fmt::Debug for SourceConfig {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SourceConfig")
            .field("connector_name", &self.connector_name)
            .field("topic_prefix", &self.topic_prefix)
            .field("connection", &self.connection)
            .field("filters", &self.filters)
            .field("values", &self.values)
            .field("events", &self.events)
            .field("snapshot", &self.snapshot)
            .field("history", &self.history)
            .field("queue", &self.queue)
            .field("key_converter", &self.key_converter)
            .field("value_converter", &self.value_converter)
            .field("producer_overrides", &names(&self.producer_overrides))
            .field("topic_creation", &self.topic_creation)
            .field("transactions", &self.transactions)
            .field("errors_max_retries", &self.errors_max_retries)
            .field("retry_wait", &self.retry_wait)
            .finish()
    }
}

/// When Kafka transactions end.
#[derive(Clone, Copy, Debug)]
pub struct TransactionConfig {
    /// `transaction.boundary`.
    pub boundary: TransactionBoundary,
    /// `transaction.boundary.interval.ms`, or the worker's `offset.flush.interval.ms`.
    pub interval: Duration,
    /// `tidewire.transaction.interval.ms`.
    pub least: Duration,
}

/// How to reach the server.
#[derive(Clone)]
pub struct ConnectionConfig {
    /// `database.hostname`.
    pub hostname: String,
    /// `database.port`.
    pub port: u16,
    /// `database.user`.
    pub user: String,
    /// `database.password`.
    pub password: Option<Secret>,
    /// `database.server.id`.
    pub server_id: u32,
    /// `connect.timeout.ms`.
    pub connect_timeout: Duration,
    /// `connect.keep.alive.interval.ms`: the server is asked for a heartbeat every 0.8 of it.
    pub keep_alive_interval: Duration,
    /// `database.ssl.mode`.
    pub ssl_mode: SslMode,
    /// `tidewire.ssl.ca`: a PEM file with the trusted authorities; otherwise the system's.
    pub ssl_ca: Option<PathBuf>,
    /// `tidewire.ssl.cert` and `tidewire.ssl.key`: PEM files of a client certificate.
    pub ssl_client: Option<(PathBuf, PathBuf)>,
    /// `database.query.timeout.ms`.
    pub query_timeout: Duration,
    /// `database.initial.statements`, split.
    pub initial_statements: Vec<String>,
}

/// A password. Prints as stars; never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret text.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text, for the one who must send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("********")
    }
}

impl std::fmt::Debug for ConnectionConfig {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}@{}:{}", self.user, self.hostname, self.port)
    }
}

/// What to capture, and what is done to columns on the way. Each list holds Java regular expressions, matched whole and without regard to case.
#[derive(Clone, Debug, Default)]
pub struct FilterConfig {
    /// `database.include.list`.
    pub database_include: Option<Vec<String>>,
    /// `database.exclude.list`.
    pub database_exclude: Option<Vec<String>>,
    /// `table.include.list`.
    pub table_include: Option<Vec<String>>,
    /// `table.exclude.list`.
    pub table_exclude: Option<Vec<String>>,
    /// `column.include.list`.
    pub column_include: Option<Vec<String>>,
    /// `column.exclude.list`.
    pub column_exclude: Option<Vec<String>>,
    /// `table.ignore.builtin`.
    pub ignore_builtin: bool,
    /// `message.key.columns`: a pattern for `db.table.column` each, in order.
    pub message_key_columns: Vec<String>,
    /// `signal.data.collection`.
    pub signal_data_collection: Option<String>,
    /// `gtid.source.includes`: expressions for the UUIDs of sources.
    pub gtid_source_includes: Option<Vec<String>>,
    /// `gtid.source.excludes`.
    pub gtid_source_excludes: Option<Vec<String>>,
    /// `gtid.source.filter.dml.events`: rows of other sources are dropped.
    pub gtid_source_filters_rows: bool,
    /// Masks and truncation, in the order in which they are asked for a column.
    pub mappers: Vec<ColumnMapperConfig>,
    /// `column.propagate.source.type`.
    pub propagated_columns: Vec<String>,
    /// `datatype.propagate.source.type`: expressions for `db.table.TYPE`.
    pub propagated_types: Vec<String>,
    /// `converters`, in their order.
    pub converters: Vec<CustomConverterConfig>,
}

/// How values look.
#[derive(Clone, Debug)]
pub struct ValueConfig {
    /// `decimal.handling.mode`.
    pub decimal: DecimalHandlingMode,
    /// `bigint.unsigned.handling.mode`.
    pub bigint_unsigned: BigIntUnsignedHandlingMode,
    /// `time.precision.mode`.
    pub temporal: TemporalPrecisionMode,
    /// `binary.handling.mode`.
    pub binary: BinaryHandlingMode,
    /// `enable.time.adjuster`.
    pub time_adjuster: bool,
    /// `schema.name.adjustment.mode`.
    pub schema_name_adjustment: NameAdjustmentMode,
    /// `field.name.adjustment.mode`.
    pub field_name_adjustment: NameAdjustmentMode,
    /// `event.converting.failure.handling.mode`.
    pub converting_failure: FailureHandlingMode,
    /// `include.unknown.datatypes`.
    pub unknown_datatypes: bool,
    /// `unavailable.value.placeholder`: its text as UTF-8, or the bytes behind `hex:`.
    pub unavailable_placeholder: Vec<u8>,
}

/// Which events are published, and how.
#[derive(Clone, Debug)]
pub struct EventConfig {
    /// `tombstones.on.delete`.
    pub tombstones_on_delete: bool,
    /// `skipped.operations`.
    pub skipped: SkippedOperations,
    /// `include.query`.
    pub include_query: bool,
    /// `include.schema.changes`.
    pub include_schema_changes: bool,
    /// `include.schema.comments`.
    pub include_schema_comments: bool,
    /// `provide.transaction.metadata`.
    pub provide_transaction_metadata: bool,
    /// `extended.headers.enabled`.
    pub extended_headers: bool,
    /// `tidewire.sequence.header`.
    pub sequence_header: bool,
    /// `topic.delimiter`.
    pub topic_delimiter: String,
    /// The heartbeat topic: `topic.heartbeat.name`, else `topic.heartbeat.prefix` + delimiter + prefix.
    pub heartbeat_topic: String,
    /// The transaction topic: prefix + delimiter + `topic.transaction`.
    pub transaction_topic: String,
    /// `heartbeat.interval.ms`; zero is off.
    pub heartbeat_interval: Duration,
    /// `heartbeat.action.query`.
    pub heartbeat_action_query: Option<String>,
    /// `inconsistent.schema.handling.mode`.
    pub inconsistent_schema: FailureHandlingMode,
    /// `event.processing.failure.handling.mode`.
    pub processing_failure: FailureHandlingMode,
}

/// `skipped.operations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedOperations {
    /// `c`.
    pub create: bool,
    /// `u`.
    pub update: bool,
    /// `d`.
    pub delete: bool,
    /// `t`, the default.
    pub truncate: bool,
}

/// The schema history.
#[derive(Clone, Debug)]
pub struct HistoryConfig {
    /// Where it is stored.
    pub store: HistoryStore,
    /// `schema.history.internal.store.only.captured.tables.ddl`.
    pub only_captured_tables: bool,
    /// `schema.history.internal.store.only.captured.databases.ddl`.
    pub only_captured_databases: bool,
    /// `schema.history.internal.skip.unparseable.ddl`.
    pub skip_unparseable: bool,
    /// `internal.schema.history.internal.prefer.ddl`.
    pub prefer_ddl: bool,
    /// `internal.schema.history.internal.ddl.filter`.
    pub ddl_filter: Vec<String>,
}

impl HistoryConfig {
    /// The expressions of `internal.schema.history.internal.ddl.filter`. A statement may have many lines.
    pub fn passed_over(&self) -> Result<Vec<JavaPattern>, ConfigError> {
        let compiled = self.ddl_filter.iter().map(|pattern| {
            JavaPattern::compile(&format!("(?s){pattern}")).map_err(|reason| ConfigError::Pattern {
                property: "internal.schema.history.internal.ddl.filter".to_owned(),
                pattern: pattern.clone(),
                reason,
            })
        });
        compiled.collect()
    }
}

/// `schema.history.internal`.
#[derive(Clone, PartialEq, Eq)]
pub enum HistoryStore {
    /// KafkaSchemaHistory: `….kafka.topic`, `….kafka.bootstrap.servers`, `….producer.*`, `….consumer.*`.
    Kafka {
        /// The topic.
        topic: String,
        /// Its brokers.
        bootstrap_servers: String,
        /// Client properties for writing.
        producer: Vec<(String, String)>,
        /// Client properties for reading.
        consumer: Vec<(String, String)>,
        /// `….kafka.create.timeout.ms`.
        create_timeout: Duration,
        /// `….kafka.query.timeout.ms` and `….kafka.recovery.poll.interval.ms × attempts` together bound waiting.
        timeout: Duration,
    },
    /// FileSchemaHistory: `….file.filename`.
    File {
        /// The file.
        filename: PathBuf,
    },
    /// MemorySchemaHistory: gone with the process.
    Memory,
}

/// For messages: topic or file.
impl std::fmt::Display for HistoryStore {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HistoryStore::Kafka { topic, .. } => write!(out, "topic {topic}"),
            HistoryStore::File { filename } => write!(out, "file {}", filename.display()),
            HistoryStore::Memory => out.write_str("in memory"),
        }
    }
}

impl std::fmt::Debug for HistoryStore {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HistoryStore::Kafka { topic, bootstrap_servers, producer, consumer, create_timeout, timeout } => {
                out.debug_struct("Kafka")
                    .field("topic", topic)
                    .field("bootstrap_servers", bootstrap_servers)
                    .field("producer", &names(producer))
                    .field("consumer", &names(consumer))
                    .field("create_timeout", create_timeout)
                    .field("timeout", timeout)
                    .finish()
            }
            HistoryStore::File { filename } => out.debug_struct("File").field("filename", filename).finish(),
            HistoryStore::Memory => out.write_str("Memory"),
        }
    }
}

/// Queue and batch bounds.
#[derive(Clone, Debug)]
pub struct QueueConfig {
    /// `max.queue.size`, records.
    pub max_queue_size: usize,
    /// `max.batch.size`, records.
    pub max_batch_size: usize,
    /// `max.queue.size.in.bytes`; zero is 16 MiB.
    pub max_queue_bytes: usize,
    /// `poll.interval.ms`: an incomplete batch is handed over after this.
    pub poll_interval: Duration,
    /// `tidewire.xa.spill.max.bytes`: rows of XA transactions that are kept until these are committed.
    pub xa_spill_max_bytes: u64,
}

/// A converter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConverterConfig {
    /// `….schemas.enable`.
    pub schemas_enable: bool,
    /// `….replace.null.with.default`.
    pub replace_null_with_default: bool,
    /// `….decimal.format` = `NUMERIC`.
    pub decimal_numeric: bool,
}

/// How topics are created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopicCreation {
    /// Partitions; -1 is the broker's default.
    pub partitions: i32,
    /// Replicas; -1 is the broker's default.
    pub replication_factor: i32,
}
