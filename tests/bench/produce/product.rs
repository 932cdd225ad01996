//! The product's own way: batches of ready records through `KafkaHome`, as the publishing thread hands them over.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tidewire::config::source::TopicCreation;
use tidewire::config::worker::KafkaConfig;
use tidewire::connect::record::{Record, RecordBatch, RecordHeaders, RecordHome};
use tidewire::kafka::home::{HomeSettings, KafkaHome};

use crate::variant::{CONTEXT, digits, row, with_topic};

/// Records in a batch: `max.batch.size`.
const BATCH: u64 = 2048;

/// Sends `messages` messages to a topic of its own; seconds until the last was acknowledged.
pub fn send(broker: &str, messages: u64) -> Result<f64, String> {
    with_topic(broker, |topic| {
        let config = KafkaConfig {
            bootstrap_servers: broker.to_owned(),
            offset_topic: "tidewire-produce-offsets".to_owned(),
            offset_partitions: 1,
            offset_replication_factor: 1,
            client: Vec::new(),
            producer: Vec::new(),
            consumer: Vec::new(),
            admin: Vec::new(),
        };
        let creation = TopicCreation { partitions: 4, replication_factor: 1 };
        let settings = HomeSettings {
            overrides: &[],
            creation,
            offset_flush_interval: Duration::from_secs(60),
            exactly_once: None,
            lease: None,
        };
        let mut home =
            KafkaHome::open(&config, settings, Arc::default()).map_err(|error| error.to_string())?;
        home.set_context_headers(
            CONTEXT.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect(),
        );
        let topic: Arc<str> = Arc::from(topic);
        let mut value = row(600);
        let mut key = *br#"{"id":0000000000}"#;
        let mut batch = RecordBatch::default();
        let start = Instant::now();
        for message in 0..messages {
            digits(&mut key[6..16], message);
            digits(&mut value[10..20], message);
            let mut put = |bytes: &[u8]| {
                let begin = batch.bytes.len() as u32;
                batch.bytes.extend_from_slice(bytes);
                begin..batch.bytes.len() as u32
            };
            let (key, value) = (Some(put(&key)), Some(put(&value)));
            let headers = RecordHeaders { key_change: None, context: true, sequence: Some(message) };
            batch.records.push(Record { topic: Arc::clone(&topic), partition: None, key, value, headers });
            if message % BATCH == BATCH - 1 {
                home.publish(&batch).map_err(|error| error.to_string())?;
                batch.clear();
            }
        }
        home.publish(&batch).and_then(|()| home.flush()).map_err(|error| error.to_string())?;
        Ok(start.elapsed().as_secs_f64())
    })
}
