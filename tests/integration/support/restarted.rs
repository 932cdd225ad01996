//! Servers that tests stop, kill, start again and set up wrongly: one test at a time has one.

use std::fs;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tidewire::sink::clickhouse::client::Client;
use tidewire::sink::clickhouse::settings::ClientSettings;

use crate::support::database::{Database, MYSQL97_REPLICA, MYSQL97_RESTARTED, variable};

static MYSQL: Mutex<()> = Mutex::new(());
static REPLICA: Mutex<()> = Mutex::new(());
static KAFKA: Mutex<()> = Mutex::new(());
/// A replica writes the rows of its source into other events.
const REPLICA_OPTIONS: &[&str] = &["--server-id=2", "--binlog-row-event-max-size=512"];

/// A server for one test. It runs when a test gets it and when the test is over.
pub struct Restarted {
    kind: &'static str,
    folder: String,
    ports: Vec<String>,
    options: &'static [&'static str],
    _alone: MutexGuard<'static, ()>,
}

/// MySQL 9.7 with GTIDs: `MYSQL97_RESTARTED`.
pub fn mysql() -> Restarted {
    mysql97(&MYSQL97_RESTARTED, &MYSQL, &[])
}

/// `MYSQL97_REPLICA`. A test that wants both asks for `mysql` first.
pub fn replica() -> Restarted {
    mysql97(&MYSQL97_REPLICA, &REPLICA, REPLICA_OPTIONS)
}

fn mysql97(server: &Database, mutex: &'static Mutex<()>, options: &'static [&'static str]) -> Restarted {
    let alone = mutex.lock().unwrap_or_else(PoisonError::into_inner);
    let server = Restarted {
        kind: "mysql97",
        folder: variable(&format!("{}_DIR", server.variable())),
        ports: vec![server.address().1.to_string()],
        options,
        _alone: alone,
    };
    server.start();
    server
}

/// A broker: `TIDEWIRE_KAFKA_RESTARTED`.
pub fn kafka() -> Restarted {
    let alone = KAFKA.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = variable("TIDEWIRE_KAFKA_RESTARTED_DIR");
    let properties = fs::read_to_string(format!("{folder}/server.properties")).expect("server.properties");
    // The line `controller.quorum.voters=1@127.0.0.1:PORT`.
    let voters =
        properties.lines().find(|line| line.starts_with("controller.quorum.voters")).expect("voters");
    let controller = voters.rsplit(':').next().expect("a port").to_owned();
    let address = variable("TIDEWIRE_KAFKA_RESTARTED");
    let port = address.rsplit(':').next().expect("a port").to_owned();
    let ports = vec![port, controller, variable("TIDEWIRE_KAFKA_RESTARTED_PROXIED")];
    let server = Restarted { kind: "kafka", folder, ports, options: &[], _alone: alone };
    server.start();
    server
}

/// ClickHouse: `TIDEWIRE_CLICKHOUSE_RESTARTED`.
#[allow(dead_code, reason = "only the tests of the sink have it")]
pub fn clickhouse() -> Restarted {
    static CLICKHOUSE: Mutex<()> = Mutex::new(());
    let alone = CLICKHOUSE.lock().unwrap_or_else(PoisonError::into_inner);
    let port = |name| variable(name).rsplit(':').next().expect("a port").to_owned();
    let ports = vec![port("TIDEWIRE_CLICKHOUSE_RESTARTED"), port("TIDEWIRE_CLICKHOUSE_RESTARTED_NATIVE")];
    let folder = variable("TIDEWIRE_CLICKHOUSE_RESTARTED_DIR");
    let server = Restarted { kind: "clickhouse", folder, ports, options: &[], _alone: alone };
    server.start();
    server
}

/// The Kafka Connect worker, which runs at the broker of `TIDEWIRE_KAFKA`.
#[allow(dead_code, reason = "only the tests with the real Debezium have it")]
pub fn connect() -> Restarted {
    worker("TIDEWIRE_KAFKA", "TIDEWIRE_CONNECT")
}

/// Another one, at the broker of `TIDEWIRE_KAFKA_RESTARTED`.
#[allow(dead_code, reason = "only a test that kills both has it")]
pub fn connect_restarted() -> Restarted {
    worker("TIDEWIRE_KAFKA_RESTARTED", "TIDEWIRE_CONNECT_RESTARTED")
}

#[allow(dead_code, reason = "only the tests with the real Debezium have it")]
fn worker(broker: &str, name: &str) -> Restarted {
    static CONNECT: Mutex<()> = Mutex::new(());
    let alone = CONNECT.lock().unwrap_or_else(PoisonError::into_inner);
    let port = |name: &str| variable(name).rsplit(':').next().expect("a port").to_owned();
    let ports = vec![port(broker), port(name)];
    let folder = variable(&format!("{name}_DIR"));
    let server = Restarted { kind: "connect", folder, ports, options: &[], _alone: alone };
    server.start();
    server
}

impl Restarted {
    /// `http://host:port`, of a ClickHouse server.
    #[allow(dead_code, reason = "only the tests of the sink ask for it")]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.first().expect("a port"))
    }

    /// A client of a ClickHouse server.
    #[allow(dead_code, reason = "only the tests of the sink ask for it")]
    pub fn clickhouse(&self) -> Client {
        Client::new(ClientSettings::new(self.url())).expect("settings of a client")
    }

    fn script(&self, arguments: &[&str]) {
        let script = variable("TIDEWIRE_SERVERS");
        let done = Command::new(script).args(arguments).status().expect("the script starts");
        assert!(done.success(), "servers {arguments:?}");
    }

    /// Starts it; does nothing when it runs.
    pub fn start(&self) {
        let mut arguments = vec!["start", self.kind, &self.folder];
        arguments.extend(self.ports.iter().map(String::as_str));
        arguments.extend(self.options);
        self.script(&arguments);
    }

    /// Stops it in an orderly way.
    pub fn stop(&self) {
        self.script(&["stop", &self.folder]);
    }

    /// Sends a signal; gives the process's number.
    pub fn signal(&self, signal: &str) -> String {
        let pid = fs::read_to_string(format!("{}/pid", self.folder)).expect("a pid file").trim().to_owned();
        let sent = Command::new("kill").args([signal, &pid]).status().expect("kill");
        assert!(sent.success(), "{} does not run", self.kind);
        pid
    }

    /// SIGSTOP: its connections stand, and nothing is answered.
    pub fn pause(&self) {
        self.signal("-STOP");
    }

    /// SIGCONT.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    /// SIGKILL.
    pub fn kill(&self) {
        let process = format!("/proc/{}", self.signal("-KILL"));
        crate::support::process::wait_until(
            "a killed server is gone",
            crate::support::process::LIMIT,
            || fs::read_to_string(format!("{process}/stat")).map_or(true, |stat| stat.contains(") Z ")),
        );
    }
}

impl Drop for Restarted {
    fn drop(&mut self) {
        if self.kind == "clickhouse" {
            // Nobody else has it.
            self.stop();
            return;
        }
        // The next test wants it running, also when this one failed.
        if fs::read_to_string(format!("{}/pid", self.folder)).is_ok_and(|pid| is_stopped(pid.trim())) {
            self.go_on();
        }
        self.start();
    }
}

/// Whether a process is stopped by SIGSTOP.
fn is_stopped(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") T "))
}
