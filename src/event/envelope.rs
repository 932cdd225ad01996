//! The envelope around a row: what it was before and after, where it stood, what happened.
//!
//! Its payload is `{"before":…,"after":…,"source":…,"transaction":…,"op":…,"ts_ms":…,"ts_us":…,"ts_ns":…}`. The writer of
//! a row appends the two rows (or `null`) itself, and the rest with the functions here. The three times at the end are
//! the connector's clock.

use std::sync::Arc;

use crate::connect::schema::{Schema, Type};
use crate::converter::json::number::write_integer;
use crate::event::operation::Operation;
use crate::event::source_info;
use crate::event::transaction::{self, TransactionBlock};

/// What stands before the row before.
pub const BEFORE: &[u8] = br#"{"before":"#;
/// What stands between the row before and the row after.
pub const AFTER: &[u8] = br#","after":"#;
/// What stands between the row after and the source block.
pub const SOURCE: &[u8] = br#","source":"#;

/// The schema of an envelope around rows of a schema.
pub fn schema(name: impl Into<String>, row: &Arc<Schema>) -> Schema {
    let time = || Schema::new(Type::Int64).optional();
    Schema::new(Type::Struct)
        .named(name, Some(2))
        .field("before", Arc::clone(row))
        .field("after", Arc::clone(row))
        .field("source", Arc::clone(source_info::schema()))
        .field("transaction", Arc::clone(transaction::block_schema()))
        .field("op", Schema::new(Type::String))
        .field("ts_ms", time())
        .field("ts_us", time())
        .field("ts_ns", time())
}

/// Appends what follows the source block, to the end of the payload. `now_nanos` is the connector's clock.
pub fn write_tail(
    transaction: Option<&TransactionBlock<'_>>,
    operation: Operation,
    now_nanos: i64,
    out: &mut Vec<u8>,
) {
    write_transaction(transaction, out);
    write_end(operation, now_nanos, out);
}

/// Appends the transaction behind the source block.
#[inline]
pub fn write_transaction(transaction: Option<&TransactionBlock<'_>>, out: &mut Vec<u8>) {
    match transaction {
        Some(block) => {
            out.extend_from_slice(br#","transaction":"#);
            block.write(out);
        }
        None => out.extend_from_slice(br#","transaction":null"#),
    }
}

/// Appends what follows the transaction, to the end of the payload. It is the same for all rows of an event.
pub fn write_end(operation: Operation, now_nanos: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","op":""#);
    out.extend_from_slice(operation.code().as_bytes());
    out.extend_from_slice(br#"","ts_ms":"#);
    write_integer(now_nanos.div_euclid(1_000_000), out);
    out.extend_from_slice(br#","ts_us":"#);
    write_integer(now_nanos.div_euclid(1000), out);
    out.extend_from_slice(br#","ts_ns":"#);
    write_integer(now_nanos, out);
    out.push(b'}');
}

/// Appends the payload of a truncate event. It has neither rows nor a transaction, and its record has no key.
pub fn write_truncate(write_source: impl FnOnce(&mut Vec<u8>), now_nanos: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(BEFORE);
    out.extend_from_slice(b"null");
    out.extend_from_slice(AFTER);
    out.extend_from_slice(b"null");
    out.extend_from_slice(SOURCE);
    write_source(out);
    write_tail(None, Operation::Truncate, now_nanos, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::source_info::{SourcePosition, SourceTemplate};

    /// tx_skip_none.
    #[test]
    fn truncate_has_no_rows() {
        let template = SourceTemplate::new("tx_skip_none", "so", Some("t"), true);
        let position = SourcePosition {
            timestamp_nanos: 1795979551656000000,
            server_id: 1,
            gtid: Some("4bef93b7-ec27-11f1-930d-02fc00000001:5"),
            file: "binlog.000001",
            pos: 1451,
            ..SourcePosition::default()
        };
        let mut out = Vec::new();
        write_truncate(|out| template.write(&position, out), 1795979551659104058, &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"{"before":null,"after":null,"source":{"version":"3.6.1.Final","connector":"mysql","name":"tx_skip_none","ts_ms":1795979551656,"snapshot":"false","db":"so","sequence":null,"ts_us":1795979551656000,"ts_ns":1795979551656000000,"table":"t","server_id":1,"gtid":"4bef93b7-ec27-11f1-930d-02fc00000001:5","file":"binlog.000001","pos":1451,"row":0,"thread":null,"query":null},"transaction":null,"op":"t","ts_ms":1795979551659,"ts_us":1795979551659104,"ts_ns":1795979551659104058}"#
        );
    }
}
