//! Tests against real servers, which `tests/run integration` starts and names in the environment.
//!
//! A missing server is a failure, never a skipped test. Tests run at once, so each uses a database, a topic prefix and a
//! server id of its own. `support/` knows the servers; every other file tests one thing that Tidewire promises.

// Here a panic is how a test fails, in the functions that tests share, too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod authentication;
mod back_pressure;
mod change_sequence;
mod charset_paths;
mod charsets;
mod clickhouse_bugs;
mod clickhouse_cleanup;
mod clickhouse_client;
mod clickhouse_left_out;
mod clickhouse_quarantine;
mod clickhouse_rules_log;
mod clickhouse_rules_values;
mod clickhouse_sink;
mod clickhouse_tables;
mod clickhouse_validate;
mod clickhouse_values;
mod column_defaults;
mod connection;
mod damaged_files;
mod ddl_paths;
mod exactly_once;
mod fail_points;
mod failover;
mod file_home;
mod file_mode;
mod full_disk;
mod generated_columns;
mod ground;
mod gtids;
mod history;
mod history_kills;
mod history_paths;
mod history_verify;
mod kafka_security;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../snapshot/keys.rs"]
mod keys;
mod lost_servers;
mod mysql_server;
mod network_client;
mod new_tables;
mod new_tables_kills;
mod partial_json;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../chaos/proxy.rs"]
mod proxy;
mod restarts;
mod row_images;
mod server_facts;
mod server_kinds;
mod silent_servers;
mod sink_consumer;
mod snapshot_changes;
mod snapshot_modes;
mod snapshot_paths;
mod snapshot_readers;
mod standby;
mod start_errors;
mod streaming_faults;
mod support;
mod tls;
mod unprinted;
mod xa;
