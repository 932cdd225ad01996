use std::cell::RefCell;
use std::path::{Path, PathBuf};

use super::*;
use crate::config::pattern::JavaPattern;
use crate::config::sink::Topics;
use crate::config::source::HistoryStore;
use crate::config::worker::HomeConfig;

/// Remembers what it was asked to do.
#[derive(Default)]
struct Recorded {
    decoded: RefCell<Vec<DecodePlan>>,
    server: Vec<Finding>,
}

impl Commands for Recorded {
    fn run(&self, _: RunPlan) -> CommandResult {
        Err("the connector failed".into())
    }

    fn server_findings(&self, _: &SourceConfig) -> Result<Vec<Finding>, Box<dyn Error + Send + Sync>> {
        Ok(self.server.clone())
    }

    fn sink_findings(&self, _: &SinkConfig, _: &WorkerConfig) -> Vec<Finding> {
        self.server.clone()
    }

    fn decode(&self, plan: DecodePlan) -> CommandResult {
        self.decoded.borrow_mut().push(plan);
        Ok(())
    }

    fn history(&self, _: HistoryPlan) -> Result<(String, bool), Box<dyn Error + Send + Sync>> {
        Ok((String::new(), true))
    }

    fn sink(&self, _: SinkPlan) -> Result<(String, bool), Box<dyn Error + Send + Sync>> {
        Ok((String::new(), true))
    }

    fn demo(&self, _: DemoArguments) -> CommandResult {
        Ok(())
    }
}

const CONNECTOR: &str = r#"{"name": "shop", "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "topic.prefix": "shop", "database.hostname": "db", "database.user": "cdc", "database.password": "pw-secret",
    "database.server.id": 7, "schema.history.internal": "io.debezium.relational.history.MemorySchemaHistory"
}}"#;

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path
}

#[test]
fn validate_prints_everything_and_counts() {
    let folder = tempfile::tempdir().expect("folder");
    let text = CONNECTOR
        .replace("\"topic.prefix\": \"shop\"", "\"topic.prefix\": \"a b\", \"tabel.include.list\": \"x\"")
        .replace("pw-secret", "${env:TIDEWIRE_SURELY_NOT_SET}");
    let connector = write(folder.path(), "c.json", &text);
    let place = connector.display().to_string();
    let arguments = ValidateArguments { worker: None, connector };
    let expected = "\
the server was not asked, as the configuration has problems

database.password = ******** (PLACE)
  expected: a placeholder that stands for a value
  actual:   environment variable TIDEWIRE_SURELY_NOT_SET is not set
  remedy:   set TIDEWIRE_SURELY_NOT_SET for the process

topic.prefix = a b (PLACE)
  expected: letters, digits, underscores, hyphens and dots
  actual:   The 'topic.prefix' value is invalid: a b has invalid format (only the underscore, hyphen, dot and alphanumeric characters are allowed)
  remedy:   set topic.prefix to letters, digits, underscores, hyphens and dots

tabel.include.list
  expected: the name of a property
  actual:   unknown property, did you mean table.include.list?
  remedy:   correct the name, or remove the property

validate: 3 problems
";
    let (text, code) = validate(&arguments, &Recorded::default());
    assert_eq!(text, expected.replace("PLACE", &place));
    assert_eq!(code, 2);
}

#[test]
fn validate_asks_the_server_when_the_files_are_right() {
    let folder = tempfile::tempdir().expect("folder");
    let connector = write(folder.path(), "c.json", CONNECTOR);
    let arguments = ValidateArguments { worker: None, connector };
    assert_eq!(validate(&arguments, &Recorded::default()), ("validate: ok\n".to_owned(), 0));
    let finding = Finding {
        what: "binlog_format".to_owned(),
        expected: "ROW".to_owned(),
        actual: "MIXED".to_owned(),
        remedy: "SET GLOBAL binlog_format = ROW".to_owned(),
        severity: Severity::Error,
    };
    let warning = Finding { severity: Severity::Warning, ..finding.clone() };
    let commands = Recorded { server: vec![warning], ..Recorded::default() };
    let (text, code) = validate(&arguments, &commands);
    assert!(text.starts_with("warning: binlog_format\n  expected: ROW\n"), "{text}");
    assert!(text.ends_with("\n\nvalidate: ok\n") && code == 0, "{text}");
    let commands = Recorded { server: vec![finding], ..Recorded::default() };
    let (text, code) = validate(&arguments, &commands);
    assert!(text.starts_with("binlog_format\n  expected: ROW\n"), "{text}");
    assert!(text.ends_with("\n\nvalidate: 1 problem\n"), "{text}");
    assert_eq!(code, 2);
}

#[test]
fn files_that_cannot_be_read_are_all_named() {
    let folder = tempfile::tempdir().expect("folder");
    let broken = write(folder.path(), "broken.json", "{\"a\": {}}");
    let planned = run_plan(None, &[folder.path().join("none.json"), broken]);
    assert!(planned.plan.is_none());
    let actual: Vec<&str> = planned.findings.iter().map(|finding| finding.actual.as_str()).collect();
    assert_eq!(actual.len(), 2, "{actual:?}");
    assert!(actual[0].contains("none.json: No such file"), "{actual:?}");
    assert!(actual[1].contains("property a in "), "{actual:?}");
}

#[test]
fn a_worker_file_gives_the_home() {
    let folder = tempfile::tempdir().expect("folder");
    let worker = write(folder.path(), "w.properties", "bootstrap.servers=k:9092\ngroup.id=g\n");
    let connector = write(folder.path(), "c.json", CONNECTOR);
    let plan = run_plan(Some(&worker), std::slice::from_ref(&connector)).plan.expect("valid");
    assert!(matches!(plan.worker.home, HomeConfig::Kafka(_)));
    assert_eq!(plan.sources[0].connector_name, "shop");
    assert!(!format!("{plan:?}").contains("pw-secret"));
    let plan = run_plan(None, &[connector]).plan.expect("valid");
    let HomeConfig::File(file) = plan.worker.home else { panic!("not files") };
    assert_eq!(file.folder, None);
}

#[test]
fn connectors_must_differ() {
    let folder = tempfile::tempdir().expect("folder");
    let one = write(folder.path(), "1.json", CONNECTOR);
    let two = write(folder.path(), "2.json", CONNECTOR);
    let what: Vec<String> =
        run_plan(None, &[one, two]).findings.into_iter().map(|finding| finding.what).collect();
    assert_eq!(
        what,
        ["name = shop", "database.server.id = 7 (connector shop)", "topic.prefix = shop (connector shop)",]
    );
}

#[test]
fn decode_needs_a_prefix_only() {
    let folder = tempfile::tempdir().expect("folder");
    let config =
        write(folder.path(), "d.properties", "topic.prefix = shop\nvalue.converter.schemas.enable = false\n");
    let arguments = ["tidewire", "decode", "--config", &config.display().to_string(), "binlog.000001"];
    let command = arguments::parse(arguments).expect("valid");
    let commands = Recorded::default();
    assert_eq!(execute(command, &commands), 0);
    let decoded = commands.decoded.borrow();
    assert_eq!(decoded[0].source.history.store, HistoryStore::Memory);
    assert!(!decoded[0].source.value_converter.schemas_enable);
    assert!(decoded[0].source.key_converter.schemas_enable);
    assert_eq!(decoded[0].binlogs, [PathBuf::from("binlog.000001")]);
}

#[test]
fn exit_codes() {
    let folder = tempfile::tempdir().expect("folder");
    let none = folder.path().join("none.json").display().to_string();
    for (arguments, expected) in
        [(vec!["tidewire", "run", &none], 2), (vec!["tidewire", "validate", &none], 2)]
    {
        let command = arguments::parse(arguments.clone()).expect("valid");
        assert_eq!(execute(command, &Recorded::default()), expected, "{arguments:?}");
    }
}

/// What `docker-compose.yml` runs is right, and keeps what a mirror needs.
#[test]
fn the_examples_of_the_deployment_are_right() {
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    let connectors = ["connector.json", "clickhouse.json"].map(|file| deploy.join(file));
    let planned = run_plan(Some(&deploy.join("worker.properties")), &connectors);
    assert!(planned.findings.is_empty(), "{:?}", planned.findings);
    let plan = planned.plan.expect("a plan");
    let (source, sink) = (&plan.sources[0], &plan.sinks[0]);
    assert_eq!(sink.schema_changes_topic.as_ref(), Some(&source.topic_prefix));
    let Topics::Matching(pattern) = &sink.topics else { panic!("topics by name") };
    let pattern = JavaPattern::compile_with_case(pattern).expect("a pattern");
    assert!(pattern.matches("inventory.inventory.t") && !pattern.matches("inventory"));
    let worker = std::fs::read_to_string(deploy.join("worker.properties")).expect("a file");
    for part in ["key", "value"] {
        assert!(worker.contains(&format!("\n{part}.converter.replace.null.with.default=false")), "{worker}");
    }
}
