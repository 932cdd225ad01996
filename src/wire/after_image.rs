//! Images after an update that are not whole, made whole out of the image before.
//!
//! Two things leave something out that the image before has. With `binlog_row_value_options=PARTIAL_JSON` a changed JSON
//! column comes as diffs to the document before (PARTIAL_UPDATE_ROWS). And where `binlog_row_image` is not FULL a column
//! that did not change is left out of the image after, though the image before may have it: the whole row where the
//! table has no primary key, the primary key otherwise. The row is written again as an update with whole images would
//! have it; so whoever reads images knows one kind of them only.
//!
//! In PARTIAL_UPDATE_ROWS the image after begins with options (a length-encoded integer); where their lowest bit is set a
//! bitmap follows that has a bit for each JSON column of the table, in the image or not: set where the cell holds diffs.
//! `Rows_log_event`, `start_partial_bits_reader` of the server.

use crate::connect::cell::ColumnValue;
use crate::wire::bitmap::Bitmap;
use crate::wire::cell::CellDecoder;
use crate::wire::error::WireError;
use crate::wire::jsonb::DocumentEditor;
use crate::wire::reader::Reader;
use crate::wire::row_image::skip_row_image;
use crate::wire::rows::{RowsEvent, RowsKind};

const READING: &str = "row image after a partial update";

/// The only option there is: JSON columns may hold diffs.
const PARTIAL_JSON_UPDATES: u64 = 1;

/// Whether the images after the change of an event lack something that those before have.
pub fn is_incomplete(event: &RowsEvent<'_>) -> bool {
    let left_out = |column| event.columns_before.get(column) && !event.columns_after.get(column);
    event.kind == RowsKind::Update && (event.json_diffs || (0..event.column_count).any(left_out))
}

/// Makes images whole. Holds only memory that is used again.
#[derive(Debug, Default)]
pub struct AfterImage {
    editor: DocumentEditor,
    image: Vec<u8>,
}

impl AfterImage {
    /// Reads over the two images of a row and gives where each begins: the one before as it stands, the one after with the
    /// columns of both. `decoders` are those of the event's table map, one a column.
    pub fn read<'a>(
        &mut self,
        event: &RowsEvent<'_>,
        decoders: &[CellDecoder],
        reader: &mut Reader<'a>,
    ) -> Result<(Reader<'a>, Reader<'_>), WireError> {
        let before_image = *reader;
        skip_row_image(reader, event.columns_before, decoders)?;
        let diff_columns = if event.json_diffs { diff_columns(reader, decoders)? } else { Bitmap::default() };
        let mut before = Cells::read(event.columns_before, before_image)?;
        let mut after = Cells::read(event.columns_after, *reader)?;

        let columns = (0..decoders.len())
            .filter(|column| event.columns_before.get(*column) || event.columns_after.get(*column));
        self.image.clear();
        self.image.resize(columns.count().div_ceil(8), 0);
        let (mut bit, mut json_columns) = (0, 0);
        for (column, decoder) in decoders.iter().enumerate() {
            let old = before.next(column, decoder)?;
            let new = after.next(column, decoder)?;
            let mut is_diff = false;
            if let CellDecoder::Json { .. } = decoder {
                is_diff = diff_columns.get(json_columns);
                json_columns += 1;
            }
            match (old, new) {
                (None, None) => continue,
                (Some(Cell::Bytes(old)), Some(Cell::Bytes(new))) if is_diff => {
                    self.changed(decoder, old, new)?
                }
                (_, Some(Cell::Bytes(_))) if is_diff => {
                    return Err(WireError::invalid(READING, "JSON diffs without the document before"));
                }
                (_, Some(Cell::Bytes(cell))) | (Some(Cell::Bytes(cell)), None) => {
                    self.image.extend_from_slice(cell);
                }
                (_, Some(Cell::Null)) | (Some(Cell::Null), None) => {
                    if let Some(byte) = self.image.get_mut(bit / 8) {
                        *byte |= 1 << (bit % 8);
                    }
                }
            }
            bit += 1;
        }
        *reader = after.reader;
        Ok((before_image, Reader::new(&self.image)))
    }

    /// Appends the cell of a JSON column that was changed.
    fn changed(&mut self, decoder: &CellDecoder, old: &[u8], new: &[u8]) -> Result<(), WireError> {
        let (document, diffs) = (value(decoder, old)?, value(decoder, new)?);
        if diffs.is_empty() {
            self.image.extend_from_slice(old);
            return Ok(());
        }
        let length_size = old.len() - document.len();
        let start = self.image.len();
        self.image.resize(start + length_size, 0);
        self.editor.apply(document, diffs, &mut self.image)?;
        let length = (self.image.len() - start - length_size).to_le_bytes();
        let (length, beyond) = length.split_at_checked(length_size).unwrap_or((&length, &[]));
        if beyond.iter().any(|byte| *byte != 0) {
            return Err(WireError::invalid(READING, "a document that is longer than its column"));
        }
        if let Some(place) = self.image.get_mut(start..start + length.len()) {
            place.copy_from_slice(length);
        }
        Ok(())
    }
}

/// Reads what precedes an image after the change in PARTIAL_UPDATE_ROWS: a bit for each JSON column.
pub(in crate::wire) fn diff_columns<'a>(
    reader: &mut Reader<'a>,
    decoders: &[CellDecoder],
) -> Result<Bitmap<'a>, WireError> {
    match reader.lenenc_int(READING)? {
        0 => Ok(Bitmap::default()),
        PARTIAL_JSON_UPDATES => {
            let is_json = |decoder: &&CellDecoder| matches!(decoder, CellDecoder::Json { .. });
            Bitmap::read(reader, decoders.iter().filter(is_json).count(), READING)
        }
        _ => Err(WireError::invalid(READING, "unknown options")),
    }
}

/// What stands behind the length of a JSON column's cell: a document, or diffs.
fn value<'a>(decoder: &CellDecoder, cell: &'a [u8]) -> Result<&'a [u8], WireError> {
    match decoder.read(&mut Reader::new(cell))? {
        ColumnValue::Jsonb(document) => Ok(document),
        _ => Err(WireError::invalid(READING, "not a JSON column")),
    }
}

/// A cell that is in an image.
#[derive(Clone, Copy)]
enum Cell<'a> {
    Null,
    Bytes(&'a [u8]),
}

/// The cells of one image.
struct Cells<'a, 'e> {
    present: Bitmap<'e>,
    nulls: Bitmap<'a>,
    bit: usize,
    reader: Reader<'a>,
}

impl<'a, 'e> Cells<'a, 'e> {
    /// The image that begins here; `reader` stands at its first cell then.
    fn read(present: Bitmap<'e>, mut reader: Reader<'a>) -> Result<Self, WireError> {
        let nulls = Bitmap::read(&mut reader, present.count_ones(), READING)?;
        Ok(Cells { present, nulls, bit: 0, reader })
    }

    /// The cell of the next column, if it is in the image.
    fn next(&mut self, column: usize, decoder: &CellDecoder) -> Result<Option<Cell<'a>>, WireError> {
        if !self.present.get(column) {
            return Ok(None);
        }
        self.bit += 1;
        if self.nulls.get(self.bit - 1) {
            return Ok(Some(Cell::Null));
        }
        let cell = self.reader.peek();
        decoder.skip(&mut self.reader)?;
        let length = cell.len() - self.reader.remaining();
        Ok(cell.get(..length).map(Cell::Bytes))
    }
}

#[cfg(test)]
mod tests;
