//! What a query read and wrote, from the header `X-ClickHouse-Summary`.
//!
//! A JSON object whose values are numbers in strings. Fields differ between versions, so each is optional. Manual: "HTTP
//! interface".

use std::collections::HashMap;

/// Figures of one query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows that the query read; for an insert, those that came in its body.
    pub read_rows: u64,
    /// Rows that were written, those of materialized views included; 0 where an insert was dropped as a repeated one.
    pub written_rows: u64,
    /// Their bytes, not compressed.
    pub written_bytes: u64,
    /// Nanoseconds on the server; 0 before 24.1.
    pub elapsed_ns: u64,
    /// Bytes of memory at the most; 0 before 25.1.
    pub memory_usage: u64,
}

impl Summary {
    /// Reads the header. What is missing or is no number is 0.
    pub fn parse(header: &str) -> Self {
        let fields: HashMap<&str, &str> = serde_json::from_str(header).unwrap_or_default();
        let number = |name| fields.get(name).and_then(|text| text.parse().ok()).unwrap_or(0);
        Summary {
            read_rows: number("read_rows"),
            written_rows: number("written_rows"),
            written_bytes: number("written_bytes"),
            elapsed_ns: number("elapsed_ns"),
            memory_usage: number("memory_usage"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_and_what_is_none() {
        // Sent by a 26.7 server for an insert of one row.
        let header = r#"{"read_rows":"1","read_bytes":"4","written_rows":"1","written_bytes":"4","total_rows_to_read":"0","result_rows":"1","result_bytes":"4","elapsed_ns":"4797275","memory_usage":"4473676"}"#;
        let wanted = Summary {
            read_rows: 1,
            written_rows: 1,
            written_bytes: 4,
            elapsed_ns: 4_797_275,
            memory_usage: 4_473_676,
        };
        assert_eq!(Summary::parse(header), wanted);
        for text in ["", "[]", "{\"read_rows\":1}", "{\"read_rows\":\"x\"}"] {
            assert_eq!(Summary::parse(text), Summary::default(), "{text}");
        }
    }
}
