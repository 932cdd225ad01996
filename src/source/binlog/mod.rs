//! The binary log as a stream of events.

pub mod network_client;
