//! A sink connector beside a source: one process each, over one broker.

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use crate::support::clickhouse::{client, values};
use crate::support::connector::Connector;
use crate::support::database::variable;
use crate::support::process::{LIMIT, Process, tidewire, wait_until};

/// A sink of all tables of a connector, into a database of the same name.
pub struct Sink {
    pub name: String,
    pub properties: BTreeMap<String, String>,
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
        ]);
        Sink { name, properties, worker, folder: tempfile::tempdir().expect("a folder") }
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
        let at = |file: &str| self.folder.path().join(file);
        let worker: String = self.worker.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        let connector = serde_json::json!({"name": self.name, "config": self.properties});
        let paths = [at("worker.properties"), at("sink.json")];
        fs::write(&paths[0], worker).expect("worker.properties");
        fs::write(&paths[1], connector.to_string()).expect("sink.json");
        let [worker, connector] = paths.map(|path| path.display().to_string());
        let arguments = ["run", "--worker", &worker, &connector];
        Process::start(tidewire(arguments.into_iter().chain(others.iter().copied())), &at(log))
    }

    /// Waits until a query of one column has this answer.
    pub fn wait_for(&self, process: &Process, query: &str, wanted: &[&str]) {
        let client = client();
        let mut found = Vec::new();
        let is_there = |table: &str| {
            let sql = format!("EXISTS TABLE {table}");
            values(&client, &format!("SELECT toString(count()) FROM ({sql}) WHERE result = 1"))
        };
        let _ = is_there;
        let end = std::time::Instant::now() + LIMIT;
        loop {
            let asked: Result<Vec<(Option<String>,)>, _> =
                client.rows(tidewire::sink::clickhouse::client::Query::new("a test", query));
            let said = match asked {
                Ok(rows) => {
                    found = rows.into_iter().map(|(value,)| value.unwrap_or_else(|| "NULL".to_owned())).collect();
                    String::new()
                }
                Err(error) => tidewire::error::chain(&error),
            };
            if found == wanted {
                return;
            }
            assert!(
                std::time::Instant::now() < end,
                "{query}: {found:?} {said}, wanted {wanted:?}\n{}",
                process.log()
            );
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }

    /// Waits until a table has the rows that MySQL has, as `SELECT columns ORDER BY id`, printed with tabs.
    pub fn wait_for_rows(&self, process: &Process, source: &Connector, table: &str, columns: &[&str]) {
        let server = source_database();
        let list = columns.join(", ");
        let wanted = server.sql(&format!("SELECT {list} FROM {}.{table} ORDER BY {}", source.name, columns[0]));
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

    /// Waits until the log says something.
    pub fn wait_to_hear(process: &Process, text: &str) {
        wait_until(&format!("{text}: {}", process.log()), LIMIT, || process.log().contains(text));
    }
}

fn source_database() -> &'static crate::support::database::Database {
    &crate::support::database::MYSQL97
}
