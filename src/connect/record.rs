//! Records on their way to a home (Kafka or files): batches of ready bytes.
//!
//! A batch holds the keys, values and header values of many records in one buffer, in the order of publication, and
//! the position that is reached when all of them are durable. It is made by one thread, handed over whole, and reused.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Classify;

/// Where in a batch's buffer some bytes stand.
pub type Span = Range<u32>;

/// One record of a batch.
#[derive(Clone, Debug)]
pub struct Record {
    /// The topic, shared with the row plan that made the record.
    pub topic: Arc<str>,
    /// A fixed partition; otherwise the partitioner decides by the key.
    pub partition: Option<i32>,
    /// The serialised key; absent for tables without one.
    pub key: Option<Span>,
    /// The serialised value; absent in a tombstone.
    pub value: Option<Span>,
    /// The headers of the record itself (key changes, `tidewire.seq`), before and after the batch's common ones.
    pub headers: RecordHeaders,
}

/// What a record carries in headers. Debezium's order: key-change headers, then the four of the context; ours is last.
#[derive(Clone, Debug, Default)]
pub struct RecordHeaders {
    /// `__debezium.newkey` or `__debezium.oldkey` with the other key, as Connect's SimpleHeaderConverter prints it.
    pub key_change: Option<(&'static str, Span)>,
    /// Whether the batch's common headers (`__debezium.context.*`) go on it.
    pub context: bool,
    /// The value of `tidewire.seq`, published as 8 bytes, big endian.
    pub sequence: Option<u64>,
}

/// The name of the header that carries the change sequence.
pub const SEQUENCE_HEADER: &str = "tidewire.seq";

/// Headers that are the same on all records of a run: name and value.
pub type ContextHeaders = Arc<[(String, Vec<u8>)]>;

/// Records in order, ready to be published.
#[derive(Debug, Default)]
pub struct RecordBatch {
    /// All bytes of the batch's records.
    pub bytes: Vec<u8>,
    /// The records, in order.
    pub records: Vec<Record>,
    /// What may be stored once all records are durable, as `(key, value)` in Kafka Connect's form. Later pairs of the
    /// same key replace earlier ones.
    pub offsets: Vec<StoredOffset>,
    /// Whether the last record, or the position behind it, is the end of a transaction of the source.
    pub ends_transaction: bool,
}

/// A Connect offset in its stored form: both sides are JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredOffset {
    /// `["connector",{"server":"prefix"}]`.
    pub key: String,
    /// The flat object; `None` removes the key.
    pub value: Option<String>,
}

impl RecordBatch {
    /// The bytes of a span.
    pub fn slice(&self, span: &Span) -> &[u8] {
        self.bytes.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Empties the batch and keeps its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
        self.offsets.clear();
        self.ends_transaction = false;
    }
}

/// A home of records: takes batches in order and says up to where they are durable.
///
/// Order within a topic partition is the order of publication. `publish` may return before the records are durable;
/// it blocks when its buffers are full and keeps trying while the home is away, so that only memory bounds are ever met.
pub trait RecordHome: Send {
    /// The home's own error.
    type Error: Classify + Send + Sync + 'static;

    /// Takes over the records of a batch. The home stores `batch.offsets` by itself once the records are durable,
    /// no later than `offset.flush.interval.ms` afterwards.
    fn publish(&mut self, batch: &RecordBatch) -> Result<(), Self::Error>;

    /// Returns when everything published so far is durable, the offsets too.
    fn flush(&mut self) -> Result<(), Self::Error>;

    /// Called while there is nothing to publish (at least every 100 ms): stores offsets that became due, reports
    /// delivery failures.
    fn idle(&mut self) -> Result<(), Self::Error>;
}
