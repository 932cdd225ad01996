//! DATETIME. Since MySQL 5.6 (`my_datetime_packed_to_binary`): 5 bytes and a fraction, big endian: an offset of
//! 0x8000000000, 17 bits of year × 13 + month, 5 of day, 5 of hour, 6 of minute, 6 of second.
//! Before: 8 bytes, little endian: the decimal digits YYYYMMDDHHMMSS.

use crate::connect::cell::{ColumnValue, Date, DateTime};
use crate::wire::cell::fraction_micros;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

const READING: &str = "DATETIME cell";

#[inline]
pub(super) fn datetime<'a>(reader: &mut Reader<'a>, fraction: u8) -> Result<ColumnValue<'a>, WireError> {
    let packed = reader.uint_be(5, READING)?;
    let micros = fraction_micros(reader.uint_be(usize::from(fraction), READING)?, fraction);
    let packed = packed.checked_sub(0x80_0000_0000).ok_or(WireError::invalid(READING, "a negative date"))?;
    Ok(ColumnValue::DateTime(unpack(packed, micros)))
}

/// Takes the fields out of the packed number, the fraction and the offset left out.
#[inline]
pub(in crate::wire) fn unpack(packed: u64, micros: u32) -> DateTime {
    let months = packed >> 22;
    DateTime {
        date: Date {
            year: (months / 13) as u16,
            month: (months % 13) as u8,
            day: (packed >> 17 & 0x1f) as u8,
        },
        hour: (packed >> 12 & 0x1f) as u8,
        minute: (packed >> 6 & 0x3f) as u8,
        second: (packed & 0x3f) as u8,
        micros,
    }
}

#[inline]
pub(super) fn old_datetime<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    let digits = reader.u64(READING)?;
    Ok(ColumnValue::DateTime(DateTime {
        date: Date {
            year: (digits / 10_000_000_000) as u16,
            month: (digits / 100_000_000 % 100) as u8,
            day: (digits / 1_000_000 % 100) as u8,
        },
        hour: (digits / 10_000 % 100) as u8,
        minute: (digits / 100 % 100) as u8,
        second: (digits % 100) as u8,
        micros: 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::{ColumnValue, Date, DateTime};

    fn datetime(date: (u16, u8, u8), clock: (u8, u8, u8), micros: u32) -> ColumnValue<'static> {
        let (year, month, day) = date;
        let (hour, minute, second) = clock;
        ColumnValue::DateTime(DateTime { date: Date { year, month, day }, hour, minute, second, micros })
    }

    /// Bytes written by MySQL 9.7 and checked by hand: 2024-02-29 12:13:14 is
    /// ((2024 * 13 + 2) << 22) + (29 << 17) + (12 << 12) + (13 << 6) + 14 + 0x8000000000.
    #[test]
    fn fractions_of_every_width() {
        let leap = ((2024u64 * 13 + 2) << 22) + (29 << 17) + (12 << 12) + (13 << 6) + 14 + (1 << 39);
        let leap = &leap.to_be_bytes()[3..];
        for (fraction, digits, micros) in [
            (0, &[][..], 0),
            (1, &[99], 990_000),
            (2, &[0x27, 0x0f], 999_900),
            (3, &[0x0f, 0x42, 0x3f], 999_999),
        ] {
            let bytes = [leap, digits].concat();
            let value = datetime((2024, 2, 29), (12, 13, 14), micros);
            assert_eq!(read(CellDecoder::DateTime { fraction }, &bytes), value);
        }
    }

    #[test]
    fn extremes() {
        let decoder = CellDecoder::DateTime { fraction: 0 };
        assert_eq!(read(decoder, &[0x80, 0, 0, 0, 0]), datetime((0, 0, 0), (0, 0, 0), 0));
        assert_eq!(read(decoder, &[0xfe, 0xf3, 0xff, 0x7e, 0xfb]), datetime((9999, 12, 31), (23, 59, 59), 0));
        assert!(decoder.read(&mut crate::wire::Reader::new(&[0x7f, 0, 0, 0, 0])).is_err());
    }

    #[test]
    fn the_old_form_is_decimal() {
        let bytes = 20_240_229_121_314_u64.to_le_bytes();
        assert_eq!(read(CellDecoder::OldDateTime, &bytes), datetime((2024, 2, 29), (12, 13, 14), 0));
    }
}
