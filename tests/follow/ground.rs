//! The servers that `tests/run` started.

use std::time::Duration;

use tidewire::config::modes::SslMode;
use tidewire::config::source::{ConnectionConfig, Secret};
use tidewire::source::mysql::Connection;

/// A server by its name in `tests/run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    MySql97,
    MySql80,
    MySql57,
    /// 5.7 with `lower_case_table_names=1`; only random statements run there.
    MySql57Lower,
    MariaDb,
}

/// The servers of the corpus.
pub const ALL: [Server; 4] = [Server::MySql97, Server::MySql80, Server::MySql57, Server::MariaDb];

impl Server {
    pub fn named(name: &str) -> Result<Self, String> {
        ALL.into_iter()
            .chain([Server::MySql57Lower])
            .find(|server| server.name() == name)
            .ok_or_else(|| format!("no server {name}: mysql97 mysql80 mysql57 mysql57_lower mariadb"))
    }

    pub fn name(self) -> &'static str {
        match self {
            Server::MySql97 => "mysql97",
            Server::MySql80 => "mysql80",
            Server::MySql57 => "mysql57",
            Server::MySql57Lower => "mysql57_lower",
            Server::MariaDb => "mariadb",
        }
    }

    pub fn is_mariadb(self) -> bool {
        self == Server::MariaDb
    }

    pub fn is_mysql57(self) -> bool {
        matches!(self, Server::MySql57 | Server::MySql57Lower)
    }

    /// A name of a database or table as the server stores it.
    pub fn stored(self, name: &str) -> String {
        if self == Server::MySql57Lower { name.to_lowercase() } else { name.to_owned() }
    }

    /// MySQL 8.0 or later.
    pub fn is_modern(self) -> bool {
        matches!(self, Server::MySql97 | Server::MySql80)
    }

    /// Root's access; the number is that of a replica.
    pub fn config(self, server_id: u32) -> Result<ConnectionConfig, String> {
        let variable = format!("TIDEWIRE_{}", self.name().to_uppercase());
        let address =
            std::env::var(&variable).map_err(|_| format!("{variable} is not set; run tests/run follow"))?;
        let (hostname, port) =
            address.rsplit_once(':').ok_or_else(|| format!("{variable}: not host:port"))?;
        Ok(ConnectionConfig {
            hostname: hostname.to_owned(),
            port: port.parse().map_err(|error| format!("{variable}: {error}"))?,
            user: "root".to_owned(),
            password: Some(Secret::new("")),
            server_id,
            connect_timeout: Duration::from_secs(10),
            keep_alive_interval: Duration::from_secs(60),
            ssl_mode: SslMode::Disabled,
            ssl_ca: None,
            ssl_client: None,
            query_timeout: Duration::from_secs(60),
            initial_statements: Vec::new(),
        })
    }

    pub fn connect(self) -> Result<Connection, String> {
        Connection::connect(&self.config(0)?).map_err(|error| format!("{}: {error}", self.name()))
    }
}
