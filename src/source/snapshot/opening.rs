//! How a snapshot begins: the lock, the tables with their definitions, the position, and the views of all readers.
//!
//! The lock is held for that and no longer. Where it is not the global one, tables can come and go while they are listed:
//! they are listed again once the views are open, and if they are not the same the whole begins anew. So no table is
//! missing that was there at the position.
//!
//! An XA transaction that is prepared has its rows in the binlog before the position, and in no view before it is committed:
//! they would be in neither. So none may be prepared when the position is taken; the lock is given up until they are
//! committed or rolled back.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::config::source::SourceConfig;
use crate::schema::table_id::TableId;
use crate::source::error::SourceError;
use crate::source::filters::Filters;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error_codes::ER_NO_SUCH_TABLE;
use crate::source::mysql::position::{BinlogStatus, binlog_status};
use crate::source::pause::pause;
use crate::source::snapshot::locking::SnapshotLock;
use crate::source::snapshot::schema_reader::SchemaReader;
use crate::source::snapshot::table_reader::SAVEPOINT;

/// How long prepared XA transactions are waited for. One that nobody ends must not hold a snapshot up for ever.
const XA_LIMIT: Duration = Duration::from_secs(60);
/// Between two looks at them.
const XA_REST: Duration = Duration::from_millis(500);
/// Times that tables may come and go while they are listed.
const ATTEMPTS: u32 = 10;

/// What a snapshot knows when it begins.
pub struct Opened {
    /// The lock, still held.
    pub lock: SnapshotLock,
    /// The tables with their definitions.
    pub schema: SchemaReader,
    /// The position.
    pub status: BinlogStatus,
    /// All views show the same. Otherwise there may be no more than one reader.
    pub same_view: bool,
}

/// Begins; afterwards all `readers` have their view and `control` the lock.
pub fn open(
    control: &mut Connection,
    readers: &mut [Connection],
    filters: &Filters,
    config: &SourceConfig,
    stop: &AtomicBool,
) -> Result<Opened, SourceError> {
    for reader in readers.iter_mut() {
        reader.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")?;
    }
    let mut changed = None;
    let xa_limit = Instant::now() + XA_LIMIT;
    for _ in 0..ATTEMPTS {
        let mut lock = acquire_without_xa(control, config, xa_limit, stop)?;
        let mut schema = SchemaReader::read_names(control, filters, &config.history)?;
        if lock.needs_table_locks() {
            match lock.lock_tables(control, &schema.captured(filters)) {
                Err(SourceError::MySql(error)) if error.code() == Some(ER_NO_SUCH_TABLE) => {
                    tracing::info!(%error, "a table was dropped before it could be locked: the tables are listed again");
                    continue;
                }
                other => other?,
            }
        }
        let (status, same_view) = open_views(control, readers, &lock, stop)?;
        schema.read_definitions(control, filters)?;
        if lock.stops_ddl() {
            return Ok(Opened { lock, schema, status, same_view });
        }
        let now = SchemaReader::read_names(control, filters, &config.history)?.captured(filters);
        changed = difference(&schema.captured(filters), &now);
        match &changed {
            None => return Ok(Opened { lock, schema, status, same_view }),
            Some(table) => {
                tracing::info!(%table, "a table came or went while the snapshot began: the tables are listed again");
                lock.release(control)?;
            }
        }
    }
    let table = changed.map(|table| table.to_string()).unwrap_or_default();
    Err(SourceError::TableChanged { table })
}

/// Takes the lock while no XA transaction is prepared.
fn acquire_without_xa(
    control: &mut Connection,
    config: &SourceConfig,
    limit: Instant,
    stop: &AtomicBool,
) -> Result<SnapshotLock, SourceError> {
    let mut is_said = false;
    loop {
        let lock = SnapshotLock::acquire(control, &config.snapshot)?;
        let prepared = match control.query("XA RECOVER") {
            Ok(found) => found.rows.len(),
            // MySQL 8.0 and later ask for XA_RECOVER_ADMIN.
            Err(error) => {
                tracing::debug!(%error, "prepared XA transactions cannot be listed");
                0
            }
        };
        if prepared == 0 {
            return Ok(lock);
        }
        if Instant::now() > limit {
            tracing::warn!(
                prepared,
                "XA transactions stay prepared: their rows will be missing if they are committed. Commit them or roll them \
                 back (XA RECOVER lists them), and take the snapshot again"
            );
            return Ok(lock);
        }
        if !is_said {
            tracing::info!(
                prepared,
                "the snapshot waits until prepared XA transactions are committed or rolled back"
            );
            is_said = true;
        }
        lock.release(control)?;
        pause(XA_REST, stop)?;
    }
}

/// A table that only one of the lists has.
fn difference(before: &[TableId], now: &[TableId]) -> Option<TableId> {
    let gone = before.iter().find(|id| !now.contains(id));
    gone.or_else(|| now.iter().find(|id| !before.contains(id))).cloned()
}

/// Opens the readers' views; tells the position at which they hold, and whether they are all the same.
///
/// Where writers are not stopped, views are taken for those of a position only if nothing was written around them. After a
/// few attempts the position before the views counts: what was written in between is then published twice, as a row and as
/// a change, but nothing is missed.
fn open_views(
    control: &mut Connection,
    readers: &mut [Connection],
    lock: &SnapshotLock,
    stop: &AtomicBool,
) -> Result<(BinlogStatus, bool), SourceError> {
    /// Long enough for what is in the binlog to be in the tables.
    const REST: Duration = Duration::from_millis(50);
    const ATTEMPTS: u32 = 20;
    let mut attempt = 0;
    loop {
        attempt += 1;
        let before = binlog_status(control)?;
        if !lock.stops_writers() {
            pause(REST, stop)?;
        }
        for reader in readers.iter_mut() {
            reader.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")?;
            reader.execute(&format!("SAVEPOINT {SAVEPOINT}"))?;
        }
        if lock.stops_writers() || binlog_status(control)? == before {
            return Ok((before, true));
        }
        if attempt == ATTEMPTS {
            tracing::warn!(
                "nothing is locked and the server is written to all the time: what changed while the view was opened is \
                 published twice, and one connection reads the rows"
            );
            return Ok((before, false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_came_or_went() {
        let ids = |names: &[&str]| names.iter().map(|name| TableId::new("d", *name)).collect::<Vec<_>>();
        let found = |before, now| difference(&ids(before), &ids(now)).map(|id| id.table);
        assert_eq!(found(&["a", "b"], &["a", "b"]), None);
        assert_eq!(found(&["a", "b"], &["b"]).as_deref(), Some("a"));
        assert_eq!(found(&["b"], &["a", "b"]).as_deref(), Some("a"));
    }
}
