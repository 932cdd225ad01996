//! `tidewire validate` of a sink says what stands in its way at ClickHouse, at Kafka and in the records, all of it in one run, and shows no
//! password.

use std::sync::atomic::AtomicBool;

use tidewire::config::properties::Properties;
use tidewire::config::sink::SinkConfig;
use tidewire::kafka::topics::{TopicSettings, Topics};
use tidewire::sink::apply::server::Server;
use tidewire::sink::preflight::round_trip;

use crate::mysql_server::database;
use crate::support::clickhouse::{client, new_database, run, values};
use crate::support::connector::Connector;
use crate::support::database::{MYSQL97, variable};
use crate::support::process::Ended;
use crate::support::sink::Sink;
use crate::support::topic::Topic;

/// What a user of the name is logged in with: `tests/servers/servers`.
const MIRROR: (&str, &str) = ("mirror", "mirror-secret");
const HALF_MIRROR: (&str, &str) = ("half_mirror", "half-secret");

fn broker() -> String {
    variable("TIDEWIRE_KAFKA")
}

/// A sink of what a source would publish, with a login.
fn sink(name: &str, login: (&str, &str)) -> Sink {
    sink_of(&Connector::to_kafka(&MYSQL97, name, &broker()), login)
}

fn sink_of(source: &Connector, (user, password): (&str, &str)) -> Sink {
    new_database(&client(), &source.name);
    let mut sink = Sink::of(source, &broker());
    sink.set("clickhouse.user", user).set("clickhouse.password", password);
    sink
}

/// The findings of a run, each with its lines: without those about this machine's disk, and what is good to know.
fn findings(ended: &Ended) -> Vec<String> {
    assert!(!ended.log.contains("-secret"), "{}", ended.log);
    let others = [
        "warning: disk default",
        "information: clickhouse types",
        "warning: clickhouse.url: the password",
        "validate: ",
    ];
    ended
        .log
        .split("\n\n")
        .map(|block| block.trim().to_owned())
        .filter(|block| !block.is_empty() && !others.iter().any(|other| block.starts_with(other)))
        .collect()
}

/// Whether a finding begins with these words, and has those in its lines.
fn assert_found(found: &[String], begins: &str, holds: &[&str]) {
    let fits = |block: &&String| {
        block.starts_with(begins)
            && holds.iter().all(|text| block.contains(text))
            && block.contains("  remedy:   ")
    };
    assert_eq!(found.iter().filter(fits).count(), 1, "{begins} {holds:?} in:\n{}", found.join("\n\n"));
}

fn left_over() -> Vec<Option<String>> {
    let prefix = round_trip::PREFIX;
    values(
        &client(),
        &format!(
            "SELECT name FROM system.tables WHERE startsWith(name, '{prefix}') AND database LIKE 'validate_%'"
        ),
    )
}

/// The topic of a table, of this run of the tests.
fn topic_of(name: &str, table: &str) -> String {
    format!("{name}_{}.{name}.{table}", std::process::id())
}

/// A row as Debezium publishes it, with its schema: id INT, v VARCHAR.
fn row(name: &str, table: &str) -> String {
    let fields = serde_json::json!([
        {"type": "int32", "optional": false, "field": "id"},
        {"type": "string", "optional": true, "field": "v"},
    ]);
    let image = |field: &str| serde_json::json!({"type": "struct", "optional": true, "fields": fields, "field": field});
    serde_json::json!({
        "schema": {"type": "struct", "optional": false, "name": format!("{name}.{name}.{table}.Envelope"),
            "fields": [image("before"), image("after"), {"type": "string", "optional": false, "field": "op"}]},
        "payload": {"before": null, "after": {"id": 1, "v": "a"}, "op": "c", "ts_ms": 2,
            "source": {"name": name, "db": name, "table": table, "ts_ms": 1, "file": "binlog.000001", "pos": 4, "row": 0,
                "snapshot": "false"}},
    })
    .to_string()
}

const KEY: &str = r#"{"schema":{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"}],"optional":false},"payload":{"id":1}}"#;

#[test]
fn a_good_set_up_has_nothing_to_be_told_before_and_behind_the_first_run() {
    let mut session = database(MYSQL97.variable(), "validate_good");
    for statement in [
        "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), n DECIMAL(10,2), at DATETIME(6), b VARBINARY(9), u BIGINT UNSIGNED)",
        "INSERT INTO t VALUES (1,'a',1.55,'2024-02-29 01:02:03.456789','xyz',18446744073709551615),(2,NULL,NULL,NULL,NULL,NULL)",
        "CREATE TABLE two (a INT, b CHAR(3), PRIMARY KEY (b, a))",
        "INSERT INTO two VALUES (1,'x')",
    ] {
        session.execute(statement).expect(statement);
    }
    let mut source = Connector::to_kafka(&MYSQL97, "validate_good", &broker());
    // With the settings that a schema-change topic should have; the broker's default deletes after a week.
    let mut topics = Topics::connect(&broker(), &[], &AtomicBool::new(false)).expect("a broker");
    topics.ensure(&source.prefix, &TopicSettings::history(), &AtomicBool::new(false)).expect("a topic");
    source
        .set("value.converter.replace.null.with.default", "false")
        .set("key.converter.replace.null.with.default", "false");
    let _source = source.start_streaming();
    source.wait_for_records("t", 2);
    let sink = sink_of(&source, MIRROR);
    let before = sink.validate();
    before.expect(0, &["validate: ok", "information: clickhouse types"]);
    assert_eq!(findings(&before), [""; 0]);
    // The rights that are asked for are all that it needs.
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "v", "n"]);
    sink.wait_for_rows(&process, &source, "two", &["a", "b"]);
    MYSQL97.sql(
        "USE validate_good; ALTER TABLE t ADD COLUMN w INT NOT NULL DEFAULT 7; ALTER TABLE t MODIFY w BIGINT NOT NULL DEFAULT 7; \
         UPDATE t SET v = 'b' WHERE id = 1; DELETE FROM t WHERE id = 2",
    );
    sink.wait_for_rows(&process, &source, "t", &["id", "v", "n", "w"]);
    process.terminate().expect(0, &[]);
    let behind = sink.validate();
    behind.expect(0, &["validate: ok"]);
    assert_eq!(findings(&behind), [""; 0]);
    // A change that the table has not followed yet is no difference.
    MYSQL97.sql("USE validate_good; ALTER TABLE t ADD COLUMN x INT; INSERT INTO t (id, v) VALUES (3, 'c')");
    source.wait_for_records("t", 6);
    let behind = sink.validate();
    behind.expect(0, &["validate: ok"]);
    assert_eq!(findings(&behind), [""; 0]);
    assert_eq!(left_over(), []);
}

#[test]
fn everything_that_is_wrong_is_told_in_one_run() {
    let name = "validate_bad";
    let mut sink = sink(name, HALF_MIRROR);
    sink.properties.remove("topics.regex");
    let topics = ["engine", "keyless", "order", "gone"].map(|table| topic_of(name, table));
    sink.set("topics", &topics.join(",")).set("schema.changes.topic", "validate_bad_nowhere");
    for (table, partitions, key) in [("engine", 1, Some(KEY)), ("keyless", 3, None), ("order", 1, Some(KEY))]
    {
        let topic = Topic::new(&topic_of(name, table), partitions);
        topic.send_record(partitions - 1, key, Some(&row(name, table)), &[]);
        topic.send(0, 0..0);
    }
    run(
        &client(),
        "CREATE TABLE validate_bad.engine (id Int32, v Nullable(String)) ENGINE = MergeTree ORDER BY id",
    );
    run(
        &client(),
        "CREATE TABLE validate_bad.order (id Int32, v Nullable(Int64), _version UInt64, _deleted UInt8) \
         ENGINE = ReplacingMergeTree(_version, _deleted) ORDER BY (id, _version)",
    );
    let ended = sink.validate();
    assert_eq!(ended.code, Some(2), "{}", ended.log);
    let found = findings(&ended);
    assert_found(
        &found,
        &format!("topic {}", topic_of(name, "gone")),
        &["there is none of this name", "allow Describe"],
    );
    assert_found(
        &found,
        "schema.changes.topic = validate_bad_nowhere",
        &["there is none of this name", "include.schema.changes=true"],
    );
    assert_found(
        &found,
        &format!("topic {}", topic_of(name, "keyless")),
        &["without a key, in a topic of 3 partitions", "primary key"],
    );
    let insert = ["lacks INSERT\n", "GRANT INSERT ON `validate_bad`.* TO `half_mirror`"];
    assert_found(&found, "grants on `validate_bad`.*", &insert);
    assert_found(&found, "grants on `_tidewire`.*", &["GRANT INSERT ON `_tidewire`.* TO `half_mirror`"]);
    assert_found(
        &found,
        "table validate_bad.engine",
        &["expected a ReplacingMergeTree with a version, found MergeTree", "rename it"],
    );
    assert_found(&found, "table validate_bad.order", &["sorting key: expected (`id`), found (id, _version)"]);
    assert_found(
        &found,
        "table validate_bad.order",
        &["column v: expected Nullable(String), found Nullable(Int64)"],
    );
    assert_found(&found, "table validate_bad.keyless", &["neither a primary key nor a unique key"]);
    let errors = found.iter().filter(|block| !block.starts_with("warning: ")).count();
    assert!(ended.log.ends_with(&format!("validate: {errors} problems\n")), "{}", ended.log);
    assert_eq!(errors, 9, "{}", ended.log);
    assert_eq!(left_over(), []);
}

#[test]
fn a_server_that_does_not_let_us_in_hides_nothing_of_kafka() {
    let mut sink = sink("validate_login", (MIRROR.0, "wrong-secret"));
    let ended = sink.validate();
    assert_eq!(ended.code, Some(2), "{}", ended.log);
    let found = findings(&ended);
    assert_found(
        &found,
        "clickhouse.url = ",
        &["code 516 AUTHENTICATION_FAILED", "correct the user and the password"],
    );
    assert_found(&found, "topics.regex", &["no topic that the user may see has such a name"]);
    assert_found(&found, "schema.changes.topic = validate_login", &["there is none of this name"]);
    // A port that nobody listens on.
    sink.set("clickhouse.url", "http://127.0.0.1:1");
    let found = findings(&sink.validate());
    assert_found(
        &found,
        "clickhouse.url = http://127.0.0.1:1",
        &["Connection refused", "check that the server runs"],
    );
    assert_found(&found, "topics.regex", &[]);
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn brokers_that_are_away_hide_nothing_of_clickhouse() {
    let name = "validate_away";
    new_database(&client(), name);
    let mut sink = Sink::of(&Connector::to_kafka(&MYSQL97, name, &broker()), "127.0.0.1:1");
    sink.set("clickhouse.user", HALF_MIRROR.0).set("clickhouse.password", HALF_MIRROR.1);
    sink.set("clickhouse.database", name);
    let ended = sink.validate();
    assert_eq!(ended.code, Some(2), "{}", ended.log);
    let found = findings(&ended);
    assert_found(&found, "bootstrap.servers = 127.0.0.1:1", &["no kafka broker of 127.0.0.1:1 answered"]);
    assert_found(&found, "grants on `validate_away`.*", &["lacks INSERT"]);
}

/// Without schemas the sink has to be told how the source publishes its types. The same source, with and without that.
#[test]
fn modes_of_the_source_are_noticed_and_taken() {
    let mut session = database(MYSQL97.variable(), "validate_modes");
    for statement in [
        "CREATE TABLE t (id INT PRIMARY KEY, n DECIMAL(10,2), at DATETIME(6), b BINARY(4), u BIGINT UNSIGNED)",
        "INSERT INTO t VALUES (1,1.55,'2024-02-29 01:02:03.456',x'00010203',18446744073709551615),(2,-0.01,NULL,NULL,0)",
    ] {
        session.execute(statement).expect(statement);
    }
    let mut source = Connector::to_kafka(&MYSQL97, "validate_modes", &broker());
    let modes = [
        ("decimal.handling.mode", "string"),
        ("time.precision.mode", "connect"),
        ("binary.handling.mode", "hex"),
        ("bigint.unsigned.handling.mode", "precise"),
    ];
    for (property, mode) in modes {
        source.set(property, mode);
    }
    for part in ["key", "value"] {
        source.set(&format!("{part}.converter"), "org.apache.kafka.connect.json.JsonConverter");
        source.set(&format!("{part}.converter.schemas.enable"), "false");
        source.set(&format!("{part}.converter.replace.null.with.default"), "false");
    }
    let _source = source.start_streaming();
    source.wait_for_records("t", 2);
    let mut sink = sink_of(&source, MIRROR);
    let ended = sink.validate();
    assert_eq!(ended.code, Some(2), "{}", ended.log);
    let found = findings(&ended);
    for (property, mode) in modes {
        let expected = format!("expected: {property} as the source has it");
        let remedy = format!("set {property}={mode} on this connector");
        assert_found(&found, &format!("topic {}", source.prefix), &[&expected, &remedy]);
        sink.set(property, mode);
    }
    let ended = sink.validate();
    ended.expect(0, &["validate: ok"]);
    let process = sink.start();
    sink.wait_for_rows(&process, &source, "t", &["id", "n", "u"]);
    let rest = "SELECT concat(ifNull(toString(at), 'NULL'), ' ', ifNull(hex(b), 'NULL')) FROM validate_modes.t FINAL ORDER BY id";
    sink.wait_for(&process, rest, &["2024-02-29 01:02:03.456000 00010203", "NULL NULL"]);
    process.terminate().expect(0, &[]);
}

#[test]
fn what_is_there_already_and_what_reads_it_is_told_and_stops_nothing() {
    let name = "validate_readers";
    let mut sink = sink(name, MIRROR);
    sink.properties.remove("topics.regex");
    sink.properties.remove("schema.changes.topic");
    sink.set("topics", &topic_of(name, "t"));
    let topic = Topic::new(&topic_of(name, "t"), 1);
    topic.send_record(0, Some(KEY), Some(&row(name, "t")), &[]);
    topic.send(0, 0..0);
    for statement in [
        "CREATE TABLE validate_readers.t (id Int32, v Nullable(String), _version UInt64, _deleted UInt8, \
         PROJECTION by_v (SELECT * ORDER BY v)) ENGINE = ReplacingMergeTree(_version, _deleted) ORDER BY id \
         SETTINGS deduplicate_merge_projection_mode = 'drop'",
        "INSERT INTO validate_readers.t VALUES (7, 'x', 1, 0)",
        "CREATE MATERIALIZED VIEW validate_readers.counted ENGINE = SummingMergeTree ORDER BY v AS \
         SELECT ifNull(v, '') AS v, count() AS n FROM validate_readers.t GROUP BY v",
    ] {
        run(&client(), statement);
    }
    let ended = sink.validate();
    ended.expect(0, &["validate: ok"]);
    let found = findings(&ended);
    assert_found(&found, "warning: schema.changes.topic", &["not set"]);
    assert_found(&found, "warning: table validate_readers.t", &["rows of somebody else's are there"]);
    assert_found(
        &found,
        "warning: table validate_readers.t",
        &["validate_readers.counted read what is inserted"],
    );
    assert_found(&found, "warning: table validate_readers.t", &["projections by_v"]);
    assert_eq!(found.len(), 4, "{found:?}");
}

/// A topic of another writer, whose offsets are versions; its number of partitions stands in the state of the sink.
#[test]
fn a_topic_that_got_partitions_is_told() {
    let name = "validate_partitions";
    let mut sink = sink(name, MIRROR);
    sink.properties.remove("topics.regex");
    sink.properties.remove("schema.changes.topic");
    sink.set("topics", &topic_of(name, "t"));
    let topic = Topic::new(&topic_of(name, "t"), 1);
    topic.send_record(0, Some(KEY), Some(&row(name, "t")), &[]);
    topic.send(0, 0..0);
    let process = sink.start();
    sink.wait_for(&process, "SELECT v FROM validate_partitions.t FINAL", &["a"]);
    process.terminate().expect(0, &[]);
    sink.validate().expect(0, &["validate: ok"]);
    topic.add_partitions(2);
    let ended = sink.validate();
    assert_eq!(ended.code, Some(2), "{}", ended.log);
    let found = findings(&ended);
    let told = ["are not those that its versions count", "into a topic of another name"];
    assert_found(&found, &format!("topic {}", topic.name), &told);
}

/// The user may make the table, alter it and drop it, but not fill it.
#[test]
fn a_round_trip_that_fails_leaves_no_table() {
    new_database(&client(), "validate_round");
    let text = format!(
        "name=round\nconnector.class=tidewire.clickhouse.ClickHouseSinkConnector\ntopics=t\n\
         clickhouse.url=http://{}\nclickhouse.user={}\nclickhouse.password={}\n",
        variable("TIDEWIRE_CLICKHOUSE"),
        HALF_MIRROR.0,
        HALF_MIRROR.1
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sink.properties");
    std::fs::write(&path, text).expect("a file");
    let properties = Properties::read(&path).expect("properties");
    let (config, _) = SinkConfig::from_properties(&properties).expect("a configuration");
    let server = Server::connect(&config).expect("a server");
    let found = round_trip::go_round(&server, &config, "validate_round");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].actual.starts_with("INSERT: ") && found[0].actual.contains("ACCESS_DENIED"),
        "{found:?}"
    );
    assert_eq!(left_over(), []);
}
