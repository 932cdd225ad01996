//! Row plans by table number, kept while they hold.
//!
//! A TABLE_MAP event precedes the rows of every statement, mostly the same bytes again. As long as its body is the same
//! and no statement has changed a table, the plan that was compiled for it is used again. A statement drops all plans.
//!
//! A table map is also a check on what the schema history believes: the number of columns and, for every column, that
//! its binlog type can carry what the history says it is; where the server sends column names
//! (`binlog_row_metadata=FULL`) these too. A mismatch stops the connector: it would publish values under wrong names.

use std::collections::HashMap;
use std::sync::Arc;

use crate::plan::row_plan::RowPlan;
use crate::wire::cell::CellDecoder;

/// What is done with the rows of a table.
#[derive(Clone, Debug)]
pub enum TablePlan {
    /// They are published.
    Publish(Arc<RowPlan>),
    /// They are counted for the change sequence and passed over.
    PassOver(Arc<[CellDecoder]>),
}

#[derive(Debug)]
struct Known {
    body: Vec<u8>,
    plan: TablePlan,
}

/// The plans in force.
#[derive(Debug, Default)]
pub struct TablePlans {
    known: HashMap<u64, Known>,
}

/// Table numbers that are kept; a server that alters or flushes tables gives ever new ones.
const KEPT: usize = 4096;

impl TablePlans {
    /// The plan of a table number.
    pub fn get(&self, table_id: u64) -> Option<&TablePlan> {
        self.known.get(&table_id).map(|known| &known.plan)
    }

    /// Whether this very table map has a plan already.
    pub fn knows(&self, table_id: u64, body: &[u8]) -> bool {
        self.known.get(&table_id).is_some_and(|known| known.body == body)
    }

    /// Keeps a plan for a table map.
    pub fn keep(&mut self, table_id: u64, body: &[u8], plan: TablePlan) {
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(table_id, Known { body: body.to_vec(), plan });
    }

    /// A statement changed a table: nothing that was compiled before holds.
    pub fn clear(&mut self) {
        self.known.clear();
    }
}
