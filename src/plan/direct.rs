//! Cells that go to JSON without a stop in between.
//!
//! Most cells are integers and short ASCII text, whose mapping is nothing but printing. For them decoder and encoder are
//! one step, chosen when the plan is compiled. It takes a cell or leaves it: what is not plain (text to escape or to
//! transcode, a cell that ends early) goes the long way through `ColumnValue`, which has the error messages too.

use crate::connect::digits::write_integer;
use crate::converter::json::text::{is_plain, write_plain};
use crate::event::value::ColumnConverter;
use crate::plan::image::Decoder;
use crate::plan::piece::Piece;
use crate::wire::cell::CellDecoder;
use crate::wire::reader::Reader;
use crate::wire::result_set::ResultCellDecoder;

/// The short way of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direct {
    /// There is none.
    None,
    /// Integers, little endian, of so many bits; `U` are unsigned.
    I8,
    /// See `I8`.
    U8,
    /// See `I8`.
    I16,
    /// See `I8`.
    U16,
    /// See `I8`.
    I32,
    /// See `I8`.
    U32,
    /// See `I8`.
    I64,
    /// See `I8`; published as INT64, wrapped.
    U64,
    /// Text behind a length of one byte.
    Text8,
    /// Text behind a length of two bytes, little endian.
    Text16,
    /// Text behind a length-encoded integer; only those of one byte are taken.
    TextLenenc,
}

impl Direct {
    /// The short way from a decoder to JSON.
    pub fn of(decoder: &Decoder, converter: &ColumnConverter) -> Self {
        let integer = |direct: Direct| if converter.keeps_integers() { direct } else { Direct::None };
        let text = |direct: Direct| if converter.keeps_ascii() { direct } else { Direct::None };
        match decoder {
            Decoder::Binlog(CellDecoder::Tiny) | Decoder::ResultSet(ResultCellDecoder::Tiny) => {
                integer(Direct::I8)
            }
            Decoder::Binlog(CellDecoder::UnsignedTiny)
            | Decoder::ResultSet(ResultCellDecoder::UnsignedTiny) => integer(Direct::U8),
            Decoder::Binlog(CellDecoder::Short) | Decoder::ResultSet(ResultCellDecoder::Short) => {
                integer(Direct::I16)
            }
            Decoder::Binlog(CellDecoder::UnsignedShort)
            | Decoder::ResultSet(ResultCellDecoder::UnsignedShort) => integer(Direct::U16),
            Decoder::Binlog(CellDecoder::Long) | Decoder::ResultSet(ResultCellDecoder::Long) => {
                integer(Direct::I32)
            }
            Decoder::Binlog(CellDecoder::UnsignedLong)
            | Decoder::ResultSet(ResultCellDecoder::UnsignedLong) => integer(Direct::U32),
            Decoder::Binlog(CellDecoder::LongLong) | Decoder::ResultSet(ResultCellDecoder::LongLong) => {
                integer(Direct::I64)
            }
            Decoder::Binlog(CellDecoder::UnsignedLongLong)
            | Decoder::ResultSet(ResultCellDecoder::UnsignedLongLong) => integer(Direct::U64),
            Decoder::Binlog(CellDecoder::Bytes { length_size: 1 }) => text(Direct::Text8),
            Decoder::Binlog(CellDecoder::Bytes { length_size: 2 }) => text(Direct::Text16),
            Decoder::ResultSet(ResultCellDecoder::Text) => text(Direct::TextLenenc),
            _ => Direct::None,
        }
    }

    /// Takes the next cell, which is not NULL, and appends `open` and its JSON; or does nothing and says so.
    #[inline]
    pub fn write(self, reader: &mut Reader<'_>, open: &Piece, out: &mut Vec<u8>) -> bool {
        let number = match self {
            Direct::None => return false,
            Direct::I8 => reader.next_chunk().map(|bytes| i64::from(i8::from_le_bytes(bytes))),
            Direct::U8 => reader.next_chunk().map(|bytes| i64::from(u8::from_le_bytes(bytes))),
            Direct::I16 => reader.next_chunk().map(|bytes| i64::from(i16::from_le_bytes(bytes))),
            Direct::U16 => reader.next_chunk().map(|bytes| i64::from(u16::from_le_bytes(bytes))),
            Direct::I32 => reader.next_chunk().map(|bytes| i64::from(i32::from_le_bytes(bytes))),
            Direct::U32 => reader.next_chunk().map(|bytes| i64::from(u32::from_le_bytes(bytes))),
            Direct::I64 | Direct::U64 => reader.next_chunk().map(i64::from_le_bytes),
            Direct::Text8 | Direct::Text16 | Direct::TextLenenc => return self.write_text(reader, open, out),
        };
        match number {
            Some(number) => {
                open.write(out);
                write_integer(number, out);
                true
            }
            None => false,
        }
    }

    #[inline]
    fn write_text(self, reader: &mut Reader<'_>, open: &Piece, out: &mut Vec<u8>) -> bool {
        /// The first byte of a length-encoded integer that is no length itself.
        const LONGER: u8 = 0xfb;
        let mut ahead = *reader;
        let length = match self {
            Direct::Text16 => ahead.next_chunk().map(u16::from_le_bytes),
            Direct::Text8 => ahead.next_chunk::<1>().map(|[length]| u16::from(length)),
            _ => ahead.next_chunk::<1>().and_then(|[length]| (length < LONGER).then_some(u16::from(length))),
        };
        match length.and_then(|length| ahead.next_bytes(usize::from(length))) {
            Some(text) if is_plain(text) => {
                open.write(out);
                write_plain(text, out);
                *reader = ahead;
                true
            }
            _ => false,
        }
    }
}
