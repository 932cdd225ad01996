//! The ClickHouse server that `tests/run` started.

use tidewire::sink::clickhouse::client::{Client, Query};
use tidewire::sink::clickhouse::settings::ClientSettings;

use crate::support::database::variable;

/// A client of the server, as the user `default`.
pub fn client() -> Client {
    Client::new(settings()).expect("settings of a client")
}

/// Its settings.
pub fn settings() -> ClientSettings {
    ClientSettings::new(format!("http://{}", variable("TIDEWIRE_CLICKHOUSE")))
}

/// Runs a statement that must succeed.
pub fn run(client: &Client, sql: &str) {
    client
        .execute(Query::new("a test", sql))
        .unwrap_or_else(|error| panic!("{sql}: {}", tidewire::error::chain(&error)));
}

/// The values of the one column that a SELECT has.
pub fn values(client: &Client, sql: &str) -> Vec<Option<String>> {
    let rows: Vec<(Option<String>,)> = client.rows(Query::new("a test", sql)).expect("rows");
    rows.into_iter().map(|(value,)| value).collect()
}

/// An empty database of a test's own.
pub fn new_database(client: &Client, name: &str) {
    run(client, &format!("DROP DATABASE IF EXISTS {name} SYNC"));
    run(client, &format!("CREATE DATABASE {name} ENGINE = Atomic"));
}
