//! The home of records in Kafka: `publish` hands the records of a batch to the producer in order, and offsets follow when
//! their batches are delivered.
//!
//! Everything happens on the thread that publishes. When the producer's memory is used up, `publish` waits for
//! acknowledgements: this is how a slow or absent broker slows the source down.
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
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::config::source::TopicCreation;
use crate::config::worker::KafkaConfig;
use crate::connect::record::{ContextHeaders, Record, RecordBatch, RecordHome};
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::error::KafkaHomeError;
use crate::kafka::in_flight::InFlight;
use crate::kafka::pending_offsets::PendingOffsets;
use crate::kafka::producer::Producer;
use crate::kafka::producer::record::{EncodedHeaders, RecordBytes};
use crate::kafka::topics::{TopicSettings, Topics};

/// What an offset carries instead of the number of a batch.
const OFFSET: usize = usize::MAX;

/// Records and offsets in Kafka.
pub struct KafkaHome {
    producer: Producer,
    topics: Topics,
    known: HashSet<Arc<str>>,
    new_topic: TopicSettings,
    offset_topic: Arc<str>,
    in_flight: InFlight,
    pending: PendingOffsets,
    context: EncodedHeaders,
    stop: Arc<AtomicBool>,
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
        let client = client_config(ClientRole::Records, &config.bootstrap_servers, &layers)?;
        let producer = Producer::new(&client, Arc::clone(&stop))?;
        let mut topics = Topics::connect(&config.bootstrap_servers, &[&config.client, &config.admin], &stop)?;
        topics.ensure(
            &config.offset_topic,
            &TopicSettings::offsets(config.offset_partitions, config.offset_replication_factor),
            &stop,
        )?;
        Ok(KafkaHome {
            producer,
            topics,
            known: HashSet::new(),
            new_topic: TopicSettings::records(creation),
            offset_topic: Arc::from(config.offset_topic.as_str()),
            in_flight: InFlight::default(),
            pending: PendingOffsets::new(offset_flush_interval),
            context: EncodedHeaders::default(),
            stop,
        })
    }

    /// The headers of the run, which go on every record that asks for them.
    pub fn set_context_headers(&mut self, headers: ContextHeaders) {
        self.context = EncodedHeaders::new(&headers);
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

    /// Hands a record to the producer.
    fn append(&mut self, batch: &RecordBatch, record: &Record, number: usize) -> Result<(), KafkaHomeError> {
        let own = &record.headers;
        let bytes = RecordBytes {
            key: record.key.as_ref().map(|span| batch.slice(span)),
            value: record.value.as_ref().map(|span| batch.slice(span)),
            key_change: own.key_change.as_ref().map(|(name, span)| (*name, batch.slice(span))),
            context: own.context.then_some(&self.context),
            sequence: own.sequence,
        };
        self.producer.append(&record.topic, record.partition, &bytes, number)
    }

    /// Takes what became durable and moves offsets on.
    fn store_offsets(&mut self, hurry: bool) -> Result<(), KafkaHomeError> {
        let (in_flight, pending) = (&mut self.in_flight, &mut self.pending);
        self.producer.take_deliveries(|number, records| match number {
            OFFSET => pending.stored(),
            number => in_flight.delivered(number, records),
        });
        in_flight.take_storable(|offset| pending.put(offset));
        let Some(offset) = pending.next(hurry) else { return Ok(()) };
        let record = RecordBytes {
            key: Some(offset.key.as_bytes()),
            value: offset.value.as_deref().map(str::as_bytes),
            ..RecordBytes::default()
        };
        self.producer.append(&self.offset_topic, None, &record, OFFSET)?;
        self.pending.sent();
        // An offset is the end of a round; nothing is gained when it lingers.
        self.producer.serve(true)
    }
}

impl RecordHome for KafkaHome {
    type Error = KafkaHomeError;

    fn publish(&mut self, batch: &RecordBatch) -> Result<(), KafkaHomeError> {
        self.producer.serve_soon()?;
        self.create_topics(batch)?;
        // A batch's spans are of 32 bits, so it has fewer records than that.
        let records = u32::try_from(batch.records.len()).unwrap_or(u32::MAX);
        let number = loop {
            self.store_offsets(false)?;
            if let Some(number) = self.in_flight.begin(records, &batch.offsets) {
                break number;
            }
            self.producer.wait()?;
        };
        for record in &batch.records {
            self.append(batch, record, number)?;
        }
        self.producer.serve_soon()
    }

    fn flush(&mut self) -> Result<(), KafkaHomeError> {
        loop {
            self.producer.serve(true)?;
            self.store_offsets(true)?;
            if self.in_flight.is_empty() && self.pending.is_empty() {
                return Ok(());
            }
            self.producer.wait()?;
        }
    }

    fn idle(&mut self) -> Result<(), KafkaHomeError> {
        self.producer.serve(true)?;
        self.store_offsets(false)
    }
}
