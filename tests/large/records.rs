//! The ids of records, read one after the other: a topic may be larger than memory.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions};
use rdkafka::client::DefaultClientContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::Message;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::Outcome;

/// What came of a table whose ids count from 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Came {
    pub rows: u64,
    /// The first id that is not the one after the id before, with its place from 1.
    pub first_wrong: Option<(u64, u64)>,
}

impl Came {
    fn add(&mut self, id: u64) {
        self.rows += 1;
        if id != self.rows && self.first_wrong.is_none() {
            self.first_wrong = Some((self.rows, id));
        }
    }
}

impl fmt::Display for Came {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first_wrong {
            None => write!(out, "{} rows came in order", self.rows),
            Some((place, id)) => write!(out, "{} rows came, number {place} has id {id}", self.rows),
        }
    }
}

/// The number behind `"id":`.
fn id_of(key: &str) -> Outcome<u64> {
    let digits = key.split_once("\"id\":").map_or("", |(_, rest)| rest);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().map_err(|_| format!("no id in {key}"))
}

/// Of a record file.
pub fn in_file(path: &Path) -> Outcome<Came> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut came = Came::default();
    for line in BufReader::with_capacity(1 << 20, file).lines() {
        let line = line.map_err(|error| error.to_string())?;
        // Key and value are strings in JSON; the key comes first.
        let (_, rest) = line.split_once("\"key\":").ok_or("a line without a key")?;
        came.add(id_of(&rest[..rest.len().min(100)].replace('\\', ""))?);
    }
    Ok(came)
}

/// Of the only partition of a topic: what is committed.
pub fn in_topic(broker: &str, topic: &str) -> Outcome<Came> {
    let text = |error: rdkafka::error::KafkaError| error.to_string();
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", broker)
        .set("group.id", "large")
        .set("enable.auto.commit", "false")
        .set("isolation.level", "read_committed")
        .set("queued.max.messages.kbytes", "65536")
        .create()
        .map_err(text)?;
    let (begin, end) = consumer.fetch_watermarks(topic, 0, Duration::from_secs(20)).map_err(text)?;
    let mut list = TopicPartitionList::new();
    list.add_partition_offset(topic, 0, Offset::Offset(begin)).map_err(text)?;
    consumer.assign(&list).map_err(text)?;
    let mut came = Came::default();
    let mut heard = Instant::now();
    let mut next = begin;
    while next < end {
        let Some(message) = consumer.poll(Duration::from_millis(100)) else {
            // The last offset may be the mark of a transaction, which is no record.
            let position = consumer.position().map_err(text)?;
            let at = position.find_partition(topic, 0).map(|found| found.offset());
            if at == Some(Offset::Offset(end)) {
                break;
            }
            if heard.elapsed() > Duration::from_secs(30) {
                return Err(format!("{topic} cannot be read to its end"));
            }
            continue;
        };
        heard = Instant::now();
        let message = message.map_err(text)?;
        came.add(id_of(message.key_view::<str>().and_then(Result::ok).unwrap_or_default())?);
        next = message.offset() + 1;
    }
    Ok(came)
}

/// What was read is not needed any more, and the next one needs the room.
pub fn delete_topic(broker: &str, topic: &str) -> Outcome<()> {
    let admin: AdminClient<DefaultClientContext> =
        ClientConfig::new().set("bootstrap.servers", broker).create().map_err(|error| error.to_string())?;
    let (names, options) = ([topic], AdminOptions::new());
    let mut deleting = pin!(admin.delete_topics(&names, &options));
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(30) {
        match deleting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => return outcome.map(|_| ()).map_err(|error| error.to_string()),
            Poll::Pending => thread::sleep(Duration::from_millis(20)),
        }
    }
    Err(format!("{topic} cannot be deleted"))
}
