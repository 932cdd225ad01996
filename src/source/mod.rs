//! MySQL and MariaDB → records in commit order.
//!
//! `mysql` is what is true of a server for anyone: the connection, its variables, positions and privileges. `snapshot`
//! reads tables as they are, `binlog` reads what changes them; both give their rows to the `dispatcher`, which knows the
//! schema in force, the position, and the batch that is being filled, and hands batches over through the `queue`. The
//! `coordinator` decides what is read: snapshot, then stream, from which position.

pub mod binlog;
pub mod column_rules;
pub mod coordinator;
pub mod dispatcher;
pub mod error;
pub mod filters;
pub mod gtid_sources;
pub mod heartbeat;
pub mod mysql;
pub mod pause;
pub mod queue;
pub mod shared_topics;
pub mod snapshot;
pub mod transaction_monitor;
