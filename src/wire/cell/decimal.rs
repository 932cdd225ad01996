//! DECIMAL: as many bytes as its digits take (`wire::decimal`), left packed for whoever needs the value.

use crate::wire::cell::CellDecoder;
use crate::wire::decimal::packed_size;
use crate::wire::error::WireError;

/// The decoder for precision × 256 + scale.
pub(super) fn decoder(metadata: u16) -> Result<CellDecoder, WireError> {
    let [precision, scale] = metadata.to_be_bytes();
    Ok(CellDecoder::Decimal { precision, scale, size: packed_size(precision, scale)? })
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use super::*;
    use crate::connect::cell::ColumnValue;
    use crate::wire::column_type::ColumnType;

    #[test]
    fn the_digits_stay_packed() {
        let decoder = CellDecoder::new(ColumnType::NewDecimal, 10 * 256 + 4, false).unwrap();
        let packed = [0x80, 0x04, 0xd2, 0x16, 0x2e];
        assert_eq!(
            read(decoder, &packed),
            ColumnValue::PackedDecimal { packed: &packed, precision: 10, scale: 4 }
        );
    }
}
