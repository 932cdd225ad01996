//! Tests against real servers. Their addresses come from the environment; a missing one is a failure, not a skip.

mod authentication;
mod connection;
mod mysql_server;
mod network_client;
mod server_facts;
mod tls;
