//! What brokers have of the topics of a sink, looked at beside its group: nothing is joined, committed or made.
//!
//! ```text
//! list        all topics that the user sees; those that are named have to be among them, a pattern has to choose one
//! extents     where all their partitions begin and end: who may not know that may not read them
//! committed   what the group has committed of them, and whether that is still there
//! rights      whether it may commit to its group (`group_rights`)
//! settings    how long they keep what they have, and how large a record may be
//! sample      the oldest and the newest records of each partition, with an assignment of our own (`sampler`)
//! ```
//! What an answer means is said in `judge`; what the records mean, `sink::preflight::records` says.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::topic_partition_list::Offset;

use crate::config::worker::KafkaConfig;
use crate::error::{Classify, chain};
use crate::kafka::client_events::ClientEvents;
use crate::kafka::consumer::assigned_reader::reader_config;
use crate::kafka::consumer::settings::group_id;
use crate::kafka::consumer::start::{extents, list, offset};
use crate::kafka::consumer::subscription::Topics as Chosen;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::sink_survey::judge::{Kind, Seen};
use crate::kafka::sink_survey::sampler::{Sampler, Span};
use crate::kafka::topic_reader::{Extent, consumer_of, passes};
use crate::kafka::topics::Topics;
use crate::sink::preflight::finding::{Finding, Severity};
use crate::sink::preflight::records::TopicSample;

pub mod group_rights;

mod judge;
mod sampler;

/// How long brokers are waited for.
const PATIENCE: Duration = Duration::from_secs(15);
/// One wait for an answer.
const ASK: Duration = Duration::from_secs(5);
/// Between two questions.
const PAUSE: Duration = Duration::from_millis(200);
/// Topics of which records are looked at.
const MOST_TOPICS: usize = 500;

/// Whose topics are looked at.
pub struct SurveyedSink<'a> {
    /// The connector's name.
    pub name: &'a str,
    /// `consumer.override.*`, prefix removed.
    pub overrides: &'a [(String, String)],
    /// `topics` or `topics.regex`.
    pub topics: &'a Chosen,
    /// `schema.changes.topic`.
    pub schema_changes: Option<&'a str>,
    /// Whether a topic has other things than rows.
    pub is_of_no_table: &'a dyn Fn(&str) -> bool,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Survey {
    /// What is not as it has to be.
    pub findings: Vec<Finding>,
    /// Records of each topic of rows.
    pub samples: Vec<TopicSample>,
    /// Whether the schema-change topic can be read.
    pub has_schema_changes: bool,
}

/// Looks at everything. What cannot be asked is a finding.
pub fn survey(kafka: &KafkaConfig, sink: &SurveyedSink<'_>) -> Survey {
    let mut survey = Survey::default();
    if let Err(error) = look(kafka, sink, &mut survey) {
        survey.findings.push(unusable(kafka, &error));
    }
    survey
}

fn unusable(kafka: &KafkaConfig, error: &KafkaHomeError) -> Finding {
    let what = match error {
        KafkaHomeError::UnknownProperty { property } | KafkaHomeError::UnusableProperty { property, .. } => {
            property.clone()
        }
        _ => format!("bootstrap.servers = {}", kafka.bootstrap_servers),
    };
    let remedy = "make the brokers reachable with the worker's properties, and see consumer.override.* of the connector";
    Finding::of_error(what, "brokers that answer the sink's consumer", error, remedy)
}

fn look(kafka: &KafkaConfig, sink: &SurveyedSink<'_>, survey: &mut Survey) -> Result<(), KafkaHomeError> {
    let mut client = reader_config(kafka, sink.overrides)?;
    let reader = consumer_of(&client)?;
    let group = group_id(sink.name, sink.overrides);
    let member = consumer_of(client.set("group.id", &group))?;
    let existing = topics(&reader, kafka)?;
    let chosen = sink.topics.chosen(existing.iter().map(|topic| topic.name.as_str()));
    survey.findings.extend(judge::chosen(sink.topics, &chosen));
    let mut seen: Vec<&Existing> = Vec::new();
    for name in &chosen {
        match existing.iter().find(|topic| topic.name == *name) {
            Some(topic) => seen.push(topic),
            None => survey.findings.push(judge::missing_topic(name)),
        }
    }
    let of_schema = sink.schema_changes.and_then(|name| existing.iter().find(|topic| topic.name == name));
    survey
        .findings
        .extend(judge::schema_changes(sink.schema_changes, of_schema.map(|topic| topic.partitions)));
    seen.retain(|topic| !(sink.is_of_no_table)(&topic.name));
    let of_rows = seen.len();
    seen.extend(of_schema);
    let mut samples = Vec::new();
    for (at, topic) in seen.into_iter().enumerate() {
        let kind = if at < of_rows { Kind::Rows } else { Kind::SchemaChanges };
        match extents_of(&reader, topic) {
            Ok(extents) => samples.push((kind, Looked { topic, extents })),
            Err(error) => survey.findings.push(judge::unreadable(&topic.name, &error)),
        }
    }
    look_at_group(&member, &group, &samples, survey);
    let may_commit = group_rights::may_commit(kafka, sink.overrides, &group);
    // That its offsets may not even be read was told.
    let refused = survey.findings.iter().any(|found| found.what == judge::named(&group));
    if !refused {
        survey.findings.extend(judge::may_commit(&group, may_commit));
    }
    take_samples(kafka, reader, samples, survey);
    Ok(())
}

/// A topic that the user sees.
struct Existing {
    name: String,
    partitions: usize,
}

/// One whose extents are known, by partition.
struct Looked<'a> {
    topic: &'a Existing,
    extents: Vec<Extent>,
}

/// Lists the topics, and waits for the brokers.
fn topics(reader: &BaseConsumer<ClientEvents>, kafka: &KafkaConfig) -> Result<Vec<Existing>, KafkaHomeError> {
    let brokers = || kafka.bootstrap_servers.clone();
    let began = Instant::now();
    let metadata = loop {
        match reader.fetch_metadata(None, ASK) {
            Ok(metadata) => break metadata,
            Err(source) => {
                if let Some(reason) = reader.context().take_authentication_failure() {
                    return Err(KafkaHomeError::Authentication { brokers: brokers(), reason });
                }
                if began.elapsed() >= PATIENCE {
                    let seconds = PATIENCE.as_secs();
                    return Err(KafkaHomeError::Unreachable { brokers: brokers(), seconds, source });
                }
                std::thread::sleep(PAUSE);
            }
        }
    };
    let existing = metadata
        .topics()
        .iter()
        .map(|topic| Existing { name: topic.name().to_owned(), partitions: topic.partitions().len() });
    Ok(existing.collect())
}

fn partitions(topic: &Existing) -> Vec<(String, i32)> {
    let count = i32::try_from(topic.partitions).unwrap_or(i32::MAX);
    (0..count).map(|partition| (topic.name.clone(), partition)).collect()
}

fn extents_of(reader: &BaseConsumer<ClientEvents>, topic: &Existing) -> Result<Vec<Extent>, KafkaError> {
    let began = Instant::now();
    extents(reader, &partitions(topic), &mut |error| passes(error) && began.elapsed() < PATIENCE)
}

/// What the group has committed, and whether the next records are still there.
fn look_at_group(
    member: &BaseConsumer<ClientEvents>,
    group: &str,
    looked: &[(Kind, Looked<'_>)],
    survey: &mut Survey,
) {
    let of_rows = || looked.iter().filter(|(kind, _)| *kind == Kind::Rows).map(|(_, looked)| looked);
    let asked: Vec<(String, i32)> = of_rows().flat_map(|looked| partitions(looked.topic)).collect();
    if asked.is_empty() {
        return;
    }
    let began = Instant::now();
    let committed = loop {
        let answer = list(&asked, Offset::Invalid).and_then(|list| member.committed_offsets(list, ASK));
        let answer = answer.and_then(|list| {
            list.elements().iter().try_for_each(|element| element.error())?;
            Ok(list)
        });
        match answer {
            Ok(committed) => break committed,
            Err(error) if judge::is_refusal(&error) || began.elapsed() >= PATIENCE => {
                survey.findings.push(judge::group(group, &error));
                return;
            }
            // The first group of a cluster has its topic made.
            Err(_) => std::thread::sleep(PAUSE),
        }
    };
    for looked in of_rows() {
        for (partition, extent) in partitions(looked.topic).iter().zip(&looked.extents) {
            let found = offset(&committed, partition)
                .and_then(|wanted| judge::committed(group, &partition.0, partition.1, wanted, *extent));
            survey.findings.extend(found);
        }
    }
}

/// Reads some records of each topic, and asks for its settings.
fn take_samples(
    kafka: &KafkaConfig,
    reader: BaseConsumer<ClientEvents>,
    looked: Vec<(Kind, Looked<'_>)>,
    survey: &mut Survey,
) {
    let layers = [kafka.client.as_slice(), kafka.admin.as_slice()];
    // Who may list may not always describe.
    let admin = Topics::connect(&kafka.bootstrap_servers, &layers, &AtomicBool::new(false)).ok();
    let mut sampler = Sampler::new(reader);
    let mut untold = Vec::new();
    let rows = looked.iter().filter(|(kind, _)| *kind == Kind::Rows).count();
    if rows > MOST_TOPICS {
        survey.findings.push(Finding::new(
            Severity::Information,
            "topics",
            "records of every topic",
            format!("records of {MOST_TOPICS} of {rows} topics were looked at"),
            "none is needed; validate with fewer topics to see the others",
        ));
    }
    let mut taken = 0;
    for (kind, looked) in looked {
        let name = &looked.topic.name;
        if kind == Kind::Rows {
            taken += 1;
            if taken > MOST_TOPICS {
                continue;
            }
        }
        let spans: Vec<Span> =
            looked.extents.iter().zip(0..).map(|(extent, at)| Span::new(at, *extent)).collect();
        let sampled = match sampler.read(name, &spans) {
            Ok(sampled) => sampled,
            Err(error) => {
                survey.findings.push(judge::unreadable(name, &error));
                continue;
            }
        };
        if !sampled.complete {
            survey.findings.push(judge::slow(name));
        }
        match admin.as_ref().and_then(|admin| admin.configs(name)) {
            Some(configs) => {
                let seen = Seen { topic: name, kind, largest: sampled.largest };
                survey.findings.extend(judge::settings(&seen, &configs));
            }
            None => untold.push(name.clone()),
        }
        match kind {
            Kind::Rows => survey.samples.push(TopicSample {
                topic: name.clone(),
                partitions: looked.topic.partitions,
                records: sampled.records,
            }),
            Kind::SchemaChanges => survey.has_schema_changes = true,
        }
    }
    if !untold.is_empty() {
        survey.findings.push(Finding::new(
            Severity::Information,
            "settings of topics",
            "retention and sizes that can be asked for",
            format!("the brokers do not tell those of {}", untold.join(", ")),
            "allow DescribeConfigs on the topics, if they are to be checked",
        ));
    }
}

/// The words of an error of the client, and what to do.
fn words(topic: &str, source: &KafkaError) -> (String, Option<String>) {
    let error = KafkaHomeError::Read { topic: topic.to_owned(), source: source.clone() };
    (chain(&error), error.remedy())
}
