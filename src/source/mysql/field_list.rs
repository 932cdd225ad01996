//! COM_FIELD_LIST: the columns of a table with their defaults
//! (<https://dev.mysql.com/doc/dev/mysql-server/8.0.43/page_protocol_com_field_list.html>).
//!
//! The command is deprecated since 5.7.11, but it is the only way to the default of a column in the session's character set,
//! where SHOW CREATE TABLE and `information_schema` have three-byte UTF-8.

use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::mysql::payload::Payload;
use crate::source::mysql::result_set::ColumnDefinition;

const COM_FIELD_LIST: u8 = 0x04;
/// The collation id of `binary`.
const BINARY: u16 = 63;

/// A column's default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDefault {
    /// The column.
    pub name: String,
    /// Whether its bytes are no text.
    pub is_binary: bool,
    /// The default: bytes as they are stored, or text in UTF-8. None for NULL and where there is none.
    pub value: Option<Vec<u8>>,
}

impl Connection {
    /// The defaults of the columns of a table of the current database.
    ///
    /// # Errors
    /// `Server` with 1047 where the server has the command no more.
    pub fn field_defaults(&mut self, table: &str) -> Result<Vec<FieldDefault>, MySqlError> {
        let mut argument = table.as_bytes().to_vec();
        // No pattern of columns behind it.
        argument.push(0);
        self.command(COM_FIELD_LIST, &argument, "listing the columns of a table")?;
        let mut fields = Vec::new();
        loop {
            self.packets.receive()?;
            match self.packets.payload() {
                [0xFF, ..] => return Err(self.server_error()),
                [0xFE, rest @ ..] if rest.len() < 8 => return Ok(fields),
                packet => match field(packet) {
                    Some(field) => fields.push(field),
                    None => return Err(self.packets.malformed("column of a field list")),
                },
            }
        }
    }
}

/// Reads a `Protocol::ColumnDefinition41` packet with a default.
fn field(packet: &[u8]) -> Option<FieldDefault> {
    let mut payload = Payload(packet);
    let column = ColumnDefinition::read(&mut payload)?;
    payload.take(2)?; // nothing
    let value = match payload.0 {
        [] | [0xFB] => None,
        _ => Some(payload.lenenc_bytes()?.to_vec()),
    };
    Some(FieldDefault { name: column.name, is_binary: column.charset == BINARY, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_and_without_a_default() {
        let head = b"\x03def\x01d\x01t\x01t\x02id\x02id\x0c\x2d\x00\x14\x00\x00\x00\xfe\x23\x42\x00\x00\x00";
        let field_of = |default: &[u8]| field(&[head, default].concat());
        let expected = |value: Option<&[u8]>| FieldDefault {
            name: "id".into(),
            is_binary: false,
            value: value.map(<[u8]>::to_vec),
        };
        assert_eq!(field_of(b"\x02a\xff"), Some(expected(Some(b"a\xff"))));
        assert_eq!(field_of(b"\x00"), Some(expected(Some(b""))));
        assert_eq!(field_of(b"\xfb"), Some(expected(None)));
        assert_eq!(field_of(b"\x05a"), None);
        for length in 0..head.len() {
            assert_eq!(field(&head[..length]), None);
        }
    }
}
