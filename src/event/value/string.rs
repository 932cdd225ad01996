//! CHAR, VARCHAR and TEXT in all their spellings.
//!
//! STRING, decoded from the column's character set in the binlog and already UTF-8 in a result set. CHAR comes without
//! its padding on both paths; only with the character set `binary`, where it is zeros, it is part of the value. Manual: "The CHAR and VARCHAR Types", "The BLOB and TEXT Types".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND, ValueError};
use crate::event::value::{Compiled, Family};
use crate::schema::charset::Charset;
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::table_id::TableId;

/// A text column.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    charset: Charset,
    /// The length of CHAR CHARACTER SET binary, whose zeros at the end the binlog leaves out; else 0.
    padded: usize,
}

pub(super) fn compile(table: &TableId, column: &Column) -> Result<Compiled, ValueError> {
    let name = column.charset_name.as_deref().unwrap_or("utf8mb4");
    let charset = Charset::named(name).ok_or_else(|| ValueError::UnsupportedCharset {
        table: table.to_string(),
        column: column.name.clone(),
        charset: name.to_owned(),
    })?;
    let fixed =
        DataType::named(&column.type_name) == Some(DataType::Char) && name.eq_ignore_ascii_case("binary");
    let padded = if fixed { usize::try_from(column.length.unwrap_or(1)).unwrap_or(0).min(255) } else { 0 };
    Ok(Compiled {
        family: Family::String(Text { charset, padded }),
        schema: Schema::new(Type::String),
        default: Ok(column.default_value_expression.as_deref().map(|text| {
            // CHAR has no spaces at its end, and zeros there when it is bytes.
            if fixed {
                return Value::String(format!("{text:\0<padded$}"));
            }
            let is_char = column.data_type() == Some(DataType::Char);
            Value::from(if is_char { text.trim_end_matches(' ') } else { text })
        })),
        zero: Value::String(String::new()),
    })
}

impl Text {
    /// Whether ASCII is stored as ASCII.
    pub(super) fn keeps_ascii(self) -> bool {
        self.charset.holds_ascii() && self.padded == 0
    }

    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        match value {
            ColumnValue::Bytes(bytes) if bytes.len() < self.padded => {
                let mut padded = [0; 255];
                padded.iter_mut().zip(bytes).for_each(|(to, byte)| *to = *byte);
                let padded = padded.get(..self.padded).unwrap_or_default();
                sink.string(self.charset.decode(padded, scratch));
            }
            ColumnValue::Bytes(bytes) => sink.string(self.charset.decode(bytes, scratch)),
            ColumnValue::Text(text) => sink.string(text),
            ColumnValue::IllFormedText(bytes) => sink.string(Charset::UTF8MB4.decode(bytes, scratch)),
            _ => return Err(OTHER_KIND),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    /// types_char_utf8mb4.
    #[test]
    fn text_is_a_string() {
        let column = TestColumn::new("VARCHAR").length(20).optional().default("it's \"x\" \\ \n");
        assert_eq!(
            column.schema_json(&config()),
            r#"{"type":"string","optional":true,"default":"it's \"x\" \\ \n"}"#
        );
        assert_eq!(column.json(&config(), ColumnValue::Bytes("ü日😀".as_bytes())), r#""ü日\uD83D\uDE00""#);
        assert_eq!(column.json(&config(), ColumnValue::Text("a  ")), r#""a  ""#);
        assert_eq!(TestColumn::new("TEXT").json(&config(), ColumnValue::Null), r#""""#);
        let latin1 = TestColumn { charset: "latin1", ..TestColumn::new("NATIONAL VARCHAR") };
        assert_eq!(latin1.json(&config(), ColumnValue::Bytes(b"\xe9\x80")), r#""é€""#);
    }

    /// Debezium 3.6.1 streams `VARCHAR(10) CHARACTER SET binary` and its kin as text, one character a byte; it loses the
    /// zeros that end CHAR(3).
    #[test]
    fn text_of_the_set_binary_has_a_character_a_byte() {
        let text = TestColumn { charset: "binary", ..TestColumn::new("VARCHAR").length(10) };
        assert_eq!(text.json(&config(), ColumnValue::Bytes(b"raw\xff")), r#""rawÿ""#);
        let fixed = TestColumn { charset: "binary", ..TestColumn::new("CHAR").length(3) };
        assert_eq!(fixed.json(&config(), ColumnValue::Bytes(b"c")), r#""c\u0000\u0000""#);
        assert_eq!(fixed.json(&config(), ColumnValue::Bytes(b"abc")), r#""abc""#);
    }

    /// Surrogates, which a server sends as they are stored.
    #[test]
    fn ill_formed_text_is_text() {
        let text = TestColumn { charset: "ucs2", ..TestColumn::new("VARCHAR").length(10) };
        for value in [ColumnValue::IllFormedText(b"a\xed\xa0\x80"), ColumnValue::Bytes(b"\0a\xd8\0")] {
            assert_eq!(text.json(&config(), value), "\"a\u{fffd}\"");
        }
    }

    #[test]
    fn a_character_set_without_a_decoder_is_named() {
        let column = TestColumn { charset: "utf9", ..TestColumn::new("VARCHAR") };
        let error = column.compile(&config()).unwrap_err();
        assert_eq!(error.to_string(), "column d.t.c: text in the unknown character set utf9");
    }
}
