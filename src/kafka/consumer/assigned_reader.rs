//! Reads parts of topics beside the group: what the schema-change topic got since the last look, and single records once more.
//!
//! A reader is assigned a partition for as long as it reads, and never commits. It begins at an offset and ends where the
//! partition ended when it was asked for before: at the record before that, or when the broker says that there is no more, since the
//! mark of a transaction has an offset and is no record. It is assigned anew each time, so that no such word is an old one.
//!
//! The end is the high watermark, and reading waits until no transaction is open before it. Partitions get the mark of a
//! transaction one after another: rows may be visible before the schema change that was committed together with them is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{BorrowedMessage, Message};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::config::worker::KafkaConfig;
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::client_events::ClientEvents;
use crate::kafka::consumer::record::named_header;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::topic_reader::{Extent, consumer_of, passes, wait_until_stable};

/// One wait for a record.
const POLL: Duration = Duration::from_millis(100);
/// One wait for an answer.
const ASK: Duration = Duration::from_secs(3);
/// How long nothing may come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A record that was read.
#[derive(Debug)]
pub struct ReadRecord<'a>(BorrowedMessage<'a>);

impl ReadRecord<'_> {
    /// Its offset.
    pub fn offset(&self) -> i64 {
        self.0.offset()
    }

    /// Its key.
    pub fn key(&self) -> Option<&[u8]> {
        self.0.key()
    }

    /// Its value.
    pub fn value(&self) -> Option<&[u8]> {
        self.0.payload()
    }

    /// Its header of this name; of two the last.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        named_header(self.0.headers()?, name)
    }
}

/// A reader of any partition.
pub struct AssignedReader {
    consumer: BaseConsumer<ClientEvents>,
    /// It sees what is not committed, too.
    ends: BaseConsumer<ClientEvents>,
    stop: Arc<AtomicBool>,
}

impl AssignedReader {
    /// A reader with the settings of a sink's consumer.
    pub fn open(
        config: &KafkaConfig,
        overrides: &[(String, String)],
        stop: Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        let mut client = reader_config(config, overrides)?;
        let consumer = consumer_of(&client)?;
        let ends = consumer_of(client.set("isolation.level", "read_uncommitted"))?;
        Ok(AssignedReader { consumer, ends, stop })
    }

    /// Partitions of a topic; 0 for one that is not there.
    pub fn partitions(&self, topic: &str) -> Result<usize, KafkaHomeError> {
        let metadata = self.patiently(topic, || self.consumer.fetch_metadata(Some(topic), ASK))?;
        let found = metadata.topics().iter().find(|found| found.name() == topic && found.error().is_none());
        Ok(found.map_or(0, |found| found.partitions().len()))
    }

    /// Where a partition begins and ends; nothing for one that is not there. Waits until no transaction is open before the end.
    pub fn extent(&self, topic: &str, partition: i32) -> Result<Extent, KafkaHomeError> {
        let all = self.extent_for(&self.ends, topic, partition)?;
        wait_until_stable(topic, partition, all.end, || {
            self.extent_for(&self.consumer, topic, partition).map(|extent| extent.end)
        })?;
        Ok(all)
    }

    /// The extent that a consumer sees.
    fn extent_for(
        &self,
        consumer: &BaseConsumer<ClientEvents>,
        topic: &str,
        partition: i32,
    ) -> Result<Extent, KafkaHomeError> {
        let is_missing = |error: &KafkaError| {
            matches!(
                error.rdkafka_error_code(),
                Some(
                    RDKafkaErrorCode::UnknownTopicOrPartition
                        | RDKafkaErrorCode::UnknownPartition
                        | RDKafkaErrorCode::UnknownTopic
                )
            )
        };
        let asked = self.patiently(topic, || match consumer.fetch_watermarks(topic, partition, ASK) {
            Err(error) if is_missing(&error) => Ok((0, 0)),
            asked => asked,
        });
        asked.map(|(begin, end)| Extent { begin, end })
    }

    /// Reads from an offset to the end as it is now; the offset behind it.
    pub fn read_from(
        &self,
        topic: &str,
        partition: i32,
        from: i64,
        each: impl FnMut(ReadRecord<'_>),
    ) -> Result<i64, KafkaHomeError> {
        let Extent { begin, end } = self.extent(topic, partition)?;
        if end < from {
            return Err(KafkaHomeError::Shorter { topic: topic.to_owned(), partition, read: from, end });
        }
        let from = from.max(begin);
        if from < end {
            self.read(topic, partition, from..end, each)?;
        }
        Ok(end)
    }

    /// Reads the records of some offsets.
    pub fn read(
        &self,
        topic: &str,
        partition: i32,
        offsets: std::ops::Range<i64>,
        mut each: impl FnMut(ReadRecord<'_>),
    ) -> Result<(), KafkaHomeError> {
        let failed = |source| KafkaHomeError::Read { topic: topic.to_owned(), source };
        let mut assignment = TopicPartitionList::new();
        assignment
            .add_partition_offset(topic, partition, Offset::Offset(offsets.start))
            .and_then(|()| self.consumer.assign(&assignment))
            .map_err(failed)?;
        let mut last = Instant::now();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(KafkaHomeError::Stopped);
            }
            match self.consumer.poll(POLL) {
                None if last.elapsed() >= PATIENCE => {
                    let seconds = PATIENCE.as_secs();
                    return Err(KafkaHomeError::ReadStalled {
                        topic: topic.to_owned(),
                        partitions: 1,
                        seconds,
                    });
                }
                None => {}
                Some(Ok(message)) => {
                    last = Instant::now();
                    let offset = message.offset();
                    if offset < offsets.end {
                        each(ReadRecord(message));
                    }
                    if offset >= offsets.end - 1 {
                        break;
                    }
                }
                Some(Err(KafkaError::PartitionEOF(_))) => break,
                Some(Err(error)) if passes(&error) && last.elapsed() < PATIENCE => {}
                Some(Err(error)) => return Err(failed(error)),
            }
        }
        self.consumer.unassign().map_err(failed)
    }

    /// Asks until there is an answer, an error that stays, or no patience left.
    fn patiently<T>(
        &self,
        topic: &str,
        ask: impl Fn() -> Result<T, KafkaError>,
    ) -> Result<T, KafkaHomeError> {
        let began = Instant::now();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(KafkaHomeError::Stopped);
            }
            match ask() {
                Err(error) if passes(&error) && began.elapsed() < PATIENCE => std::thread::sleep(POLL),
                answered => {
                    return answered
                        .map_err(|source| KafkaHomeError::Read { topic: topic.to_owned(), source });
                }
            }
        }
    }
}

/// The settings of a client that reads beside the group, with those of a sink's consumer that do not concern a group.
pub(in crate::kafka) fn reader_config(
    config: &KafkaConfig,
    overrides: &[(String, String)],
) -> Result<ClientConfig, KafkaHomeError> {
    // The group is that of the records' consumer.
    let of_group = |name: &str| {
        matches!(name, "group.id" | "group.instance.id" | "auto.offset.reset" | "enable.auto.commit")
    };
    let plain = |pairs: &[(String, String)]| -> Vec<(String, String)> {
        pairs.iter().filter(|(name, _)| !of_group(name)).cloned().collect()
    };
    let (consumer, overrides) = (plain(&config.consumer), plain(overrides));
    let layers = [config.client.as_slice(), &consumer, &overrides];
    client_config(ClientRole::Reader, &config.bootstrap_servers, &layers)
}
