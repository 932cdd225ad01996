//! Where we are in the log: binlog positions, GTID sets, and the stored form of both.

pub mod backing_store;
pub mod gtid;
