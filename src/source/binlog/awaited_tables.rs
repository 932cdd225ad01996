//! Where the stream reaches the position at which new tables were found (`snapshot::new_tables`), and what it makes of the
//! statements on tables that are not captured yet, or no longer.

use crate::schema::schema_change::SchemaChange;
use crate::schema::table_id::TableId;
use crate::source::binlog::event_handler::{EventHandler, EventPlace};
use crate::source::error::SourceError;
use crate::source::snapshot::new_tables::reached;

impl EventHandler {
    /// A transaction is announced: awaited tables are captured from it on, unless it was done when they were read.
    pub(super) fn reach_transaction(&mut self, at: EventPlace) -> Result<(), SourceError> {
        let gtid = self.transaction.gtid.as_ref();
        match &self.dispatcher.awaited {
            Some(awaited) if awaited.is_behind(gtid, &self.position(at)) => self.reach(),
            _ => Ok(()),
        }
    }

    /// The log has no more for now: awaited tables are captured if everything was done that had been when they were read.
    pub(super) fn reach_end_of_log(&mut self) -> Result<(), SourceError> {
        match &self.dispatcher.awaited {
            Some(awaited) if !self.transaction.open && awaited.is_reached_by(&self.dispatcher.offset) => {
                self.reach()
            }
            _ => Ok(()),
        }
    }

    fn reach(&mut self) -> Result<(), SourceError> {
        reached(&mut self.dispatcher)?;
        // Their rows were passed over so far.
        self.plans.clear();
        Ok(())
    }

    /// Whether the history does not say what became of a table: its statements are not stored as long as it is not captured.
    pub(super) fn is_not_kept_up(&self, table: &TableId) -> bool {
        let dispatcher = &self.dispatcher;
        dispatcher.config.history.only_captured_tables && !dispatcher.filters.table_captured(table)
    }

    /// Whether a statement changes nothing but awaited tables. Who reads the schema changes has their definitions already.
    pub(super) fn is_of_awaited_tables(&self, change: &SchemaChange) -> bool {
        let filters = &self.dispatcher.filters;
        let tables = &change.table_changes;
        !tables.is_empty()
            && tables.iter().all(|table| {
                let previous = table.previous_id.as_ref();
                filters.is_awaited(&table.id) && !previous.is_some_and(|id| filters.table_captured(id))
            })
    }
}
