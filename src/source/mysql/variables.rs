//! The server's global variables, as far as they decide what we do.

use std::collections::HashMap;
use std::time::Duration;

use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;

/// `SHOW GLOBAL VARIABLES`. What a server does not have is the empty string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerVariables {
    values: HashMap<String, String>,
}

impl ServerVariables {
    /// Asks the server for all of them at once.
    pub fn read(connection: &mut Connection) -> Result<Self, MySqlError> {
        let result = connection.query("SHOW GLOBAL VARIABLES")?;
        Ok(result
            .rows
            .into_iter()
            .filter_map(|row| {
                let mut cells = row.into_iter();
                Some((cells.next()??.to_ascii_lowercase(), cells.next()?.unwrap_or_default()))
            })
            .collect())
    }

    /// The value of a variable, by its name in lower case.
    pub fn get(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// Whether the server has such a variable.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    fn is_on(&self, name: &str) -> bool {
        matches!(self.get(name).to_ascii_uppercase().as_str(), "ON" | "1")
    }

    /// `explicit_defaults_for_timestamp`; a server that has lost the variable behaves as if it were on.
    pub fn explicit_defaults_for_timestamp(&self) -> bool {
        !self.has("explicit_defaults_for_timestamp") || self.is_on("explicit_defaults_for_timestamp")
    }

    /// `log_bin`: whether a binlog is written.
    pub fn log_bin(&self) -> bool {
        self.is_on("log_bin")
    }

    /// `binlog_format`: `ROW`, `STATEMENT` or `MIXED`.
    pub fn binlog_format(&self) -> &str {
        self.get("binlog_format")
    }

    /// `binlog_row_image`: `FULL`, `MINIMAL` or `NOBLOB`.
    pub fn binlog_row_image(&self) -> &str {
        self.get("binlog_row_image")
    }

    /// `binlog_row_metadata`: `MINIMAL` or `FULL`; empty before 8.0.1.
    pub fn binlog_row_metadata(&self) -> &str {
        self.get("binlog_row_metadata")
    }

    /// `gtid_mode` = `ON`. MariaDB has no such variable.
    pub fn gtid_mode_on(&self) -> bool {
        self.is_on("gtid_mode")
    }

    /// How long a transaction may be in the binlog before the server counts it as executed: a second, or what a server
    /// with semi-synchronous replication waits for its replicas (the variables' older names are those before 8.0.26).
    pub fn longest_commit(&self) -> Duration {
        let semi_sync = |role: &str| {
            let on = self.is_on(&format!("rpl_semi_sync_{role}_enabled"));
            let timeout = self.get(&format!("rpl_semi_sync_{role}_timeout")).parse().ok();
            timeout.filter(|_| on).map(Duration::from_millis)
        };
        let waits = semi_sync("source").or_else(|| semi_sync("master")).unwrap_or_default();
        waits.min(Duration::from_secs(60)) + Duration::from_secs(1)
    }

    /// `server_uuid`.
    pub fn server_uuid(&self) -> &str {
        self.get("server_uuid")
    }

    /// `server_id`.
    pub fn server_id(&self) -> Option<u32> {
        self.get("server_id").parse().ok()
    }

    /// `system_time_zone`.
    pub fn system_time_zone(&self) -> &str {
        self.get("system_time_zone")
    }

    /// `time_zone`, with `system_time_zone` in the place of `SYSTEM`.
    pub fn time_zone(&self) -> &str {
        match self.get("time_zone") {
            zone if zone.eq_ignore_ascii_case("SYSTEM") => self.get("system_time_zone"),
            zone => zone,
        }
    }

    /// `lower_case_table_names`: 0 names are kept and compared exactly, 1 stored in lower case, 2 kept and compared
    /// in lower case.
    pub fn lower_case_table_names(&self) -> u8 {
        self.get("lower_case_table_names").parse().unwrap_or(0)
    }

    /// `sql_mode`.
    pub fn sql_mode(&self) -> &str {
        self.get("sql_mode")
    }

    /// `character_set_server`.
    pub fn character_set_server(&self) -> &str {
        self.get("character_set_server")
    }

    /// `collation_server`.
    pub fn collation_server(&self) -> &str {
        self.get("collation_server")
    }

    /// `gtid_purged`, newlines removed; on MariaDB empty.
    pub fn gtid_purged(&self) -> String {
        self.get("gtid_purged").replace(['\n', ' '], "")
    }

    /// `gtid_executed`, newlines removed; on MariaDB empty.
    pub fn gtid_executed(&self) -> String {
        self.get("gtid_executed").replace(['\n', ' '], "")
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for ServerVariables {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        ServerVariables {
            values: pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_read_by_meaning() {
        let variables: ServerVariables = [
            ("log_bin", "ON"),
            ("gtid_mode", "OFF_PERMISSIVE"),
            ("time_zone", "SYSTEM"),
            ("system_time_zone", "UTC"),
            ("lower_case_table_names", "2"),
            ("gtid_purged", "a:1-3,\nb:1"),
        ]
        .into_iter()
        .collect();
        assert!(variables.log_bin() && !variables.gtid_mode_on());
        assert_eq!((variables.time_zone(), variables.lower_case_table_names()), ("UTC", 2));
        assert_eq!(variables.gtid_purged(), "a:1-3,b:1");
        assert_eq!((variables.binlog_format(), variables.server_id()), ("", None));
    }
}
