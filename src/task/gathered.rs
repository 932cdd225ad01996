//! Records out of the client, copied until they are applied.

use std::ops::Range;
use std::sync::Arc;

use crate::kafka::consumer::record::ConsumedRecord;
use crate::sink::apply::batch::Origin;
use crate::sink::apply::record::Record;
use crate::sink::consumer::AssignmentId;
use crate::sink::consumer::held::HeldRecords;
use crate::sink::record::headers::KnownHeaders;

/// Bytes and records at the most.
const MOST_BYTES: usize = 4 << 20;
const MOST_RECORDS: usize = 20_000;

/// Records, copied.
#[derive(Default)]
pub struct Gathered {
    bytes: Vec<u8>,
    records: Vec<GatheredRecord>,
    origins: Vec<Origin>,
    held: HeldRecords,
}

struct GatheredRecord {
    origin: usize,
    offset: i64,
    key: Option<Range<usize>>,
    value: Option<Range<usize>>,
    sequence: Option<Range<usize>>,
    old_key: Option<Range<usize>>,
}

impl Gathered {
    /// Copies a record. What is to be held.
    pub fn add(&mut self, record: &ConsumedRecord<'_>) -> Option<(AssignmentId, i64)> {
        let assignment = record.assignment();
        let is_its = |origin: &Origin| origin.assignment == assignment;
        let last = self.records.last().map(|record| record.origin);
        let origin = match last.filter(|at| self.origins.get(*at).is_some_and(is_its)) {
            Some(at) => at,
            None => self.origins.iter().position(is_its).unwrap_or_else(|| {
                let (topic, partition) = (Arc::from(record.topic()), record.partition());
                self.origins.push(Origin { assignment, topic, partition });
                self.origins.len() - 1
            }),
        };
        let headers = KnownHeaders::of(record.headers());
        let mut copy = |bytes: Option<&[u8]>| {
            let bytes = bytes?;
            let start = self.bytes.len();
            self.bytes.extend_from_slice(bytes);
            Some(start..self.bytes.len())
        };
        let gathered = GatheredRecord {
            origin,
            offset: record.offset(),
            key: copy(record.key()),
            value: copy(record.value()),
            sequence: copy(headers.sequence),
            old_key: copy(headers.old_key),
        };
        self.records.push(gathered);
        self.held.add(assignment, record.offset()).then_some((assignment, record.offset()))
    }

    /// Whether it is enough for now.
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= MOST_BYTES || self.records.len() >= MOST_RECORDS
    }

    /// How many there are.
    pub const fn count(&self) -> usize {
        self.records.len()
    }

    /// What is to be released when all of them are applied.
    pub fn release(&mut self) -> impl Iterator<Item = (AssignmentId, i64)> {
        self.held.drain()
    }

    /// A record by its place.
    pub fn record(&self, at: usize) -> Option<Record<'_>> {
        let gathered = self.records.get(at)?;
        let bytes = |range: &Option<Range<usize>>| self.bytes.get(range.clone()?);
        Some(Record {
            origin: self.origins.get(gathered.origin)?,
            offset: gathered.offset,
            key: bytes(&gathered.key),
            value: bytes(&gathered.value),
            headers: KnownHeaders { sequence: bytes(&gathered.sequence), old_key: bytes(&gathered.old_key) },
            version: None,
        })
    }

    /// Forgets them; what is held is not theirs to release.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
        // Assignments come and go.
        self.origins.clear();
    }
}
