use std::path::Path;

use super::*;
use crate::config::modes::{
    BinaryHandlingMode, FailureHandlingMode, SnapshotLockingMode, SnapshotMode, SnapshotValues, SslMode,
    TemporalPrecisionMode,
};
use crate::config::properties::{Origin, java};

/// What every connector needs.
const LEAST: &str = "\
connector.class=io.debezium.connector.mysql.MySqlConnector
topic.prefix=shop
database.hostname=db.example.org
database.user=cdc
database.server.id=184054
schema.history.internal.kafka.topic=history.shop
schema.history.internal.kafka.bootstrap.servers=k:9092
";

fn properties(text: &str) -> Properties {
    java::parse(text, Path::new("c.properties")).expect(text)
}

fn with(text: &str) -> Properties {
    properties(&format!("{LEAST}{text}"))
}

fn read(text: &str) -> SourceConfig {
    SourceConfig::from_properties(&with(text), None).expect(text).0
}

/// The sentences of all problems.
fn problems(text: &str) -> Vec<String> {
    let examined = SourceConfig::examine(&with(text), None);
    examined.problems.into_iter().map(|problem| problem.actual).collect()
}

fn warnings(text: &str) -> Vec<String> {
    let examined = SourceConfig::examine(&with(text), None);
    examined.warnings.iter().map(Warning::to_string).collect()
}

#[test]
fn defaults_are_debezium_s() {
    let config = read("");
    assert_eq!((config.connector_name.as_str(), config.topic_prefix.as_str()), ("shop", "shop"));
    let connection = &config.connection;
    assert_eq!(
        (connection.port, connection.server_id, connection.ssl_mode),
        (3306, 184054, SslMode::Preferred)
    );
    assert_eq!(connection.connect_timeout, Duration::from_secs(30));
    assert_eq!(connection.keep_alive_interval, Duration::from_secs(60));
    assert_eq!(connection.query_timeout, Duration::from_secs(600));
    assert_eq!(connection.password, None);
    assert!(config.filters.ignore_builtin && config.filters.table_include.is_none());
    assert_eq!(config.values.temporal, TemporalPrecisionMode::AdaptiveTimeMicroseconds);
    assert_eq!(config.values.converting_failure, FailureHandlingMode::Warn);
    assert!(config.values.time_adjuster);
    let events = &config.events;
    assert!(events.tombstones_on_delete && events.include_schema_changes && events.extended_headers);
    assert!(events.sequence_header && !events.include_query && !events.provide_transaction_metadata);
    assert_eq!(
        events.skipped,
        SkippedOperations { create: false, update: false, delete: false, truncate: true }
    );
    assert_eq!(events.heartbeat_topic, "__debezium-heartbeat.shop");
    assert_eq!(events.transaction_topic, "shop.transaction");
    assert_eq!(events.heartbeat_interval, Duration::ZERO);
    assert_eq!(
        (config.snapshot.mode, config.snapshot.locking),
        (SnapshotMode::Initial, SnapshotLockingMode::Minimal)
    );
    assert_eq!(config.snapshot.lock_timeout, Duration::from_secs(10));
    assert_eq!(config.snapshot.values, SnapshotValues::Debezium);
    let queue = &config.queue;
    assert_eq!((queue.max_queue_size, queue.max_batch_size, queue.max_queue_bytes), (8192, 2048, 16 << 20));
    assert_eq!(queue.poll_interval, Duration::from_millis(500));
    assert_eq!((config.errors_max_retries, config.retry_wait), (-1, Duration::from_secs(10)));
    assert_eq!(config.topic_creation, TopicCreation { partitions: -1, replication_factor: -1 });
    let json =
        ConverterConfig { schemas_enable: true, replace_null_with_default: true, decimal_numeric: false };
    assert_eq!((&config.key_converter, &config.value_converter), (&json, &json));
    let HistoryStore::Kafka { topic, bootstrap_servers, timeout, .. } = &config.history.store else {
        panic!("not Kafka")
    };
    assert_eq!((topic.as_str(), bootstrap_servers.as_str()), ("history.shop", "k:9092"));
    assert_eq!(*timeout, Duration::from_secs(13));
    assert!(!config.history.only_captured_tables && !config.history.skip_unparseable);
}

#[test]
fn values_are_read() {
    let config = read(
        "name=n\ndatabase.password= p w \ndatabase.initial.statements=SET a=1; SET b='x;;y' ;\n\
         message.key.columns=a.t:x,y; b.t:z\nskipped.operations=c, r\ntopic.heartbeat.name=beats\n\
         topic.delimiter=-\nbinary.handling.mode=BASE64-URL-SAFE\nsnapshot.mode=no_data\n\
         event.deserialization.failure.handling.mode=ignore\npoll.interval.ms=9000\nmax.queue.size.in.bytes=1000\n\
         producer.override.linger.ms=5\nschema.history.internal.producer.acks=all\ndatabase.ssl.mode=verify_ca\n\
         topic.creation.default.partitions=6\ntidewire.ssl.cert=/c\ntidewire.ssl.key=/k\n\
         tidewire.snapshot.values=stream\nkey.converter.schemas.enable=False\nvalue.converter.decimal.format=numeric",
    );
    assert_eq!(config.connector_name, "n");
    assert_eq!(config.connection.password.as_ref().map(Secret::reveal), Some("p w "));
    assert_eq!(config.connection.initial_statements, ["SET a=1", "SET b='x;y'"]);
    assert_eq!(config.filters.message_key_columns, ["a.t.x", "a.t.y", "b.t.z"]);
    assert_eq!(
        config.events.skipped,
        SkippedOperations { create: true, update: false, delete: false, truncate: false }
    );
    assert_eq!(config.events.heartbeat_topic, "beats");
    assert_eq!(config.events.transaction_topic, "shop-transaction");
    assert_eq!(config.values.binary, BinaryHandlingMode::Base64UrlSafe);
    assert_eq!(config.snapshot.mode, SnapshotMode::NoData);
    assert_eq!(config.snapshot.values, SnapshotValues::Stream);
    assert_eq!(config.events.processing_failure, FailureHandlingMode::Skip);
    assert_eq!(config.queue.poll_interval, Duration::from_secs(5));
    assert_eq!(config.queue.max_queue_bytes, 1000);
    assert_eq!(config.producer_overrides, [("linger.ms".to_owned(), "5".to_owned())]);
    assert_eq!(config.topic_creation.partitions, 6);
    assert_eq!(config.connection.ssl_client, Some(("/c".into(), "/k".into())));
    assert!(!config.key_converter.schemas_enable && config.value_converter.decimal_numeric);
    let HistoryStore::Kafka { producer, .. } = &config.history.store else { panic!("not Kafka") };
    assert_eq!(*producer, [("acks".to_owned(), "all".to_owned())]);
}

/// The texts that Debezium 3.6.1 gives (its answers to `PUT /connector-plugins/…/config/validate`).
#[test]
fn refusals_have_debezium_s_texts() {
    let cases = [
        (
            "topic.prefix=a b",
            "The 'topic.prefix' value is invalid: a b has invalid format (only the underscore, hyphen, dot and \
             alphanumeric characters are allowed)",
        ),
        (
            "table.include.list=a\ntable.exclude.list=b",
            "The 'table.exclude.list' value is invalid: \"table.include.list\" is already specified",
        ),
        (
            "database.include.list=a\ndatabase.exclude.list=b",
            "The 'database.exclude.list' value is invalid: \"database.include.list\" is already specified",
        ),
        ("skipped.operations=x", "The 'skipped.operations' value is invalid: Invalid operation"),
        (
            "message.key.columns=nonsense",
            r"The 'message.key.columns' value is invalid: nonsense has an invalid format (expecting '^\s*([^:]+):([^:,]+(,[^:,]+)*)\s*$')",
        ),
        (
            "database.server.id=0",
            "The 'database.server.id' value is invalid: A positive, non-zero long value is expected",
        ),
        (
            "database.server.id=x",
            "The 'database.server.id' value is invalid: A positive, non-zero long value is expected",
        ),
        (
            "snapshot.mode=schema_only",
            "The 'snapshot.mode' value is invalid: Value must be one of always, initial_only, configuration_based, \
             when_needed, initial, custom, no_data, recovery",
        ),
        (
            "snapshot.mode=never",
            "The 'snapshot.mode' value is invalid: Value must be one of always, initial_only, configuration_based, \
             when_needed, initial, custom, no_data, recovery",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), [expected], "{text}");
    }
    let regex = problems("table.include.list=a\\\\.b,(");
    assert_eq!(regex.len(), 1);
    let start = "The 'table.include.list' value is invalid: A comma-separated list of valid regular expressions is \
                 expected, but ( is not one: ";
    assert!(regex[0].starts_with(start), "{regex:?}");
}

#[test]
fn all_problems_come_together() {
    let examined =
        SourceConfig::examine(&properties("database.port=x\nmax.queue.size=5\nmax.batch.size=5"), None);
    let actual: Vec<&str> = examined.problems.iter().map(|problem| problem.actual.as_str()).collect();
    assert_eq!(
        actual,
        [
            "The 'connector.class' value is invalid: A value is required",
            "The 'topic.prefix' value is invalid: A value is required",
            "The 'database.hostname' value is invalid: A value is required",
            "The 'database.user' value is invalid: A value is required",
            "The 'database.server.id' value is invalid: A value is required",
            "The 'database.port' value is invalid: An integer is expected",
            "The 'schema.history.internal.kafka.topic' value is invalid: A value is required",
            "The 'schema.history.internal.kafka.bootstrap.servers' value is invalid: A value is required",
            "The 'max.queue.size' value is invalid: Must be larger than the maximum batch size",
        ]
    );
    let port = examined.problems.iter().find(|problem| problem.property == "database.port").expect("named");
    assert_eq!(port.what(), "database.port = x (c.properties:1)");
    assert_eq!(
        port.remedy,
        "set database.port to a port from 1 to 65535, or leave it out for the default 3306"
    );
}

#[test]
fn what_would_change_records_is_refused() {
    let cases = [
        ("snapshot.mode=custom", "snapshot.mode = custom is not supported yet"),
        ("snapshot.locking.mode=custom", "snapshot.locking.mode = custom is not supported yet"),
        ("signal.enabled.channels=source,kafka", "signal.enabled.channels = kafka is not supported yet"),
        (
            "notification.enabled.channels=log,sink",
            "notification.enabled.channels = sink is not supported yet",
        ),
        ("transforms=unwrap\ntransforms.unwrap.type=X", "transforms is not supported yet"),
        ("post.processors=p\np.type=X", "post.processors is not supported yet"),
        ("skip.messages.without.change=true", "skip.messages.without.change is not supported yet"),
        ("topic.naming.strategy=X", "topic.naming.strategy is not supported yet"),
        ("gtid.ignore.on.recovery=true", "gtid.ignore.on.recovery is not supported yet"),
        (
            "value.converter=io.confluent.connect.avro.AvroConverter",
            "converter io.confluent.connect.avro.AvroConverter is not supported yet",
        ),
        (
            "schema.history.internal=io.debezium.storage.redis.history.RedisSchemaHistory",
            "schema history io.debezium.storage.redis.history.RedisSchemaHistory is not supported yet",
        ),
        (
            "connector.class=io.debezium.connector.mariadb.MariaDbConnector",
            "the MariaDB connector is not supported yet",
        ),
        ("tasks.max=2", "The 'tasks.max' value is invalid: The connector has exactly one task"),
        (
            "time.precision.mode=adaptive",
            "The 'time.precision.mode' value is invalid: The 'adaptive' time.precision.mode is no longer supported",
        ),
        (
            "topic.prefix=history.shop",
            "The 'topic.prefix' value is invalid: Must not have the same value as \
            schema.history.internal.kafka.topic",
        ),
        ("tidewire.ssl.cert=/c", "tidewire.ssl.key is not set"),
        (
            "schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory",
            "The 'schema.history.internal.file.filename' value is invalid: A value is required",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), [expected], "{text}");
    }
}

#[test]
fn defaults_of_what_is_not_there_yet_pass() {
    let text = "skip.messages.without.change=false\ntransforms=\nsnapshot.max.threads=1\nsignal.kafka.topic=x\n\
                unavailable.value.placeholder=__debezium_unavailable_value\nerrors.log.enable=true";
    assert_eq!(problems(text), Vec::<String>::new());
    assert_eq!(warnings(text), Vec::<String>::new());
}

#[test]
fn odd_things_are_warned_of() {
    assert_eq!(
        warnings(
            "tabel.include.list=x\ndatabase.useSSL=false\nincremental.snapshot.chunk.size=4\nname=a\nname=b"
        ),
        [
            "name: set more than once, the value of c.properties:11 does not count",
            "database.useSSL: unknown property; Debezium hands it to the JDBC driver, here it has no effect",
            "incremental.snapshot.chunk.size: has no effect in this version (rows of a chunk of an incremental snapshot)",
            "tabel.include.list: unknown property, did you mean table.include.list?",
        ]
    );
}

#[test]
fn the_worker_s_converter_counts_where_the_connector_names_none() {
    let worker = properties(
        "key.converter=org.apache.kafka.connect.json.JsonConverter\nkey.converter.schemas.enable=false\n\
         key.converter.replace.null.with.default=false",
    );
    let (worker, _) = WorkerConfig::from_properties(&worker, &[]).expect("valid");
    let of_worker =
        ConverterConfig { schemas_enable: false, replace_null_with_default: false, decimal_numeric: false };
    let default =
        ConverterConfig { schemas_enable: true, replace_null_with_default: true, decimal_numeric: false };
    let cases = [
        ("", &of_worker, 0),
        ("key.converter.schemas.enable=true", &of_worker, 1),
        ("key.converter=org.apache.kafka.connect.json.JsonConverter", &default, 0),
    ];
    for (text, expected, count) in cases {
        let (config, warnings) = SourceConfig::from_properties(&with(text), Some(&worker)).expect(text);
        assert_eq!(config.key_converter, *expected, "{text}");
        assert_eq!(config.value_converter, default, "{text}");
        assert_eq!(warnings.len(), count, "{text}");
    }
}

#[test]
fn decoding_needs_no_server() {
    let (config, _) =
        SourceConfig::examine_for_decode(&properties("topic.prefix=shop")).into_result().expect("valid");
    assert_eq!(config.history.store, HistoryStore::Memory);
    let refused = SourceConfig::examine_for_decode(&properties("snapshot.mode=custom"))
        .into_result()
        .expect_err("no prefix");
    assert_eq!(refused.len(), 2);
}

#[test]
fn secrets_are_in_no_text() {
    let text = "database.password=hunter2\nproducer.override.sasl.jaas.config=hunter2\n\
                schema.history.internal.producer.ssl.key.password=hunter2\nschema.history.internal.consumer.x=hunter2";
    assert!(!format!("{:?}", read(text)).contains("hunter2"));
    // A value from a placeholder is shown as the placeholder, its reason without it.
    let mut refused = with("database.port=${env:PATH}");
    refused.insert("database.ssl.keystore.password", "hunter2", Origin::CommandLine);
    let of_placeholder = refused.resolve(&crate::config::properties::placeholder::Providers::default());
    assert!(of_placeholder.is_empty());
    let problems = SourceConfig::from_properties(&refused, None).expect_err("no port");
    assert_eq!(problems.len(), 1);
    let path = std::env::var("PATH").expect("set");
    // The salt of a hash is part of a name.
    refused.insert("column.mask.hash.MD5.with.salt.hunter2", "a.b.c", Origin::CommandLine);
    let with_salt = SourceConfig::from_properties(&refused, None).expect_err("not supported");
    let shown = format!("{} {problems:?} {with_salt:?} {refused:?}", problems[0]);
    assert!(shown.contains("${env:PATH}") && !shown.contains(&path) && !shown.contains("hunter2"), "{shown}");
}
