//! The initial snapshot: one consistent view of the captured tables, and the position in the binlog at which it holds.
//!
//! 1. Two sessions: one takes the lock, the other one reads. Their `wait_timeout` is raised, since a session may be idle
//!    for as long as a large table takes.
//! 2. The global read lock (`FLUSH TABLES WITH READ LOCK`); where the account may not take it, read locks on the
//!    captured tables only. `snapshot.locking.mode=none` takes none.
//! 3. Under the lock: the tables and their `SHOW CREATE TABLE`, the binlog position with the GTID set, and the reader's
//!    REPEATABLE READ view. Then the lock is released, whatever its kind: writers wait no longer than that. Its time is
//!    logged.
//! 4. The schema goes to the history and to the schema-change topic.
//! 5. The rows go out as `r` records, table by table, through the same plans as the stream's.
//!
//! A table whose definition changed between step 3 and its turn is refused by InnoDB (ER_TABLE_DEF_CHANGED): the error
//! names it and the snapshot starts again. A snapshot that was killed starts again too; until its last record is durable
//! the stored offset says `"snapshot":"INITIAL"`.
//!
//! Markers (`source.snapshot`): the very last record is `last`, then by precedence `first` (first row of the first
//! table), `last_in_data_collection`, `first_in_data_collection`, `true`. What a row is can be told only when the next one
//! is known, so one row is always held back; when no table has a row, the last schema change is the last record.

mod locking;
mod markers;
pub mod progress;
mod schema_events;
pub mod schema_reader;
mod table_reader;
mod unprinted;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::config::modes::SnapshotMode;
use crate::offset::context::{INITIAL, OffsetContext};
use crate::offset::error::OffsetError;
use crate::offset::gtid::GtidSet;
use crate::offset::position::BinlogPosition;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::heartbeat::Heartbeat;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::position::binlog_status;
use crate::source::pause::pause;
use crate::source::snapshot::locking::SnapshotLock;
use crate::source::snapshot::progress::Progress;
use crate::source::snapshot::schema_reader::SchemaReader;
use crate::source::snapshot::table_reader::TableReader;

/// Takes a snapshot by the mode of the configuration. Afterwards the dispatcher's position is where the stream begins, and
/// everything is durable.
pub fn snapshot(dispatcher: &mut EventDispatcher, stop: &AtomicBool) -> Result<(), SourceError> {
    let config = dispatcher.config.clone();
    let began = Instant::now();
    pause(config.snapshot.delay, stop)?;
    let mut locker = session(&config)?;
    let mut reader = session(&config)?;
    tracing::info!(server = config.topic_prefix.as_str(), mode = ?config.snapshot.mode, "snapshot started");

    let mut lock = SnapshotLock::acquire(&mut locker, &config.snapshot)?;
    let mut schema = SchemaReader::read_names(&mut locker, &dispatcher.filters, &dispatcher.config.history)?;
    if lock.needs_table_locks() {
        lock.lock_tables(&mut locker, &schema.captured(&dispatcher.filters))?;
    }
    reader.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")?;
    reader.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")?;
    let status = binlog_status(&mut locker)?;
    schema.read_definitions(&mut locker, &dispatcher.filters)?;
    lock.release(&mut locker)?;
    drop(locker);

    let gtids = match dispatcher.offset.gtids() {
        Some(_) => {
            let text = status.executed_gtids.as_str();
            Some(text.parse::<GtidSet>().map_err(|source| OffsetError::Gtids { source })?)
        }
        None => None,
    };
    let position = BinlogPosition::new(status.file, status.position);
    tracing::info!(
        binlog_file = position.file.as_str(),
        binlog_pos = position.pos,
        gtids = status.executed_gtids,
        "snapshot position"
    );
    let key = dispatcher.offset.key().to_owned();
    dispatcher.offset = OffsetContext::new(key, position, gtids);
    dispatcher.offset.set_ts_sec(dispatcher.clock.now_nanos() / 1_000_000_000);
    dispatcher.offset.set_snapshot(Some(INITIAL));

    dispatcher.history.initialize_storage().map_err(SourceError::History)?;
    let held_back = schema_events::publish(dispatcher, &schema, stop)?;

    let tables = match config.snapshot.mode {
        SnapshotMode::NoData => Vec::new(),
        SnapshotMode::Initial | SnapshotMode::InitialOnly => schema.to_read(&dispatcher.filters),
    };
    let mut progress = Progress::new(&mut reader, &tables)?;
    let mut rows = TableReader::new(held_back);
    for table in &tables {
        rows.read(&mut reader, table, dispatcher, &mut progress, stop)?;
    }
    rows.finish(dispatcher)?;
    dispatcher.offset.set_snapshot(None);
    Heartbeat::new(&config).beat(dispatcher)?;
    dispatcher.moved_silently();
    dispatcher.barrier()?;
    progress.finish(began.elapsed());
    if let Err(error) = reader.execute("COMMIT") {
        tracing::debug!(%error, "the snapshot's session was closed before its commit");
    }
    Ok(())
}

/// A session of the snapshot.
fn session(config: &crate::config::source::SourceConfig) -> Result<Connection, SourceError> {
    /// The server's largest: a session may have to wait for a table of any size.
    const LONG: u32 = 31_536_000;
    let mut connection = Connection::connect(&config.connection)?;
    connection.run_initial_statements(&config.connection)?;
    // TIMESTAMP in UTC; definitions in backticks, CHAR without padding: whatever the server's `sql_mode` says.
    connection.execute(&format!(
        "SET SESSION wait_timeout={LONG}, net_write_timeout=3600, time_zone='+00:00', sql_mode=''"
    ))?;
    // A generated invisible primary key is in every row of the log, so it has to be in SHOW CREATE TABLE too. MariaDB takes
    // comments of these versions for what they are.
    connection.execute("/*!80030 SET SESSION show_gipk_in_create_table_and_information_schema=ON */")?;
    let seconds = config.snapshot.lock_timeout.as_secs().max(1);
    connection.execute(&format!("SET SESSION lock_wait_timeout={seconds}"))?;
    // Rows may take as long as they take; a dead peer is found by TCP keepalive.
    connection.set_read_timeout(None);
    Ok(connection)
}
