//! Servers and brokers that go away and come back; a broker that does not take a record.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, AlterConfig, ResourceSpecifier};
use rdkafka::client::DefaultClientContext;

use crate::mysql_server::{database, root};
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{MYSQL97, MYSQL97_RESTARTED, variable};
use crate::support::process::{LIMIT, wait_until};
use crate::support::restarted;
use crate::support::writer::{EnoughAtEnd, Writer, assert_at_least_once, written};

#[test]
fn mysql_killed_and_stopped_while_rows_are_read() {
    let server = restarted::mysql();
    let name = "mysql_lost";
    let variable = MYSQL97_RESTARTED.variable();
    let mut writer = Writer::new(database(variable, name));
    let connector = Connector::to_files(&MYSQL97_RESTARTED, name);
    let mut process = connector.start_streaming();
    for (round, orderly) in [false, true].into_iter().enumerate() {
        for _ in 0..30 {
            assert!(writer.transaction());
        }
        if orderly {
            server.stop()
        } else {
            server.kill()
        }
        process.wait_for("the connector starts again", round + 1);
        server.start();
        writer.reconnect(root(variable));
        writer.session().execute(&format!("USE {name}")).unwrap();
        for _ in 0..10 {
            assert!(writer.transaction());
        }
        process.wait_for(STREAMING, round + 2);
        connector.wait_for_records("t", writer.expected().len());
    }
    process.terminate().expect(0, &[]);
    assert_eq!(written(&connector.records("t")), writer.expected());
}

#[test]
fn a_killed_connection_is_made_again() {
    let name = "connection_lost";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = Connector::to_files(&MYSQL97, name);
    let mut process = connector.start_streaming();
    for round in 0..3 {
        for _ in 0..10 {
            assert!(writer.transaction());
        }
        let id = connector.properties["database.server.id"].clone();
        let dumps = writer.session().query("SHOW REPLICAS").unwrap();
        assert!(dumps.rows.iter().any(|row| row[0].as_deref() == Some(&id)), "{dumps:?} lacks {id}");
        // The line `streaming started … connection=N`.
        let log = process.log();
        let connection =
            log.rsplit("connection=").next().and_then(|rest| rest.split_whitespace().next()).unwrap();
        writer.session().execute(&format!("KILL {connection}")).unwrap();
        process.wait_for(STREAMING, round + 2);
    }
    connector.wait_for_records("t", writer.expected().len());
    process.terminate().expect(0, &["lost the connection to mysql server"]);
    assert_eq!(written(&connector.records("t")), writer.expected());
}

#[test]
fn kafka_down_at_the_start_and_in_the_middle() {
    let broker = restarted::kafka();
    let name = "kafka_lost";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA_RESTARTED"));
    broker.stop();
    let mut process = connector.start();
    process.wait_for("kafka brokers are not reachable", 1);
    assert!(writer.transaction());
    // A stop does not wait for the broker.
    process.terminate().expect(0, &[]);
    let began = Instant::now();
    let mut process = connector.start();
    process.wait_for("kafka brokers are not reachable", 1);
    broker.start();
    process.wait_for(STREAMING, 1);
    let before = writer.expected().len();

    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let writing = scope.spawn(|| writer.write_until(&enough, Duration::from_millis(20)));
        wait_until("changes before the broker goes", LIMIT, || connector.records("t").len() > 50);
        broker.stop();
        std::thread::sleep(Duration::from_secs(3));
        broker.start();
        std::thread::sleep(Duration::from_secs(1));
        enough.store(true, Ordering::Relaxed);
        writing.join().expect("the writer");
    });
    let last = writer.expected().last().cloned().unwrap();
    wait_until("the last change", LIMIT, || written(&connector.records("t")).last() == Some(&last));
    // A change of the schema goes the same way: history, schema-change topic, rows.
    broker.stop();
    writer.session().execute("ALTER TABLE t ADD COLUMN more INT").unwrap();
    writer.session().execute("INSERT INTO t VALUES (1000000, 'x', 5)").unwrap();
    std::thread::sleep(Duration::from_secs(1));
    assert!(process.is_running(), "{}", process.log());
    broker.start();
    wait_until("the row behind the statement", LIMIT, || {
        connector
            .records("t")
            .last()
            .is_some_and(|record| record.id() == 1_000_000 && record.cell("more") == 5)
    });
    let ended = process.terminate();
    ended.expect(0, &[]);
    // Once for each time that it was away, and again every ten seconds.
    let most = 6 + usize::try_from(began.elapsed().as_secs() / 10).unwrap();
    assert!(ended.log.matches("kafka brokers are not reachable").count() <= most, "{}", ended.log);

    // The first transaction was read by the snapshot.
    let came = written(&connector.records("t"));
    assert_eq!(came.iter().filter(|change| change.starts_with('r')).count(), 4);
    let came: Vec<String> =
        came.into_iter().filter(|change| !change.starts_with('r') && change != "c1000000").collect();
    assert_at_least_once(&writer.expected()[before..], &came);
}

#[test]
fn a_stop_with_the_broker_away_ends_in_time_and_loses_nothing() {
    let broker = restarted::kafka();
    let name = "kafka_stop";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA_RESTARTED"));
    let process = connector.start_streaming();
    assert!(writer.transaction());
    wait_until("the first changes", LIMIT, || connector.records("t").len() == writer.expected().len());
    broker.stop();
    for _ in 0..20 {
        assert!(writer.transaction());
    }
    std::thread::sleep(Duration::from_millis(500));
    process.terminate().expect(0, &[]);
    broker.start();
    let process = connector.start_streaming();
    let last = writer.expected().last().cloned().unwrap();
    wait_until("the last change", LIMIT, || written(&connector.records("t")).last() == Some(&last));
    process.terminate().expect(0, &[]);
    assert_at_least_once(writer.expected(), &written(&connector.records("t")));
}

#[test]
fn a_record_that_is_too_large_is_fatal_and_named() {
    let name = "too_large";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v LONGTEXT)").unwrap();
    let mut connector = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA"));
    let process = connector.start_streaming();
    session.execute("INSERT INTO t VALUES (1, 'small')").unwrap();
    wait_until("the small row", LIMIT, || connector.records("t").len() == 1);
    session.execute("INSERT INTO t VALUES (2, REPEAT('secret-cell ', 200000))").unwrap();
    session.execute("INSERT INTO t VALUES (3, 'small')").unwrap();
    let topic = format!("{}.too_large.t", connector.prefix);
    let said = [
        topic.as_str(),
        "bytes",
        "table too_large.t at binlog.",
        "larger than allowed",
        "max.request.size",
        "max.message.bytes",
    ];
    let ended = process.wait(LIMIT);
    ended.expect(1, &said);
    assert!(ended.log.contains("max.request.size of the producer is 1048576"), "{}", ended.log);
    assert!(!ended.log.contains("secret-cell"), "{}", ended.log);
    // Now it is the broker that refuses.
    connector.set_worker("producer.max.request.size", "20000000");
    connector.start().wait(LIMIT).expect(1, &said);
    // What was on its way behind it may have arrived; it would come again behind it.
    let came = written(&connector.records("t"));
    assert_eq!(came[0], "c1");
    assert!(!came.contains(&"c2".to_owned()), "{came:?}");
    // Once the topic takes it, nothing is missing.
    raise_max_message_bytes(&topic);
    let process = connector.start_streaming();
    wait_until("all rows", LIMIT, || written(&connector.records("t")).ends_with(&["c2".into(), "c3".into()]));
    process.terminate().expect(0, &[]);
}

/// `max.message.bytes` of a topic.
fn raise_max_message_bytes(topic: &str) {
    let mut config = ClientConfig::new();
    let client: AdminClient<DefaultClientContext> =
        config.set("bootstrap.servers", variable("TIDEWIRE_KAFKA")).create().expect("a client");
    let configs = [AlterConfig::new(ResourceSpecifier::Topic(topic)).set("max.message.bytes", "20000000")];
    let options = AdminOptions::new();
    let mut altering = pin!(client.alter_configs(&configs, &options));
    wait_until("the topic is altered", LIMIT, || {
        match altering.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(altered) => altered.expect("an answer").iter().all(Result::is_ok),
            Poll::Pending => false,
        }
    });
}

#[test]
fn an_offset_in_kafka_without_its_history_is_refused() {
    let name = "kafka_history";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let mut connector = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA"));
    connector.start_streaming().terminate().expect(0, &[]);
    connector.set("schema.history.internal.kafka.topic", "history.that_is_not_there");
    connector.start().wait(LIMIT).expect(1, &["schema history", "remove the stored offset"]);
    let history = format!("history.{}", connector.prefix);
    connector.set("schema.history.internal.kafka.topic", &history);
    let process = connector.start_streaming();
    session.execute("INSERT INTO t VALUES (1)").unwrap();
    wait_until("the row", LIMIT, || connector.records("t").len() == 1);
    process.terminate().expect(0, &[]);
}
