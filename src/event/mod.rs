//! Debezium's events: what a change looks like before it is bytes.

pub mod value;
