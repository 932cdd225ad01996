//! Reads a topic from its beginning to the end that it had when reading began.
//!
//! The end is the high watermark of every partition, asked for once: whatever its writer was told to be durable lies before it.
//! A reader of what is committed comes only to the first transaction that is open, which may be that of another connector in the
//! same offset topic, and hides what was committed behind it. So the end has to be stable before reading begins. A transaction
//! whose producer was killed stays open up to its `transaction.timeout.ms`; a warning says what is waited for.
//!
//! A partition is finished at the record before its end or when the broker says that there is no more: after compaction, or
//! behind the marker of a transaction, no record has the last offset.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::Message;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::kafka::client_events::ClientEvents;
use crate::kafka::error::KafkaHomeError;

/// One wait for a record.
const POLL: Duration = Duration::from_millis(100);
/// One wait for an answer about ends.
const ASK: Duration = Duration::from_secs(2);
/// Between two questions whether a transaction is still open.
const STILL_OPEN: Duration = Duration::from_millis(30);
/// A transaction that stays open is told again after this.
const TELL: Duration = Duration::from_secs(10);

/// Where a partition begins and ends, offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The first offset that is still there.
    pub begin: i64,
    /// One past the last.
    pub end: i64,
}

/// A consumer of one topic.
pub struct TopicReader<'a> {
    client: ClientConfig,
    /// It sees what is not committed, too.
    ends: BaseConsumer<ClientEvents>,
    topic: String,
    timeout: Duration,
    stop: &'a AtomicBool,
}

impl<'a> TopicReader<'a> {
    /// A reader that gives up when nothing comes for `timeout`, or when `stop` is set.
    pub fn new(
        client: &ClientConfig,
        topic: &str,
        timeout: Duration,
        stop: &'a AtomicBool,
    ) -> Result<Self, KafkaHomeError> {
        let ends = consumer_of(client.clone().set("isolation.level", "read_uncommitted"))?;
        Ok(TopicReader { client: client.clone(), ends, topic: topic.to_owned(), timeout, stop })
    }

    fn failed(&self, source: KafkaError) -> KafkaHomeError {
        KafkaHomeError::Read { topic: self.topic.clone(), source }
    }

    /// Where a partition begins and ends now, with what is not committed.
    pub fn extent(&self, partition: i32) -> Result<Extent, KafkaHomeError> {
        self.extent_for(&self.ends, partition)
    }

    /// The extent that a consumer sees.
    fn extent_for(
        &self,
        consumer: &BaseConsumer<ClientEvents>,
        partition: i32,
    ) -> Result<Extent, KafkaHomeError> {
        let began = Instant::now();
        loop {
            self.check_stop()?;
            let left = self.timeout.saturating_sub(began.elapsed()).min(ASK);
            match consumer.fetch_watermarks(&self.topic, partition, left) {
                Ok((begin, end)) => return Ok(Extent { begin, end }),
                Err(error) if passes(&error) && began.elapsed() < self.timeout => {
                    // Some failures come at once.
                    std::thread::sleep(POLL);
                }
                Err(error) => return Err(self.failed(error)),
            }
        }
    }

    fn check_stop(&self) -> Result<(), KafkaHomeError> {
        if self.stop.load(Ordering::Relaxed) { Err(KafkaHomeError::Stopped) } else { Ok(()) }
    }

    /// Gives every record of the partitions `0..partitions` to `each`: key and value. Records of a partition come in
    /// their order.
    pub fn read(
        &self,
        partitions: usize,
        mut each: impl FnMut(Option<&[u8]>, Option<&[u8]>),
    ) -> Result<(), KafkaHomeError> {
        let committed = consumer_of(&self.client)?;
        let mut unfinished = HashMap::new();
        let mut assignment = TopicPartitionList::new();
        for partition in 0..i32::try_from(partitions).unwrap_or(i32::MAX) {
            let extent = self.extent(partition)?;
            if extent.begin < extent.end {
                wait_until_stable(&self.topic, partition, extent.end, || {
                    self.extent_for(&committed, partition).map(|extent| extent.end)
                })?;
                unfinished.insert(partition, extent.end);
                assignment
                    .add_partition_offset(&self.topic, partition, Offset::Offset(extent.begin))
                    .map_err(|source| self.failed(source))?;
            }
        }
        if unfinished.is_empty() {
            return Ok(());
        }
        committed.assign(&assignment).map_err(|source| self.failed(source))?;
        let mut last = Instant::now();
        let (mut records, mut offset) = (0_u64, None);
        while !unfinished.is_empty() {
            self.check_stop()?;
            match committed.poll(POLL) {
                None if last.elapsed() >= self.timeout => {
                    return Err(KafkaHomeError::ReadStalled {
                        topic: self.topic.clone(),
                        partitions: unfinished.len(),
                        seconds: self.timeout.as_secs(),
                    });
                }
                None => {}
                Some(Ok(message)) => {
                    last = Instant::now();
                    let Some(end) = unfinished.get(&message.partition()).copied() else { continue };
                    (records, offset) = (records + 1, Some(message.offset()));
                    if message.offset() < end {
                        each(message.key(), message.payload());
                    }
                    if message.offset() >= end - 1 {
                        unfinished.remove(&message.partition());
                    }
                }
                Some(Err(KafkaError::PartitionEOF(partition))) => {
                    let end = unfinished.remove(&partition);
                    tracing::debug!(
                        topic = self.topic,
                        partition,
                        end,
                        offset,
                        records,
                        "nothing more is committed"
                    );
                }
                // Brokers that are away come back within the timeout or not.
                Some(Err(error)) if passes(&error) && last.elapsed() < self.timeout => {}
                Some(Err(error)) => return Err(self.failed(error)),
            }
        }
        committed.unassign().map_err(|source| self.failed(source))
    }
}

/// Waits until no transaction is open before the end of a partition. `stable`: how far a reader of what is committed comes.
pub(super) fn wait_until_stable(
    topic: &str,
    partition: i32,
    end: i64,
    stable: impl Fn() -> Result<i64, KafkaHomeError>,
) -> Result<(), KafkaHomeError> {
    let began = Instant::now();
    let mut told = Duration::ZERO;
    loop {
        let open = stable()?;
        if open >= end {
            return Ok(());
        }
        if began.elapsed() >= told + TELL {
            told = began.elapsed();
            tracing::warn!(
                topic,
                partition,
                offset = open,
                end,
                seconds = told.as_secs(),
                "a transaction of another producer is open and hides what is committed behind it: reading waits until it is over. \
                 The brokers end it themselves after its transaction.timeout.ms; kafka-transactions.sh find-hanging lists \
                 those that they have lost"
            );
        }
        std::thread::sleep(STILL_OPEN);
    }
}

/// A consumer that says what troubles it.
pub(super) fn consumer_of(client: &ClientConfig) -> Result<BaseConsumer<ClientEvents>, KafkaHomeError> {
    let brokers = client.get("bootstrap.servers").unwrap_or_default();
    client
        .create_with_context(ClientEvents::new(brokers))
        .map_err(|source| KafkaHomeError::Client { brokers: brokers.to_owned(), source })
}

/// Whether the consumer goes on by itself after an error.
pub(super) fn passes(error: &KafkaError) -> bool {
    matches!(
        error.rdkafka_error_code(),
        Some(
            RDKafkaErrorCode::BrokerTransportFailure
                | RDKafkaErrorCode::AllBrokersDown
                | RDKafkaErrorCode::Resolve
                | RDKafkaErrorCode::OperationTimedOut
                | RDKafkaErrorCode::GroupAuthorizationFailed
                | RDKafkaErrorCode::CoordinatorNotAvailable
        )
    )
}
