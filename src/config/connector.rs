//! The properties of a connector → `SourceConfig`.

use std::path::PathBuf;
use std::time::Duration;

use crate::config::check::{key_patterns, placeholder_bytes};
use crate::config::column_mapper;
use crate::config::custom_converter;
use crate::config::define::MYSQL_CONNECTOR;
use crate::config::load::Reader;
use crate::config::problem::{ConfigProblem, Examined, Warning};
use crate::config::properties::Properties;
use crate::config::snapshot::SnapshotConfig;
use crate::config::source::{
    ConnectionConfig, ConverterConfig, EventConfig, FilterConfig, HistoryConfig, HistoryStore, QueueConfig,
    Secret, SkippedOperations, SourceConfig, TopicCreation, TransactionConfig, ValueConfig,
};
use crate::config::worker::{HomeConfig, WorkerConfig};

/// What stands for "no further bound" in `max.queue.size.in.bytes`.
const DEFAULT_QUEUE_BYTES: usize = 16 << 20;

/// `poll.interval.ms` beyond this is cut, as Debezium does.
const LONGEST_POLL_INTERVAL: Duration = Duration::from_millis(5000);

/// What a configuration is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Running a connector.
    Run,
    /// Decoding files: no server, no stored history.
    Decode,
}

impl SourceConfig {
    /// Reads a connector's properties. All problems are reported together.
    ///
    /// The worker gives the converters where the connector names none, and decides whether topics are created in
    /// Kafka. Placeholders must have been resolved.
    pub fn from_properties(
        properties: &Properties,
        worker: Option<&WorkerConfig>,
    ) -> Result<(SourceConfig, Vec<Warning>), Vec<ConfigProblem>> {
        Self::examine(properties, worker).into_result()
    }

    /// The same, with the warnings beside the problems.
    pub fn examine(properties: &Properties, worker: Option<&WorkerConfig>) -> Examined<SourceConfig> {
        read(properties, worker, Purpose::Run)
    }

    /// Reads what decoding binlog files needs: no `database.*`, no `connector.class`, no history is required; without
    /// history properties the history is in memory.
    pub fn examine_for_decode(properties: &Properties) -> Examined<SourceConfig> {
        read(properties, None, Purpose::Decode)
    }
}

fn read(properties: &Properties, worker: Option<&WorkerConfig>, purpose: Purpose) -> Examined<SourceConfig> {
    let mut reader = Reader::check(properties, MYSQL_CONNECTOR, |row| {
        purpose == Purpose::Run || row.name == "topic.prefix"
    });
    exclusive_lists(&mut reader);
    let history = history(&mut reader, purpose);
    let queue = queue(&mut reader);
    let connection = connection(&mut reader);
    let in_kafka = matches!(worker, Some(WorkerConfig { home: HomeConfig::Kafka(_), .. }));
    if in_kafka && reader.written("tidewire.file.path").is_some() {
        let text = "has no effect, the worker has bootstrap.servers";
        reader.warnings.push(Warning::new("tidewire.file.path", text));
    }
    let topic_prefix = reader.string("topic.prefix");
    let config = SourceConfig {
        connector_name: reader.text("name").map_or_else(|| topic_prefix.clone(), str::to_owned),
        connection,
        filters: filters(&mut reader),
        values: values(&reader),
        events: events(&reader, &topic_prefix),
        snapshot: SnapshotConfig::read(&reader),
        history,
        queue,
        key_converter: converter(&mut reader, worker, "key.converter"),
        value_converter: converter(&mut reader, worker, "value.converter"),
        producer_overrides: properties.with_prefix("producer.override."),
        topic_creation: TopicCreation {
            partitions: reader.number("topic.creation.default.partitions"),
            replication_factor: reader.number("topic.creation.default.replication.factor"),
        },
        transactions: transactions(&mut reader, worker),
        errors_max_retries: reader.number("errors.max.retries"),
        retry_wait: reader.millis("retriable.restart.connector.wait.ms"),
        topic_prefix,
    };
    reader.finish(config)
}

/// Kafka transactions; without a worker that has them, insisting on them is a problem, as it is in Kafka Connect.
fn transactions(reader: &mut Reader, worker: Option<&WorkerConfig>) -> TransactionConfig {
    const SUPPORT: &str = "exactly.once.support";
    let is_insisted = reader.string(SUPPORT).eq_ignore_ascii_case("required");
    let lacks_them =
        |worker: &WorkerConfig| matches!(worker.home, HomeConfig::Kafka(_)) && !worker.exactly_once;
    if is_insisted && worker.is_some_and(lacks_them) {
        reader.invalid(
            SUPPORT,
            "requested, or a worker with exactly-once support",
            "This worker does not have exactly-once source support enabled.",
            "set exactly.once.source.support=enabled in the worker's properties".to_owned(),
        );
    }
    let interval = match reader.written("transaction.boundary.interval.ms") {
        Some(_) => reader.millis("transaction.boundary.interval.ms"),
        None => worker.map_or(Duration::from_secs(60), |worker| worker.offset_flush_interval),
    };
    TransactionConfig {
        boundary: reader.choice("transaction.boundary"),
        interval,
        least: reader.millis("tidewire.transaction.interval.ms"),
    }
}

/// An include list and an exclude list of the same thing contradict each other.
fn exclusive_lists(reader: &mut Reader) {
    let lists = ["database", "table", "column"]
        .map(|kind| (format!("{kind}.include.list"), format!("{kind}.exclude.list")));
    let gtids = ("gtid.source.includes".to_owned(), "gtid.source.excludes".to_owned());
    for (include, exclude) in lists.into_iter().chain([gtids]) {
        if reader.written(&include).is_some() && reader.written(&exclude).is_some() {
            let expected = format!("not both {include} and {exclude}");
            let remedy = format!("remove {exclude} or {include}");
            reader.invalid(&exclude, expected, &format!("\"{include}\" is already specified"), remedy);
        }
    }
}

fn connection(reader: &mut Reader) -> ConnectionConfig {
    let ssl_client = reader.together("tidewire.ssl.cert", "tidewire.ssl.key");
    let password = reader.properties.get_untrimmed("database.password").filter(|text| !text.is_empty());
    ConnectionConfig {
        hostname: reader.string("database.hostname"),
        port: reader.number("database.port"),
        user: reader.string("database.user"),
        password: password.map(Secret::new),
        server_id: reader.number("database.server.id"),
        connect_timeout: reader.millis("connect.timeout.ms"),
        keep_alive_interval: reader.millis("connect.keep.alive.interval.ms"),
        ssl_mode: reader.choice("database.ssl.mode"),
        ssl_ca: reader.text("tidewire.ssl.ca").map(PathBuf::from),
        ssl_client: ssl_client.map(|(certificate, key)| (certificate.into(), key.into())),
        query_timeout: reader.millis("database.query.timeout.ms"),
        initial_statements: statements(&reader.string("database.initial.statements")),
    }
}

/// Statements separated by `;`, where `;;` is a literal one.
fn statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut statement = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != ';' {
            statement.push(character);
        } else if characters.next_if_eq(&';').is_some() {
            statement.push(';');
        } else {
            statements.push(std::mem::take(&mut statement));
        }
    }
    statements.push(statement);
    statements.iter().map(|item| item.trim()).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

fn filters(reader: &mut Reader) -> FilterConfig {
    FilterConfig {
        database_include: reader.list("database.include.list"),
        database_exclude: reader.list("database.exclude.list"),
        table_include: reader.list("table.include.list"),
        table_exclude: reader.list("table.exclude.list"),
        column_include: reader.list("column.include.list"),
        column_exclude: reader.list("column.exclude.list"),
        ignore_builtin: reader.boolean("table.ignore.builtin"),
        message_key_columns: key_patterns(reader.text("message.key.columns").unwrap_or_default()),
        signal_data_collection: reader.text("signal.data.collection").map(str::to_owned),
        gtid_source_includes: reader.list("gtid.source.includes"),
        gtid_source_excludes: reader.list("gtid.source.excludes"),
        gtid_source_filters_rows: reader.boolean("gtid.source.filter.dml.events"),
        mappers: column_mapper::read(reader),
        propagated_columns: reader.list("column.propagate.source.type").unwrap_or_default(),
        propagated_types: reader.list("datatype.propagate.source.type").unwrap_or_default(),
        converters: custom_converter::read(reader),
    }
}

fn values(reader: &Reader) -> ValueConfig {
    ValueConfig {
        decimal: reader.choice("decimal.handling.mode"),
        bigint_unsigned: reader.choice("bigint.unsigned.handling.mode"),
        temporal: reader.choice("time.precision.mode"),
        binary: reader.choice("binary.handling.mode"),
        time_adjuster: reader.boolean("enable.time.adjuster"),
        schema_name_adjustment: reader.choice("schema.name.adjustment.mode"),
        field_name_adjustment: reader.choice("field.name.adjustment.mode"),
        converting_failure: reader.choice("event.converting.failure.handling.mode"),
        unknown_datatypes: reader.boolean("include.unknown.datatypes"),
        unavailable_placeholder: placeholder_bytes(&reader.string("unavailable.value.placeholder"))
            .unwrap_or_default(),
    }
}

fn events(reader: &Reader, topic_prefix: &str) -> EventConfig {
    let skipped: Vec<&str> =
        reader.text("skipped.operations").unwrap_or_default().split(',').map(str::trim).collect();
    let delimiter = reader.string("topic.delimiter");
    let heartbeat_topic = reader.text("topic.heartbeat.name").map_or_else(
        || format!("{}{delimiter}{topic_prefix}", reader.string("topic.heartbeat.prefix")),
        str::to_owned,
    );
    // Both names of the property are in use; the newer one wins.
    let processing =
        ["event.processing.failure.handling.mode", "event.deserialization.failure.handling.mode"];
    let processing =
        processing.into_iter().find(|name| reader.written(name).is_some()).unwrap_or(processing[0]);
    EventConfig {
        tombstones_on_delete: reader.boolean("tombstones.on.delete"),
        skipped: SkippedOperations {
            create: skipped.contains(&"c"),
            update: skipped.contains(&"u"),
            delete: skipped.contains(&"d"),
            truncate: skipped.contains(&"t"),
        },
        include_query: reader.boolean("include.query"),
        include_schema_changes: reader.boolean("include.schema.changes"),
        include_schema_comments: reader.boolean("include.schema.comments"),
        provide_transaction_metadata: reader.boolean("provide.transaction.metadata"),
        extended_headers: reader.boolean("extended.headers.enabled"),
        sequence_header: reader.boolean("tidewire.sequence.header"),
        transaction_topic: format!("{topic_prefix}{delimiter}{}", reader.string("topic.transaction")),
        topic_delimiter: delimiter,
        heartbeat_topic,
        heartbeat_interval: reader.millis("heartbeat.interval.ms"),
        heartbeat_action_query: reader.text("heartbeat.action.query").map(str::to_owned),
        inconsistent_schema: reader.choice("inconsistent.schema.handling.mode"),
        processing_failure: reader.choice(processing),
    }
}

fn history(reader: &mut Reader, purpose: Purpose) -> HistoryConfig {
    const TOPIC: &str = "schema.history.internal.kafka.topic";
    const SERVERS: &str = "schema.history.internal.kafka.bootstrap.servers";
    const FILE: &str = "schema.history.internal.file.filename";
    let class = reader.string("schema.history.internal");
    let store = match class.rsplit('.').next() {
        Some("MemorySchemaHistory") => HistoryStore::Memory,
        Some("FileSchemaHistory") => match reader.text(FILE) {
            Some(filename) => HistoryStore::File { filename: PathBuf::from(filename) },
            None => {
                reader.missing(FILE, "the history file");
                HistoryStore::Memory
            }
        },
        _ if purpose == Purpose::Decode && reader.written(TOPIC).is_none() => HistoryStore::Memory,
        _ => {
            // A refused class is a problem already; whether its neighbours are there says nothing then.
            let kafka = reader.written("schema.history.internal").is_none_or(|written| written == class);
            for (name, doc) in [(TOPIC, "the history topic"), (SERVERS, "brokers of the history topic")] {
                if kafka && reader.written(name).is_none() {
                    reader.missing(name, doc);
                }
            }
            let prefix = reader.written("topic.prefix");
            if prefix.is_some() && prefix == reader.written(TOPIC) {
                let reason = format!("Must not have the same value as {TOPIC}");
                reader.invalid(
                    "topic.prefix",
                    "a topic of its own",
                    &reason,
                    format!("change topic.prefix or {TOPIC}"),
                );
            }
            let attempts: u32 = reader.number("schema.history.internal.kafka.recovery.attempts");
            let poll = reader.millis("schema.history.internal.kafka.recovery.poll.interval.ms");
            let query = reader.millis("schema.history.internal.kafka.query.timeout.ms");
            HistoryStore::Kafka {
                create_timeout: reader.millis("schema.history.internal.kafka.create.timeout.ms"),
                topic: reader.string(TOPIC),
                bootstrap_servers: reader.string(SERVERS),
                producer: reader.properties.with_prefix("schema.history.internal.producer."),
                consumer: reader.properties.with_prefix("schema.history.internal.consumer."),
                timeout: poll.saturating_mul(attempts).saturating_add(query),
            }
        }
    };
    HistoryConfig {
        store,
        only_captured_tables: reader.boolean("schema.history.internal.store.only.captured.tables.ddl"),
        only_captured_databases: reader.boolean("schema.history.internal.store.only.captured.databases.ddl"),
        skip_unparseable: reader.boolean("schema.history.internal.skip.unparseable.ddl"),
        prefer_ddl: reader.boolean("internal.schema.history.internal.prefer.ddl"),
        ddl_filter: reader.list("internal.schema.history.internal.ddl.filter").unwrap_or_default(),
    }
}

fn queue(reader: &mut Reader) -> QueueConfig {
    let max_queue_size = reader.number("max.queue.size");
    let max_batch_size = reader.number("max.batch.size");
    if max_queue_size <= max_batch_size {
        let remedy =
            format!("set max.queue.size above {max_batch_size}, or max.batch.size below {max_queue_size}");
        let reason = "Must be larger than the maximum batch size";
        reader.invalid("max.queue.size", "more than max.batch.size", reason, remedy);
    }
    let mut poll_interval = reader.millis("poll.interval.ms");
    if poll_interval > LONGEST_POLL_INTERVAL {
        poll_interval = LONGEST_POLL_INTERVAL;
        reader.warnings.push(Warning::new("poll.interval.ms", "more than 5000, 5000 is used"));
    }
    let bytes: usize = reader.number("max.queue.size.in.bytes");
    QueueConfig {
        max_queue_size,
        max_batch_size,
        max_queue_bytes: if bytes == 0 { DEFAULT_QUEUE_BYTES } else { bytes },
        poll_interval,
        xa_spill_max_bytes: reader.number("tidewire.xa.spill.max.bytes"),
    }
}

/// A converter of the connector, else of the worker. As in Kafka Connect, what hangs below `key.converter` counts only
/// where `key.converter` itself stands; with no class anywhere it is the JSON converter with the connector's settings.
fn converter(reader: &mut Reader, worker: Option<&WorkerConfig>, name: &str) -> ConverterConfig {
    let of_worker = worker.map(|worker| worker.converters.as_slice()).unwrap_or_default();
    let worker_has_class = of_worker.iter().any(|(known, _)| known == name);
    let use_worker = worker_has_class && reader.written(name).is_none();
    let prefix = format!("{name}.");
    if use_worker {
        for ignored in reader.properties.names().filter(|known| known.starts_with(&prefix)) {
            let text = format!("has no effect without {name}, the worker's converter is used");
            reader.warnings.push(Warning::new(ignored, text));
        }
    }
    let setting = |last: &str| {
        let full = format!("{prefix}{last}");
        if !use_worker {
            return reader.string(&full);
        }
        let default = MYSQL_CONNECTOR.find(&full).and_then(|row| row.default).unwrap_or_default();
        let written = of_worker.iter().find(|(known, _)| *known == full);
        written.map_or_else(|| default.to_owned(), |(_, value)| value.clone())
    };
    ConverterConfig {
        schemas_enable: setting("schemas.enable").eq_ignore_ascii_case("true"),
        replace_null_with_default: setting("replace.null.with.default").eq_ignore_ascii_case("true"),
        decimal_numeric: setting("decimal.format").eq_ignore_ascii_case("numeric"),
    }
}

#[cfg(test)]
mod tests;
