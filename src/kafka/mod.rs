//! Kafka as the home of records, offsets and schema history; the only folder that knows librdkafka.
//!
//! `client_config` turns Kafka Connect's worker properties, written for the Java clients, into librdkafka's.
//! `home` publishes batches of records and, behind them, the offsets that have become storable: `in_flight` says when.
//! What it publishes goes through our own `producer`, which talks to brokers (`network`) in Kafka's `protocol`; the rest
//! goes through librdkafka: `offset_store` and `schema_history` read through `topic_reader`; `topics` creates what is missing.

pub mod client_config;
pub mod error;
pub mod home;
pub mod in_flight;
pub mod jaas;
pub mod network;
pub mod offset_store;
pub mod pending_offsets;
pub mod producer;
pub mod protocol;
pub mod schema_history;
pub mod topic_reader;
pub mod topics;

mod client_events;
mod completion;
