//! The sink: a connector that mirrors a whole database, in a process of its own.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::process::{Process, tidewire};

pub struct Sink {
    folder: TempDir,
}

impl Sink {
    /// Of all topics of a prefix. The group keeps its name over kills, and soon takes members for dead.
    pub fn new(prefix: &str, brokers: &str, clickhouse: &str, schemas: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = serde_json::json!({
            "name": format!("sink_{prefix}"),
            "connector.class": "tidewire.clickhouse.ClickHouseSinkConnector",
            "topics.regex": format!("{prefix}[.].*[.].*"),
            "schema.changes.topic": prefix,
            "clickhouse.url": format!("http://{clickhouse}"),
            "keyless.mode": "row_hash",
            "flush.interval.ms": "300",
            "inserts.per.second": "50",
            "errors.retry.delay.max.ms": "1000",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": schemas.to_string(),
            "value.converter.schemas.enable": schemas.to_string(),
            "consumer.override.session.timeout.ms": "6000",
            "consumer.override.metadata.max.age.ms": "1000",
        });
        let worker = format!("bootstrap.servers={brokers}\ngroup.id=sinks\noffset.flush.interval.ms=200\n");
        fs::write(folder.path().join("worker.properties"), worker).expect("worker.properties");
        fs::write(folder.path().join("sink.json"), config.to_string()).expect("sink.json");
        Sink { folder }
    }

    pub fn start(&self, log: &Path) -> Process {
        let at = |name: &str| self.folder.path().join(name).display().to_string();
        Process::start(tidewire(["run", "--worker", &at("worker.properties"), &at("sink.json")]), log)
    }
}
