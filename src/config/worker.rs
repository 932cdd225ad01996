//! What the process itself is told: Kafka Connect's worker properties.

use std::path::PathBuf;
use std::time::Duration;

/// The worker.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// `group.id`, default `connect`.
    pub group_id: String,
    /// Where records and offsets live.
    pub home: HomeConfig,
    /// `offset.flush.interval.ms`, default 60000.
    pub offset_flush_interval: Duration,
    /// Converter properties of the worker (`key.converter`, `value.converter.schemas.enable`, …), which a connector may override.
    pub converters: Vec<(String, String)>,
    /// `tidewire.log.format`: `text` or `json`.
    pub json_log: bool,
}

/// Where records and offsets live.
#[derive(Clone, Debug)]
pub enum HomeConfig {
    /// With `bootstrap.servers`.
    Kafka(KafkaConfig),
    /// Without it.
    File(FileConfig),
}

/// The Kafka home.
#[derive(Clone, Debug)]
pub struct KafkaConfig {
    /// `bootstrap.servers`.
    pub bootstrap_servers: String,
    /// `offset.storage.topic`, default `connect-offsets`.
    pub offset_topic: String,
    /// `offset.storage.partitions`, default 25.
    pub offset_partitions: i32,
    /// `offset.storage.replication.factor`, default 3.
    pub offset_replication_factor: i32,
    /// The worker's client properties without a prefix that apply to every client (`security.protocol`, `sasl.*`, `ssl.*`).
    pub client: Vec<(String, String)>,
    /// `producer.*`, prefix removed.
    pub producer: Vec<(String, String)>,
    /// `consumer.*`, prefix removed.
    pub consumer: Vec<(String, String)>,
    /// `admin.*`, prefix removed.
    pub admin: Vec<(String, String)>,
}

/// The file home.
#[derive(Clone, Debug)]
pub struct FileConfig {
    /// `tidewire.file.path`: a folder, or none for standard output (`-`).
    pub folder: Option<PathBuf>,
    /// `offset.storage.file.filename`, default `offsets.dat` in the folder (or the working directory).
    pub offset_file: PathBuf,
}
