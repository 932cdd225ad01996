//! What a member of a group hears while it polls: assignments, revocations, and what became of commits.
//!
//! librdkafka calls back in the middle of a poll. A call only takes a note; the consumer acts on it before its next poll,
//! with all that it knows at hand. The group waits for that, as librdkafka wants to be told (`assign`, `unassign`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rdkafka::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext, RebalanceProtocol};
use rdkafka::error::{KafkaError, KafkaResult, RDKafkaErrorCode};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};
use rdkafka::types::RDKafkaRespErr;

use crate::kafka::client_events::ClientEvents;

/// A partition of a topic.
pub(super) type TopicPartition = (String, i32);

/// What happened.
pub(super) enum GroupEvent {
    Assigned(Vec<TopicPartition>),
    Revoked(Vec<TopicPartition>),
    /// Partition, offset, and whether the brokers have it.
    Commit(Vec<(TopicPartition, i64, Option<RDKafkaErrorCode>)>),
}

/// The context of a consumer in a group.
pub(super) struct GroupEvents {
    client: ClientEvents,
    events: Mutex<Vec<GroupEvent>>,
    closing: AtomicBool,
}

impl GroupEvents {
    pub(super) fn new(brokers: &str) -> Self {
        GroupEvents {
            client: ClientEvents::new(brokers),
            events: Mutex::default(),
            closing: AtomicBool::new(false),
        }
    }

    /// What all clients hear.
    pub(super) const fn client(&self) -> &ClientEvents {
        &self.client
    }

    /// From now on nobody acts on events: what is revoked is given up at once.
    pub(super) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// The oldest event that was not taken.
    pub(super) fn take(&self) -> Option<GroupEvent> {
        let mut events = self.lock();
        if events.is_empty() { None } else { Some(events.remove(0)) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<GroupEvent>> {
        // Every change is one push or one removal.
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes partitions on, in the way of the group's protocol.
pub(super) fn take<C: ConsumerContext>(
    consumer: &BaseConsumer<C>,
    list: &TopicPartitionList,
) -> KafkaResult<()> {
    match consumer.rebalance_protocol() {
        RebalanceProtocol::Cooperative => consumer.incremental_assign(list),
        RebalanceProtocol::Eager | RebalanceProtocol::None => consumer.assign(list),
    }
}

/// Gives partitions up.
pub(super) fn give_up<C: ConsumerContext>(
    consumer: &BaseConsumer<C>,
    list: &TopicPartitionList,
) -> KafkaResult<()> {
    match consumer.rebalance_protocol() {
        RebalanceProtocol::Cooperative => consumer.incremental_unassign(list),
        RebalanceProtocol::Eager | RebalanceProtocol::None => consumer.unassign(),
    }
}

fn partitions(list: &TopicPartitionList) -> Vec<TopicPartition> {
    list.elements().iter().map(|element| (element.topic().to_owned(), element.partition())).collect()
}

impl ClientContext for GroupEvents {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        self.client.log(level, facility, message);
    }

    fn stats_raw(&self, statistics: &[u8]) {
        self.client.stats_raw(statistics);
    }

    fn error(&self, error: KafkaError, reason: &str) {
        self.client.error(error, reason);
    }
}

impl ConsumerContext for GroupEvents {
    fn rebalance(&self, consumer: &BaseConsumer<Self>, code: RDKafkaRespErr, list: &mut TopicPartitionList) {
        let assigned = code == RDKafkaRespErr::RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS;
        if self.closing.load(Ordering::Relaxed) {
            // librdkafka ends only when it was answered. Of an assignment nothing is taken.
            let answered =
                if assigned { take(consumer, &TopicPartitionList::new()) } else { give_up(consumer, list) };
            if let Err(error) = answered {
                tracing::debug!("partitions were not given up: {error}");
            }
            return;
        }
        let list = partitions(list);
        self.lock().push(if assigned { GroupEvent::Assigned(list) } else { GroupEvent::Revoked(list) });
    }

    fn commit_callback(&self, result: KafkaResult<()>, offsets: &TopicPartitionList) {
        let whole = result.err().and_then(|error| error.rdkafka_error_code());
        let commit = offsets.elements();
        let commit = commit.iter().filter_map(|element| {
            let Offset::Offset(offset) = element.offset() else { return None };
            let own = element.error().err().and_then(|error| error.rdkafka_error_code());
            Some(((element.topic().to_owned(), element.partition()), offset, own.or(whole)))
        });
        self.lock().push(GroupEvent::Commit(commit.collect()));
    }
}
