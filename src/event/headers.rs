//! The headers that say which run made a record (`extended.headers.enabled`).
//!
//! Four, in this order, the same on every data and schema-change record of a run. Their values are plain text, as
//! Connect's SimpleHeaderConverter writes strings.

use std::sync::Arc;

use uuid::Uuid;

use crate::connect::record::ContextHeaders;
use crate::event::source_info::CONNECTOR;

/// The header on the delete (and tombstone) of a key change; its value is the new key.
pub const NEW_KEY: &str = "__debezium.newkey";

/// The header on the insert of a key change; its value is the old key.
pub const OLD_KEY: &str = "__debezium.oldkey";

/// The headers of a run. A connector has one task, number 0; `run` is made once for each start, see `new_run_id`.
pub fn context_headers(topic_prefix: &str, run: Uuid) -> ContextHeaders {
    Arc::new([
        ("__debezium.context.connectorLogicalName".to_owned(), topic_prefix.as_bytes().to_vec()),
        ("__debezium.context.taskId".to_owned(), b"0".to_vec()),
        ("__debezium.context.connectorName".to_owned(), CONNECTOR.as_bytes().to_vec()),
        ("__debezium.context.runId".to_owned(), run.hyphenated().to_string().into_bytes()),
    ])
}

/// A new run: a UUID of version 7, ordered by time.
pub fn new_run_id() -> Uuid {
    Uuid::now_v7()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// basic_crud.
    #[test]
    fn a_run_has_four_headers() {
        let run = Uuid::parse_str("01a22903-d1f2-74ce-9489-43c209f1575a").unwrap();
        let headers = context_headers("basic_crud", run);
        let headers: Vec<(&str, &[u8])> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())).collect();
        assert_eq!(
            headers,
            [
                ("__debezium.context.connectorLogicalName", &b"basic_crud"[..]),
                ("__debezium.context.taskId", b"0"),
                ("__debezium.context.connectorName", b"mysql"),
                ("__debezium.context.runId", b"01a22903-d1f2-74ce-9489-43c209f1575a"),
            ]
        );
        assert_eq!(new_run_id().get_version_num(), 7);
    }
}
