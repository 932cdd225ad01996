//! `tidewire decode`: binlog files → the records that a connector would publish, without a server.
//!
//! The schema comes from a history in Debezium's file format as a restart at the start position would take it (records up
//! to there, compared by file and position), or from the statements in the files. What stands before the start position is
//! read for its FORMAT_DESCRIPTION and, without a history, for its statements; records begin at the start position.
//! A damaged file ends the work with its name and position, after everything before it was printed.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::modes::FailureHandlingMode;
use crate::config::source::{HistoryConfig, HistoryStore, SourceConfig};
use crate::error::StorageError;
use crate::event::headers::{context_headers, new_run_id};
use crate::file::schema_history::FileSchemaHistory;
use crate::file::standard_output::StandardOutput;
use crate::offset::context::{OffsetContext, offset_key};
use crate::offset::position::BinlogPosition;
use crate::offset::sequence::ChangeSequence;
use crate::schema::database_schema::{DatabaseSchema, SchemaOptions};
use crate::schema::history::comparator::by_file_and_position;
use crate::schema::history::memory::MemorySchemaHistory;
use crate::schema::history::read_records;
use crate::schema::history::recover::Replay;
use crate::source::binlog::event_handler::{EventHandler, EventPlace};
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::gtid_sources::GtidSources;
use crate::source::queue::{QueueWriter, change_event_queue};
use crate::task::error::TaskError;
use crate::task::home::Stored;
use crate::task::publisher::publish;
use crate::wire::binlog_file::BinlogFile;
use crate::wire::error::WireError;
use crate::wire::event::FormatDescriptionEvent;

/// Where the first event of a file stands, behind the magic.
const FIRST_EVENT: u64 = 4;

/// What is decoded.
#[derive(Clone, Debug)]
pub struct Decode {
    /// The connector whose records are wanted.
    pub source: SourceConfig,
    /// A schema history in Debezium's file format.
    pub schema_history: Option<PathBuf>,
    /// The file and position at which records begin.
    pub start: Option<(String, u64)>,
    /// The files, in order.
    pub binlogs: Vec<PathBuf>,
}

/// Decodes files in order.
pub fn decode(plan: &Decode) -> Result<(), TaskError> {
    let mut config = SourceConfig { history: in_memory(&plan.source), ..plan.source.clone() };
    // Nothing is lost by reading a file: what it has only as statements is warned of, and the rest is shown.
    if config.events.processing_failure == FailureHandlingMode::Fail {
        config.events.processing_failure = FailureHandlingMode::Warn;
    }
    let config = Arc::new(config);
    let mut home = StandardOutput::default();
    home.set_context_headers(context_headers(&config.topic_prefix, new_run_id()));
    let (writer, reader) = change_event_queue(&config.queue);
    std::thread::scope(|scope| {
        let publisher = scope.spawn(move || {
            let result = publish(&reader, &mut home);
            drop(reader);
            result
        });
        let read = read_files(plan, &config, writer);
        let published = publisher.join().map_err(|_| TaskError::Panicked)?;
        match (read, published) {
            (Err(SourceError::Queue(_)) | Ok(()), Err(error)) => Err(TaskError::home(error)),
            (Err(error), _) => Err(error.into()),
            (Ok(()), Ok(())) => Ok(()),
        }
    })
}

fn in_memory(source: &SourceConfig) -> HistoryConfig {
    HistoryConfig { store: HistoryStore::Memory, ..source.history.clone() }
}

fn read_files(plan: &Decode, config: &Arc<SourceConfig>, queue: QueueWriter) -> Result<(), SourceError> {
    let first = plan.binlogs.first().map(|path| file_name(path)).unwrap_or_default();
    let start = match &plan.start {
        Some((file, position)) => BinlogPosition::new(file.clone(), *position),
        None => BinlogPosition::new(first, 4),
    };
    let options =
        SchemaOptions { include_comments: config.events.include_schema_comments, ..SchemaOptions::default() };
    let mut schema = DatabaseSchema::new(options);
    if let Some(path) = &plan.schema_history {
        recover(path, config, &start, &mut schema)?;
    }
    let key = offset_key(&config.connector_name, &config.topic_prefix);
    let dispatcher = EventDispatcher::new(
        Arc::clone(config),
        Filters::new(&config.filters)?.with_history(&config.history)?,
        schema,
        Box::new(Stored(MemorySchemaHistory::default())),
        OffsetContext::new(key, start.clone(), None),
        // The numbers of a decoded log depend on the log alone.
        ChangeSequence::from_last(&config.connector_name, &config.topic_prefix, 0),
        queue,
    );
    let mut handler = EventHandler::new(dispatcher).with_sources(GtidSources::new(&config.filters)?);
    for path in &plan.binlogs {
        let name = file_name(path);
        let order = BinlogPosition::new(name.clone(), u64::MAX).compare(&start);
        if order == std::cmp::Ordering::Less && plan.schema_history.is_some() {
            continue;
        }
        if let Err(error) = read_file(path, &name, &start, plan.schema_history.is_some(), &mut handler) {
            // What came before the damage is published all the same.
            handler.dispatcher.hand_over()?;
            return Err(error);
        }
    }
    handler.dispatcher.hand_over()
}

fn read_file(
    path: &Path,
    name: &str,
    start: &BinlogPosition,
    has_history: bool,
    handler: &mut EventHandler,
) -> Result<(), SourceError> {
    let unreadable = |source| SourceError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    handler.start_file(name);
    let damaged = |position: u64, source| match source {
        WireError::Io { source, .. } => unreadable(source),
        source => SourceError::Event { position: BinlogPosition::new(name, position), source },
    };
    let mut frames =
        BinlogFile::new(BufReader::with_capacity(1 << 18, file)).map_err(|source| damaged(0, source))?;
    loop {
        let position = frames.position();
        let Some(frame) = frames.next_frame().map_err(|source| damaged(position, source))? else {
            return Ok(());
        };
        if frame.position == FIRST_EVENT {
            FormatDescriptionEvent::check_first_of_file(frame.bytes)
                .map_err(|source| damaged(position, source))?;
        }
        let at = EventPlace { start: frame.position, end: frame.position + frame.bytes.len() as u64 };
        let here = BinlogPosition::new(name, frame.position);
        if here.compare(start) == std::cmp::Ordering::Less {
            handler.handle_before_start(frame.bytes, at, !has_history)?;
        } else {
            handler.handle(frame.bytes, at)?;
        }
    }
}

/// Takes the schema from a history file.
fn recover(
    path: &Path,
    config: &SourceConfig,
    start: &BinlogPosition,
    schema: &mut DatabaseSchema,
) -> Result<(), SourceError> {
    let mut history = Stored(FileSchemaHistory::new(path.to_owned()));
    let mut result = Ok(());
    let passed_over = config.history.passed_over()?;
    let replay = Replay::of(&config.history, &passed_over);
    read_records(&mut history, &mut |record| {
        if result.is_ok() {
            result = match by_file_and_position(&record.position, &start.file, start.pos) {
                Ok(true) => schema.apply_history(record, &replay),
                Ok(false) => Ok(()),
                Err(error) => Err(error),
            };
        }
    })
    .map_err(SourceError::History)?;
    result.map_err(|error| SourceError::History(StorageError::new(error)))
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
