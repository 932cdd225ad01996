//! Cells in the order of their columns, whichever side they come from.
//!
//! A binlog image is a bitmap of NULLs (bit i for the i-th column that is present) and the cells of the columns that are
//! not NULL. A row of a result set in the binary protocol is the same with a bitmap that starts at bit 2 behind a zero byte.
//! What differs is only the decoder of a cell.

use crate::connect::cell::ColumnValue;
use crate::wire::cell::CellDecoder;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;
use crate::wire::result_set::ResultCellDecoder;

/// How the cells of a column are read.
#[derive(Clone, Copy, Debug)]
pub enum Decoder {
    /// From a binlog row image.
    Binlog(CellDecoder),
    /// From a row of a result set in the binary protocol.
    ResultSet(ResultCellDecoder),
}

impl Decoder {
    /// Reads one cell that is not NULL.
    #[inline]
    pub fn read<'a>(&self, reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
        match self {
            Decoder::Binlog(decoder) => decoder.read(reader),
            Decoder::ResultSet(decoder) => decoder.read(reader),
        }
    }
}

/// One row, being read.
#[derive(Clone, Copy, Debug)]
pub struct RowCells<'a> {
    nulls: &'a [u8],
    shift: usize,
    reader: Reader<'a>,
}

impl<'a> RowCells<'a> {
    /// The next row image of a rows event, of `columns` columns that are all present. Afterwards `reader` stands at the
    /// image's first cell; [`RowCells::into_reader`] gives it back behind the last one.
    #[inline]
    pub fn of_binlog(mut reader: Reader<'a>, columns: usize) -> Result<Self, WireError> {
        let nulls = reader.take(columns.div_ceil(8), "the NULL bitmap of a row image")?;
        Ok(RowCells { nulls, shift: 0, reader })
    }

    /// A row packet of the binary protocol (manual: "Binary Protocol Resultset Row").
    #[inline]
    pub fn of_result_set(packet: &'a [u8], columns: usize) -> Result<Self, WireError> {
        /// The first two bits of the bitmap are unused.
        const UNUSED: usize = 2;
        let mut reader = Reader::new(packet);
        reader.take(1, "the header of a row packet")?;
        let nulls = reader.take((columns + UNUSED).div_ceil(8), "the NULL bitmap of a row packet")?;
        Ok(RowCells { nulls, shift: UNUSED, reader })
    }

    /// Whether a column is NULL.
    #[inline]
    pub fn is_null(&self, column: usize) -> bool {
        let bit = column + self.shift;
        self.nulls.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
    }

    /// The bytes that are still to be read; their length tells where a cell starts and ends.
    #[inline]
    pub fn peek(&self) -> &'a [u8] {
        self.reader.peek()
    }

    /// The next cell.
    #[inline]
    pub fn read(&mut self, column: usize, decoder: &Decoder) -> Result<ColumnValue<'a>, WireError> {
        if self.is_null(column) { Ok(ColumnValue::Null) } else { decoder.read(&mut self.reader) }
    }

    /// Where the next cell is; whoever takes it from there takes all of it.
    #[inline]
    pub fn reader(&mut self) -> &mut Reader<'a> {
        &mut self.reader
    }

    /// Behind the last cell that was read.
    #[inline]
    pub fn into_reader(self) -> Reader<'a> {
        self.reader
    }
}
