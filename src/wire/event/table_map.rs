//! TABLE_MAP: which table the rows events behind it mean by an id, and how its columns are written. Manual:
//! "TABLE_MAP_EVENT"; `Table_map_event` in libs/mysql/binlog/event/rows_event.h.
//!
//! Body: table id (6), flags (2), database and table (a length, the name and a zero byte each), the number of columns,
//! a type byte a column, the metadata of the columns (how long is told by the type), a bitmap of nullable columns, and
//! since MySQL 8.0 optional metadata (`table_metadata`).
//!
//! One stands in front of every statement's rows, mostly the same as the last one of that table. So reading it only
//! borrows, and `layout` gives the bytes by whose equality a caller finds the decoders compiled before.

use crate::wire::bitmap::Bitmap;
use crate::wire::cell::CellDecoder;
use crate::wire::column_type::ColumnType;
use crate::wire::error::WireError;
use crate::wire::event::table_metadata::TableMetadata;
use crate::wire::reader::Reader;

const READING: &str = "table map event";

/// A table and the layout of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMapEvent<'a> {
    /// The id, good until the next table map with the same id, or the end of the file.
    pub table_id: u64,
    /// The event's flags.
    pub flags: u16,
    /// The database's name, in utf8mb3.
    pub database: &'a [u8],
    /// The table's name, in utf8mb3.
    pub table: &'a [u8],
    /// The columns that can be NULL.
    pub nullable: Bitmap<'a>,
    /// The optional metadata, not read yet; empty before MySQL 8.0.
    pub optional_metadata: &'a [u8],
    types: &'a [u8],
    metadata: &'a [u8],
    body: &'a [u8],
}

/// How the cells of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnLayout {
    /// The type; for ENUM and SET it is that, not the STRING under which the server sends them.
    pub column_type: ColumnType,
    /// What the type needs to know: FLOAT, DOUBLE: size in bytes · VARCHAR, STRING: most bytes · ENUM, SET: size in
    /// bytes · BIT: number of bits · NEWDECIMAL: precision × 256 + scale · BLOB, JSON, GEOMETRY, VECTOR: size of the
    /// length in bytes · TIME2, DATETIME2, TIMESTAMP2: fractional digits · otherwise 0.
    pub metadata: u16,
    /// Whether the column can be NULL.
    pub nullable: bool,
}

impl<'a> TableMapEvent<'a> {
    /// Reads what follows the table id.
    pub(super) fn read(table_id: u64, mut body: Reader<'a>) -> Result<Self, WireError> {
        let whole = body.peek();
        let flags = body.u16(READING)?;
        let database = body.lenenc_bytes("database name of table map event")?;
        body.u8(READING)?;
        let table = body.lenenc_bytes("table name of table map event")?;
        body.u8(READING)?;
        let count = body.lenenc_size(READING)?;
        let types = body.take(count, "column types of table map event")?;
        let metadata = body.lenenc_bytes("column metadata of table map event")?;
        let nullable = Bitmap::read(&mut body, count, "null bitmap of table map event")?;
        let optional_metadata = body.rest();
        Ok(TableMapEvent {
            table_id,
            flags,
            database,
            table,
            nullable,
            optional_metadata,
            types,
            metadata,
            body: whole,
        })
    }

    /// Reads a body again.
    pub fn of_body(table_id: u64, body: &'a [u8]) -> Result<Self, WireError> {
        Self::read(table_id, Reader::new(body))
    }

    /// All that follows the table id, without the checksum, which covers the event's time and place too: the table maps of
    /// one table version are equal in it.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The number of columns.
    pub fn column_count(&self) -> usize {
        self.types.len()
    }

    /// The type bytes and the metadata: two table maps with equal ones have rows of the same form.
    pub fn layout(&self) -> (&'a [u8], &'a [u8]) {
        (self.types, self.metadata)
    }

    /// The columns, in order.
    pub fn columns(&self) -> Result<Vec<ColumnLayout>, WireError> {
        let mut metadata = Reader::new(self.metadata);
        let columns = self.types.iter().enumerate().map(|(index, code)| {
            let (column_type, metadata) = column_metadata(ColumnType::from_code(*code)?, &mut metadata)?;
            Ok(ColumnLayout { column_type, metadata, nullable: self.nullable.get(index) })
        });
        let columns = columns.collect::<Result<Vec<_>, WireError>>()?;
        if !metadata.is_empty() {
            return Err(WireError::invalid(READING, "more column metadata than the columns need"));
        }
        Ok(columns)
    }

    /// A decoder for each column. `unsigned` says which columns are so declared; the event itself says it only in its
    /// optional metadata, which older servers do not write.
    pub fn cell_decoders(&self, unsigned: impl Fn(usize) -> bool) -> Result<Vec<CellDecoder>, WireError> {
        let columns = self.columns()?;
        let decoders = columns
            .iter()
            .enumerate()
            .map(|(index, column)| CellDecoder::new(column.column_type, column.metadata, unsigned(index)));
        decoders.collect()
    }

    /// The optional metadata.
    pub fn table_metadata(&self) -> Result<TableMetadata<'a>, WireError> {
        TableMetadata::read(self.optional_metadata)
    }
}

/// Reads a column's metadata and normalises it.
fn column_metadata(kind: ColumnType, metadata: &mut Reader<'_>) -> Result<(ColumnType, u16), WireError> {
    const READING: &str = "column metadata of table map event";
    Ok(match kind {
        ColumnType::Float
        | ColumnType::Double
        | ColumnType::TinyBlob
        | ColumnType::MediumBlob
        | ColumnType::LongBlob
        | ColumnType::Blob
        | ColumnType::Json
        | ColumnType::Geometry
        | ColumnType::Vector
        | ColumnType::Time2
        | ColumnType::DateTime2
        | ColumnType::Timestamp2 => (kind, u16::from(metadata.u8(READING)?)),
        ColumnType::VarChar => (kind, metadata.u16(READING)?),
        ColumnType::NewDecimal => (kind, u16::from_be_bytes(metadata.array(READING)?)),
        ColumnType::Bit => {
            let [bits, bytes] = metadata.array(READING)?;
            (kind, u16::from(bytes) * 8 + u16::from(bits))
        }
        ColumnType::String | ColumnType::VarString | ColumnType::Enum | ColumnType::Set => {
            let [first, second] = metadata.array(READING)?;
            // The first byte is the real type. Of a CHAR of more than 255 bytes, bits 4 and 5 hold bits 8 and 9 of the
            // length, inverted (`Field_string::do_save_field_metadata`).
            if first & 0x30 == 0x30 {
                (ColumnType::from_code(first)?, u16::from(second))
            } else {
                let high = u16::from(first & 0x30 ^ 0x30) << 4;
                (ColumnType::from_code(first | 0x30)?, high | u16::from(second))
            }
        }
        ColumnType::TypedArray => {
            let element = ColumnType::from_code(metadata.u8(READING)?)?;
            if element == ColumnType::VarChar {
                metadata.u24(READING)?;
            } else if element != ColumnType::TypedArray {
                column_metadata(element, metadata)?;
            }
            (kind, 0)
        }
        _ => (kind, 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_map(types: &[u8], metadata: &[u8]) -> Vec<u8> {
        let mut body = b"\x01\x00\x02db\x00\x01t\x00".to_vec();
        body.push(types.len() as u8);
        body.extend(types);
        body.push(metadata.len() as u8);
        body.extend(metadata);
        body.extend(vec![0xff; types.len().div_ceil(8)]);
        body
    }

    fn columns(types: &[u8], metadata: &[u8]) -> Result<Vec<(ColumnType, u16)>, WireError> {
        let body = table_map(types, metadata);
        let event = TableMapEvent::read(7, Reader::new(&body))?;
        assert_eq!((event.database, event.table, event.flags), (&b"db"[..], &b"t"[..], 1));
        Ok(event.columns()?.iter().map(|column| (column.column_type, column.metadata)).collect())
    }

    /// Metadata as MySQL 9.7 wrote it for: int, varchar(300), decimal(10,2), bit(12), enum, set, char(10) utf8mb4,
    /// char(255) utf8mb4 (1020 bytes), datetime(3), json, longtext, double.
    #[test]
    fn metadata_is_normalised() {
        let types = [3, 15, 246, 16, 254, 254, 254, 254, 18, 245, 252, 5];
        let metadata = [0xb0, 0x04, 10, 2, 4, 1, 247, 1, 248, 2, 0xfe, 40, 0xce, 0xfc, 3, 4, 4, 8];
        let expected = [
            (ColumnType::Long, 0),
            (ColumnType::VarChar, 1200),
            (ColumnType::NewDecimal, 10 * 256 + 2),
            (ColumnType::Bit, 12),
            (ColumnType::Enum, 1),
            (ColumnType::Set, 2),
            (ColumnType::String, 40),
            (ColumnType::String, 1020),
            (ColumnType::DateTime2, 3),
            (ColumnType::Json, 4),
            (ColumnType::Blob, 4),
            (ColumnType::Double, 8),
        ];
        assert_eq!(columns(&types, &metadata).unwrap(), expected);
    }

    #[test]
    fn wrong_metadata_is_an_error() {
        assert_eq!(
            columns(&[3], &[1]).unwrap_err().to_string(),
            "invalid table map event: more column metadata than the columns need"
        );
        assert!(columns(&[15], &[1]).is_err());
        assert_eq!(
            columns(&[141], &[]).unwrap_err().to_string(),
            "column type MariaDB VARCHAR_COMPRESSED (141) is not supported"
        );
        assert_eq!(columns(&[99], &[]).unwrap_err().to_string(), "column type unknown (99) is not supported");
    }
}
