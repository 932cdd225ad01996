//! A schema history that is gone with the process (Debezium's `MemorySchemaHistory`).

use crate::schema::history::record::HistoryRecord;
use crate::schema::history::{HistoryError, SchemaHistory};

/// Records in memory.
#[derive(Clone, Debug, Default)]
pub struct MemorySchemaHistory {
    records: Vec<HistoryRecord>,
}

impl MemorySchemaHistory {
    /// What was recorded, oldest first.
    pub fn records(&self) -> &[HistoryRecord] {
        &self.records
    }
}

impl SchemaHistory for MemorySchemaHistory {
    type Error = HistoryError;

    fn exists(&mut self) -> Result<bool, HistoryError> {
        Ok(!self.records.is_empty())
    }

    fn initialize_storage(&mut self) -> Result<(), HistoryError> {
        Ok(())
    }

    fn record(&mut self, records: &[HistoryRecord]) -> Result<(), HistoryError> {
        self.records.extend_from_slice(records);
        Ok(())
    }

    fn delete(&mut self) -> Result<(), HistoryError> {
        self.records.clear();
        Ok(())
    }

    fn recover(&mut self, each: &mut dyn FnMut(u64, &str)) -> Result<(), HistoryError> {
        (1..).zip(&self.records).for_each(|(place, record)| each(place, &record.to_json()));
        Ok(())
    }
}
