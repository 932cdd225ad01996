//! Connections to brokers.
//!
//! `connect` opens one: TCP, TLS (`tls`), the broker's versions, and the login (`sasl`, `scram`). That is blocking and
//! happens on a thread of its own. What it gives is a `connection` that never blocks: requests are queued and written as
//! far as the socket takes them, responses are taken as far as they have come.
//! `exchange` does all of that for one question.

pub mod connect;
pub mod connection;
pub mod exchange;
pub mod sasl;
mod scram;
pub mod tls;
mod transport;
