//! `tidewire demo`: a small changing shop on a server that is there, and its records on the screen.
//!
//! The shop is made anew in a database of its own (`tidewire_demo`), the connector takes its snapshot and streams, and a
//! customer of the shop orders, pays and cancels meanwhile. It ends by itself when every change has come back as a record,
//! or on a signal with `--follow`.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::config::properties::{Origin, Properties};
use crate::config::source::SourceConfig;
use crate::connect::record::{Record, RecordBatch, RecordHome};
use crate::error::StorageError;
use crate::schema::history::memory::MemorySchemaHistory;
use crate::source::coordinator::{Stored, run};
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::queue::change_event_queue;
use crate::task::demo::shop::{CHANGES, DATABASE, PAUSE, open_shop};
use crate::task::error::TaskError;
use crate::task::home::Stored as StoredHistory;
use crate::task::publisher::publish;

/// Records of the changes must be back within this time.
const PATIENCE: Duration = Duration::from_secs(30);

pub mod mirror;

mod shop;

/// The server of the demonstration.
#[derive(Clone)]
pub struct Demo {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// A user who may create a database and replicate.
    pub user: String,
    /// The user's password.
    pub password: String,
    /// Go on until told to stop.
    pub follow: bool,
}

/// Runs the demonstration.
pub fn demo(arguments: &Demo, stop: &Arc<AtomicBool>) -> Result<(), TaskError> {
    let config = Arc::new(configuration(arguments));
    let mut shop = Connection::connect(&config.connection).map_err(SourceError::from)?;
    open_shop(&mut shop).map_err(SourceError::from)?;
    let tally = Arc::new(Tally::default());
    let mut screen = Screen { tally: Arc::clone(&tally) };
    let (writer, reader) = change_event_queue(&config.queue);
    let began = Instant::now();
    let ended = AtomicBool::new(false);
    let made = std::thread::scope(|scope| {
        let publisher = scope.spawn(move || {
            let result = publish(&reader, &mut screen);
            drop(reader);
            result
        });
        let trader = scope.spawn(|| trade(&mut shop, arguments.follow, &tally, stop, &ended));
        let history = Box::new(StoredHistory(MemorySchemaHistory::default()));
        let read = run(&config, &Stored::default(), history, writer, stop);
        ended.store(true, Ordering::Relaxed);
        let made = trader.join().map_err(|_| TaskError::Panicked)?;
        publisher.join().map_err(|_| TaskError::Panicked)?.map_err(TaskError::Home)?;
        read?;
        Ok::<u64, TaskError>(made.map_err(SourceError::from)?)
    })?;
    tally.summary(made, began.elapsed());
    if !arguments.follow && tally.changes() < made {
        return Err(TaskError::DemoIncomplete { made, seen: tally.changes() });
    }
    Ok(())
}

/// The connector's configuration, as a user would write it.
fn configuration(arguments: &Demo) -> SourceConfig {
    let pairs = [
        ("name", "demo"),
        ("connector.class", "io.debezium.connector.mysql.MySqlConnector"),
        ("topic.prefix", "demo"),
        ("database.hostname", arguments.host.as_str()),
        ("database.port", &arguments.port.to_string()),
        ("database.user", arguments.user.as_str()),
        ("database.password", arguments.password.as_str()),
        ("database.server.id", "190190"),
        ("database.include.list", DATABASE),
        ("include.schema.changes", "false"),
        ("decimal.handling.mode", "string"),
        ("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory"),
        ("key.converter", "org.apache.kafka.connect.json.JsonConverter"),
        ("value.converter", "org.apache.kafka.connect.json.JsonConverter"),
        ("key.converter.schemas.enable", "false"),
        ("value.converter.schemas.enable", "false"),
    ];
    let mut properties = Properties::new();
    for (name, value) in pairs {
        properties.insert(name, value, Origin::CommandLine);
    }
    // All values are constants or parts of an address that the command line has checked.
    SourceConfig::from_properties(&properties, None)
        .expect("the demonstration's own configuration is right")
        .0
}

/// Changes the shop, once the snapshot is on the screen, until enough was done and seen.
fn trade(
    shop: &mut Connection,
    follow: bool,
    tally: &Tally,
    stop: &AtomicBool,
    ended: &AtomicBool,
) -> Result<u64, crate::source::mysql::error::MySqlError> {
    let waits = || !stop.load(Ordering::Relaxed) && !ended.load(Ordering::Relaxed);
    let snapshot = Instant::now();
    while waits() && tally.reads() < 3 && snapshot.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut made = 0;
    while waits() && (follow || made < CHANGES) {
        let statement = shop::change(made);
        shop.execute(&statement)?;
        made += 1;
        std::thread::sleep(PAUSE);
    }
    let done = Instant::now();
    while waits() && tally.changes() < made && done.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    stop.store(true, Ordering::Relaxed);
    Ok(made)
}

/// What was seen.
#[derive(Default)]
struct Tally {
    reads: AtomicU64,
    changes: AtomicU64,
    topics: Mutex<BTreeMap<String, u64>>,
}

impl Tally {
    fn reads(&self) -> u64 {
        self.reads.load(Ordering::Relaxed)
    }

    fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    fn note(&self, topic: &str, operation: &str) {
        match operation {
            "r" => self.reads.fetch_add(1, Ordering::Relaxed),
            "c" | "u" | "d" => self.changes.fetch_add(1, Ordering::Relaxed),
            _ => return,
        };
        *self.topics.lock().unwrap_or_else(PoisonError::into_inner).entry(topic.to_owned()).or_default() += 1;
    }

    fn summary(&self, made: u64, elapsed: Duration) {
        let topics = self.topics.lock().unwrap_or_else(PoisonError::into_inner);
        let topics: Vec<String> = topics.iter().map(|(topic, count)| format!("{topic} {count}")).collect();
        let text = format!(
            "\ndemo: {} rows of the snapshot, {made} changes made, {} seen, in {:.1} s; records: {}\n",
            self.reads(),
            self.changes(),
            elapsed.as_secs_f64(),
            topics.join(", ")
        );
        show(text.as_bytes());
    }
}

/// A home that shows records and forgets them.
struct Screen {
    tally: Arc<Tally>,
}

impl Screen {
    fn show(&self, batch: &RecordBatch, record: &Record) {
        let text = |span: &Option<_>| {
            span.as_ref().map(|span| String::from_utf8_lossy(batch.slice(span)).into_owned())
        };
        let key = text(&record.key).unwrap_or_else(|| "-".to_owned());
        let Some(value) = text(&record.value) else {
            show(format!("{:<28} {key:<14} tombstone\n", record.topic).as_bytes());
            return;
        };
        let value: Value = serde_json::from_str(&value).unwrap_or_default();
        let part = |name: &str| value.get(name).map(Value::to_string).unwrap_or_default();
        let operation = value.get("op").and_then(Value::as_str).unwrap_or_default();
        self.tally.note(&record.topic, operation);
        let line =
            format!("{:<28} {key:<14} {operation}  {} → {}\n", record.topic, part("before"), part("after"));
        show(line.as_bytes());
    }
}

impl RecordHome for Screen {
    type Error = StorageError;

    fn publish(&mut self, batch: &RecordBatch) -> Result<(), StorageError> {
        for record in &batch.records {
            self.show(batch, record);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), StorageError> {
        Ok(())
    }

    fn idle(&mut self) -> Result<(), StorageError> {
        Ok(())
    }
}

/// Writes to standard output; whoever closed it does not want to see more.
fn show(text: &[u8]) {
    let _ = stdout().lock().write_all(text);
}
