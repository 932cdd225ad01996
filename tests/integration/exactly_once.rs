//! Exactly-once delivery into Kafka: readers of what is committed see every change once, in order, whatever happens to the
//! connector.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};

use crate::mysql_server::database;
use crate::support::connector::{Connector, STREAMING};
use crate::support::database::{Database, MYSQL97, MYSQL97_NOGTID, variable};
use crate::support::process::{LIMIT, wait_until};
use crate::support::records::Record;
use crate::support::writer::{EnoughAtEnd, Writer, written};

fn connector(server: &Database, name: &str) -> Connector {
    let mut connector = Connector::to_kafka(server, name, &variable("TIDEWIRE_KAFKA"));
    connector
        .set("exactly.once.support", "required")
        .set("provide.transaction.metadata", "true")
        .set_worker("exactly.once.source.support", "enabled");
    connector
}

/// All that was expected is there, once; a little later too.
pub fn assert_exactly_once(connector: &Connector, expected: &[String]) {
    wait_until("the last change", LIMIT, || written(&connector.records("t")).last() == expected.last());
    std::thread::sleep(Duration::from_millis(500));
    let came = written(&connector.records("t"));
    let all = expected.len().max(came.len());
    if let Some(place) = (0..all).find(|place| expected.get(*place) != came.get(*place)) {
        panic!("record {place} of {} is {:?}, not {:?}", came.len(), came.get(place), expected.get(place));
    }
    assert_marks(connector);
}

/// Each transaction, also those of other databases, has one BEGIN and one END; the last one may be open. All of them.
pub fn assert_marks(connector: &Connector) -> Vec<Record> {
    let marks = connector.topic(&format!("{}.transaction", connector.prefix));
    let mut places: HashMap<String, usize> = HashMap::new();
    for (place, pair) in marks.chunks_exact(2).enumerate() {
        let statuses: Vec<&str> = pair.iter().filter_map(|mark| mark.value["status"].as_str()).collect();
        assert_eq!(statuses, ["BEGIN", "END"], "{pair:?}");
        assert_eq!(pair[0].value["id"], pair[1].value["id"]);
        let first = places.insert(pair[0].value["id"].to_string(), place);
        assert!(
            first.is_none(),
            "{pair:?} at {first:?} and {place} of {}\n{}",
            marks.len() / 2,
            connector.logs()
        );
    }
    marks
}

/// Kills while rows are written; Kafka transactions end at every batch of at most so many records, and source transactions
/// are cut.
fn killed(server: &Database, name: &str, batch: &str, interval: &str, boundary: &str) {
    let mut writer = Writer::new(database(server.variable(), name));
    let mut connector = connector(server, name);
    connector
        .set("max.batch.size", batch)
        .set("max.queue.size", "1024")
        .set("transaction.boundary", boundary)
        .set("transaction.boundary.interval.ms", interval)
        .set("tidewire.transaction.interval.ms", interval);
    connector.start_streaming().terminate().expect(0, &[]);
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let writing = scope.spawn(|| writer.write_until(&enough, Duration::from_millis(25)));
        for after in [400, 90, 700, 150, 10, 260] {
            let process = connector.start_streaming();
            std::thread::sleep(Duration::from_millis(after));
            process.kill();
        }
        enough.store(true, Ordering::Relaxed);
        writing.join().expect("the writer");
    });
    let process = connector.start_streaming();
    assert_exactly_once(&connector, writer.expected());
    process.terminate().expect(0, &["stopped"]);
}

#[test]
fn killed_where_transactions_are_short() {
    killed(&MYSQL97, "once_short", "3", "5", "poll");
}

#[test]
fn killed_where_transactions_are_long() {
    killed(&MYSQL97, "once_long", "500", "300", "interval");
}

#[test]
fn killed_where_transactions_follow_the_source() {
    killed(&MYSQL97_NOGTID, "once_source", "3", "50", "connector");
}

/// One that slept while another one took over publishes nothing any more, and says why.
fn fenced(name: &str, timeout: &str, asleep: Duration) {
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let mut connector = connector(&MYSQL97, name);
    connector
        .set("tidewire.transaction.interval.ms", "1000")
        .set("producer.override.transaction.timeout.ms", timeout);
    let older = connector.start_streaming();
    for _ in 0..20 {
        assert!(writer.transaction());
    }
    wait_until("the first records", LIMIT, || !connector.records("t").is_empty());
    // A transaction that is open when it falls asleep.
    assert!(writer.transaction());
    std::thread::sleep(Duration::from_millis(50));
    older.pause();
    let mut newer = connector.start_instance("log.newer");
    newer.wait_for(STREAMING, 1);
    for _ in 0..20 {
        assert!(writer.transaction());
    }
    assert_exactly_once(&connector, writer.expected());
    std::thread::sleep(asleep);
    older.go_on();
    let ended = older.wait(LIMIT);
    assert_ne!(ended.code, Some(0), "{}", ended.log);
    assert!(ended.log.contains("another instance of the connector has taken over"), "{}", ended.log);
    for _ in 0..5 {
        assert!(writer.transaction());
    }
    assert_exactly_once(&connector, writer.expected());
    newer.terminate().expect(0, &["stopped"]);
}

#[test]
fn an_older_instance_is_fenced() {
    fenced("once_fenced", "60000", Duration::ZERO);
}

/// Its transaction is too old as well, and still it is told from one that only slept.
#[test]
fn an_older_instance_that_slept_for_long_is_fenced() {
    fenced("once_fenced_late", "2000", Duration::from_secs(4));
}

/// A transaction that its coordinator ended, because the connector slept for too long, is published again.
#[test]
fn a_transaction_that_timed_out() {
    let name = "once_late";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let mut connector = connector(&MYSQL97, name);
    connector
        .set("tidewire.transaction.interval.ms", "800")
        .set("producer.override.transaction.timeout.ms", "2000");
    let mut process = connector.start_streaming();
    for _ in 0..3 {
        for _ in 0..10 {
            assert!(writer.transaction());
        }
        std::thread::sleep(Duration::from_millis(200));
        process.pause();
        // Coordinators look for such transactions every 10 seconds (transaction.abort.timed.out.transaction.cleanup.interval.ms).
        std::thread::sleep(Duration::from_secs(13));
        process.go_on();
        assert!(writer.transaction());
        assert_exactly_once(&connector, writer.expected());
        assert!(process.is_running(), "{}", process.log());
    }
    process.terminate().expect(0, &["stopped"]);
}

/// A transaction of another connector is open in the offset topic, which connectors share: it hides the offsets that were committed
/// behind it until it is over.
#[test]
fn anothers_open_transaction_in_the_offset_topic() {
    let name = "once_shared";
    let mut writer = Writer::new(database(MYSQL97.variable(), name));
    let connector = connector(&MYSQL97, name);
    let process = connector.start_streaming();
    for _ in 0..5 {
        assert!(writer.transaction());
    }
    assert_exactly_once(&connector, writer.expected());
    let another: BaseProducer = ClientConfig::new()
        .set("bootstrap.servers", variable("TIDEWIRE_KAFKA"))
        .set("transactional.id", "another_of_once_shared")
        .create()
        .expect("a producer");
    another.init_transactions(LIMIT).expect("an identity");
    another.begin_transaction().expect("a transaction");
    let topic = format!("offsets.{}", connector.prefix);
    another.send(BaseRecord::to(&topic).key(r#"["another",{}]"#).payload("{}")).expect("room");
    another.flush(LIMIT).expect("a record that is not committed");
    for _ in 0..5 {
        assert!(writer.transaction());
    }
    assert_exactly_once(&connector, writer.expected());
    process.kill();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(3));
            another.commit_transaction(LIMIT).expect("a commit");
        });
        let process = connector.start_streaming();
        assert!(writer.transaction());
        assert_exactly_once(&connector, writer.expected());
        process.terminate().expect(0, &["stopped"]);
    });
}

/// History record and schema change are committed together, before the rows of the new table and never twice.
#[test]
fn a_statement_is_stored_and_published_once() {
    let name = "once_ddl";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY)").unwrap();
    let connector = connector(&MYSQL97, name);
    connector.start_streaming().terminate().expect(0, &[]);
    let enough = AtomicBool::new(false);
    let columns = std::thread::scope(|scope| {
        let _end = EnoughAtEnd(&enough);
        let writing = scope.spawn(|| {
            let mut column = 0;
            while !enough.load(Ordering::Relaxed) {
                column += 1;
                session.execute(&format!("ALTER TABLE t ADD COLUMN c{column} INT")).unwrap();
                session.execute(&format!("INSERT INTO t (id) VALUES ({column})")).unwrap();
                std::thread::sleep(Duration::from_millis(30));
            }
            column
        });
        for after in [300, 120, 500, 60] {
            let process = connector.start_streaming();
            std::thread::sleep(Duration::from_millis(after));
            process.kill();
        }
        enough.store(true, Ordering::Relaxed);
        writing.join().expect("the writer")
    });
    let process = connector.start_streaming();
    let expected: Vec<String> = (1..=columns).map(|id| format!("c{id}")).collect();
    assert_exactly_once(&connector, &expected);
    process.terminate().expect(0, &["stopped"]);
    let rows = connector.records("t");
    for (row, column) in rows.iter().zip(1..) {
        let after = row.value["after"].as_object().expect("a row");
        assert_eq!(after.len(), column + 1, "{after:?}");
    }
    let altered = |texts: Vec<String>| {
        let columns = (1..=columns).map(|column| format!("ADD COLUMN c{column} INT"));
        let counts = columns.map(|text| texts.iter().filter(|stored| stored.contains(&text)).count());
        counts.collect::<Vec<usize>>()
    };
    let text =
        |record: &crate::support::records::Record| record.value["ddl"].as_str().unwrap_or("").to_owned();
    let published = connector.topic(&connector.prefix).iter().map(text).collect();
    let stored = connector.topic(&format!("history.{}", connector.prefix)).iter().map(text).collect();
    let once = vec![1; usize::try_from(columns).unwrap()];
    assert_eq!(altered(published), once);
    assert_eq!(altered(stored), once);
}

/// A source transaction of more rows than a Kafka transaction holds, killed inside.
#[test]
fn a_large_transaction_is_cut() {
    let name = "once_large";
    let mut session = database(MYSQL97.variable(), name);
    session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(100))").unwrap();
    let mut connector = connector(&MYSQL97, name);
    connector.set("tidewire.transaction.interval.ms", "0").set("max.batch.size", "100");
    connector.start_streaming().terminate().expect(0, &[]);
    session.execute("SET SESSION cte_max_recursion_depth = 100000").unwrap();
    session
        .execute(
            "INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) \
             SELECT i, REPEAT('x', 100) FROM n",
        )
        .unwrap();
    let mut kills = 0;
    let expected: Vec<String> = (1..=30_000).map(|id| format!("c{id}")).collect();
    while kills < 4 {
        let process = connector.start_streaming();
        let before = connector.records("t").len();
        wait_until("some rows", LIMIT, || connector.records("t").len() > before);
        process.kill();
        kills += 1;
    }
    let process = connector.start_streaming();
    assert_exactly_once(&connector, &expected);
    process.terminate().expect(0, &["stopped"]);
}

#[test]
fn insisting_without_the_workers_support_is_refused() {
    let mut connector = connector(&MYSQL97, "once_refused");
    connector.set_worker("exactly.once.source.support", "disabled");
    let ended = connector.start().wait(LIMIT);
    assert_ne!(ended.code, Some(0));
    assert!(
        ended.log.contains("This worker does not have exactly-once source support enabled."),
        "{}",
        ended.log
    );
}
