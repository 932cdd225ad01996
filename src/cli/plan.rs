//! Files → what a command is to do.
//!
//! All files are read first and all their problems reported together: of files that cannot be read, of placeholders,
//! of values, and of connectors that cannot run beside each other.

use std::path::{Path, PathBuf};

use crate::cli::arguments::history::HistoryCommand;
use crate::cli::arguments::sink::SinkCommand;
use crate::cli::arguments::{DecodeArguments, StartPosition};
use crate::cli::report::Finding;
use crate::config::error::ConfigError;
use crate::config::problem::{Examined, Warning};
use crate::config::properties::Properties;
use crate::config::properties::placeholder::Providers;
use crate::config::sink::{SinkConfig, is_sink_class};
use crate::config::source::SourceConfig;
use crate::config::worker::{HomeConfig, WorkerConfig};
use crate::error::{Classify, chain};
use crate::task::validate::Severity;

/// What `run` is to do.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The worker.
    pub worker: WorkerConfig,
    /// The source connectors, in the order of the arguments.
    pub sources: Vec<SourceConfig>,
    /// The sink connectors, likewise.
    pub sinks: Vec<SinkConfig>,
}

/// What `decode` is to do.
#[derive(Clone, Debug)]
pub struct DecodePlan {
    /// The connector whose records are wanted.
    pub source: SourceConfig,
    /// Where they go: always files or standard output.
    pub worker: WorkerConfig,
    /// The schema history file.
    pub schema_history: Option<PathBuf>,
    /// Where to start.
    pub start_position: Option<StartPosition>,
    /// The binlog files, in order.
    pub binlogs: Vec<PathBuf>,
}

/// What `history` is to do.
#[derive(Clone, Debug)]
pub struct HistoryPlan {
    /// The worker.
    pub worker: WorkerConfig,
    /// The connector.
    pub source: SourceConfig,
    /// The command.
    pub command: HistoryCommand,
}

/// What `sink` is to do.
#[derive(Clone, Debug)]
pub struct SinkPlan {
    /// The worker.
    pub worker: WorkerConfig,
    /// The connector.
    pub sink: SinkConfig,
    /// The command.
    pub command: SinkCommand,
}

/// A plan, unless something is wrong; what is wrong; what is odd.
#[derive(Debug)]
pub struct Planned<T> {
    /// The plan; none when there are findings.
    pub plan: Option<T>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What is odd.
    pub warnings: Vec<Warning>,
}

/// The findings and warnings of files as they are read.
#[derive(Default)]
struct Examination {
    findings: Vec<Finding>,
    warnings: Vec<Warning>,
}

impl Examination {
    /// A file's properties with placeholders resolved; none when it cannot be read.
    fn properties(&mut self, path: &Path) -> Option<Properties> {
        match Properties::read(path) {
            Ok(properties) => Some(properties),
            Err(error) => {
                self.findings.push(unreadable(path, &error));
                None
            }
        }
    }

    fn resolve(&mut self, properties: &mut Properties, providers: &Providers) {
        self.findings.extend(properties.resolve(providers).into_iter().map(Finding::from));
    }

    fn take<T>(&mut self, examined: Examined<T>) -> Option<T> {
        self.findings.extend(examined.problems.into_iter().map(Finding::from));
        self.warnings.extend(examined.warnings);
        examined.config
    }

    fn plan<T>(self, plan: Option<T>) -> Planned<T> {
        let plan = plan.filter(|_| self.findings.is_empty());
        Planned { plan, findings: self.findings, warnings: self.warnings }
    }
}

/// Reads the files of `run` and `validate`.
pub fn run_plan(worker: Option<&Path>, connectors: &[PathBuf]) -> Planned<RunPlan> {
    let mut examination = Examination::default();
    let worker = worker.map_or_else(|| Some(Properties::new()), |path| examination.properties(path));
    let mut files: Vec<Properties> =
        connectors.iter().filter_map(|path| examination.properties(path)).collect();
    let Some(mut worker) = worker else {
        // What the connectors mean depends on the worker.
        return examination.plan(None);
    };
    let providers = Providers::from_worker(&worker);
    examination.resolve(&mut worker, &providers);
    for file in &mut files {
        examination.resolve(file, &providers);
    }
    let worker = examination.take(WorkerConfig::examine(&worker, &files.iter().collect::<Vec<_>>()));
    let (of_sinks, of_sources): (Vec<&Properties>, Vec<&Properties>) =
        files.iter().partition(|file| is_sink(file));
    let sinks: Vec<SinkConfig> =
        of_sinks.iter().filter_map(|file| examination.take(SinkConfig::examine(file))).collect();
    let sources: Vec<SourceConfig> = of_sources
        .iter()
        .filter_map(|file| examination.take(SourceConfig::examine(file, worker.as_ref())))
        .collect();
    examination.findings.extend(contradictions(&sources));
    examination.findings.extend(sink_contradictions(&sources, &sinks));
    if !sinks.is_empty() && worker.as_ref().is_some_and(|worker| matches!(worker.home, HomeConfig::File(_))) {
        examination.findings.push(Finding {
            what: "bootstrap.servers".to_owned(),
            expected: "brokers, which a sink consumes from".to_owned(),
            actual: "none".to_owned(),
            remedy: "set bootstrap.servers in the worker's properties (--worker)".to_owned(),
            severity: Severity::Error,
        });
    }
    if worker.as_ref().is_some_and(|worker| matches!(worker.home, HomeConfig::File(_))) {
        examination.findings.extend(shared_files(&sources));
    }
    examination.plan(worker.map(|worker| RunPlan { worker, sources, sinks }))
}

/// Reads the files of `decode`.
pub fn decode_plan(arguments: &DecodeArguments) -> Planned<DecodePlan> {
    let mut examination = Examination::default();
    let Some(mut file) = examination.properties(&arguments.config) else {
        return examination.plan(None);
    };
    examination.resolve(&mut file, &Providers::default());
    let source = examination.take(SourceConfig::examine_for_decode(&file));
    let worker = examination.take(WorkerConfig::examine(&Properties::new(), &[&file]));
    let plan = source.zip(worker).map(|(source, worker)| DecodePlan {
        source,
        worker,
        schema_history: arguments.schema_history.clone(),
        start_position: arguments.start_position.clone(),
        binlogs: arguments.binlogs.clone(),
    });
    examination.plan(plan)
}

/// Reads the files of `history`.
pub fn history_plan(command: HistoryCommand) -> Planned<HistoryPlan> {
    let files = command.files();
    let mut run = run_plan(files.worker.as_deref(), std::slice::from_ref(&files.connector));
    let plan = run
        .plan
        .take()
        .and_then(|RunPlan { worker, sources, .. }| Some((worker, sources.into_iter().next()?)));
    if plan.is_none() && run.findings.is_empty() {
        run.findings.push(of_another_class(&files.connector, ["source", "sink"]));
    }
    let plan = plan.map(|(worker, source)| HistoryPlan { worker, source, command });
    Planned { plan, findings: run.findings, warnings: run.warnings }
}

fn of_another_class(file: &Path, [expected, actual]: [&str; 2]) -> Finding {
    Finding {
        what: format!("connector.class of {}", file.display()),
        expected: format!("that of a {expected} connector"),
        actual: format!("that of a {actual} connector"),
        remedy: format!("name the file of the {expected}"),
        severity: Severity::Error,
    }
}

/// Reads the files of `sink`.
pub fn sink_plan(command: SinkCommand) -> Planned<SinkPlan> {
    let files = &command.arguments().files;
    let mut run = run_plan(files.worker.as_deref(), std::slice::from_ref(&files.connector));
    let plan =
        run.plan.take().and_then(|RunPlan { worker, sinks, .. }| Some((worker, sinks.into_iter().next()?)));
    if plan.is_none() && run.findings.is_empty() {
        run.findings.push(of_another_class(&files.connector, ["sink", "source"]));
    }
    let plan = plan.map(|(worker, sink)| SinkPlan { worker, sink, command });
    Planned { plan, findings: run.findings, warnings: run.warnings }
}

/// Whether a connector's file is that of a sink. A class that is neither is refused among the sources.
fn is_sink(file: &Properties) -> bool {
    file.get("connector.class").is_some_and(|class| is_sink_class(class.trim()))
}

/// Connectors of one process with the same name share a group, or a place in the log.
fn sink_contradictions(sources: &[SourceConfig], sinks: &[SinkConfig]) -> Vec<Finding> {
    let mut names: Vec<&str> = sources.iter().map(|source| source.connector_name.as_str()).collect();
    let mut findings = Vec::new();
    for sink in sinks {
        if names.contains(&sink.name.as_str()) {
            findings.push(Finding {
                what: format!("name = {}", sink.name),
                expected: "a name of its own for each connector".to_owned(),
                actual: format!("another connector {} has it, too", sink.name),
                remedy: "set name".to_owned(),
                severity: Severity::Error,
            });
        }
        names.push(&sink.name);
    }
    findings
}

fn unreadable(path: &Path, error: &ConfigError) -> Finding {
    Finding {
        what: path.display().to_string(),
        expected: "a configuration as JSON or .properties".to_owned(),
        actual: chain(error),
        remedy: error.remedy().unwrap_or_else(|| "correct the file or its name".to_owned()),
        severity: Severity::Error,
    }
}

/// Connectors of one process with the same topics would write the same files.
fn shared_files(sources: &[SourceConfig]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let earlier = sources.get(..index).unwrap_or_default();
        if let Some(other) = earlier.iter().find(|other| other.topic_prefix == source.topic_prefix) {
            findings.push(Finding {
                what: format!("topic.prefix = {} (connector {})", source.topic_prefix, source.connector_name),
                expected: "a prefix of its own for each connector that writes files".to_owned(),
                actual: format!("connector {} has it, too", other.connector_name),
                remedy: "set topic.prefix".to_owned(),
                severity: Severity::Error,
            });
        }
    }
    findings
}

/// Connectors of one process with the same name share an offset; with the same server id on the same server, the server
/// ends one connection whenever the other is made.
fn contradictions(sources: &[SourceConfig]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let earlier = sources.get(..index).unwrap_or_default();
        let finding = |what: String, expected: &str, other: &SourceConfig, remedy: &str| Finding {
            what,
            expected: expected.to_owned(),
            actual: format!("connector {} has it, too", other.connector_name),
            remedy: remedy.to_owned(),
            severity: Severity::Error,
        };
        if let Some(other) = earlier.iter().find(|other| other.connector_name == source.connector_name) {
            let what = format!("name = {}", source.connector_name);
            findings.push(finding(what, "a name of its own for each connector", other, "set name"));
        }
        let same_replica = |other: &&SourceConfig| {
            let (one, two) = (&other.connection, &source.connection);
            one.server_id == two.server_id && one.hostname == two.hostname && one.port == two.port
        };
        if let Some(other) = earlier.iter().find(same_replica) {
            let what = format!(
                "database.server.id = {} (connector {})",
                source.connection.server_id, source.connector_name
            );
            let expected = "an id that no other replica of the server has";
            findings.push(finding(what, expected, other, "set database.server.id to a number of its own"));
        }
    }
    findings
}
