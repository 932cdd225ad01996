//! Where an assigned partition begins.
//!
//! At the offset that the group has committed; without one at the beginning (`auto.offset.reset`, which Kafka Connect sets to
//! `earliest` for sinks). An offset that the log does not have any more is never replaced silently, as the reset would do: records
//! that were deleted before they were read are missing in the table for good, and a log that is shorter than what was
//! read of it is another topic of the same name.
//!
//! One such offset is right: a transaction ends with a mark that has an offset but is no record, so that the offset behind the last
//! record of a quiet topic is that of the mark, and once that has expired the log begins one later. A record that stood there
//! cannot be told from it, so a warning names it.

use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext};
use rdkafka::error::{KafkaError, KafkaResult};
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use tracing::warn;

use crate::kafka::consumer::group_events::{GroupEvents, TopicPartition};
use crate::kafka::topic_reader::Extent;

/// One wait for an answer.
const ASK: Duration = Duration::from_secs(5);
/// Between two questions.
const PAUSE: Duration = Duration::from_millis(200);
/// The end of a log that is read committed goes no further than its oldest open transaction; who read it uncommitted before may
/// have been beyond that. Such a transaction has this long to end.
const OPEN_TRANSACTION: Duration = Duration::from_secs(5);

/// Where partitions begin that the group has no offset of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstOffset {
    /// `earliest`.
    Beginning,
    /// `latest`.
    End,
}

/// Records that should be in a log and are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingRecords {
    /// The next offset to be read.
    pub wanted: i64,
    /// What the log has.
    pub extent: Extent,
}

/// A partition's beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// From where it is read.
    pub(super) offset: i64,
    /// What the group has committed; -1 for nothing.
    pub(super) committed: i64,
    pub(super) missing: Option<MissingRecords>,
}

impl Start {
    pub(super) fn of(committed: Option<i64>, extent: Extent, first: FirstOffset) -> Self {
        let Some(committed) = committed else {
            let offset = if first == FirstOffset::Beginning { extent.begin } else { extent.end };
            return Start { offset, committed: -1, missing: None };
        };
        match missing(committed, extent) {
            None => Start { offset: committed.max(extent.begin), committed, missing: None },
            missing => Start { offset: extent.begin, committed, missing },
        }
    }
}

/// Whether a log lacks what is wanted next.
pub(in crate::kafka) fn missing(wanted: i64, extent: Extent) -> Option<MissingRecords> {
    let expired = wanted < extent.begin && !may_be_a_mark(wanted, extent);
    (expired || wanted > extent.end).then_some(MissingRecords { wanted, extent })
}

/// Whether a log lacks one offset, which may be that of a transaction's mark.
const fn may_be_a_mark(wanted: i64, extent: Extent) -> bool {
    wanted < extent.begin && wanted.saturating_add(1) == extent.begin
}

/// Asks where partitions begin, in their order. A question that failed is put again for as long as `go_on` says so.
pub(super) fn ask(
    consumer: &BaseConsumer<GroupEvents>,
    partitions: &[TopicPartition],
    first: FirstOffset,
    mut go_on: impl FnMut(&KafkaError) -> bool,
) -> KafkaResult<Vec<Start>> {
    if partitions.is_empty() {
        return Ok(Vec::new());
    }
    let began = Instant::now();
    let committed =
        answer(&mut go_on, || consumer.committed_offsets(list(partitions, Offset::Invalid)?, ASK))?;
    loop {
        let extents = extents(consumer, partitions, &mut go_on)?;
        let starts: Vec<_> = partitions
            .iter()
            .zip(extents)
            .map(|(partition, extent)| Start::of(offset(&committed, partition), extent, first))
            .collect();
        let ahead = starts.iter().any(|start| start.missing.is_some_and(|gap| gap.wanted > gap.extent.end));
        if !ahead || began.elapsed() >= OPEN_TRANSACTION {
            for ((topic, partition), start) in partitions.iter().zip(&starts) {
                if start.missing.is_none() && (0..start.offset).contains(&start.committed) {
                    warn!(
                        topic,
                        partition,
                        "the log has lost offset {}, which was not read: the mark of a transaction, or one record",
                        start.committed
                    );
                }
            }
            return Ok(starts);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Where logs begin and end, in the order of the partitions.
pub(in crate::kafka) fn extents(
    consumer: &BaseConsumer<impl ConsumerContext>,
    partitions: &[TopicPartition],
    go_on: &mut impl FnMut(&KafkaError) -> bool,
) -> KafkaResult<Vec<Extent>> {
    // A time of -2 asks for the beginning of a log, -1 for its end: ListOffsets of Kafka's protocol.
    let begins = answer(go_on, || consumer.offsets_for_times(list(partitions, Offset::Beginning)?, ASK))?;
    let ends = answer(go_on, || consumer.offsets_for_times(list(partitions, Offset::End)?, ASK))?;
    partitions
        .iter()
        .map(|partition| Some(Extent { begin: offset(&begins, partition)?, end: offset(&ends, partition)? }))
        .collect::<Option<_>>()
        // An answer without one of the partitions.
        .ok_or(KafkaError::Canceled)
}

/// Puts a question until all its partitions are answered.
fn answer(
    go_on: &mut impl FnMut(&KafkaError) -> bool,
    question: impl Fn() -> KafkaResult<TopicPartitionList>,
) -> KafkaResult<TopicPartitionList> {
    loop {
        let answered = question().and_then(|list| {
            list.elements().iter().try_for_each(|element| element.error())?;
            Ok(list)
        });
        match answered {
            Err(error) if go_on(&error) => std::thread::sleep(PAUSE),
            answered => return answered,
        }
    }
}

pub(in crate::kafka) fn list(
    partitions: &[TopicPartition],
    offset: Offset,
) -> KafkaResult<TopicPartitionList> {
    let mut list = TopicPartitionList::with_capacity(partitions.len());
    for (topic, partition) in partitions {
        list.add_partition_offset(topic, *partition, offset)?;
    }
    Ok(list)
}

pub(in crate::kafka) fn offset(
    list: &TopicPartitionList,
    (topic, partition): &TopicPartition,
) -> Option<i64> {
    match list.find_partition(topic, *partition)?.offset() {
        Offset::Offset(offset) => Some(offset),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_begins_where_the_group_is() {
        use FirstOffset::{Beginning, End};
        let gap = |wanted, begin, end| Some(MissingRecords { wanted, extent: Extent { begin, end } });
        for (committed, begin, end, first, wanted) in [
            (None, 3, 9, Beginning, (3, -1, None)),
            (None, 3, 9, End, (9, -1, None)),
            (Some(5), 3, 9, End, (5, 5, None)),
            (Some(9), 3, 9, Beginning, (9, 9, None)),
            (Some(3), 3, 9, Beginning, (3, 3, None)),
            // Expired before they were read.
            (Some(1), 3, 9, Beginning, (3, 1, gap(1, 3, 9))),
            (Some(7), 9, 9, Beginning, (9, 7, gap(7, 9, 9))),
            // A mark was the last of what has expired.
            (Some(8), 9, 9, Beginning, (9, 8, None)),
            (Some(8), 9, 12, Beginning, (9, 8, None)),
            // Another topic of the same name.
            (Some(9), 0, 4, Beginning, (0, 9, gap(9, 0, 4))),
            (Some(1), 0, 0, Beginning, (0, 1, gap(1, 0, 0))),
        ] {
            let (offset, committed_is, missing) = wanted;
            assert_eq!(
                Start::of(committed, Extent { begin, end }, first),
                Start { offset, committed: committed_is, missing },
                "{committed:?} {begin} {end}"
            );
        }
    }
}
