//! Where a published record comes from, read out of its own value: for errors that name a record long after its event has
//! been read.

use std::fmt;

use serde_json::{Deserializer, Value};

/// How the source block begins. Inside a string its quotation marks would have backslashes, and it stands behind the row.
const BEGINNING: &[u8] = br#""source":{"version":"#;

/// Table and place of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordOrigin {
    /// `database.table`, or the database alone.
    pub table: String,
    /// The binlog file.
    pub file: String,
    /// Where the event begins in it.
    pub position: u64,
}

impl RecordOrigin {
    /// Of a record whose value is JSON with a source block.
    pub fn of(value: &[u8]) -> Option<Self> {
        let start = memchr::memmem::rfind(value, BEGINNING)? + br#""source":"#.len();
        let block = Deserializer::from_slice(value.get(start..)?).into_iter::<Value>().next()?.ok()?;
        let text = |field: &str| block.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
        let names: Vec<&str> = [text("db"), text("table")].into_iter().flatten().collect();
        let position = block.get("pos").and_then(Value::as_u64)?;
        Some(RecordOrigin { table: names.join("."), file: text("file")?.to_owned(), position })
    }
}

impl fmt::Display for RecordOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "table {} at {}:{}", self.table, self.file, self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values as Debezium published them (basic_crud), shortened; a cell that looks like a source block.
    #[test]
    fn the_source_block_behind_the_row_is_read() {
        let source = r#""source":{"version":"3.6.1.Final","connector":"mysql","name":"basic_crud","db":"inventory","table":"customers","gtid":null,"file":"binlog.000001","pos":2151,"row":0,"query":null}"#;
        let cell = r#"{"v":"\"source\":{\"version\":\"1\",\"file\":\"x\",\"pos\":1}"}"#;
        for value in [
            format!(r#"{{"before":null,"after":{cell},{source},"op":"c"}}"#),
            format!(
                r#"{{"schema":{{"field":"source"}},"payload":{{"before":null,"after":{{}},{source},"op":"c"}}}}"#
            ),
        ] {
            let origin = RecordOrigin::of(value.as_bytes()).unwrap();
            assert_eq!(origin.to_string(), "table inventory.customers at binlog.000001:2151");
        }
        assert_eq!(RecordOrigin::of(br#"{"before":null}"#), None);
        assert_eq!(RecordOrigin::of(br#"{"source":{"version":"3"#), None);
    }
}
