//! Rows of the binary protocol (COM_STMT_EXECUTE): a zero byte, a bitmap of NULLs that begins at bit 2, then the values.
//! Manual: "Binary Protocol Resultset Row", "Binary Protocol Value".
//!
//! The cells become the same `ColumnValue` as those of the binlog. Strings come in the connection's character set,
//! which is utf8mb4 (or, where the server stores surrogates, almost), and binary ones (character set 63) as they are; ENUM and SET come as labels, DECIMAL and JSON as
//! text, DATETIME and TIMESTAMP alike.

use crate::connect::cell::{ColumnValue, Date, DateTime, Time};
use crate::wire::column_type::ColumnType;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

const READING: &str = "result row";

/// The id of the `binary` character set.
pub const BINARY_CHARSET: u16 = 63;

/// Reads the cells of one column of a result set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultCellDecoder {
    /// No value: `SELECT NULL`.
    Null,
    /// TINYINT: 1 byte.
    Tiny,
    /// TINYINT UNSIGNED: 1 byte.
    UnsignedTiny,
    /// SMALLINT: 2 bytes.
    Short,
    /// SMALLINT UNSIGNED: 2 bytes.
    UnsignedShort,
    /// INT, MEDIUMINT: 4 bytes.
    Long,
    /// INT UNSIGNED, MEDIUMINT UNSIGNED: 4 bytes.
    UnsignedLong,
    /// BIGINT: 8 bytes.
    LongLong,
    /// BIGINT UNSIGNED: 8 bytes.
    UnsignedLongLong,
    /// FLOAT: 4 bytes.
    Float,
    /// DOUBLE: 8 bytes.
    Double,
    /// YEAR: 2 bytes.
    Year,
    /// DATE: a length of 0 or more bytes, then the fields.
    Date,
    /// DATETIME, TIMESTAMP: a length of 0, 4, 7 or 11, then the fields.
    DateTime,
    /// TIME: a length of 0, 8 or 12, then the fields.
    Time,
    /// DECIMAL: text.
    Decimal,
    /// BIT: bytes, most significant first.
    Bit,
    /// A string of characters: UTF-8.
    Text,
    /// A string of bytes.
    Bytes,
}

impl ResultCellDecoder {
    /// The decoder of a column from its definition packet: type, `UNSIGNED_FLAG`, and character set id.
    pub fn new(column_type: ColumnType, unsigned: bool, charset: u16) -> Result<Self, WireError> {
        Ok(match column_type {
            ColumnType::Null => ResultCellDecoder::Null,
            ColumnType::Tiny if unsigned => ResultCellDecoder::UnsignedTiny,
            ColumnType::Tiny => ResultCellDecoder::Tiny,
            ColumnType::Short if unsigned => ResultCellDecoder::UnsignedShort,
            ColumnType::Short => ResultCellDecoder::Short,
            ColumnType::Long | ColumnType::Int24 if unsigned => ResultCellDecoder::UnsignedLong,
            ColumnType::Long | ColumnType::Int24 => ResultCellDecoder::Long,
            ColumnType::LongLong if unsigned => ResultCellDecoder::UnsignedLongLong,
            ColumnType::LongLong => ResultCellDecoder::LongLong,
            ColumnType::Float => ResultCellDecoder::Float,
            ColumnType::Double => ResultCellDecoder::Double,
            ColumnType::Year => ResultCellDecoder::Year,
            ColumnType::Date | ColumnType::NewDate => ResultCellDecoder::Date,
            ColumnType::DateTime | ColumnType::DateTime2 | ColumnType::Timestamp | ColumnType::Timestamp2 => {
                ResultCellDecoder::DateTime
            }
            ColumnType::Time | ColumnType::Time2 => ResultCellDecoder::Time,
            ColumnType::Decimal | ColumnType::NewDecimal => ResultCellDecoder::Decimal,
            ColumnType::Bit => ResultCellDecoder::Bit,
            // Announced as binary, and yet text.
            ColumnType::Json => ResultCellDecoder::Text,
            ColumnType::Geometry | ColumnType::Vector => ResultCellDecoder::Bytes,
            ColumnType::VarChar
            | ColumnType::VarString
            | ColumnType::String
            | ColumnType::Enum
            | ColumnType::Set
            | ColumnType::TinyBlob
            | ColumnType::MediumBlob
            | ColumnType::LongBlob
            | ColumnType::Blob => {
                if charset == BINARY_CHARSET {
                    ResultCellDecoder::Bytes
                } else {
                    ResultCellDecoder::Text
                }
            }
            ColumnType::TypedArray => return Err(column_type.unsupported()),
        })
    }

    /// Reads a cell that is not NULL.
    #[inline]
    pub fn read<'a>(&self, reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
        Ok(match self {
            ResultCellDecoder::Null => ColumnValue::Null,
            ResultCellDecoder::Tiny => ColumnValue::Int(i64::from(reader.u8(READING)?.cast_signed())),
            ResultCellDecoder::UnsignedTiny => ColumnValue::UInt(u64::from(reader.u8(READING)?)),
            ResultCellDecoder::Short => ColumnValue::Int(i64::from(reader.u16(READING)?.cast_signed())),
            ResultCellDecoder::UnsignedShort => ColumnValue::UInt(u64::from(reader.u16(READING)?)),
            ResultCellDecoder::Long => ColumnValue::Int(i64::from(reader.u32(READING)?.cast_signed())),
            ResultCellDecoder::UnsignedLong => ColumnValue::UInt(u64::from(reader.u32(READING)?)),
            ResultCellDecoder::LongLong => ColumnValue::Int(reader.u64(READING)?.cast_signed()),
            ResultCellDecoder::UnsignedLongLong => ColumnValue::UInt(reader.u64(READING)?),
            ResultCellDecoder::Float => ColumnValue::Float(f32::from_bits(reader.u32(READING)?)),
            ResultCellDecoder::Double => ColumnValue::Double(f64::from_bits(reader.u64(READING)?)),
            ResultCellDecoder::Year => ColumnValue::Year(reader.u16(READING)?),
            ResultCellDecoder::Date => ColumnValue::Date(datetime(reader)?.date),
            ResultCellDecoder::DateTime => ColumnValue::DateTime(datetime(reader)?),
            ResultCellDecoder::Time => ColumnValue::Time(time(reader)?),
            ResultCellDecoder::Decimal => ColumnValue::DecimalText(reader.lenenc_bytes(READING)?),
            ResultCellDecoder::Bit => ColumnValue::Bit(reader.lenenc_bytes(READING)?),
            ResultCellDecoder::Text => {
                let bytes = reader.lenenc_bytes(READING)?;
                std::str::from_utf8(bytes).map_or(ColumnValue::IllFormedText(bytes), ColumnValue::Text)
            }
            ResultCellDecoder::Bytes => ColumnValue::Bytes(reader.lenenc_bytes(READING)?),
        })
    }
}

/// Reads a row packet: `visit` gets the number of each column, in order, and its value.
#[inline]
pub fn read_result_row<'a, E: From<WireError>>(
    packet: &'a [u8],
    decoders: &[ResultCellDecoder],
    mut visit: impl FnMut(usize, ColumnValue<'a>) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = Reader::new(packet);
    if reader.u8(READING)? != 0 {
        return Err(WireError::invalid(READING, "it does not begin with a zero byte").into());
    }
    let nulls = reader.take((decoders.len() + 9) / 8, READING)?;
    for (column, decoder) in decoders.iter().enumerate() {
        let bit = column + 2;
        let is_null = nulls.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1);
        visit(column, if is_null { ColumnValue::Null } else { decoder.read(&mut reader)? })?;
    }
    if !reader.is_empty() {
        return Err(WireError::invalid(READING, "bytes behind the last column").into());
    }
    Ok(())
}

/// Year (2), month, day; hour, minute, second; microseconds (4): as many of the three groups as are not all zero.
fn datetime(reader: &mut Reader<'_>) -> Result<DateTime, WireError> {
    let length = reader.u8(READING)?;
    let mut value = DateTime::default();
    if !matches!(length, 0 | 4 | 7 | 11) {
        return Err(WireError::invalid(READING, "a date of an unknown length"));
    }
    if length >= 4 {
        let year = reader.u16(READING)?;
        let [month, day] = reader.array(READING)?;
        value.date = Date { year, month, day };
    }
    if length >= 7 {
        [value.hour, value.minute, value.second] = reader.array(READING)?;
    }
    if length >= 11 {
        value.micros = reader.u32(READING)?;
    }
    Ok(value)
}

/// Sign (1), days (4), hour, minute, second; microseconds (4).
fn time(reader: &mut Reader<'_>) -> Result<Time, WireError> {
    let length = reader.u8(READING)?;
    if length == 0 {
        return Ok(Time::default());
    }
    if !matches!(length, 8 | 12) {
        return Err(WireError::invalid(READING, "a time of an unknown length"));
    }
    let negative = reader.u8(READING)? != 0;
    let days = reader.u32(READING)?;
    let [hours, minutes, seconds] = reader.array(READING)?;
    let micros = if length == 12 { reader.u32(READING)? } else { 0 };
    let hours = days.checked_mul(24).and_then(|of_days| u16::try_from(of_days + u32::from(hours)).ok());
    let hours = hours.ok_or(WireError::invalid(READING, "a time of too many days"))?;
    Ok(Time { negative, hours, minutes, seconds, micros })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(decoder: ResultCellDecoder, bytes: &[u8]) -> ColumnValue<'_> {
        let mut reader = Reader::new(bytes);
        let value = decoder.read(&mut reader).unwrap();
        assert!(reader.is_empty());
        for cut in 0..bytes.len() {
            assert!(decoder.read(&mut Reader::new(&bytes[..cut])).is_err(), "{decoder:?} of {cut} bytes");
        }
        value
    }

    #[test]
    fn temporal_values_of_every_length() {
        let date = Date { year: 2024, month: 2, day: 29 };
        for (bytes, value) in [
            (&[0][..], DateTime::default()),
            (&[4, 0xe8, 0x07, 2, 29], DateTime { date, ..DateTime::default() }),
            (
                &[7, 0xe8, 0x07, 2, 29, 12, 13, 14],
                DateTime { date, hour: 12, minute: 13, second: 14, micros: 0 },
            ),
            (
                &[11, 0xe8, 0x07, 2, 29, 12, 13, 14, 0x40, 0xe2, 0x01, 0],
                DateTime { date, hour: 12, minute: 13, second: 14, micros: 123_456 },
            ),
        ] {
            assert_eq!(read(ResultCellDecoder::DateTime, bytes), ColumnValue::DateTime(value));
            assert_eq!(read(ResultCellDecoder::Date, bytes), ColumnValue::Date(value.date));
        }
        let least = Time { negative: true, hours: 838, minutes: 59, seconds: 59, micros: 0 };
        assert_eq!(read(ResultCellDecoder::Time, &[8, 1, 34, 0, 0, 0, 22, 59, 59]), ColumnValue::Time(least));
        let half = Time { negative: true, seconds: 1, micros: 500_000, ..Time::default() };
        let bytes = [12, 1, 0, 0, 0, 0, 0, 0, 1, 0x20, 0xa1, 0x07, 0];
        assert_eq!(read(ResultCellDecoder::Time, &bytes), ColumnValue::Time(half));
        assert_eq!(read(ResultCellDecoder::Time, &[0]), ColumnValue::Time(Time::default()));
        assert!(
            ResultCellDecoder::Time.read(&mut Reader::new(&[8, 0, 255, 255, 255, 255, 0, 0, 0])).is_err()
        );
        assert!(ResultCellDecoder::Date.read(&mut Reader::new(&[5, 0, 0, 0, 0, 0])).is_err());
    }

    /// U+D800 of a column of ucs2.
    #[test]
    fn surrogates_are_ill_formed_text() {
        let value = read(ResultCellDecoder::Text, b"\x03\xed\xa0\x80");
        assert_eq!(value, ColumnValue::IllFormedText(b"\xed\xa0\x80"));
    }

    #[test]
    fn a_row_with_nulls() {
        let columns = [
            (ColumnType::Long, false, 63),
            (ColumnType::Int24, false, 63),
            (ColumnType::VarString, false, 45),
            (ColumnType::VarString, false, 63),
            (ColumnType::NewDecimal, false, 63),
            (ColumnType::Json, false, 63),
            (ColumnType::LongLong, true, 63),
            (ColumnType::Year, true, 63),
            (ColumnType::Bit, true, 63),
        ];
        let decoders =
            columns.map(|(kind, unsigned, charset)| ResultCellDecoder::new(kind, unsigned, charset).unwrap());
        let mut packet = vec![0, 0b0000_0100, 0b0000_0000];
        packet.extend([0xff; 4]);
        packet.extend(b"\x02\xc3\xa9\x01\xff\x06-12.50\x02{}");
        packet.extend([0xff; 8]);
        packet.extend([0xe8, 0x07, 1, 0x05]);
        let mut values = Vec::new();
        read_result_row(&packet, &decoders, |_, value| {
            values.push(value);
            Ok::<_, WireError>(())
        })
        .unwrap();
        let expected = [
            ColumnValue::Null,
            ColumnValue::Int(-1),
            ColumnValue::Text("é"),
            ColumnValue::Bytes(&[0xff]),
            ColumnValue::DecimalText(b"-12.50"),
            ColumnValue::Text("{}"),
            ColumnValue::UInt(u64::MAX),
            ColumnValue::Year(2024),
            ColumnValue::Bit(&[5]),
        ];
        assert_eq!(values, expected);
        let row = |packet: &[u8]| read_result_row(packet, &decoders, |_, _| Ok::<_, WireError>(()));
        packet.push(0);
        assert_eq!(row(&packet).unwrap_err().to_string(), "invalid result row: bytes behind the last column");
        assert!(row(&[0xfe]).is_err() && row(&[]).is_err());
    }
}
