//! What is in Kafka: how many records by now, and all of them at the end.

use crate::json::Json;
use crate::record::Record;
use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{BorrowedMessage, Headers, Message};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(20);

/// A client of the broker.
pub struct Broker {
    consumer: BaseConsumer,
}

/// Key, value, and the rest of a record as the topic has it.
pub struct Stored {
    pub record: Record,
    pub key: Option<String>,
    pub value: Option<String>,
}

impl Broker {
    pub fn new(address: &str) -> Result<Self, String> {
        let consumer = ClientConfig::new()
            .set("bootstrap.servers", address)
            .set("group.id", "live")
            .set("enable.auto.commit", "false")
            .create()
            .map_err(|e| format!("{address}: {e}"))?;
        Ok(Broker { consumer })
    }

    /// The topics that `wanted` picks, with the end offset of each partition.
    fn ends(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<(String, i32, i64)>, String> {
        let metadata = self.consumer.fetch_metadata(None, TIMEOUT).map_err(|e| e.to_string())?;
        let mut ends = Vec::new();
        for topic in metadata.topics().iter().filter(|topic| wanted(topic.name())) {
            for partition in topic.partitions() {
                let marks = self.consumer.fetch_watermarks(topic.name(), partition.id(), TIMEOUT);
                let (_, end) = marks.map_err(|e| format!("{}: {e}", topic.name()))?;
                ends.push((topic.name().to_owned(), partition.id(), end));
            }
        }
        Ok(ends)
    }

    /// How many records the topics have.
    pub fn count(&self, wanted: &dyn Fn(&str) -> bool) -> Result<i64, String> {
        Ok(self.ends(wanted)?.into_iter().map(|(_, _, end)| end).sum())
    }

    /// All records of the topics, by topic, partition and offset.
    pub fn read(&self, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Stored>, String> {
        let mut ends = self.ends(wanted)?;
        ends.retain(|(_, _, end)| *end > 0);
        let mut list = TopicPartitionList::new();
        for (topic, partition, _) in &ends {
            list.add_partition_offset(topic, *partition, Offset::Beginning).map_err(|e| e.to_string())?;
        }
        self.consumer.assign(&list).map_err(|e| e.to_string())?;
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut found = Vec::new();
        while !ends.is_empty() {
            if Instant::now() > deadline {
                return Err(format!("could not read to the end of {ends:?}"));
            }
            let Some(message) = self.consumer.poll(Duration::from_millis(500)) else { continue };
            let message = message.map_err(|e| e.to_string())?;
            let at = (message.topic().to_owned(), message.partition(), message.offset());
            ends.retain(|(topic, partition, end)| (topic, *partition) != (&at.0, at.1) || *end > at.2 + 1);
            found.push((at, stored(&message)));
        }
        self.consumer.unassign().map_err(|e| e.to_string())?;
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(found.into_iter().map(|(_, stored)| stored).collect())
    }
}

/// Bytes as text, or as `0x` and hexadecimal digits.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().fold("0x".to_owned(), |hex, byte| hex + &format!("{byte:02x}")),
    }
}

fn stored(message: &BorrowedMessage<'_>) -> Stored {
    let headers = message.headers().map(|headers| {
        let named = headers.iter();
        named.map(|h| (h.key.to_owned(), h.value.map_or(Json::Null, |v| Json::Text(text(v))))).collect()
    });
    let (key, value) = (message.key().map(text), message.payload().map(text));
    let record = Record::new(
        message.topic().to_owned(),
        usize::try_from(message.offset()).unwrap_or_default(),
        i64::from(message.partition()),
        headers.unwrap_or_default(),
        [key.clone(), value.clone()],
    );
    Stored { record, key, value }
}
