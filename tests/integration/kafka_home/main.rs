//! The Kafka home against a real broker.
//!
//! `TIDEWIRE_KAFKA` is its host and port; `TIDEWIRE_KAFKA_STOP` and `TIDEWIRE_KAFKA_START` are commands that stop and
//! start it. A missing one is a failure: a test that did not run has not passed.

#![allow(clippy::unwrap_used)]

mod delivery;
mod ground;
mod history;
