//! The schema history in Kafka: Debezium's KafkaSchemaHistory.
//!
//! One topic with one partition; a record's key is null and its value the record as JSON on many lines. Writing is
//! done when the brokers have acknowledged. Recovery reads from the beginning to the end that the topic has when it
//! starts; what is empty or no history record is passed over with a warning.
//!
//! The records are in no Kafka transaction, also with exactly-once delivery. A commit leaves a mark in each partition, which
//! takes an offset; Debezium reads until it has the record in front of the topic's end, and where that is a mark it gives up
//! ("The database schema history couldn't be recovered"). So there would be no way back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tracing::warn;

use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::error::KafkaHomeError;
use crate::kafka::lease::Holding;
use crate::kafka::producer::Producer;
use crate::kafka::producer::record::RecordBytes;
use crate::kafka::topic_reader::TopicReader;
use crate::kafka::topics::{PATIENCE, TopicSettings, Topics};
use crate::schema::history::SchemaHistory;
use crate::schema::history::record::HistoryRecord;

/// Debezium warns below five years of retention.
const FIVE_YEARS_MS: i64 = 5 * 365 * 24 * 60 * 60 * 1000;

/// `schema.history.internal.kafka.topic`.
pub struct KafkaSchemaHistory {
    topic: Arc<str>,
    brokers: String,
    producer_properties: Vec<(String, String)>,
    consumer_properties: Vec<(String, String)>,
    timeout: Duration,
    create_timeout: Duration,
    topics: Topics,
    producer: Option<Producer>,
    lease: Option<Holding>,
    stop: Arc<AtomicBool>,
}

impl KafkaSchemaHistory {
    /// Connects; the arguments are those of `HistoryStore::Kafka`. Topics are asked for and created with the
    /// producer's properties, as Debezium does. Waits for the brokers up to a minute, or until `stop` is set.
    pub fn open(
        topic: &str,
        brokers: &str,
        producer: &[(String, String)],
        consumer: &[(String, String)],
        timeout: Duration,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        Ok(KafkaSchemaHistory {
            topic: Arc::from(topic),
            brokers: brokers.to_owned(),
            producer_properties: producer.to_vec(),
            consumer_properties: consumer.to_vec(),
            timeout,
            create_timeout: PATIENCE,
            topics: Topics::connect(brokers, &[producer], &stop)?,
            producer: None,
            lease: None,
            stop,
        })
    }

    /// The same; nothing is stored once the lease is lost, if there is one.
    pub fn under(self, lease: Option<Holding>) -> Self {
        KafkaSchemaHistory { lease, ..self }
    }

    /// The same, with another limit for making the topic.
    pub fn with_create_timeout(self, create_timeout: Duration) -> Self {
        KafkaSchemaHistory { create_timeout, ..self }
    }

    /// Whether the topic is there; it must have one partition then.
    fn is_there(&mut self) -> Result<bool, KafkaHomeError> {
        match self.topics.current_partitions(&self.topic)? {
            None => Ok(false),
            Some(1) => Ok(true),
            Some(partitions) => {
                Err(KafkaHomeError::HistoryPartitions { topic: self.topic.to_string(), partitions })
            }
        }
    }

    fn reader(&self) -> Result<TopicReader<'_>, KafkaHomeError> {
        let client = client_config(ClientRole::Reader, &self.brokers, &[&self.consumer_properties])?;
        TopicReader::new(&client, &self.topic, self.timeout, &self.stop)
    }

    fn write(&mut self, records: &[HistoryRecord]) -> Result<(), KafkaHomeError> {
        let producer = match &mut self.producer {
            Some(producer) => producer,
            None => {
                let client = client_config(ClientRole::History, &self.brokers, &[&self.producer_properties])?;
                let mut producer = Producer::new(&client, Arc::clone(&self.stop))?;
                producer.publish_under(self.lease.clone());
                self.producer.insert(producer)
            }
        };
        for record in records {
            let value = record.to_pretty();
            let bytes = RecordBytes { value: Some(value.as_bytes()), ..RecordBytes::default() };
            producer.append(&self.topic, Some(0), &bytes, 0)?;
        }
        producer.flush()?;
        producer.take_deliveries(|_, _| {});
        Ok(())
    }

    /// What Debezium warns about: a history that the broker may shorten.
    fn warn_about_retention(&self) {
        let Some(settings) = self.topics.configs(&self.topic) else { return };
        let setting =
            |name: &str| settings.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        if setting("cleanup.policy").is_some_and(|policy| policy != "delete") {
            warn!(topic = %self.topic, "cleanup.policy of the history topic should be delete");
        }
        if setting("retention.bytes")
            .and_then(|bytes| bytes.parse::<i64>().ok())
            .is_some_and(|bytes| bytes != -1)
        {
            warn!(topic = %self.topic, "retention.bytes of the history topic should be -1: old statements may vanish");
        }
        let kept = setting("retention.ms").and_then(|kept| kept.parse::<i64>().ok());
        if kept.is_some_and(|kept| kept != -1 && kept < FIVE_YEARS_MS) {
            warn!(topic = %self.topic, "retention.ms of the history topic is below five years: old statements may vanish");
        }
    }
}

impl SchemaHistory for KafkaSchemaHistory {
    type Error = KafkaHomeError;

    fn exists(&mut self) -> Result<bool, KafkaHomeError> {
        if !self.is_there()? {
            return Ok(false);
        }
        let extent = self.reader()?.extent(0)?;
        Ok(extent.begin < extent.end)
    }

    fn initialize_storage(&mut self) -> Result<(), KafkaHomeError> {
        if self.is_there()? {
            self.warn_about_retention();
            return Ok(());
        }
        self.topics.ensure_within(self.create_timeout, &self.topic, &TopicSettings::history(), &self.stop)
    }

    fn record(&mut self, records: &[HistoryRecord]) -> Result<(), KafkaHomeError> {
        let written = self.write(records);
        if written.is_err() {
            // The producer keeps its first failure for ever; the next attempt has its own.
            self.producer = None;
        }
        written
    }

    fn delete(&mut self) -> Result<(), KafkaHomeError> {
        self.topics.delete(&self.topic)
    }

    fn recover(&mut self, each: &mut dyn FnMut(u64, &str)) -> Result<(), KafkaHomeError> {
        if !self.is_there()? {
            return Ok(());
        }
        let topic = &self.topic;
        let mut place = 0_u64;
        self.reader()?.read(1, |_, value| {
            place += 1;
            match value.and_then(|value| std::str::from_utf8(value).ok()) {
                Some(text) => each(place, text),
                None => warn!(%topic, place, "a message without text is no history record"),
            }
        })
    }
}
