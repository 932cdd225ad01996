//! What the process itself is told: Kafka Connect's worker properties.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::define::WORKER;
use crate::config::load::Reader;
use crate::config::problem::{ConfigProblem, Examined, Warning};
use crate::config::properties::Properties;

/// The worker.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// `group.id`, default `connect`.
    pub group_id: String,
    /// Where records and offsets live.
    pub home: HomeConfig,
    /// `exactly.once.source.support=enabled`.
    pub exactly_once: bool,
    /// `offset.flush.interval.ms`, default 60000.
    pub offset_flush_interval: Duration,
    /// Converter properties of the worker (`key.converter`, `value.converter.schemas.enable`, …), which a connector may override.
    pub converters: Vec<(String, String)>,
    /// `tidewire.log.format`: `text` or `json`.
    pub json_log: bool,
}

/// Where records and offsets live.
#[derive(Clone, Debug)]
pub enum HomeConfig {
    /// With `bootstrap.servers`.
    Kafka(KafkaConfig),
    /// Without it.
    File(FileConfig),
}

/// The Kafka home.
#[derive(Clone)]
pub struct KafkaConfig {
    /// `bootstrap.servers`.
    pub bootstrap_servers: String,
    /// `offset.storage.topic`, default `connect-offsets`.
    pub offset_topic: String,
    /// `offset.storage.partitions`, default 25.
    pub offset_partitions: i32,
    /// `offset.storage.replication.factor`, default 3.
    pub offset_replication_factor: i32,
    /// The worker's client properties without a prefix that apply to every client (`security.protocol`, `sasl.*`, `ssl.*`).
    pub client: Vec<(String, String)>,
    /// `producer.*`, prefix removed.
    pub producer: Vec<(String, String)>,
    /// `consumer.*`, prefix removed.
    pub consumer: Vec<(String, String)>,
    /// `admin.*`, prefix removed.
    pub admin: Vec<(String, String)>,
}

/// The file home.
#[derive(Clone, Debug)]
pub struct FileConfig {
    /// `tidewire.file.path`: a folder, or none for standard output (`-`).
    pub folder: Option<PathBuf>,
    /// `offset.storage.file.filename`, default `offsets.dat` in the folder (or the working directory).
    pub offset_file: PathBuf,
}

/// Client properties hold secrets, so only their names are printed.
impl std::fmt::Debug for KafkaConfig {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names =
            |pairs: &[(String, String)]| pairs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        out.debug_struct("KafkaConfig")
            .field("bootstrap_servers", &self.bootstrap_servers)
            .field("offset_topic", &self.offset_topic)
            .field("offset_partitions", &self.offset_partitions)
            .field("offset_replication_factor", &self.offset_replication_factor)
            .field("client", &names(&self.client))
            .field("producer", &names(&self.producer))
            .field("consumer", &names(&self.consumer))
            .field("admin", &names(&self.admin))
            .finish()
    }
}

impl WorkerConfig {
    /// Reads a worker's properties; none are an empty map. All problems are reported together.
    ///
    /// Without `bootstrap.servers` the records go to files: to the worker's `tidewire.file.path`, else to the one that
    /// the connectors name (they have to agree), else to standard output. Placeholders must have been resolved.
    pub fn from_properties(
        worker: &Properties,
        connectors: &[&Properties],
    ) -> Result<(WorkerConfig, Vec<Warning>), Vec<ConfigProblem>> {
        Self::examine(worker, connectors).into_result()
    }

    /// The same, with the warnings beside the problems.
    pub fn examine(worker: &Properties, connectors: &[&Properties]) -> Examined<WorkerConfig> {
        let mut reader = Reader::check(worker, WORKER, |_| true);
        let home = match reader.written("bootstrap.servers") {
            Some(servers) => {
                if reader.written("tidewire.file.path").is_some() {
                    let text = "has no effect beside bootstrap.servers";
                    reader.warnings.push(Warning::new("tidewire.file.path", text));
                }
                HomeConfig::Kafka(kafka(&reader, servers))
            }
            None => HomeConfig::File(file(&mut reader, connectors)),
        };
        let of_converter =
            |name: &&str| name.starts_with("key.converter") || name.starts_with("value.converter");
        let converters = worker.names().filter(of_converter);
        let converters = converters.map(|name| (name.to_owned(), reader.string(name))).collect();
        let config = WorkerConfig {
            group_id: reader.string("group.id"),
            home,
            exactly_once: reader.string("exactly.once.source.support").eq_ignore_ascii_case("enabled"),
            offset_flush_interval: reader.millis("offset.flush.interval.ms"),
            converters,
            json_log: reader
                .text("tidewire.log.format")
                .is_some_and(|format| format.eq_ignore_ascii_case("json")),
        };
        reader.finish(config)
    }
}

fn kafka(reader: &Reader, servers: &str) -> KafkaConfig {
    let worker = reader.properties;
    let of_client =
        |name: &&str| *name == "security.protocol" || name.starts_with("sasl.") || name.starts_with("ssl.");
    let client = worker.names().filter(of_client);
    // A property of the worker itself has an `admin.` in front, too.
    let mut admin = worker.with_prefix("admin.");
    admin.retain(|(name, _)| name != "listeners");
    KafkaConfig {
        bootstrap_servers: servers.to_owned(),
        offset_topic: reader.string("offset.storage.topic"),
        offset_partitions: reader.number("offset.storage.partitions"),
        offset_replication_factor: reader.number("offset.storage.replication.factor"),
        client: client
            .map(|name| (name.to_owned(), worker.get_untrimmed(name).unwrap_or_default().to_owned()))
            .collect(),
        producer: worker.with_prefix("producer."),
        consumer: worker.with_prefix("consumer."),
        admin,
    }
}

fn file(reader: &mut Reader, connectors: &[&Properties]) -> FileConfig {
    const PATH: &str = "tidewire.file.path";
    let mut path = reader.written(PATH);
    let worker_decides = path.is_some();
    for connector in connectors {
        let Some(named) = connector.get(PATH).filter(|text| !text.is_empty()) else { continue };
        match path {
            None => path = Some(named),
            Some(known) if known != named && worker_decides => {
                reader.warnings.push(Warning::new(
                    PATH,
                    "has no effect in the connector, the worker names another path",
                ));
            }
            Some(known) if known != named => reader.problems.push(ConfigProblem::new(
                connector,
                PATH,
                "the same path in all connectors of one process",
                format!("another connector has {known}"),
                format!(
                    "set {PATH} in the worker file alone, or run the connectors in processes of their own"
                ),
            )),
            Some(_) => {}
        }
    }
    let folder = path.filter(|path| *path != "-").map(PathBuf::from);
    let offset_file = match reader.written("offset.storage.file.filename") {
        Some(name) => PathBuf::from(name),
        None => folder.as_deref().unwrap_or(Path::new("")).join("offsets.dat"),
    };
    FileConfig { folder, offset_file }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::properties::{Origin, java};

    fn properties(text: &str) -> Properties {
        java::parse(text, Path::new("worker.properties")).expect(text)
    }

    #[test]
    fn brokers_decide_the_home() {
        let worker = properties(
            "bootstrap.servers=a:9092,b:9092\ngroup.id=g\nproducer.compression.type=lz4\nsasl.jaas.config=secret1\n\
             admin.retries=3\nadmin.listeners=x\nkey.converter=org.apache.kafka.connect.json.JsonConverter\n\
             key.converter.schemas.enable=false\nexactly.once.source.support=ENABLED\noffset.flush.interval.ms=1000\ntidewire.log.format=JSON",
        );
        let (config, warnings) = WorkerConfig::from_properties(&worker, &[]).expect("valid");
        let HomeConfig::Kafka(kafka) = &config.home else { panic!("not Kafka") };
        assert_eq!(kafka.bootstrap_servers, "a:9092,b:9092");
        assert_eq!((kafka.offset_topic.as_str(), kafka.offset_partitions), ("connect-offsets", 25));
        assert_eq!(kafka.offset_replication_factor, 3);
        assert_eq!(kafka.producer, [("compression.type".to_owned(), "lz4".to_owned())]);
        assert_eq!(kafka.client, [("sasl.jaas.config".to_owned(), "secret1".to_owned())]);
        assert_eq!(kafka.admin, [("retries".to_owned(), "3".to_owned())]);
        assert_eq!(config.group_id, "g");
        assert_eq!(config.offset_flush_interval, Duration::from_secs(1));
        assert!(config.json_log && config.exactly_once);
        assert_eq!(config.converters.len(), 2);
        assert!(!format!("{config:?}").contains("secret1"));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }

    #[test]
    fn without_brokers_it_is_files() {
        let cases: &[(&str, &[&str], Option<&str>, &str)] = &[
            ("", &[], None, "offsets.dat"),
            ("", &["tidewire.file.path=-"], None, "offsets.dat"),
            ("", &["tidewire.file.path=/out"], Some("/out"), "/out/offsets.dat"),
            ("tidewire.file.path=/w", &["tidewire.file.path=/out"], Some("/w"), "/w/offsets.dat"),
            ("offset.storage.file.filename=/o/x", &["tidewire.file.path=/out"], Some("/out"), "/o/x"),
        ];
        for (worker, connectors, folder, offsets) in cases {
            let connectors: Vec<Properties> = connectors.iter().map(|text| properties(text)).collect();
            let connectors: Vec<&Properties> = connectors.iter().collect();
            let (config, _) = WorkerConfig::from_properties(&properties(worker), &connectors).expect(worker);
            let HomeConfig::File(file) = config.home else { panic!("not files") };
            assert_eq!(file.folder.as_deref(), folder.map(Path::new), "{worker}");
            assert_eq!(file.offset_file, Path::new(offsets), "{worker}");
        }
    }

    #[test]
    fn connectors_that_disagree_are_a_problem() {
        let (one, two) = (properties("tidewire.file.path=/a"), properties("tidewire.file.path=/b"));
        let problems =
            WorkerConfig::from_properties(&Properties::new(), &[&one, &two]).expect_err("they disagree");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].actual, "another connector has /a");
    }

    #[test]
    fn what_is_not_there_yet_is_said() {
        let mut worker = Properties::new();
        worker.insert("key.converter", "io.confluent.connect.avro.AvroConverter", Origin::CommandLine);
        let problems = WorkerConfig::from_properties(&worker, &[]).expect_err("not yet");
        let actual: Vec<&str> = problems.iter().map(|problem| problem.actual.as_str()).collect();
        assert_eq!(actual, ["converter io.confluent.connect.avro.AvroConverter is not supported yet"]);
    }
}
