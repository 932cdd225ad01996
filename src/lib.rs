//! Tidewire: change data capture for MySQL and MariaDB.

pub mod cli;
pub mod clock;
pub mod config;
pub mod connect;
pub mod converter;
pub mod error;
pub mod event;
pub mod file;
pub mod kafka;
pub mod offset;
pub mod plan;
pub mod schema;
pub mod source;
pub mod task;
pub mod telemetry;
pub mod wire;
