//! Files → what a command is to do.
//!
//! All files are read first and all their problems reported together: of files that cannot be read, of placeholders,
//! of values, and of connectors that cannot run beside each other.

use std::path::{Path, PathBuf};

use crate::cli::arguments::{DecodeArguments, StartPosition};
use crate::cli::report::Finding;
use crate::config::error::ConfigError;
use crate::config::problem::Warning;
use crate::config::properties::Properties;
use crate::config::properties::placeholder::Providers;
use crate::config::source::SourceConfig;
use crate::config::worker::WorkerConfig;
use crate::error::{Classify, chain};

/// What `run` is to do.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The worker.
    pub worker: WorkerConfig,
    /// The connectors, in the order of the arguments.
    pub sources: Vec<SourceConfig>,
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

/// A plan with what is odd about it, or everything that is wrong.
pub type Planned<T> = Result<(T, Vec<Warning>), Vec<Finding>>;

/// Reads the files of `run` and `validate`.
pub fn run_plan(worker: Option<&Path>, connectors: &[PathBuf]) -> Planned<RunPlan> {
    let mut findings = Vec::new();
    let mut warnings = Vec::new();
    let mut worker = worker.map_or_else(Properties::new, |path| read(path, &mut findings));
    let providers = Providers::from_worker(&worker);
    findings.extend(worker.resolve(&providers).into_iter().map(Finding::from));
    let mut files: Vec<Properties> = connectors.iter().map(|path| read(path, &mut findings)).collect();
    if !findings.is_empty() && files.iter().any(|file| file.names().next().is_none()) {
        // A file that could not be read would be taken for an empty one.
        return Err(findings);
    }
    for file in &mut files {
        findings.extend(file.resolve(&providers).into_iter().map(Finding::from));
    }
    let worker = match WorkerConfig::from_properties(&worker, &files.iter().collect::<Vec<_>>()) {
        Ok((worker, odd)) => {
            warnings.extend(odd);
            Some(worker)
        }
        Err(problems) => {
            findings.extend(problems.into_iter().map(Finding::from));
            None
        }
    };
    let mut sources = Vec::new();
    for file in &files {
        match SourceConfig::from_properties(file, worker.as_ref()) {
            Ok((source, odd)) => {
                sources.push(source);
                warnings.extend(odd);
            }
            Err(problems) => findings.extend(problems.into_iter().map(Finding::from)),
        }
    }
    findings.extend(contradictions(&sources));
    match worker {
        Some(worker) if findings.is_empty() => Ok((RunPlan { worker, sources }, warnings)),
        _ => Err(findings),
    }
}

/// Reads the files of `decode`.
pub fn decode_plan(arguments: &DecodeArguments) -> Planned<DecodePlan> {
    let mut findings = Vec::new();
    let mut file = read(&arguments.config, &mut findings);
    findings.extend(file.resolve(&Providers::default()).into_iter().map(Finding::from));
    if !findings.is_empty() {
        return Err(findings);
    }
    let of_problems = |problems: Vec<_>| problems.into_iter().map(Finding::from).collect::<Vec<_>>();
    let (source, mut warnings) = SourceConfig::for_decode(&file).map_err(of_problems)?;
    let (worker, odd) = WorkerConfig::from_properties(&Properties::new(), &[&file]).map_err(of_problems)?;
    warnings.extend(odd);
    let plan = DecodePlan {
        source,
        worker,
        schema_history: arguments.schema_history.clone(),
        start_position: arguments.start_position.clone(),
        binlogs: arguments.binlogs.clone(),
    };
    Ok((plan, warnings))
}

fn read(path: &Path, findings: &mut Vec<Finding>) -> Properties {
    match Properties::read(path) {
        Ok(properties) => properties,
        Err(error) => {
            findings.push(unreadable(path, &error));
            Properties::new()
        }
    }
}

fn unreadable(path: &Path, error: &ConfigError) -> Finding {
    Finding {
        what: path.display().to_string(),
        expected: "a configuration as JSON or .properties".to_owned(),
        actual: chain(error),
        remedy: error.remedy().unwrap_or_else(|| "correct the file or its name".to_owned()),
    }
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
