//! The optional metadata of a TABLE_MAP event (`binlog_row_metadata`): a field number (1 byte), a length-encoded length
//! and a value, repeated. Manual: "TABLE_MAP_EVENT", optional metadata fields.
//!
//! Lists refer to the columns of one kind in their order: signedness to numeric columns, character sets to character
//! columns (or to ENUM and SET columns), labels to SET or ENUM columns. A field that is not known is skipped.

use crate::wire::error::WireError;
use crate::wire::reader::Reader;

const READING: &str = "optional metadata of table map event";

/// A collation id for most columns, with exceptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultCharset {
    /// The id for the columns that are no exception.
    pub collation: u64,
    /// The number of the column among the character columns, and its id.
    pub exceptions: Vec<(u64, u64)>,
}

/// What the server tells of a table beyond the layout of its rows. Each is `None` or empty where it was not written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableMetadata<'a> {
    /// A bit a numeric column, highest bit first: set for unsigned.
    pub signedness: Option<&'a [u8]>,
    /// Collations of the character columns.
    pub default_charset: Option<DefaultCharset>,
    /// The collation id of each character column.
    pub column_charset: Vec<u64>,
    /// The column names, in utf8mb3.
    pub column_names: Vec<&'a [u8]>,
    /// The labels of each SET column, in the column's character set.
    pub set_labels: Vec<Vec<&'a [u8]>>,
    /// The labels of each ENUM column, in the column's character set.
    pub enum_labels: Vec<Vec<&'a [u8]>>,
    /// The kind of each geometry column.
    pub geometry_types: Vec<u64>,
    /// The columns of the primary key, counted from 0, with the length of the prefix in characters, 0 for all of it.
    pub primary_key: Vec<(u64, u64)>,
    /// Collations of the ENUM and SET columns.
    pub enum_and_set_default_charset: Option<DefaultCharset>,
    /// The collation id of each ENUM and SET column.
    pub enum_and_set_column_charset: Vec<u64>,
    /// A bit a column, highest bit first: set for visible.
    pub visibility: Option<&'a [u8]>,
    /// The dimension of each VECTOR column.
    pub vector_dimensionality: Vec<u64>,
}

impl<'a> TableMetadata<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, WireError> {
        let mut metadata = TableMetadata::default();
        let mut fields = Reader::new(bytes);
        while !fields.is_empty() {
            let field = fields.u8(READING)?;
            let value = Reader::new(fields.lenenc_bytes(READING)?);
            match field {
                1 => metadata.signedness = Some(value.peek()),
                2 => metadata.default_charset = Some(default_charset(value)?),
                3 => metadata.column_charset = list(value, integer)?,
                4 => metadata.column_names = list(value, text)?,
                5 => metadata.set_labels = list(value, labels)?,
                6 => metadata.enum_labels = list(value, labels)?,
                7 => metadata.geometry_types = list(value, integer)?,
                8 => metadata.primary_key = list(value, |value| Ok((integer(value)?, 0)))?,
                9 => metadata.primary_key = list(value, pair)?,
                10 => metadata.enum_and_set_default_charset = Some(default_charset(value)?),
                11 => metadata.enum_and_set_column_charset = list(value, integer)?,
                12 => metadata.visibility = Some(value.peek()),
                13 => metadata.vector_dimensionality = list(value, integer)?,
                _ => {}
            }
        }
        Ok(metadata)
    }

    /// Whether the numeric column of a number (counted among the numeric columns only) is unsigned.
    pub fn is_unsigned(&self, numeric_column: usize) -> bool {
        self.signedness.is_some_and(|bits| bit(bits, numeric_column))
    }

    /// Whether a column is visible; all are where the server does not say.
    pub fn is_visible(&self, column: usize) -> bool {
        self.visibility.is_none_or(|bits| bit(bits, column))
    }
}

/// A bit of a bitmap that begins with the highest one.
fn bit(bits: &[u8], index: usize) -> bool {
    bits.get(index / 8).is_some_and(|byte| byte << (index % 8) & 0x80 != 0)
}

fn list<'a, T>(
    mut value: Reader<'a>,
    read: impl Fn(&mut Reader<'a>) -> Result<T, WireError>,
) -> Result<Vec<T>, WireError> {
    let mut items = Vec::new();
    while !value.is_empty() {
        items.push(read(&mut value)?);
    }
    Ok(items)
}

fn integer(value: &mut Reader<'_>) -> Result<u64, WireError> {
    value.lenenc_int(READING)
}

fn pair(value: &mut Reader<'_>) -> Result<(u64, u64), WireError> {
    Ok((integer(value)?, integer(value)?))
}

fn text<'a>(value: &mut Reader<'a>) -> Result<&'a [u8], WireError> {
    value.lenenc_bytes(READING)
}

fn labels<'a>(value: &mut Reader<'a>) -> Result<Vec<&'a [u8]>, WireError> {
    (0..integer(value)?).map(|_| text(value)).collect()
}

fn default_charset(mut value: Reader<'_>) -> Result<DefaultCharset, WireError> {
    Ok(DefaultCharset { collation: integer(&mut value)?, exceptions: list(value, pair)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fields() {
        let bytes = [
            &[1, 1, 0b1010_0000][..],
            &[2, 3, 45, 1, 63],
            &[3, 4, 0xfc, 0xff, 0x00, 8],
            &[4, 5, 2, b'i', b'd', 1, b'x'],
            &[5, 5, 2, 1, b'a', 1, b'b'],
            &[6, 6, 1, 1, b'c', 1, 1, b'd'],
            &[7, 1, 1],
            &[9, 4, 0, 0, 1, 10],
            &[10, 1, 255 - 5],
            &[11, 1, 33],
            &[12, 1, 0b1000_0000],
            &[13, 1, 3],
            &[77, 2, 9, 9],
        ]
        .concat();
        let metadata = TableMetadata::read(&bytes).unwrap();
        assert!(metadata.is_unsigned(0) && !metadata.is_unsigned(1) && metadata.is_unsigned(2));
        assert!(metadata.is_visible(0) && !metadata.is_visible(1) && !metadata.is_unsigned(99));
        assert_eq!(
            metadata.default_charset,
            Some(DefaultCharset { collation: 45, exceptions: vec![(1, 63)] })
        );
        assert_eq!(metadata.column_charset, [255, 8]);
        assert_eq!(metadata.column_names, [&b"id"[..], b"x"]);
        assert_eq!(metadata.set_labels, [[b"a", b"b"]]);
        assert_eq!(metadata.enum_labels, [[b"c"], [b"d"]]);
        assert_eq!(metadata.primary_key, [(0, 0), (1, 10)]);
        assert_eq!(metadata.vector_dimensionality, [3]);
        for cut in [1, 2, bytes.len() - 1] {
            assert!(TableMetadata::read(&bytes[..cut]).is_err(), "{cut}");
        }
        assert!(TableMetadata::read(&[5, 1, 250]).is_err());
    }
}
