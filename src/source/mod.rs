//! From the server to rows and schema changes in the order of the log.

pub mod binlog;
pub mod mysql;
