//! What is in Kafka.

use std::time::{Duration, Instant};

use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::message::Message;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::support::process::wait_until;
use crate::support::records::Record;

const TIMEOUT: Duration = Duration::from_secs(20);

/// A client of a broker.
pub struct Broker {
    address: String,
}

impl Broker {
    pub fn new(address: &str) -> Self {
        Broker { address: address.to_owned() }
    }

    fn consumer(&self) -> BaseConsumer {
        ClientConfig::new()
            .set("bootstrap.servers", &self.address)
            .set("group.id", "tests")
            .set("enable.auto.commit", "false")
            .set("enable.partition.eof", "true")
            .set("isolation.level", "read_committed")
            .set("fetch.wait.max.ms", "50")
            .create()
            .expect("a consumer")
    }

    /// Key and value of all committed records of a topic's partition 0, as text.
    pub fn texts(&self, topic: &str) -> Vec<[Option<String>; 2]> {
        let consumer = self.consumer();
        let metadata = consumer.fetch_metadata(None, TIMEOUT).expect("the topics");
        if !metadata.topics().iter().any(|found| found.name() == topic) {
            return Vec::new();
        }
        // A broker that has just started does not lead its partitions yet.
        let mut ends = None;
        wait_until("the ends of a topic", TIMEOUT, || {
            ends = consumer.fetch_watermarks(topic, 0, TIMEOUT).ok();
            ends.is_some()
        });
        let (begin, end) = ends.unwrap_or_default();
        let mut list = TopicPartitionList::new();
        list.add_partition_offset(topic, 0, Offset::Offset(begin)).expect("an assignment");
        consumer.assign(&list).expect("an assignment");
        let mut texts = Vec::new();
        let mut next = begin;
        let deadline = Instant::now() + TIMEOUT;
        while next < end {
            assert!(Instant::now() < deadline, "{topic} cannot be read to its end");
            let message = match consumer.poll(Duration::from_millis(100)) {
                None => continue,
                // The marks of transactions are no records.
                Some(Err(KafkaError::PartitionEOF(_))) => break,
                Some(message) => message.expect("a record"),
            };
            let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            texts.push([text(message.key()), text(message.payload())]);
            next = message.offset() + 1;
        }
        texts
    }

    /// The records of a topic's partition 0.
    pub fn read(&self, topic: &str) -> Vec<Record> {
        let texts = self.texts(topic);
        texts.iter().map(|[key, value]| Record::new(topic, key.as_deref(), value.as_deref())).collect()
    }
    /// What a group is for, and how many members it has.
    pub fn group(&self, name: &str) -> Option<(String, usize)> {
        let groups = self.consumer().fetch_group_list(Some(name), TIMEOUT).expect("the groups");
        let group = groups.groups().first()?;
        Some((group.protocol_type().to_owned(), group.members().len()))
    }
}
