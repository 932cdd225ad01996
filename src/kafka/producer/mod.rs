//! The producer: records into record batches, batches into requests, requests to the leaders of their partitions.
//!
//! ```text
//! append ─ partitioner ─ record ─▶ record_batch (open, one per partition)
//!                                       │ full, lingered, flushed, or memory is short
//!                                       ▼
//!                       partition (closed batches in the order of their sequence)
//!                                       │ dispatch: one batch of a partition in a request, ≤ 5 requests a broker
//!                                       ▼
//!                       node (a broker, its connection, what it has not answered) ─▶ answers ─▶ deliveries
//! ```
//!
//! Everything happens on the thread that publishes: it encodes, writes as much as the sockets take, and takes the
//! answers that have come; only when there is no room for more does it wait, for all sockets at once. So there are no
//! locks and no messages between threads on the way of a record, and a system call is made per request of up to a
//! megabyte. Opening a connection blocks and has a thread of its own (`nodes`).
//!
//! Memory is bounded by `buffer.memory`: open, waiting and unacknowledged batches together. A record is in memory once.
//!
//! Records are neither lost nor doubled: the producer has an identity (InitProducerId), batches carry sequences, and a
//! batch is kept and sent again until it is acknowledged, however long the brokers are away. What a broker refuses for
//! good fails the producer for good (`failure`); its owner starts again from what is durable.
//!
//! With a `transactional.id` everything is published in Kafka transactions (`transaction`).

mod answers;
mod compression;
mod coordinator;
mod dispatch;
mod failure;
mod metadata;
mod node;
mod nodes;
mod partition;
mod partitioner;
pub mod record;
pub mod record_batch;
mod request_limit;
pub mod settings;
mod transaction;

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::config::ClientConfig;

use crate::clock::Clock;
use crate::event::record_origin::RecordOrigin;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::lease::Holding;
use crate::kafka::producer::failure::Failure;
use crate::kafka::producer::metadata::{MetadataState, Topic};
use crate::kafka::producer::node::Place;
use crate::kafka::producer::nodes::Nodes;
use crate::kafka::producer::partitioner::partition_of_key;
use crate::kafka::producer::record::RecordBytes;
use crate::kafka::producer::record_batch::{HEADER, OpenBatch};
use crate::kafka::producer::settings::ProducerSettings;
use crate::kafka::producer::transaction::Transaction;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::init_producer_id::ProducerIdentity;
use crate::kafka::size_limit::SizeLimit;

/// Between two looks at the sockets while records are appended.
const LOOK: Duration = Duration::from_millis(1);
/// The longest wait for sockets.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest wait while something is due by the clock: a linger, another attempt.
const TICK: Duration = Duration::from_millis(5);
/// After the stop flag is set, waiting goes on for Kafka Connect's `offset.flush.timeout.ms`.
const STOP_GRACE: Duration = Duration::from_secs(5);
/// Buffers kept for the next batches.
const MOST_BUFFERS: usize = 8;

/// See the module.
pub struct Producer {
    settings: ProducerSettings,
    stop: Arc<AtomicBool>,
    stopping_since: Option<Instant>,
    lease: Option<Holding>,
    nodes: Nodes,
    metadata: MetadataState,
    topics: Vec<Topic>,
    names: HashMap<Arc<str>, usize>,
    /// The topic of the last record, since the next one's is mostly the same.
    last_topic: Option<(Arc<str>, usize)>,
    /// Partitions with an open batch and when that was opened, oldest first. What was closed meanwhile is passed over.
    opened: VecDeque<(Place, Instant)>,
    /// Partitions with closed batches that wait to be sent.
    waiting: VecDeque<Place>,
    /// Batches that are not acknowledged, open ones too.
    open_batches: usize,
    /// Bytes in them.
    used: usize,
    buffers: Vec<Vec<u8>>,
    deliveries: Vec<(usize, u32)>,
    identity: Option<ProducerIdentity>,
    identity_not_before: Option<Instant>,
    /// The present identity is of no use any more, because of this.
    renewal: Option<(Place, ErrorCode)>,
    failure: Option<Failure>,
    transaction: Option<Transaction>,
    tickets: u64,
    /// Milliseconds since 1970, as of the last look.
    now_ms: i64,
    looked: Instant,
}

impl Producer {
    /// A producer with the properties of `client`. Nothing is connected yet. Once `stop` is set, no call waits longer
    /// than five seconds more.
    pub fn new(client: &ClientConfig, stop: Arc<AtomicBool>) -> Result<Self, KafkaHomeError> {
        let settings = ProducerSettings::new(client)?;
        let nodes = Nodes::new(&settings.bootstrap, Arc::clone(&settings.connection))
            .map_err(|source| KafkaHomeError::Sockets { brokers: settings.brokers.clone(), source })?;
        Ok(Producer {
            nodes,
            settings,
            stop,
            stopping_since: None,
            lease: None,
            metadata: MetadataState::default(),
            topics: Vec::new(),
            names: HashMap::new(),
            last_topic: None,
            opened: VecDeque::new(),
            waiting: VecDeque::new(),
            open_batches: 0,
            used: 0,
            buffers: Vec::new(),
            deliveries: Vec::new(),
            identity: None,
            identity_not_before: None,
            renewal: None,
            failure: None,
            transaction: None,
            tickets: 0,
            now_ms: now_ms(),
            looked: Instant::now(),
        })
    }

    /// Takes a record over. `delivery` comes back when the record is durable. Waits while memory is short or the topic
    /// is not known yet.
    pub fn append(
        &mut self,
        topic: &Arc<str>,
        partition: Option<i32>,
        record: &RecordBytes<'_>,
        delivery: usize,
    ) -> Result<(), KafkaHomeError> {
        let size = record.size_bound();
        if HEADER + size > self.settings.max_request_size {
            let origin = record.value.and_then(RecordOrigin::of).map(Box::new);
            let limit = SizeLimit::MaxRequestSize(self.settings.max_request_size);
            let failure =
                Failure::TooLarge { topic: topic.to_string(), size: record.payload(), origin, limit };
            return self.fail(failure);
        }
        let topic = self.topic_place(topic);
        let place = self.place(topic, partition, record.key)?;
        let limit = self.settings.batch_size;
        if self.open_batch(place).is_some_and(|open| !open.has_room(size, limit)) {
            self.close(place)?;
            self.serve(false)?;
        }
        while self.used > 0 && self.used + size + HEADER > self.settings.buffer_memory {
            self.close_all()?;
            self.wait()?;
        }
        if self.open_batch(place).is_none() {
            self.open(place);
        }
        let now_ms = self.now_ms;
        if let Some(open) = self.open_batch(place) {
            let before = open.size();
            open.append(record, now_ms, delivery);
            let grown = open.size() - before;
            self.used += grown;
        }
        Ok(())
    }

    /// Sends and takes what is possible without waiting. With `hurry`, nothing lingers.
    pub fn serve(&mut self, hurry: bool) -> Result<(), KafkaHomeError> {
        let now = Instant::now();
        self.looked = now;
        self.now_ms = now_ms();
        self.check()?;
        self.take_connected(now);
        self.read(now);
        self.expire(now);
        if hurry {
            self.close_all()?;
        } else {
            self.close_lingered(now)?;
        }
        self.renew_identity();
        self.ask(now);
        self.dispatch(now);
        self.ask_coordinator(now);
        self.write(now);
        self.check()
    }

    /// The same, unless it was done a moment ago.
    pub fn serve_soon(&mut self) -> Result<(), KafkaHomeError> {
        if self.looked.elapsed() >= LOOK { self.serve(false) } else { self.check() }
    }

    /// Waits until a socket has something or something is due, then serves.
    pub fn wait(&mut self) -> Result<(), KafkaHomeError> {
        if self.stop.load(Ordering::Relaxed)
            && self.stopping_since.get_or_insert_with(Instant::now).elapsed() > STOP_GRACE
        {
            return Err(KafkaHomeError::Stopped);
        }
        let due = !self.opened.is_empty()
            || !self.waiting.is_empty()
            || self.metadata.is_wanted()
            || self.transaction.as_ref().is_some_and(Transaction::is_busy);
        self.nodes.wait(if due { TICK } else { PAUSE });
        self.serve(false)
    }

    /// Returns when everything that was appended is durable.
    pub fn flush(&mut self) -> Result<(), KafkaHomeError> {
        self.serve(true)?;
        while !self.is_empty() {
            self.wait()?;
            self.serve(true)?;
        }
        Ok(())
    }

    /// Whether every record is durable.
    pub fn is_empty(&self) -> bool {
        self.open_batches == 0
    }

    /// Gives what has become durable since the last call: what was given to `append`, and for how many records.
    pub fn take_deliveries(&mut self, mut each: impl FnMut(usize, u32)) {
        for (delivery, records) in self.deliveries.drain(..) {
            each(delivery, records);
        }
    }

    /// The place of a topic in the list, where it is entered when it is new.
    fn topic_place(&mut self, name: &Arc<str>) -> usize {
        if let Some((last, place)) = &self.last_topic
            && Arc::ptr_eq(last, name)
        {
            return *place;
        }
        let place = match self.names.get(name) {
            Some(place) => *place,
            None => {
                let place = self.topics.len();
                self.topics.push(Topic::new(Arc::clone(name)));
                self.names.insert(Arc::clone(name), place);
                self.metadata.want();
                place
            }
        };
        self.last_topic = Some((Arc::clone(name), place));
        place
    }

    /// The partition of a record. Waits until the topic is known.
    fn place(
        &mut self,
        topic: usize,
        fixed: Option<i32>,
        key: Option<&[u8]>,
    ) -> Result<Place, KafkaHomeError> {
        let mut since = None;
        loop {
            let Some(known) = self.topics.get(topic) else { return Err(KafkaHomeError::Stopped) };
            let partitions = known.partitions.len();
            if partitions > 0 {
                let partition = match (fixed, key) {
                    (Some(index), _) => usize::try_from(index).unwrap_or(usize::MAX),
                    (None, Some(key)) => partition_of_key(key, partitions),
                    (None, None) => known.sticky % partitions,
                };
                if partition < partitions {
                    return Ok(Place { topic, partition });
                }
                let failure = Failure::NoPartition {
                    topic: known.name.to_string(),
                    partition: fixed.unwrap_or(0),
                    partitions,
                };
                return self.fail(failure).map(|()| Place { topic, partition: 0 });
            }
            let since: &Instant = since.get_or_insert_with(Instant::now);
            if let Some(timeout) = self.settings.delivery_timeout.filter(|timeout| since.elapsed() > *timeout)
            {
                let failure = Failure::Expired { topic: known.name.to_string(), timeout };
                self.fail(failure)?;
            }
            self.serve(false)?;
            if self.topics.get(topic).is_some_and(|topic| topic.partitions.is_empty()) {
                self.wait()?;
            }
        }
    }

    fn open_batch(&mut self, place: Place) -> Option<&mut OpenBatch> {
        self.topics.get_mut(place.topic)?.partitions.get_mut(place.partition)?.open.as_mut()
    }

    fn open(&mut self, place: Place) {
        let now = Instant::now();
        let batch = OpenBatch::new(self.buffers.pop().unwrap_or_default(), self.now_ms, now);
        let size = batch.size();
        let topic = self.topics.get_mut(place.topic);
        if let Some(partition) = topic.and_then(|topic| topic.partitions.get_mut(place.partition)) {
            partition.open = Some(batch);
            self.opened.push_back((place, now));
            self.open_batches += 1;
            self.used += size;
        }
    }

    /// Closes the open batch of a partition, if there is one.
    fn close(&mut self, place: Place) -> Result<(), KafkaHomeError> {
        let Some(topic) = self.topics.get_mut(place.topic) else { return Ok(()) };
        let name = &topic.name;
        let Some(partition) = topic.partitions.get_mut(place.partition) else { return Ok(()) };
        let Some(open) = partition.open.take() else { return Ok(()) };
        self.used -= open.size();
        let Ok((batch, buffer)) = open.close(self.settings.compression, self.settings.compression_level)
        else {
            let failure = Failure::Compression { topic: name.to_string() };
            return self.fail(failure);
        };
        self.used += batch.size();
        self.tickets += 1;
        partition.push(batch, self.tickets);
        if !mem::replace(&mut partition.queued, true) {
            self.waiting.push_back(place);
        }
        // Records without a key fill one partition after the other.
        if topic.sticky == place.partition {
            topic.sticky = (place.partition + 1) % topic.partitions.len();
        }
        self.keep(buffer);
        Ok(())
    }

    fn close_all(&mut self) -> Result<(), KafkaHomeError> {
        while let Some((place, _)) = self.opened.pop_front() {
            self.close(place)?;
        }
        Ok(())
    }

    fn close_lingered(&mut self, now: Instant) -> Result<(), KafkaHomeError> {
        while let Some((place, opened)) = self.opened.front().copied() {
            if now.saturating_duration_since(opened) < self.settings.linger {
                break;
            }
            self.opened.pop_front();
            if self.open_batch(place).is_some_and(|open| open.opened == opened) {
                self.close(place)?;
            }
        }
        Ok(())
    }

    /// Keeps a buffer for the next batch.
    fn keep(&mut self, buffer: Option<Vec<u8>>) {
        // One that held a huge record must not hold its memory for ever.
        if let Some(buffer) = buffer
            && self.buffers.len() < MOST_BUFFERS
            && buffer.capacity() <= self.settings.batch_size.saturating_mul(2)
        {
            self.buffers.push(buffer);
        }
    }
}

fn now_ms() -> i64 {
    Clock::System.now_nanos() / 1_000_000
}

#[cfg(test)]
mod tests;
