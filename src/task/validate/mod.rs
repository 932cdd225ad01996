//! What a server lacks for a connector: the half of `tidewire validate` that asks the server.

pub mod sink;

pub use crate::sink::preflight::finding::{Finding as SinkFinding, Severity};

use crate::config::source::SourceConfig;
use crate::source::coordinator::needs;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::prerequisites::{Facts, Finding, judge};
use crate::source::mysql::replication::{ReplicaStatus, failover_findings};

/// Everything that is not as a start without a stored offset needs it, and what makes a failover unsafe.
pub fn server_findings(source: &SourceConfig) -> Result<Vec<Finding>, MySqlError> {
    let mut connection = Connection::connect(&source.connection)?;
    let needs = needs(source, None);
    let mut facts = Facts::read(&mut connection, &needs)?;
    facts.replication = Some(ReplicaStatus::read(&mut connection)?);
    let mut findings = judge(&facts, &needs);
    findings.extend(failover_findings(&facts));
    Ok(findings)
}
