//! What stands in the way of a sink: at ClickHouse, at Kafka, and in the records that are there.

use crate::config::sink::SinkConfig;
use crate::config::worker::WorkerConfig;
use crate::sink::apply::catalog::SchemaCatalog;
use crate::sink::preflight::finding::Finding;
use crate::sink::preflight::survey;

/// Everything that is not as the sink needs it.
pub fn sink_findings(sink: &SinkConfig, _worker: &WorkerConfig) -> Vec<Finding> {
    survey(sink, &[], &SchemaCatalog::default())
}
