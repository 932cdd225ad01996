//! The oldest and the newest records of a topic.
//!
//! A partition is assigned from an offset and read to another one, first where it begins, then where it ends. Without records
//! there (the marks of transactions, what was compacted away) the broker's word that there is no more ends it. Records are kept up
//! to some megabytes in all; of what is beyond that only the size counts.

use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::message::Message;
use rdkafka::topic_partition_list::{Offset, TopicPartitionList};

use crate::connect::record::SEQUENCE_HEADER;
use crate::event::headers::OLD_KEY;
use crate::kafka::client_events::ClientEvents;
use crate::kafka::consumer::record::named_header;
use crate::kafka::topic_reader::{Extent, passes};
use crate::sink::apply::record::OwnedRecord;

/// Offsets from the beginning of a partition.
const OLDEST: i64 = 3;
/// Offsets before its end: one in two may be the mark of a transaction.
const NEWEST: i64 = 16;
/// Partitions that are read at once.
const AT_ONCE: usize = 64;
/// One wait for a record.
const POLL: Duration = Duration::from_millis(100);
/// How long nothing may come.
const PATIENCE: Duration = Duration::from_secs(10);
/// Of all records that are kept.
const MOST_BYTES: usize = 64 << 20;

/// What is read of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    partition: i32,
    /// From one offset to before another.
    oldest: (i64, i64),
    newest: (i64, i64),
}

impl Span {
    pub(super) fn new(partition: i32, extent: Extent) -> Self {
        let Extent { begin, end } = extent;
        let after_oldest = begin.saturating_add(OLDEST).min(end);
        let newest = end.saturating_sub(NEWEST).max(after_oldest);
        // What lies close together is read at once.
        if newest == after_oldest {
            return Span { partition, oldest: (begin, end), newest: (end, end) };
        }
        Span { partition, oldest: (begin, after_oldest), newest: (newest, end) }
    }
}

/// Records of a topic.
#[derive(Debug, Default)]
pub(super) struct Sampled {
    pub(super) records: Vec<OwnedRecord>,
    /// Bytes of key and value of the largest one.
    pub(super) largest: usize,
    /// Whether all came within the time.
    pub(super) complete: bool,
}

pub(super) struct Sampler {
    reader: BaseConsumer<ClientEvents>,
    kept: usize,
}

impl Sampler {
    pub(super) fn new(reader: BaseConsumer<ClientEvents>) -> Self {
        Sampler { reader, kept: 0 }
    }

    /// Reads some records of each partition.
    pub(super) fn read(&mut self, topic: &str, spans: &[Span]) -> Result<Sampled, KafkaError> {
        let mut sampled = Sampled { complete: true, ..Sampled::default() };
        let of = |which: fn(&Span) -> (i64, i64)| -> Vec<(i32, i64, i64)> {
            let ends = spans.iter().map(|span| (span.partition, which(span)));
            ends.filter(|(_, (from, to))| from < to).map(|(at, (from, to))| (at, from, to)).collect()
        };
        for ranges in [of(|span| span.oldest), of(|span| span.newest)] {
            for some in ranges.chunks(AT_ONCE) {
                self.read_ranges(topic, some, &mut sampled)?;
            }
        }
        Ok(sampled)
    }

    fn read_ranges(
        &mut self,
        topic: &str,
        ranges: &[(i32, i64, i64)],
        sampled: &mut Sampled,
    ) -> Result<(), KafkaError> {
        let mut assignment = TopicPartitionList::with_capacity(ranges.len());
        for (partition, from, _) in ranges {
            assignment.add_partition_offset(topic, *partition, Offset::Offset(*from))?;
        }
        self.reader.assign(&assignment)?;
        let mut open: Vec<(i32, i64)> = ranges.iter().map(|(partition, _, to)| (*partition, *to)).collect();
        let mut last = Instant::now();
        let mut result = Ok(());
        while !open.is_empty() {
            match self.reader.poll(POLL) {
                None if last.elapsed() >= PATIENCE => {
                    sampled.complete = false;
                    break;
                }
                None => {}
                Some(Ok(message)) => {
                    last = Instant::now();
                    let Some(at) = open.iter().position(|(partition, _)| *partition == message.partition())
                    else {
                        continue;
                    };
                    let to = open.get(at).map_or(0, |(_, to)| *to);
                    if message.offset() >= to - 1 {
                        open.swap_remove(at);
                    }
                    if message.offset() < to {
                        keep(&message, &mut self.kept, sampled);
                    }
                }
                Some(Err(KafkaError::PartitionEOF(partition))) => open.retain(|(at, _)| *at != partition),
                Some(Err(error)) if passes(&error) && last.elapsed() < PATIENCE => {}
                Some(Err(error)) => {
                    result = Err(error);
                    break;
                }
            }
        }
        self.reader.unassign()?;
        result
    }
}

fn keep(message: &rdkafka::message::BorrowedMessage<'_>, kept: &mut usize, sampled: &mut Sampled) {
    let size = message.key().map_or(0, <[u8]>::len) + message.payload().map_or(0, <[u8]>::len);
    sampled.largest = sampled.largest.max(size);
    if *kept + size > MOST_BYTES {
        return;
    }
    *kept += size;
    let owned = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
    let header = |name| owned(message.headers().and_then(|headers| named_header(headers, name)));
    sampled.records.push(OwnedRecord {
        key: owned(message.key()),
        value: owned(message.payload()),
        sequence: header(SEQUENCE_HEADER),
        old_key: header(OLD_KEY),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_is_read_at_both_ends_and_nothing_twice() {
        let span = |begin, end| {
            let Span { oldest, newest, .. } = Span::new(0, Extent { begin, end });
            (oldest, newest)
        };
        assert_eq!(span(0, 0), ((0, 0), (0, 0)));
        assert_eq!(span(5, 7), ((5, 7), (7, 7)));
        assert_eq!(span(5, 24), ((5, 24), (24, 24)));
        assert_eq!(span(5, 25), ((5, 8), (9, 25)));
        assert_eq!(span(0, 1_000_000), ((0, 3), (999_984, 1_000_000)));
    }
}
