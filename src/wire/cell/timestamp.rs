//! TIMESTAMP. Since MySQL 5.6 (`my_timestamp_to_binary`): 4 bytes of seconds since 1970 (UTC) and a fraction, big
//! endian. Before: 4 bytes, little endian. MySQL stores up to 2^31 - 1, MariaDB 11.5 and later up to 2^32 - 1.

use crate::connect::cell::ColumnValue;
use crate::wire::cell::fraction_micros;
use crate::wire::error::WireError;
use crate::wire::reader::Reader;

const READING: &str = "TIMESTAMP cell";

#[inline]
pub(super) fn timestamp<'a>(reader: &mut Reader<'a>, fraction: u8) -> Result<ColumnValue<'a>, WireError> {
    let seconds = i64::from(u32::from_be_bytes(reader.array(READING)?));
    let micros = fraction_micros(reader.uint_be(usize::from(fraction), READING)?, fraction);
    Ok(ColumnValue::Timestamp { seconds, micros })
}

#[inline]
pub(super) fn old_timestamp<'a>(reader: &mut Reader<'a>) -> Result<ColumnValue<'a>, WireError> {
    Ok(ColumnValue::Timestamp { seconds: i64::from(reader.u32(READING)?), micros: 0 })
}

#[cfg(test)]
mod tests {
    use super::super::CellDecoder;
    use super::super::tests::read;
    use crate::connect::cell::ColumnValue::Timestamp;

    #[test]
    fn fractions_of_every_width() {
        for (fraction, bytes, seconds, micros) in [
            (0, &[0, 0, 0, 0][..], 0, 0),
            (0, &[0xff, 0xff, 0xff, 0xff], 4_294_967_295, 0),
            (1, &[0x7f, 0xff, 0xff, 0xff, 90], 2_147_483_647, 900_000),
            (2, &[0, 0, 0, 1, 0x04, 0xd2], 1, 123_400),
            (3, &[0, 0, 0, 1, 0x01, 0xe2, 0x40], 1, 123_456),
        ] {
            assert_eq!(read(CellDecoder::Timestamp { fraction }, bytes), Timestamp { seconds, micros });
        }
        assert_eq!(read(CellDecoder::OldTimestamp, &[1, 0, 0, 0]), Timestamp { seconds: 1, micros: 0 });
    }
}
