//! `tidewire sink quarantine` and `retry-quarantine`: records that were put aside, shown or written after all.
//!
//! A version is a property of its record, so that a row which is written late takes its own place among all changes of its row: a
//! newer one stays (section 6.6). For the same reason the connector may run meanwhile.
//!
//! ```text
//! a page of _tidewire.quarantine ─▶ the applying task, with their old versions ─▶ all stored ─▶ deleted in _tidewire.quarantine
//!                                                      └─▶ refused again: put aside anew, with today's reason
//! ```
//! What is killed in between is written once more by the next retry, under the same version.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::config::sink::SinkConfig;
use crate::config::worker::{HomeConfig, WorkerConfig};
use crate::sink::apply::applier::{Applier, Reloads};
use crate::sink::apply::batch::Origin;
use crate::sink::apply::error::ApplyError;
use crate::sink::apply::ledger::Ledger;
use crate::sink::apply::quarantine::{Aside, PAGE};
use crate::sink::apply::record::Record;
use crate::sink::apply::server::Server;
use crate::sink::consumer::AssignmentId;
use crate::sink::record::headers::KnownHeaders;
use crate::task::error::TaskError;
use crate::task::topic_store::TopicStore;

/// How long the rows of a page may take until the server has them.
const STORED: Duration = Duration::from_secs(300);

/// What is put aside, as text, a line each: table, record, version, time and reason; never values.
pub fn show_quarantine(config: &SinkConfig, table: Option<&str>) -> Result<String, TaskError> {
    let server = Server::connect(config).map_err(ApplyError::Server)?;
    let ledger = Ledger::open(&server, &config.name, &config.tables).map_err(ApplyError::Server)?;
    let now = Ledger::now(&server).map_err(ApplyError::Server)?;
    let (mut text, mut count, mut last) = (String::new(), 0, None);
    loop {
        let page = ledger.aside(&server, table, &now, last.as_ref()).map_err(ApplyError::Server)?;
        for aside in &page {
            let version =
                aside.version.map_or_else(|| "none".to_owned(), |version| version.get().to_string());
            let Aside { topic, partition, offset, table, at, error, .. } = aside;
            // Writing into a string cannot fail.
            let _ =
                writeln!(text, "{table}  {topic}[{partition}]@{offset}  version {version}  {at}  {error}");
        }
        count += page.len();
        let is_last = page.len() < PAGE;
        last = page.into_iter().next_back();
        if is_last {
            break;
        }
    }
    let _ = writeln!(text, "quarantine: {count} records");
    Ok(text)
}

/// Writes what was put aside, of one table or of all. What to print, and whether nothing is left.
pub fn retry_quarantine(
    config: &SinkConfig,
    worker: &WorkerConfig,
    table: Option<&str>,
    stop: &Arc<AtomicBool>,
) -> Result<(String, bool), TaskError> {
    let HomeConfig::Kafka(kafka) = &worker.home else { return Err(TaskError::SinkWithoutKafka) };
    let mut store = TopicStore::open(config, kafka, stop).map_err(TaskError::home)?;
    let mut config = config.clone();
    // What is refused again stays where it is, and others go on.
    config.errors.quarantine = true;
    let mut applier = Applier::open(&config, Reloads::default())?.retrying();
    applier.read_schema_changes(&mut store)?;
    let now = applier.server_time()?;
    let (mut applied, mut refused) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    let mut last: Option<Aside> = None;
    while !stop.load(Ordering::Relaxed) {
        let page = applier.aside(table, &now, last.as_ref())?;
        for aside in &page {
            retry(&mut applier, aside, &mut store)?;
        }
        if !applier.flush(STORED, &mut store)? {
            let tables = table.unwrap_or("all tables").to_owned();
            return Err(ApplyError::NotConfirmed { table: tables, seconds: STORED.as_secs() }.into());
        }
        let left = applier.conclude_retry(&page)?;
        for aside in &page {
            let is_left = left.contains(&(aside.topic.clone(), aside.partition, aside.offset));
            let count = if is_left { &mut refused } else { &mut applied };
            *count.entry(aside.table.clone()).or_default() += 1;
        }
        let is_last = page.len() < PAGE;
        last = page.into_iter().next_back();
        if is_last {
            break;
        }
    }
    let mut text = String::new();
    for (table, count) in &applied {
        let _ = writeln!(text, "{table}: {count} applied");
    }
    for (table, count) in &refused {
        let _ = writeln!(text, "{table}: {count} refused again, see `tidewire sink quarantine`");
    }
    let (applied, refused): (usize, usize) = (applied.values().sum(), refused.values().sum());
    let _ = writeln!(text, "quarantine: {applied} records applied, {refused} refused");
    Ok((text, refused == 0))
}

fn retry(applier: &mut Applier, aside: &Aside, store: &mut TopicStore) -> Result<(), TaskError> {
    let Aside { topic, partition, offset, version, record, .. } = aside;
    let origin =
        Origin { assignment: AssignmentId(0), topic: Arc::from(topic.as_str()), partition: *partition };
    let record = Record {
        origin: &origin,
        offset: *offset,
        key: record.key.as_deref(),
        value: record.value.as_deref(),
        headers: KnownHeaders { sequence: record.sequence.as_deref(), old_key: record.old_key.as_deref() },
        version: *version,
    };
    applier.apply(record, store)?;
    // Nothing is committed here.
    drop(applier.take_effects());
    Ok(applier.tick(Duration::ZERO, store)?)
}
