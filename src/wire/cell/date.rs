//! DATE: 3 bytes, little endian: 15 bits of year, 4 of month, 5 of day.

use crate::connect::cell::{ColumnValue, Date};
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

#[inline]
pub(super) fn date<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    let packed = reader.u24("DATE cell")?;
    Ok(ColumnValue::Date(Date {
        year: (packed >> 9) as u16,
        month: (packed >> 5 & 0xf) as u8,
        day: (packed & 0x1f) as u8,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue;
    use crate::connect::cell::Date;

    #[test]
    fn dates_are_not_checked() {
        for (packed, (year, month, day)) in [
            (2024 << 9 | 2 << 5 | 29, (2024, 2, 29)),
            (9999 << 9 | 12 << 5 | 31, (9999, 12, 31)),
            (1000 << 9 | 1 << 5 | 1, (1000, 1, 1)),
            (2023 << 9 | 2 << 5 | 31, (2023, 2, 31)),
            (2023 << 9, (2023, 0, 0)),
            (0, (0, 0, 0)),
        ] {
            let bytes = u32::to_le_bytes(packed);
            let date = Date { year, month, day };
            assert_eq!(read(CellDecoder::Date, &bytes[..3]), ColumnValue::Date(date));
        }
    }
}
