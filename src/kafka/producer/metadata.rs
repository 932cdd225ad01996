//! Topics, their partitions and leaders, as the brokers tell.
//!
//! Metadata is asked for when a topic is new, when a broker says that it does not lead a partition, when a connection
//! is lost, and every `metadata.max.age.ms`, which also finds added partitions. While a topic or a leader is missing it
//! is asked for again with a back-off.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::ErrorClass;
use crate::kafka::producer::Producer;
use crate::kafka::producer::failure::Failure;
use crate::kafka::producer::node::{Asked, backoff};
use crate::kafka::producer::partition::Partition;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::init_producer_id;
use crate::kafka::protocol::metadata::{ClusterMetadata, TopicMetadata, put_request};
use crate::kafka::protocol::{INIT_PRODUCER_ID, METADATA};

/// A topic that records are published to.
pub(super) struct Topic {
    pub(super) name: Arc<str>,
    /// None until the brokers have told.
    pub(super) partitions: Vec<Partition>,
    /// Where records without a key go now.
    pub(super) sticky: usize,
}

impl Topic {
    pub(super) fn new(name: Arc<str>) -> Self {
        Topic { name, partitions: Vec::new(), sticky: 0 }
    }
}

/// When metadata is asked for.
#[derive(Default)]
pub(super) struct MetadataState {
    wanted: bool,
    asked: bool,
    /// Answers in a row that left something open.
    incomplete: u32,
    not_before: Option<Instant>,
    told: Option<Instant>,
}

impl MetadataState {
    /// Something is not known or not true any more.
    pub(super) fn want(&mut self) {
        self.wanted = true;
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// The question got lost.
    pub(super) fn lost(&mut self) {
        self.asked = false;
        self.wanted = true;
    }

    fn is_due(&self, now: Instant, max_age: Duration) -> bool {
        let old = self.told.is_some_and(|told| now.saturating_duration_since(told) > max_age);
        (self.wanted || old) && !self.asked && self.not_before.is_none_or(|instant| now >= instant)
    }
}

impl Producer {
    /// Asks for metadata and for an identity, where they are missing, and sees to a connection for that.
    pub(super) fn ask(&mut self, now: Instant) {
        if !self.topics.is_empty() && self.metadata.is_due(now, self.settings.metadata_max_age) {
            self.ask_metadata(now);
        }
        let asked = self
            .nodes
            .all()
            .any(|node| node.requests.iter().any(|request| matches!(request.asked, Asked::Identity)));
        let due = self.identity_not_before.is_none_or(|instant| now >= instant);
        let wanted = self.settings.idempotent && self.transaction.is_none() && self.identity.is_none();
        if wanted && self.renewal.is_none() && !asked && due {
            self.ask_identity(now);
        }
    }

    fn ask_metadata(&mut self, now: Instant) {
        let Some(node) = self.nodes.any(now) else { return };
        let names: Vec<&str> = self.topics.iter().map(|topic| &*topic.name).collect();
        self.nodes.send(node, METADATA, METADATA.newest, Asked::Metadata, now, |body| {
            put_request(body, names.iter().copied());
        });
        self.metadata.asked = true;
    }

    fn ask_identity(&mut self, now: Instant) {
        let Some(node) = self.nodes.any(now) else { return };
        let version = self.nodes.version(node, INIT_PRODUCER_ID);
        self.nodes.send(node, INIT_PRODUCER_ID, version, Asked::Identity, now, |body| {
            init_producer_id::put_request(body, None, i32::MAX);
        });
    }

    /// Takes over what the brokers tell.
    pub(super) fn learn(&mut self, metadata: ClusterMetadata, now: Instant) {
        self.metadata.asked = false;
        self.metadata.wanted = false;
        self.metadata.told = Some(now);
        let mut open = metadata.brokers.is_empty();
        for node in self.nodes.learn(metadata.brokers) {
            self.lose(node, &"the broker has another address now", now);
        }
        let mut missing = None;
        for topic in metadata.topics {
            if let Some(reason) = self.learn_topic(&topic) {
                open = true;
                missing = Some(format!("topic {}: {reason}", topic.name));
            }
        }
        if let Some(reason) = missing
            && self.metadata.incomplete >= 3
        {
            // A topic that was just created has no leader for a moment; that is not worth a word.
            self.nodes.tell(&self.settings.brokers, &reason);
        }
        if open {
            self.metadata.wanted = true;
            let wait = backoff(self.settings.retry_backoff, self.metadata.incomplete);
            self.metadata.not_before = Some(now + wait);
            self.metadata.incomplete = self.metadata.incomplete.saturating_add(1);
        } else {
            self.metadata.incomplete = 0;
            self.metadata.not_before = Some(now + self.settings.retry_backoff.0);
        }
    }

    /// Takes over what is said of a topic; the reason when something is still open.
    fn learn_topic(&mut self, told: &TopicMetadata) -> Option<ErrorCode> {
        let topic = self.names.get(told.name.as_str()).and_then(|place| self.topics.get_mut(*place))?;
        if let Err(code) = ErrorCode::check(told.error) {
            if code.class() == ErrorClass::Fatal {
                self.failure.get_or_insert(Failure::Topic { topic: told.name.clone(), code });
            }
            return Some(code);
        }
        if topic.partitions.len() < told.leaders.len() {
            topic.partitions.resize_with(told.leaders.len(), Partition::default);
        }
        let mut open = told.leaders.is_empty().then_some(ErrorCode::LEADER_NOT_AVAILABLE);
        for (index, leader) in &told.leaders {
            let partition = usize::try_from(*index).ok().and_then(|index| topic.partitions.get_mut(index));
            let Some(partition) = partition else { continue };
            partition.leader = Some(*leader).filter(|leader| *leader >= 0);
            if partition.leader.is_none() {
                open = Some(ErrorCode::LEADER_NOT_AVAILABLE);
            }
        }
        open
    }
}
