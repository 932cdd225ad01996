//! A topic of a test's own, and what a group has committed of it.

use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewPartitions};
use rdkafka::client::DefaultClientContext;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use tidewire::clock::Clock;
use tidewire::config::source::TopicCreation;
use tidewire::kafka::topics::{TopicSettings, Topics};

use crate::support::database::variable;
use crate::support::process::wait_until;

const TIMEOUT: Duration = Duration::from_secs(20);

pub struct Topic {
    pub name: String,
    partitions: i32,
    producer: BaseProducer,
}

impl Topic {
    /// A new topic of this name, empty.
    pub fn new(name: &str, partitions: i32) -> Self {
        let address = variable("TIDEWIRE_KAFKA");
        let settings = TopicSettings::records(TopicCreation { partitions, replication_factor: 1 });
        let mut topics = Topics::connect(&address, &[], &AtomicBool::new(false)).expect("a broker");
        assert_eq!(topics.partitions(name), None, "{name} is there already");
        topics.ensure(name, &settings, &AtomicBool::new(false)).expect("a topic");
        let producer = client().create().expect("a producer");
        Topic { name: name.to_owned(), partitions, producer }
    }

    /// Sends records `k<n>` with value `v<n>` to a partition.
    pub fn send(&self, partition: i32, numbers: std::ops::Range<i64>) {
        for number in numbers {
            self.send_record(partition, Some(&format!("k{number}")), Some(&format!("v{number}")), &[]);
        }
        self.producer.flush(TIMEOUT).expect("acknowledgements");
    }

    /// Hands one record to the producer.
    pub fn send_record(
        &self,
        partition: i32,
        key: Option<&str>,
        value: Option<&str>,
        headers: &[(&str, Option<&[u8]>)],
    ) {
        let mut owned = OwnedHeaders::new();
        for (name, value) in headers {
            owned = owned.insert(Header { key: name, value: *value });
        }
        let mut record = BaseRecord::<str, str>::to(&self.name).partition(partition);
        if !headers.is_empty() {
            record = record.headers(owned);
        }
        record.key = key;
        record.payload = value;
        self.producer.send(record).expect("room in the queue");
        self.producer.poll(Duration::ZERO);
    }

    /// Sends a record without a key whose only header has this name, which no client library would send, to partition 0.
    pub fn send_with_header(&self, value: &[u8], name: &[u8]) {
        let length = |bytes: &[u8]| u8::try_from(bytes.len() * 2).expect("a short text");
        // Attributes, differences of time and offset, no key (-1 in zigzag), the value, one header without a value.
        let mut record = vec![0, 0, 0, 1, length(value)];
        record.extend_from_slice(value);
        record.extend([2, length(name)]);
        record.extend_from_slice(name);
        record.push(1);
        // Now, or the broker's retention would delete it.
        let now = u64::try_from(Clock::System.now_nanos() / 1_000_000).expect("a time").to_be_bytes();
        // Attributes, last difference, two times, no producer (id, epoch, sequence), one record: record batch of version 2.
        let mut body =
            [&[0; 2 + 4][..], &now, &now, &[255; 8 + 2 + 4], &[0, 0, 0, 1, length(&record)]].concat();
        body.extend(record);
        let mut batch = [&[0; 8][..], &size(body.len() + 9), &[255; 4], &[2]].concat();
        batch.extend(crc32c::crc32c(&body).to_be_bytes());
        batch.extend(body);
        // Produce in version 3, correlation 7, no client id; no transaction, acks 1, a second.
        let mut request = vec![0, 0, 0, 3, 0, 0, 0, 7, 255, 255, 255, 255, 0, 1, 0, 0, 3, 232, 0, 0, 0, 1];
        request.extend(u16::try_from(self.name.len()).expect("a short name").to_be_bytes());
        request.extend_from_slice(self.name.as_bytes());
        request.extend([&[0, 0, 0, 1, 0, 0, 0, 0][..], &size(batch.len()), &batch].concat());
        let request = [&size(request.len())[..], &request].concat();
        // The broker may not lead a partition yet that was made a moment ago (error 6).
        wait_until("a record is written", TIMEOUT, || {
            let mut stream = TcpStream::connect(variable("TIDEWIRE_KAFKA")).expect("a broker");
            stream.write_all(&request).expect("a request");
            // Size, correlation, one topic, one partition; then the error.
            let mut answer = vec![0; 4 + 4 + 4 + 2 + self.name.len() + 4 + 4 + 2];
            stream.read_exact(&mut answer).expect("an answer");
            assert!(answer.ends_with(&[0, 0]) || answer.ends_with(&[0, 6]), "{answer:?}");
            answer.ends_with(&[0, 0])
        });
    }

    /// Sends records in a transaction of their own.
    pub fn send_transaction(&self, partition: i32, numbers: std::ops::Range<i64>) {
        let producer: BaseProducer =
            client().set("transactional.id", &self.name).create().expect("a producer");
        let own = Topic { name: self.name.clone(), partitions: self.partitions, producer };
        own.producer.init_transactions(TIMEOUT).expect("an identity");
        own.producer.begin_transaction().expect("a transaction");
        own.send(partition, numbers);
        own.producer.commit_transaction(TIMEOUT).expect("a commit");
    }

    /// Deletes what is below an offset, as retention does.
    pub fn delete_below(&self, partition: i32, offset: i64) {
        delete_below(&self.name, partition, offset);
    }

    /// Gives it more partitions: so many in all.
    pub fn add_partitions(&self, count: usize) {
        let admin: AdminClient<DefaultClientContext> = client().create().expect("an admin client");
        let (wanted, options) = ([NewPartitions::new(&self.name, count)], AdminOptions::new());
        let mut adding = pin!(admin.create_partitions(&wanted, &options));
        wait_until("partitions are added", TIMEOUT, || {
            match adding.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(added) => added.expect("an answer").iter().all(Result::is_ok),
                Poll::Pending => false,
            }
        });
    }

    /// Deletes the topic and makes it anew.
    pub fn make_anew(&self) {
        let address = variable("TIDEWIRE_KAFKA");
        let mut topics = Topics::connect(&address, &[], &AtomicBool::new(false)).expect("a broker");
        topics.delete(&self.name).expect("a topic deleted");
        wait_until("the topic is gone", TIMEOUT, || {
            topics.current_partitions(&self.name).expect("an answer").is_none()
        });
        Topic::new(&self.name, self.partitions);
    }

    /// Sets what a group without members has committed of partition 0.
    pub fn commit(&self, group: &str, offset: i64) {
        commit(group, &self.name, offset);
    }

    /// The offsets that a group has committed, by partition.
    pub fn committed(&self, group: &str) -> Vec<Option<i64>> {
        committed(group, &self.name, self.partitions)
    }
}

/// Deletes what is below an offset of a topic, as retention does.
pub fn delete_below(topic: &str, partition: i32, offset: i64) {
    let admin: AdminClient<DefaultClientContext> = client().create().expect("an admin client");
    let mut list = TopicPartitionList::new();
    list.add_partition_offset(topic, partition, Offset::Offset(offset)).expect("a list");
    let options = AdminOptions::new();
    let mut deleting = pin!(admin.delete_records(&list, &options));
    wait_until("records are deleted", TIMEOUT, || {
        match deleting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(deleted) => {
                deleted.expect("an answer").elements().iter().all(|element| element.error().is_ok())
            }
            Poll::Pending => false,
        }
    });
}

/// Sets what a group without members has committed of partition 0 of a topic.
pub fn commit(group: &str, topic: &str, offset: i64) {
    let consumer: BaseConsumer = client().set("group.id", group).create().expect("a consumer");
    let mut list = TopicPartitionList::new();
    list.add_partition_offset(topic, 0, Offset::Offset(offset)).expect("a list");
    wait_until("a commit", TIMEOUT, || consumer.commit(&list, CommitMode::Sync).is_ok());
}

/// The offsets that a group has committed of a topic, by partition.
pub fn committed(group: &str, topic: &str, partitions: i32) -> Vec<Option<i64>> {
    let consumer: BaseConsumer = client().set("group.id", group).create().expect("a consumer");
    let mut answer = None;
    // A broker that has just started does not lead the groups yet.
    wait_until("a group's offsets", TIMEOUT, || {
        let mut list = TopicPartitionList::new();
        list.add_partition_range(topic, 0, partitions - 1);
        answer = consumer.committed_offsets(list, TIMEOUT).ok();
        answer.is_some()
    });
    let list = answer.expect("offsets");
    let offsets = list.elements();
    offsets
        .iter()
        .map(|element| match element.offset() {
            Offset::Offset(offset) => Some(offset),
            _ => None,
        })
        .collect()
}

fn size(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).expect("a small request").to_be_bytes()
}

fn client() -> ClientConfig {
    let mut client = ClientConfig::new();
    client.set("bootstrap.servers", variable("TIDEWIRE_KAFKA"));
    client
}

/// Where the first partition of a topic ends.
pub fn end(topic: &str) -> i64 {
    let consumer: BaseConsumer = client().create().expect("a consumer");
    consumer.fetch_watermarks(topic, 0, TIMEOUT).expect("watermarks").1
}
