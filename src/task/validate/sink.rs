//! What stands in the way of a sink: at Kafka, in the records that are there, and at ClickHouse.
//!
//! The topics come first, since only their records tell which tables there will be. Whatever one end lacks, the other one is asked
//! all the same.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::config::sink::SinkConfig;
use crate::config::worker::{HomeConfig, KafkaConfig, WorkerConfig};
use crate::kafka::sink_survey::{self, SurveyedSink};
use crate::sink::apply::applier::is_of_no_table;
use crate::sink::apply::catalog::SchemaCatalog;
use crate::sink::apply::record::RecordStore;
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::preflight::tables::ComingTable;
use crate::sink::preflight::{self, records};
use crate::task::error::TaskError;
use crate::task::sink_task::topics;
use crate::task::topic_store::TopicStore;

/// Everything that is not as the sink needs it.
pub fn sink_findings(sink: &SinkConfig, worker: &WorkerConfig) -> Vec<Finding> {
    let mut catalog = SchemaCatalog::default();
    let (mut findings, mut coming) = (Vec::new(), Vec::new());
    // A worker without brokers was told when its file was read.
    if let HomeConfig::Kafka(kafka) = &worker.home {
        (findings, coming) = kafka_findings(sink, kafka, &mut catalog);
    }
    findings.extend(preflight::survey(sink, &coming, &catalog));
    findings
}

fn kafka_findings(
    sink: &SinkConfig,
    kafka: &KafkaConfig,
    catalog: &mut SchemaCatalog,
) -> (Vec<Finding>, Vec<ComingTable>) {
    let schema_changes = sink.schema_changes_topic.as_deref();
    let chosen = match topics(sink) {
        Ok(chosen) => chosen,
        Err(error) => {
            let expected = "a regular expression of Java";
            return (vec![Finding::of_error("topics.regex", expected, &error, "correct it")], Vec::new());
        }
    };
    let surveyed = sink_survey::survey(
        kafka,
        &SurveyedSink {
            name: &sink.name,
            overrides: &sink.consumer_overrides.0,
            topics: &chosen,
            schema_changes,
            is_of_no_table: &|topic| is_of_no_table(schema_changes, topic),
        },
    );
    let mut findings = surveyed.findings;
    if surveyed.has_schema_changes {
        findings.extend(learn(sink, kafka, catalog));
    }
    let mut coming: Vec<ComingTable> = Vec::new();
    for sample in &surveyed.samples {
        let judged = records::judge(sample, catalog, sink);
        findings.extend(judged.findings);
        for table in judged.tables {
            if !coming.iter().any(|known| known.name == table.name && known.source == table.source) {
                coming.push(table);
            }
        }
    }
    findings.extend(learn_lives(sink, kafka, &mut coming));
    (findings, coming)
}

/// Asks for the lives of topics whose records have no number of their own. What a broker does not tell of one, it tells of none.
fn learn_lives(sink: &SinkConfig, kafka: &KafkaConfig, coming: &mut [ComingTable]) -> Option<Finding> {
    let mut unnumbered = coming.iter_mut().filter(|table| table.version.is_none()).peekable();
    let first = unnumbered.peek()?.topic.clone();
    let finding = |topic: &str, error: &TaskError| {
        let otherwise = "use brokers from 2.8 on, or let tidewire publish the topics";
        Finding::of_error(format!("topic {topic}"), "a topic whose id brokers tell", error, otherwise)
    };
    let mut store = match TopicStore::open(sink, kafka, &Arc::new(AtomicBool::new(false))) {
        Ok(store) => store,
        Err(error) => return Some(finding(&first, &TaskError::home(error))),
    };
    for table in unnumbered {
        match store.life(&table.topic) {
            Ok(life) => table.life = Some(life),
            Err(error) => return Some(finding(&table.topic, &TaskError::Home(error))),
        }
    }
    None
}

/// Reads the schema-change topic, as every start does.
fn learn(sink: &SinkConfig, kafka: &KafkaConfig, catalog: &mut SchemaCatalog) -> Vec<Finding> {
    let what = format!("schema.changes.topic = {}", sink.schema_changes_topic.as_deref().unwrap_or_default());
    let expected = "schema changes that can be read";
    let otherwise = "name the schema-change topic of the source: its topic.prefix";
    let mut store = match TopicStore::open(sink, kafka, &Arc::new(AtomicBool::new(false))) {
        Ok(store) => store,
        Err(error) => return vec![Finding::of_error(what, expected, &error, otherwise)],
    };
    let mut unreadable = None;
    let read = store.schema_changes(&mut |record| {
        let offset = record.offset;
        if let Err(error) = catalog.learn_record(record)
            && unreadable.is_none()
        {
            unreadable = Some((offset, error));
        }
    });
    let mut findings = Vec::new();
    if let Err(error) = read {
        findings.push(Finding::of_error(&what, expected, &TaskError::Home(error), otherwise));
    }
    if let Some((offset, error)) = unreadable {
        let found = Finding::of_error(&what, expected, &error, otherwise);
        findings.push(Finding { actual: format!("record at offset {offset}: {}", found.actual), ..found });
    }
    if findings.is_empty() && catalog.tables().next().is_none() {
        findings.push(Finding::new(
            Severity::Warning,
            what,
            "descriptions of tables",
            "the topic describes no table",
            "name the schema-change topic of the source (its topic.prefix), and set include.schema.changes=true there",
        ));
    }
    findings
}
