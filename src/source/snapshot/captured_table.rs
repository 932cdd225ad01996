//! A table that a snapshot reads: what it was when the view was opened, and the statements that read it.

use std::sync::Arc;

use crate::plan::row_plan::RowPlan;
use crate::schema::table::Table;
use crate::schema::table_id::TableId;
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::error_codes::{
    ER_BAD_DB_ERROR, ER_BAD_FIELD_ERROR, ER_NO_SUCH_TABLE, ER_TABLE_DEF_CHANGED,
};
use crate::source::snapshot::chunks::{Boundary, TableCut};
use crate::source::snapshot::locking::{quote, quoted};
use crate::source::snapshot::table_facts::{TableFacts, is_key_of_beginnings, table_facts};
use crate::source::snapshot::work::Chunk;
use crate::wire::error::WireError;

/// See the module.
pub struct CapturedTable {
    /// Its name.
    pub id: TableId,
    /// Its columns and keys.
    pub table: Arc<Table>,
    cut: Option<TableCut>,
    columns: Vec<String>,
    /// The statement of the user's own that reads it.
    own_select: Option<String>,
    facts: TableFacts,
}

impl CapturedTable {
    /// A table of about `rows` rows, for so many chunks: one is for a table that is not to be cut.
    pub fn new(
        id: &TableId,
        facts: TableFacts,
        (rows, chunks): (u64, u64),
        dispatcher: &EventDispatcher,
    ) -> Result<Self, SourceError> {
        let Some(table) = dispatcher.schema.table(id).cloned() else {
            let position = dispatcher.offset.position();
            return Err(SourceError::UnknownTable { position, table: id.to_string() });
        };
        let columns = RowPlan::snapshot_columns(&table, &dispatcher.filters);
        let own_select = dispatcher.config.snapshot.select_overrides.get(&id.to_string()).cloned();
        let cut = match chunks {
            0 | 1 => Err(None),
            _ if own_select.is_some() => Err(Some("it is read by a statement of the user's own".into())),
            _ if !facts.has_views() => Err(Some("its storage engine has no consistent views".into())),
            _ => TableCut::of(&table, rows, chunks),
        };
        let (cut, reason) = match cut {
            Ok(cut) => (Some(cut), None),
            Err(reason) => (None, reason),
        };
        let captured = CapturedTable { id: id.clone(), table, cut, columns, own_select, facts };
        if let Some(reason) = reason {
            captured.read_by_one(&reason);
        }
        Ok(captured)
    }

    /// Takes the table's metadata lock: until the reader's transaction goes back, the table stays what it is.
    pub fn lock(&self, session: &mut Connection) -> Result<(), SourceError> {
        if self.own_select.is_none() {
            session
                .execute(&format!("SELECT 1 FROM {} LIMIT 0", quoted(&self.id)))
                .map_err(|error| self.error(error))?;
        }
        Ok(())
    }

    /// Makes sure that the name still means the table that was listed, and tells how it is cut. A renamed table is shown by
    /// its new name in an old view too, so that after two tables changed names the rows of the other one would be read.
    pub fn begin(&self, control: &mut Connection) -> Result<Option<&TableCut>, SourceError> {
        let now = table_facts(control, Some(&self.id))?.remove(&self.id);
        if !now.is_some_and(|now| now.is_same_table(&self.facts)) {
            return Err(self.changed());
        }
        match &self.cut {
            // What the schema does not know: an index that is not in the order of the whole key.
            Some(cut) if is_key_of_beginnings(control, &self.id, &cut.index)? => {
                self.read_by_one("only the beginning of a column is in its key");
                Ok(None)
            }
            cut => Ok(cut.as_ref()),
        }
    }

    fn read_by_one(&self, reason: &str) {
        tracing::info!(table = %self.id, reason, "a table is read by one reader");
    }

    /// The statement that reads all of it.
    pub fn select(&self, session: &mut Connection) -> Result<String, SourceError> {
        match &self.own_select {
            Some(own) => {
                in_order(own, &self.table, &self.columns, session).map_err(|error| self.error(error))
            }
            None => Ok(format!("SELECT {} FROM {}", self.listed(), quoted(&self.id))),
        }
    }

    /// The statement that reads a chunk.
    pub fn select_range(&self, cut: &TableCut, from: Option<&Boundary>, to: Option<&Boundary>) -> String {
        format!("SELECT {} FROM {}", self.listed(), cut.range(from, to))
    }

    fn listed(&self) -> String {
        self.columns.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
    }

    fn changed(&self) -> SourceError {
        SourceError::TableChanged { table: self.id.to_string() }
    }

    /// InnoDB refuses to show a table in a view that is older than the table's definition. What is gone was dropped or
    /// renamed since the view was opened, unless the user's own statement names what never was.
    pub fn error(&self, error: MySqlError) -> SourceError {
        match error.code() {
            Some(ER_TABLE_DEF_CHANGED) => self.changed(),
            Some(ER_NO_SUCH_TABLE | ER_BAD_FIELD_ERROR | ER_BAD_DB_ERROR) if self.own_select.is_none() => {
                self.changed()
            }
            _ => error.into(),
        }
    }

    /// A row packet that is none.
    pub fn unreadable(&self, source: WireError) -> SourceError {
        SourceError::ResultSet { table: self.id.to_string(), source }
    }

    /// A chunk that does not have the rows that it must have.
    pub fn out_of_order(&self, chunk: &Chunk, rows: u64) -> SourceError {
        let expected = chunk.expected.as_ref().and_then(|expected| expected.rows);
        SourceError::ChunkOutOfOrder { table: self.id.to_string(), rows, expected }
    }
}

/// A statement of the user's own, with its columns in the order of the table and NULL for those that it does not select. One
/// that selects what the table has not stays as it is: it is an error.
fn in_order(
    own: &str,
    table: &Table,
    wanted: &[String],
    session: &mut Connection,
) -> Result<String, MySqlError> {
    let own = own.trim().trim_end_matches(';');
    let selected = session.query(&format!("SELECT * FROM ({own}) AS own LIMIT 0"))?;
    let places: Vec<Option<usize>> = selected
        .columns
        .iter()
        .map(|name| table.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name)))
        .collect();
    let is_foreign = places.contains(&None);
    let is_whole = places.is_sorted() && wanted.iter().all(|name| selected.column(name).is_some());
    if is_foreign || is_whole {
        return Ok(own.to_owned());
    }
    let columns: Vec<String> = wanted
        .iter()
        .map(|name| match selected.column(name) {
            Some(_) => format!("own.{}", quote(name)),
            None => format!("NULL AS {}", quote(name)),
        })
        .collect();
    Ok(format!("SELECT {} FROM ({own}) AS own", columns.join(", ")))
}
