//! A recorded binlog: its frames, its tables, and the configuration under which it is read.

use std::sync::Arc;

use tidewire::config::properties::{Origin, Properties};
use tidewire::config::source::SourceConfig;
use tidewire::offset::context::{OffsetContext, offset_key};
use tidewire::offset::position::BinlogPosition;
use tidewire::offset::sequence::ChangeSequence;
use tidewire::schema::database_schema::{DatabaseSchema, SchemaOptions};
use tidewire::schema::history::memory::MemorySchemaHistory;
use tidewire::schema::table::Table;
use tidewire::schema::table_id::TableId;
use tidewire::source::binlog::event_handler::{EventHandler, EventPlace};
use tidewire::source::dispatcher::EventDispatcher;
use tidewire::source::filters::Filters;
use tidewire::source::queue::{QueueReader, QueueWriter, Received, change_event_queue};
use tidewire::task::home::Stored;
use tidewire::wire::binlog_file::BinlogFile;
use tidewire::wire::event::{Event, EventKind, EventParser, TableMapEvent};
use tidewire::wire::rows::{RowsEvent, RowsKind};

use crate::Outcome;

/// From `tests/binlogs/rows.sql`.
pub const ROWS: &[u8] = include_bytes!("../../binlogs/rows-97.binlog");
/// From `tests/binlogs/cells.sql`.
pub const CELLS: &[u8] = include_bytes!("../../binlogs/cells-97.binlog");
/// The file's name in source blocks.
pub const FILE: &str = "binlog.000001";

/// A frame with its place.
pub struct StoredFrame {
    /// Where it stands.
    pub at: EventPlace,
    /// Header, body, checksum.
    pub bytes: Vec<u8>,
    /// What it is.
    pub kind: EventKind,
}

/// The file and what its statements say.
pub struct Recording {
    /// All events.
    pub frames: Vec<StoredFrame>,
    schema: DatabaseSchema,
    parser: EventParser,
}

/// The rows of one table that were changed in one way.
pub struct TableRows<'a> {
    /// As the schema history knows it.
    pub table: Arc<Table>,
    /// As the binlog announces it.
    pub map: TableMapEvent<'a>,
    /// The row images, event by event.
    pub events: Vec<RowsEvent<'a>>,
}

/// The connector's configuration.
pub fn configuration(schemas: bool) -> Outcome<Arc<SourceConfig>> {
    configured(schemas, &[])
}

/// The same with more properties.
pub fn configured(schemas: bool, more: &[(&str, &str)]) -> Outcome<Arc<SourceConfig>> {
    let schemas = if schemas { "true" } else { "false" };
    let mut properties = Properties::new();
    let all = [
        ("name", "micro"),
        ("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
        ("topic.prefix", "micro"),
        ("database.hostname", "localhost"),
        ("database.user", "dbz"),
        ("database.password", "dbz"),
        ("database.server.id", "184054"),
        ("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory"),
        ("key.converter", "org.apache.kafka.connect.json.JsonConverter"),
        ("value.converter", "org.apache.kafka.connect.json.JsonConverter"),
        ("key.converter.schemas.enable", schemas),
        ("value.converter.schemas.enable", schemas),
    ];
    for (name, value) in all.iter().chain(more).copied() {
        properties.insert(name, value, Origin::CommandLine);
    }
    Ok(Arc::new(SourceConfig::from_properties(&properties, None).map_err(|error| format!("{error:?}"))?.0))
}

/// An event handler at the beginning of the file.
pub fn handler(config: &Arc<SourceConfig>, queue: QueueWriter) -> Outcome<EventHandler> {
    let name = &config.connector_name;
    let dispatcher = EventDispatcher::new(
        Arc::clone(config),
        Filters::new(&config.filters)?,
        DatabaseSchema::new(SchemaOptions::default()),
        Box::new(Stored(MemorySchemaHistory::default())),
        OffsetContext::new(offset_key(name, &config.topic_prefix), BinlogPosition::new(FILE, 4), None),
        ChangeSequence::from_last(name, &config.topic_prefix, 0),
        queue,
    );
    let mut handler = EventHandler::new(dispatcher);
    handler.start_file(FILE);
    Ok(handler)
}

/// Takes what comes and gives it back, until nothing more comes.
pub fn empty(queue: &QueueReader) {
    loop {
        match queue.receive(std::time::Duration::from_secs(1)) {
            Received::Batch(batch) => queue.recycle(batch),
            Received::Barrier(barrier) => barrier.reached(),
            Received::Idle => {}
            Received::Closed => return,
        }
    }
}

impl Recording {
    /// Reads the file.
    pub fn read(binlog: &[u8]) -> Outcome<Self> {
        let mut parser = EventParser::new();
        let mut file = BinlogFile::new(binlog)?;
        let mut frames = Vec::new();
        while let Some(frame) = file.next_frame()? {
            let (header, _) = parser.parse(frame.bytes)?;
            let at = EventPlace { start: frame.position, end: frame.position + frame.bytes.len() as u64 };
            frames.push(StoredFrame { at, bytes: frame.bytes.to_vec(), kind: header.kind });
        }
        let config = configuration(false)?;
        let (writer, reader) = change_event_queue(&config.queue);
        let schema = std::thread::scope(|scope| {
            scope.spawn(move || empty(&reader));
            let mut handler = handler(&config, writer)?;
            for frame in &frames {
                handler.handle(&frame.bytes, frame.at)?;
            }
            Ok::<_, Box<dyn std::error::Error>>(handler.dispatcher.schema)
        })?;
        Ok(Recording { frames, schema, parser })
    }

    /// The names of all tables that have rows, in the order of the file.
    pub fn tables(&self) -> Vec<String> {
        let mut parser = self.parser.clone();
        let mut names: Vec<String> = Vec::new();
        for frame in &self.frames {
            if let Ok((_, Event::TableMap(map))) = parser.parse(&frame.bytes) {
                let name = String::from_utf8_lossy(map.table).into_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// A table's rows of one kind.
    pub fn rows(&self, database: &str, table: &str, kind: RowsKind) -> Outcome<TableRows<'_>> {
        let mut parser = self.parser.clone();
        let (mut map, mut events) = (None, Vec::new());
        for frame in &self.frames {
            match parser.parse(&frame.bytes)?.1 {
                Event::TableMap(event) if event.table == table.as_bytes() => map = Some(event),
                Event::Rows(event)
                    if event.kind == kind
                        && map.as_ref().is_some_and(|map| map.table_id == event.table_id) =>
                {
                    events.push(event);
                }
                _ => {}
            }
        }
        let id = TableId::new(database, table);
        let table = self.schema.table(&id).ok_or("the recording has no such table")?;
        Ok(TableRows { table: Arc::clone(table), map: map.ok_or("the recording has no such rows")?, events })
    }
}
