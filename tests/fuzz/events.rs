//! Events of recorded binlogs through the event handler, up to the batches that would be published.

use std::cell::RefCell;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tidewire::config::properties::{Origin, Properties};
use tidewire::config::source::SourceConfig;
use tidewire::offset::context::{OffsetContext, offset_key};
use tidewire::offset::position::BinlogPosition;
use tidewire::offset::sequence::ChangeSequence;
use tidewire::schema::database_schema::{DatabaseSchema, SchemaOptions, Statement};
use tidewire::schema::history::memory::MemorySchemaHistory;
use tidewire::source::binlog::event_handler::{EventHandler, EventPlace};
use tidewire::source::dispatcher::EventDispatcher;
use tidewire::source::filters::Filters;
use tidewire::source::queue::{Received, change_event_queue};
use tidewire::task::home::Stored;
use tidewire::wire::binlog_file::BinlogFile;
use tidewire::wire::event::{Event, EventKind, EventParser, HEADER_LENGTH, PayloadContext};

use crate::mutation::{Mutation, mutate, mutations};
use crate::{Outcome, measured, told};

const FILES: [&[u8]; 5] = [
    include_bytes!("../binlogs/types-97.binlog"),
    include_bytes!("../binlogs/types-57.binlog"),
    include_bytes!("../binlogs/old-temporal-57.binlog"),
    include_bytes!("../binlogs/partial-97.binlog"),
    include_bytes!("../binlogs/modern-97.binlog"),
];
/// The table of old-temporal-57.binlog, whose files were put where the server keeps them: no binlog has its statement.
const OLD_TABLE: &str =
    "create table s(id int primary key, ts timestamp null, dt datetime, ti time, d date) charset latin1";
/// The bytes of a checksum.
const CHECKSUM: usize = 4;
const MAX_INNER_EVENT: usize = 1 << 24;

/// Calls for each event of all files, those of compressed transactions too.
pub fn each_event(mut call: impl FnMut(&Event<'_>) -> Outcome<()>) -> Outcome<()> {
    for file in FILES {
        let (mut file, mut parser) = (BinlogFile::new(file)?, EventParser::new());
        let (mut context, mut inner) = (PayloadContext::new(), Vec::new());
        while let Some(frame) = file.next_frame()? {
            let event = parser.parse(frame.bytes)?.1;
            if let Event::TransactionPayload(payload) = &event {
                let mut frames = payload.frames(&mut context, MAX_INNER_EVENT)?;
                while frames.next_frame(&mut inner)? {
                    call(&parser.parse_inner(&inner)?.1)?;
                }
            }
            call(&event)?;
        }
    }
    Ok(())
}

/// An event.
struct Frame {
    bytes: Vec<u8>,
    kind: EventKind,
    file: usize,
    /// The table map that its rows belong to.
    table_map: Option<Arc<Vec<u8>>>,
}

/// The events of all files.
pub struct Events {
    frames: Vec<Frame>,
    /// The format and the statements of each file.
    statements: Vec<Vec<Vec<u8>>>,
    config: Arc<SourceConfig>,
    /// A handler for each file; one that panicked is not used again.
    handlers: RefCell<Vec<Option<Session>>>,
}

/// An event handler that knows the tables of a file, and the thread that empties its queue.
struct Session {
    handler: EventHandler,
    inputs: usize,
}

/// A handler is made anew after so many inputs, so that none of them can hide behind what an earlier one left.
const INPUTS: usize = 200;

fn is_rows(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::WRITE_ROWS
            | EventKind::UPDATE_ROWS
            | EventKind::DELETE_ROWS
            | EventKind::PARTIAL_UPDATE_ROWS
    )
}

impl Events {
    pub fn read() -> Outcome<Self> {
        let (mut frames, mut statements): (Vec<Frame>, Vec<Vec<Vec<u8>>>) = (Vec::new(), Vec::new());
        for (file, bytes) in FILES.into_iter().enumerate() {
            let (mut reader, mut parser) = (BinlogFile::new(bytes)?, EventParser::new());
            let (mut context, mut inner) = (PayloadContext::new(), Vec::new());
            let (mut lasting, mut map) = (Vec::new(), None);
            let mut keep = |bytes: Vec<u8>, kind: EventKind| {
                let table_map = map.clone().filter(|_| is_rows(kind));
                match kind {
                    EventKind::FORMAT_DESCRIPTION | EventKind::QUERY => lasting.push(bytes.clone()),
                    EventKind::TABLE_MAP => map = Some(Arc::new(bytes.clone())),
                    _ => {}
                }
                frames.push(Frame { bytes, kind, file, table_map });
            };
            while let Some(frame) = reader.next_frame()? {
                let (header, event) = parser.parse(frame.bytes)?;
                keep(frame.bytes.to_vec(), header.kind);
                if let Event::TransactionPayload(payload) = &event {
                    let mut events = payload.frames(&mut context, MAX_INNER_EVENT)?;
                    while events.next_frame(&mut inner)? {
                        let kind = parser.parse_inner(&inner)?.0.kind;
                        let mut bytes = inner.clone();
                        bytes.extend([0; CHECKSUM]);
                        seal(&mut bytes);
                        keep(bytes, kind);
                    }
                }
            }
            // The last file's tables were made in the first.
            let earlier = statements.first().filter(|_| file + 1 == FILES.len());
            let format = lasting.first().cloned();
            statements.push(
                format.into_iter().chain(earlier.cloned().into_iter().flatten()).chain(lasting).collect(),
            );
        }
        let handlers = RefCell::new(FILES.iter().map(|_| None).collect());
        let events = Events { frames, statements, config: configuration()?, handlers };
        let rows = events.of(is_rows);
        let good =
            rows.iter().filter(|frame| events.handle(frame.file, &frame.with_table_map()).is_ok()).count();
        if good < rows.len() {
            return Err(
                format!("only {good} of {} recorded events can be read as they are", rows.len()).into()
            );
        }
        Ok(events)
    }

    fn of(&self, wanted: impl Fn(EventKind) -> bool) -> Vec<&Frame> {
        self.frames.iter().filter(|frame| wanted(frame.kind)).collect()
    }

    /// Rows events: bitmaps, images, cells.
    pub fn rows(&self, runner: &mut TestRunner) -> Result<(), String> {
        self.mutated(runner, &self.of(is_rows))
    }

    /// Events of all kinds.
    pub fn any_event(&self, runner: &mut TestRunner) -> Result<(), String> {
        self.mutated(runner, &self.of(|kind| kind != EventKind::QUERY))
    }

    fn mutated(&self, runner: &mut TestRunner, frames: &[&Frame]) -> Result<(), String> {
        told(runner.run(&(0..frames.len(), mutations()), |(index, mutations)| {
            let frame = frames[index];
            let mut input = frame.with_table_map();
            if let Some(last) = input.last_mut() {
                *last = changed(last, &mutations);
            }
            self.check(frame.file, &input)
        }))
    }

    /// Table maps, with the rows as they were.
    pub fn table_maps(&self, runner: &mut TestRunner) -> Result<(), String> {
        let frames = self.of(is_rows);
        told(runner.run(&(0..frames.len(), mutations()), |(index, mutations)| {
            let frame = frames[index];
            let mut input = frame.with_table_map();
            if let Some(first) = input.first_mut() {
                *first = changed(first, &mutations);
            }
            self.check(frame.file, &input)
        }))
    }

    /// Compressed transactions: their fields and compressed bytes, or the events inside.
    pub fn payloads(&self, runner: &mut TestRunner) -> Result<(), String> {
        let payloads = self.of(|kind| kind == EventKind::TRANSACTION_PAYLOAD);
        let rows = self.of(is_rows);
        let input = (0..payloads.len(), 0..rows.len(), mutations(), any::<[bool; 2]>());
        told(runner.run(&input, |(payload, row, mutations, [inside, plain])| {
            if !inside {
                let frame = payloads[payload];
                return self.check(frame.file, &[changed(&frame.bytes, &mutations)]);
            }
            let frame = rows[row];
            let mut events = Vec::new();
            for event in frame.with_table_map() {
                let mut event = event[..event.len() - CHECKSUM].to_vec();
                set_size(&mut event);
                events.extend(event);
            }
            mutate(&mut events, &mutations);
            self.check(frame.file, &[payload_event(&events, plain)])
        }))
    }

    /// A typed error is a right answer, whatever it says.
    fn check(&self, file: usize, frames: &[Vec<u8>]) -> Result<(), TestCaseError> {
        let size = frames.iter().map(Vec::len).sum();
        measured(size, || drop(self.handle(file, frames)))
    }

    /// Handles events behind the statements of a file.
    fn handle(&self, file: usize, frames: &[Vec<u8>]) -> Outcome<()> {
        let known = self.handlers.borrow_mut().get_mut(file).and_then(Option::take);
        let mut session = match known.filter(|session| session.inputs < INPUTS) {
            Some(session) => session,
            None => self.session(file)?,
        };
        session.inputs += 1;
        let format = self.statements.get(file).and_then(|statements| statements.first());
        let mut result = Ok(());
        let mut start = 4;
        for frame in format.into_iter().chain(frames) {
            let at = EventPlace { start, end: start + frame.len() as u64 };
            start = at.end;
            result = session.handler.handle(frame, at).map(|_| ());
            if result.is_err() {
                break;
            }
        }
        let result = result.and_then(|()| session.handler.dispatcher.hand_over());
        if let Some(place) = self.handlers.borrow_mut().get_mut(file) {
            *place = Some(session);
        }
        Ok(result?)
    }

    fn session(&self, file: usize) -> Outcome<Session> {
        let (writer, reader) = change_event_queue(&self.config.queue);
        std::thread::spawn(move || {
            loop {
                match reader.receive(std::time::Duration::from_secs(1)) {
                    Received::Batch(batch) => reader.recycle(batch),
                    Received::Barrier(barrier) => barrier.reached(),
                    Received::Idle => {}
                    Received::Closed => return,
                }
            }
        });
        let name = &self.config.connector_name;
        let dispatcher = EventDispatcher::new(
            Arc::clone(&self.config),
            Filters::new(&self.config.filters)?,
            DatabaseSchema::new(SchemaOptions::default()),
            Box::new(Stored(MemorySchemaHistory::default())),
            OffsetContext::new(offset_key(name, "fuzz"), BinlogPosition::new("binlog.000001", 4), None),
            ChangeSequence::from_last(name, "fuzz", 0),
            writer,
        );
        let mut handler = EventHandler::new(dispatcher);
        let old = Statement { text: OLD_TABLE, database: "o", ..Statement::default() };
        handler.dispatcher.schema.apply_ddl(&old)?;
        for statement in self.statements.get(file).into_iter().flatten() {
            // Statements that belong to transactions and not to the schema may miss what went before.
            let _ = handler.handle(statement, EventPlace { start: 4, end: 5 });
        }
        Ok(Session { handler, inputs: 0 })
    }
}

impl Frame {
    fn with_table_map(&self) -> Vec<Vec<u8>> {
        let map = self.table_map.iter().map(|map| map.to_vec());
        map.chain([self.bytes.clone()]).collect()
    }
}

/// An event whose body is changed, with the size and the checksum that it then has.
fn changed(frame: &[u8], mutations: &[Mutation]) -> Vec<u8> {
    let (header, body) = frame.split_at(HEADER_LENGTH);
    let mut body = body[..body.len() - CHECKSUM].to_vec();
    mutate(&mut body, mutations);
    let mut changed = [header, &body, &[0; CHECKSUM]].concat();
    seal(&mut changed);
    changed
}

fn set_size(frame: &mut [u8]) {
    let size = u32::try_from(frame.len()).unwrap_or(0);
    frame[9..13].copy_from_slice(&size.to_le_bytes());
}

fn seal(frame: &mut [u8]) {
    set_size(frame);
    let (covered, checksum) = frame.split_at_mut(frame.len() - CHECKSUM);
    checksum.copy_from_slice(&crc32fast::hash(covered).to_le_bytes());
}

/// A TRANSACTION_PAYLOAD event of these events: fields 3, 2 and 1, and the end of the fields.
fn payload_event(events: &[u8], plain: bool) -> Vec<u8> {
    let payload = if plain { events.to_vec() } else { zstd::encode_all(events, 3).unwrap_or_default() };
    let number = |value: usize| {
        let mut bytes = vec![0xfe];
        bytes.extend((value as u64).to_le_bytes());
        bytes
    };
    let mut frame = vec![0; HEADER_LENGTH];
    frame[4] = EventKind::TRANSACTION_PAYLOAD.0;
    frame.extend([2, 1]);
    frame.extend(if plain { [0xfc, 255, 0].as_slice() } else { &[0] });
    if plain {
        frame[HEADER_LENGTH + 1] = 3;
    }
    frame.extend([1, 9]);
    frame.extend(number(payload.len()));
    frame.extend([3, 9]);
    frame.extend(number(events.len()));
    frame.push(0);
    frame.extend(payload);
    frame.extend([0; CHECKSUM]);
    seal(&mut frame);
    frame
}

fn configuration() -> Outcome<Arc<SourceConfig>> {
    let mut properties = Properties::new();
    for (name, value) in [
        ("name", "fuzz"),
        ("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
        ("topic.prefix", "fuzz"),
        ("database.hostname", "localhost"),
        ("database.user", "dbz"),
        ("database.password", "dbz"),
        ("database.server.id", "184054"),
        ("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory"),
        ("key.converter", "org.apache.kafka.connect.json.JsonConverter"),
        ("value.converter", "org.apache.kafka.connect.json.JsonConverter"),
        ("value.converter.schemas.enable", "false"),
        ("event.converting.failure.handling.mode", "fail"),
        ("event.processing.failure.handling.mode", "warn"),
    ] {
        properties.insert(name, value, Origin::CommandLine);
    }
    Ok(Arc::new(SourceConfig::from_properties(&properties, None).map_err(|error| format!("{error:?}"))?.0))
}
