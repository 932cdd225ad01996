//! Topics, for the applying task: the schema-change topic, single records, lives of topics.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::config::sink::SinkConfig;
use crate::config::worker::KafkaConfig;
use crate::connect::record::SEQUENCE_HEADER;
use crate::error::StorageError;
use crate::event::headers::OLD_KEY;
use crate::kafka::consumer::assigned_reader::AssignedReader;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::topic_life::topic_life;
use crate::sink::apply::record::{OwnedRecord, RecordStore, SchemaRecord, TopicLife};

/// The topics, for the applying task.
pub struct TopicStore {
    kafka: KafkaConfig,
    reader: AssignedReader,
    schema_changes: Option<String>,
    next: i64,
    partitions: HashMap<String, usize>,
    stop: Arc<AtomicBool>,
}

impl TopicStore {
    /// For a connector; nothing is read yet.
    pub fn open(
        config: &SinkConfig,
        kafka: &KafkaConfig,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        let reader = AssignedReader::open(kafka, &config.consumer_overrides.0, Arc::clone(stop))?;
        let schema_changes = config.schema_changes_topic.clone();
        Ok(TopicStore {
            kafka: kafka.clone(),
            reader,
            schema_changes,
            next: 0,
            partitions: HashMap::new(),
            stop: Arc::clone(stop),
        })
    }
}

impl RecordStore for TopicStore {
    fn schema_changes(&mut self, each: &mut dyn FnMut(SchemaRecord<'_>)) -> Result<(), StorageError> {
        let Some(topic) = &self.schema_changes else { return Ok(()) };
        // Debezium writes all of it to the first partition.
        let read = self.reader.read_from(topic, 0, self.next, |record| {
            each(SchemaRecord {
                offset: record.offset(),
                value: record.value(),
                sequence: record.header(SEQUENCE_HEADER),
            });
        });
        self.next = read.map_err(StorageError::new)?;
        Ok(())
    }

    fn schema_changes_begin(&mut self) -> Result<i64, StorageError> {
        let Some(topic) = &self.schema_changes else { return Ok(0) };
        Ok(self.reader.extent(topic, 0).map_err(StorageError::new)?.begin)
    }

    fn fetch(
        &mut self,
        topic: &str,
        partition: i32,
        offset: i64,
    ) -> Result<Option<OwnedRecord>, StorageError> {
        let mut found = None;
        let owned = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
        let read = self.reader.read(topic, partition, offset..offset.saturating_add(1), |record| {
            found = Some(OwnedRecord {
                key: owned(record.key()),
                value: owned(record.value()),
                sequence: owned(record.header(SEQUENCE_HEADER)),
                old_key: owned(record.header(OLD_KEY)),
            });
        });
        read.map_err(StorageError::new)?;
        Ok(found)
    }

    fn partitions(&mut self, topic: &str) -> Result<usize, StorageError> {
        if let Some(known) = self.partitions.get(topic) {
            return Ok(*known);
        }
        let count = self.reader.partitions(topic).map_err(StorageError::new)?;
        self.partitions.insert(topic.to_owned(), count);
        Ok(count)
    }

    fn life(&mut self, topic: &str) -> Result<TopicLife, StorageError> {
        let life = topic_life(&self.kafka, topic, &self.stop).map_err(StorageError::new)?;
        let id = uuid::Uuid::from_bytes(life.id);
        Ok(TopicLife { identity: format!("{}/{id}", life.cluster), partitions: life.partitions })
    }
}
