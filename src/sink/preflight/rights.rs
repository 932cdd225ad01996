//! Which rights the user has, of those that the sink uses.
//!
//! `CHECK GRANT` asks without doing anything; servers from the end of 2024 on know it. One finding for each database names all that
//! is missing, as the statement that grants it. Manual: "CHECK GRANT", "GRANT", hierarchy of privileges.

use crate::config::sink::TableConfig;
use crate::config::sink::modes::{KeylessMode, TableEngine};
use crate::sink::apply::ledger;
use crate::sink::clickhouse::client::Query;
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::preflight::questions::Questions;
use crate::sink::table::identifier::quoted;

/// Of a database with mirrored tables.
const OF_TABLES: [&str; 9] = [
    "SELECT",
    "INSERT",
    "CREATE TABLE",
    "ALTER ADD COLUMN",
    "ALTER MODIFY COLUMN",
    "ALTER MATERIALIZE COLUMN",
    "ALTER MODIFY COMMENT",
    "ALTER DELETE",
    "TRUNCATE",
];
/// Of the sink's own database. CREATE … IF NOT EXISTS wants the right even where nothing is made.
const OF_LEDGER: [&str; 4] = ["SELECT", "INSERT", "CREATE DATABASE", "CREATE TABLE"];
const CREATE_DATABASE: &str = "CREATE DATABASE";
/// Nothing of the sink's needs it, but the round trip.
const DROP_TABLE: &str = "DROP TABLE";

/// A database into which tables go.
pub(super) struct Database<'a> {
    pub(super) name: &'a str,
    pub(super) exists: bool,
}

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Granted {
    /// All of it, and whether tables may be dropped.
    All { drop: bool },
    /// Something is missing.
    Some,
    /// The server does not say.
    Unknown,
}

/// Asks for the rights on a database of tables.
pub(super) fn on_tables(questions: &mut Questions<'_>, user: &str, database: &Database<'_>) -> Granted {
    let mut wanted = OF_TABLES.to_vec();
    if !database.exists {
        wanted.push(CREATE_DATABASE);
    }
    let granted = on(questions, user, database.name, &wanted);
    match granted {
        Granted::All { .. } => {
            let drop = check(questions, DROP_TABLE, &format!("{}.*", quoted(database.name)));
            Granted::All { drop: matches!(drop, Ok(Some(true))) }
        }
        other => other,
    }
}

/// Asks for those on the sink's own.
pub(super) fn on_ledger(questions: &mut Questions<'_>, user: &str) -> Granted {
    on(questions, user, ledger::DATABASE, &OF_LEDGER)
}

/// Asks for those to make tables of the engines that the sink uses. Servers where everybody may say so.
pub(super) fn on_engines(questions: &mut Questions<'_>, user: &str, config: &TableConfig) -> bool {
    let replicated =
        if config.engine == TableEngine::ReplicatedReplacingMergeTree { "Replicated" } else { "" };
    let mut engines = vec![format!("{replicated}ReplacingMergeTree")];
    if config.keyless == KeylessMode::Append {
        engines.push(format!("{replicated}MergeTree"));
    }
    let mut all = true;
    for engine in engines {
        if let Ok(Some(false)) = check(questions, "TABLE ENGINE", &engine) {
            all = false;
            questions.add(
                Severity::Error,
                format!("grants on the table engine {engine}"),
                "TABLE ENGINE",
                format!("user {user} lacks it"),
                format!("GRANT TABLE ENGINE ON {engine} TO {}", quoted(user)),
            );
        }
    }
    all
}

/// Asks for that to run statements on all servers of a cluster.
pub(super) fn on_cluster(questions: &mut Questions<'_>, user: &str) {
    if let Ok(Some(false)) = check(questions, "CLUSTER", "*.*") {
        questions.add(
            Severity::Error,
            "grants on *.*",
            "CLUSTER, for ON CLUSTER (clickhouse.cluster)",
            format!("user {user} lacks it"),
            format!("GRANT CLUSTER ON *.* TO {}", quoted(user)),
        );
    }
}

fn on(questions: &mut Questions<'_>, user: &str, database: &str, wanted: &[&'static str]) -> Granted {
    let object = format!("{}.*", quoted(database));
    let mut missing = Vec::new();
    let mut answered = false;
    for right in wanted {
        match check(questions, right, &object) {
            Ok(Some(true)) => answered = true,
            Ok(Some(false)) => {
                answered = true;
                missing.push(*right);
            }
            // A right of another version.
            Ok(None) => {}
            Err(error) => {
                let found = Finding::of_error(
                    format!("grants on {object}"),
                    "an answer to CHECK GRANT",
                    &error,
                    "see the server's log",
                );
                questions.found.push(found);
                return Granted::Unknown;
            }
        }
    }
    if !answered {
        return Granted::Unknown;
    }
    if missing.is_empty() {
        return Granted::All { drop: false };
    }
    let missing = missing.join(", ");
    questions.add(
        Severity::Error,
        format!("grants on {object}"),
        wanted.join(", "),
        format!("user {user} lacks {missing}"),
        format!("GRANT {missing} ON {object} TO {}", quoted(user)),
    );
    Granted::Some
}

/// Whether a right is granted; none where the server does not know the right or the question.
fn check(questions: &Questions<'_>, right: &str, object: &str) -> Result<Option<bool>, ClickHouseError> {
    let sql = format!("CHECK GRANT {right} ON {object}");
    let asked: Result<Vec<(u8,)>, _> =
        questions.client.rows(Query::new(&format!("check the grant of {right} on {object}"), &sql));
    match asked {
        Ok(rows) => Ok(rows.first().map(|(granted,)| *granted == 1)),
        // SYNTAX_ERROR.
        Err(error) if error.exception().and_then(|exception| exception.code) == Some(62) => Ok(None),
        Err(error) => Err(error),
    }
}
