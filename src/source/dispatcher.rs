//! Where rows, statements and transactions become records, in order, with the position that goes with them.
//!
//! The dispatcher fills a batch. Whenever a record is made it tells the offset context, so that the batch is handed over
//! with exactly the position of its last record. A batch is handed over when it is full (`max.batch.size`, or bytes),
//! when the reader would have to wait for the server, and before every barrier.
//!
//! A statement that changes a table is a barrier (design: "A DDL is a barrier"): everything before it is made durable,
//! then its history record is stored, then its schema-change record is published and made durable; only then come the
//! rows of the new table version. A kill in between leaves an offset before the statement, so it is read and published
//! again; what the recovered history already has beyond the offset is not stored again (`stored`).

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::source::SourceConfig;
use crate::connect::record::{Record, RecordBatch, RecordHeaders, Span, StoredOffset};
use crate::connect::schema::Schema;
use crate::connect::value::Value;
use crate::converter::json::JsonConverter;
use crate::error::StorageError;
use crate::event::topic_naming::TopicNaming;
use crate::fail_point::fail_point;
use crate::offset::context::OffsetContext;
use crate::offset::gtid::Gtid;
use crate::offset::prepared::prepared_key;
use crate::offset::sequence::ChangeSequence;
use crate::offset::unfinished::Unfinished;
use crate::schema::database_schema::DatabaseSchema;
use crate::schema::history::SchemaHistory;
use crate::schema::history::record::HistoryRecord;
use crate::schema::history::recover::Seen;
use crate::schema::table_id::TableId;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::queue::QueueWriter;
use crate::source::shared_topics::SharedTopics;
use crate::source::snapshot::new_tables::Awaited;

/// Bytes at which a batch is handed over however few records it has.
const BATCH_BYTES: usize = 1 << 20;

/// The history, whichever home it has.
pub type History = Box<dyn SchemaHistory<Error = StorageError>>;

/// What all of a connector's readers share.
pub struct EventDispatcher {
    /// The connector's configuration.
    pub config: Arc<SourceConfig>,
    /// What is captured.
    pub filters: Filters,
    /// The schema in force.
    pub schema: DatabaseSchema,
    /// Where statements are stored.
    pub history: History,
    /// The position.
    pub offset: OffsetContext,
    /// The change sequence.
    pub sequence: ChangeSequence,
    /// Transactions of which a part is published.
    pub unfinished: Unfinished,
    /// Processing times.
    pub clock: Clock,
    /// The batch that is being filled.
    pub batch: RecordBatch,
    /// Statements beyond the offset that the history has already.
    pub stored: Seen,
    /// Tables that are captured from a later position on.
    pub awaited: Option<Awaited>,
    key_converter: JsonConverter,
    value_converter: JsonConverter,
    shared_topics: SharedTopics,
    queue: QueueWriter,
    moved: bool,
    holds_position: bool,
    /// Under which key the position is stored that was reached, where the offset stays behind, and whether one is.
    reached: (String, bool),
}

/// A key or value for the converter.
pub type SchemaAndValue<'a> = (&'a Schema, &'a Value);

impl EventDispatcher {
    /// A dispatcher that hands its batches to `queue`.
    pub fn new(
        config: Arc<SourceConfig>,
        filters: Filters,
        schema: DatabaseSchema,
        history: History,
        offset: OffsetContext,
        sequence: ChangeSequence,
        queue: QueueWriter,
    ) -> Self {
        let key_converter = JsonConverter::new(&config.key_converter);
        let value_converter = JsonConverter::new(&config.value_converter);
        let topics = TopicNaming::new(&config.topic_prefix, &config.events.topic_delimiter);
        let reached = (prepared_key(&config.connector_name, &config.topic_prefix), false);
        EventDispatcher {
            config,
            filters,
            schema,
            history,
            offset,
            sequence,
            unfinished: Unfinished::default(),
            clock: Clock::System,
            batch: RecordBatch::default(),
            stored: Seen::default(),
            awaited: None,
            key_converter,
            value_converter,
            shared_topics: SharedTopics::new(topics),
            queue,
            moved: false,
            holds_position: false,
            reached,
        }
    }

    /// A table's rows are going to be published.
    pub fn publish_table(&mut self, table: &TableId) {
        self.shared_topics.publish(table, &self.schema);
    }

    /// Hands the batch over when it is full.
    #[inline]
    pub fn hand_over_if_full(&mut self) -> Result<(), SourceError> {
        if Self::is_full(&self.batch, self.config.queue.max_batch_size) { self.hand_over() } else { Ok(()) }
    }

    /// Whether a batch of at most so many records is to be handed over.
    #[inline]
    pub fn is_full(batch: &RecordBatch, most_records: usize) -> bool {
        batch.records.len() >= most_records || batch.bytes.len() >= BATCH_BYTES
    }

    /// Hands over rows that a snapshot's reader wrote into a batch of its own, with the present position, and gives an empty
    /// batch back.
    pub fn hand_over_rows(&mut self, mut rows: RecordBatch) -> Result<RecordBatch, SourceError> {
        self.hand_over()?;
        self.offset.record_made();
        if !self.holds_position {
            self.add_offsets(&mut rows);
        }
        rows.ends_transaction = true;
        Ok(self.queue.push(rows)?)
    }

    /// Hands over what there is, with the position of its last record; without records, a position that moved by itself.
    pub fn hand_over(&mut self) -> Result<(), SourceError> {
        if self.batch.records.is_empty() && self.batch.offsets.is_empty() && !self.moved {
            return Ok(());
        }
        let mut full = std::mem::take(&mut self.batch);
        if !self.holds_position {
            self.moved = false;
            self.add_offsets(&mut full);
        }
        full.ends_transaction = self.offset.is_between_transactions();
        fail_point("handed-over");
        self.batch = self.queue.push(full)?;
        Ok(())
    }

    /// Stores history records; they are durable when this returns. Those that were stored before a kill are not stored again.
    pub fn record_history(&mut self, mut records: Vec<HistoryRecord>) -> Result<(), SourceError> {
        records.retain(|record| !self.stored.contains(record));
        if records.is_empty() {
            return Ok(());
        }
        fail_point("history-due");
        self.history.record(&records).map_err(SourceError::History)?;
        fail_point("history-stored");
        Ok(())
    }

    /// The offset comes last: what stands beside it is stored before it.
    fn add_offsets(&mut self, batch: &mut RecordBatch) {
        let unfinished = self.unfinished.members(&self.sequence, &self.offset);
        batch.offsets.push(self.sequence.to_stored(unfinished));
        let (key, is_stored) = &mut self.reached;
        let value = self.offset.to_stored_beside();
        if value.is_some() || *is_stored {
            *is_stored = value.is_some();
            batch.offsets.push(StoredOffset { key: key.clone(), value });
        }
        batch.offsets.push(self.offset.to_stored());
    }

    /// Something stands beside the stored offset: it is removed when nothing is prepared any more.
    pub fn has_stored_beside(&mut self) {
        self.reached.1 = true;
    }

    /// Returns when everything made so far is durable.
    pub fn barrier(&mut self) -> Result<(), SourceError> {
        self.hand_over()?;
        Ok(self.queue.barrier()?)
    }

    /// The position moved without a record: it is stored with the next batch, or alone when none comes.
    pub fn moved_silently(&mut self) {
        self.moved = true;
    }

    /// Stores something beside the position, and before it, with the batch that is being filled.
    pub fn store(&mut self, offset: StoredOffset) {
        self.batch.offsets.push(offset);
    }

    /// While a position is held, batches go without one: what is stored stays as it is.
    pub fn hold_position(&mut self, held: bool) {
        self.holds_position = held;
    }

    /// Something new begins: the last commit takes effect.
    pub fn settle(&mut self) {
        if self.offset.settle() {
            self.sequence.settle();
        }
    }

    /// A statement outside a transaction begins that was committed at this time.
    pub fn begin_statement(&mut self, gtid: Option<Gtid>, commit_micros: i64) {
        self.unfinished.begin(gtid, &mut self.sequence);
        self.sequence.begin(commit_micros);
    }

    /// Whether what is made can still be published. A reader that has nothing to hand over learns it only here.
    pub fn check_publisher(&self) -> Result<(), SourceError> {
        Ok(self.queue.check()?)
    }

    /// Adds a record that is not a row (a schema change, a transaction's boundary, a heartbeat), and hands a full batch
    /// over.
    pub fn push_event(
        &mut self,
        topic: &Arc<str>,
        partition: Option<i32>,
        key: Option<SchemaAndValue<'_>>,
        value: SchemaAndValue<'_>,
        headers: RecordHeaders,
    ) -> Result<(), SourceError> {
        self.add_event(topic, partition, key, value, headers);
        self.hand_over_if_full()
    }

    /// Adds a record that is not a row; the batch may become larger than full.
    pub fn add_event(
        &mut self,
        topic: &Arc<str>,
        partition: Option<i32>,
        key: Option<SchemaAndValue<'_>>,
        value: SchemaAndValue<'_>,
        headers: RecordHeaders,
    ) {
        let key = match key {
            Some((schema, key)) => {
                let start = self.batch.bytes.len();
                self.key_converter.from_connect_data(Some(schema), key, &mut self.batch.bytes);
                Some(span(start, self.batch.bytes.len()))
            }
            None => None,
        };
        let start = self.batch.bytes.len();
        self.value_converter.from_connect_data(Some(value.0), value.1, &mut self.batch.bytes);
        let value = Some(span(start, self.batch.bytes.len()));
        self.batch.records.push(Record { topic: Arc::clone(topic), partition, key, value, headers });
        self.offset.record_made();
    }
}

/// A place in the buffer. A batch is handed over at 1 MiB, and a statement or boundary adds at most what one packet of the
/// server holds (1 GiB), so the cast cannot cut.
fn span(start: usize, end: usize) -> Span {
    u32::try_from(start).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX)
}
