//! What a snapshot is told to do.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::config::load::Reader;
use crate::config::modes::{RowCountOrder, SnapshotLockingMode, SnapshotMode, SnapshotValues};

/// What a start does, for `snapshot.mode=configuration_based`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnapshotFlags {
    /// `….snapshot.data`: rows are read.
    pub data: bool,
    /// `….snapshot.schema`: the schema is read.
    pub schema: bool,
    /// `….start.stream`: the binlog is read.
    pub stream: bool,
    /// `….snapshot.on.schema.error`: a lost schema history is read from the server again.
    pub on_schema_error: bool,
    /// `….snapshot.on.data.error`: a lost position leads to a new snapshot.
    pub on_data_error: bool,
}

/// The snapshot.
#[derive(Clone, Debug)]
pub struct SnapshotConfig {
    /// `snapshot.mode`.
    pub mode: SnapshotMode,
    /// `snapshot.mode.configuration.based.*`, for that mode.
    pub flags: SnapshotFlags,
    /// `snapshot.locking.mode`.
    pub locking: SnapshotLockingMode,
    /// `snapshot.lock.timeout.ms`.
    pub lock_timeout: Duration,
    /// `snapshot.include.collection.list`.
    pub include_collections: Option<Vec<String>>,
    /// `snapshot.select.statement.overrides`: the SELECT of each `database.table` that has one of its own.
    pub select_overrides: BTreeMap<String, String>,
    /// `snapshot.tables.order.by.row.count`.
    pub order_by_row_count: RowCountOrder,
    /// `snapshot.delay.ms`.
    pub delay: Duration,
    /// `streaming.delay.ms`.
    pub streaming_delay: Duration,
    /// `tidewire.snapshot.values`.
    pub values: SnapshotValues,
    /// `tidewire.snapshot.new.tables`: tables that the lists let in later get a snapshot of their own.
    pub new_tables: bool,
    /// `snapshot.max.threads`: connections that read rows.
    pub max_threads: usize,
    /// `snapshot.max.threads.multiplier`: a table is cut into so many chunks for each of them.
    pub multiplier: u64,
    /// The same for each `database.table` that has one of its own.
    pub multipliers: BTreeMap<String, u64>,
    /// Not `legacy.snapshot.max.threads`: tables are cut.
    pub cut_tables: bool,
}

impl SnapshotConfig {
    /// Takes the properties of `snapshot.*`.
    pub(super) fn read(reader: &Reader) -> Self {
        SnapshotConfig {
            mode: reader.choice("snapshot.mode"),
            flags: SnapshotFlags {
                data: reader.boolean("snapshot.mode.configuration.based.snapshot.data"),
                schema: reader.boolean("snapshot.mode.configuration.based.snapshot.schema"),
                stream: reader.boolean("snapshot.mode.configuration.based.start.stream"),
                on_schema_error: reader.boolean("snapshot.mode.configuration.based.snapshot.on.schema.error"),
                on_data_error: reader.boolean("snapshot.mode.configuration.based.snapshot.on.data.error"),
            },
            locking: reader.choice("snapshot.locking.mode"),
            lock_timeout: reader.millis("snapshot.lock.timeout.ms"),
            include_collections: reader.list("snapshot.include.collection.list"),
            select_overrides: select_overrides(reader),
            order_by_row_count: reader.choice("snapshot.tables.order.by.row.count"),
            delay: reader.millis("snapshot.delay.ms"),
            streaming_delay: reader.millis("streaming.delay.ms"),
            values: reader.choice("tidewire.snapshot.values"),
            new_tables: reader.boolean("tidewire.snapshot.new.tables"),
            max_threads: reader.number("snapshot.max.threads"),
            multiplier: reader.number(MULTIPLIER),
            multipliers: multipliers(reader),
            cut_tables: !reader.boolean("legacy.snapshot.max.threads")
                && !reader.boolean("internal.legacy.snapshot.max.threads"),
        }
    }
}

const MULTIPLIER: &str = "snapshot.max.threads.multiplier";

/// The multiplier of each `database.table` that has one of its own.
fn multipliers(reader: &Reader) -> BTreeMap<String, u64> {
    let of_table = |name: &str| {
        let table = name.strip_prefix(MULTIPLIER)?.strip_prefix('.')?;
        Some((table.to_owned(), reader.number(name)))
    };
    reader.properties.names().filter_map(of_table).collect()
}

/// The tables of the list, each with its statement; one without a statement is read as any other.
fn select_overrides(reader: &Reader) -> BTreeMap<String, String> {
    const LIST: &str = "snapshot.select.statement.overrides";
    let statement = |table: &String| reader.written(&format!("{LIST}.{table}")).map(str::to_owned);
    let listed = reader.list(LIST).unwrap_or_default().into_iter();
    listed.filter_map(|table| statement(&table).map(|sql| (table, sql))).collect()
}
