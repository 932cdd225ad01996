//! `tidewire run`: all connectors of a process, each in a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::config::source::SourceConfig;
use crate::config::worker::WorkerConfig;
use crate::error::{Classify, chain};
use crate::file::shared_store::SharedFileStore;
use crate::task::error::{ConnectorFailed, TaskError};
use crate::task::standby::run_or_stand_by;

/// Runs connectors until told to stop, or until none is left. An error when one failed for good.
pub fn run_connectors(
    worker: &WorkerConfig,
    sources: &[SourceConfig],
    stop: &Arc<AtomicBool>,
) -> Result<(), ConnectorFailed> {
    let files = &SharedFileStore::default();
    let results: Vec<Result<(), ConnectorFailed>> = std::thread::scope(|scope| {
        let threads: Vec<_> = sources
            .iter()
            .map(|source| {
                let config = Arc::new(source.clone());
                scope.spawn(move || {
                    let result = run_or_stand_by(&config, worker, files, stop);
                    result.map_err(|error| failed(&config, error))
                })
            })
            .collect();
        let panicked = || ConnectorFailed { connector: String::new(), error: TaskError::Panicked };
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Err(panicked()))).collect()
    });
    if stop.load(Ordering::Relaxed) {
        tracing::info!("stopped");
    }
    results.into_iter().find(Result::is_err).unwrap_or(Ok(()))
}

fn failed(config: &SourceConfig, error: TaskError) -> ConnectorFailed {
    tracing::error!(
        connector = config.connector_name.as_str(),
        error = chain(&error),
        remedy = error.remedy(),
        "the connector failed for good"
    );
    ConnectorFailed { connector: config.connector_name.clone(), error }
}
