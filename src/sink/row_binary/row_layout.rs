//! The columns of an insert, in order: takes the cells of a row and writes it whole or not at all.

use crate::sink::row_binary::cell::Cell;
use crate::sink::row_binary::column_writer::ColumnWriter;
use crate::sink::row_binary::error::{RowError, UnsupportedType};
use crate::sink::table::column_type::ColumnType;

/// Names, types and writers of the columns that an insert names.
#[derive(Clone, Debug, Default)]
pub struct RowLayout {
    columns: Vec<LaidOut>,
}

#[derive(Clone, Debug)]
struct LaidOut {
    name: String,
    column_type: ColumnType,
    writer: ColumnWriter,
}

impl RowLayout {
    /// Adds a column at the end. BINARY(N) is padded to its length; 0 for all others.
    pub fn push(
        &mut self,
        name: &str,
        column_type: ColumnType,
        padded_to: usize,
    ) -> Result<(), UnsupportedType> {
        let Some(writer) = ColumnWriter::new(&column_type) else {
            return Err(UnsupportedType { column: name.to_owned(), column_type: column_type.to_string() });
        };
        self.columns.push(LaidOut {
            name: name.to_owned(),
            column_type,
            writer: writer.padded_to(padded_to),
        });
        Ok(())
    }

    /// Names and types, for the head of an insert.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &ColumnType)> {
        self.columns.iter().map(|column| (column.name.as_str(), &column.column_type))
    }

    /// Appends a row. On an error `out` is as it was.
    pub fn write_row<'a>(
        &self,
        cells: impl ExactSizeIterator<Item = Cell<'a>>,
        out: &mut Vec<u8>,
    ) -> Result<(), RowError> {
        let (found, wanted) = (cells.len(), self.columns.len());
        if found != wanted {
            return Err(RowError::Width { found, wanted });
        }
        let start = out.len();
        for (column, cell) in self.columns.iter().zip(cells) {
            if let Err(source) = column.writer.write(&cell, out) {
                out.truncate(start);
                let (column, column_type) = (column.name.clone(), column.column_type.to_string());
                return Err(RowError::Value { column, column_type, source });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_written_whole_or_not_at_all() {
        let mut layout = RowLayout::default();
        layout.push("id", ColumnType::parse("Int8"), 0).expect("a writer");
        layout.push("b", ColumnType::parse("String"), 3).expect("a writer");
        let mut out = vec![9];
        layout.write_row([Cell::Int(1), Cell::Bytes(b"x")].into_iter(), &mut out).expect("a row");
        assert_eq!(out, [9, 1, 3, b'x', 0, 0]);
        let error = layout.write_row([Cell::Int(1), Cell::Null].into_iter(), &mut out).expect_err("no null");
        assert_eq!(
            crate::error::chain(&error),
            "column b of type String: null in a column that is not nullable"
        );
        assert_eq!(out.len(), 6);
        let error = layout.write_row([Cell::Int(1)].into_iter(), &mut out).expect_err("one cell");
        assert_eq!(error.to_string(), "the row has 1 values for 2 columns");
        let error = layout.push("p", ColumnType::parse("Point"), 0).expect_err("no writer");
        assert_eq!(error.to_string(), "column p has the type Point, which cannot be written");
        assert_eq!(layout.columns().map(|(name, _)| name).collect::<Vec<_>>(), ["id", "b"]);
    }
}
