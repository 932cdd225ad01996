//! Connect data to bytes, as Kafka Connect's converters do it.
//!
//! The seam has two halves, and another format (Avro) fills the same two:
//! - *owned data* (schema-change events, transaction events, heartbeats): `from_connect_data` takes a schema with a
//!   value and appends the bytes of one key or value;
//! - *rows*: a [`CellSink`](crate::connect::cell::CellSink) of the format takes one cell at a time and appends it to the
//!   same buffer; what is constant (field names, the schema) is prepared once for each table version by the row plan.
//!
//! Nothing here reads a configuration property by name, knows a database, or allocates for each cell.

pub mod json;
