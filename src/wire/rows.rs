//! WRITE_ROWS, UPDATE_ROWS and DELETE_ROWS in their versions 1 (MySQL 5.1.16) and 2 (5.6), and PARTIAL_UPDATE_ROWS (8.0.3).
//! Manual: "ROWS_EVENT".
//!
//! Body: table id, flags (2), in version 2 the length of extra data with itself (2) and the extra data; the number of
//! columns, a bitmap of the columns in each image (for updates a second one), then the rows: an image each, for
//! updates the one before and the one after. `row_image` reads an image, `after_image` those after that are not whole.

use crate::connect::cell::ColumnValue;
use crate::wire::after_image::diff_columns;
use crate::wire::bitmap::Bitmap;
use crate::wire::cell::CellDecoder;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;
use crate::wire::row_image::{read_row_image, skip_row_image};

const READING: &str = "rows event";

/// `STMT_END_F`: the last rows event of its statement.
pub const STATEMENT_END: u16 = 0x1;

/// What happened to the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsKind {
    /// Inserted; the images are those after.
    Write,
    /// Changed; an image before, then one after.
    Update,
    /// Deleted; the images are those before.
    Delete,
}

/// Rows of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsEvent<'a> {
    /// What happened to them.
    pub kind: RowsKind,
    /// The table map that they belong to.
    pub table_id: u64,
    /// See `STATEMENT_END`.
    pub flags: u16,
    /// Whether images after the change may hold JSON diffs (PARTIAL_UPDATE_ROWS, an update).
    pub json_diffs: bool,
    /// The number of the table's columns.
    pub column_count: usize,
    /// The columns in images before the change; empty for `Write`.
    pub columns_before: Bitmap<'a>,
    /// The columns in images after the change; empty for `Delete`.
    pub columns_after: Bitmap<'a>,
    /// The images.
    pub rows: &'a [u8],
}

impl<'a> RowsEvent<'a> {
    /// Reads what follows the table id.
    pub(super) fn read(
        kind: RowsKind,
        table_id: u64,
        (has_extra, json_diffs): (bool, bool),
        mut body: Reader<'a>,
    ) -> Result<Self, WireError> {
        let flags = body.u16(READING)?;
        if has_extra {
            let extra = usize::from(body.u16(READING)?).checked_sub(2);
            body.take(
                extra.ok_or(WireError::invalid(READING, "the extra data is shorter than its length"))?,
                READING,
            )?;
        }
        let column_count = body.lenenc_size(READING)?;
        let first = Bitmap::read(&mut body, column_count, "column bitmap of rows event")?;
        let (columns_before, columns_after) = match kind {
            RowsKind::Write => (Bitmap::default(), first),
            RowsKind::Update => {
                (first, Bitmap::read(&mut body, column_count, "column bitmap of rows event")?)
            }
            RowsKind::Delete => (first, Bitmap::default()),
        };
        let rows = body.rest();
        Ok(RowsEvent { kind, table_id, flags, json_diffs, column_count, columns_before, columns_after, rows })
    }

    /// Whether it is the last rows event of its statement.
    pub fn ends_statement(&self) -> bool {
        self.flags & STATEMENT_END != 0
    }

    /// Whether every image holds every column (`binlog_row_image=FULL`) as it is stored.
    #[inline]
    pub fn is_full(&self) -> bool {
        !self.json_diffs
            && (self.kind == RowsKind::Write || self.columns_before.all_set())
            && (self.kind == RowsKind::Delete || self.columns_after.all_set())
    }

    /// A cursor over the rows, with the decoders of the table map that they belong to.
    pub fn cursor<'d>(&self, decoders: &'d [CellDecoder]) -> Result<RowCursor<'a, 'd>, WireError> {
        if decoders.len() != self.column_count {
            let (expected, found) = (decoders.len(), self.column_count);
            return Err(WireError::ColumnCount { table_id: self.table_id, expected, found });
        }
        if self.columns_before.count_ones() + self.columns_after.count_ones() == 0 {
            return Err(WireError::invalid(READING, "row images without any column"));
        }
        Ok(RowCursor { event: *self, decoders, reader: Reader::new(self.rows) })
    }
}

/// Walks the images of a rows event. For each row `has_next`, then each image that the kind has exactly once: `before`
/// or `skip_before`, then `after` or `skip_after`.
#[derive(Clone, Copy, Debug)]
pub struct RowCursor<'a, 'd> {
    event: RowsEvent<'a>,
    decoders: &'d [CellDecoder],
    reader: Reader<'a>,
}

impl<'a> RowCursor<'a, '_> {
    /// Whether there is another row.
    #[inline]
    pub fn has_next(&self) -> bool {
        !self.reader.is_empty()
    }

    /// Reads the image before the change: `visit` gets the number of each column that is in it, and its value.
    #[inline]
    pub fn before<E: From<WireError>>(
        &mut self,
        visit: impl FnMut(usize, ColumnValue<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        read_row_image(&mut self.reader, self.event.columns_before, self.decoders, visit)
    }

    /// Reads the image after the change. Where the event has JSON diffs, `AfterImage` is to be asked instead.
    #[inline]
    pub fn after<E: From<WireError>>(
        &mut self,
        visit: impl FnMut(usize, ColumnValue<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        read_row_image(&mut self.reader, self.event.columns_after, self.decoders, visit)
    }

    /// Passes over one row with all its images.
    pub fn skip_row(&mut self) -> Result<(), WireError> {
        if self.event.kind != RowsKind::Write {
            self.skip_before()?;
        }
        if self.event.kind != RowsKind::Delete {
            self.skip_after()?;
        }
        Ok(())
    }

    /// Passes over an image before the change.
    pub fn skip_before(&mut self) -> Result<(), WireError> {
        skip_row_image(&mut self.reader, self.event.columns_before, self.decoders)
    }

    /// Passes over an image after the change.
    pub fn skip_after(&mut self) -> Result<(), WireError> {
        if self.event.json_diffs {
            diff_columns(&mut self.reader, self.decoders)?;
        }
        skip_row_image(&mut self.reader, self.event.columns_after, self.decoders)
    }
}

#[cfg(test)]
mod tests;
