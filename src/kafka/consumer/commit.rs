//! Commits of what is stored.

use std::time::Instant;

use rdkafka::consumer::{CommitMode, Consumer};
use rdkafka::error::{KafkaResult, RDKafkaErrorCode};
use tracing::{debug, warn};

use crate::kafka::consumer::GroupConsumer;
use crate::kafka::consumer::assignment::{AssignedPartition, list};
use crate::kafka::consumer::group_events::TopicPartition;
use crate::kafka::error::KafkaHomeError;

impl GroupConsumer {
    /// Commits what is stored of the partitions that are ours, and waits for it.
    pub fn commit(&mut self) -> Result<(), KafkaHomeError> {
        self.commit_now(|_| true).map_err(|source| self.failed(source))
    }

    /// The same without waiting: a later poll hears the answer.
    pub(super) fn commit_soon(&mut self) -> KafkaResult<()> {
        self.send(CommitMode::Async, |_| true)
    }

    /// Commits some partitions and waits for it.
    pub(super) fn commit_now(&mut self, which: impl Fn(&AssignedPartition) -> bool) -> KafkaResult<()> {
        self.send(CommitMode::Sync, which)
    }

    fn send(&mut self, mode: CommitMode, which: impl Fn(&AssignedPartition) -> bool) -> KafkaResult<()> {
        self.last_commit = Instant::now();
        let chosen = self.assignment.iter().filter(|owned| which(&owned.assigned));
        let offsets = list(chosen.filter_map(|owned| Some((owned, owned.to_commit(mode)?))))?;
        if offsets.count() == 0 {
            return Ok(());
        }
        let sent = self.consumer.commit(&offsets, mode);
        for owned in self.assignment.iter_mut().filter(|owned| which(&owned.assigned)) {
            let Some(offset) = owned.to_commit(mode) else { continue };
            if sent.is_err() {
                owned.progress.not_committed();
                continue;
            }
            owned.progress.ask(offset);
            if matches!(mode, CommitMode::Sync) {
                owned.progress.committed(offset);
            }
        }
        sent
    }

    /// The brokers' answer.
    pub(super) fn committed(&mut self, offsets: Vec<(TopicPartition, i64, Option<RDKafkaErrorCode>)>) {
        for (partition, offset, failure) in offsets {
            // Of a partition that is elsewhere, or of an earlier assignment, which had no more than this one began with.
            let Some(owned) = self.assignment.find_mut(&partition) else { continue };
            let Some(code) = failure else {
                owned.progress.committed(offset);
                continue;
            };
            owned.progress.not_committed();
            let (topic, partition) = partition;
            match code {
                // The group is about to share the partitions out anew.
                RDKafkaErrorCode::RebalanceInProgress
                | RDKafkaErrorCode::IllegalGeneration
                | RDKafkaErrorCode::UnknownMemberId => {
                    debug!(topic, partition, "offset not committed: {code}");
                }
                _ => warn!(topic, partition, offset, "offset not committed, trying again: {code}"),
            }
        }
    }
}
