//! The servers of the test ground, the binary as a process, and what it wrote.

pub mod broker;
pub mod clickhouse;
pub mod connector;
pub mod database;
pub mod process;
pub mod records;
pub mod restarted;
pub mod sink;
pub mod topic;
pub mod topology;
pub mod writer;
