//! What a ClickHouse sink connector is told to do.

pub mod modes;
