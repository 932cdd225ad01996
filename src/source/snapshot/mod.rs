//! The initial snapshot: one consistent view of the captured tables, and the position in the binlog at which it holds.
//!
//! 1. Sessions: one for the lock, and `snapshot.max.threads` readers. Their `wait_timeout` is raised, since a session may be
//!    idle for as long as a large table takes.
//! 2. The global read lock (`FLUSH TABLES WITH READ LOCK`); where the account may not take it, read locks on the
//!    captured tables only. The other kinds of `snapshot.locking.mode` are in `locking`.
//! 3. Under the lock (`opening`): the tables and their `SHOW CREATE TABLE`, the binlog position with the GTID set, and the
//!    readers' REPEATABLE READ views. Then the lock is released, whatever its kind: writers wait no longer than that. Its
//!    time is logged.
//! 4. The schema goes to the history and to the schema-change topic.
//! 5. The rows go out as `r` records through the same plans as the stream's (`readers`): table by table with one reader; with
//!    several ones large tables are cut into ranges of their key (`chunks`).
//!
//! A table whose definition changed between step 3 and its turn is refused by InnoDB (ER_TABLE_DEF_CHANGED); one that was
//! dropped or renamed is found out before it is read (`captured_table`). The error names it and the snapshot starts again,
//! as it does when a reader loses its connection. A snapshot that was killed starts again too; until its last record is
//! durable the stored offset says `"snapshot":"INITIAL"`.
//!
//! Markers (`source.snapshot`): the very last record is `last`, then by precedence `first` (first row of the first
//! table), `last_in_data_collection`, `first_in_data_collection`, `true`. What a row is can be told only when the next one
//! is known, so one row is always held back; when no table has a row, the last schema change is the last record.

mod captured_table;
mod chunks;
mod key_order;
mod locking;
mod markers;
mod metrics;
pub mod new_tables;
mod opening;
mod output;
pub mod progress;
mod readers;
mod row_counts;
mod row_publisher;
mod schema_events;
pub mod schema_reader;
pub mod snapshotter;
mod table_facts;
mod table_reader;
mod unprinted;
mod view;
mod work;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::config::choice::Choice;
use crate::config::source::SourceConfig;
use crate::event::source_info::SnapshotMarker;
use crate::offset::context::{INITIAL, OffsetContext};
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::heartbeat::Heartbeat;
use crate::source::mysql::connection::Connection;
use crate::source::pause::pause;
use crate::source::snapshot::schema_reader::SchemaReader;
use crate::source::snapshot::view::View;

/// Takes a snapshot: of the schema, and of `rows` if so. Afterwards the dispatcher's position is where the stream begins,
/// and everything is durable.
pub fn snapshot(dispatcher: &mut EventDispatcher, rows: bool, stop: &AtomicBool) -> Result<(), SourceError> {
    let config = dispatcher.config.clone();
    let began = Instant::now();
    pause(config.snapshot.delay, stop)?;
    let control = session(&config)?;
    let readers = view::reader_sessions(&config, rows)?;
    tracing::info!(
        server = config.topic_prefix.as_str(),
        mode = config.snapshot.mode.word(),
        readers = readers.len(),
        "snapshot started"
    );

    let mut view = View::open(control, readers, (rows, opening::open), &dispatcher.filters, &config, stop)?;
    let (position, gtids) = view::position_of(&dispatcher.offset, &view.status)?;
    tracing::info!(
        binlog_file = position.file.as_str(),
        binlog_pos = position.pos,
        gtids = view.status.executed_gtids,
        "snapshot position"
    );
    let key = dispatcher.offset.key().to_owned();
    dispatcher.offset = OffsetContext::new(key, position, gtids);
    dispatcher.offset.set_ts_sec(dispatcher.clock.now_nanos() / 1_000_000_000);
    dispatcher.offset.set_snapshot(Some(INITIAL));

    dispatcher.history.initialize_storage().map_err(SourceError::History)?;
    let members = dispatcher.offset.members();
    let held_back = schema_events::publish(dispatcher, &view.schema, &members, stop)?;

    let mut progress = view.read_rows(dispatcher, held_back, stop)?;
    Heartbeat::new(&config).beat(dispatcher)?;
    dispatcher.moved_silently();
    dispatcher.barrier()?;
    progress.finish(began.elapsed());
    view.end();
    Ok(())
}

/// Reads the server's schema for the stored position, whose history is lost. Nothing is locked, since no position is taken.
pub fn recover_schema(dispatcher: &mut EventDispatcher, stop: &AtomicBool) -> Result<(), SourceError> {
    let config = dispatcher.config.clone();
    let mut session = session(&config)?;
    tracing::warn!(
        server = config.topic_prefix.as_str(),
        "the schema is read from the server as it is now: changes of tables between the stored position and now are not known"
    );
    let mut schema = SchemaReader::read_names(&mut session, &dispatcher.filters, &config.history)?;
    schema.read_definitions(&mut session, &dispatcher.filters)?;
    dispatcher.history.initialize_storage().map_err(SourceError::History)?;
    // The history says that it is of a snapshot; the stored offset must not, or the next start would take a new one.
    let recorded = dispatcher.offset.of_snapshot(dispatcher.clock.now_nanos() / 1_000_000_000);
    let held_back = schema_events::publish(dispatcher, &schema, &recorded.members(), stop)?;
    if let Some(change) = held_back {
        let position = dispatcher.offset.position();
        change.publish(dispatcher, &position, SnapshotMarker::Last)?;
    }
    dispatcher.barrier()
}

/// A session that reads definitions and rows as snapshots do: whatever the server's own time zone and `sql_mode` are.
pub fn session(config: &SourceConfig) -> Result<Connection, SourceError> {
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
