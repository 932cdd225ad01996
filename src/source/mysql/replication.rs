//! Whether another server could take the place of this one, and nothing be lost or come twice: what `validate` and the start
//! warn of.
//!
//! A connector moves to another server of a topology by GTIDs. What it needs is that every transaction has one
//! (`gtid_mode`), that it is still in the new server's binlog (`log_replica_updates`, replication filters,
//! `binlog_expire_logs_seconds`), and that the server does not lose in a crash what it has sent (`sync_binlog`). A
//! replica whose workers commit in another order than the source (`replica_preserve_commit_order=OFF`) has gaps in its set
//! for a while. Sets with gaps are kept as they are, so nothing is lost; but changes of one row by two transactions may then
//! come in an order that the source never had.
//! Manual: "Replication and Binary Logging Options and Variables", "Replication with GTIDs".

use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::prerequisites::{Facts, Finding, Severity};
use crate::source::mysql::result_set::TextResult;
use crate::source::mysql::variables::ServerVariables;

/// Binlogs that are kept for less than this do not outlive a night.
const SHORT: u64 = 24 * 60 * 60;

/// What a server says of its own replication.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaStatus {
    /// How many sources it has; none for a server that is no replica.
    pub channels: usize,
    /// Its replication filters, as `Replicate_Do_DB=shop`.
    pub filters: Vec<String>,
}

impl ReplicaStatus {
    /// `SHOW REPLICA STATUS` (before 8.0.22 and on MariaDB `SHOW SLAVE STATUS`). Needs REPLICATION CLIENT; an account
    /// without it learns nothing.
    pub fn read(connection: &mut Connection) -> Result<Self, MySqlError> {
        let statement = if connection.server_version().is_mysql_from(8, 0, 22) {
            "SHOW REPLICA STATUS"
        } else {
            "SHOW SLAVE STATUS"
        };
        match connection.query(statement) {
            Ok(result) => Ok(ReplicaStatus::of(&result)),
            Err(error) if error.is_missing_privilege() => Ok(ReplicaStatus::default()),
            Err(error) => Err(error),
        }
    }

    fn of(result: &TextResult) -> Self {
        let mut filters = Vec::new();
        for row in 0..result.rows.len() {
            for column in result.columns.iter().filter(|column| {
                column.starts_with("Replicate_") && (column.contains("_Do_") || column.contains("_Ignore_"))
            }) {
                // `Replicate_Ignore_Server_Ids` leaves out no changes but those of a circle.
                let value = result.get(row, column).unwrap_or_default();
                if !value.is_empty() && column != "Replicate_Ignore_Server_Ids" {
                    filters.push(format!("{column}={value}"));
                }
            }
        }
        ReplicaStatus { channels: result.rows.len(), filters }
    }
}

/// What makes a failover from or to this server unsafe; all of it warnings.
pub fn failover_findings(facts: &Facts) -> Vec<Finding> {
    let variables = &facts.variables;
    let mut findings = Vec::new();
    let mut warn = |what, expected: &str, actual: String, remedy: &str| {
        findings.push(Finding {
            severity: Severity::Warning,
            what,
            expected: expected.to_owned(),
            actual,
            remedy: remedy.to_owned(),
        });
    };
    let shown = |value: &str| if value.is_empty() { "not set".to_owned() } else { value.to_owned() };
    if !facts.version.is_mariadb() && variables.has("gtid_mode") && !variables.gtid_mode_on() {
        warn(
            "gtid_mode",
            "ON, so that another server can take over",
            shown(variables.get("gtid_mode")),
            "SET PERSIST enforce_gtid_consistency = ON, then gtid_mode through OFF_PERMISSIVE and ON_PERMISSIVE to ON; the \
             connector goes on from file and position, and by GTIDs from the next binlog file on",
        );
    }
    if variables.log_bin() && variables.get("sync_binlog") == "0" {
        warn(
            "sync_binlog",
            "1, so that a crash loses no transaction that was published",
            "0".to_owned(),
            "SET PERSIST sync_binlog = 1",
        );
    }
    if let Some(seconds) = kept_for(variables).filter(|seconds| *seconds < SHORT) {
        warn(
            "binlog_expire_logs_seconds",
            "longer than the connector may be stopped, at least a day",
            format!("{seconds} s"),
            "SET PERSIST binlog_expire_logs_seconds = 259200",
        );
    }
    let Some(replica) = facts.replication.as_ref().filter(|replica| replica.channels > 0) else {
        return findings;
    };
    if !is_on(variables, ["log_replica_updates", "log_slave_updates"]) {
        warn(
            "log_replica_updates",
            "ON: without it the binlog of a replica has nothing of its source",
            "OFF".to_owned(),
            "start the server with log_replica_updates=ON (before 8.0.26 log_slave_updates=ON), or read from the source",
        );
    }
    let workers = either(variables, ["replica_parallel_workers", "slave_parallel_workers"]);
    if workers.parse().is_ok_and(|workers: u32| workers > 1)
        && !is_on(variables, ["replica_preserve_commit_order", "slave_preserve_commit_order"])
    {
        let tracking = variables.get("binlog_transaction_dependency_tracking");
        let tracking = match tracking {
            "" => String::new(),
            tracking => format!(", binlog_transaction_dependency_tracking={tracking}"),
        };
        warn(
            "replica_preserve_commit_order",
            "ON: else transactions come in another order than on the source",
            format!("OFF with {workers} workers{tracking}"),
            "STOP REPLICA SQL_THREAD; SET PERSIST replica_preserve_commit_order = ON (before 8.0.26 \
             slave_preserve_commit_order, with slave_parallel_type = LOGICAL_CLOCK); START REPLICA SQL_THREAD",
        );
    }
    if !replica.filters.is_empty() {
        warn(
            "replication filters",
            "none: what they leave out is not in this server's binlog",
            replica.filters.join(", "),
            "CHANGE REPLICATION FILTER to empty lists, or read from the source",
        );
    }
    findings
}

/// The newer name of a variable, or the older one.
fn either<'a>(variables: &'a ServerVariables, names: [&str; 2]) -> &'a str {
    let [newer, older] = names;
    if variables.has(newer) { variables.get(newer) } else { variables.get(older) }
}

fn is_on(variables: &ServerVariables, names: [&str; 2]) -> bool {
    matches!(either(variables, names).to_ascii_uppercase().as_str(), "ON" | "1")
}

/// How long binlogs are kept, in seconds; None is for ever. The older variable counts in days.
fn kept_for(variables: &ServerVariables) -> Option<u64> {
    let number = |name: &str| variables.get(name).parse::<f64>().ok().filter(|number| *number > 0.0);
    let automatic = variables.get("binlog_expire_logs_auto_purge");
    if automatic.eq_ignore_ascii_case("OFF") {
        return None;
    }
    let days = number("expire_logs_days").map(|days| days * 86_400.0);
    number("binlog_expire_logs_seconds").or(days).map(|seconds| seconds as u64)
}

#[cfg(test)]
mod tests;
