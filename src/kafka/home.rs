//! The home of records in Kafka: `publish` hands the records of a batch to the producer in order; offsets follow when they
//! are durable (`at_least_once`), or go with them in Kafka transactions (`exactly_once`).
//!
//! Everything happens on the thread that publishes. When the producer's memory is used up, `publish` waits for
//! acknowledgements: this is how a slow or absent broker slows the source down.
//!
//! A record never expires. Brokers that are away stall the home and a warning says so; it goes on when they are back.
//! A record that a broker refuses fails the home for good: nothing is handed over after it, the offsets stay before it,
//! and the task that starts again publishes from there. What was on its way behind it may arrive, and comes again; in a
//! transaction it never becomes visible.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::config::source::{TopicCreation, TransactionConfig};
use crate::config::worker::KafkaConfig;
use crate::connect::record::{ContextHeaders, Record, RecordBatch, RecordHome, StoredOffset};
use crate::fail_point::fail_point;
use crate::kafka::at_least_once::{AtLeastOnce, OFFSET};
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::error::KafkaHomeError;
use crate::kafka::exactly_once::ExactlyOnce;
use crate::kafka::lease::Holding;
use crate::kafka::producer::Producer;
use crate::kafka::producer::record::{EncodedHeaders, RecordBytes};
use crate::kafka::topics::{TopicSettings, Topics};

/// How long the transaction coordinator may take at the start.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a connector wants of its home.
pub struct HomeSettings<'a> {
    /// `producer.override.*`, prefix removed.
    pub overrides: &'a [(String, String)],
    /// How topics are created.
    pub creation: TopicCreation,
    /// `offset.flush.interval.ms`.
    pub offset_flush_interval: Duration,
    /// `transactional.id` and when transactions end; none for at least once.
    pub exactly_once: Option<(String, TransactionConfig)>,
    /// The lease without which nothing may be published; none for an instance that is alone.
    pub lease: Option<Holding>,
}

/// How records and offsets belong together.
enum Delivery {
    AtLeastOnce(AtLeastOnce),
    ExactlyOnce(ExactlyOnce),
}

/// Records and offsets in Kafka.
pub struct KafkaHome {
    producer: Producer,
    topics: Topics,
    known: HashSet<Arc<str>>,
    new_topic: TopicSettings,
    offset_topic: Arc<str>,
    delivery: Delivery,
    context: EncodedHeaders,
    stop: Arc<AtomicBool>,
}

impl KafkaHome {
    /// Opens the home: waits for the brokers (a minute, as Kafka Connect does, then the error is retriable) and creates
    /// the offset topic where it is missing. With exactly-once support an older instance of the connector can publish
    /// nothing any more when this returns. Once `stop` is set, no call waits longer than five seconds more.
    pub fn open(
        config: &KafkaConfig,
        settings: HomeSettings<'_>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        let layers = [config.client.as_slice(), config.producer.as_slice(), settings.overrides];
        let client = client_config(ClientRole::Records, &config.bootstrap_servers, &layers)?;
        let interval = settings.offset_flush_interval;
        let (mut producer, delivery) = match settings.exactly_once {
            Some((id, transactions)) => {
                let producer = Producer::transactional(&client, &id, Arc::clone(&stop))?;
                let delivery = ExactlyOnce::new(transactions, interval, producer.transaction_timeout());
                (producer, Delivery::ExactlyOnce(delivery))
            }
            None => {
                let delivery = AtLeastOnce::new(interval);
                (Producer::new(&client, Arc::clone(&stop))?, Delivery::AtLeastOnce(delivery))
            }
        };
        producer.publish_under(settings.lease);
        let mut topics = Topics::connect(&config.bootstrap_servers, &[&config.client, &config.admin], &stop)?;
        producer.take_over(PATIENCE)?;
        topics.ensure(
            &config.offset_topic,
            &TopicSettings::offsets(config.offset_partitions, config.offset_replication_factor),
            &stop,
        )?;
        Ok(KafkaHome {
            producer,
            topics,
            known: HashSet::new(),
            new_topic: TopicSettings::records(settings.creation),
            offset_topic: Arc::from(config.offset_topic.as_str()),
            delivery,
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

    /// Takes what became durable and moves offsets on. Only where they are stored behind records.
    fn store_offsets(&mut self, hurry: bool) -> Result<(), KafkaHomeError> {
        let Delivery::AtLeastOnce(delivery) = &mut self.delivery else { return Ok(()) };
        self.producer.take_deliveries(|number, records| delivery.delivered(number, records));
        let Some(offset) = delivery.next_offset(hurry) else { return Ok(()) };
        self.producer.append(&self.offset_topic, None, &bytes_of(offset), OFFSET)?;
        delivery.sent();
        // An offset is the end of a round; nothing is gained when it lingers.
        self.producer.serve(true)?;
        fail_point("offset-sent");
        Ok(())
    }

    /// The number that the records of a batch carry. Waits while too many batches are on their way.
    fn begin(&mut self, batch: &RecordBatch) -> Result<usize, KafkaHomeError> {
        // A batch's spans are of 32 bits, so it has fewer records than that.
        let records = u32::try_from(batch.records.len()).unwrap_or(u32::MAX);
        loop {
            self.store_offsets(false)?;
            match &mut self.delivery {
                Delivery::AtLeastOnce(delivery) => {
                    if let Some(number) = delivery.begin(records, &batch.offsets) {
                        return Ok(number);
                    }
                }
                Delivery::ExactlyOnce(delivery) => {
                    delivery.add(batch, Instant::now());
                    return Ok(0);
                }
            }
            self.producer.wait()?;
        }
    }

    /// Commits the transaction, if there is one and it is time or `hurry`.
    fn commit(&mut self, hurry: bool) -> Result<(), KafkaHomeError> {
        let Delivery::ExactlyOnce(delivery) = &mut self.delivery else { return Ok(()) };
        if delivery.is_empty() || !hurry && !delivery.is_due(Instant::now()) {
            return Ok(());
        }
        for offset in delivery.take_offsets() {
            self.producer.append(&self.offset_topic, None, &bytes_of(&offset), OFFSET)?;
            fail_point("offset-appended");
        }
        self.producer.commit()?;
        fail_point("committed");
        self.producer.take_deliveries(|_, _| {});
        delivery.committed(Instant::now());
        Ok(())
    }
}

fn bytes_of(offset: &StoredOffset) -> RecordBytes<'_> {
    RecordBytes {
        key: Some(offset.key.as_bytes()),
        value: offset.value.as_deref().map(str::as_bytes),
        ..RecordBytes::default()
    }
}

impl RecordHome for KafkaHome {
    type Error = KafkaHomeError;

    fn publish(&mut self, batch: &RecordBatch) -> Result<(), KafkaHomeError> {
        self.producer.serve_soon()?;
        self.create_topics(batch)?;
        let number = self.begin(batch)?;
        for record in &batch.records {
            self.append(batch, record, number)?;
        }
        self.producer.serve_soon()?;
        fail_point("records-sent");
        self.commit(false)
    }

    fn flush(&mut self) -> Result<(), KafkaHomeError> {
        let is_empty = matches!(&self.delivery, Delivery::ExactlyOnce(delivery) if delivery.is_empty());
        if is_empty && !self.stop.load(Ordering::Relaxed) {
            // What follows may be written outside of transactions.
            self.producer.assure_ownership()?;
        }
        self.commit(true)?;
        loop {
            self.producer.serve(true)?;
            self.store_offsets(true)?;
            let is_empty = match &self.delivery {
                Delivery::AtLeastOnce(delivery) => delivery.is_empty(),
                Delivery::ExactlyOnce(delivery) => delivery.is_empty(),
            };
            if is_empty {
                return Ok(());
            }
            self.producer.wait()?;
        }
    }

    fn idle(&mut self) -> Result<(), KafkaHomeError> {
        self.producer.serve(true)?;
        self.store_offsets(false)?;
        self.commit(false)
    }
}
