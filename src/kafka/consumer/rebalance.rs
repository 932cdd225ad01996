//! Partitions that come and go.
//!
//! Every assignment and every revocation wants an answer (`take`, `give_up`), and librdkafka does nothing in the group before it
//! has it; it would not even end. So what is not answered yet is remembered, and answered at the latest when the consumer is
//! dropped.

use rdkafka::consumer::Consumer;
use rdkafka::topic_partition_list::TopicPartitionList;
use tracing::{info, warn};

use crate::kafka::consumer::assignment::{AssignedPartition, list};
use crate::kafka::consumer::group_events::{GroupEvent, TopicPartition, give_up, take};
use crate::kafka::consumer::start::ask;
use crate::kafka::consumer::{GroupConsumer, Polled};
use crate::kafka::error::KafkaHomeError;

impl GroupConsumer {
    /// What was heard during the last poll.
    pub(super) fn heard(&mut self) -> Result<Option<Polled<'static>>, KafkaHomeError> {
        while let Some(event) = self.consumer.context().take() {
            match event {
                GroupEvent::Commit(offsets) => self.committed(offsets),
                GroupEvent::Assigned(partitions) => return self.take_on(partitions).map(Some),
                GroupEvent::Revoked(partitions) => {
                    let lost = self.consumer.assignment_lost();
                    if lost {
                        warn!(group = %self.group, partitions = partitions.len(), "partitions lost: other members of the group have them");
                    } else {
                        info!(group = %self.group, partitions = partitions.len(), "partitions revoked");
                    }
                    let assignments = partitions
                        .iter()
                        .filter_map(|partition| Some(self.assignment.find_mut(partition)?.assigned.id))
                        .collect();
                    self.revoked = Some((partitions, lost));
                    return Ok(Some(Polled::Revoked { assignments, lost }));
                }
            }
        }
        Ok(None)
    }

    fn take_on(&mut self, partitions: Vec<TopicPartition>) -> Result<Polled<'static>, KafkaHomeError> {
        self.unanswered = true;
        let starts = ask(&self.consumer, &partitions, self.first, self.patience())
            .map_err(|source| self.failed(source))?;
        info!(group = %self.group, partitions = partitions.len(), "partitions assigned");
        let begun: Vec<_> = partitions
            .into_iter()
            .zip(starts)
            .map(|(partition, start)| self.assignment.add(partition, start))
            .collect();
        let is_new = |id| begun.iter().any(|assigned| assigned.id == id);
        let new = || self.assignment.iter().filter(|owned| is_new(owned.assigned.id));
        let assigned = list(new().map(|owned| (owned, owned.assigned.start)))
            .and_then(|list| take(&self.consumer, &list));
        self.unanswered = assigned.is_err();
        let gaps = || new().filter(|owned| owned.assigned.missing.is_some());
        let paused = assigned.and_then(|()| {
            if gaps().next().is_none() {
                return Ok(());
            }
            self.consumer.pause(&list(gaps().map(|owned| (owned, owned.assigned.start)))?)
        });
        paused.map_err(|source| self.failed(source))?;
        Ok(Polled::Assigned(begun))
    }

    /// Commits what is stored of the revoked partitions, and gives them up.
    pub(super) fn give_up_revoked(&mut self) -> Result<(), KafkaHomeError> {
        // Until librdkafka has its answer, a failure leaves it to who drops the consumer.
        let Some((partitions, lost)) = self.revoked.clone() else { return Ok(()) };
        let is_revoked = |assigned: &AssignedPartition| assigned.is_one_of(&partitions);
        if !lost && let Err(error) = self.commit_now(is_revoked) {
            // Who gets them begins earlier than it had to.
            warn!(group = %self.group, "offsets of revoked partitions were not committed: {error}");
        }
        let revoked = || self.assignment.iter().filter(|owned| is_revoked(&owned.assigned));
        let paused = || revoked().filter(|owned| owned.paused).map(|owned| (owned, owned.progress.next()));
        let given_up = list(paused())
            // librdkafka would remember it until they come back.
            .and_then(|paused| if paused.count() == 0 { Ok(()) } else { self.consumer.resume(&paused) })
            .and_then(|()| list(revoked().map(|owned| (owned, owned.progress.next()))))
            .and_then(|list| give_up(&self.consumer, &list));
        given_up.map_err(|source| self.failed(source))?;
        self.revoked = None;
        self.assignment.remove(&partitions);
        Ok(())
    }
}

impl Drop for GroupConsumer {
    fn drop(&mut self) {
        // librdkafka revokes what is left when it is closed, and waits for every answer that it lacks.
        let events = self.consumer.context();
        events.close();
        let mut unanswered = self.unanswered;
        let mut revoked = self.revoked.take().map(|(partitions, _)| partitions);
        while let Some(event) = events.take() {
            match event {
                GroupEvent::Assigned(_) => unanswered = true,
                GroupEvent::Revoked(partitions) => revoked = Some(partitions),
                GroupEvent::Commit(_) => {}
            }
        }
        let mut list = TopicPartitionList::new();
        let taken = if unanswered { take(&self.consumer, &list) } else { Ok(()) };
        let given_up = revoked.map_or(Ok(()), |partitions| {
            for (topic, partition) in &partitions {
                list.add_partition(topic, *partition);
            }
            give_up(&self.consumer, &list)
        });
        if let Err(error) = taken.and(given_up) {
            warn!(group = %self.group, "the group was not left in order: {error}");
        }
    }
}
