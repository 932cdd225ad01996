//! TINYINT to BIGINT: 1, 2, 3, 4, 8 bytes, little endian, two's complement.

use crate::connect::cell::ColumnValue;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

macro_rules! integer {
    ($name:ident, $read:ident, $unsigned_name:ident, $cell:literal) => {
        #[inline]
        pub(super) fn $name<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
            Ok(ColumnValue::Int(i64::from(reader.$read($cell)?.cast_signed())))
        }

        #[inline]
        pub(super) fn $unsigned_name<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
            Ok(ColumnValue::UInt(u64::from(reader.$read($cell)?)))
        }
    };
}

integer!(tiny, u8, unsigned_tiny, "TINYINT cell");
integer!(short, u16, unsigned_short, "SMALLINT cell");
integer!(long, u32, unsigned_long, "INT cell");
integer!(long_long, u64, unsigned_long_long, "BIGINT cell");

#[inline]
pub(super) fn int24<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    // The sign bit moves up to bit 31 and back down again.
    let value = (reader.u24("MEDIUMINT cell")? << 8).cast_signed() >> 8;
    Ok(ColumnValue::Int(i64::from(value)))
}

#[inline]
pub(super) fn unsigned_int24<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    Ok(ColumnValue::UInt(u64::from(reader.u24("MEDIUMINT cell")?)))
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue::{Int, UInt};

    #[test]
    fn extremes_of_every_width() {
        for (decoder, bytes, value) in [
            (CellDecoder::Tiny, &[0x80][..], Int(-128)),
            (CellDecoder::Tiny, &[0x7f], Int(127)),
            (CellDecoder::UnsignedTiny, &[0xff], UInt(255)),
            (CellDecoder::Short, &[0x00, 0x80], Int(-32_768)),
            (CellDecoder::UnsignedShort, &[0xff, 0xff], UInt(65_535)),
            (CellDecoder::Int24, &[0xff, 0xff, 0xff], Int(-1)),
            (CellDecoder::Int24, &[0xfb, 0xff, 0xff], Int(-5)),
            (CellDecoder::Int24, &[0x00, 0x00, 0x80], Int(-8_388_608)),
            (CellDecoder::Int24, &[0xff, 0xff, 0x7f], Int(8_388_607)),
            (CellDecoder::UnsignedInt24, &[0xff, 0xff, 0xff], UInt(16_777_215)),
            (CellDecoder::Long, &[0x00, 0x00, 0x00, 0x80], Int(-2_147_483_648)),
            (CellDecoder::UnsignedLong, &[0xff; 4], UInt(4_294_967_295)),
            (CellDecoder::LongLong, &[0, 0, 0, 0, 0, 0, 0, 0x80], Int(i64::MIN)),
            (CellDecoder::LongLong, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], Int(i64::MAX)),
            (CellDecoder::UnsignedLongLong, &[0xff; 8], UInt(u64::MAX)),
        ] {
            assert_eq!(read(decoder, bytes), value, "{decoder:?}");
        }
    }
}
