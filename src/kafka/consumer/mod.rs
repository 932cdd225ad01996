//! Reads topics as a member of a consumer group and commits what is stored elsewhere.
//!
//! The group is Kafka Connect's own of a sink, `connect-<name>`, so a connector that moves here goes on where its tasks were, and
//! the other way round. Everything happens on the thread that polls:
//!
//! | a poll says | what follows |
//! |---|---|
//! | `Record` | one record, where librdkafka has it. Unless it is held before the next poll, it is done with it |
//! | `Assigned` | partitions, and where each begins (`start`); their records come from the next poll on |
//! | `Revoked` | partitions that go elsewhere with the next poll. Until then what is held may be stored and released, and is committed; the rest is read again by who gets them. The group waits for this, `max.poll.interval.ms` (5 minutes) at the most |
//! | `Revoked`, lost | they are elsewhere already: nothing is committed any more |
//! | `Missing` | the log has lost records that were not read yet: the partition stands still and nothing of it is committed |
//! | `Nothing` | nothing came, or something that is told at the next poll |
//!
//! Behind a record, [`GroupConsumer::more`] gives those that librdkafka has fetched already, without all the rest of a poll.
//!
//! Up to where a partition is committed is `sink::consumer`'s rule: to the first record that is held, and never one beyond. Commits
//! go out every `offset.flush.interval.ms`, before a partition is given up, and when the consumer is closed. One that
//! fails is sent again with the next. A partition whose table waits is paused: the others go on, and what librdkafka had fetched
//! of it is fetched again later.
//!
//! Brokers that are away are waited for; what stays is an error. `rebalance` takes partitions on and gives them up, `group_events` is
//! what librdkafka calls meanwhile.

pub mod assigned_reader;
pub mod assignment;
pub mod record;
pub mod settings;
pub mod start;
pub mod subscription;

mod commit;
mod group_events;
mod rebalance;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use tracing::warn;

use crate::config::worker::KafkaConfig;
use crate::error::ErrorClass;
use crate::kafka::consumer::assignment::{AssignedPartition, Assignment, list};
use crate::kafka::consumer::group_events::{GroupEvents, TopicPartition};
use crate::kafka::consumer::record::ConsumedRecord;
use crate::kafka::consumer::settings::{ConsumerSettings, group_id, refresh_interval, settings_of_client};
use crate::kafka::consumer::start::{FirstOffset, extents, missing};
use crate::kafka::consumer::subscription::Subscription;
use crate::kafka::error::{KafkaHomeError, class_of};
use crate::sink::consumer::AssignmentId;

/// How long brokers are waited for where nothing else can be done.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two attempts to reach them.
const PAUSE: Duration = Duration::from_millis(200);

/// What a poll brought.
#[derive(Debug)]
pub enum Polled<'a> {
    /// A record.
    Record(ConsumedRecord<'a>),
    /// Partitions to read from now on.
    Assigned(Vec<AssignedPartition>),
    /// Partitions that are given up with the next poll.
    Revoked {
        /// Their names.
        assignments: Vec<AssignmentId>,
        /// Whether another member may have them already.
        lost: bool,
    },
    /// Partitions that stand still since their next records are not there any more.
    Missing(Vec<AssignedPartition>),
    /// Nothing within the time.
    Nothing,
}

/// A member of a consumer group.
pub struct GroupConsumer {
    consumer: BaseConsumer<GroupEvents>,
    group: String,
    first: FirstOffset,
    subscription: Subscription,
    assignment: Assignment,
    /// What the next poll gives up.
    revoked: Option<(Vec<TopicPartition>, bool)>,
    /// The group waits to hear that an assignment was taken.
    unanswered: bool,
    /// librdkafka found a log without the offset that it wanted, and does not say which.
    offset_missing: bool,
    commit_interval: Duration,
    last_commit: Instant,
    stop: Arc<AtomicBool>,
}

impl GroupConsumer {
    /// Joins the group. Waits for the brokers up to a minute, or until `stop` is set.
    pub fn open(
        config: &KafkaConfig,
        settings: ConsumerSettings<'_>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        let (client, first) = settings_of_client(config, &settings)?;
        let group = group_id(settings.name, settings.overrides);
        let interval = refresh_interval(&client);
        let brokers = config.bootstrap_servers.as_str();
        let consumer = client
            .create_with_context(GroupEvents::new(brokers))
            .map_err(|source| KafkaHomeError::Client { brokers: brokers.to_owned(), source })?;
        let mut opened = GroupConsumer {
            consumer,
            group,
            first,
            subscription: Subscription::new(settings.topics, interval),
            assignment: Assignment::default(),
            revoked: None,
            unanswered: false,
            offset_missing: false,
            commit_interval: settings.commit_interval,
            last_commit: Instant::now(),
            stop,
        };
        opened.subscribe(brokers)?;
        Ok(opened)
    }

    fn subscribe(&mut self, brokers: &str) -> Result<(), KafkaHomeError> {
        let began = Instant::now();
        loop {
            let Err(source) = self.subscription.refresh(&self.consumer) else { return Ok(()) };
            if self.stop.load(Ordering::Relaxed) {
                return Err(KafkaHomeError::Stopped);
            }
            let brokers = brokers.to_owned();
            let events = self.consumer.context().client();
            if let Some(reason) = events.take_authentication_failure() {
                return Err(KafkaHomeError::Authentication { brokers, reason });
            }
            if class_of(&source) == ErrorClass::Fatal {
                return Err(self.failed(source));
            }
            events.not_reachable(&source.to_string());
            if began.elapsed() >= PATIENCE {
                return Err(KafkaHomeError::Unreachable { brokers, seconds: PATIENCE.as_secs(), source });
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The name of the group.
    pub fn group(&self) -> &str {
        &self.group
    }

    /// Waits for something to happen.
    pub fn poll(&mut self, wait: Duration) -> Result<Polled<'_>, KafkaHomeError> {
        self.give_up_revoked()?;
        if let Some(polled) = self.heard()? {
            return Ok(polled);
        }
        if std::mem::take(&mut self.offset_missing) {
            return Ok(Polled::Missing(self.find_missing()?));
        }
        if self.subscription.is_due()
            && let Err(error) = self.subscription.refresh(&self.consumer)
        {
            self.tolerate(error)?;
        }
        if self.last_commit.elapsed() >= self.commit_interval
            && let Err(error) = self.commit_soon()
        {
            self.tolerate(error)?;
        }
        self.next(wait)
    }

    /// The next record if it is here already: what a poll says and does beside that is left to the next poll. Most records are taken
    /// this way, since so no clock is read and no lock taken for one.
    pub fn more(&mut self) -> Result<Option<ConsumedRecord<'_>>, KafkaHomeError> {
        // What is given up is given up by a poll, and nothing comes in between.
        if self.revoked.is_some() || self.offset_missing {
            return Ok(None);
        }
        match self.next(Duration::ZERO)? {
            Polled::Record(record) => Ok(Some(record)),
            // Whatever it was is heard by the next poll.
            _ => Ok(None),
        }
    }

    /// The next record or none.
    fn next(&mut self, wait: Duration) -> Result<Polled<'_>, KafkaHomeError> {
        match self.consumer.poll(wait) {
            None => Ok(Polled::Nothing),
            Some(Ok(message)) => {
                let offset = rdkafka::Message::offset(&message);
                // Neither of a partition that has gone, nor a second time.
                let Some(owned) = self.assignment.of(&message) else { return Ok(Polled::Nothing) };
                if !owned.progress.hand_on(offset) {
                    return Ok(Polled::Nothing);
                }
                Ok(Polled::Record(ConsumedRecord { assignment: owned.assigned.id, message }))
            }
            Some(Err(error)) => {
                if error.rdkafka_error_code() == Some(RDKafkaErrorCode::AutoOffsetReset) {
                    self.offset_missing = true;
                } else {
                    tolerate(&self.consumer, &self.group, error)?;
                }
                Ok(Polled::Nothing)
            }
        }
    }

    /// Nothing of a partition from `offset` on is committed until it is released.
    pub fn hold(&mut self, assignment: AssignmentId, offset: i64) {
        if let Some(owned) = self.assignment.get_mut(assignment) {
            owned.progress.hold(offset);
        }
    }

    /// The batch that held `offset` is stored. An assignment that has ended since is left alone.
    pub fn release(&mut self, assignment: AssignmentId, offset: i64) {
        if let Some(owned) = self.assignment.get_mut(assignment) {
            owned.progress.release(offset);
        }
    }

    /// Hands on no more records of a partition until it is resumed. It stays ours.
    pub fn pause(&mut self, assignment: AssignmentId) -> Result<(), KafkaHomeError> {
        self.set_paused(assignment, true)
    }

    /// Goes on with a partition behind the last record that was handed on.
    pub fn resume(&mut self, assignment: AssignmentId) -> Result<(), KafkaHomeError> {
        self.set_paused(assignment, false)
    }

    fn set_paused(&mut self, assignment: AssignmentId, paused: bool) -> Result<(), KafkaHomeError> {
        let Some(owned) = self.assignment.get_mut(assignment) else { return Ok(()) };
        // One with missing records stays as it is.
        if owned.paused == paused || owned.assigned.missing.is_some() {
            return Ok(());
        }
        owned.paused = paused;
        let next = owned.progress.next();
        let changed = list(std::iter::once((&*owned, next)))
            .and_then(|list| if paused { self.consumer.pause(&list) } else { self.consumer.resume(&list) });
        changed.map_err(|source| self.failed(source))
    }

    /// The partitions that are ours.
    pub fn assigned(&self) -> impl Iterator<Item = &AssignedPartition> {
        self.assignment.iter().map(|owned| &owned.assigned)
    }

    /// Commits what is stored and leaves the group, so that others need not wait for it to be missed.
    pub fn close(mut self) -> Result<(), KafkaHomeError> {
        self.give_up_revoked()?;
        self.commit()
    }

    /// Which logs have lost what is to be read of them.
    fn find_missing(&mut self) -> Result<Vec<AssignedPartition>, KafkaHomeError> {
        let partitions: Vec<TopicPartition> = self
            .assignment
            .iter()
            .map(|owned| (owned.assigned.topic.to_string(), owned.assigned.partition))
            .collect();
        let extents = extents(&self.consumer, &partitions, &mut self.patience())
            .map_err(|source| self.failed(source))?;
        let mut found = Vec::new();
        for (owned, extent) in self.assignment.iter_mut().zip(extents) {
            let gap = missing(owned.progress.next(), extent);
            if owned.assigned.missing.is_none() && gap.is_some() {
                owned.assigned.missing = gap;
                owned.paused = true;
                found.push(owned.assigned.clone());
            }
        }
        if found.is_empty() {
            // A new start asks for all of them.
            return Err(self.failed(KafkaError::MessageConsumption(RDKafkaErrorCode::AutoOffsetReset)));
        }
        let gaps = self.assignment.iter().filter(|owned| owned.assigned.missing.is_some());
        list(gaps.map(|owned| (owned, owned.assigned.start)))
            .and_then(|list| self.consumer.pause(&list))
            .map_err(|source| self.failed(source))?;
        Ok(found)
    }

    /// Whether a question is put again after a failure: for a minute from now on, or until the consumer has to stop.
    fn patience(&self) -> impl FnMut(&KafkaError) -> bool + use<> {
        let (began, stop) = (Instant::now(), Arc::clone(&self.stop));
        move |error| {
            class_of(error) == ErrorClass::Retriable
                && began.elapsed() < PATIENCE
                && !stop.load(Ordering::Relaxed)
        }
    }

    fn failed(&self, source: KafkaError) -> KafkaHomeError {
        KafkaHomeError::Member { group: self.group.clone(), source }
    }

    fn tolerate(&self, error: KafkaError) -> Result<(), KafkaHomeError> {
        tolerate(&self.consumer, &self.group, error)
    }
}

/// An error after which librdkafka goes on by itself is told and no more.
fn tolerate(
    consumer: &BaseConsumer<GroupEvents>,
    group: &str,
    source: KafkaError,
) -> Result<(), KafkaHomeError> {
    let events = consumer.context().client();
    if let Some(reason) = events.take_authentication_failure() {
        let brokers = events.brokers().to_owned();
        return Err(KafkaHomeError::Authentication { brokers, reason });
    }
    if class_of(&source) == ErrorClass::Fatal || matches!(source, KafkaError::MessageConsumptionFatal(_)) {
        return Err(KafkaHomeError::Member { group: group.to_owned(), source });
    }
    match source.rdkafka_error_code() {
        Some(
            RDKafkaErrorCode::BrokerTransportFailure
            | RDKafkaErrorCode::AllBrokersDown
            | RDKafkaErrorCode::Resolve
            | RDKafkaErrorCode::OperationTimedOut,
        ) => events.not_reachable(&source.to_string()),
        _ => warn!(group, "kafka consumer goes on after: {source}"),
    }
    Ok(())
}
