//! The applying task over what was put aside (`task/quarantine` drives it).
//!
//! Records have the versions that they had. Snapshots among them sweep nothing, and those that a later snapshot did not find are
//! not written. Of a table whose changes are rows, what has the version already is not written twice.

use std::collections::HashSet;

use crate::sink::apply::applier::Applier;
use crate::sink::apply::error::ApplyError;
use crate::sink::apply::ledger::Ledger;
use crate::sink::apply::quarantine::Aside;

/// Topic, partition, offset.
pub type Place = (String, i32, i64);

impl Applier {
    /// Makes it one for records that were put aside.
    #[must_use]
    pub fn retrying(mut self) -> Self {
        self.refused_again = Some(HashSet::new());
        self
    }

    pub(super) const fn is_retrying(&self) -> bool {
        self.refused_again.is_some()
    }

    /// The time of the server.
    pub fn server_time(&self) -> Result<String, ApplyError> {
        Ledger::now(&self.server).map_err(ApplyError::Server)
    }

    /// The next records that were put aside before a time.
    pub fn aside(
        &self,
        table: Option<&str>,
        before: &str,
        behind: Option<&Aside>,
    ) -> Result<Vec<Aside>, ApplyError> {
        self.ledger.aside(&self.server, table, before, behind).map_err(ApplyError::Server)
    }

    /// After all that was taken is stored: deletes these records in the quarantine, but for those that were refused again, or whose
    /// table stopped. These are given back.
    pub fn conclude_retry(&mut self, records: &[Aside]) -> Result<HashSet<Place>, ApplyError> {
        let mut left = self.refused_again.replace(HashSet::new()).unwrap_or_default();
        for aside in records {
            let place = (aside.topic.clone(), aside.partition, aside.offset);
            if self.tables.iter().any(|table| table.is_stopped && table.name == aside.table) {
                left.insert(place);
            } else if !left.contains(&place) {
                self.ledger.done(&self.server, aside).map_err(ApplyError::Server)?;
            }
        }
        Ok(left)
    }
}
