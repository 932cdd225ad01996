//! Binlog cells: the bytes of one column in a row image become a `ColumnValue`. One file a family of types.
//!
//! How a cell is written depends on the column's type, its metadata in the table map and, for integers, on whether it
//! is declared unsigned. All three are compiled once into a `CellDecoder`; reading a cell then is a jump and a few
//! loads. Manual: "Binary Row Values" in the MySQL source documentation; `Field::pack` of each field class.

mod bit;
mod date;
mod datetime;
mod decimal;
mod enumeration;
mod float;
mod integer;
mod string;
mod time;
mod timestamp;
mod year;

pub(in crate::wire) use datetime::unpack as unpack_datetime;

use crate::connect::cell::ColumnValue;
use crate::wire::column_type::ColumnType;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

/// Reads the cells of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellDecoder {
    /// A column that only ever is NULL: no bytes.
    Null,
    /// The column behind a multi-valued index: it may be announced, and is in no image.
    Hidden,
    /// TINYINT: 1 byte.
    Tiny,
    /// TINYINT UNSIGNED: 1 byte.
    UnsignedTiny,
    /// SMALLINT: 2 bytes.
    Short,
    /// SMALLINT UNSIGNED: 2 bytes.
    UnsignedShort,
    /// MEDIUMINT: 3 bytes.
    Int24,
    /// MEDIUMINT UNSIGNED: 3 bytes.
    UnsignedInt24,
    /// INT: 4 bytes.
    Long,
    /// INT UNSIGNED: 4 bytes.
    UnsignedLong,
    /// BIGINT: 8 bytes.
    LongLong,
    /// BIGINT UNSIGNED: 8 bytes.
    UnsignedLongLong,
    /// FLOAT: 4 bytes.
    Float,
    /// DOUBLE: 8 bytes.
    Double,
    /// DECIMAL: see `wire::decimal`.
    Decimal {
        /// All digits.
        precision: u8,
        /// Digits after the point.
        scale: u8,
        /// Bytes.
        size: u8,
    },
    /// YEAR: 1 byte.
    Year,
    /// DATE: 3 bytes.
    Date,
    /// TIME before MySQL 5.6: 3 bytes.
    OldTime,
    /// TIME: 3 bytes and a fraction.
    Time {
        /// Bytes of the fraction, 0 to 3.
        fraction: u8,
    },
    /// DATETIME before MySQL 5.6: 8 bytes.
    OldDateTime,
    /// DATETIME: 5 bytes and a fraction.
    DateTime {
        /// Bytes of the fraction, 0 to 3.
        fraction: u8,
    },
    /// TIMESTAMP before MySQL 5.6: 4 bytes.
    OldTimestamp,
    /// TIMESTAMP: 4 bytes and a fraction.
    Timestamp {
        /// Bytes of the fraction, 0 to 3.
        fraction: u8,
    },
    /// CHAR, VARCHAR, the TEXT and BLOB family, GEOMETRY, VECTOR: a length and bytes.
    Bytes {
        /// Bytes of the length, 1 to 4.
        length_size: u8,
    },
    /// JSON: a length and JSONB.
    Json {
        /// Bytes of the length, 1 to 4.
        length_size: u8,
    },
    /// BIT.
    Bit {
        /// Bytes, 1 to 8.
        size: u8,
    },
    /// ENUM.
    Enum {
        /// Bytes, 1 or 2.
        size: u8,
    },
    /// SET.
    Set {
        /// Bytes, 1 to 8.
        size: u8,
    },
}

impl CellDecoder {
    /// The decoder of a column, from its type and metadata as `TableMapEvent::columns` gives them.
    pub fn new(column_type: ColumnType, metadata: u16, unsigned: bool) -> Result<Self, WireError> {
        Ok(match column_type {
            ColumnType::Null => CellDecoder::Null,
            ColumnType::Tiny if unsigned => CellDecoder::UnsignedTiny,
            ColumnType::Tiny => CellDecoder::Tiny,
            ColumnType::Short if unsigned => CellDecoder::UnsignedShort,
            ColumnType::Short => CellDecoder::Short,
            ColumnType::Int24 if unsigned => CellDecoder::UnsignedInt24,
            ColumnType::Int24 => CellDecoder::Int24,
            ColumnType::Long if unsigned => CellDecoder::UnsignedLong,
            ColumnType::Long => CellDecoder::Long,
            ColumnType::LongLong if unsigned => CellDecoder::UnsignedLongLong,
            ColumnType::LongLong => CellDecoder::LongLong,
            ColumnType::Float => CellDecoder::Float,
            ColumnType::Double => CellDecoder::Double,
            ColumnType::NewDecimal => decimal::decoder(metadata)?,
            ColumnType::Year => CellDecoder::Year,
            ColumnType::Date | ColumnType::NewDate => CellDecoder::Date,
            ColumnType::Time => CellDecoder::OldTime,
            ColumnType::DateTime => CellDecoder::OldDateTime,
            ColumnType::Timestamp => CellDecoder::OldTimestamp,
            ColumnType::Time2 => CellDecoder::Time { fraction: fraction_size(metadata)? },
            ColumnType::DateTime2 => CellDecoder::DateTime { fraction: fraction_size(metadata)? },
            ColumnType::Timestamp2 => CellDecoder::Timestamp { fraction: fraction_size(metadata)? },
            // A length of one byte serves up to 255 bytes.
            ColumnType::VarChar | ColumnType::VarString | ColumnType::String => {
                CellDecoder::Bytes { length_size: if metadata > 255 { 2 } else { 1 } }
            }
            ColumnType::TinyBlob
            | ColumnType::MediumBlob
            | ColumnType::LongBlob
            | ColumnType::Blob
            | ColumnType::Geometry
            | ColumnType::Vector => CellDecoder::Bytes { length_size: size(metadata, 4)? },
            ColumnType::Json => CellDecoder::Json { length_size: size(metadata, 4)? },
            ColumnType::Bit => CellDecoder::Bit { size: size(metadata.div_ceil(8), 8)? },
            ColumnType::Enum => CellDecoder::Enum { size: size(metadata, 2)? },
            ColumnType::Set => CellDecoder::Set { size: size(metadata, 8)? },
            ColumnType::TypedArray => CellDecoder::Hidden,
            ColumnType::Decimal => return Err(column_type.unsupported()),
        })
    }

    /// Reads a cell that is not NULL.
    #[inline]
    pub fn read<'a>(&self, reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
        match *self {
            CellDecoder::Null => Ok(ColumnValue::Null),
            CellDecoder::Hidden => Err(HIDDEN),
            CellDecoder::Tiny => integer::tiny(reader),
            CellDecoder::UnsignedTiny => integer::unsigned_tiny(reader),
            CellDecoder::Short => integer::short(reader),
            CellDecoder::UnsignedShort => integer::unsigned_short(reader),
            CellDecoder::Int24 => integer::int24(reader),
            CellDecoder::UnsignedInt24 => integer::unsigned_int24(reader),
            CellDecoder::Long => integer::long(reader),
            CellDecoder::UnsignedLong => integer::unsigned_long(reader),
            CellDecoder::LongLong => integer::long_long(reader),
            CellDecoder::UnsignedLongLong => integer::unsigned_long_long(reader),
            CellDecoder::Float => float::float(reader),
            CellDecoder::Double => float::double(reader),
            CellDecoder::Decimal { precision, scale, size } => {
                let packed = reader.take(usize::from(size), "DECIMAL cell")?;
                Ok(ColumnValue::PackedDecimal { packed, precision, scale })
            }
            CellDecoder::Year => year::year(reader),
            CellDecoder::Date => date::date(reader),
            CellDecoder::OldTime => time::old_time(reader),
            CellDecoder::Time { fraction } => time::time(reader, fraction),
            CellDecoder::OldDateTime => datetime::old_datetime(reader),
            CellDecoder::DateTime { fraction } => datetime::datetime(reader, fraction),
            CellDecoder::OldTimestamp => timestamp::old_timestamp(reader),
            CellDecoder::Timestamp { fraction } => timestamp::timestamp(reader, fraction),
            CellDecoder::Bytes { length_size } => string::bytes(reader, length_size).map(ColumnValue::Bytes),
            CellDecoder::Json { length_size } => string::bytes(reader, length_size).map(ColumnValue::Jsonb),
            CellDecoder::Bit { size } => bit::bit(reader, size),
            CellDecoder::Enum { size } => enumeration::label_number(reader, size),
            CellDecoder::Set { size } => enumeration::label_bits(reader, size),
        }
    }

    /// Passes over a cell that is not NULL.
    #[inline]
    pub fn skip(&self, reader: &mut Reader<'_>) -> Result<(), WireError> {
        let size = match *self {
            CellDecoder::Null => 0,
            CellDecoder::Hidden => return Err(HIDDEN),
            CellDecoder::Tiny | CellDecoder::UnsignedTiny | CellDecoder::Year => 1,
            CellDecoder::Short | CellDecoder::UnsignedShort => 2,
            CellDecoder::Int24 | CellDecoder::UnsignedInt24 | CellDecoder::Date | CellDecoder::OldTime => 3,
            CellDecoder::Long
            | CellDecoder::UnsignedLong
            | CellDecoder::Float
            | CellDecoder::OldTimestamp => 4,
            CellDecoder::LongLong
            | CellDecoder::UnsignedLongLong
            | CellDecoder::Double
            | CellDecoder::OldDateTime => 8,
            CellDecoder::Time { fraction } => 3 + usize::from(fraction),
            CellDecoder::Timestamp { fraction } => 4 + usize::from(fraction),
            CellDecoder::DateTime { fraction } => 5 + usize::from(fraction),
            CellDecoder::Decimal { size, .. }
            | CellDecoder::Bit { size }
            | CellDecoder::Enum { size }
            | CellDecoder::Set { size } => usize::from(size),
            CellDecoder::Bytes { length_size } | CellDecoder::Json { length_size } => {
                return string::bytes(reader, length_size).map(drop);
            }
        };
        reader.take(size, "cell").map(drop)
    }
}

const HIDDEN: WireError = WireError::invalid("row image", "the hidden column of an index is in it");

/// A size in bytes between 1 and a limit.
fn size(metadata: u16, limit: u8) -> Result<u8, WireError> {
    match u8::try_from(metadata) {
        Ok(size) if (1..=limit).contains(&size) => Ok(size),
        _ => Err(WireError::invalid("column metadata of table map event", "a size is out of range")),
    }
}

/// The bytes of a fraction with as many digits: two digits a byte.
fn fraction_size(digits: u16) -> Result<u8, WireError> {
    match u8::try_from(digits) {
        Ok(digits @ 0..=6) => Ok(digits.div_ceil(2)),
        _ => Err(WireError::invalid("column metadata of table map event", "more than 6 fractional digits")),
    }
}

/// A fraction of so many bytes in microseconds: a byte is 1/100 s, two are 1/10,000 s, three are 1/1,000,000 s.
#[inline]
fn fraction_micros(value: u64, size: u8) -> u32 {
    let unit = match size {
        0 => 0,
        1 => 10_000,
        2 => 100,
        _ => 1,
    };
    value as u32 * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads one cell, checks that all bytes are used, and that `skip` passes over the same.
    pub(super) fn read<'a>(decoder: CellDecoder, bytes: &'a [u8]) -> ColumnValue<'a> {
        let mut reader = Reader::new(bytes);
        let value = decoder.read(&mut reader).unwrap();
        assert!(reader.is_empty(), "{decoder:?} left {} bytes", reader.remaining());
        let mut skipped = Reader::new(bytes);
        decoder.skip(&mut skipped).unwrap();
        assert!(skipped.is_empty(), "{decoder:?} skips another length than it reads");
        for cut in 0..bytes.len() {
            assert!(decoder.read(&mut Reader::new(&bytes[..cut])).is_err(), "{decoder:?} of {cut} bytes");
        }
        value
    }

    #[test]
    fn metadata_out_of_range_is_refused() {
        for (column_type, metadata) in [
            (ColumnType::Bit, 0),
            (ColumnType::Bit, 65),
            (ColumnType::Enum, 3),
            (ColumnType::Set, 9),
            (ColumnType::Blob, 0),
            (ColumnType::Json, 5),
            (ColumnType::Time2, 7),
            (ColumnType::NewDecimal, 66 * 256),
            (ColumnType::NewDecimal, 5 * 256 + 6),
            (ColumnType::NewDecimal, 0),
        ] {
            assert!(CellDecoder::new(column_type, metadata, false).is_err(), "{column_type:?} {metadata}");
        }
        let error = CellDecoder::new(ColumnType::Decimal, 0, false).unwrap_err();
        assert_eq!(error.to_string(), "column type DECIMAL (0) is not supported");
    }

    /// A decoder is copied for each column of each table; it should stay small.
    #[test]
    fn a_decoder_has_four_bytes() {
        assert_eq!(size_of::<CellDecoder>(), 4);
    }
}
