//! The home of a connector's records, offsets and history, as worker and connector name it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::config::source::{HistoryStore, SourceConfig};
use crate::config::worker::{HomeConfig, WorkerConfig};
use crate::connect::record::{ContextHeaders, RecordBatch, RecordHome};
use crate::error::StorageError;
use crate::file::home::FileHome;
use crate::file::schema_history::FileSchemaHistory;
use crate::file::shared_store::SharedFileStore;
use crate::file::store::FileStore;
use crate::kafka::home::{HomeSettings, KafkaHome};
use crate::kafka::lease::Holding;
use crate::kafka::offset_store::KafkaOffsetStore;
use crate::kafka::schema_history::KafkaSchemaHistory;
use crate::offset::backing_store::OffsetBackingStore;
use crate::schema::history::SchemaHistory;
use crate::schema::history::memory::MemorySchemaHistory;
use crate::schema::history::record::HistoryRecord;
use crate::source::dispatcher::History;
use crate::task::error::TaskError;

/// One of the two homes, open, with what it had stored.
pub enum Home {
    /// Records and offsets in Kafka.
    Kafka(Box<KafkaHome>, KafkaOffsetStore),
    /// Records and offsets in files, or records on standard output.
    File(Box<FileHome>, Arc<FileStore>),
}

impl Home {
    /// Opens the worker's home for a connector.
    pub fn open(
        config: &SourceConfig,
        worker: &WorkerConfig,
        files: &SharedFileStore,
        lease: Option<&Holding>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, TaskError> {
        match &worker.home {
            HomeConfig::Kafka(kafka) => {
                let exactly_once = worker.exactly_once.then(|| {
                    let id = format!("{}-{}-0", worker.group_id, config.connector_name);
                    (id, config.transactions)
                });
                let settings = HomeSettings {
                    overrides: &config.producer_overrides,
                    creation: config.topic_creation,
                    offset_flush_interval: worker.offset_flush_interval,
                    exactly_once,
                    lease: lease.cloned(),
                };
                let home = KafkaHome::open(kafka, settings, Arc::clone(stop)).map_err(TaskError::home)?;
                // Not earlier: nobody else moves them now.
                let stored = KafkaOffsetStore::read(kafka, stop).map_err(TaskError::home)?;
                Ok(Home::Kafka(Box::new(home), stored))
            }
            HomeConfig::File(file) => {
                let store = files.open(file).map_err(TaskError::home)?;
                let interval = worker.offset_flush_interval;
                Ok(Home::File(Box::new(FileHome::new(Arc::clone(&store), interval)), store))
            }
        }
    }

    /// The headers of the run.
    pub fn set_context_headers(&mut self, headers: ContextHeaders) {
        match self {
            Home::Kafka(home, _) => home.set_context_headers(headers),
            Home::File(home, _) => home.set_context_headers(headers),
        }
    }

    /// What was stored under a key when the home was opened.
    pub fn stored(&self, key: &str) -> Result<Option<String>, TaskError> {
        match self {
            Home::Kafka(_, stored) => stored.get(key).map_err(TaskError::home),
            Home::File(_, stored) => stored.get(key).map_err(TaskError::home),
        }
    }
}

impl RecordHome for Home {
    type Error = StorageError;

    fn publish(&mut self, batch: &RecordBatch) -> Result<(), StorageError> {
        match self {
            Home::Kafka(home, _) => home.publish(batch).map_err(StorageError::new),
            Home::File(home, _) => home.publish(batch).map_err(StorageError::new),
        }
    }

    fn flush(&mut self) -> Result<(), StorageError> {
        match self {
            Home::Kafka(home, _) => home.flush().map_err(StorageError::new),
            Home::File(home, _) => home.flush().map_err(StorageError::new),
        }
    }

    fn idle(&mut self) -> Result<(), StorageError> {
        match self {
            Home::Kafka(home, _) => home.idle().map_err(StorageError::new),
            Home::File(home, _) => home.idle().map_err(StorageError::new),
        }
    }
}

/// The schema history that a connector names; nothing is stored there without `lease`, if there is one.
pub fn history(
    config: &SourceConfig,
    lease: Option<&Holding>,
    stop: &Arc<AtomicBool>,
) -> Result<History, TaskError> {
    Ok(match &config.history.store {
        HistoryStore::Kafka { topic, bootstrap_servers, producer, consumer, create_timeout, timeout } => {
            let stop = Arc::clone(stop);
            let history =
                KafkaSchemaHistory::open(topic, bootstrap_servers, producer, consumer, *timeout, stop);
            let history = history.map_err(TaskError::home)?.with_create_timeout(*create_timeout);
            Box::new(Stored(history.under(lease.cloned())))
        }
        HistoryStore::File { filename } => Box::new(Stored(FileSchemaHistory::new(filename.clone()))),
        HistoryStore::Memory => Box::new(Stored(MemorySchemaHistory::default())),
    })
}

/// A history whose errors are those of any storage.
pub struct Stored<H>(pub H);

impl<H: SchemaHistory> SchemaHistory for Stored<H> {
    type Error = StorageError;

    fn exists(&mut self) -> Result<bool, StorageError> {
        self.0.exists().map_err(StorageError::new)
    }

    fn initialize_storage(&mut self) -> Result<(), StorageError> {
        self.0.initialize_storage().map_err(StorageError::new)
    }

    fn record(&mut self, records: &[HistoryRecord]) -> Result<(), StorageError> {
        self.0.record(records).map_err(StorageError::new)
    }

    fn delete(&mut self) -> Result<(), StorageError> {
        self.0.delete().map_err(StorageError::new)
    }

    fn recover(&mut self, each: &mut dyn FnMut(u64, &str)) -> Result<(), StorageError> {
        self.0.recover(each).map_err(StorageError::new)
    }
}
