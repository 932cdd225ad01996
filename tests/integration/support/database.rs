//! A MySQL or MariaDB server that `tests/run` started.

use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

/// One server, by the name that its variables have.
pub struct Database {
    variable: &'static str,
}

pub const MYSQL97: Database = Database { variable: "TIDEWIRE_MYSQL97" };
pub const MYSQL97_NOGTID: Database = Database { variable: "TIDEWIRE_MYSQL97_NOGTID" };
/// One that tests restart: see `restarted`.
pub const MYSQL97_RESTARTED: Database = Database { variable: "TIDEWIRE_MYSQL97_RESTARTED" };
/// Another one of these, which can be its replica: see `topology`.
pub const MYSQL97_REPLICA: Database = Database { variable: "TIDEWIRE_MYSQL97_REPLICA" };
pub const MYSQL80: Database = Database { variable: "TIDEWIRE_MYSQL80" };
pub const MYSQL57: Database = Database { variable: "TIDEWIRE_MYSQL57" };
pub const MARIADB: Database = Database { variable: "TIDEWIRE_MARIADB" };

/// A variable of the test ground; without it the tests were not started by `tests/run`.
pub fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set; run tests/run integration"))
}

impl Database {
    /// The name of the variable that holds its address.
    pub fn variable(&self) -> &'static str {
        self.variable
    }

    /// Host and port.
    pub fn address(&self) -> (String, u16) {
        let address = variable(self.variable);
        let (host, port) = address.split_once(':').expect("host:port");
        (host.to_owned(), port.parse().expect("a port"))
    }

    /// Runs statements as root; the rows that they return, columns separated by tabs.
    pub fn sql(&self, statements: &str) -> Vec<String> {
        let folder = variable(&format!("{}_DIR", self.variable));
        let mut client = Command::new(variable("TIDEWIRE_SERVERS"))
            .args(["sql", &folder, "--batch", "--skip-column-names"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the client starts");
        client.stdin.take().expect("a pipe").write_all(statements.as_bytes()).expect("the client reads");
        let output = client.wait_with_output().expect("the client ends");
        assert!(output.status.success(), "{}: {statements}", self.variable);
        String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
    }
}
