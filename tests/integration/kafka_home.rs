//! The Kafka home against a real broker.
//!
//! `TIDEWIRE_KAFKA` is its host and port; `TIDEWIRE_KAFKA_STOP` and `TIDEWIRE_KAFKA_START` are commands that stop and
//! start it. A missing one is a failure: a test that did not run has not passed.

#![allow(clippy::unwrap_used)]

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{Headers, Message};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use tidewire::config::source::TopicCreation;
use tidewire::config::worker::KafkaConfig;
use tidewire::connect::record::{Record, RecordBatch, RecordHeaders, RecordHome, StoredOffset};
use tidewire::error::{Classify, ErrorClass};
use tidewire::kafka::error::KafkaHomeError;
use tidewire::kafka::home::KafkaHome;
use tidewire::kafka::offset_store::KafkaOffsetStore;
use tidewire::kafka::schema_history::KafkaSchemaHistory;
use tidewire::offset::backing_store::OffsetBackingStore;
use tidewire::schema::history::SchemaHistory;
use tidewire::schema::history::record::HistoryRecord;

const DAY: Duration = Duration::from_secs(86_400);
const FOUR: TopicCreation = TopicCreation { partitions: 4, replication_factor: 1 };
const KEY: &str = r#"["c",{"server":"p"}]"#;
const SEQUENCE_KEY: &str = r#"["c",{"server":"p","tidewire":"seq"}]"#;

/// The outage would disturb the others.
static BROKER: Mutex<()> = Mutex::new(());

fn broker() -> (MutexGuard<'static, ()>, String) {
    (BROKER.lock().unwrap_or_else(PoisonError::into_inner), setting("TIDEWIRE_KAFKA"))
}

fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

fn unique(name: &str) -> String {
    format!("{name}-{}", uuid::Uuid::new_v4())
}

fn config(brokers: &str) -> KafkaConfig {
    KafkaConfig {
        bootstrap_servers: brokers.to_owned(),
        offset_topic: unique("offsets"),
        offset_partitions: 3,
        offset_replication_factor: 1,
        client: Vec::new(),
        producer: Vec::new(),
        consumer: Vec::new(),
        admin: Vec::new(),
    }
}

fn open(config: &KafkaConfig, interval: Duration) -> KafkaHome {
    KafkaHome::open(config, &[], FOUR, interval, Arc::default()).unwrap()
}

fn stored(config: &KafkaConfig, key: &str) -> Option<String> {
    KafkaOffsetStore::read(config, &AtomicBool::new(false)).unwrap().get(key).unwrap()
}

fn offset(key: &str, value: Option<&str>) -> StoredOffset {
    StoredOffset { key: key.to_owned(), value: value.map(str::to_owned) }
}

/// A batch of records: key, value.
fn batch(
    topic: &Arc<str>,
    records: &[(Option<&str>, Option<&str>)],
    offsets: &[StoredOffset],
) -> RecordBatch {
    let mut batch = RecordBatch { offsets: offsets.to_vec(), ..RecordBatch::default() };
    for (key, value) in records {
        let mut add = |text: &&str| {
            let start = batch.bytes.len() as u32;
            batch.bytes.extend_from_slice(text.as_bytes());
            start..batch.bytes.len() as u32
        };
        let (key, value) = (key.as_ref().map(&mut add), value.as_ref().map(&mut add));
        let headers = RecordHeaders::default();
        batch.records.push(Record { topic: Arc::clone(topic), partition: None, key, value, headers });
    }
    batch
}

#[derive(Debug, PartialEq)]
struct Seen {
    partition: i32,
    key: Option<String>,
    value: Option<String>,
    headers: Vec<(String, Vec<u8>)>,
}

/// Reads so many records of a topic.
fn read(brokers: &str, topic: &str, partitions: i32, count: usize) -> Vec<Seen> {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", brokers)
        .set("group.id", unique("test"))
        .set("isolation.level", "read_committed")
        .create()
        .unwrap();
    let mut list = TopicPartitionList::new();
    for partition in 0..partitions {
        list.add_partition_offset(topic, partition, Offset::Beginning).unwrap();
    }
    consumer.assign(&list).unwrap();
    let mut seen = Vec::new();
    let start = Instant::now();
    let mut patience = Duration::from_secs(20);
    while start.elapsed() < patience {
        let Some(Ok(message)) = consumer.poll(Duration::from_millis(200)) else { continue };
        let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap());
        seen.push(Seen {
            partition: message.partition(),
            key: text(message.key()),
            value: text(message.payload()),
            headers: message.headers().map_or_else(Vec::new, |headers| {
                headers.iter().map(|one| (one.key.to_owned(), one.value.unwrap().to_vec())).collect()
            }),
        });
        if seen.len() == count {
            // Anything more would be too much.
            patience = start.elapsed() + Duration::from_secs(1);
        }
    }
    seen
}

#[test]
fn records_carry_key_value_and_headers_in_order_to_javas_partition() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    home.set_context_headers(Arc::from(vec![
        ("__debezium.context.taskId".to_owned(), b"0".to_vec()),
        ("__debezium.context.connectorName".to_owned(), b"mysql".to_vec()),
    ]));
    let mut batch = batch(
        &topic,
        &[
            (Some("foobar"), Some("one")),
            (Some("foobar"), None),
            (Some("abc"), Some("x")),
            (Some("21"), Some("y")),
        ],
        &[],
    );
    let key: std::ops::Range<u32> = 0..6;
    batch.records[1].headers = RecordHeaders {
        key_change: Some(("__debezium.newkey", key)),
        context: true,
        sequence: Some(0x0102_0304_0506_0708),
    };
    home.publish(&batch).unwrap();
    home.flush().unwrap();
    // Partitions by the test vectors of Java's Utils.murmur2: foobar -790332482, abc 479470107, 21 -973932308.
    let seen = read(&brokers, &topic, 4, 4);
    let find = |partition| seen.iter().filter(|one| one.partition == partition).collect::<Vec<_>>();
    assert_eq!(find(3).iter().map(|one| one.key.as_deref()).collect::<Vec<_>>(), [Some("abc")]);
    assert_eq!(find(0).iter().map(|one| one.key.as_deref()).collect::<Vec<_>>(), [Some("21")]);
    let plain = Seen { partition: 2, key: Some("foobar".into()), value: Some("one".into()), headers: vec![] };
    let rich = Seen {
        partition: 2,
        key: Some("foobar".into()),
        value: None,
        headers: vec![
            ("__debezium.newkey".into(), b"foobar".to_vec()),
            ("__debezium.context.taskId".into(), b"0".to_vec()),
            ("__debezium.context.connectorName".into(), b"mysql".to_vec()),
            ("tidewire.seq".into(), vec![1, 2, 3, 4, 5, 6, 7, 8]),
        ],
    };
    assert_eq!(find(2), [&plain, &rich]);
    assert_eq!(seen.len(), 4);
}

#[test]
fn offsets_are_stored_in_order_replaced_and_removed() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    assert_eq!(stored(&config, KEY), None, "the topic does not exist");
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    for place in 1..=3 {
        let value = format!(r#"{{"file":"binlog.000001","pos":{place}}}"#);
        let offsets =
            [offset(KEY, Some(&value)), offset(SEQUENCE_KEY, Some(&format!(r#"{{"last":{place}}}"#)))];
        home.publish(&batch(&topic, &[(None, Some("row"))], &offsets)).unwrap();
    }
    assert_eq!(stored(&config, KEY), None, "the interval is not over");
    home.flush().unwrap();
    assert_eq!(stored(&config, KEY).as_deref(), Some(r#"{"file":"binlog.000001","pos":3}"#));
    assert_eq!(stored(&config, SEQUENCE_KEY).as_deref(), Some(r#"{"last":3}"#));
    assert_eq!(read(&brokers, &config.offset_topic, 3, 2).len(), 2, "one record a key");
    home.publish(&batch(&topic, &[], &[offset(KEY, None)])).unwrap();
    home.flush().unwrap();
    assert_eq!(stored(&config, KEY), None);
}

#[test]
fn offsets_follow_by_themselves_when_the_interval_is_over() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, Duration::from_millis(50));
    home.publish(&batch(&topic, &[(None, Some("row"))], &[offset(KEY, Some("{}"))])).unwrap();
    let start = Instant::now();
    while stored(&config, KEY).is_none() {
        assert!(start.elapsed() < Duration::from_secs(20));
        home.idle().unwrap();
    }
}

#[test]
fn a_record_that_is_too_large_fails_for_good_and_the_offset_stays() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    home.publish(&batch(&topic, &[(None, Some("row"))], &[offset(KEY, Some("before"))])).unwrap();
    home.flush().unwrap();
    let large = "x".repeat(1_100_000);
    let refused =
        home.publish(&batch(&topic, &[(None, Some(&large))], &[offset(KEY, Some("behind"))])).unwrap_err();
    assert_eq!(refused.class(), ErrorClass::Fatal);
    assert_eq!(
        refused.to_string(),
        format!("record of 1100000 bytes for topic {topic} is larger than allowed")
    );
    assert!(home.publish(&batch(&topic, &[(None, Some("row"))], &[])).is_err());
    assert!(home.flush().is_err());
    assert_eq!(stored(&config, KEY).as_deref(), Some("before"));
}

#[test]
fn a_record_that_the_broker_refuses_fails_too() {
    let (_broker, brokers) = broker();
    let mut config = config(&brokers);
    // Our own limit lets it through, the broker's default of 1 MiB does not.
    config.producer.push(("max.request.size".to_owned(), "4000000".to_owned()));
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, DAY);
    let large = "x".repeat(2_000_000);
    let offsets = [offset(KEY, Some("behind"))];
    let refused = home
        .publish(&batch(&topic, &[(None, Some(&large))], &offsets))
        .and_then(|()| home.flush())
        .unwrap_err();
    assert!(matches!(refused, KafkaHomeError::RecordTooLarge { size: 2_000_000, .. }), "{refused:?}");
    drop(home);
    assert_eq!(stored(&config, KEY), None);
}

#[test]
fn an_outage_only_stalls() {
    let (_broker, brokers) = broker();
    let (stop, start) = (setting("TIDEWIRE_KAFKA_STOP"), setting("TIDEWIRE_KAFKA_START"));
    let run = |command: &str| {
        assert!(Command::new("sh").args(["-c", command]).status().unwrap().success(), "{command}")
    };
    let config = config(&brokers);
    let topic: Arc<str> = Arc::from(unique("records"));
    let mut home = open(&config, Duration::ZERO);
    let value = "v".repeat(400);
    let keys: Vec<String> = (0..60_000).map(|number| number.to_string()).collect();
    let send = |home: &mut KafkaHome, keys: &[String]| {
        for some in keys.chunks(500) {
            let records: Vec<_> = some.iter().map(|key| (Some(key.as_str()), Some(value.as_str()))).collect();
            home.publish(&batch(&topic, &records, &[offset(KEY, some.last().map(String::as_str))])).unwrap();
        }
    };
    send(&mut home, &keys[..10_000]);
    home.flush().unwrap();
    run(&stop);
    // More than the queue holds, so that publishing must wait for the broker.
    std::thread::scope(|scope| {
        let publisher = scope.spawn(|| {
            send(&mut home, &keys[10_000..]);
            home.flush().unwrap();
        });
        std::thread::sleep(Duration::from_secs(5));
        assert!(!publisher.is_finished());
        run(&start);
        publisher.join().unwrap();
    });
    assert_eq!(stored(&config, KEY).as_deref(), Some("59999"));
    let seen = read(&brokers, &topic, 4, keys.len());
    assert_eq!(seen.len(), keys.len(), "each once");
    for partition in 0..4 {
        let numbers: Vec<u32> = seen
            .iter()
            .filter(|one| one.partition == partition)
            .map(|one| one.key.as_ref().unwrap().parse().unwrap())
            .collect();
        assert!(numbers.is_sorted(), "partition {partition}");
    }
}

#[test]
fn opening_without_a_broker_waits_until_it_is_told_to_stop() {
    let config = config("127.0.0.1:9");
    let stop = Arc::new(AtomicBool::new(false));
    let telling = Arc::clone(&stop);
    let teller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        telling.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    let error = KafkaHome::open(&config, &[], FOUR, DAY, stop).err().unwrap();
    teller.join().unwrap();
    assert!(
        matches!(error, KafkaHomeError::Stopped) && start.elapsed() < Duration::from_secs(10),
        "{error:?}"
    );
}

#[test]
fn the_schema_history_comes_back() {
    let (_broker, brokers) = broker();
    let topic = unique("history");
    let open = || {
        KafkaSchemaHistory::open(&topic, &brokers, &[], &[], Duration::from_secs(10), Arc::default()).unwrap()
    };
    let mut history = open();
    assert!(!history.exists().unwrap());
    history.initialize_storage().unwrap();
    assert!(!history.exists().unwrap());
    let record = |ddl: &str| -> HistoryRecord {
        let text = format!(
            r#"{{"source":{{"server":"p"}},"position":{{"ts_sec":1795984446,"file":"binlog.000001","pos":219}},"ts_ms":1795984446311,"databaseName":"shop","ddl":"{ddl}","tableChanges":[]}}"#
        );
        text.parse().unwrap()
    };
    let records: Vec<HistoryRecord> =
        (0..50).map(|number| record(&format!("CREATE DATABASE d{number}"))).collect();
    history.record(&records[..1]).unwrap();
    assert!(history.exists().unwrap());
    // What others may have left there.
    let other: BaseProducer = ClientConfig::new().set("bootstrap.servers", &brokers).create().unwrap();
    other.send(BaseRecord::<str, str>::to(&topic).payload("nonsense")).unwrap();
    other.send(BaseRecord::<str, str>::to(&topic).key("k")).unwrap();
    other.flush(Duration::from_secs(20)).unwrap();
    history.record(&records[1..]).unwrap();
    let mut seen = Vec::new();
    open().recover(&mut |record| seen.push(record)).unwrap();
    assert_eq!(seen, records);
    let raw = read(&brokers, &topic, 1, 52);
    assert_eq!((raw[0].key.as_deref(), raw[0].partition), (None, 0));
    assert!(raw[0].value.as_ref().unwrap().starts_with("{\n  \"source\" : {\n    \"server\" : \"p\"\n  },"));
}

#[test]
fn a_history_topic_with_two_partitions_is_refused() {
    let (_broker, brokers) = broker();
    let config = config(&brokers);
    drop(open(&config, DAY));
    let mut history = KafkaSchemaHistory::open(
        &config.offset_topic,
        &brokers,
        &[],
        &[],
        Duration::from_secs(10),
        Arc::default(),
    )
    .unwrap();
    assert!(matches!(history.exists(), Err(KafkaHomeError::HistoryPartitions { partitions: 3, .. })));
}
