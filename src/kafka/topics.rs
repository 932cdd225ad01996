//! Topics that must be there before something is written to them.
//!
//! The existing ones are listed once, when the home is opened: a listing creates nothing, while asking a broker for one
//! topic may. A missing one is created with explicit settings, as Kafka Connect does. Where creating is not allowed,
//! the broker may still create the topic by itself when the first record arrives, so that is only a warning.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use tracing::{info, warn};

use crate::config::source::TopicCreation;
use crate::kafka::client_config::{ClientRole, client_config};
use crate::kafka::client_events::ClientEvents;
use crate::kafka::completion::wait_for;
use crate::kafka::error::KafkaHomeError;

/// How a topic is created.
#[derive(Clone, Copy, Debug)]
pub struct TopicSettings {
    partitions: i32,
    replication_factor: i32,
    configs: &'static [(&'static str, &'static str)],
}

impl TopicSettings {
    /// A topic of records: `topic.creation.default.*`, the rest is the broker's default.
    pub fn records(creation: TopicCreation) -> Self {
        TopicSettings {
            partitions: creation.partitions,
            replication_factor: creation.replication_factor,
            configs: &[],
        }
    }

    /// The offset topic: compacted, as Kafka Connect makes it.
    pub fn offsets(partitions: i32, replication_factor: i32) -> Self {
        TopicSettings { partitions, replication_factor, configs: &[("cleanup.policy", "compact")] }
    }

    /// The history topic, as Debezium's KafkaSchemaHistory makes it: one partition that keeps everything.
    pub fn history() -> Self {
        TopicSettings {
            partitions: 1,
            replication_factor: -1,
            configs: &[
                ("cleanup.policy", "delete"),
                ("retention.ms", "9223372036854775807"),
                ("retention.bytes", "-1"),
            ],
        }
    }
}

/// How long the brokers are waited for when a home is opened: Java's `default.api.timeout.ms`.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// One attempt.
const ATTEMPT: Duration = Duration::from_secs(3);

/// The topics of a cluster, seen with the worker's credentials.
pub struct Topics {
    admin: AdminClient<ClientEvents>,
    brokers: String,
    /// Partitions by topic.
    existing: HashMap<String, usize>,
}

impl Topics {
    /// Connects, waiting for the brokers up to a minute or until `stop` is set, and lists the topics.
    pub fn connect(
        brokers: &str,
        layers: &[&[(String, String)]],
        stop: &AtomicBool,
    ) -> Result<Self, KafkaHomeError> {
        let admin: AdminClient<ClientEvents> = client_config(ClientRole::Admin, brokers, layers)?
            .create_with_context(ClientEvents::new(brokers))
            .map_err(|source| KafkaHomeError::Client { brokers: brokers.to_owned(), source })?;
        let mut topics = Topics { admin, brokers: brokers.to_owned(), existing: HashMap::new() };
        let start = Instant::now();
        loop {
            match topics.list() {
                Ok(()) => return Ok(topics),
                Err(_) if stop.load(Ordering::Relaxed) => return Err(KafkaHomeError::Stopped),
                Err(source) => {
                    let events = topics.admin.inner().context();
                    if let Some(reason) = events.take_authentication_failure() {
                        return Err(KafkaHomeError::Authentication { brokers: topics.brokers, reason });
                    }
                    events.not_reachable(&source.to_string());
                    if start.elapsed() >= PATIENCE {
                        return Err(KafkaHomeError::Unreachable {
                            brokers: topics.brokers,
                            seconds: PATIENCE.as_secs(),
                            source,
                        });
                    }
                }
            }
        }
    }

    fn list(&mut self) -> Result<(), KafkaError> {
        let metadata = self.admin.inner().fetch_metadata(None, ATTEMPT)?;
        self.existing = metadata
            .topics()
            .iter()
            .filter(|topic| topic.error().is_none())
            .map(|topic| (topic.name().to_owned(), topic.partitions().len()))
            .collect();
        Ok(())
    }

    /// How many partitions a topic has; `None` when it is missing. As of the last listing.
    pub fn partitions(&self, topic: &str) -> Option<usize> {
        self.existing.get(topic).copied()
    }

    /// The same, after a new listing.
    pub fn current_partitions(&mut self, topic: &str) -> Result<Option<usize>, KafkaHomeError> {
        self.list().map_err(|source| KafkaHomeError::Read { topic: topic.to_owned(), source })?;
        Ok(self.partitions(topic))
    }

    /// The settings of a topic, name and value; `None` when the brokers do not tell.
    pub fn configs(&self, topic: &str) -> Option<Vec<(String, String)>> {
        let options = AdminOptions::new().request_timeout(Some(ATTEMPT));
        let resource = ResourceSpecifier::Topic(topic);
        let asked = self.admin.describe_configs([&resource], &options);
        let described = wait_for(asked).ok()?.into_iter().next()?.ok()?;
        Some(described.entries.into_iter().filter_map(|entry| Some((entry.name, entry.value?))).collect())
    }

    /// Deletes a topic.
    pub fn delete(&mut self, topic: &str) -> Result<(), KafkaHomeError> {
        let options = AdminOptions::new().request_timeout(Some(PATIENCE)).operation_timeout(Some(PATIENCE));
        let failed = |source| KafkaHomeError::DeleteTopic { topic: topic.to_owned(), source };
        let results = wait_for(self.admin.delete_topics(&[topic], &options)).map_err(failed)?;
        if let Some(Err((_, code))) = results.into_iter().next() {
            return Err(failed(KafkaError::AdminOp(code)));
        }
        self.existing.remove(topic);
        Ok(())
    }

    /// Creates a topic unless it exists. Brokers that are away are waited for up to a minute, or until `stop` is set.
    pub fn ensure(
        &mut self,
        topic: &str,
        settings: &TopicSettings,
        stop: &AtomicBool,
    ) -> Result<(), KafkaHomeError> {
        self.ensure_within(PATIENCE, topic, settings, stop)
    }

    /// The same with another limit than a minute.
    pub fn ensure_within(
        &mut self,
        limit: Duration,
        topic: &str,
        settings: &TopicSettings,
        stop: &AtomicBool,
    ) -> Result<(), KafkaHomeError> {
        let legal = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'_' | b'-');
        if topic.is_empty() || topic.len() > 249 || matches!(topic, "." | "..") || !topic.bytes().all(legal) {
            return Err(KafkaHomeError::TopicName { topic: topic.to_owned() });
        }
        if self.existing.contains_key(topic) {
            return Ok(());
        }
        let mut fresh =
            NewTopic::new(topic, settings.partitions, TopicReplication::Fixed(settings.replication_factor));
        for (name, value) in settings.configs {
            fresh = fresh.set(name, value);
        }
        let attempt = limit.min(ATTEMPT);
        let options = AdminOptions::new().request_timeout(Some(attempt)).operation_timeout(Some(attempt));
        let failed = |source| KafkaHomeError::CreateTopic { topic: topic.to_owned(), source };
        let began = Instant::now();
        let results = loop {
            // A topic that was created without our hearing of it exists at the next attempt.
            match wait_for(self.admin.create_topics([&fresh], &options)) {
                Ok(results) => break results,
                Err(_) if stop.load(Ordering::Relaxed) => return Err(KafkaHomeError::Stopped),
                Err(source) if began.elapsed() >= limit => return Err(failed(source)),
                Err(_) => {}
            }
        };
        match results.into_iter().next() {
            Some(Err((_, RDKafkaErrorCode::TopicAlreadyExists))) => {}
            Some(Err((
                _,
                code @ (RDKafkaErrorCode::TopicAuthorizationFailed
                | RDKafkaErrorCode::ClusterAuthorizationFailed),
            ))) => {
                warn!(topic, "not allowed to create the topic ({code}), the broker may create it by itself");
            }
            Some(Err((_, code))) => return Err(failed(KafkaError::AdminOp(code))),
            Some(Ok(_)) | None => info!(topic, "topic created"),
        }
        self.existing.insert(topic.to_owned(), usize::try_from(settings.partitions).unwrap_or(0));
        Ok(())
    }
}
