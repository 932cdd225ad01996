//! What each kind of event means.
//!
//! Inside a transaction every event counts towards `event` in the stored offset, BEGIN first. After a restart inside a
//! transaction the stored counts say how many events, and then how many rows of the next one, were published: these are read
//! (table maps must be known, the sequence must count them) but not published again, nor is a BEGIN (a stored transaction id
//! says so where all counts are zero), nor an END: an offset exactly at the end of the events can only be that of the END.
//!
//! The events of an XA transaction are kept until it is committed (`xa`).
//!
//! A compressed transaction is one event of the file; its inner events are read one at a time and have its position.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use crate::event::source_info::{SourceEvent, SourcePosition};
use crate::offset::position::BinlogPosition;
use crate::plan::row_writer::RowWriter;
use crate::source::binlog::resumption::Resumed;
use crate::source::binlog::table_plans::TablePlans;
use crate::source::binlog::transaction::Transaction;
use crate::source::binlog::xa_transactions::XaTransactions;
use crate::source::binlog::xid::XaStatement;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::gtid_sources::GtidSources;
use crate::source::transaction_monitor::TransactionMonitor;
use crate::wire::after_image::AfterImage;
use crate::wire::error::WireError;
use crate::wire::event::{
    Event, EventHeader, EventKind, EventParser, GtidEvent, PayloadContext, RotateEvent,
    TransactionPayloadEvent,
};

/// The largest single event inside a compressed transaction: MySQL's largest packet.
const MAX_INNER_EVENT: usize = 1 << 30;

/// Where an event stands in the file that is being read.
#[derive(Clone, Copy, Debug)]
pub struct EventPlace {
    /// Its first byte; for the events of a compressed transaction that of the whole.
    pub start: u64,
    /// The byte behind it.
    pub end: u64,
}

/// What an event is read for.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// For what it means.
    Published,
    /// It stands before the position from which records are wanted: for what is prepared there, and perhaps for what
    /// statements do to the schema.
    BeforeStart { statements: bool },
}

/// The state of reading one binlog.
pub struct EventHandler {
    /// Where records go.
    pub dispatcher: EventDispatcher,
    pub(super) parser: EventParser,
    pub(super) log_file: String,
    pub(super) transaction: Transaction,
    pub(super) xa: XaTransactions,
    pub(super) monitor: TransactionMonitor,
    pub(super) plans: TablePlans,
    pub(super) writer: RowWriter,
    pub(super) after_image: AfterImage,
    /// The source block of the event that is being read, and when that began.
    pub(super) source: SourceEvent,
    pub(super) now_nanos: i64,
    /// The number of the last row that was published: Debezium never clears it, and shows it with statements too.
    pub(super) last_row: i32,
    pub(super) skip_events: u64,
    pub(super) skip_rows: u64,
    /// Numbers of the change sequence whose rows were published before, in another server's log.
    pub(super) skip_numbers: u64,
    /// The rows of the transaction are of a source that is not captured.
    pub(super) is_of_other_source: bool,
    sources: GtidSources,
    /// The transaction whose BEGIN record was published before the restart.
    pub(super) begun: Option<String>,
    /// Where the stored offset counts its events and rows from.
    pub(super) counted_at: BinlogPosition,
    /// A statement that ends here was applied before the restart.
    pub(super) applied_statement: Option<BinlogPosition>,
    pub(super) warned: HashMap<String, u64>,
    inner: Vec<u8>,
    payload_context: Option<PayloadContext>,
}

impl EventHandler {
    /// A reader that starts at the dispatcher's position.
    pub fn new(mut dispatcher: EventDispatcher) -> Self {
        dispatcher.offset.start_streaming();
        let position = dispatcher.offset.position();
        let (skip_events, skip_rows) = match dispatcher.offset.to_skip() {
            // Rows without a BEGIN: Debezium published them when an XA transaction was prepared, and it comes as a whole.
            (0, _) => (0, 0),
            counts => counts,
        };
        let is_known = dispatcher.unfinished.is_known();
        let begun = dispatcher.offset.transaction().map(|transaction| transaction.id().to_owned());
        let monitor = TransactionMonitor::new(&dispatcher.config);
        let applied_statement = (skip_events == 0 && skip_rows == 0 && !is_known).then(|| position.clone());
        EventHandler {
            plans: TablePlans::default(),
            parser: EventParser::new(),
            log_file: dispatcher.offset.read_from().file,
            counted_at: position,
            transaction: Transaction::default(),
            xa: XaTransactions::default(),
            monitor,
            writer: RowWriter::default(),
            after_image: AfterImage::default(),
            source: SourceEvent::default(),
            now_nanos: 0,
            last_row: 0,
            skip_events,
            skip_rows,
            skip_numbers: 0,
            is_of_other_source: false,
            sources: GtidSources::default(),
            begun,
            applied_statement,
            warned: HashMap::new(),
            inner: Vec::new(),
            payload_context: None,
            dispatcher,
        }
    }

    /// The same for the rows of these sources.
    pub fn with_sources(self, sources: GtidSources) -> Self {
        EventHandler { sources, ..self }
    }

    /// The file whose events are being read.
    pub fn log_file(&self) -> &str {
        &self.log_file
    }

    /// The frames that follow are of this file.
    pub fn start_file(&mut self, name: &str) {
        name.clone_into(&mut self.log_file);
    }

    /// Reads a frame that stands before the position from which records are wanted: for how events are written, for XA
    /// transactions that are prepared, and where `statements` says so for what statements do to the schema.
    pub fn handle_before_start(
        &mut self,
        frame: &[u8],
        at: EventPlace,
        statements: bool,
    ) -> Result<(), SourceError> {
        self.frame(frame, at, Stage::BeforeStart { statements })?;
        Ok(())
    }

    /// Reads one frame, which stands at `at` in the file, and publishes what it commits.
    pub fn handle(&mut self, frame: &[u8], at: EventPlace) -> Result<EventHeader, SourceError> {
        let header = self.read(frame, at)?;
        self.publish_committed(&AtomicBool::new(false))?;
        Ok(header)
    }

    /// Reads one frame. The rows of an XA transaction that it commits wait for `publish_committed`.
    pub fn read(&mut self, frame: &[u8], at: EventPlace) -> Result<EventHeader, SourceError> {
        let is_before = self.dispatcher.offset.is_before_position(&self.log_file, at.start);
        let stage = if is_before { Stage::BeforeStart { statements: false } } else { Stage::Published };
        self.frame(frame, at, stage)
    }

    fn frame(&mut self, frame: &[u8], at: EventPlace, stage: Stage) -> Result<EventHeader, SourceError> {
        let (header, event) = match self.parser.parse(frame) {
            Ok(parsed) => parsed,
            Err(source) => return Err(self.event_error(at, source)),
        };
        if let Event::TransactionPayload(payload) = &event {
            let mut inner = std::mem::take(&mut self.inner);
            let mut context = self.payload_context.take().unwrap_or_default();
            let result = self.payload(payload, at, stage, (&mut inner, &mut context));
            self.inner = inner;
            self.payload_context = Some(context);
            result?;
            return Ok(header);
        }
        if self.xa.is_reading() && self.keep_event(self.parser.covered(frame), &event, at)? {
            return Ok(header);
        }
        self.staged_event(&header, event, at, stage)?;
        Ok(header)
    }

    fn payload(
        &mut self,
        payload: &TransactionPayloadEvent<'_>,
        at: EventPlace,
        stage: Stage,
        (inner, context): (&mut Vec<u8>, &mut PayloadContext),
    ) -> Result<(), SourceError> {
        let mut frames =
            payload.frames(context, MAX_INNER_EVENT).map_err(|source| self.event_error(at, source))?;
        while frames.next_frame(inner).map_err(|source| self.event_error(at, source))? {
            let parsed = self.parser.parse_inner(inner);
            let (header, event) = parsed.map_err(|source| self.event_error(at, source))?;
            if !self.xa.is_reading() || !self.keep_event(inner, &event, at)? {
                self.staged_event(&header, event, at, stage)?;
            }
        }
        Ok(())
    }

    fn staged_event(
        &mut self,
        header: &EventHeader,
        event: Event<'_>,
        at: EventPlace,
        stage: Stage,
    ) -> Result<(), SourceError> {
        let Stage::BeforeStart { statements } = stage else { return self.event(header, event, at) };
        match event {
            Event::Gtid(event) => {
                self.xa.abandon();
                self.transaction.announce(&event);
            }
            Event::Query(event) => match XaStatement::parse(&String::from_utf8_lossy(event.query)) {
                Some(statement) => self.follow_xa_statement(event.thread_id, &statement, at),
                None if statements => self.follow_statement(&event, at)?,
                None => {}
            },
            Event::XaPrepare(event) => self.follow_xa_prepare(header, &event)?,
            Event::Rotate(event) => self.log_file = String::from_utf8_lossy(event.file).into_owned(),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn event(
        &mut self,
        header: &EventHeader,
        event: Event<'_>,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        match event {
            Event::FormatDescription(_) | Event::Stop | Event::Heartbeat(_) => return Ok(()),
            Event::PreviousGtids(event) => return self.previous_gtids(&event, at),
            Event::Rotate(event) => return self.rotate(header, &event),
            Event::Gtid(event) => {
                self.gtid(&event);
                return self.reach_transaction(at);
            }
            Event::Query(event) => self.query(header, &event, at)?,
            Event::TableMap(event) => self.table_map(&event, at)?,
            Event::Rows(event) => self.rows(header, &event, at)?,
            Event::RowsQuery(event) => {
                if self.dispatcher.config.events.include_query {
                    self.transaction.query = Some(String::from_utf8_lossy(event.query).into_owned());
                }
            }
            Event::Xid(_) => self.commit(header, at)?,
            Event::XaPrepare(event) => self.xa_prepare(header, &event, at)?,
            Event::GroupReplication(_) | Event::Ignorable(_) => {}
            Event::Incident(event) => {
                return Err(SourceError::Incident {
                    position: self.position(at),
                    message: String::from_utf8_lossy(event.message).into_owned(),
                });
            }
            // LOAD DATA is a statement of its own; the other kinds only go before a statement's text.
            Event::Statement(EventKind::INTVAR | EventKind::RAND | EventKind::USER_VAR) => {}
            Event::Statement(kind) => self.logged_as_statement(kind.name(), None, at)?,
            Event::TransactionPayload(_) => {
                // `handle` takes these; one inside another is not a thing that a server writes.
                return Err(SourceError::Unsupported {
                    position: self.position(at),
                    kind: EventKind::TRANSACTION_PAYLOAD.name(),
                });
            }
        }
        if self.transaction.open {
            self.dispatcher.offset.event_done();
        }
        Ok(())
    }

    fn rotate(&mut self, header: &EventHeader, event: &RotateEvent<'_>) -> Result<(), SourceError> {
        let file = String::from_utf8_lossy(event.file).into_owned();
        // Between prepared transactions that are read again the position stays with its counts.
        let is_behind = self.xa.has_prepared() && (self.is_resuming() || self.applied_statement.is_some());
        if !header.is_artificial() && header.next_position != 0 && !is_behind {
            self.dispatcher.settle();
            self.dispatcher.offset.rotate(&file, event.position);
            self.dispatcher.moved_silently();
            tracing::debug!(binlog_file = file.as_str(), "the log goes on in another file");
        }
        self.log_file = file;
        Ok(())
    }

    fn gtid(&mut self, event: &GtidEvent) {
        self.dispatcher.settle();
        self.xa.abandon();
        // Some statements end without a commit. The same GTID comes again where a lost connection is resumed.
        if let Some(gtid) = self.transaction.gtid.filter(|gtid| event.gtid.as_ref() != Some(gtid)) {
            self.dispatcher.offset.executed(&gtid);
        }
        self.dispatcher.offset.transaction_announced(event.gtid.as_ref());
        self.is_of_other_source = self.sources.pass_over_rows(event.gtid.as_ref());
        self.transaction.announce(event);
    }

    /// BEGIN: a transaction with rows.
    pub(super) fn begin(
        &mut self,
        header: &EventHeader,
        thread: u32,
        at: EventPlace,
    ) -> Result<(), SourceError> {
        let metadata = self.dispatcher.config.events.provide_transaction_metadata;
        let id = metadata.then(|| self.transaction.id(&self.log_file, at.start));
        let resumed = self.resumes(id.as_deref(), at);
        self.transaction.open = true;
        self.transaction.thread = Some(thread);
        let micros = self.transaction.sequence_micros(header);
        self.dispatcher.sequence.begin(micros);
        let offset = &mut self.dispatcher.offset;
        offset.observe(self.transaction.source_micros(header) / 1_000_000, header.server_id);
        match &resumed {
            Resumed::No => offset.begin(&self.log_file, at.start, id),
            Resumed::ByCounts => offset.resume(&self.log_file, at.start),
            Resumed::ByNumbers { numbers, tables } => {
                self.skip_numbers = *numbers;
                offset.begin(&self.log_file, at.start, id);
                offset.restore_tables(tables);
                offset.record_made();
            }
        }
        if metadata && resumed == Resumed::No {
            self.monitor.begin(&mut self.dispatcher, self.transaction.source_micros(header))?;
        }
        Ok(())
    }

    /// XID or COMMIT: the transaction is over.
    pub(super) fn commit(&mut self, header: &EventHeader, at: EventPlace) -> Result<(), SourceError> {
        if self.transaction.open {
            let done = self.dispatcher.offset.events_done();
            let published = (self.skip_events > 0 && self.skip_events >= done && self.skip_rows == 0)
                || self.dispatcher.unfinished.was_ended();
            if self.dispatcher.config.events.provide_transaction_metadata && !published {
                self.dispatcher.unfinished.end();
                self.monitor.end(&mut self.dispatcher, self.transaction.source_micros(header))?;
            }
        }
        if self.dispatcher.offset.commit(self.transaction.gtid, at.end) {
            self.dispatcher.sequence.settle();
            self.dispatcher.moved_silently();
        }
        self.resumed_transaction_is_over();
        self.transaction.over();
        Ok(())
    }

    /// The source block's part that has nothing to do with the table.
    pub(super) fn source_position(
        &self,
        header: &EventHeader,
        at: EventPlace,
        timestamp_nanos: i64,
    ) -> SourcePosition<'_> {
        SourcePosition {
            timestamp_nanos,
            server_id: header.server_id.into(),
            gtid: (!self.transaction.gtid_text.is_empty()).then_some(self.transaction.gtid_text.as_str()),
            file: &self.log_file,
            pos: at.start.cast_signed(),
            thread: self.transaction.thread.map(i64::from),
            query: self.transaction.query.as_deref(),
            ..SourcePosition::default()
        }
    }

    /// The place of an event, for messages.
    pub(super) fn position(&self, at: EventPlace) -> BinlogPosition {
        BinlogPosition::new(self.log_file.clone(), at.start)
    }

    pub(super) fn event_error(&self, at: EventPlace, source: WireError) -> SourceError {
        SourceError::Event { position: self.position(at), source }
    }

    /// Warns of the first of its kind, then at every doubling of its number.
    pub(super) fn warn_once(&mut self, what: &str, why: &str) {
        let count = self.warned.entry(what.to_owned()).or_default();
        *count += 1;
        if count.is_power_of_two() {
            tracing::warn!(what, count, "{why}");
        }
    }
}
