//! TIME. Since MySQL 5.6 (`my_time_packed_to_binary`): 3 bytes and a fraction, big endian, as one number: 10 bits of
//! hours, 6 of minutes, 6 of seconds, the fraction; offset by 0x800000 in the first three bytes, so that a negative
//! time is less. The fraction of a negative time is part of that number, as two's complement would have it.
//! Before: 3 bytes, little endian, signed: the decimal digits HHMMSS.

use crate::connect::cell::{ColumnValue, Time};
use crate::wire::cell::fraction_micros;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

const READING: &str = "TIME cell";

#[inline]
pub(super) fn time<'a>(reader: &mut Reader<'a>, fraction: u8) -> Result<ColumnValue<'a>, WireError> {
    let fraction_bits = u32::from(fraction) * 8;
    let stored = reader.uint_be(3 + usize::from(fraction), READING)?.cast_signed();
    let signed = stored - (0x80_0000 << fraction_bits);
    let magnitude = signed.unsigned_abs();
    let clock = magnitude >> fraction_bits;
    Ok(ColumnValue::Time(Time {
        negative: signed < 0,
        hours: (clock >> 12 & 0x3ff) as u16,
        minutes: (clock >> 6 & 0x3f) as u8,
        seconds: (clock & 0x3f) as u8,
        micros: fraction_micros(magnitude & ((1 << fraction_bits) - 1), fraction),
    }))
}

#[inline]
pub(super) fn old_time<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    let signed = (reader.u24(READING)? << 8).cast_signed() >> 8;
    let digits = signed.unsigned_abs();
    Ok(ColumnValue::Time(Time {
        negative: signed < 0,
        hours: (digits / 10_000) as u16,
        minutes: (digits / 100 % 100) as u8,
        seconds: (digits % 100) as u8,
        micros: 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue;
    use crate::connect::cell::Time;

    fn time(negative: bool, hours: u16, minutes: u8, seconds: u8, micros: u32) -> ColumnValue<'static> {
        ColumnValue::Time(Time { negative, hours, minutes, seconds, micros })
    }

    /// Worked out by hand: -00:00:01.5 as TIME(1) is 0x800000 00 - 0x000001 32 = 7ffffe ce.
    #[test]
    fn fractions_of_every_width_either_side_of_zero() {
        for (fraction, bytes, value) in [
            (0, &[0x80, 0x00, 0x00][..], time(false, 0, 0, 0, 0)),
            (0, &[0xb4, 0x6e, 0xfb], time(false, 838, 59, 59, 0)),
            (0, &[0x4b, 0x91, 0x05], time(true, 838, 59, 59, 0)),
            (0, &[0x7f, 0xff, 0xff], time(true, 0, 0, 1, 0)),
            (1, &[0x7f, 0xff, 0xfe, 0xce], time(true, 0, 0, 1, 500_000)),
            (1, &[0x7f, 0xff, 0xff, 0xf6], time(true, 0, 0, 0, 100_000)),
            (1, &[0x80, 0x00, 0x01, 0x63], time(false, 0, 0, 1, 990_000)),
            (1, &[0x7f, 0x5f, 0xff, 0x9d], time(true, 10, 0, 0, 990_000)),
            (2, &[0x7f, 0xff, 0xfe, 0xec, 0x78], time(true, 0, 0, 1, 500_000)),
            (2, &[0x7f, 0xff, 0xff, 0xff, 0xf6], time(true, 0, 0, 0, 1_000)),
            (3, &[0x7f, 0xff, 0xff, 0xff, 0xff, 0xff], time(true, 0, 0, 0, 1)),
            (3, &[0x7f, 0xff, 0xfe, 0xf8, 0x5e, 0xe0], time(true, 0, 0, 1, 500_000)),
            (3, &[0xb4, 0x6e, 0xfb, 0x00, 0x00, 0x00], time(false, 838, 59, 59, 0)),
            (3, &[0x80, 0xc8, 0xb8, 0x01, 0xe2, 0x40], time(false, 12, 34, 56, 123_456)),
        ] {
            assert_eq!(read(CellDecoder::Time { fraction }, bytes), value, "{bytes:02x?}");
        }
    }

    #[test]
    fn the_old_form_keeps_its_sign() {
        assert_eq!(read(CellDecoder::OldTime, &[0x40, 0xe2, 0x01]), time(false, 12, 34, 56, 0));
        assert_eq!(read(CellDecoder::OldTime, &[0xc0, 0x1d, 0xfe]), time(true, 12, 34, 56, 0));
    }
}
