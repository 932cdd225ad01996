//! ENUM: the number of the label from 1, 0 for the invalid value, in 1 byte up to 255 labels, else 2. SET: a bit a
//! label, in 1, 2, 3, 4 or 8 bytes. Little endian.

use crate::connect::cell::ColumnValue;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

#[inline]
pub(super) fn label_number<'a>(reader: &mut Reader<'a>, size: u8) -> Result<ColumnValue<'a>, WireError> {
    const READING: &str = "ENUM cell";
    let number = if size == 1 { u16::from(reader.u8(READING)?) } else { reader.u16(READING)? };
    Ok(ColumnValue::Enum(number))
}

#[inline]
pub(super) fn label_bits<'a>(reader: &mut Reader<'a>, size: u8) -> Result<ColumnValue<'a>, WireError> {
    Ok(ColumnValue::Set(reader.uint_le(usize::from(size), "SET cell")?))
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue::{Enum, Set};

    #[test]
    fn numbers_and_bits() {
        assert_eq!(read(CellDecoder::Enum { size: 1 }, &[255]), Enum(255));
        assert_eq!(read(CellDecoder::Enum { size: 1 }, &[0]), Enum(0));
        assert_eq!(read(CellDecoder::Enum { size: 2 }, &[0x00, 0x01]), Enum(256));
        assert_eq!(read(CellDecoder::Set { size: 1 }, &[0b101]), Set(5));
        assert_eq!(read(CellDecoder::Set { size: 3 }, &[0, 0, 0x80]), Set(1 << 23));
        assert_eq!(read(CellDecoder::Set { size: 8 }, &[255; 8]), Set(u64::MAX));
    }
}
