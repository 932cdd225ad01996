//! `snapshot.locking.mode`: what is locked while the position and the view are taken, and for how long.

use std::time::Instant;

use crate::config::modes::SnapshotLockingMode;
use crate::config::source::SnapshotConfig;
use crate::schema::table_id::TableId;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;

/// A lock of the server, until it is released or its session ends.
pub struct SnapshotLock {
    kind: Kind,
    since: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Global,
    /// The global lock was refused; the tables are not locked yet.
    Refused,
    Tables,
}

impl SnapshotLock {
    /// Takes the global read lock, if the mode wants one and the server lets us.
    pub fn acquire(session: &mut Connection, config: &SnapshotConfig) -> Result<Self, SourceError> {
        let mut lock = SnapshotLock { kind: Kind::None, since: Instant::now() };
        if config.locking == SnapshotLockingMode::None {
            return Ok(lock);
        }
        match session.execute("FLUSH TABLES WITH READ LOCK") {
            Ok(_) => lock.kind = Kind::Global,
            Err(error) if error.is_missing_privilege() => {
                tracing::info!(%error, "the global read lock is refused: the captured tables are locked instead");
                lock.kind = Kind::Refused;
            }
            Err(error) => return Err(error.into()),
        }
        lock.since = Instant::now();
        Ok(lock)
    }

    /// Whether the captured tables have to be locked one by one.
    pub fn needs_table_locks(&self) -> bool {
        self.kind == Kind::Refused
    }

    /// Locks these tables against writing.
    pub fn lock_tables(&mut self, session: &mut Connection, tables: &[TableId]) -> Result<(), SourceError> {
        if tables.is_empty() {
            self.kind = Kind::None;
            return Ok(());
        }
        let locks: Vec<String> = tables.iter().map(|table| format!("{} READ", quoted(table))).collect();
        session.execute(&format!("LOCK TABLES {}", locks.join(", ")))?;
        self.kind = Kind::Tables;
        self.since = Instant::now();
        Ok(())
    }

    /// Lets writers go on.
    pub fn release(self, session: &mut Connection) -> Result<(), SourceError> {
        let what = match self.kind {
            Kind::None | Kind::Refused => return Ok(()),
            Kind::Global => "global read lock",
            Kind::Tables => "table locks",
        };
        session.execute("UNLOCK TABLES")?;
        let held = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(lock = what, held_ms = held, "the lock is released");
        Ok(())
    }
}

/// `` `db`.`table` ``.
pub fn quoted(table: &TableId) -> String {
    format!("{}.{}", quote(&table.database), quote(&table.table))
}

/// An identifier in backticks.
pub fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
