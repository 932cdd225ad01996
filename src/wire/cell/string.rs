//! CHAR, VARCHAR, BINARY, VARBINARY (a length of 1 or 2 bytes), the TEXT and BLOB family, GEOMETRY, VECTOR, JSON (1 to
//! 4 bytes), then the bytes as stored: CHAR without its trailing spaces, BINARY without its trailing zero bytes.

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

#[inline]
pub(super) fn bytes<'a>(reader: &mut Reader<'a>, length_size: u8) -> Result<&'a [u8], WireError> {
    const READING: &str = "string cell";
    let length = match length_size {
        1 => u32::from(reader.u8(READING)?),
        2 => u32::from(reader.u16(READING)?),
        3 => reader.u24(READING)?,
        _ => reader.u32(READING)?,
    };
    reader.take(length as usize, READING)
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue;
    use crate::wire::column_type::ColumnType;

    #[test]
    fn lengths_of_every_width() {
        for length_size in 1..=4u8 {
            let mut bytes = vec![0; usize::from(length_size)];
            bytes[0] = 3;
            bytes.extend(b"abc");
            assert_eq!(read(CellDecoder::Bytes { length_size }, &bytes), ColumnValue::Bytes(b"abc"));
            assert_eq!(read(CellDecoder::Json { length_size }, &bytes), ColumnValue::Jsonb(b"abc"));
        }
    }

    #[test]
    fn a_string_of_more_than_255_bytes_has_a_length_of_two() {
        for (metadata, length_size) in [(0, 1), (255, 1), (256, 2), (65_535, 2)] {
            for column_type in [ColumnType::VarChar, ColumnType::String] {
                let decoder = CellDecoder::new(column_type, metadata, false).unwrap();
                assert_eq!(decoder, CellDecoder::Bytes { length_size });
            }
        }
    }
}
