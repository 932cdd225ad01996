//! The envelope around a row: what it was before and after, where it stood, what happened.
//!
//! Its payload is `{"before":…,"after":…,"source":…,"transaction":…,"op":…,"ts_ms":…,"ts_us":…,"ts_ns":…}`. The writer of
//! a row appends the two rows (or `null`) itself, and the rest with the functions here. The three times at the end are
//! the connector's clock.

use std::sync::Arc;

use crate::connect::digits::write_integer;
use crate::connect::schema::{Schema, Type};
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
