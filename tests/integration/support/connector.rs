//! A connector with files of its own: configuration, worker, records, offsets, history.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use crate::support::broker::Broker;
use crate::support::database::{Database, variable};
use crate::support::process::{Ended, LIMIT, Process, tidewire, wait_until};
use crate::support::records::{Record, of_file};

/// What a process says when it reads the binlog.
pub const STREAMING: &str = "streaming started";

/// Server ids that no other connector of the tests has.
static SERVER_ID: AtomicU32 = AtomicU32::new(70_000);

/// Capture of one database, whose name is also that of the connector, the prefix of topics and that of all files.
pub struct Connector {
    pub name: String,
    /// `topic.prefix`: the name, and in Kafka, which is not emptied between runs, the run.
    pub prefix: String,
    pub properties: BTreeMap<String, String>,
    pub worker: BTreeMap<String, String>,
    folder: TempDir,
    kafka: Option<Broker>,
}

impl Connector {
    /// Records, offsets and history in files.
    pub fn to_files(server: &Database, name: &str) -> Self {
        let (host, port) = server.address();
        let folder = tempfile::tempdir().expect("a folder");
        let at = |file: &str| folder.path().join(file).display().to_string();
        let pairs = |all: &[(&str, &str)]| -> BTreeMap<String, String> {
            all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let properties = pairs(&[
            ("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
            ("database.hostname", &host),
            ("database.port", &port.to_string()),
            ("database.user", "dbz"),
            ("database.password", "dbz"),
            ("database.server.id", &SERVER_ID.fetch_add(1, Ordering::Relaxed).to_string()),
            ("topic.prefix", name),
            ("database.include.list", name),
            ("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory"),
            ("schema.history.internal.file.filename", &at("history.jsonl")),
            // Other tests change other databases at the same time.
            ("schema.history.internal.store.only.captured.databases.ddl", "true"),
            ("retriable.restart.connector.wait.ms", "1000"),
            ("key.converter.schemas.enable", "false"),
            ("value.converter.schemas.enable", "false"),
        ]);
        let worker = pairs(&[
            ("tidewire.file.path", &at("records")),
            ("offset.storage.file.filename", &at("offsets.dat")),
            ("offset.flush.interval.ms", "200"),
        ]);
        Connector { name: name.to_owned(), prefix: name.to_owned(), properties, worker, folder, kafka: None }
    }

    /// Records, offsets and history in Kafka.
    pub fn to_kafka(server: &Database, name: &str, broker: &str) -> Self {
        let mut connector = Connector::to_files(server, name);
        connector.worker.clear();
        connector.prefix = format!("{name}_{}", std::process::id());
        let prefix = connector.prefix.clone();
        connector
            .set("topic.prefix", &prefix)
            .set_worker("bootstrap.servers", broker)
            .set_worker("group.id", name)
            // Who is alone and killed would have to wait until it is taken for dead.
            .set_worker("tidewire.standby.enabled", "false")
            .set_worker("offset.storage.topic", &format!("offsets.{prefix}"))
            .set_worker("offset.storage.partitions", "1")
            .set_worker("offset.storage.replication.factor", "1")
            .set_worker("offset.flush.interval.ms", "200");
        connector.properties.retain(|property, _| !property.starts_with("schema.history"));
        connector
            .set("schema.history.internal.kafka.bootstrap.servers", broker)
            .set("schema.history.internal.kafka.topic", &format!("history.{prefix}"))
            .set("schema.history.internal.store.only.captured.databases.ddl", "true");
        connector.kafka = Some(Broker::new(broker));
        connector
    }

    pub fn set(&mut self, property: &str, value: &str) -> &mut Self {
        self.properties.insert(property.to_owned(), value.to_owned());
        self
    }

    pub fn set_worker(&mut self, property: &str, value: &str) -> &mut Self {
        self.worker.insert(property.to_owned(), value.to_owned());
        self
    }

    /// A file of the connector.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes `worker.properties` and `connector.json`; their paths.
    pub fn write_files(&self) -> [String; 2] {
        let worker: String = self.worker.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        let connector = serde_json::json!({"name": self.name, "config": self.properties});
        let paths = [self.file("worker.properties"), self.file("connector.json")];
        fs::write(&paths[0], worker).expect("worker.properties");
        fs::write(&paths[1], connector.to_string()).expect("connector.json");
        paths.map(|path| path.display().to_string())
    }

    /// `tidewire run`.
    pub fn start(&self) -> Process {
        self.start_instance("log")
    }

    /// The same, beside others, with a log file of its own.
    pub fn start_instance(&self, log: &str) -> Process {
        let [worker, connector] = self.write_files();
        Process::start(tidewire(["run", "--worker", &worker, &connector]), &self.file(log))
    }

    /// The same with files of at most so many kilobytes, once it streams: a write beyond fails in its middle.
    pub fn start_limited(&self, kilobytes: u32) -> Process {
        let [worker, connector] = self.write_files();
        let mut limited = Command::new("bash");
        let script = format!(r#"trap "" XFSZ; ulimit -S -f {kilobytes}; exec "$0" run --worker "$1" "$2""#);
        limited.args(["-c", &script, &variable("TIDEWIRE_BIN"), &worker, &connector]);
        let mut process = Process::start(limited, &self.file("log"));
        process.wait_for(STREAMING, 1);
        process
    }

    /// The same, killed at a point: see `tidewire::fail_point`.
    pub fn start_armed(&self, point: &str) -> Process {
        let [worker, connector] = self.write_files();
        let mut command = tidewire(["run", "--worker", &worker, &connector]);
        command.env("TIDEWIRE_FAIL_POINT", point);
        Process::start(command, &self.file("log"))
    }

    /// The same, once it streams.
    pub fn start_streaming(&self) -> Process {
        let mut process = self.start();
        process.wait_for(STREAMING, 1);
        process
    }

    /// `tidewire history COMMAND ARGUMENTS… CONNECTOR`.
    pub fn history(&self, command: &str, arguments: &[&str]) -> Ended {
        let [worker, file] = self.write_files();
        let words = ["history", command, "--worker", &worker].into_iter().chain(arguments.iter().copied());
        Process::start(tidewire(words.chain([file.as_str()])), &self.file("history.log")).wait(LIMIT)
    }

    /// The records of a table, in the order of the topic's only partition.
    pub fn records(&self, table: &str) -> Vec<Record> {
        self.topic(&format!("{}.{}.{table}", self.prefix, self.name))
    }

    /// The ids of a table's records, in order.
    pub fn ids(&self, table: &str) -> Vec<i64> {
        self.records(table).iter().map(Record::id).collect()
    }

    /// What all its instances have said.
    pub fn logs(&self) -> String {
        let numbers =
            (0..10).map(|number| if number == 0 { "log".to_owned() } else { format!("log.{number}") });
        let texts = numbers.map(|name| (std::fs::read_to_string(self.file(&name)), name));
        texts.filter_map(|(text, name)| Some(format!("== {name}\n{}", text.ok()?))).collect()
    }

    /// The records of a topic.
    pub fn topic(&self, topic: &str) -> Vec<Record> {
        match &self.kafka {
            Some(broker) => broker.read(topic),
            None => of_file(&self.file("records"), topic),
        }
    }

    /// Waits until a table has so many records, and gives them.
    pub fn wait_for_records(&self, table: &str, count: usize) -> Vec<Record> {
        self.wait_for_topic(&format!("{}.{}.{table}", self.prefix, self.name), count)
    }

    /// The same of a topic. As long as records come they are waited for.
    pub fn wait_for_topic(&self, topic: &str, count: usize) -> Vec<Record> {
        let mut records = self.topic(topic);
        while records.len() < count {
            let before = records.len();
            wait_until(&format!("more than {before} of {count} records of {topic}\n"), LIMIT, || {
                records = self.topic(topic);
                records.len() > before
            });
        }
        records
    }
}
