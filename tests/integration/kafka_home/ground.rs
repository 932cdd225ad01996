//! The broker, homes on it, and what others read from it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{Headers, Message};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use tidewire::config::source::TopicCreation;
use tidewire::config::worker::KafkaConfig;
use tidewire::connect::record::{Record, RecordBatch, RecordHeaders, StoredOffset};
use tidewire::kafka::home::{HomeSettings, KafkaHome};
use tidewire::kafka::offset_store::KafkaOffsetStore;
use tidewire::offset::backing_store::OffsetBackingStore;

pub const DAY: Duration = Duration::from_secs(86_400);
pub const FOUR: TopicCreation = TopicCreation { partitions: 4, replication_factor: 1 };
pub const KEY: &str = r#"["c",{"server":"p"}]"#;
pub const SEQUENCE_KEY: &str = r#"["c",{"server":"p","tidewire":"seq"}]"#;

/// The outage would disturb the others.
static BROKER: Mutex<()> = Mutex::new(());

pub fn broker() -> (MutexGuard<'static, ()>, String) {
    (BROKER.lock().unwrap_or_else(PoisonError::into_inner), setting("TIDEWIRE_KAFKA"))
}

pub fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

pub fn unique(name: &str) -> String {
    format!("{name}-{}", uuid::Uuid::new_v4())
}

pub fn config(brokers: &str) -> KafkaConfig {
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

/// A home that gives every record at least once.
pub fn settings(interval: Duration) -> HomeSettings<'static> {
    HomeSettings {
        overrides: &[],
        creation: FOUR,
        offset_flush_interval: interval,
        exactly_once: None,
        lease: None,
    }
}

pub fn open(config: &KafkaConfig, interval: Duration) -> KafkaHome {
    KafkaHome::open(config, settings(interval), Arc::default()).unwrap()
}

pub fn stored(config: &KafkaConfig, key: &str) -> Option<String> {
    KafkaOffsetStore::read(config, &AtomicBool::new(false)).unwrap().get(key).unwrap()
}

pub fn offset(key: &str, value: Option<&str>) -> StoredOffset {
    StoredOffset { key: key.to_owned(), value: value.map(str::to_owned) }
}

/// A batch of records: key, value.
pub fn batch(
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

/// What a consumer got.
#[derive(Debug, PartialEq)]
pub struct Seen {
    pub partition: i32,
    pub key: Option<String>,
    pub value: Option<String>,
    pub headers: Vec<(String, Vec<u8>)>,
}

/// Reads so many records of a topic.
pub fn read(brokers: &str, topic: &str, partitions: i32, count: usize) -> Vec<Seen> {
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
