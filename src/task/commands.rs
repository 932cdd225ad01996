//! What the commands of the command line do.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::arguments::DemoArguments;
use crate::cli::plan::{DecodePlan, RunPlan};
use crate::cli::report::Finding;
use crate::cli::{CommandResult, Commands};
use crate::config::source::SourceConfig;
use crate::error::{Classify, chain};
use crate::file::shared_store::SharedFileStore;
use crate::source::coordinator::needs;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::prerequisites::check;
use crate::task::error::{ConnectorFailed, DecodeFailed, TaskError};
use crate::task::retry::with_retries;
use crate::task::shutdown::stop_on_signals;
use crate::task::source_task::attempt;
use crate::task::{decode, demo};

/// The commands, as the binary has them.
pub struct TaskCommands;

impl Commands for TaskCommands {
    fn run(&self, plan: RunPlan) -> CommandResult {
        let stop = stop_on_signals()?;
        Ok(run_connectors(&plan, &stop)?)
    }

    fn server_findings(&self, source: &SourceConfig) -> Result<Vec<Finding>, Box<dyn Error + Send + Sync>> {
        let mut connection = Connection::connect(&source.connection)?;
        let findings = check(&mut connection, &needs(source, None))?;
        let as_finding = |finding: crate::source::mysql::prerequisites::Finding| Finding {
            what: finding.what.to_owned(),
            expected: finding.expected,
            actual: finding.actual,
            remedy: finding.remedy,
        };
        Ok(findings.into_iter().map(as_finding).collect())
    }

    fn decode(&self, plan: DecodePlan) -> CommandResult {
        Ok(decode::decode(&plan).map_err(DecodeFailed)?)
    }

    fn demo(&self, arguments: DemoArguments) -> CommandResult {
        let stop = stop_on_signals()?;
        Ok(demo::demo(&arguments, &stop)?)
    }
}

/// Runs all connectors until told to stop; an error when one failed for good, once the others have ended too.
fn run_connectors(plan: &RunPlan, stop: &Arc<AtomicBool>) -> Result<(), ConnectorFailed> {
    let files = &SharedFileStore::default();
    let results: Vec<Result<(), ConnectorFailed>> = std::thread::scope(|scope| {
        let threads: Vec<_> = plan
            .sources
            .iter()
            .map(|source| {
                let config = Arc::new(source.clone());
                scope.spawn(move || {
                    let result = with_retries(&config, stop, || attempt(&config, &plan.worker, files, stop));
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
