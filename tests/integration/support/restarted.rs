//! Servers that tests stop, kill, start again and set up wrongly: one test at a time has one.

use std::fs;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::support::database::{MYSQL97_RESTARTED, variable};

static MYSQL: Mutex<()> = Mutex::new(());
static KAFKA: Mutex<()> = Mutex::new(());

/// A server for one test. It runs when a test gets it and when the test is over.
pub struct Restarted {
    kind: &'static str,
    folder: String,
    ports: Vec<String>,
    _alone: MutexGuard<'static, ()>,
}

/// MySQL 9.7 with GTIDs: `MYSQL97_RESTARTED`.
pub fn mysql() -> Restarted {
    let alone = MYSQL.lock().unwrap_or_else(PoisonError::into_inner);
    let ports = vec![MYSQL97_RESTARTED.address().1.to_string()];
    let server = Restarted {
        kind: "mysql97",
        folder: variable("TIDEWIRE_MYSQL97_RESTARTED_DIR"),
        ports,
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
    let server = Restarted { kind: "kafka", folder, ports: vec![port, controller], _alone: alone };
    server.start();
    server
}

impl Restarted {
    fn script(&self, arguments: &[&str]) {
        let script = variable("TIDEWIRE_SERVERS");
        let done = Command::new(script).args(arguments).status().expect("the script starts");
        assert!(done.success(), "servers {arguments:?}");
    }

    /// Starts it; does nothing when it runs.
    pub fn start(&self) {
        let mut arguments = vec!["start", self.kind, &self.folder];
        arguments.extend(self.ports.iter().map(String::as_str));
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
        // The next test wants it running, also when this one failed.
        self.start();
    }
}
