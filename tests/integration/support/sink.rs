//! A sink connector beside a source: one process each, over one broker.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use tidewire::error::chain;
use tidewire::sink::clickhouse::client::{Client, Query};
use tidewire::sink::clickhouse::settings::ClientSettings;

use crate::mysql_server::database;
use crate::support::clickhouse::{client, new_database, values};
use crate::support::connector::Connector;
use crate::support::database::{MYSQL97, variable};
use crate::support::process::{Ended, LIMIT, Process, tidewire};

/// A database of MySQL and one of ClickHouse of the same name, a source and a sink.
pub fn pair(name: &str, statements: &[&str]) -> (Connector, Sink) {
    let mut session = database(MYSQL97.variable(), name);
    for statement in statements {
        session.execute(statement).expect(statement);
    }
    new_database(&client(), name);
    let mut source = Connector::to_kafka(&MYSQL97, name, &variable("TIDEWIRE_KAFKA"));
    source
        .set("skipped.operations", "none")
        .set("key.converter.replace.null.with.default", "false")
        .set("value.converter.replace.null.with.default", "false");
    let sink = Sink::of(&source, &variable("TIDEWIRE_KAFKA"));
    (source, sink)
}

/// Statements in the database of MySQL.
pub fn sql(source: &Connector, statements: &str) {
    MYSQL97.sql(&format!("USE {}; {statements}", source.name));
}

/// A sink of all tables of a connector, into a database of the same name.
pub struct Sink {
    pub name: String,
    pub properties: BTreeMap<String, String>,
    /// Another server than that of `tests/run`.
    pub url: Option<String>,
    worker: BTreeMap<String, String>,
    folder: TempDir,
}

impl Sink {
    /// For what a connector publishes to a broker.
    pub fn of(source: &Connector, broker: &str) -> Self {
        let name = format!("sink_{}", source.prefix);
        let pairs = |all: &[(&str, &str)]| -> BTreeMap<String, String> {
            all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let url = format!("http://{}", variable("TIDEWIRE_CLICKHOUSE"));
        let properties = pairs(&[
            ("connector.class", "tidewire.clickhouse.ClickHouseSinkConnector"),
            ("topics.regex", &format!("{}\\..*", source.prefix)),
            ("schema.changes.topic", &source.prefix),
            ("clickhouse.url", &url),
            ("flush.interval.ms", "200"),
            ("errors.retry.delay.max.ms", "1000"),
            ("consumer.override.session.timeout.ms", "6000"),
            ("consumer.override.heartbeat.interval.ms", "500"),
            ("consumer.override.metadata.max.age.ms", "500"),
        ]);
        let worker = pairs(&[
            ("bootstrap.servers", broker),
            ("group.id", &name),
            ("offset.flush.interval.ms", "200"),
            ("tidewire.standby.enabled", "false"),
            // For a source in the same process.
            ("offset.storage.topic", &format!("offsets.{name}")),
            ("offset.storage.partitions", "1"),
            ("offset.storage.replication.factor", "1"),
        ]);
        Sink { name, properties, url: None, worker, folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn set(&mut self, property: &str, value: &str) -> &mut Self {
        self.properties.insert(property.to_owned(), value.to_owned());
        self
    }

    /// `tidewire run` of the sink alone.
    pub fn start(&self) -> Process {
        self.start_beside(&[], "log")
    }

    /// The same with further connectors, and a log of its own.
    pub fn start_beside(&self, others: &[&str], log: &str) -> Process {
        let [worker, connector] = self.files();
        let arguments = ["run", "--worker", &worker, &connector];
        let log = self.folder.path().join(log);
        Process::start(tidewire(arguments.into_iter().chain(others.iter().copied())), &log)
    }

    /// Its command `tidewire sink …`: whether it ended well, and what it printed.
    pub fn command(&self, command: &str, more: &[&str]) -> (bool, String) {
        let [worker, connector] = self.files();
        let arguments = ["sink", command, "--worker", &worker, &connector];
        let done = tidewire(arguments.into_iter().chain(more.iter().copied())).output().expect("it runs");
        (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned())
    }

    /// `tidewire validate`, to its end.
    pub fn validate(&self) -> Ended {
        let [worker, connector] = self.files();
        let command = tidewire(["validate", "--worker", &worker, &connector]);
        Process::start(command, &self.folder.path().join("validate.log")).wait(LIMIT)
    }

    /// The files of worker and connector.
    fn files(&self) -> [String; 2] {
        let at = |file: &str| self.folder.path().join(file);
        let worker: String = self.worker.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        let connector = serde_json::json!({"name": self.name, "config": self.properties});
        let paths = [at("worker.properties"), at("sink.json")];
        fs::write(&paths[0], worker).expect("worker.properties");
        fs::write(&paths[1], connector.to_string()).expect("sink.json");
        paths.map(|path| path.display().to_string())
    }

    /// Waits until a query of one column has this answer.
    pub fn wait_for(&self, process: &Process, query: &str, wanted: &[&str]) {
        let client = match &self.url {
            Some(url) => Client::new(ClientSettings::new(url)).expect("settings of a client"),
            None => client(),
        };
        let mut found = Vec::new();
        let end = Instant::now() + LIMIT;
        loop {
            let asked: Result<Vec<(Option<String>,)>, _> = client.rows(Query::new("a test", query));
            let said = match asked {
                Ok(rows) => {
                    found =
                        rows.into_iter().map(|(value,)| value.unwrap_or_else(|| "NULL".to_owned())).collect();
                    String::new()
                }
                Err(error) => chain(&error),
            };
            if found == wanted {
                return;
            }
            if Instant::now() >= end {
                let rows = found.len().max(wanted.len());
                let place =
                    (0..rows).find(|at| found.get(*at).map(String::as_str) != wanted.get(*at).copied());
                let place = place.unwrap_or(rows);
                panic!(
                    "{query}: {said}\nrow {place} of {} is {:?}; of {} wanted {:?}\n{}",
                    found.len(),
                    found.get(place),
                    wanted.len(),
                    wanted.get(place),
                    process.log()
                );
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Waits until a table has the rows that MySQL has, as `SELECT columns ORDER BY id`, printed with tabs.
    pub fn wait_for_rows(&self, process: &Process, source: &Connector, table: &str, columns: &[&str]) {
        let list = columns.join(", ");
        let wanted =
            MYSQL97.sql(&format!("SELECT {list} FROM {}.{table} ORDER BY {}", source.name, columns[0]));
        let texts: Vec<String> =
            columns.iter().map(|column| format!("ifNull(toString({column}), 'NULL')")).collect();
        let query = format!(
            "SELECT arrayStringConcat([{}], '\t') FROM {}.{table} FINAL WHERE _deleted = 0 ORDER BY {}",
            texts.join(", "),
            source.name,
            columns[0]
        );
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        self.wait_for(process, &query, &wanted);
    }
}

/// Streams the changes, and in a second database reads them with a snapshot; ClickHouse has to have what MySQL has. `columns`: expressions
/// of both servers, the first of which orders the rows.
pub fn mirrored(name: &str, tables: &[&str], changes: &str, table: &str, columns: &[&str], flush_rows: &str) {
    for path in ["stream", "snapshot"] {
        let name = format!("{name}_{path}");
        let (source, mut sink) = pair(&name, tables);
        sink.set("flush.rows", flush_rows).set("inserts.per.second", "1000");
        if path == "snapshot" {
            sql(&source, changes);
        }
        let _source = source.start_streaming();
        let process = sink.start();
        if path == "stream" {
            sql(&source, changes);
        }
        sink.wait_for_rows(&process, &source, table, columns);
        process.terminate().expect(0, &[]);
        // Another group reads all of it again, into the same table.
        let mut again = Sink::of(&source, &variable("TIDEWIRE_KAFKA"));
        again.name.push_str("_again");
        again.set("flush.rows", flush_rows).set("inserts.per.second", "1000");
        let process = again.start();
        sql(&source, "CREATE TABLE last (id INT PRIMARY KEY); INSERT INTO last VALUES (1)");
        again.wait_for_rows(&process, &source, "last", &["id"]);
        again.wait_for_rows(&process, &source, table, columns);
        process.terminate().expect(0, &[]);
        let mutations =
            format!("SELECT command FROM system.mutations WHERE database = '{name}' AND NOT is_done");
        assert!(values(&client(), &mutations).is_empty());
    }
}
