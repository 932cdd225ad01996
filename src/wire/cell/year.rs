//! YEAR: 1 byte, the years since 1900; 0 is the year 0000.

use crate::connect::cell::ColumnValue;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

#[inline]
pub(super) fn year<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    let since_1900 = u16::from(reader.u8("YEAR cell")?);
    Ok(ColumnValue::Year(if since_1900 == 0 { 0 } else { 1900 + since_1900 }))
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue::Year;

    #[test]
    fn the_range() {
        for (byte, year) in [(0, 0), (1, 1901), (124, 2024), (255, 2155)] {
            assert_eq!(read(CellDecoder::Year, &[byte]), Year(year));
        }
    }
}
