//! Records into Kafka.

use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer};

use crate::records::{DATABASE, PREFIX, Record, Rows};
use crate::{LIMIT, Result};

/// For one answer of the broker.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The broker, and a client that writes.
pub struct Broker {
    pub address: String,
    producer: BaseProducer,
    /// Whether records have Debezium's context headers.
    context: bool,
}

/// What `extended.headers.enabled` adds.
const CONTEXT: [(&str, &str); 4] = [
    ("__debezium.context.connectorLogicalName", PREFIX),
    ("__debezium.context.taskId", "0"),
    ("__debezium.context.connectorName", "mysql"),
    ("__debezium.context.connectorVersion", "3.6.1.Final"),
];

/// The topic of a table; each phase has one.
pub fn topic(phase: &str) -> String {
    format!("{PREFIX}-{phase}.{DATABASE}.orders")
}

/// Its topic of schema changes.
pub fn schema_topic(phase: &str) -> String {
    format!("{PREFIX}-{phase}")
}

/// The topics of what is there before it is read.
pub const FULL: &str = "full";

impl Broker {
    pub fn new(address: &str, context: bool) -> Result<Self> {
        let producer = ClientConfig::new()
            .set("bootstrap.servers", address)
            .set("enable.idempotence", "true")
            .set("linger.ms", "5")
            .set("batch.size", "500000")
            .create()?;
        Ok(Broker { address: address.to_owned(), producer, context })
    }

    /// Publishes the schema change and all rows.
    pub fn fill(&self, rows: &Rows) -> Result<()> {
        self.describe(FULL, rows)?;
        let topic = topic(FULL);
        for id in 1..=rows.count {
            self.send(&topic, &rows.record(id), None)?;
        }
        self.flush()?;
        let consumer: BaseConsumer = ClientConfig::new().set("bootstrap.servers", &self.address).create()?;
        let (first, end) = consumer.fetch_watermarks(&topic, 0, TIMEOUT)?;
        if (first, end) != (0, i64::try_from(rows.count)?) {
            return Err(format!("{topic} has offsets {first} to {end}, not {} records", rows.count).into());
        }
        Ok(())
    }

    /// Publishes the schema change.
    pub fn describe(&self, phase: &str, rows: &Rows) -> Result<()> {
        let key = format!(r#"{{"databaseName":"{DATABASE}"}}"#);
        let record = Record { key, value: rows.schema_change(), sequence: rows.first_sequence };
        self.send(&schema_topic(phase), &record, None)?;
        self.flush()
    }

    /// Hands a record to the client, with its timestamp or the client's.
    pub fn send(&self, topic: &str, record: &Record, timestamp: Option<u64>) -> Result<()> {
        let sequence = record.sequence.to_be_bytes();
        let mut headers = OwnedHeaders::new_with_capacity(5);
        if self.context {
            for (key, value) in CONTEXT {
                headers = headers.insert(Header { key, value: Some(value) });
            }
        }
        let headers = headers.insert(Header { key: "tidewire.seq", value: Some(&sequence[..]) });
        let mut next = BaseRecord::to(topic).key(&record.key).payload(&record.value).headers(headers);
        if let Some(ms) = timestamp {
            next = next.timestamp(i64::try_from(ms)?);
        }
        loop {
            match self.producer.send(next) {
                Ok(()) => return Ok(()),
                Err((KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull), again)) => {
                    self.producer.poll(Duration::from_millis(10));
                    next = again;
                }
                Err((error, _)) => return Err(error.into()),
            }
        }
    }

    /// Takes in what the broker has confirmed.
    pub fn poll(&self) {
        self.producer.poll(Duration::ZERO);
    }

    pub fn flush(&self) -> Result<()> {
        Ok(self.producer.flush(LIMIT)?)
    }
}
