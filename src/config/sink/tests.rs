use std::path::Path;

use super::*;
use crate::config::properties::java;

/// What every sink needs.
const LEAST: &str = "\
connector.class=tidewire.clickhouse.ClickHouseSinkConnector
name=mirror
topics.regex=shop\\\\.inventory\\\\..*
clickhouse.url=https://ch.example.org:8443/
";

fn properties(text: &str) -> Properties {
    java::parse(text, Path::new("s.properties")).expect(text)
}

fn read(text: &str) -> SinkConfig {
    SinkConfig::from_properties(&properties(&format!("{LEAST}{text}"))).expect(text).0
}

/// The sentences of all problems.
fn problems(text: &str) -> Vec<String> {
    let examined = SinkConfig::examine(&properties(text));
    examined.problems.into_iter().map(|problem| problem.actual).collect()
}

fn warnings(text: &str) -> Vec<String> {
    let examined = SinkConfig::examine(&properties(&format!("{LEAST}{text}")));
    assert_eq!(examined.problems, [], "{text}");
    examined.warnings.iter().map(Warning::to_string).collect()
}

#[test]
fn a_sink_needs_a_name_topics_and_a_url() {
    let config = read("");
    assert_eq!((config.name.as_str(), config.tasks), ("mirror", 1));
    assert!(matches!(&config.topics, Topics::Matching(regex) if regex == r"shop\.inventory\..*"));
    assert_eq!(config.server.url, "https://ch.example.org:8443");
    assert_eq!((config.server.user.as_str(), config.server.compressed), ("default", true));
    let flush = config.flush;
    assert_eq!((flush.bytes, flush.rows, flush.inserts_per_second), (32 << 20, 500_000, 20));
    assert_eq!((flush.interval.as_millis(), flush.longest_interval.as_millis()), (1000, 10_000));
    assert_eq!((config.errors.quarantine, config.errors.retry_timeout), (false, None));
    let tables = &config.tables;
    assert_eq!((tables.engine, tables.keyless), (TableEngine::ReplacingMergeTree, KeylessMode::Refuse));
    assert_eq!((tables.nullable, tables.time), (NullableMode::AsSource, TimeHandlingMode::Auto));
    assert_eq!((tables.synced_at, tables.deduplication_window), (true, 10_000));
    assert_eq!(tables.database("inventory"), "inventory");
    assert_eq!(
        problems(""),
        [
            "The 'connector.class' value is invalid: A value is required",
            "The 'name' value is invalid: A value is required",
            "The 'clickhouse.url' value is invalid: A value is required",
            "Must configure one of topics or topics.regex",
        ]
    );
}

#[test]
fn tables_are_found_by_patterns_and_databases_by_the_map() {
    let config = read(
        "clickhouse.database=all\n\
         clickhouse.database.override.map=a:x, b:y\n\
         table.order.by=inventory\\\\.o.*:tenant, id; inventory\\\\.orders:never\n\
         table.partition.by=.*\\\\.events:toYYYYMM(created)\n\
         low.cardinality.columns=.*\\\\.state\n\
         errors.retry.timeout=5000\nerrors.tolerance=all\ntopics.regex=\ntopics=a.b.c,a.b.d\n\
         consumer.override.sasl.jaas.config=secret\n",
    );
    let tables = &config.tables;
    assert_eq!([tables.database("a"), tables.database("b"), tables.database("c")], ["x", "y", "all"]);
    assert_eq!(tables.order_by("inventory.orders"), Some("tenant, id"));
    assert_eq!(tables.order_by("xinventory.orders"), None);
    assert_eq!(tables.partition_by("shop.events"), Some("toYYYYMM(created)"));
    assert!(tables.low_cardinality()[0].matches("shop.orders.state"));
    assert_eq!(config.errors.retry_timeout, Some(Duration::from_secs(5)));
    assert!(config.errors.quarantine);
    assert!(matches!(&config.topics, Topics::Named(names) if *names == ["a.b.c", "a.b.d"]));
    assert_eq!(config.consumer_overrides.0[0].0, "sasl.jaas.config");
    assert!(!format!("{config:?}").contains("secret"));
}

#[test]
fn every_problem_is_named_at_once() {
    for (text, wanted) in [
        ("topics=a", "topics and topics.regex are mutually exclusive options, but both are set."),
        ("topics=a b\ntopics.regex=", "The 'topics' value is invalid: a b is not the name of a topic"),
        (
            "clickhouse.url=tcp://h:9000",
            "The 'clickhouse.url' value is invalid: The scheme is neither http nor https",
        ),
        (
            "clickhouse.url=http://u:p@h:8123",
            "The 'clickhouse.url' value is invalid: User and password have properties of their own",
        ),
        (
            "clickhouse.url=http://h:8123/db",
            "The 'clickhouse.url' value is invalid: A path or query is not expected behind host and port",
        ),
        (
            "clickhouse.url=http://h:99999",
            "The 'clickhouse.url' value is invalid: A port from 1 to 65535 is expected",
        ),
        ("clickhouse.url=http://", "The 'clickhouse.url' value is invalid: The host is missing"),
        (
            "clickhouse.database.override.map=a:x,b",
            "The 'clickhouse.database.override.map' value is invalid: An item is not of the form source:target",
        ),
        (
            "clickhouse.database.override.map=a:x,a:y",
            "The 'clickhouse.database.override.map' value is invalid: a is there twice",
        ),
        (
            "table.order.by=id",
            "The 'table.order.by' value is invalid: An item is not of the form tables:expressions",
        ),
        (
            "keyless.mode=drop",
            "The 'keyless.mode' value is invalid: Value must be one of refuse, append, row_hash",
        ),
        ("errors.retry.timeout=-2", "The 'errors.retry.timeout' value is invalid: Value must be at least -1"),
        ("flush.rows=0", "The 'flush.rows' value is invalid: A positive, non-zero long value is expected"),
        ("flush.interval.ms=20000", "it is below flush.interval.ms, 20000"),
        ("table.engine.replica.name={replica}", "table.engine.replica.path is not set"),
        ("transforms=unwrap", "transforms is not supported yet"),
        (
            "value.converter=io.confluent.connect.avro.AvroConverter",
            "converter io.confluent.connect.avro.AvroConverter is not supported yet",
        ),
        (
            "connector.class=io.debezium.connector.mysql.MySqlConnector",
            "The 'connector.class' value is invalid: Failed to find any class that implements Connector and which name \
             matches io.debezium.connector.mysql.MySqlConnector",
        ),
    ] {
        assert_eq!(problems(&format!("{LEAST}{text}\n")), [wanted], "{text}");
    }
}

#[test]
fn what_is_odd_is_a_warning() {
    for (text, wanted) in [
        ("clickhouse.url=http://[::1]:8123\n", &[][..]),
        ("clickhouse.url=http://localhost\n", &[]),
        (
            "clickhouse.url=http://h:8123\nclickhouse.password=p\n",
            &["clickhouse.url: the password goes over the network unprotected, unless the url is https"],
        ),
        ("flush.bytes=1000000000\n", &["flush.bytes: is cut to 67108864"]),
        (
            "table.engine.replica.path=/p\ntable.engine.replica.name=r\n",
            &["table.engine.replica.path: has no effect without table.engine=ReplicatedReplacingMergeTree"],
        ),
        ("keyles.mode=append\n", &["keyles.mode: unknown property, did you mean keyless.mode?"]),
    ] {
        let found: Vec<String> =
            warnings(text).into_iter().filter(|warning| !warning.contains("set more than once")).collect();
        assert_eq!(found, wanted, "{text}");
    }
}
