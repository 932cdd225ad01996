//! The schema history: every statement that changed a table, with the position at which it holds.
//!
//! `record` is one entry, `json` its stored form; `comparator` says which entries hold at an offset, and `recover` replays
//! those. `compact` makes a short history that recovers to the same. Where the entries are kept is behind `SchemaHistory`.

use crate::error::Classify;
use crate::schema::history::record::HistoryRecord;

pub mod compact;
pub mod comparator;
mod error;
mod json;
pub mod memory;
#[cfg(test)]
mod mutations;
mod outline;
pub mod record;
pub mod recover;
mod show_create_table;

pub use crate::schema::history::error::HistoryError;
pub use crate::schema::history::json::table_to_value;

/// Where history records are stored: a single-partition Kafka topic, a file, or memory.
pub trait SchemaHistory: Send {
    /// The home's own error.
    type Error: Classify + Send + Sync + 'static;

    /// Whether anything was ever recorded (Kafka: the topic exists and is not empty; file: it exists).
    fn exists(&mut self) -> Result<bool, Self::Error>;

    /// Creates the storage where it is missing.
    fn initialize_storage(&mut self) -> Result<(), Self::Error>;

    /// Appends records; they are durable when this returns.
    fn record(&mut self, records: &[HistoryRecord]) -> Result<(), Self::Error>;

    /// Removes the storage with all its records.
    fn delete(&mut self) -> Result<(), Self::Error>;

    /// Gives the place (lines or messages, counted from 1) and the text of every stored record to `each`, oldest first.
    /// What is no text is passed over with a warning.
    fn recover(&mut self, each: &mut dyn FnMut(u64, &str)) -> Result<(), Self::Error>;
}

/// Gives every stored record to `each`, oldest first. What is no history record is passed over with a warning.
pub fn read_records<H: SchemaHistory + ?Sized>(
    history: &mut H,
    each: &mut dyn FnMut(HistoryRecord),
) -> Result<(), H::Error> {
    history.recover(&mut |place, text| match text.parse() {
        Ok(record) => each(record),
        Err(problem) => no_record(place, &problem),
    })
}

/// Warns of what is stored among the records and is none.
fn no_record(place: u64, problem: &HistoryError) {
    tracing::warn!(
        place,
        error = crate::error::chain(problem),
        "what is stored in the schema history is no record"
    );
}
