//! One attempt of a sink connector: the consumer's records into the applying task.
//!
//! ```text
//! gather    poll until some megabytes, some thousand records or some milliseconds are there; the first of each partition is held
//! learn     read the schema-change topic to its end: what these records follow is there by now (the source publishes a
//!           statement before any row that comes after it)
//! apply     one record after another; what the applying task holds and releases is told to the consumer
//! ```
//! Records are copied out of the client for that, since it hands on one at a time and each is gone with the next poll.
//!
//! Partitions that go elsewhere are given up when all of their rows are stored, or after some time: what is not stored is read
//! again by who gets them. At the end everything is sent, stored offsets are committed, and the group is left. While too much is not
//! confirmed nothing is taken; where that lasts, partitions are paused, so that the group does not take us for dead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::config::pattern::JavaPattern;
use crate::config::sink::{SinkConfig, Topics as SinkTopics};
use crate::config::worker::{HomeConfig, WorkerConfig};
use crate::error::chain;
use crate::kafka::consumer::assignment::AssignedPartition;
use crate::kafka::consumer::settings::ConsumerSettings;
use crate::kafka::consumer::subscription::Topics;
use crate::kafka::consumer::{GroupConsumer, Polled};
use crate::kafka::error::KafkaHomeError;
use crate::sink::apply::applier::{Applier, Reloads};
use crate::sink::apply::record::{Effect, ReadPartition};
use crate::sink::consumer::AssignmentId;
use crate::task::error::TaskError;
use crate::task::gathered::Gathered;
use crate::task::topic_store::TopicStore;

/// How long records are gathered at the most.
const GATHERING: Duration = Duration::from_millis(100);
/// Records between two looks at the clock, where they need not be waited for.
const BETWEEN_CLOCKS: usize = 256;
/// One wait for a record.
const POLL: Duration = Duration::from_millis(20);
/// Nothing has come for so long: tables without rows are made.
const IDLE: Duration = Duration::from_millis(800);
/// How often that is done while records come.
const MAKE_EMPTY: Duration = Duration::from_secs(3);
/// How long rows of partitions that go elsewhere are waited for; the group waits for us.
const GIVING_UP: Duration = Duration::from_secs(30);
/// The same at the end of the process.
const ENDING: Duration = Duration::from_secs(4);
/// Confirmations are waited for so long before partitions are paused.
const FULL: Duration = Duration::from_secs(5);

/// Runs until told to stop or until an error.
pub fn attempt_sink(
    config: &SinkConfig,
    worker: &WorkerConfig,
    reloads: &mut Reloads,
    stop: &Arc<AtomicBool>,
) -> Result<(), TaskError> {
    let HomeConfig::Kafka(kafka) = &worker.home else { return Err(TaskError::SinkWithoutKafka) };
    let mut store = TopicStore::open(config, kafka, stop).map_err(TaskError::home)?;
    let mut applier = Applier::open(config, std::mem::take(reloads))?;
    let settings = ConsumerSettings {
        name: &config.name,
        overrides: &config.consumer_overrides.0,
        topics: topics(config)?,
        commit_interval: worker.offset_flush_interval,
    };
    let consumer = GroupConsumer::open(kafka, settings, Arc::clone(stop)).map_err(TaskError::home)?;
    let mut task = SinkTask {
        consumer,
        gathered: Gathered::default(),
        quiet_since: Instant::now(),
        made_empty: Instant::now(),
        paused: Vec::new(),
    };
    let result = match task.run(&mut applier, &mut store, stop) {
        // Whatever was being asked for is not needed any more.
        Err(_) if stop.load(Ordering::Relaxed) => Ok(()),
        result => result,
    };
    *reloads = applier.take_reloads();
    let ended = task.end(&mut applier, &mut store, result.is_ok());
    applier.say_goodbye();
    result.and(ended)
}

/// What is consumed.
pub(super) fn topics(config: &SinkConfig) -> Result<Topics, TaskError> {
    Ok(match &config.topics {
        SinkTopics::Named(names) => Topics::Named(names.clone()),
        SinkTopics::Matching(java) => {
            let pattern = JavaPattern::compile_with_case(java).map_err(|reason| {
                TaskError::home(KafkaHomeError::UnusableProperty {
                    property: "topics.regex".to_owned(),
                    reason,
                    remedy: Some("write a regular expression of Java"),
                })
            })?;
            Topics::Matching(pattern)
        }
    })
}

/// What a poll brought, without what it lends.
enum Brought {
    Assigned(Vec<AssignedPartition>),
    Revoked(Vec<AssignmentId>, bool),
    Missing(Vec<AssignedPartition>),
    Nothing,
}

struct SinkTask {
    consumer: GroupConsumer,
    gathered: Gathered,
    quiet_since: Instant,
    made_empty: Instant,
    /// Paused since too much is not confirmed.
    paused: Vec<AssignmentId>,
}

impl SinkTask {
    fn run(
        &mut self,
        applier: &mut Applier,
        store: &mut TopicStore,
        stop: &AtomicBool,
    ) -> Result<(), TaskError> {
        while !stop.load(Ordering::Relaxed) {
            let event = self.gather()?;
            self.apply(applier, store)?;
            match event {
                Brought::Assigned(partitions) => self.assigned(applier, partitions),
                Brought::Revoked(assignments, lost) => self.revoked(applier, store, &assignments, lost)?,
                Brought::Missing(partitions) => partitions.iter().for_each(missing),
                Brought::Nothing => {}
            }
            self.tick(applier, store)?;
        }
        Ok(())
    }

    /// Polls until there is enough, or until something other than records came.
    fn gather(&mut self) -> Result<Brought, TaskError> {
        let began = Instant::now();
        loop {
            let first = match self.consumer.poll(POLL).map_err(TaskError::home)? {
                Polled::Record(record) => self.gathered.add(&record),
                Polled::Assigned(partitions) => return Ok(Brought::Assigned(partitions)),
                Polled::Revoked { assignments, lost } => return Ok(Brought::Revoked(assignments, lost)),
                Polled::Missing(partitions) => return Ok(Brought::Missing(partitions)),
                Polled::Nothing => return Ok(Brought::Nothing),
            };
            self.hold(first);
            for _ in 1..BETWEEN_CLOCKS {
                if self.gathered.is_full() {
                    break;
                }
                let Some(record) = self.consumer.more().map_err(TaskError::home)? else { break };
                let first = self.gathered.add(&record);
                self.hold(first);
            }
            if self.gathered.is_full() || began.elapsed() >= GATHERING {
                return Ok(Brought::Nothing);
            }
        }
    }

    fn hold(&mut self, first: Option<(AssignmentId, i64)>) {
        if let Some((assignment, offset)) = first {
            self.consumer.hold(assignment, offset);
        }
    }

    fn apply(&mut self, applier: &mut Applier, store: &mut TopicStore) -> Result<(), TaskError> {
        if self.gathered.count() == 0 {
            return self.idle(applier, store);
        }
        self.quiet_since = Instant::now();
        learn(applier, store)?;
        if self.made_empty.elapsed() >= MAKE_EMPTY {
            applier.make_empty(false)?;
            self.made_empty = Instant::now();
        }
        for at in 0..self.gathered.count() {
            let Some(record) = self.gathered.record(at) else { continue };
            applier.apply(record, store)?;
        }
        self.carry_out(applier)?;
        for (assignment, offset) in self.gathered.release() {
            self.consumer.release(assignment, offset);
        }
        self.gathered.clear();
        Ok(())
    }

    /// Nothing came: schema changes may have, and tables without rows are made.
    fn idle(&mut self, applier: &mut Applier, store: &mut TopicStore) -> Result<(), TaskError> {
        if self.quiet_since.elapsed() >= IDLE && self.consumer.assigned().next().is_some() {
            learn(applier, store)?;
            applier.make_empty(true)?;
            self.quiet_since = Instant::now();
        }
        Ok(())
    }

    fn carry_out(&mut self, applier: &mut Applier) -> Result<(), TaskError> {
        for effect in applier.take_effects() {
            match effect {
                Effect::Hold(assignment, offset) => self.consumer.hold(assignment, offset),
                Effect::Release(assignment, offset) => self.consumer.release(assignment, offset),
                Effect::Pause(assignment) => self.consumer.pause(assignment).map_err(TaskError::home)?,
                Effect::Resume(assignment) => self.consumer.resume(assignment).map_err(TaskError::home)?,
            }
        }
        Ok(())
    }

    /// Sends and confirms; waits while too much is not confirmed.
    fn tick(&mut self, applier: &mut Applier, store: &mut TopicStore) -> Result<(), TaskError> {
        applier.tick(Duration::ZERO, store)?;
        applier.clean_up(store)?;
        let began = Instant::now();
        while applier.is_full() && self.paused.is_empty() && began.elapsed() < FULL {
            applier.tick(POLL, store)?;
        }
        self.carry_out(applier)?;
        if applier.is_full() && self.paused.is_empty() {
            self.paused = applier.going();
            for id in &self.paused {
                self.consumer.pause(*id).map_err(TaskError::home)?;
            }
        } else if !applier.is_full() && !self.paused.is_empty() {
            let going = applier.going();
            for id in self.paused.drain(..).filter(|id| going.contains(id)) {
                self.consumer.resume(id).map_err(TaskError::home)?;
            }
        }
        Ok(())
    }

    fn assigned(&mut self, applier: &mut Applier, partitions: Vec<AssignedPartition>) {
        partitions.iter().filter(|partition| partition.missing.is_some()).for_each(missing);
        let read = partitions.into_iter();
        applier.assigned(read.map(|partition| ReadPartition { id: partition.id, topic: partition.topic }));
        self.quiet_since = Instant::now();
    }

    /// What is not stored within the time is read again by who gets the partitions.
    fn revoked(
        &mut self,
        applier: &mut Applier,
        store: &mut TopicStore,
        assignments: &[AssignmentId],
        lost: bool,
    ) -> Result<(), TaskError> {
        if !lost && !applier.flush(GIVING_UP, store)? {
            tracing::warn!("partitions are given up before all of their rows are stored");
        }
        self.carry_out(applier)?;
        self.paused.retain(|id| !assignments.contains(id));
        applier.revoked(assignments);
        Ok(())
    }

    /// Stores what there is and leaves the group.
    fn end(mut self, applier: &mut Applier, store: &mut TopicStore, well: bool) -> Result<(), TaskError> {
        if well {
            match applier.flush(ENDING, store) {
                Ok(true) => {}
                Ok(false) => tracing::warn!("stopped before all rows are stored: they are read again"),
                Err(error) => tracing::warn!(error = chain(&error), "an error while stopping"),
            }
        }
        self.carry_out(applier)?;
        self.consumer.close().map_err(TaskError::home)
    }
}

/// Records that were to be read are not there any more.
fn missing(partition: &AssignedPartition) {
    if let Some(gap) = partition.missing {
        tracing::error!(
            topic = %partition.topic,
            partition = partition.partition,
            wanted = gap.wanted,
            begin = gap.extent.begin,
            end = gap.extent.end,
            remedy = "read a new snapshot, and set the group's offset to where it begins",
            "records were deleted before they were read: the partition stands still"
        );
    }
}

/// Reads the schema-change topic to its end, and changes the tables.
fn learn(applier: &mut Applier, store: &mut TopicStore) -> Result<(), TaskError> {
    applier.read_schema_changes(store)?;
    Ok(applier.follow_all(store)?)
}
