//! `tidewire.snapshot.new.tables`: tables that the include and exclude lists let in later get a snapshot of their own.
//!
//! 1. A start from a stored position P compares the present lists with those that are stored beside it
//!    (`offset::captured_tables`). Where they differ, the tables that pass the present ones and did not pass the others
//!    are looked for.
//! 2. The new tables alone are read as in any snapshot: lock, position Q, view, definitions, unlock, rows. The rows are
//!    of Q, which is behind P. Q and the definitions are stored before the first row; the stored position stays P.
//! 3. Then the stream goes on from P. Up to Q only what passes the lists of before *and* the present ones is captured:
//!    the rows that were read have all that happened to the new tables before Q, and so have their definitions.
//! 4. The first transaction that Q has not executed (without GTIDs: that stands at or behind it), or a log that has
//!    nothing more after Q, ends the waiting: the definitions join the schema and the history, and the present lists
//!    alone count.
//!
//! A table that was dropped before Q is not among the new ones, whatever it was called, and what happened to it is not
//! captured; one that was renamed is known by the name that it had at Q.
//!
//! | killed | durable | the next start |
//! |---|---|---|
//! | before the first row | P, old lists | begins with step 1 |
//! | while rows are read | P, old lists, Q with definitions | reads the rows again, as they are at a later Q₂ |
//! | before Q is reached | P or later, old lists, Q with definitions, and that the rows are read | goes on with step 3 |
//! | after the definitions went into the history | the position P' at which Q was reached, the same | does step 4 again: the definitions are the same |
//! | after that | P', present lists; the history has the definitions at P' | goes on; the tables are captured |
//!
//! Rows that are read again are of Q₂, and what happened since Q follows them all the same: an update of what has it
//! already, and the deletion of rows that only the first attempt has published. After the last of these changes every row
//! is what it is in the table. With a new Q the deletions would be missed.
//!
//! Lists that change again while tables are awaited begin with step 1: what is in force at the stored position are the
//! lists of before. So does a position behind Q, which some other program must have stored.

mod table_snapshot;

use std::sync::atomic::AtomicBool;

use crate::config::modes::SnapshotMode;
use crate::config::snapshot::SnapshotConfig;
use crate::connect::record::StoredOffset;
use crate::offset::captured_tables::{
    AwaitedTable, AwaitedTables, CaptureLists, CapturedTables, captured_key, definition_key,
};
use crate::offset::context::OffsetContext;
use crate::offset::error::OffsetError;
use crate::offset::gtid::{Gtid, GtidSet};
use crate::offset::position::BinlogPosition;
use crate::schema::table_id::TableId;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::snapshot::locking::quoted;
use crate::source::snapshot::new_tables::table_snapshot::TableSnapshot;
use crate::source::snapshot::schema_events;

/// Tables that are captured as soon as the stream has reached a position.
#[derive(Clone, Debug)]
pub struct Awaited {
    until: BinlogPosition,
    gtids: Option<GtidSet>,
    tables: Vec<AwaitedTable>,
}

impl Awaited {
    /// Whether a transaction is not among what was done at the position. It stands at `place`.
    pub fn is_behind(&self, gtid: Option<&Gtid>, place: &BinlogPosition) -> bool {
        match (gtid, &self.gtids) {
            (Some(gtid), Some(done)) => !done.contains(gtid),
            _ => place.compare(&self.until).is_ge(),
        }
    }

    /// Whether a position has all that was done.
    pub fn is_reached_by(&self, offset: &OffsetContext) -> bool {
        offset.has_reached(&self.until, self.gtids.as_ref())
    }
}

/// What a start has to do.
#[derive(Debug, PartialEq, Eq)]
enum Step<'a> {
    /// Nothing is stored: the present lists are those in force.
    Remember,
    /// The lists are the same.
    Nothing,
    /// The tables have been found, and perhaps read.
    Await(&'a AwaitedTables),
    /// Tables that did not pass the stored lists have to be found.
    Find,
}

fn step<'a>(
    captured: Option<&'a CapturedTables>,
    now: &CaptureLists,
    offset: &OffsetContext,
) -> Result<Step<'a>, OffsetError> {
    let Some(captured) = captured else { return Ok(Step::Remember) };
    if let Some(awaited) = captured.awaited.as_ref().filter(|awaited| awaited.lists == *now)
        && awaited.is_whole()
        && !offset.is_past(&awaited.until(), awaited.gtids()?.as_ref())
    {
        return Ok(Step::Await(awaited));
    }
    Ok(match (&captured.lists == now, &captured.awaited) {
        (true, None) => Step::Nothing,
        (true, Some(_)) => Step::Remember,
        (false, _) => Step::Find,
    })
}

/// Whether other tables may be captured now than at the stored position.
pub fn may_be_new(captured: Option<&CapturedTables>, now: &CaptureLists) -> bool {
    captured.is_some_and(|captured| captured.lists != *now)
}

/// Whether a snapshot of new tables reads their rows: where a first one would.
pub fn reads_rows(config: &SnapshotConfig) -> bool {
    match config.mode {
        SnapshotMode::NoData => false,
        SnapshotMode::ConfigurationBased => config.flags.data,
        _ => true,
    }
}

/// Before the stream goes on from a stored position: reads tables that are new, and has the dispatcher wait for the
/// position at which they were found.
pub fn begin(
    dispatcher: &mut EventDispatcher,
    captured: Option<&CapturedTables>,
    stop: &AtomicBool,
) -> Result<(), SourceError> {
    let now = CaptureLists::of(&dispatcher.config.filters);
    let step = step(captured, &now, &dispatcher.offset)?;
    let Some(captured) = captured else {
        tracing::info!(
            "the present include and exclude lists are taken for those in force: tables that they let in from now on get a \
             snapshot of their own"
        );
        return remember(dispatcher, None);
    };
    let earlier = Filters::new(&captured.lists.to_filters())?;
    let (mut awaited, snapshot) = match step {
        Step::Nothing => return Ok(()),
        Step::Remember => return remember(dispatcher, Some(captured)),
        Step::Await(awaited) if awaited.rows_are_read => (awaited.clone(), None),
        Step::Await(awaited) => {
            tracing::info!("the rows of new tables were not all read: they are read again");
            (awaited.clone(), Some(TableSnapshot::begin(dispatcher, &earlier, stop)?))
        }
        Step::Find => {
            let snapshot = TableSnapshot::begin(dispatcher, &earlier, stop)?;
            let awaited = snapshot.awaited(now);
            forget_definitions(dispatcher, awaited_of(Some(captured)));
            let (connector, prefix) = names(dispatcher);
            for table in &awaited.tables {
                let key = definition_key(&connector, &prefix, table);
                dispatcher.store(StoredOffset { key, value: table.definition.clone() });
            }
            store_awaited(dispatcher, captured, &awaited)?;
            (awaited, Some(snapshot))
        }
    };
    if let Some(snapshot) = snapshot {
        snapshot.publish(dispatcher, stop)?;
        awaited.rows_are_read = true;
        store_awaited(dispatcher, captured, &awaited)?;
    }
    let until = awaited.until();
    tracing::info!(
        tables = awaited.tables.len(),
        binlog_file = until.file.as_str(),
        binlog_pos = until.pos,
        "the stream goes on as before until it reaches the position at which new tables were found"
    );
    dispatcher.filters.set_earlier(Some(earlier));
    dispatcher.awaited = Some(Awaited { gtids: awaited.gtids()?, until, tables: awaited.tables });
    Ok(())
}

fn store_awaited(
    dispatcher: &mut EventDispatcher,
    captured: &CapturedTables,
    awaited: &AwaitedTables,
) -> Result<(), SourceError> {
    let (connector, prefix) = names(dispatcher);
    let stored = CapturedTables { lists: captured.lists.clone(), awaited: Some(awaited.clone()) };
    dispatcher.store(stored.to_stored(&connector, &prefix));
    beside_position(dispatcher)
}

/// The position is reached: from here on the awaited tables are captured. Everything before is made durable first, since
/// the definitions in the history hold from the stored position on.
pub fn reached(dispatcher: &mut EventDispatcher) -> Result<(), SourceError> {
    let Some(awaited) = dispatcher.awaited.take() else { return Ok(()) };
    dispatcher.settle();
    dispatcher.moved_silently();
    dispatcher.barrier()?;
    let recorded = dispatcher.offset.of_snapshot(dispatcher.clock.now_nanos() / 1_000_000_000);
    let statements = awaited.tables.iter().filter_map(|table| {
        let id = TableId::new(table.database.as_str(), table.table.as_str());
        Some((id, table.definition.clone()?))
    });
    schema_events::record(dispatcher, &of_tables(statements), &recorded.members())?;
    dispatcher.filters.set_earlier(None);
    remember(dispatcher, None)?;
    // Not before that: an awaited table without its definition would be read again.
    forget_definitions(dispatcher, &awaited.tables);
    tracing::info!(
        tables = awaited.tables.len(),
        binlog_file = dispatcher.offset.file(),
        binlog_pos = dispatcher.offset.position().pos,
        "the position at which new tables were found is reached: they are captured from here on"
    );
    Ok(())
}

/// The present lists are those in force at the position. Durable when this returns.
pub fn remember(
    dispatcher: &mut EventDispatcher,
    captured: Option<&CapturedTables>,
) -> Result<(), SourceError> {
    forget_definitions(dispatcher, awaited_of(captured));
    let (connector, prefix) = names(dispatcher);
    let lists = CaptureLists::of(&dispatcher.config.filters);
    let stored = CapturedTables { lists, awaited: None }.to_stored(&connector, &prefix);
    dispatcher.store(stored);
    beside_position(dispatcher)
}

/// Nothing is known any more of what is captured: the position moves on without it.
pub fn forget(dispatcher: &mut EventDispatcher, captured: &CapturedTables) -> Result<(), SourceError> {
    forget_definitions(dispatcher, awaited_of(Some(captured)));
    let (connector, prefix) = names(dispatcher);
    dispatcher.store(StoredOffset { key: captured_key(&connector, &prefix), value: None });
    beside_position(dispatcher)
}

fn awaited_of(captured: Option<&CapturedTables>) -> &[AwaitedTable] {
    let awaited = captured.and_then(|captured| captured.awaited.as_ref());
    awaited.map(|awaited| awaited.tables.as_slice()).unwrap_or_default()
}

fn forget_definitions(dispatcher: &mut EventDispatcher, tables: &[AwaitedTable]) {
    let (connector, prefix) = names(dispatcher);
    for table in tables {
        let key = definition_key(&connector, &prefix, table);
        dispatcher.store(StoredOffset { key, value: None });
    }
}

/// Makes durable what is to be stored beside the position; the position stays.
fn beside_position(dispatcher: &mut EventDispatcher) -> Result<(), SourceError> {
    dispatcher.hold_position(true);
    let durable = dispatcher.barrier();
    dispatcher.hold_position(false);
    durable
}

fn names(dispatcher: &EventDispatcher) -> (String, String) {
    (dispatcher.config.connector_name.clone(), dispatcher.config.topic_prefix.clone())
}

/// The statements that make tables what they are, each with its database: as in the snapshot of everything, but that
/// nothing happens to databases.
fn of_tables(tables: impl Iterator<Item = (TableId, String)>) -> Vec<(String, String)> {
    let mut statements = Vec::new();
    let mut definitions = Vec::new();
    for (id, definition) in tables {
        statements.push((id.database.clone(), format!("DROP TABLE IF EXISTS {}", quoted(&id))));
        definitions.push((id.database, definition));
    }
    statements.append(&mut definitions);
    statements
}

#[cfg(test)]
mod tests;
