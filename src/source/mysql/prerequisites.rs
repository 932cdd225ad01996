//! Whether a server can be captured at all: every condition is judged, and all that is wrong is told at once.
//!
//! The facts are read first (`Facts::read`), then judged without the server (`judge`).

use crate::offset::gtid::GtidSet;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::flavor::ServerVersion;
use crate::source::mysql::position::{GtidAvailability, binary_logs, gtid_availability};
use crate::source::mysql::privileges::Privileges;
use crate::source::mysql::replication::ReplicaStatus;
use crate::source::mysql::variables::ServerVariables;

/// Whether a finding prevents capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Capture would fail or lose data.
    Error,
    /// Something will be missing, or the snapshot will hold heavier locks.
    Warning,
}

/// One thing that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Which variable, privilege or position.
    pub what: &'static str,
    /// How it must be.
    pub expected: String,
    /// How it is.
    pub actual: String,
    /// What to do about it.
    pub remedy: String,
}

impl Finding {
    /// Whether capture can start all the same.
    pub fn is_warning(&self) -> bool {
        self.severity == Severity::Warning
    }
}

/// Without the remedy.
impl std::fmt::Display for Finding {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: expected {}, is {}", self.what, self.expected, self.actual)
    }
}

/// What the task is going to do with the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The user, for remedies.
    pub user: String,
    /// Rows will be read by a snapshot.
    pub snapshot_rows: bool,
    /// The snapshot takes locks.
    pub snapshot_locks: bool,
    /// The stored offset's file, when the stream goes on from there.
    pub offset_file: Option<String>,
    /// The transactions that were published at least in part; they decide instead of the file when the offset has a set
    /// and the server `gtid_mode=ON`.
    pub offset_gtids: Option<GtidSet>,
}

/// What is known of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The server's version.
    pub version: ServerVersion,
    /// Its variables.
    pub variables: ServerVariables,
    /// The account's privileges.
    pub privileges: Privileges,
    /// The binlogs that the server has; None when the account may not ask or no binlog is written.
    pub binary_logs: Option<Vec<String>>,
    /// How the stored GTID set stands; None when there is none or the server has no GTIDs.
    pub gtids: Option<GtidAvailability>,
    /// What it is a replica of; None where that was not asked for (`replication`).
    pub replication: Option<ReplicaStatus>,
}

impl Facts {
    /// Asks the server. What the account may not ask is left out, and shows as a missing privilege.
    pub fn read(connection: &mut Connection, needs: &Needs) -> Result<Self, MySqlError> {
        let variables = ServerVariables::read(connection)?;
        let privileges = Privileges::read(connection)?;
        let mut logs = None;
        if variables.log_bin() {
            logs = match binary_logs(connection) {
                Ok(found) => Some(found.into_iter().map(|log| log.name).collect()),
                Err(error) if error.is_missing_privilege() => None,
                Err(error) => return Err(error),
            };
        }
        let gtids = match &needs.offset_gtids {
            Some(set) if variables.gtid_mode_on() => {
                Some(gtid_availability(connection, set, variables.longest_commit())?)
            }
            _ => None,
        };
        let version = connection.server_version().clone();
        Ok(Facts { version, variables, privileges, binary_logs: logs, gtids, replication: None })
    }
}

/// Reads the facts and judges them.
pub fn check(connection: &mut Connection, needs: &Needs) -> Result<Vec<Finding>, MySqlError> {
    Ok(judge(&Facts::read(connection, needs)?, needs))
}

/// Everything that is not as it must be; empty when capture can start.
pub fn judge(facts: &Facts, needs: &Needs) -> Vec<Finding> {
    let mut findings = Vec::new();
    judge_variables(&facts.variables, &mut findings);
    judge_privileges(&facts.privileges, needs, &mut findings);
    findings.extend(lost_position(facts, needs));
    findings
}

/// Why the stream cannot go on from the stored offset; empty when it can.
pub fn lost_position(facts: &Facts, needs: &Needs) -> Vec<Finding> {
    let mut findings = Vec::new();
    if facts.variables.log_bin() {
        judge_position(facts, needs, &mut findings);
    }
    findings
}

fn judge_variables(variables: &ServerVariables, findings: &mut Vec<Finding>) {
    if !variables.log_bin() {
        findings.push(Finding {
            severity: Severity::Error,
            what: "log_bin",
            expected: "ON".into(),
            actual: shown(variables.get("log_bin")),
            remedy: "start the server with log_bin=binlog and a server_id".into(),
        });
    }
    if !variables.binlog_format().eq_ignore_ascii_case("ROW") && variables.has("binlog_format") {
        findings.push(Finding {
            severity: Severity::Error,
            what: "binlog_format",
            expected: "ROW".into(),
            actual: shown(variables.binlog_format()),
            remedy: "SET PERSIST binlog_format = ROW (before 8.0: SET GLOBAL and my.cnf), and let clients reconnect".into(),
        });
    }
    // Servers before 5.6 have no such variable and always write full images.
    if variables.has("binlog_row_image") {
        judge_row_image(variables.binlog_row_image(), findings);
    }
}

fn judge_row_image(row_image: &str, findings: &mut Vec<Finding>) {
    let (severity, lost) = match row_image.to_ascii_uppercase().as_str() {
        // MariaDB's FULL_NODUP leaves out of the image after only what the image before has.
        "FULL" | "FULL_NODUP" => return,
        "NOBLOB" => (
            Severity::Warning,
            "TEXT and BLOB columns that did not change are published as unavailable.value.placeholder",
        ),
        _ => (Severity::Error, "other images lack columns"),
    };
    findings.push(Finding {
        severity,
        what: "binlog_row_image",
        expected: "FULL".into(),
        actual: shown(row_image),
        remedy: format!(
            "SET PERSIST binlog_row_image = FULL (before 8.0: SET GLOBAL and my.cnf), and let clients reconnect; {lost}"
        ),
    });
}

fn judge_privileges(privileges: &Privileges, needs: &Needs, findings: &mut Vec<Finding>) {
    let user = &needs.user;
    let mut miss = |severity, what, name: &str| {
        findings.push(Finding {
            severity,
            what,
            expected: format!("privilege {name} ON *.*"),
            actual: "not granted".into(),
            remedy: format!("GRANT {name} ON *.* TO '{user}'"),
        });
    };
    if !privileges.can_replicate() {
        miss(Severity::Error, "privilege REPLICATION SLAVE", "REPLICATION SLAVE");
    }
    if !privileges.can_see_binlog_status() {
        miss(Severity::Error, "privilege REPLICATION CLIENT", "REPLICATION CLIENT");
    }
    if needs.snapshot_rows && !privileges.has_anywhere("SELECT") {
        miss(Severity::Error, "privilege SELECT", "SELECT");
    }
    if needs.snapshot_locks && !privileges.can_lock_globally() {
        // Without the global lock the captured tables are locked one by one, and for longer.
        if privileges.can_lock_tables() {
            miss(Severity::Warning, "privilege RELOAD", "RELOAD");
        } else {
            miss(Severity::Error, "privilege RELOAD", "RELOAD, LOCK TABLES");
        }
    }
}

fn judge_position(facts: &Facts, needs: &Needs, findings: &mut Vec<Finding>) {
    const SNAPSHOT: &str = "remove the stored offset and take a new snapshot";
    let mut lost = |what, expected: String, actual: &str, remedy: &str| {
        let (actual, remedy) = (actual.to_owned(), remedy.to_owned());
        findings.push(Finding { severity: Severity::Error, what, expected, actual, remedy });
    };
    // The facts may be of a set that is not needed after all.
    if let Some(gtids) = facts.gtids.as_ref().filter(|_| needs.offset_gtids.is_some()) {
        if !gtids.unknown.is_empty() {
            let remedy = format!(
                "connect to the server that the offset is from, or to one that has executed these transactions, too (a \
                 replica that lags will have); where they are lost, or the server was reset, what was published of \
                 them stays published: {SNAPSHOT}; gtid.source.excludes leaves out a source that does not matter"
            );
            let actual = format!("it has not executed {}", gtids.unknown);
            let expected = "the transactions of the stored offset executed by the server".into();
            lost("gtid_executed", expected, &actual, &remedy);
        }
        if !gtids.purged.is_empty() {
            let remedy = format!(
                "connect to a server that still has them, or {SNAPSHOT}; raise binlog_expire_logs_seconds above the longest \
                 stop; gtid.source.excludes leaves out a source that does not matter"
            );
            let actual = format!("{} is purged and was not read", gtids.purged);
            let expected = "the transactions behind the stored offset in the server's binlogs".into();
            lost("gtid_purged", expected, &actual, &remedy);
        }
        return;
    }
    if let (Some(file), Some(logs)) = (&needs.offset_file, &facts.binary_logs)
        && !file.is_empty()
        && !logs.contains(file)
    {
        let actual = match (logs.first(), logs.last()) {
            (Some(first), Some(last)) => format!("the server has {first} to {last}"),
            _ => "the server has none".to_owned(),
        };
        let remedy = format!("{SNAPSHOT}; raise binlog_expire_logs_seconds above the longest stop");
        lost("binlog file of the stored offset", file.clone(), &actual, &remedy);
    }
}

fn shown(value: &str) -> String {
    if value.is_empty() { "not set".to_owned() } else { value.to_owned() }
}

#[cfg(test)]
mod tests;
