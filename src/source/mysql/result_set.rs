//! Result sets: column definitions, text rows kept whole, and binary rows lent out one at a time
//! (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset.html>).

use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::payload::Payload;

/// One column of a result set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDefinition {
    /// The column's name or alias.
    pub name: String,
    /// The type's number on the wire, `MYSQL_TYPE_*` (field_types.h).
    pub column_type: u8,
    /// The collation's id; 63 is `binary`.
    pub charset: u16,
    /// `NOT_NULL_FLAG` 1, `UNSIGNED_FLAG` 32, `BINARY_FLAG` 128, `ENUM_FLAG` 256, `SET_FLAG` 2048, …
    pub flags: u16,
    /// The display length in bytes.
    pub length: u32,
    /// Fractional digits; 31 when they are not fixed.
    pub decimals: u8,
}

impl ColumnDefinition {
    /// Whether the numbers have no sign.
    pub fn is_unsigned(&self) -> bool {
        self.flags & 32 != 0
    }

    /// Reads a `Protocol::ColumnDefinition41` packet.
    pub(crate) fn parse(packet: &[u8]) -> Option<Self> {
        Self::read(&mut Payload(packet))
    }

    /// Reads its fields, up to the two bytes of nothing that end them.
    pub(crate) fn read(payload: &mut Payload<'_>) -> Option<Self> {
        // Catalog, schema, table, original table.
        for _ in 0..4 {
            payload.lenenc_bytes()?;
        }
        let name = String::from_utf8_lossy(payload.lenenc_bytes()?).into_owned();
        payload.lenenc_bytes()?; // original name
        payload.lenenc()?; // length of what follows: 12
        let charset = payload.u16()?;
        let length = payload.u32()?;
        let column_type = payload.u8()?;
        let flags = payload.u16()?;
        let decimals = payload.u8()?;
        Some(ColumnDefinition { name, column_type, charset, flags, length, decimals })
    }
}

/// The whole result of a statement, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextResult {
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows; None is NULL. Bytes that are not UTF-8 are replaced.
    pub rows: Vec<Vec<Option<String>>>,
}

impl TextResult {
    /// The place of the column of this name, whatever its case.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }

    /// The value in a row (from 0) of a named column; None also when there is no such row or column.
    pub fn get(&self, row: usize, name: &str) -> Option<&str> {
        self.rows.get(row)?.get(self.column(name)?)?.as_deref()
    }
}

/// Reads one text row of `count` columns.
pub(crate) fn parse_text_row(packet: &[u8], count: usize) -> Option<Vec<Option<String>>> {
    let mut payload = Payload(packet);
    let mut row = Vec::with_capacity(count);
    for _ in 0..count {
        if let Some((0xFB, rest)) = payload.0.split_first() {
            payload = Payload(rest);
            row.push(None);
        } else {
            row.push(Some(String::from_utf8_lossy(payload.lenenc_bytes()?).into_owned()));
        }
    }
    payload.0.is_empty().then_some(row)
}

/// The rows of a prepared statement, as they arrive: nothing is kept, so that a table of any size streams through.
///
/// Dropped before its end, it closes the connection, because the rest of the rows would be in the way of the next
/// statement.
pub struct RowStream<'a> {
    connection: &'a mut Connection,
    statement: u32,
    columns: Vec<ColumnDefinition>,
    finished: bool,
}

impl<'a> RowStream<'a> {
    pub(crate) fn new(
        connection: &'a mut Connection,
        statement: u32,
        columns: Vec<ColumnDefinition>,
    ) -> Self {
        RowStream { connection, statement, columns, finished: false }
    }

    /// The columns of the result.
    pub fn columns(&self) -> &[ColumnDefinition] {
        &self.columns
    }

    /// The next row's packet, borrowed until the next call: 0x00, NULL bitmap with offset 2, values
    /// (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html>). None at the end.
    ///
    /// # Errors
    /// `Server` when the server gives up in the middle; the connection can be used afterwards.
    #[inline]
    pub fn next_row(&mut self) -> Result<Option<&[u8]>, MySqlError> {
        if self.finished {
            return Ok(None);
        }
        self.connection.packets.receive()?;
        match self.connection.packets.payload() {
            [0x00, ..] => Ok(Some(self.connection.packets.payload())),
            [0xFE, rest @ ..] if rest.len() < 8 => {
                self.finished = true;
                Ok(None)
            }
            [0xFF, ..] => {
                self.finished = true;
                Err(self.connection.server_error())
            }
            _ => Err(self.connection.packets.malformed("row of a prepared statement")),
        }
    }
}

impl Drop for RowStream<'_> {
    fn drop(&mut self) {
        if self.finished {
            // COM_STMT_CLOSE has no answer; a lost connection shows at the next statement.
            let _ = self.connection.close_statement(self.statement);
        } else {
            self.connection.shut_down();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_rows() {
        let row = parse_text_row(b"\x01a\xFB\x00", 3).unwrap();
        assert_eq!(row, [Some("a".to_owned()), None, Some(String::new())]);
        assert_eq!(parse_text_row(b"\x01a", 2), None);
        assert_eq!(parse_text_row(b"\x01a\x01b", 1), None);
        assert_eq!(parse_text_row(b"\x05a", 1), None);
    }

    #[test]
    fn column_definitions() {
        let packet =
            b"\x03def\x01d\x01t\x01t\x02id\x02id\x0c\x3f\x00\x14\x00\x00\x00\x08\x23\x42\x00\x00\x00";
        let column = ColumnDefinition::parse(packet).unwrap();
        assert_eq!(
            column,
            ColumnDefinition {
                name: "id".into(),
                column_type: 8,
                charset: 63,
                flags: 0x4223,
                length: 20,
                decimals: 0
            }
        );
        assert!(column.is_unsigned());
        for length in 0..packet.len() - 2 {
            assert_eq!(ColumnDefinition::parse(&packet[..length]), None);
        }
    }

    #[test]
    fn values_are_found_by_name() {
        let result = TextResult {
            columns: vec!["File".into(), "Position".into()],
            rows: vec![vec![Some("binlog.000001".into()), None]],
        };
        assert_eq!(result.get(0, "file"), Some("binlog.000001"));
        assert_eq!(result.get(0, "Position"), None);
        assert_eq!(result.get(1, "File"), None);
    }
}
