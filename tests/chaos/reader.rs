//! All records of a topic.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::message::{BorrowedMessage, Headers, Message};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use serde_json::Value;

use crate::Outcome;

const TIMEOUT: Duration = Duration::from_secs(60);
/// A client is given up after this.
const QUIET: Duration = Duration::from_secs(15);
/// `isolation.level`: what transactions have committed.
pub const COMMITTED: &str = "read_committed";
/// Everything that was ever sent.
pub const UNCOMMITTED: &str = "read_uncommitted";

/// A record.
pub struct Published {
    pub offset: i64,
    pub key: Option<Value>,
    /// None for a tombstone.
    pub value: Option<Value>,
    /// The header `tidewire.seq`.
    pub sequence: Option<u64>,
}

impl Published {
    fn of(message: &BorrowedMessage<'_>) -> Outcome<Self> {
        let told = |error: serde_json::Error| format!("{}: {error}", message.topic());
        let headers = message.headers();
        let sequence = headers.and_then(|headers| headers.iter().find(|header| header.key == "tidewire.seq"));
        let sequence = sequence.map(|header| {
            let bytes = header.value.and_then(|value| value.try_into().ok());
            bytes.map(u64::from_be_bytes).ok_or("a tidewire.seq that is not of 8 bytes")
        });
        Ok(Published {
            offset: message.offset(),
            key: message.key().map(serde_json::from_slice).transpose().map_err(told)?,
            value: message.payload().map(serde_json::from_slice).transpose().map_err(told)?,
            sequence: sequence.transpose()?,
        })
    }
}

/// For each partition the values of what is committed, in order.
pub fn values(brokers: &str, topic: &str) -> Outcome<Vec<Vec<Option<Value>>>> {
    let partitions = read(brokers, topic, COMMITTED)?;
    Ok(partitions.into_iter().map(|all| all.into_iter().map(|one| one.value).collect()).collect())
}

fn consumer(brokers: &str, isolation: &str) -> Outcome<BaseConsumer> {
    ClientConfig::new()
        .set("bootstrap.servers", brokers)
        .set("group.id", "checker")
        .set("enable.auto.commit", "false")
        .set("enable.partition.eof", "true")
        .set("isolation.level", isolation)
        .create()
        .map_err(|error| error.to_string())
}

fn partitions(consumer: &BaseConsumer, topic: &str) -> Outcome<i32> {
    let metadata = consumer.fetch_metadata(Some(topic), TIMEOUT).map_err(|error| error.to_string())?;
    let count = metadata.topics().first().map_or(0, |topic| topic.partitions().len());
    i32::try_from(count).map_err(|error| error.to_string())
}

/// Where each partition ends, with what is not committed.
pub fn ends(brokers: &str, topic: &str) -> Outcome<Vec<i64>> {
    ends_for(brokers, topic, UNCOMMITTED)
}

/// Where each partition ends for a reader of this isolation: one of what is committed does not come past an open transaction.
pub fn ends_for(brokers: &str, topic: &str, isolation: &str) -> Outcome<Vec<i64>> {
    let consumer = consumer(brokers, isolation)?;
    let end = |partition| consumer.fetch_watermarks(topic, partition, TIMEOUT).map(|(_, end)| end);
    let all = (0..partitions(&consumer, topic)?).map(end).collect::<Result<_, _>>();
    all.map_err(|error| error.to_string())
}

/// For each partition its records, in order.
pub fn read(brokers: &str, topic: &str, isolation: &str) -> Outcome<Vec<Vec<Published>>> {
    collect(brokers, topic, isolation, |_| Offset::Beginning)
}

/// Gives each record with its partition, in order within that. Nothing is kept: there may be millions.
pub fn read_each(
    brokers: &str,
    topic: &str,
    isolation: &str,
    each: impl FnMut(usize, Published) -> Outcome<()>,
) -> Outcome<()> {
    read_from(brokers, topic, isolation, |_| Offset::Beginning, each)
}

/// The values of what was committed last: those of the last hundred offsets of each partition, before what is still open.
pub fn newest(brokers: &str, topic: &str) -> Outcome<Vec<Value>> {
    let ends = ends_for(brokers, topic, COMMITTED)?;
    let from = |partition: usize| {
        ends.get(partition).map_or(Offset::Beginning, |end| Offset::Offset((end - 100).max(0)))
    };
    let records = collect(brokers, topic, COMMITTED, from)?;
    Ok(records.into_iter().flatten().filter_map(|record| record.value).collect())
}

fn collect(
    brokers: &str,
    topic: &str,
    isolation: &str,
    from: impl Fn(usize) -> Offset,
) -> Outcome<Vec<Vec<Published>>> {
    let mut partitions: Vec<Vec<Published>> = Vec::new();
    read_from(brokers, topic, isolation, from, |partition, record| {
        while partitions.len() <= partition {
            partitions.push(Vec::new());
        }
        partitions[partition].push(record);
        Ok(())
    })?;
    Ok(partitions)
}

fn read_from(
    brokers: &str,
    topic: &str,
    isolation: &str,
    from: impl Fn(usize) -> Offset,
    mut each: impl FnMut(usize, Published) -> Outcome<()>,
) -> Outcome<()> {
    let count = partitions(&consumer(brokers, isolation)?, topic)?;
    let first = |partition: i32| from(usize::try_from(partition).unwrap_or(0));
    let mut unfinished: BTreeMap<i32, Offset> =
        (0..count).map(|partition| (partition, first(partition))).collect();
    let mut heard = Instant::now();
    while !unfinished.is_empty() {
        if heard.elapsed() > TIMEOUT {
            let ends = ends_for(brokers, topic, isolation);
            return Err(format!("{topic} cannot be read to its end: {unfinished:?} of {ends:?}"));
        }
        // A client that hears nothing for so long makes room for another one.
        read_on(brokers, topic, isolation, &mut unfinished, &mut heard, &mut each)?;
    }
    Ok(())
}

/// Reads on from where each partition is, until all are finished or nothing came for a while.
fn read_on(
    brokers: &str,
    topic: &str,
    isolation: &str,
    unfinished: &mut BTreeMap<i32, Offset>,
    heard: &mut Instant,
    each: &mut impl FnMut(usize, Published) -> Outcome<()>,
) -> Outcome<()> {
    let consumer = consumer(brokers, isolation)?;
    let mut list = TopicPartitionList::new();
    for (partition, offset) in unfinished.iter() {
        list.add_partition_offset(topic, *partition, *offset).map_err(|error| error.to_string())?;
    }
    consumer.assign(&list).map_err(|error| error.to_string())?;
    let mut quiet = Instant::now();
    while !unfinished.is_empty() && quiet.elapsed() < QUIET {
        match consumer.poll(Duration::from_millis(200)) {
            None => {}
            Some(Err(KafkaError::PartitionEOF(partition))) => {
                unfinished.remove(&partition);
            }
            Some(Err(error)) => return Err(format!("{topic}: {error}")),
            Some(Ok(message)) => {
                let partition = usize::try_from(message.partition()).map_err(|error| error.to_string())?;
                each(partition, Published::of(&message)?)?;
                unfinished.insert(message.partition(), Offset::Offset(message.offset() + 1));
                (*heard, quiet) = (Instant::now(), Instant::now());
            }
        }
    }
    Ok(())
}
