//! The home of records in Kafka: `publish` hands the records of a batch to librdkafka in order, and offsets follow
//! when their batches are delivered.
//!
//! Everything happens on the thread that publishes. Delivery reports are taken by it too, every so many records, so
//! that the memory of a delivered message is freed by the thread that allocated it, which costs less than a reporting
//! thread (see the bench `produce`). When librdkafka's queue is full, `publish` takes reports and waits: this is how a
//! slow or absent broker slows the source down, with memory bounded by `client_config::RECORD_PRODUCER`.
//!
//! A record never expires. Brokers that are away stall the home and a warning says so; it goes on when they are back.
//! A record that a broker refuses fails the home for good: nothing is handed over after it, the offsets stay before it,
//! and the task that starts again publishes from there. What was on its way behind it may arrive, and comes again.
//!
//! What is durable at a kill:
//!
//! | killed | records | offset | after the restart |
//! |---|---|---|---|
//! | before a record was acknowledged | maybe | before them | published again |
//! | after all were acknowledged, before the offset was | yes | before them | published again |
//! | between the two pairs of a round | yes | the first pair new, the second old | from the first pair |
//! | after the offset was acknowledged | yes | behind them | goes on behind them |
//!
//! So every record is there at least once, and none is lost.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};

use crate::config::source::TopicCreation;
use crate::config::worker::KafkaConfig;
use crate::connect::record::{ContextHeaders, Record, RecordBatch, RecordHome, SEQUENCE_HEADER};
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::delivery::{Deliveries, Failure, NO_BATCH};
use crate::kafka::error::KafkaHomeError;
use crate::kafka::in_flight::InFlight;
use crate::kafka::pending_offsets::PendingOffsets;
use crate::kafka::topics::{TopicSettings, Topics};

/// Delivery reports are taken after so many records.
const REPORTS_EVERY: usize = 256;
/// How long a full queue or an outstanding acknowledgement is waited for before looking again.
const PAUSE: Duration = Duration::from_millis(1);
/// After the stop flag is set, waiting goes on for Kafka Connect's `offset.flush.timeout.ms`.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// Records and offsets in Kafka.
pub struct KafkaHome {
    producer: BaseProducer<Deliveries>,
    topics: Topics,
    known: HashSet<Arc<str>>,
    new_topic: TopicSettings,
    offset_topic: String,
    in_flight: InFlight,
    pending: PendingOffsets,
    context: ContextHeaders,
    stop: Arc<AtomicBool>,
    stopping_since: Option<Instant>,
}

impl KafkaHome {
    /// Opens the home: waits for the brokers (a minute, as Kafka Connect does, then the error is retriable) and creates
    /// the offset topic where it is missing. `overrides` are the connector's `producer.override.*`, prefix removed.
    /// Once `stop` is set, no call waits longer than five seconds more.
    pub fn open(
        config: &KafkaConfig,
        overrides: &[(String, String)],
        creation: TopicCreation,
        offset_flush_interval: Duration,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        let layers = [config.client.as_slice(), config.producer.as_slice(), overrides];
        let settings = client_config(ClientRole::Records, &config.bootstrap_servers, &layers)?;
        let mut topics = Topics::connect(&config.bootstrap_servers, &[&config.client, &config.admin], &stop)?;
        topics.ensure(
            &config.offset_topic,
            &TopicSettings::offsets(config.offset_partitions, config.offset_replication_factor),
            &stop,
        )?;
        let in_flight = InFlight::default();
        let deliveries = Deliveries::new(&config.bootstrap_servers, Some(in_flight.counters()));
        let producer = settings
            .create_with_context(deliveries)
            .map_err(|source| KafkaHomeError::Client { brokers: config.bootstrap_servers.clone(), source })?;
        Ok(KafkaHome {
            producer,
            topics,
            known: HashSet::new(),
            new_topic: TopicSettings::records(creation),
            offset_topic: config.offset_topic.clone(),
            in_flight,
            pending: PendingOffsets::new(offset_flush_interval),
            context: Arc::new([]),
            stop,
            stopping_since: None,
        })
    }

    /// The headers of the run, which go on every record that asks for them.
    pub fn set_context_headers(&mut self, headers: ContextHeaders) {
        self.context = headers;
    }

    /// Creates the topics of a batch that were not seen before.
    fn create_topics(&mut self, batch: &RecordBatch) -> Result<(), KafkaHomeError> {
        let mut last: Option<&Arc<str>> = None;
        for record in &batch.records {
            if last.is_some_and(|last| Arc::ptr_eq(last, &record.topic)) {
                continue;
            }
            last = Some(&record.topic);
            if !self.known.contains(&record.topic) {
                self.topics.ensure(&record.topic, &self.new_topic, &self.stop)?;
                self.known.insert(Arc::clone(&record.topic));
            }
        }
        Ok(())
    }

    /// The headers of a record in Debezium's order.
    fn headers(&self, batch: &RecordBatch, record: &Record) -> Option<OwnedHeaders> {
        let own = &record.headers;
        let context: &[_] = if own.context { &self.context } else { &[] };
        let count =
            context.len() + usize::from(own.key_change.is_some()) + usize::from(own.sequence.is_some());
        if count == 0 {
            return None;
        }
        let mut headers = OwnedHeaders::new_with_capacity(count);
        if let Some((key, span)) = &own.key_change {
            headers = headers.insert(Header { key, value: Some(batch.slice(span)) });
        }
        for (key, value) in context {
            headers = headers.insert(Header { key, value: Some(value.as_slice()) });
        }
        if let Some(sequence) = own.sequence {
            headers = headers.insert(Header { key: SEQUENCE_HEADER, value: Some(&sequence.to_be_bytes()) });
        }
        Some(headers)
    }

    /// Hands a message to librdkafka; waits while its queue is full.
    fn send(&mut self, mut message: BaseRecord<'_, [u8], [u8], usize>) -> Result<(), KafkaHomeError> {
        loop {
            match self.producer.send(message) {
                Ok(()) => return Ok(()),
                Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), back)) => {
                    message = back;
                    self.pause()?;
                }
                Err((error, back)) => {
                    let size = back.key.map_or(0, <[u8]>::len) + back.payload.map_or(0, <[u8]>::len);
                    let failure = Failure { topic: back.topic.to_owned(), size, error };
                    let context = self.producer.context();
                    context.fail(failure);
                    return context.check();
                }
            }
        }
    }

    /// Takes the delivery reports that are there. A poll takes those of one request, so it is repeated.
    fn take_reports(&self) -> Result<(), KafkaHomeError> {
        let deliveries = self.producer.context();
        loop {
            let before = deliveries.reports();
            self.producer.poll(Duration::ZERO);
            if deliveries.reports() == before {
                return deliveries.check();
            }
        }
    }

    /// Waits a moment for acknowledgements.
    fn pause(&mut self) -> Result<(), KafkaHomeError> {
        // The timeout of poll() is not used for waiting: it spins through its last millisecond.
        self.take_reports()?;
        if self.stop.load(Ordering::Relaxed)
            && self.stopping_since.get_or_insert_with(Instant::now).elapsed() > STOP_GRACE
        {
            return Err(KafkaHomeError::Stopped);
        }
        thread::sleep(PAUSE);
        Ok(())
    }

    /// Takes delivery reports and moves offsets on.
    fn serve(&mut self, hurry: bool) -> Result<(), KafkaHomeError> {
        self.take_reports()?;
        let pending = &mut self.pending;
        self.in_flight.take_storable(|offset| pending.put(offset));
        if pending.awaits_acknowledgement() && self.producer.context().take_others() > 0 {
            pending.stored();
        }
        let Some(offset) = pending.next(hurry) else { return Ok(()) };
        let message = BaseRecord {
            topic: &self.offset_topic,
            partition: None,
            payload: offset.value.as_deref().map(str::as_bytes),
            key: Some(offset.key.as_bytes()),
            timestamp: None,
            headers: None,
            delivery_opaque: NO_BATCH,
        };
        match self.producer.send::<[u8], [u8]>(message) {
            Ok(()) => {
                pending.sent();
                Ok(())
            }
            // It is tried again when there is room.
            Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), _)) => Ok(()),
            Err((error, _)) => {
                let size = offset.key.len() + offset.value.as_ref().map_or(0, String::len);
                let context = self.producer.context();
                context.fail(Failure { topic: self.offset_topic.clone(), size, error });
                context.check()
            }
        }
    }
}

impl RecordHome for KafkaHome {
    type Error = KafkaHomeError;

    fn publish(&mut self, batch: &RecordBatch) -> Result<(), KafkaHomeError> {
        self.serve(false)?;
        self.create_topics(batch)?;
        // A batch's spans are of 32 bits, so it has fewer records than that.
        let records = u32::try_from(batch.records.len()).unwrap_or(u32::MAX);
        let number = loop {
            if let Some(number) = self.in_flight.begin(records, &batch.offsets) {
                break number;
            }
            self.pause()?;
            self.serve(false)?;
        };
        for (place, record) in batch.records.iter().enumerate() {
            self.send(BaseRecord {
                topic: &record.topic,
                partition: record.partition,
                payload: record.value.as_ref().map(|span| batch.slice(span)),
                key: record.key.as_ref().map(|span| batch.slice(span)),
                timestamp: None,
                headers: self.headers(batch, record),
                delivery_opaque: number,
            })?;
            if place % REPORTS_EVERY == REPORTS_EVERY - 1 {
                self.serve(false)?;
            }
        }
        self.serve(false)
    }

    fn flush(&mut self) -> Result<(), KafkaHomeError> {
        loop {
            self.serve(true)?;
            if self.in_flight.is_empty() && self.pending.is_empty() {
                return Ok(());
            }
            self.pause()?;
        }
    }

    fn idle(&mut self) -> Result<(), KafkaHomeError> {
        self.serve(false)
    }
}
