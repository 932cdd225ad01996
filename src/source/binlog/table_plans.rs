//! Row plans by table number, kept while they hold.
//!
//! A TABLE_MAP event precedes the rows of every statement, mostly the same bytes again. As long as its body is the same
//! and no statement has changed a table, the plan that was compiled for it is used again. A statement drops all plans.
//!
//! Images without all columns have plans of their own (`plan::image_plan`), kept with that of their table.
//!
//! A table map is also a check on what the schema history believes: the number of columns and, for every column, that
//! its binlog type can carry what the history says it is; where the server sends column names
//! (`binlog_row_metadata=FULL`) these too. A mismatch stops the connector: it would publish values under wrong names.

use std::collections::HashMap;
use std::sync::Arc;

use crate::plan::error::PlanError;
use crate::plan::image_plan::ImagePlans;
use crate::plan::row_plan::RowPlan;
use crate::schema::table::Table;
use crate::wire::cell::CellDecoder;
use crate::wire::rows::RowsEvent;

/// What is done with the rows of a table.
#[derive(Clone, Debug)]
pub enum TablePlan {
    /// They are published.
    Publish(Arc<RowPlan>),
    /// They are counted for the change sequence and passed over.
    PassOver(Arc<[CellDecoder]>),
    /// They are published, once their images have told which of the announced columns are hidden
    /// (`plan::hidden_columns`).
    Undecided(Arc<Table>),
}

#[derive(Debug)]
struct Known {
    body: Vec<u8>,
    plan: TablePlan,
    /// For events without all columns, by the columns that they have.
    images: Vec<(ColumnSets, Arc<ImagePlans>)>,
}

/// The columns of the images before and after the change, and whether JSON columns may come as diffs.
#[derive(Debug, PartialEq, Eq)]
struct ColumnSets {
    before: Box<[u8]>,
    after: Box<[u8]>,
    json_diffs: bool,
}

impl ColumnSets {
    fn are_of(&self, event: &RowsEvent<'_>) -> bool {
        *self.before == *event.columns_before.bytes()
            && *self.after == *event.columns_after.bytes()
            && self.json_diffs == event.json_diffs
    }
}

/// The plans in force.
#[derive(Debug, Default)]
pub struct TablePlans {
    known: HashMap<u64, Known>,
}

/// Table numbers that are kept; a server that alters or flushes tables gives ever new ones.
const KEPT: usize = 4096;
/// Sets of columns that are kept of one table; few are in use, however many there can be.
const IMAGES_KEPT: usize = 64;

impl TablePlans {
    /// The plan of a table number.
    pub fn get(&self, table_id: u64) -> Option<&TablePlan> {
        self.known.get(&table_id).map(|known| &known.plan)
    }

    /// Whether this very table map has a plan already.
    pub fn knows(&self, table_id: u64, body: &[u8]) -> bool {
        self.known.get(&table_id).is_some_and(|known| known.body == body)
    }

    /// The body of the table map that a table number stands for.
    pub fn body(&self, table_id: u64) -> Option<&[u8]> {
        self.known.get(&table_id).map(|known| known.body.as_slice())
    }

    /// Keeps another plan for the same table map.
    pub fn replace(&mut self, table_id: u64, plan: TablePlan) {
        if let Some(known) = self.known.get_mut(&table_id) {
            known.plan = plan;
            known.images.clear();
        }
    }

    /// Keeps a plan for a table map.
    pub fn keep(&mut self, table_id: u64, body: &[u8], plan: TablePlan) {
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(table_id, Known { body: body.to_vec(), plan, images: Vec::new() });
    }

    /// The plans for the images of an event that does not have all columns; they are kept too.
    pub fn image_plans(
        &mut self,
        event: &RowsEvent<'_>,
        plan: &RowPlan,
    ) -> Result<Arc<ImagePlans>, PlanError> {
        let known = self.known.get_mut(&event.table_id);
        let kept = known.as_ref().and_then(|known| known.images.iter().find(|(sets, _)| sets.are_of(event)));
        if let Some((_, images)) = kept {
            return Ok(Arc::clone(images));
        }
        let images = Arc::new(plan.image_plans(event)?);
        if let Some(known) = known {
            if known.images.len() >= IMAGES_KEPT {
                known.images.clear();
            }
            let sets = ColumnSets {
                before: event.columns_before.bytes().into(),
                after: event.columns_after.bytes().into(),
                json_diffs: event.json_diffs,
            };
            known.images.push((sets, Arc::clone(&images)));
        }
        Ok(images)
    }

    /// A statement changed a table: nothing that was compiled before holds.
    pub fn clear(&mut self) {
        self.known.clear();
    }
}
