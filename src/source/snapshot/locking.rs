//! `snapshot.locking.mode`: what is locked while the position and the view are taken, and for how long.
//!
//! Whatever the kind of lock, it is released as soon as the views are open, except by `extended`, which is for engines
//! without views and holds it until all rows are read. Percona Server's backup lock (LOCK TABLES FOR BACKUP) lets InnoDB
//! tables be written, so that the position is taken as if there were no lock at all.

use std::time::Instant;

use crate::config::modes::SnapshotLockingMode;
use crate::config::snapshot::SnapshotConfig;
use crate::schema::table_id::TableId;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::error_codes::ER_PARSE_ERROR;

/// A lock of the server, until it is released or its session ends.
pub struct SnapshotLock {
    kind: Kind,
    since: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Global,
    /// Percona Server's backup lock.
    Backup,
    /// The lock was refused; the tables are not locked yet.
    Refused,
    Tables,
}

impl SnapshotLock {
    /// Takes the lock of the mode, if the server lets us.
    pub fn acquire(session: &mut Connection, config: &SnapshotConfig) -> Result<Self, SourceError> {
        use SnapshotLockingMode::{Extended, Minimal, MinimalPercona, MinimalPerconaNoTableLocks, None};
        let (statement, kind) = match config.locking {
            None => return Ok(SnapshotLock { kind: Kind::None, since: Instant::now() }),
            Minimal | Extended => ("FLUSH TABLES WITH READ LOCK", Kind::Global),
            MinimalPercona | MinimalPerconaNoTableLocks => ("LOCK TABLES FOR BACKUP", Kind::Backup),
        };
        let kind = match session.execute(statement) {
            Ok(_) => kind,
            Err(source) if is_refusal(&source) && config.locking == MinimalPerconaNoTableLocks => {
                return Err(SourceError::LockRefused { source });
            }
            Err(error) if is_refusal(&error) => {
                tracing::info!(%error, "{statement} is refused: the captured tables are locked instead");
                Kind::Refused
            }
            Err(error) => return Err(error.into()),
        };
        Ok(SnapshotLock { kind, since: Instant::now() })
    }

    /// Whether the captured tables have to be locked one by one.
    pub fn needs_table_locks(&self) -> bool {
        self.kind == Kind::Refused
    }

    /// Whether nothing is written to the captured tables while it is held.
    pub fn stops_writers(&self) -> bool {
        matches!(self.kind, Kind::Global | Kind::Tables)
    }

    /// Whether no table comes, goes or changes while it is held.
    pub fn stops_ddl(&self) -> bool {
        self.kind == Kind::Global
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
            Kind::Backup => "backup lock",
            Kind::Tables => "table locks",
        };
        session.execute("UNLOCK TABLES")?;
        let held = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(lock = what, held_ms = held, "the lock is released");
        Ok(())
    }
}

/// The account may not take the lock, or the server does not know it.
fn is_refusal(error: &MySqlError) -> bool {
    error.is_missing_privilege() || error.code() == Some(ER_PARSE_ERROR)
}

/// `` `db`.`table` ``.
pub fn quoted(table: &TableId) -> String {
    format!("{}.{}", quote(&table.database), quote(&table.table))
}

/// An identifier in backticks.
pub fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
