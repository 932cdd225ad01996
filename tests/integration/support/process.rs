//! The binary as a process: its exit code, and what it said.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::database::variable;

/// How long anything may take that is not expected to take long.
pub const LIMIT: Duration = Duration::from_secs(40);

/// A command of the binary with these arguments.
pub fn tidewire<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(variable("TIDEWIRE_BIN"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Looks again and again until it is so; panics with `what` when it never is.
pub fn wait_until(what: &str, limit: Duration, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + limit;
    while !is_so() {
        assert!(Instant::now() < end, "not within {} s: {what}", limit.as_secs());
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub log: String,
    pub after: Duration,
}

impl Ended {
    /// It ended with this code and said all of these.
    pub fn expect(&self, code: i32, said: &[&str]) {
        assert_eq!(self.code, Some(code), "{}", self.log);
        for text in said {
            assert!(self.log.contains(text), "{text:?} is missing in:\n{}", self.log);
        }
    }
}

/// A process that runs until it ends or the value is dropped.
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a command; standard error, and standard output unless it goes elsewhere, are the log.
    pub fn start(mut command: Command, log: &Path) -> Self {
        let file = File::create(log).expect("a log file");
        let child = command
            .stdout(file.try_clone().expect("a second handle"))
            .stderr(file)
            .spawn()
            .expect("the binary starts");
        Process { child, log: log.to_owned() }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("the process can be asked").is_none()
    }

    /// Until it has said this so many times; panics when it ends before.
    pub fn wait_for(&mut self, text: &str, times: usize) {
        let end = Instant::now() + LIMIT;
        while self.log().matches(text).count() < times {
            assert!(self.is_running(), "ended without saying {text:?}:\n{}", self.log());
            assert!(Instant::now() < end, "{text:?} was not said {times} times:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Until it ends by itself.
    pub fn wait(mut self, limit: Duration) -> Ended {
        let began = Instant::now();
        let mut status: Option<ExitStatus> = None;
        while status.is_none() {
            assert!(began.elapsed() < limit, "still running after {} s:\n{}", limit.as_secs(), self.log());
            std::thread::sleep(Duration::from_millis(20));
            status = self.child.try_wait().expect("the process can be asked");
        }
        Ended { code: status.and_then(|status| status.code()), log: self.log(), after: began.elapsed() }
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.id().to_string()]).status().expect("kill");
        assert!(sent.success(), "the process has ended:\n{}", self.log());
    }

    /// SIGSTOP: it does nothing more.
    pub fn pause(&self) {
        self.signal("-STOP");
    }

    /// SIGCONT.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    /// SIGTERM; it has ten seconds.
    pub fn terminate(self) -> Ended {
        self.signal("-TERM");
        self.wait(Duration::from_secs(10))
    }

    /// SIGKILL.
    pub fn kill(self) -> Ended {
        self.signal("-KILL");
        self.wait(LIMIT)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing to do for one that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
