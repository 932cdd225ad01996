//! What the commands do: the tasks behind them.

use std::error::Error;

use crate::cli::arguments::DemoArguments;
use crate::cli::arguments::history::HistoryCommand;
use crate::cli::arguments::sink::SinkCommand;
use crate::cli::plan::{DecodePlan, HistoryPlan, RunPlan, SinkPlan};
use crate::cli::report::Finding;
use crate::cli::{CommandResult, Commands};
use crate::config::sink::SinkConfig;
use crate::config::source::SourceConfig;
use crate::config::worker::WorkerConfig;
use crate::error::{Classify, chain};
use crate::task::decode::{Decode, decode};
use crate::task::demo::mirror::{Mirror, mirror};
use crate::task::demo::{Demo, demo};
use crate::task::error::{ConnectorFailed, DecodeFailed};
use crate::task::history::{HistoryFailed, Subject, TablePatterns, compact, show, verify};
use crate::task::quarantine::{retry_quarantine, show_quarantine};
use crate::task::run::run_connectors;
use crate::task::shutdown::{end_in_time, stop_on_signals};
use crate::task::validate::sink::sink_findings;
use crate::task::validate::{Severity, server_findings};

/// The commands, as the binary has them.
pub struct TaskCommands;

impl Commands for TaskCommands {
    fn run(&self, plan: RunPlan) -> CommandResult {
        let stop = stop_on_signals()?;
        let _until_the_end = end_in_time(&stop)?;
        Ok(run_connectors(&plan.worker, &plan.sources, &plan.sinks, &stop)?)
    }

    fn server_findings(&self, source: &SourceConfig) -> Result<Vec<Finding>, Box<dyn Error + Send + Sync>> {
        let found = match server_findings(source) {
            Ok(found) => found,
            Err(error) => {
                let Some(remedy) = error.remedy() else { return Err(error.into()) };
                let what = format!("server {}:{}", source.connection.hostname, source.connection.port);
                let expected = "a server that can be asked".to_owned();
                return Ok(vec![Finding {
                    what,
                    expected,
                    actual: chain(&error),
                    remedy,
                    severity: Severity::Error,
                }]);
            }
        };
        let findings = found.into_iter().map(|finding| Finding {
            severity: if finding.is_warning() { Severity::Warning } else { Severity::Error },
            what: finding.what.to_owned(),
            expected: finding.expected,
            actual: finding.actual,
            remedy: finding.remedy,
        });
        Ok(findings.collect())
    }

    fn sink_findings(&self, sink: &SinkConfig, worker: &WorkerConfig) -> Vec<Finding> {
        let found = sink_findings(sink, worker).into_iter();
        let finding = |found: crate::task::validate::SinkFinding| Finding {
            what: found.what,
            expected: found.expected,
            actual: found.actual,
            remedy: found.remedy,
            severity: found.severity,
        };
        found.map(finding).collect()
    }

    fn decode(&self, plan: DecodePlan) -> CommandResult {
        let done = decode(&Decode {
            source: plan.source,
            schema_history: plan.schema_history,
            start: plan.start_position.map(|start| (start.file, start.position)),
            binlogs: plan.binlogs,
        });
        Ok(done.map_err(DecodeFailed)?)
    }

    fn history(&self, plan: HistoryPlan) -> Result<(String, bool), Box<dyn Error + Send + Sync>> {
        let stop = stop_on_signals()?;
        let subject = Subject { source: &plan.source, worker: &plan.worker, stop: &stop };
        let done = match &plan.command {
            HistoryCommand::Show(look) => {
                let (position, tables) = (look.position.parse()?, TablePatterns::new(&look.tables)?);
                show(&subject, &position, &tables, look.json).map(|text| (text, true))
            }
            HistoryCommand::Verify(look) => {
                let (position, tables) = (look.position.parse()?, TablePatterns::new(&look.tables)?);
                verify(&subject, &position, &tables, look.json)
                    .map(|verified| (verified.text, verified.differences == 0))
            }
            HistoryCommand::Compact(arguments) => {
                compact(&subject, &arguments.to, arguments.delete_old).map(|done| (done.to_string(), true))
            }
        };
        Ok(done.map_err(HistoryFailed)?)
    }

    fn sink(&self, plan: SinkPlan) -> Result<(String, bool), Box<dyn Error + Send + Sync>> {
        let stop = stop_on_signals()?;
        let SinkPlan { worker, sink, command } = plan;
        let table = command.arguments().table.as_deref();
        let done = match &command {
            SinkCommand::Quarantine(_) => show_quarantine(&sink, table).map(|text| (text, true)),
            SinkCommand::RetryQuarantine(_) => retry_quarantine(&sink, &worker, table, &stop),
        };
        Ok(done.map_err(|error| ConnectorFailed { connector: sink.name, error })?)
    }

    fn demo(&self, arguments: DemoArguments) -> CommandResult {
        let stop = stop_on_signals()?;
        let password = arguments.password_env.as_ref().and_then(|name| std::env::var(name).ok());
        let server = Demo {
            host: arguments.mysql.host,
            port: arguments.mysql.port,
            user: arguments.user,
            password: password.unwrap_or_default(),
            follow: arguments.follow,
        };
        match (arguments.kafka, arguments.clickhouse) {
            (Some(kafka), Some(clickhouse)) => Ok(mirror(&server, &Mirror { kafka, clickhouse }, &stop)?),
            _ => Ok(demo(&server, &stop)?),
        }
    }
}
