//! A row image: a bitmap of the NULLs among the columns that are in the image, then the cells that are not NULL.
//!
//! The bitmap has one bit a column *in the image*, so that its bits and the table's columns part ways when an image is
//! not full. An image without any column has no bytes at all; `RowsEvent::cursor` sees to it that this does not loop.

use crate::connect::cell::ColumnValue;
use crate::wire::bitmap::Bitmap;
use crate::wire::cell::CellDecoder;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// Reads an image. `present` and `decoders` have one item a column of the table; `visit` gets the number of each column
/// that is in the image, in order, and its value.
#[inline]
pub fn read_row_image<'a, E: From<WireError>>(
    reader: &mut Reader<'a>,
    present: Bitmap<'_>,
    decoders: &[CellDecoder],
    mut visit: impl FnMut(usize, ColumnValue<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let count = present.count_ones();
    let nulls = Bitmap::read(reader, count, "null bitmap of row image")?;
    if count == decoders.len() {
        for (column, decoder) in decoders.iter().enumerate() {
            let value = if nulls.get(column) { ColumnValue::Null } else { decoder.read(reader)? };
            visit(column, value)?;
        }
        return Ok(());
    }
    let columns = decoders.iter().enumerate().filter(|(column, _)| present.get(*column));
    for (bit, (column, decoder)) in columns.enumerate() {
        let value = if nulls.get(bit) { ColumnValue::Null } else { decoder.read(reader)? };
        visit(column, value)?;
    }
    Ok(())
}

/// Passes over an image.
pub fn skip_row_image(
    reader: &mut Reader<'_>,
    present: Bitmap<'_>,
    decoders: &[CellDecoder],
) -> Result<(), WireError> {
    let nulls = Bitmap::read(reader, present.count_ones(), "null bitmap of row image")?;
    let columns = decoders.iter().enumerate().filter(|(column, _)| present.get(*column));
    for (bit, (_, decoder)) in columns.enumerate() {
        if !nulls.get(bit) {
            decoder.skip(reader)?;
        }
    }
    Ok(())
}
