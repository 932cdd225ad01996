//! Columns that a table map announces and no statement ever named: those of functional and multi-valued indexes.
//!
//! MySQL 8.0.15 keeps them among the other columns of a table (a column that is added later stands behind them) and
//! announces them all, but leaves them out of the row images; MySQL 9.7 does not announce them. Neither their names nor a
//! mark come with them. So it is an event's images that tell which columns are a table's own: those that are present, when
//! they are as many as the table has. Images that lack some of these too (`binlog_row_image=NOBLOB`) do not tell; then the
//! hidden columns are taken to stand at the end, and the types are held against the table's as always.

use crate::plan::error::PlanError;
use crate::schema::table::Table;
use crate::wire::bitmap::Bitmap;
use crate::wire::rows::RowsEvent;

/// The places, among the announced columns, of the table's own; and whether the images told them all. Fails where the
/// images have more columns than the table.
pub fn visible_columns(table: &Table, event: &RowsEvent<'_>) -> Result<(Vec<usize>, bool), PlanError> {
    let both = event.columns_before.union(event.columns_after);
    let (binlog, known) = (event.column_count, table.columns.len());
    visible(Bitmap::of(&both, binlog), known).ok_or_else(|| {
        let table = table.id.to_string();
        PlanError::ColumnCount { table, binlog, known }
    })
}

fn visible(present: Bitmap<'_>, known: usize) -> Option<(Vec<usize>, bool)> {
    if present.count_ones() == known {
        return Some(((0..present.len()).filter(|column| present.get(*column)).collect(), true));
    }
    let is_beyond = (known..present.len()).any(|column| present.get(column));
    (present.count_ones() < known && !is_beyond).then(|| ((0..known).collect(), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bitmap is that of MySQL 8.0.15 for the golden case types_hidden_index_columns: id, d, s, two hidden
    /// columns, z, a hidden one.
    #[test]
    fn images_tell_which_columns_are_hidden() {
        for (bitmap, announced, known, expected) in [
            (0b0010_0111, 7, 4, Some((vec![0, 1, 2, 5], true))),
            (0b0000_0111, 5, 3, Some((vec![0, 1, 2], true))),
            // A TEXT column is left out; the hidden columns are behind the others, or it cannot be told where they are.
            (0b0000_0011, 5, 3, Some((vec![0, 1, 2], false))),
            (0b0010_0011, 7, 4, None),
            // A column was added without the schema history knowing.
            (0b0000_1111, 4, 3, None),
        ] {
            assert_eq!(visible(Bitmap::of(&[bitmap], announced), known), expected, "{bitmap:b}");
        }
    }
}
