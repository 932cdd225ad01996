//! What would stand in the way of a sink, found before it runs.
//!
//! `survey` asks the server that rows go to, step by step, each with all its findings:
//!
//! ```text
//! release      the version, and whether somebody answers at all: without that nothing more can be asked
//! abilities    the types and dates that the server has (asked by the code that asks at each start)
//! rights       for each database the rights that the sink uses, then the same done once to a table of its own (`round_trip`)
//! tables       those that are there, compared by the code that takes them over (`apply::target`, `table::adoption`)
//! profile      settings and quotas of the user
//! dependents   what reads the tables
//! condition    unfinished mutations, parts, replicas, disks, clock
//! ```
//! `records` judges records that somebody has read for it, and finds in them the tables that are to come. Nothing is changed, but for
//! the table of the round trip, which is dropped again.

use crate::config::sink::SinkConfig;
use crate::sink::apply::catalog::SchemaCatalog;
use crate::sink::apply::ledger::{DATABASE, Ledger};
use crate::sink::apply::server::{Server, settings};
use crate::sink::clickhouse::client::{Client, Query};
use crate::sink::clickhouse::error::ClickHouseError;
use crate::sink::clickhouse::system_tables;
use crate::sink::preflight::dependents::Mirrored;
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::preflight::questions::Questions;
use crate::sink::preflight::rights::{Database, Granted};
use crate::sink::preflight::tables::ComingTable;
use crate::sink::table::identifier::literal;
use crate::sink::table::mapping::temporal_range::DateRange;

pub mod finding;
pub mod handling;
pub mod records;
pub mod round_trip;
pub mod tables;

mod condition;
mod dependents;
mod profile;
mod questions;
mod release;
mod rights;

/// Asks the server for everything.
pub fn survey(config: &SinkConfig, coming: &[ComingTable], catalog: &SchemaCatalog) -> Vec<Finding> {
    let what = named_url(&config.server.url);
    let unusable = |error: &ClickHouseError| {
        let expected = format!("a server that answers user {}", config.server.user);
        Finding::of_error(&what, expected, error, "make the server reachable with this configuration")
    };
    let client = match Client::new(settings(config)) {
        Ok(client) => client,
        Err(error) => return vec![unusable(&error)],
    };
    let mut questions = Questions { client: &client, found: Vec::new() };
    match system_tables::version(&client) {
        Ok(version) => questions.found.extend(release::judge(&version)),
        Err(error) => return vec![unusable(&error)],
    }
    questions.found.extend(tables::collisions(&config.tables, coming));
    let server = match Server::connect(config) {
        Ok(server) => server,
        Err(error) => {
            questions.found.push(unusable(&error));
            return questions.found;
        }
    };
    abilities(&mut questions, &server);
    cluster(&mut questions, config);
    let databases = databases(config, coming);
    let makes_tables = rights::on_engines(&mut questions, &config.server.user, &config.tables);
    // All are asked, whatever the first ones say.
    let closed = databases
        .iter()
        .filter(|name| !database(&mut questions, &server, config, name, makes_tables))
        .count();
    let rows_may_go = closed == 0;
    let granted = rights::on_ledger(&mut questions, &config.server.user);
    if granted != Granted::Some {
        match Ledger::look(&server, &config.name) {
            Ok(Some(ledger)) => questions.found.extend(tables::lives(&ledger, &config.tables, coming)),
            Ok(None) => {}
            Err(error) => questions.found.push(Finding::of_error(
                "database _tidewire",
                "a state that can be read",
                &error,
                "see the server's log",
            )),
        }
    }
    for table in coming {
        match tables::look(&server, &config.tables, table, catalog.descriptions(&table.name)) {
            Ok(found) => questions.found.extend(found),
            // Without rights that was said before.
            Err(error) if rows_may_go => {
                let name = format!("table {}.{}", config.tables.database(&table.name.0), table.name.1);
                questions.found.push(Finding::of_error(
                    name,
                    "a table that can be read",
                    &error,
                    "see the server's log",
                ));
            }
            Err(_) => {}
        }
    }
    let has_partition_key = coming
        .iter()
        .any(|table| config.tables.partition_by(&format!("{}.{}", table.name.0, table.name.1)).is_some());
    profile::look(&mut questions, has_partition_key);
    let mirrored: Vec<Mirrored> = coming.iter().map(|table| mirrored(config, table, catalog)).collect();
    dependents::look(&mut questions, &databases, &mirrored);
    condition::look(&mut questions, &databases);
    questions.found
}

/// The property with its value, unless that may hold a login, as it must not.
fn named_url(url: &str) -> String {
    if url.contains(['@', '?']) { "clickhouse.url".to_owned() } else { format!("clickhouse.url = {url}") }
}

fn mirrored(config: &SinkConfig, table: &ComingTable, catalog: &SchemaCatalog) -> Mirrored {
    let described = catalog.descriptions(&table.name).iter().rev().find_map(|known| known.shape.as_ref());
    let key = described.or(table.shape.as_ref()).map(|shape| shape.key.clone());
    Mirrored {
        database: config.tables.database(&table.name.0).to_owned(),
        table: table.name.1.clone(),
        key: key.unwrap_or_default(),
    }
}

/// The databases that rows go to, each once.
fn databases(config: &SinkConfig, coming: &[ComingTable]) -> Vec<String> {
    let of_tables = coming.iter().map(|table| config.tables.database(&table.name.0));
    let mut names: Vec<String> =
        of_tables.chain(config.tables.named_databases()).map(str::to_owned).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn abilities(questions: &mut Questions<'_>, server: &Server) {
    let time = if server.mapping.has_time64 { "Time64" } else { "no Time64: TIME becomes Int64" };
    let dates = match server.dates.range {
        DateRange::Full => "the years 0 to 9999",
        DateRange::From1900To2299 => "the years 1900 to 2299 only",
    };
    questions.add(
        Severity::Information,
        "clickhouse types",
        "any",
        format!("{time}; dates of {dates}"),
        "none is needed: see time.handling.mode, dates.out.of.range and dates.zero for what follows from it",
    );
}

fn cluster(questions: &mut Questions<'_>, config: &SinkConfig) {
    let Some(cluster) = &config.tables.cluster else { return };
    rights::on_cluster(questions, &config.server.user);
    let sql = format!("SELECT DISTINCT version() FROM clusterAllReplicas({}, system.one)", literal(cluster));
    match questions.client.rows::<(String,)>(Query::new("ask all replicas for their version", &sql)) {
        Ok(versions) => {
            let versions: Vec<String> = versions.into_iter().map(|(version,)| version).collect();
            questions.found.extend(release::judge_cluster(cluster, &versions));
        }
        Err(error) => questions.found.push(Finding::of_error(
            format!("clickhouse.cluster = {cluster}"),
            "a cluster of system.clusters whose replicas all answer",
            &error,
            "name a cluster of system.clusters, and make its replicas reachable from the server",
        )),
    }
}

/// A database that rows go to. Whether they may.
fn database(
    questions: &mut Questions<'_>,
    server: &Server,
    config: &SinkConfig,
    name: &str,
    makes_tables: bool,
) -> bool {
    let engine = match system_tables::database_engine(questions.client, name) {
        Ok(engine) => engine,
        Err(error) => {
            let what = format!("database {name}");
            let found =
                Finding::of_error(what, "a database that can be read", &error, "see the server's log");
            questions.found.push(found);
            return false;
        }
    };
    if let Some(found) = judge_database(name, engine.as_deref()) {
        let is_error = found.severity == Severity::Error;
        questions.found.push(found);
        if is_error {
            return false;
        }
    }
    let known = Database { name, exists: engine.is_some() };
    match rights::on_tables(questions, &config.server.user, &known) {
        Granted::Some => false,
        Granted::All { drop: true } => {
            if known.exists && makes_tables {
                questions.found.extend(round_trip::go_round(server, config, name));
            }
            true
        }
        Granted::All { drop: false } | Granted::Unknown => {
            questions.add(
                Severity::Information,
                format!("database {name}"),
                "to be tried out with a table of its own",
                "it was not tried, as it is not sure that the user may drop that table again",
                "none is needed; with DROP TABLE for the user it is tried",
            );
            true
        }
    }
}

/// Whether mirrored tables can be in a database.
fn judge_database(name: &str, engine: Option<&str>) -> Option<Finding> {
    let what = format!("database {name}");
    let expected = "a database of the engine Atomic, Replicated or Shared";
    let remedy = "name another one with clickhouse.database or clickhouse.database.override.map";
    if ["system", "information_schema"].iter().any(|own| name.eq_ignore_ascii_case(own)) {
        return Some(Finding::new(Severity::Error, what, expected, "it is the server's own", remedy));
    }
    if name == DATABASE {
        return Some(Finding::new(Severity::Error, what, expected, "it is the sink's own", remedy));
    }
    match engine {
        None | Some("Atomic" | "Replicated" | "Shared") => None,
        Some(other) => Some(Finding::new(Severity::Warning, what, expected, other, remedy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_in_the_url_is_not_shown() {
        assert_eq!(named_url("http://ch:8123"), "clickhouse.url = http://ch:8123");
        assert_eq!(named_url("http://bob:secret@ch:8123"), "clickhouse.url");
        assert_eq!(named_url("http://ch:8123/?password=secret"), "clickhouse.url");
    }

    #[test]
    fn databases_are_judged_by_name_and_engine() {
        let judged = |name, engine| judge_database(name, engine).map(|found| found.severity);
        for (name, engine, wanted) in [
            ("shop", None, None),
            ("shop", Some("Atomic"), None),
            ("shop", Some("Replicated"), None),
            ("shop", Some("Ordinary"), Some(Severity::Warning)),
            ("shop", Some("Memory"), Some(Severity::Warning)),
            ("system", Some("Atomic"), Some(Severity::Error)),
            ("INFORMATION_SCHEMA", Some("Memory"), Some(Severity::Error)),
            ("_tidewire", Some("Atomic"), Some(Severity::Error)),
        ] {
            assert_eq!(judged(name, engine), wanted, "{name} {engine:?}");
        }
    }
}
