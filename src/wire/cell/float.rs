//! FLOAT and DOUBLE: IEEE 754, 4 and 8 bytes, little endian. `FLOAT(M,D)` and `REAL` are one of these.

use crate::connect::cell::ColumnValue;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

#[inline]
pub(super) fn float<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    Ok(ColumnValue::Float(f32::from_bits(reader.u32("FLOAT cell")?)))
}

#[inline]
pub(super) fn double<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    Ok(ColumnValue::Double(f64::from_bits(reader.u64("DOUBLE cell")?)))
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue;

    #[test]
    fn both_widths() {
        assert_eq!(read(CellDecoder::Float, &[0x00, 0x00, 0xc0, 0xbf]), ColumnValue::Float(-1.5));
        assert_eq!(read(CellDecoder::Double, &[0, 0, 0, 0, 0, 0, 0xf8, 0x3f]), ColumnValue::Double(1.5));
    }
}
