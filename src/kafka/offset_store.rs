//! The offsets that are stored in Kafka Connect's offset topic, read when a connector starts.
//!
//! The topic is compacted and small; it is read whole, and the last value of each key counts. Keys and values are kept
//! as the bytes that a JSON converter without schemas wrote. A key lives in one partition, so the order is that of
//! writing.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::config::worker::KafkaConfig;
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::error::KafkaHomeError;
use crate::kafka::topic_reader::TopicReader;
use crate::kafka::topics::Topics;
use crate::offset::backing_store::OffsetBackingStore;

/// How long the brokers may be silent while the topic is read.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The stored offsets as they were when they were read.
#[derive(Debug, Default)]
pub struct KafkaOffsetStore {
    offsets: HashMap<String, String>,
}

impl KafkaOffsetStore {
    /// Reads the offset topic to its end. A missing topic is an empty one. Waits for the brokers as
    /// `KafkaHome::open` does.
    pub fn read(config: &KafkaConfig, stop: &AtomicBool) -> Result<Self, KafkaHomeError> {
        let topics = Topics::connect(&config.bootstrap_servers, &[&config.client, &config.admin], stop)?;
        let Some(partitions) = topics.partitions(&config.offset_topic) else { return Ok(Self::default()) };
        let client = client_config(
            ClientRole::Reader,
            &config.bootstrap_servers,
            &[&config.client, &config.consumer],
        )?;
        let reader = TopicReader::new(&client, &config.offset_topic, TIMEOUT, stop)?;
        let mut offsets = HashMap::new();
        reader.read(partitions, |key, value| {
            let Some(key) = key.and_then(|key| std::str::from_utf8(key).ok()) else { return };
            match value.and_then(|value| std::str::from_utf8(value).ok()) {
                Some(value) => offsets.insert(key.to_owned(), value.to_owned()),
                None => offsets.remove(key),
            };
        })?;
        Ok(KafkaOffsetStore { offsets })
    }
}

impl OffsetBackingStore for KafkaOffsetStore {
    type Error = KafkaHomeError;

    fn get(&self, key: &str) -> Result<Option<String>, KafkaHomeError> {
        Ok(self.offsets.get(key).cloned())
    }
}
