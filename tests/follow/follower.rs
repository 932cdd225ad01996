//! Follows a server's binlog as a connector does, and holds the tables that it believes in.
//!
//! MySQL's binlog goes frame by frame into the connector's own event handler, so that a row that does not fit the table is
//! found too. What it publishes is thrown away. MariaDB's statements are taken out of its binlog and given to the schema
//! directly.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tidewire::config::properties::{Origin, Properties};
use tidewire::config::source::SourceConfig;
use tidewire::error::chain;
use tidewire::offset::context::{OffsetContext, offset_key};
use tidewire::offset::position::BinlogPosition;
use tidewire::offset::sequence::ChangeSequence;
use tidewire::schema::database_schema::{DatabaseSchema, Flavor, SchemaOptions};
use tidewire::schema::history::memory::MemorySchemaHistory;
use tidewire::source::binlog::event_handler::EventHandler;
use tidewire::source::binlog::network_client::{BinlogClient, DumpOptions, DumpStart, Polled};
use tidewire::source::binlog::statement_text::{logged_statement, statement_text};
use tidewire::source::binlog::streaming::FilePosition;
use tidewire::source::dispatcher::EventDispatcher;
use tidewire::source::filters::Filters;
use tidewire::source::mysql::Connection;
use tidewire::source::mysql::position::binlog_status;
use tidewire::source::mysql::variables::ServerVariables;
use tidewire::source::queue::{Received, change_event_queue};
use tidewire::task::home::Stored;
use tidewire::wire::event::{Event, EventKind, EventParser};

use crate::ground::Server;

/// How long the server may take to send what it has written.
const LIMIT: Duration = Duration::from_secs(60);
/// The number of the replica that the follower is, different in each process.
fn server_id() -> u32 {
    40_000 + std::process::id() % 20_000
}

/// See the module.
pub struct Follower {
    client: BinlogClient,
    file: String,
    place: FilePosition,
    reader: Reader,
}

enum Reader {
    Connector(Box<EventHandler>),
    Statements { parser: EventParser, schema: Box<DatabaseSchema> },
}

/// How the server reads statements.
pub fn schema_options(server: Server, connection: &mut Connection) -> Result<SchemaOptions, String> {
    let variables = ServerVariables::read(connection).map_err(|error| error.to_string())?;
    let (major, minor, patch) = connection.server_version().numbers;
    Ok(SchemaOptions {
        flavor: if server.is_mariadb() { Flavor::MariaDb } else { Flavor::MySql },
        version: u32::from(major) * 10_000 + u32::from(minor) * 100 + u32::from(patch),
        lower_case_table_names: variables.lower_case_table_names(),
        server_charset: variables.character_set_server().to_owned(),
        system_time_zone: variables.get("system_time_zone").to_owned(),
        include_comments: true,
        explicit_defaults_for_timestamp: variables.explicit_defaults_for_timestamp(),
    })
}

fn configuration() -> Result<Arc<SourceConfig>, String> {
    let mut properties = Properties::new();
    for (name, value) in [
        ("name", "follow"),
        ("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
        ("topic.prefix", "follow"),
        ("database.hostname", "localhost"),
        ("database.user", "root"),
        ("database.password", "none"),
        ("database.server.id", "4900"),
        ("include.schema.comments", "true"),
        ("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory"),
        ("key.converter", "org.apache.kafka.connect.json.JsonConverter"),
        ("value.converter", "org.apache.kafka.connect.json.JsonConverter"),
        // Rows that a session logged as statements are none of the schema's business.
        ("event.processing.failure.handling.mode", "warn"),
    ] {
        properties.insert(name, value, Origin::CommandLine);
    }
    let config =
        SourceConfig::from_properties(&properties, None).map_err(|problems| format!("{problems:?}"))?;
    Ok(Arc::new(config.0))
}

impl Follower {
    /// Starts at the end of the log, with no tables.
    pub fn start(server: Server) -> Result<Self, String> {
        let mut connection = server.connect()?;
        let status = binlog_status(&mut connection).map_err(|error| error.to_string())?;
        let options = schema_options(server, &mut connection)?;
        let start = DumpStart::Position { file: status.file.clone(), position: status.position };
        let client = BinlogClient::open_with(&server.config(server_id())?, &start, &DumpOptions::default())
            .map_err(|error| error.to_string())?;
        let schema = DatabaseSchema::new(options);
        let reader = if server.is_mariadb() {
            Reader::Statements { parser: EventParser::new(), schema: Box::new(schema) }
        } else {
            let position = BinlogPosition::new(&status.file, status.position);
            Reader::Connector(Box::new(handler(schema, position)?))
        };
        Ok(Follower { client, file: status.file, place: FilePosition::at(status.position), reader })
    }

    /// The tables that are believed in.
    pub fn schema(&self) -> &DatabaseSchema {
        match &self.reader {
            Reader::Connector(handler) => &handler.dispatcher.schema,
            Reader::Statements { schema, .. } => schema,
        }
    }

    /// Reads up to the present end of the log.
    pub fn catch_up(&mut self, connection: &mut Connection) -> Result<(), String> {
        let end = binlog_status(connection).map_err(|error| error.to_string())?;
        let deadline = Instant::now() + LIMIT;
        let mut reached = 0;
        while self.file < end.file || (self.file == end.file && reached < end.position) {
            if Instant::now() > deadline {
                return Err(format!("the log's end {}:{} was not reached", end.file, end.position));
            }
            let polled =
                self.client.poll_frame(Duration::from_millis(100)).map_err(|error| error.to_string())?;
            let frame = match polled {
                Polled::Frame(frame) => frame,
                Polled::Idle => {
                    // Nothing has been written since the last time.
                    let start = self.place.place(&[]).end;
                    if self.file == end.file && start >= end.position {
                        return Ok(());
                    }
                    continue;
                }
                Polled::End => return Err("the server ended the stream".to_owned()),
            };
            let at = self.place.place(frame);
            reached = at.end;
            let kind = frame.get(4).map(|kind| EventKind(*kind));
            match &mut self.reader {
                Reader::Connector(handler) => {
                    handler.handle(frame, at).map_err(|error| chain(&error))?;
                    handler.log_file().clone_into(&mut self.file);
                }
                Reader::Statements { parser, schema } => {
                    if let Some(EventKind::QUERY | EventKind::FORMAT_DESCRIPTION | EventKind::ROTATE) = kind {
                        let (header, event) = parser.parse(frame).map_err(|error| chain(&error))?;
                        match event {
                            Event::Query(query) => {
                                let text = statement_text(&query);
                                let database = String::from_utf8_lossy(query.database);
                                let statement = logged_statement(&query, &text, &database, Flavor::MariaDb);
                                schema
                                    .apply_ddl(&statement)
                                    .map_err(|error| format!("{}\n{text}", chain(&error)))?;
                            }
                            Event::Rotate(rotate) if !header.is_artificial() => {
                                self.file = String::from_utf8_lossy(rotate.file).into_owned();
                            }
                            _ => {}
                        }
                    }
                }
            }
            if kind == Some(EventKind::ROTATE) {
                self.place.rotated();
            }
        }
        Ok(())
    }
}

/// The connector's reader; a thread of its own throws away what it makes, and ends with it.
fn handler(schema: DatabaseSchema, position: BinlogPosition) -> Result<EventHandler, String> {
    let config = configuration()?;
    let (writer, reader) = change_event_queue(&config.queue);
    thread::spawn(move || {
        loop {
            match reader.receive(Duration::from_secs(1)) {
                Received::Batch(batch) => reader.recycle(batch),
                Received::Barrier(barrier) => barrier.reached(),
                Received::Idle => {}
                Received::Closed => return,
            }
        }
    });
    let (name, prefix) = (config.connector_name.clone(), config.topic_prefix.clone());
    Ok(EventHandler::new(EventDispatcher::new(
        Arc::clone(&config),
        Filters::new(&config.filters).map_err(|error| error.to_string())?,
        schema,
        Box::new(Stored(MemorySchemaHistory::default())),
        OffsetContext::new(offset_key(&name, &prefix), position, None),
        ChangeSequence::from_last(&name, &prefix, 0),
        writer,
    )))
}
