//! The ClickHouse server: requests over HTTP, inserts, what it says of its tables, and what its errors mean.
//!
//! `client` sends a statement or the rows of an insert and waits for the answer; `exception` finds out whether that is a
//! failure, and `treatment` whom it concerns, whether it may pass and what to do; `insert` is the one way in which rows go
//! to a table; `system_tables` reads what is there. The rows themselves are made in `sink::row_binary`.

pub mod client;
pub mod compression;
pub mod error;
pub mod exception;
pub mod hex;
pub mod insert;
pub mod settings;
pub mod summary;
pub mod system_tables;
pub mod treatment;
