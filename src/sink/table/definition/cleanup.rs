//! The statements that remove old deletions.
//!
//! A key is *dead* up to a horizon when its newest row is a deletion that is not above it. What a deletion hides goes first, so that no
//! reader ever sees it; then the deletion, which hides nothing any more. Both are mutations, which work part by part: a key whose
//! deletions are removed in one part and not yet in another is not dead for a moment, and its other deletions stay until next time.
//! Rows that come while a mutation runs are in parts that it does not touch.

use crate::sink::table::definition::TableDefinition;
use crate::sink::table::identifier::quoted;
use crate::sink::version::Version;

/// The statements of a cleanup, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleanup {
    /// Counts the dead keys.
    pub count: String,
    /// Deletes what their deletions hide.
    pub hidden: String,
    /// Deletes their deletions.
    pub deletions: String,
}

impl TableDefinition {
    /// Up to a version. None for a table whose rows have no key: each deletion is a change of its own there.
    pub fn cleanup(&self, horizon: Version) -> Option<Cleanup> {
        let (name, place) = (self.name(), self.place()?);
        let (_, deleted) = self.meta.deletion.words();
        let (version, deletion) = (quoted(&self.meta.version), quoted(self.meta.deletion.name()));
        let dead = format!(
            "SELECT {place} FROM {name} WHERE ({place}) IN (SELECT {place} FROM {name} WHERE {deletion} = {deleted} \
             AND {version} <= {horizon}) GROUP BY {place} \
             HAVING max({version}) <= {horizon} AND argMax({deletion}, {version}) = {deleted}"
        );
        let delete =
            format!("{} DELETE WHERE {version} <= {horizon} AND ({place}) IN ({dead})", self.alter_table());
        Some(Cleanup {
            count: format!("SELECT count() FROM ({dead})"),
            hidden: format!("{delete} AND {deletion} != {deleted}"),
            deletions: format!("{delete} AND {deletion} = {deleted}"),
        })
    }
}
