//! The sessions of a snapshot with their views, from the moment that they are opened until all rows are read.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use crate::config::modes::SnapshotLockingMode;
use crate::config::source::SourceConfig;
use crate::offset::context::OffsetContext;
use crate::offset::error::OffsetError;
use crate::offset::gtid::GtidSet;
use crate::offset::position::BinlogPosition;
use crate::schema::table_id::TableId;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::position::BinlogStatus;
use crate::source::snapshot::locking::SnapshotLock;
use crate::source::snapshot::opening::Opened;
use crate::source::snapshot::progress::Progress;
use crate::source::snapshot::readers::{self, Tables};
use crate::source::snapshot::row_counts;
use crate::source::snapshot::schema_events::HeldBack;
use crate::source::snapshot::schema_reader::SchemaReader;
use crate::source::snapshot::session;
use crate::source::snapshot::table_facts::{TableFacts, table_facts};

/// How the lock is taken and the views of the second argument's sessions are opened: `opening::open`, or with more care.
pub type Open = fn(
    &mut Connection,
    &mut [Connection],
    &Filters,
    &SourceConfig,
    &AtomicBool,
) -> Result<Opened, SourceError>;

/// See the module.
pub struct View {
    /// The tables with their definitions.
    pub schema: SchemaReader,
    /// The position.
    pub status: BinlogStatus,
    /// The sessions that read rows.
    pub readers: Vec<Connection>,
    control: Connection,
    facts: HashMap<TableId, TableFacts>,
    /// The lock, where it is held until the rows are read.
    held: Option<SnapshotLock>,
    reads_rows: bool,
}

/// The sessions for a view's readers; one where no rows are read.
pub fn reader_sessions(config: &SourceConfig, reads_rows: bool) -> Result<Vec<Connection>, SourceError> {
    let count = if reads_rows { config.snapshot.max_threads } else { 1 };
    (0..count).map(|_| session(config)).collect()
}

impl View {
    /// Opens it. The lock is released, unless it is to be held until the rows are read.
    pub fn open(
        mut control: Connection,
        mut readers: Vec<Connection>,
        (reads_rows, open): (bool, Open),
        filters: &Filters,
        config: &SourceConfig,
        stop: &AtomicBool,
    ) -> Result<Self, SourceError> {
        let facts = if reads_rows { table_facts(&mut control, None)? } else { HashMap::new() };
        let Opened { lock, schema, status, same_view } =
            open(&mut control, &mut readers, filters, config, stop)?;
        let held = if config.snapshot.locking == SnapshotLockingMode::Extended && reads_rows {
            Some(lock)
        } else {
            lock.release(&mut control)?;
            None
        };
        if !same_view {
            readers.truncate(1);
        }
        Ok(View { schema, status, readers, control, facts, held, reads_rows })
    }

    /// Reads and publishes all rows; behind the last record the snapshot is over, and the lock released.
    pub fn read_rows(
        &mut self,
        dispatcher: &mut EventDispatcher,
        held_back: Option<HeldBack>,
        stop: &AtomicBool,
    ) -> Result<Progress, SourceError> {
        let config = &dispatcher.config.snapshot;
        let mut ids = if self.reads_rows { self.schema.to_read(&dispatcher.filters) } else { Vec::new() };
        let counts = row_counts::estimate(&mut self.control, &ids, &self.facts, &config.select_overrides)?;
        row_counts::sort(&mut ids, &counts, config.order_by_row_count);
        let tables = Tables { ids, counts, facts: std::mem::take(&mut self.facts) };
        let progress =
            readers::read(dispatcher, &mut self.readers, &mut self.control, tables, held_back, stop)?;
        if let Some(lock) = self.held.take() {
            lock.release(&mut self.control)?;
        }
        Ok(progress)
    }

    /// Ends the readers' transactions.
    pub fn end(self) {
        for mut reader in self.readers {
            if let Err(error) = reader.execute("COMMIT") {
                tracing::debug!(%error, "the snapshot's session was closed before its commit");
            }
        }
    }
}

/// The server's position; with the GTID set where the offset has one.
pub fn position_of(
    offset: &OffsetContext,
    status: &BinlogStatus,
) -> Result<(BinlogPosition, Option<GtidSet>), SourceError> {
    let gtids = match offset.gtids() {
        Some(_) => {
            let text = status.executed_gtids.as_str();
            Some(text.parse::<GtidSet>().map_err(|source| OffsetError::Gtids { source })?)
        }
        None => None,
    };
    Ok((BinlogPosition::new(status.file.as_str(), status.position), gtids))
}
