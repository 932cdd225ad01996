//! Tests against real servers. Their addresses come from the environment; a missing one is a failure, not a skip.

// Here a panic is how a test fails, in the functions that tests share, too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod authentication;
mod connection;
mod mysql_server;
mod network_client;
mod server_facts;
mod tls;
