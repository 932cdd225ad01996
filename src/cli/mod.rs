//! The command line: arguments, configuration files, exit codes, and what people read.
//!
//! `arguments` is the grammar, `plan` reads the files that a command names, `report` prints problems. What a command
//! does is behind `Commands`, which `main` hands over. Problems go to standard error (for `validate`, whose result
//! they are, to standard output) and are never cut short by the first one.

use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

use crate::cli::arguments::{Command, DemoArguments, ValidateArguments};
use crate::cli::plan::{
    DecodePlan, HistoryPlan, Planned, RunPlan, SinkPlan, decode_plan, history_plan, run_plan, sink_plan,
};
use crate::cli::report::{Finding, blocks, verdict};
use crate::config::problem::Warning;
use crate::config::sink::SinkConfig;
use crate::config::source::SourceConfig;
use crate::config::worker::WorkerConfig;
use crate::error::chain;
use crate::task::validate::Severity;
use crate::telemetry::logging::{self, LogFormat};

pub mod arguments;
pub mod commands;
pub mod plan;
pub mod report;

/// The exit code when a connector failed for good.
const FAILED: u8 = 1;

/// The exit code when arguments or configuration are wrong.
const WRONG_CONFIGURATION: u8 = 2;

/// How a command ended: an error has failed for good.
pub type CommandResult = Result<(), Box<dyn Error + Send + Sync>>;

/// What the commands do once their files are read.
pub trait Commands {
    /// Runs connectors until told to stop.
    fn run(&self, plan: RunPlan) -> CommandResult;

    /// What a server lacks for a connector, all of it; an error when the server cannot be asked.
    fn server_findings(&self, source: &SourceConfig) -> Result<Vec<Finding>, Box<dyn Error + Send + Sync>>;

    /// What is not as a sink needs it: at ClickHouse, at Kafka, and in the records that are there.
    fn sink_findings(&self, sink: &SinkConfig, worker: &WorkerConfig) -> Vec<Finding>;

    /// Decodes binlog files.
    fn decode(&self, plan: DecodePlan) -> CommandResult;

    /// Carries out a history command; gives what to print, and whether all is well.
    fn history(&self, plan: HistoryPlan) -> Result<(String, bool), Box<dyn Error + Send + Sync>>;

    /// Carries out a command about a sink; gives what to print, and whether all is well.
    fn sink(&self, plan: SinkPlan) -> Result<(String, bool), Box<dyn Error + Send + Sync>>;

    /// Runs the demonstration.
    fn demo(&self, arguments: DemoArguments) -> CommandResult;
}

/// Runs the program: the first argument is its name.
pub fn run<I, T>(arguments: I, commands: &impl Commands) -> ExitCode
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let command = match arguments::parse(arguments) {
        Ok(command) => command,
        Err(error) => {
            // A closed pipe is no reason to change the exit code.
            let _ = error.print();
            return ExitCode::from(if error.exit_code() == 0 { 0 } else { WRONG_CONFIGURATION });
        }
    };
    ExitCode::from(execute(command, commands))
}

fn execute(command: Command, commands: &impl Commands) -> u8 {
    match command {
        Command::Run(arguments) => {
            let planned = run_plan(arguments.worker.as_deref(), &arguments.connectors);
            start(planned, |plan| log_format(plan.worker.json_log), |plan| commands.run(plan))
        }
        Command::Validate(arguments) => {
            let (text, code) = validate(&arguments, commands);
            // A closed pipe is no reason to change the exit code.
            let _ = std::io::stdout().write_all(text.as_bytes());
            code
        }
        Command::Decode(arguments) => {
            let planned = decode_plan(&arguments);
            start(planned, |plan| log_format(plan.worker.json_log), |plan| commands.decode(plan))
        }
        Command::History(command) => {
            let format = |plan: &HistoryPlan| log_format(plan.worker.json_log);
            tell(history_plan(command), format, |plan| commands.history(plan))
        }
        Command::Sink(command) => {
            let format = |plan: &SinkPlan| log_format(plan.worker.json_log);
            tell(sink_plan(command), format, |plan| commands.sink(plan))
        }
        Command::Demo(arguments) => {
            let planned = Planned { plan: Some(arguments), findings: Vec::new(), warnings: Vec::new() };
            start(planned, |_| LogFormat::Text, |arguments| commands.demo(arguments))
        }
    }
}

fn log_format(json: bool) -> LogFormat {
    if json { LogFormat::Json } else { LogFormat::Text }
}

/// Carries out a plan and prints what it gives; all may not be well.
fn tell<T>(
    planned: Planned<T>,
    format: impl Fn(&T) -> LogFormat,
    go: impl FnOnce(T) -> Result<(String, bool), Box<dyn Error + Send + Sync>>,
) -> u8 {
    let mut code = 0;
    let ended = start(planned, format, |plan| {
        let (text, well) = go(plan)?;
        // A closed pipe is no reason to change the exit code.
        let _ = std::io::stdout().write_all(text.as_bytes());
        code = if well { 0 } else { FAILED };
        Ok(())
    });
    if ended == 0 { code } else { ended }
}

/// Sets up the log and carries out a plan, or prints why there is none.
fn start<T>(
    planned: Planned<T>,
    format: impl Fn(&T) -> LogFormat,
    go: impl FnOnce(T) -> CommandResult,
) -> u8 {
    let Some(plan) = planned.plan else {
        let mut text = blocks(&planned.findings);
        for warning in &planned.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        let plural = if planned.findings.len() == 1 { "" } else { "s" };
        let _ = write!(text, "tidewire: {} problem{plural} in the configuration", planned.findings.len());
        complain(&text);
        return WRONG_CONFIGURATION;
    };
    if let Err(error) = logging::init(format(&plan)) {
        complain(&format!("tidewire: {}", chain(&error)));
        return WRONG_CONFIGURATION;
    }
    for Warning { property, text, .. } in &planned.warnings {
        tracing::warn!(property, reason = text, "odd configuration");
    }
    match go(plan) {
        Ok(()) => 0,
        Err(error) => {
            complain(&format!("tidewire: {}", chain(error.as_ref())));
            FAILED
        }
    }
}

/// A text and a line end to standard error, which may be closed.
fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// What `validate` prints, and its exit code.
fn validate(arguments: &ValidateArguments, commands: &impl Commands) -> (String, u8) {
    let planned = run_plan(arguments.worker.as_deref(), std::slice::from_ref(&arguments.connector));
    let mut text = String::new();
    let mut findings = planned.findings;
    for warning in planned.warnings {
        if !warning.unknown_property {
            let _ = writeln!(text, "warning: {warning}\n");
            continue;
        }
        findings.push(Finding {
            what: warning.property,
            expected: "the name of a property".to_owned(),
            actual: warning.text,
            remedy: "correct the name, or remove the property".to_owned(),
            severity: Severity::Error,
        });
    }
    match planned.plan {
        None => text.push_str("the server was not asked, as the configuration has problems\n\n"),
        Some(plan) => {
            for source in &plan.sources {
                findings.extend(ask_server(source, commands));
            }
            for sink in &plan.sinks {
                findings.extend(commands.sink_findings(sink, &plan.worker));
            }
        }
    }
    text.push_str(&blocks(&findings));
    let problems = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    text.push_str(&verdict(problems));
    text.push('\n');
    (text, if problems == 0 { 0 } else { WRONG_CONFIGURATION })
}

fn ask_server(source: &SourceConfig, commands: &impl Commands) -> Vec<Finding> {
    commands.server_findings(source).unwrap_or_else(|error| {
        vec![Finding {
            what: format!("server {}:{}", source.connection.hostname, source.connection.port),
            expected: "a server that can be asked".to_owned(),
            actual: chain(error.as_ref()),
            remedy: "make the server reachable with this configuration".to_owned(),
            severity: Severity::Error,
        }]
    })
}

#[cfg(test)]
mod tests;
