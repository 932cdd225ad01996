//! A table while it is written: its layouts, its open batches, how far its schema is, and why it stopped.

use std::time::{Duration, Instant};

use crate::sink::apply::batch::{Batch, NewestRows};
use crate::sink::apply::carried::WaitingRecords;
use crate::sink::apply::catalog::SourceName;
use crate::sink::apply::cleanup::StoredVersions;
use crate::sink::apply::error::TableError;
use crate::sink::apply::target::{Layout, Target};
use crate::sink::consumer::AssignmentId;
use crate::sink::consumer::held::HeldRecords;
use crate::sink::version::{TruncateFloor, Version, VersionScheme};

/// Rows of one description, and of one record schema where records have one.
#[derive(Debug)]
pub struct OpenLayout {
    /// The description; none where rows are told apart by their schema or their columns.
    pub description: Option<usize>,
    /// The text of the value's schema.
    pub schema: Option<String>,
    /// The columns, in order.
    pub columns: Vec<String>,
    /// How rows are written.
    pub layout: Layout,
    /// Rows that are not sent yet.
    pub batch: Option<Batch>,
}

/// A snapshot after the first: what it does not find is to be deleted.
#[derive(Debug)]
pub struct Sweep {
    /// Its read point.
    pub version: Version,
    /// Its first record.
    pub held: HeldRecords,
    /// Whether all of its rows have come.
    pub is_due: bool,
    /// When the last one came.
    pub seen: Instant,
}

/// A table. `target` is none for one that could not be opened.
#[derive(Debug)]
pub struct Table {
    /// In MySQL.
    pub source: SourceName,
    /// In ClickHouse, `database.table`.
    pub name: String,
    /// What is written.
    pub target: Option<Target>,
    /// Where versions come from.
    pub scheme: VersionScheme,
    /// Where it was truncated last.
    pub floor: TruncateFloor,
    /// The last description that the target has.
    pub followed: Option<usize>,
    /// The description from which on it cannot follow.
    pub broken: Option<(usize, Option<TableError>)>,
    /// Records that lack values.
    pub waiting: WaitingRecords,
    /// Ways of writing rows.
    pub layouts: Vec<OpenLayout>,
    /// The one of the record before.
    pub recent: usize,
    /// Of a table whose changes are rows: what it had when its partition was assigned, less what was met again.
    pub stored: Option<(Version, u64)>,
    /// Of the same: its newest rows.
    pub newest: Option<NewestRows>,
    /// Whether the life of its topic is to be compared with its incarnation.
    pub asks_life: bool,
    /// Whether `stored` is to be asked for.
    pub asks_stored: bool,
    /// See there.
    pub sweep: Option<Sweep>,
    /// The read point of the snapshot that was swept last.
    pub swept: Version,
    /// Up to where deletions were removed.
    pub cleanup_floor: Version,
    /// What the server has of each partition.
    pub stored_versions: StoredVersions,
    /// Nothing is written any more.
    pub is_stopped: bool,
    /// What is held since it stopped.
    pub held: HeldRecords,
    /// Partitions with records of it.
    pub assignments: Vec<AssignmentId>,
    /// Its partitions stand still until its inserts succeed.
    pub is_paused: bool,
    /// How old its first row may become.
    pub interval: Duration,
    /// Rows, confirmed.
    pub rows: u64,
    /// Rows, taken.
    pub taken: u64,
    /// Milliseconds from the last confirmed change to its confirmation.
    pub lag_ms: i64,
}

impl Table {
    /// One that was not written yet.
    pub fn new(source: SourceName, name: String, scheme: VersionScheme, interval: Duration) -> Self {
        Table {
            source,
            name,
            target: None,
            scheme,
            floor: TruncateFloor::default(),
            followed: None,
            broken: None,
            waiting: WaitingRecords::default(),
            layouts: Vec::new(),
            recent: 0,
            stored: None,
            newest: None,
            asks_life: false,
            asks_stored: true,
            sweep: None,
            swept: Version::ZERO,
            cleanup_floor: Version::ZERO,
            stored_versions: StoredVersions::default(),
            is_stopped: false,
            held: HeldRecords::default(),
            assignments: Vec::new(),
            is_paused: false,
            interval,
            rows: 0,
            taken: 0,
            lag_ms: 0,
        }
    }

    /// Whether it is a table of these names.
    pub fn is(&self, database: &str, table: &str) -> bool {
        self.source.0 == database && self.source.1 == table
    }

    /// Bytes of what is not sent.
    pub fn weight(&self) -> usize {
        let open = self.layouts.iter().filter_map(|open| open.batch.as_ref());
        self.waiting.weight() + open.map(Batch::weight).sum::<usize>()
    }

    /// The layout of a description and a schema.
    pub fn layout_of(&self, description: Option<usize>, schema: Option<&str>) -> Option<usize> {
        let fits = |open: &OpenLayout| open.description == description && open.schema.as_deref() == schema;
        if self.layouts.get(self.recent).is_some_and(fits) {
            return Some(self.recent);
        }
        self.layouts.iter().position(fits)
    }
}
