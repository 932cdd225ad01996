//! Where we are in the log: binlog positions, GTID sets, and the stored form of both.

pub mod backing_store;
pub mod captured_tables;
pub mod context;
pub mod error;
pub mod gtid;
pub mod position;
pub mod prepared;
pub mod sequence;
pub mod transaction_context;
pub mod unfinished;
