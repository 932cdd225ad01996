//! BIT(n): as many bytes as n bits need, most significant first, unused high bits zero.

use crate::connect::cell::ColumnValue;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

#[inline]
pub(super) fn bit<'a>(reader: &mut Reader<'a>, size: u8) -> Result<ColumnValue<'a>, WireError> {
    reader.take(usize::from(size), "BIT cell").map(ColumnValue::Bit)
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue;
    use crate::wire::column_type::ColumnType;

    #[test]
    fn every_width() {
        for bits in 1..=64u16 {
            let decoder = CellDecoder::new(ColumnType::Bit, bits, false).unwrap();
            let bytes = vec![1; usize::from(bits.div_ceil(8))];
            assert_eq!(read(decoder, &bytes), ColumnValue::Bit(&bytes), "BIT({bits})");
        }
    }
}
