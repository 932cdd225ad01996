//! The Kafka Connect data API: schemas, values and records. It knows no database.
//!
//! Two forms of data live here. The *owned* form (`Value` with its `Schema`) serves everything rare: schema-change
//! events, transaction events, history, transforms. The *borrowed* form (`ColumnValue` into a `CellSink`) serves the
//! rows: a cell exists only on the stack between the wire and the record's bytes.

pub mod cell;
pub mod digits;
pub mod java_map;
pub mod record;
pub mod schema;
pub mod value;
