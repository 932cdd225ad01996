//! JSON.
//!
//! STRING `io.debezium.data.Json`. In the binlog a document is JSONB, which `wire::jsonb` prints compactly
//! (`{"a":[1,2.5]}`); a result set has the server's text (`{"a": [1, 2.5]}`), which a snapshot publishes as it is, or as
//! far as that goes in the stream's spelling (`json_text`). Zero bytes are no document: missing, or `{}` where the column
//! allows no null. Manual: "The JSON Data Type".

use crate::connect::cell::{CellSink, ColumnValue};
use crate::connect::schema::{Schema, Type};
use crate::connect::value::Value;
use crate::event::value::error::{Failure, OTHER_KIND};
use crate::event::value::json_text::write_stream_text;
use crate::event::value::{Compiled, Family, Spelling, text_of};
use crate::wire::jsonb;

/// A JSON column.
#[derive(Clone, Copy, Debug)]
pub struct Json {
    spelling: Spelling,
}

pub(super) fn compile(spelling: Spelling) -> Compiled {
    Compiled {
        family: Family::Json(Json { spelling }),
        schema: Schema::new(Type::String).named("io.debezium.data.Json", Some(1)),
        // JSON has only expressions as defaults.
        default: Ok(None),
        zero: Value::String("{}".to_owned()),
    }
}

impl Json {
    #[inline]
    pub(super) fn write<S: CellSink>(
        &self,
        value: ColumnValue<'_>,
        scratch: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<(), Failure> {
        match value {
            ColumnValue::Jsonb([]) => return Err(Failure::Missing),
            ColumnValue::Jsonb(document) => {
                scratch.clear();
                jsonb::render(document, scratch)
                    .map_err(|_| Failure::Malformed("the binary JSON document is malformed"))?;
                sink.string(text_of(scratch)?);
            }
            ColumnValue::Text(text) => match self.spelling {
                Spelling::Snapshot => sink.string(text),
                Spelling::Stream => {
                    scratch.clear();
                    write_stream_text(text, scratch);
                    sink.string(text_of(scratch)?);
                }
            },
            // MariaDB's JSON is a LONGTEXT of utf8mb4.
            ColumnValue::Bytes(text) => sink.string(text_of(text)?),
            _ => return Err(OTHER_KIND),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::value::tests::{TestColumn, config};

    #[test]
    fn documents_are_text_by_the_path() {
        let column = TestColumn::new("JSON").optional();
        assert_eq!(
            column.schema_json(&config()),
            r#"{"type":"string","optional":true,"name":"io.debezium.data.Json","version":1}"#
        );
        assert_eq!(column.json(&config(), ColumnValue::Text(r#"{"a": 1}"#)), r#""{\"a\":1}""#);
        let snapshot = TestColumn { spelling: Spelling::Snapshot, ..column };
        assert_eq!(snapshot.json(&config(), ColumnValue::Text(r#"{"a": 1}"#)), r#""{\"a\": 1}""#);
        // Literal true (0x04 0x01), and a malformed document.
        assert_eq!(column.json(&config(), ColumnValue::Jsonb(&[0x04, 0x01])), r#""true""#);
        let error = column.try_json(&config(), ColumnValue::Jsonb(&[0x00])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "column d.t.c: a value cannot be read: the binary JSON document is malformed"
        );
        assert_eq!(column.json(&config(), ColumnValue::Jsonb(&[])), "null");
        assert_eq!(TestColumn::new("JSON").json(&config(), ColumnValue::Jsonb(&[])), r#""{}""#);
    }
}
