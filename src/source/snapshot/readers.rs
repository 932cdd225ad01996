//! The rows of all tables, read by several connections at a time.
//!
//! Each reader is a thread with a view of its own, all of them equal. The first one that fails ends the work of the others,
//! and with it the snapshot: a view that is lost cannot be opened again.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::config::snapshot::SnapshotConfig;
use crate::event::source_info::SnapshotMarker;
use crate::schema::table_id::TableId;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::snapshot::captured_table::CapturedTable;
use crate::source::snapshot::output::Output;
use crate::source::snapshot::progress::Progress;
use crate::source::snapshot::row_counts::RowCounts;
use crate::source::snapshot::row_publisher::RowPublisher;
use crate::source::snapshot::schema_events::HeldBack;
use crate::source::snapshot::table_facts::TableFacts;
use crate::source::snapshot::table_reader::{Shared, TableReader};
use crate::source::snapshot::work::Work;

/// The tables in order, with what is known of each.
pub struct Tables {
    /// Their names.
    pub ids: Vec<TableId>,
    /// About how many rows each has.
    pub counts: RowCounts,
    /// What they were before the snapshot began.
    pub facts: HashMap<TableId, TableFacts>,
}

/// Reads all tables and publishes their rows; behind the last record the snapshot is over.
pub fn read(
    dispatcher: &mut EventDispatcher,
    readers: &mut [Connection],
    control: &mut Connection,
    tables: Tables,
    held_back: Option<HeldBack>,
    stop: &AtomicBool,
) -> Result<Progress, SourceError> {
    let config = Arc::clone(&dispatcher.config);
    let progress = Progress::new(&config.topic_prefix, &tables.counts);
    let captured: Vec<CapturedTable> = tables
        .ids
        .iter()
        .map(|id| {
            dispatcher.publish_table(id);
            let rows = tables.counts.get(id).copied().unwrap_or_default();
            let chunks = chunks_of(&config.snapshot, id, readers.len());
            let facts = tables.facts.get(id).cloned().unwrap_or_default();
            CapturedTable::new(id, facts, (rows, chunks), dispatcher)
        })
        .collect::<Result<_, _>>()?;
    let position = dispatcher.offset.position();
    let shared = Shared {
        config: &config,
        clock: dispatcher.clock,
        position: position.clone(),
        sequence: config.events.sequence_header.then_some(dispatcher.sequence.last()),
        readers: readers.len(),
        tables: &captured,
        work: Work::new(captured.len()),
        control: Mutex::new(control),
        output: Mutex::new(Output::new(dispatcher, progress, held_back)),
        stop,
    };
    let run = |session: &mut Connection| {
        let outcome = TableReader::new(&shared, session).run();
        if outcome.is_err() {
            shared.work.give_up();
        }
        outcome
    };
    let outcomes: Vec<Result<(), SourceError>> = thread::scope(|scope| {
        let run = &run;
        let started: Vec<_> = readers.iter_mut().map(|session| scope.spawn(move || run(session))).collect();
        let joined = started.into_iter().map(|thread| {
            // The panic is reported where it happened; here it ends the snapshot.
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        joined.collect()
    });
    // One that stopped because another one failed is not to blame.
    let mut failed: Vec<SourceError> = outcomes.into_iter().filter_map(Result::err).collect();
    failed.sort_by_key(|error| matches!(error, SourceError::Stopped | SourceError::Queue(_)));
    if let Some(error) = failed.into_iter().next() {
        return Err(error);
    }
    let output = shared.output.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (last, schema_change, mut progress) = output.into_last();
    dispatcher.hand_over()?;
    dispatcher.offset.set_snapshot(None);
    if let Some(row) = last {
        progress.rows(1);
        RowPublisher::new(1).last(row, &position, dispatcher)?;
    } else if let Some(change) = schema_change {
        change.publish(dispatcher, &position, SnapshotMarker::Last)?;
    }
    Ok(progress)
}

/// How many chunks a table is cut into: `snapshot.max.threads` times `snapshot.max.threads.multiplier`.
fn chunks_of(config: &SnapshotConfig, id: &TableId, readers: usize) -> u64 {
    if readers <= 1 || !config.cut_tables {
        return 1;
    }
    let multiplier = config.multipliers.get(&id.to_string()).copied().unwrap_or(config.multiplier);
    u64::try_from(readers).unwrap_or(u64::MAX).saturating_mul(multiplier)
}
