//! Tables that are known in outline until somebody asks for more.
//!
//! In a long history nearly every version of a table is replaced by the next one. While it is replayed, only the outline
//! of a version is read (`json::read::outline`: keys, and of the columns name, type and NULL), which is all that the next
//! statement's keys depend on; the text of its record is kept. What is still in force at the end is then read whole, and
//! so is everything before a statement is carried out that has no table changes, because it may copy or change any of it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::schema::database_schema::DatabaseSchema;
use crate::schema::history::HistoryError;
use crate::schema::history::json::read;
use crate::schema::history::record::HistoryRecord;
use crate::schema::history::recover::Replay;
use crate::schema::table_id::TableId;

/// A schema some of whose tables are outlines.
pub(super) struct Outlines<'a> {
    schema: &'a mut DatabaseSchema,
    /// The text of the record that each outline is from, and which of its changes it is.
    texts: HashMap<TableId, (String, usize)>,
}

impl<'a> Outlines<'a> {
    /// None yet.
    pub(super) fn new(schema: &'a mut DatabaseSchema) -> Self {
        Outlines { schema, texts: HashMap::new() }
    }

    /// Applies the outline of a record, whose text is given too.
    pub(super) fn apply(
        &mut self,
        record: HistoryRecord,
        text: &str,
        how: &Replay<'_>,
    ) -> Result<(), HistoryError> {
        if how.passes_over(&record) {
            return Ok(());
        }
        if how.is_carried_out(&record) {
            self.complete()?;
            return self.schema.apply_history(record, how);
        }
        for (place, change) in record.table_changes.iter().enumerate() {
            if let Some(previous) = &change.previous_id {
                self.texts.remove(previous);
            }
            match (&change.table, self.texts.get_mut(&change.id)) {
                (None, _) => drop(self.texts.remove(&change.id)),
                (Some(_), Some((kept, at))) => {
                    kept.clear();
                    kept.push_str(text);
                    *at = place;
                }
                (Some(_), None) => {
                    self.texts.insert(change.id.clone(), (text.to_owned(), place));
                }
            }
        }
        self.schema.apply_history(record, how)
    }

    /// Reads whole what is in force in outline.
    pub(super) fn complete(&mut self) -> Result<(), HistoryError> {
        for (id, (text, place)) in self.texts.drain() {
            let Some(outline) = self.schema.table(&id).filter(|outline| outline.id == id) else { continue };
            let change = read::record(&text)?.table_changes.into_iter().nth(place);
            if let Some(mut whole) = change.and_then(|change| change.table) {
                Arc::make_mut(&mut whole).take_keys(outline);
                self.schema.put(whole);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
