//! The servers of the tests: `TIDEWIRE_MYSQL97`, `…80`, `…57`, `TIDEWIRE_MARIADB` hold `host:port`; root has no
//! password.

use std::path::PathBuf;
use std::time::Duration;

use tidewire::config::modes::SslMode;
use tidewire::config::source::{ConnectionConfig, Secret};
use tidewire::source::mysql::Connection;

pub const MYSQL97: &str = "TIDEWIRE_MYSQL97";
pub const MYSQL80: &str = "TIDEWIRE_MYSQL80";
pub const MYSQL57: &str = "TIDEWIRE_MYSQL57";
pub const MARIADB: &str = "TIDEWIRE_MARIADB";
pub const ALL: [&str; 3] = [MYSQL97, MYSQL80, MYSQL57];

/// The configuration of an account, without TLS.
pub fn config(server: &str, user: &str, password: &str) -> ConnectionConfig {
    let address =
        std::env::var(server).unwrap_or_else(|_| panic!("{server} must hold host:port of a server"));
    let (hostname, port) = address.rsplit_once(':').expect("host:port");
    ConnectionConfig {
        hostname: hostname.to_owned(),
        port: port.parse().expect("a port"),
        user: user.to_owned(),
        password: Some(Secret::new(password)),
        server_id: 4_000,
        connect_timeout: Duration::from_secs(10),
        keep_alive_interval: Duration::from_secs(60),
        ssl_mode: SslMode::Disabled,
        ssl_ca: None,
        ssl_client: None,
        query_timeout: Duration::from_secs(60),
        initial_statements: Vec::new(),
    }
}

pub fn root_config(server: &str) -> ConnectionConfig {
    config(server, "root", "")
}

pub fn root(server: &str) -> Connection {
    Connection::connect(&root_config(server)).unwrap_or_else(|error| panic!("{server}: {error:?}"))
}

/// A file in the data directory of MySQL 9.7.
pub fn data_file(name: &str) -> PathBuf {
    let folder =
        std::env::var("TIDEWIRE_MYSQL97_DATA").expect("TIDEWIRE_MYSQL97_DATA must hold the data directory");
    PathBuf::from(folder).join(name)
}

/// An empty database of this name, which each test has for itself.
pub fn database(server: &str, name: &str) -> Connection {
    let mut connection = root(server);
    connection.execute(&format!("DROP DATABASE IF EXISTS {name}")).unwrap();
    connection.execute(&format!("CREATE DATABASE {name}")).unwrap();
    connection.execute(&format!("USE {name}")).unwrap();
    connection
}

/// A new account, identified by a plugin and a password.
pub fn account(server: &str, user: &str, plugin: &str, password: &str) -> Connection {
    let mut connection = root(server);
    connection.execute(&format!("DROP USER IF EXISTS '{user}'@'%'")).unwrap();
    if server == MYSQL57 && plugin == "sha256_password" {
        connection.execute(&format!("CREATE USER '{user}'@'%' IDENTIFIED WITH {plugin}")).unwrap();
        connection.execute("SET old_passwords = 2").unwrap();
        connection.execute(&format!("SET PASSWORD FOR '{user}'@'%' = PASSWORD('{password}')")).unwrap();
    } else {
        connection
            .execute(&format!("CREATE USER '{user}'@'%' IDENTIFIED WITH {plugin} BY '{password}'"))
            .unwrap();
    }
    connection
}
