//! Kafka as the home of records, offsets and schema history; the only folder that knows librdkafka.
//!
//! `client_config` turns Kafka Connect's worker properties, written for the Java clients, into librdkafka's.
//! `home` publishes batches of records and their offsets: behind them, when they have become storable (`at_least_once`, `in_flight`), or
//! with them in Kafka transactions (`exactly_once`).
//! `consumer` reads topics as a member of a consumer group, for sinks.
//! `sink_survey` looks at the topics of a sink before it runs.
//! `lease` decides which of several instances has a connector's home.
//! What it publishes goes through our own `producer`, which talks to brokers (`network`) in Kafka's `protocol`; the rest
//! goes through librdkafka: `offset_store` and `schema_history` read through `topic_reader`; `topics` creates what is missing.

pub mod at_least_once;
pub mod client_config;
pub mod consumer;
pub mod error;
pub mod exactly_once;
pub mod home;
pub mod in_flight;
pub mod jaas;
pub mod lease;
pub mod network;
pub mod offset_store;
pub mod pending_offsets;
pub mod producer;
pub mod protocol;
pub mod schema_history;
pub mod sink_survey;
pub mod size_limit;
pub mod topic_life;
pub mod topic_reader;
pub mod topics;

mod client_events;
mod completion;
