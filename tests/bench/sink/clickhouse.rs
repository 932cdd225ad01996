//! ClickHouse by HTTP.

use std::fs;
use std::time::Duration;

use crate::process::Usage;
use crate::records::{DATABASE, Rows, SUMS};
use crate::{Result, variable};

/// The server that `tests/run` started.
pub struct ClickHouse {
    pub address: String,
    agent: ureq::Agent,
    pid: u32,
}

impl ClickHouse {
    pub fn from_environment() -> Result<Self> {
        let pid = fs::read_to_string(format!("{}/pid", variable("TIDEWIRE_CLICKHOUSE_DIR")?))?;
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        Ok(ClickHouse {
            address: variable("TIDEWIRE_CLICKHOUSE")?,
            agent: ureq::Agent::new_with_config(config),
            pid: pid.trim().parse()?,
        })
    }

    /// Runs a statement; what it prints.
    pub fn run(&self, sql: &str) -> Result<String> {
        self.post("", sql.as_bytes())
    }

    /// Runs a statement that stands in the URL's `query`, with a body of rows.
    pub fn insert(&self, encoded: &str, rows: &[u8]) -> Result<()> {
        self.post(&format!("?query={encoded}"), rows).map(|_| ())
    }

    fn post(&self, query: &str, body: &[u8]) -> Result<String> {
        let mut answer = self.agent.post(format!("http://{}/{query}", self.address)).send(body)?;
        let text = answer.body_mut().read_to_string()?.trim().to_owned();
        if answer.status().is_success() {
            Ok(text)
        } else {
            Err(format!("{query}: {}", text.chars().take(500).collect::<String>()).into())
        }
    }

    /// CPU time that the server has used so far.
    pub fn cpu(&self) -> Result<Duration> {
        Ok(Usage::of(self.pid)?.cpu)
    }

    /// A server without the tables of an earlier run.
    pub fn clear(&self) -> Result<()> {
        self.run(&format!("DROP DATABASE IF EXISTS {DATABASE} SYNC"))?;
        self.run("DROP DATABASE IF EXISTS _tidewire SYNC").map(|_| ())
    }

    /// Rows of a table that may not be there yet.
    pub fn stored(&self, table: &str) -> Result<u64> {
        let rows = format!(
            "SELECT ifNull(sum(total_rows), 0) FROM system.tables WHERE database = '{DATABASE}' AND name = '{table}'"
        );
        Ok(self.run(&rows)?.parse()?)
    }

    /// Whether a table has the rows, each once, with their values.
    pub fn compare(&self, table: &str, rows: &Rows) -> Result<()> {
        let found = self.run(&format!("SELECT {SUMS} FROM {DATABASE}.{table} FINAL WHERE _deleted = 0"))?;
        let wanted = rows.sums();
        if found == wanted {
            Ok(())
        } else {
            Err(format!(
                "{DATABASE}.{table} has not the rows that were published:\n{SUMS}\n{found}\nwanted:\n{wanted}"
            )
            .into())
        }
    }
}
