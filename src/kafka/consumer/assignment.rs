//! The partitions that this consumer has.

use std::sync::Arc;

use rdkafka::consumer::CommitMode;
use rdkafka::error::KafkaResult;
use rdkafka::message::{BorrowedMessage, Message};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::kafka::consumer::group_events::TopicPartition;
use crate::kafka::consumer::start::{MissingRecords, Start};
use crate::sink::consumer::AssignmentId;
use crate::sink::consumer::progress::Progress;

/// A partition that was assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedPartition {
    /// Its name from now on.
    pub id: AssignmentId,
    /// The topic.
    pub topic: Arc<str>,
    /// The partition.
    pub partition: i32,
    /// The offset from which it is read.
    pub start: i64,
    /// Why it is not read at all until it is assigned anew.
    pub missing: Option<MissingRecords>,
}

impl AssignedPartition {
    fn is(&self, topic: &str, partition: i32) -> bool {
        self.partition == partition && *self.topic == *topic
    }

    /// Whether it is in a list.
    pub(super) fn is_one_of(&self, partitions: &[TopicPartition]) -> bool {
        partitions.iter().any(|(topic, partition)| self.is(topic, *partition))
    }
}

/// One of them, with how far it is.
pub(super) struct Owned {
    pub(super) assigned: AssignedPartition,
    pub(super) progress: Progress,
    pub(super) paused: bool,
}

impl Owned {
    /// What the brokers are to be told: what is news to them (`Sync`), or what they were not asked for yet. Nothing is committed
    /// over records that are missing.
    pub(super) fn to_commit(&self, mode: CommitMode) -> Option<i64> {
        if self.assigned.missing.is_some() {
            return None;
        }
        match mode {
            CommitMode::Sync => self.progress.uncommitted(),
            CommitMode::Async => self.progress.to_commit(),
        }
    }
}

/// All of them. They are found by walking: the record before was nearly always of the same one.
#[derive(Default)]
pub(super) struct Assignment {
    owned: Vec<Owned>,
    /// Of the record before.
    recent: usize,
    ids: u64,
}

impl Assignment {
    pub(super) fn add(&mut self, (topic, partition): TopicPartition, start: Start) -> AssignedPartition {
        self.ids += 1;
        let assigned = AssignedPartition {
            id: AssignmentId(self.ids),
            topic: Arc::from(topic),
            partition,
            start: start.offset,
            missing: start.missing,
        };
        self.owned.push(Owned {
            assigned: assigned.clone(),
            progress: Progress::new(start.offset, start.committed),
            paused: start.missing.is_some(),
        });
        assigned
    }

    /// Takes out those of a list.
    pub(super) fn remove(&mut self, partitions: &[TopicPartition]) {
        self.owned.retain(|owned| !owned.assigned.is_one_of(partitions));
        self.recent = 0;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Owned> {
        self.owned.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Owned> {
        self.owned.iter_mut()
    }

    pub(super) fn get_mut(&mut self, id: AssignmentId) -> Option<&mut Owned> {
        self.owned.iter_mut().find(|owned| owned.assigned.id == id)
    }

    pub(super) fn find_mut(&mut self, (topic, partition): &TopicPartition) -> Option<&mut Owned> {
        self.owned.iter_mut().find(|owned| owned.assigned.is(topic, *partition))
    }

    /// The partition of a record.
    pub(super) fn of(&mut self, message: &BorrowedMessage<'_>) -> Option<&mut Owned> {
        let (topic, partition) = (message.topic(), message.partition());
        if !self.owned.get(self.recent).is_some_and(|owned| owned.assigned.is(topic, partition)) {
            self.recent = self.owned.iter().position(|owned| owned.assigned.is(topic, partition))?;
        }
        self.owned.get_mut(self.recent)
    }
}

/// Partitions and an offset of each, for librdkafka.
pub(super) fn list<'a>(
    partitions: impl Iterator<Item = (&'a Owned, i64)>,
) -> KafkaResult<TopicPartitionList> {
    let mut list = TopicPartitionList::new();
    for (owned, offset) in partitions {
        let Owned { assigned, .. } = owned;
        list.add_partition_offset(&assigned.topic, assigned.partition, Offset::Offset(offset))?;
    }
    Ok(list)
}
