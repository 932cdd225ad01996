//! `tidewire run`: all connectors of a process, each in a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::config::sink::SinkConfig;
use crate::config::source::SourceConfig;
use crate::config::worker::WorkerConfig;
use crate::error::{Classify, chain};
use crate::file::shared_store::SharedFileStore;
use crate::sink::apply::applier::Reloads;
use crate::task::error::{ConnectorFailed, TaskError};
use crate::task::retry::with_retries;
use crate::task::sink_task::attempt_sink;
use crate::task::standby::run_or_stand_by;

/// Runs connectors until told to stop, or until none is left. An error when one failed for good.
pub fn run_connectors(
    worker: &WorkerConfig,
    sources: &[SourceConfig],
    sinks: &[SinkConfig],
    stop: &Arc<AtomicBool>,
) -> Result<(), ConnectorFailed> {
    let files = &SharedFileStore::default();
    let results: Vec<Result<(), ConnectorFailed>> = std::thread::scope(|scope| {
        let sources = sources.iter().map(|source| {
            let config = Arc::new(source.clone());
            scope.spawn(move || {
                let result = run_or_stand_by(&config, worker, files, stop);
                result.map_err(|error| failed(&config.connector_name, error))
            })
        });
        // Each task is a member of the connector's group.
        let tasks = sinks.iter().flat_map(|sink| (0..sink.tasks).map(move |_| sink));
        let sinks = tasks.map(|sink| {
            scope.spawn(move || run_sink(sink, worker, stop).map_err(|error| failed(&sink.name, error)))
        });
        let threads: Vec<_> = sources.chain(sinks).collect();
        let panicked = || ConnectorFailed { connector: String::new(), error: TaskError::Panicked };
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
    });
    if stop.load(Ordering::Relaxed) {
        tracing::info!("stopped");
    }
    results.into_iter().find(Result::is_err).unwrap_or(Ok(()))
}

/// A task of a sink, with retries.
fn run_sink(sink: &SinkConfig, worker: &WorkerConfig, stop: &Arc<AtomicBool>) -> Result<(), TaskError> {
    let mut reloads = Reloads::default();
    with_retries(sink, stop, || attempt_sink(sink, worker, &mut reloads, stop))
}

fn failed(connector: &str, error: TaskError) -> ConnectorFailed {
    tracing::error!(
        connector,
        error = chain(&error),
        remedy = error.remedy(),
        "the connector failed for good"
    );
    ConnectorFailed { connector: connector.to_owned(), error }
}
