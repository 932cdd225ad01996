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
    /// How instances share connectors; none for a worker that is alone: without Kafka, without a `group.id`, or with
    /// `tidewire.standby.enabled=false`.
    pub standby: Option<StandbyConfig>,
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

/// How instances of the same `group.id` see that one of them is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandbyConfig {
    /// `session.timeout.ms`, default 10000.
    pub session_timeout: Duration,
    /// `heartbeat.interval.ms`, default 3000; below `session_timeout`.
    pub heartbeat_interval: Duration,
    /// `rebalance.timeout.ms`, default 60000.
    pub rebalance_timeout: Duration,
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
            standby: standby(&mut reader),
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

fn standby(reader: &mut Reader) -> Option<StandbyConfig> {
    let is_one_of_a_group =
        reader.written("bootstrap.servers").is_some() && reader.written("group.id").is_some();
    if !is_one_of_a_group || !reader.boolean("tidewire.standby.enabled") {
        return None;
    }
    let config = StandbyConfig {
        session_timeout: reader.millis("session.timeout.ms"),
        heartbeat_interval: reader.millis("heartbeat.interval.ms"),
        rebalance_timeout: reader.millis("rebalance.timeout.ms"),
    };
    if config.heartbeat_interval >= config.session_timeout {
        // Kafka Connect's workers do not start with these, either (AbstractCoordinator's Heartbeat).
        reader.problem(
            "heartbeat.interval.ms",
            "less than session.timeout.ms",
            format!("{} of {} ms", config.heartbeat_interval.as_millis(), config.session_timeout.as_millis()),
            "set it to a third of session.timeout.ms",
        );
    }
    Some(config)
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
    fn a_group_has_standbys() {
        let ms = Duration::from_millis;
        let standby = |session, heartbeat, rebalance| {
            Some(StandbyConfig {
                session_timeout: ms(session),
                heartbeat_interval: ms(heartbeat),
                rebalance_timeout: ms(rebalance),
            })
        };
        let cases = [
            // Kafka Connect's defaults (DistributedConfig).
            ("bootstrap.servers=a:1\ngroup.id=g", standby(10_000, 3_000, 60_000)),
            (
                "bootstrap.servers=a:1\ngroup.id=g\nsession.timeout.ms=6000\nheartbeat.interval.ms=500\nrebalance.timeout.ms=7000",
                standby(6_000, 500, 7_000),
            ),
            ("bootstrap.servers=a:1", None),
            ("group.id=g", None),
            ("bootstrap.servers=a:1\ngroup.id=g\ntidewire.standby.enabled=false", None),
            // Nobody reads it then.
            ("bootstrap.servers=a:1\nheartbeat.interval.ms=20000", None),
        ];
        for (text, expected) in cases {
            let (config, warnings) = WorkerConfig::from_properties(&properties(text), &[]).expect(text);
            assert_eq!(config.standby, expected, "{text}");
            assert!(warnings.is_empty(), "{warnings:?}");
        }
        let worker = properties("bootstrap.servers=a:1\ngroup.id=g\nheartbeat.interval.ms=10000");
        let problems = WorkerConfig::from_properties(&worker, &[]).expect_err("no time is left");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].actual, "10000 of 10000 ms");
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
