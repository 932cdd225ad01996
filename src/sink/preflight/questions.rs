//! Questions to a server, some of which its user may not ask.
//!
//! Much of what is good to know stands in `system` tables that a user of the sink needs for nothing else. Where they are
//! closed to it, or a server is too old to have them, that is said once for each, as information, and the check is left out.

use serde::de::DeserializeOwned;

use crate::sink::clickhouse::client::{Client, Query};
use crate::sink::preflight::finding::{Finding, Severity};

/// ACCESS_DENIED.
pub(super) const ACCESS_DENIED: u32 = 497;
/// SYNTAX_ERROR, UNKNOWN_TABLE, UNKNOWN_IDENTIFIER, UNKNOWN_FUNCTION: a server that does not have it yet.
const NOT_YET: [u32; 4] = [62, 60, 47, 46];

/// A server, and what was found at it.
pub(super) struct Questions<'a> {
    pub(super) client: &'a Client,
    pub(super) found: Vec<Finding>,
}

impl Questions<'_> {
    /// Puts a question about a `system` table; nothing when there is no answer, which is among the findings then.
    pub(super) fn ask<T: DeserializeOwned>(
        &mut self,
        table: &str,
        sql: &str,
        settings: &[(&str, &str)],
    ) -> Option<Vec<T>> {
        let what = format!("read system.{table}");
        let error = match self.client.rows(Query::new(&what, sql).with(settings)) {
            Ok(rows) => return Some(rows),
            Err(error) => error,
        };
        let code = error.exception().and_then(|exception| exception.code);
        let what = format!("system.{table}");
        self.found.push(match code {
            Some(ACCESS_DENIED) => Finding::new(
                Severity::Information,
                &what,
                "to be readable for the connector's user",
                "it may not be read, so what it tells was not checked",
                format!("GRANT SELECT ON system.{table} to the user, if it is to be checked"),
            ),
            Some(code) if NOT_YET.contains(&code) => Finding::new(
                Severity::Information,
                &what,
                "to have what the check asks for",
                "this version of the server does not have it, so it was not checked",
                "none is needed",
            ),
            _ => {
                let failed = Finding::of_error(&what, "an answer", &error, "see the server's log");
                Finding { severity: Severity::Warning, ..failed }
            }
        });
        None
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        what: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.found.push(Finding::new(severity, what, expected, actual, remedy));
    }
}

/// Names as the parameter of a query of the type `Array(String)`.
pub(super) fn array(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| crate::sink::table::identifier::literal(name)).collect();
    // The text of a parameter is read as a field of a TSV file first.
    format!("[{}]", names.join(",")).replace('\\', "\\\\")
}
