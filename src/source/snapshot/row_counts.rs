//! How many rows a snapshot will read: counted where the server's estimate is small, estimated where it is large.

use std::collections::{BTreeMap, HashMap};

use crate::config::modes::RowCountOrder;
use crate::schema::table_id::TableId;
use crate::source::error::SourceError;
use crate::source::mysql::connection::Connection;
use crate::source::snapshot::locking::quoted;
use crate::source::snapshot::table_facts::TableFacts;
use crate::source::snapshot::table_reader::SAVEPOINT;

/// Tables estimated to have fewer rows are counted.
const COUNTED_BELOW: u64 = 100_000;
/// Tables beyond this number are only estimated: counting a thousand tables takes longer than it is worth.
const COUNTED_TABLES: usize = 200;

/// The rows of each table.
pub type RowCounts = HashMap<TableId, u64>;

/// Asks the server, in a view with a savepoint. What a statement of the user's own reads (`overrides`) is not known, and taken
/// for nothing, as Debezium does.
pub fn estimate(
    session: &mut Connection,
    tables: &[TableId],
    facts: &HashMap<TableId, TableFacts>,
    overrides: &BTreeMap<String, String>,
) -> Result<RowCounts, SourceError> {
    let mut counts = RowCounts::new();
    for (index, id) in tables.iter().enumerate() {
        let estimate = facts.get(id).map_or(0, |facts| facts.rows);
        let rows = if overrides.contains_key(&id.to_string()) {
            0
        } else if index < COUNTED_TABLES && estimate < COUNTED_BELOW {
            let count = session.query_value(&format!("SELECT COUNT(*) FROM {}", quoted(id)));
            // Whoever waits to alter the table need not wait for the snapshot.
            session.execute(&format!("ROLLBACK TO SAVEPOINT {SAVEPOINT}"))?;
            count.ok().flatten().and_then(|text| text.parse().ok()).unwrap_or(estimate)
        } else {
            estimate
        };
        counts.insert(id.clone(), rows);
    }
    Ok(counts)
}

/// Puts tables into the order of `snapshot.tables.order.by.row.count`; tables with as many rows stay in theirs.
pub fn sort(tables: &mut [TableId], counts: &RowCounts, order: RowCountOrder) {
    let rows = |id: &TableId| counts.get(id).copied().unwrap_or_default();
    match order {
        RowCountOrder::Disabled => {}
        RowCountOrder::Ascending => tables.sort_by_key(rows),
        RowCountOrder::Descending => tables.sort_by_key(|id| std::cmp::Reverse(rows(id))),
    }
}
