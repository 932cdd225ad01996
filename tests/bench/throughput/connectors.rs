//! The two that are compared: `tidewire run` as a process of its own, and a connector of a Kafka Connect worker.

use crate::Result;
use crate::data::Config;
use crate::process::Usage;
use crate::servers::{Servers, variable};
use serde_json::Value;
use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Tidewire, at least once.
pub const OURS: &str = "tidewire";
/// Tidewire, exactly once.
pub const ONCE: &str = "tidewire_once";
/// Debezium.
pub const THEIRS: &str = "debezium";

/// How a connector is started, watched and stopped.
pub trait Connector {
    /// Part of connector and topic names.
    fn name(&self) -> &'static str;
    /// For the table.
    fn title(&self) -> &'static str;
    /// Whether its topics have more than its records: the markers of transactions.
    fn adds_markers(&self) -> bool {
        false
    }
    /// Whether the process outlives its connectors and has to be warmed.
    fn is_warmed(&self) -> bool;
    /// What the process has used before it works for the connector.
    fn usage_before_start(&self) -> Result<Usage>;
    /// What the process has used.
    fn usage(&self) -> Result<Usage>;
    /// Starts, or goes on from the stored offset when a connector of this name has been before.
    fn start(&mut self, config: &Config) -> Result<()>;
    /// An error when it has failed.
    fn check(&mut self) -> Result<()>;
    /// Stops it with its offset stored; `forget` when it will not be started again.
    fn stop(&mut self, config: &Config, forget: bool) -> Result<()>;
}

const STOP_LIMIT: Duration = Duration::from_secs(60);

/// `tidewire run` with a worker file and a connector file.
pub struct Tidewire<'a> {
    servers: &'a Servers,
    exactly_once: bool,
    folder: tempfile::TempDir,
    process: Option<Child>,
}

impl<'a> Tidewire<'a> {
    pub fn new(servers: &'a Servers, exactly_once: bool) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let worker = format!(
            "bootstrap.servers={}\ngroup.id=bench-tidewire\ntidewire.standby.enabled=false\n\
             offset.storage.topic=bench-offsets\n\
             offset.storage.replication.factor=1\noffset.storage.partitions=1\noffset.flush.interval.ms=1000\n\
             exactly.once.source.support={}\n",
            servers.kafka,
            if exactly_once { "enabled" } else { "disabled" }
        );
        fs::write(folder.path().join("worker.properties"), worker)?;
        Ok(Tidewire { servers, exactly_once, folder, process: None })
    }

    fn complaint(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.trim().lines().collect();
        lines[lines.len().saturating_sub(5)..].join("\n")
    }
}

impl Connector for Tidewire<'_> {
    fn name(&self) -> &'static str {
        if self.exactly_once { ONCE } else { OURS }
    }

    fn title(&self) -> &'static str {
        match self.exactly_once {
            false => concat!("Tidewire ", env!("CARGO_PKG_VERSION")),
            true => concat!("Tidewire ", env!("CARGO_PKG_VERSION"), ", exactly once"),
        }
    }

    fn adds_markers(&self) -> bool {
        self.exactly_once
    }

    fn is_warmed(&self) -> bool {
        false
    }

    fn usage_before_start(&self) -> Result<Usage> {
        Ok(Usage::default())
    }

    fn usage(&self) -> Result<Usage> {
        Usage::of(self.process.as_ref().ok_or("tidewire does not run")?.id())
    }

    fn start(&mut self, config: &Config) -> Result<()> {
        let connector = self.folder.path().join("connector.json");
        let body = serde_json::json!({"name": config.name, "config": config.properties(self.servers)});
        fs::write(&connector, body.to_string())?;
        let log = File::create(self.folder.path().join("log"))?;
        let process = Command::new(env!("CARGO_BIN_EXE_tidewire"))
            .args(["run", "--worker"])
            .arg(self.folder.path().join("worker.properties"))
            .arg(&connector)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        self.process = Some(process);
        Ok(())
    }

    fn check(&mut self) -> Result<()> {
        match self.process.as_mut().map(Child::try_wait).transpose()?.flatten() {
            Some(status) => Err(format!("tidewire run ended with {status}:\n{}", self.complaint()).into()),
            None => Ok(()),
        }
    }

    fn stop(&mut self, _: &Config, _: bool) -> Result<()> {
        let Some(mut process) = self.process.take() else { return Ok(()) };
        Command::new("kill").arg(process.id().to_string()).status()?;
        let deadline = Instant::now() + STOP_LIMIT;
        while process.try_wait()?.is_none() {
            if Instant::now() > deadline {
                process.kill()?;
                process.wait()?;
                return Err("tidewire run did not stop on SIGTERM".into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        self.servers.end_streaming(Duration::ZERO)
    }
}

impl Drop for Tidewire<'_> {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // Already on the way out with an error of its own.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// A connector of the Kafka Connect worker that `tests/run bench` started.
pub struct Debezium<'a> {
    servers: &'a Servers,
    rest: String,
    pid: u32,
    current: Option<String>,
}

impl<'a> Debezium<'a> {
    pub fn new(servers: &'a Servers) -> Result<Self> {
        let rest = variable("TIDEWIRE_CONNECT")?;
        let pid = fs::read_to_string(format!("{}/pid", variable("TIDEWIRE_CONNECT_DIR")?))?.trim().parse()?;
        Ok(Debezium { servers, rest, pid, current: None })
    }

    /// One call of the worker's REST interface; a busy worker (409) is asked again.
    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let url = format!("http://{}/connectors/{path}", self.rest);
        let body = body.map(Value::to_string).unwrap_or_default();
        for _ in 0..60 {
            let output = Command::new("curl")
                .args([
                    "-s",
                    "-m",
                    "60",
                    "-w",
                    "\n%{http_code}",
                    "-X",
                    method,
                    "-H",
                    "content-type: application/json",
                ])
                .args(if body.is_empty() { vec![] } else { vec!["-d", &body] })
                .arg(&url)
                .output()?;
            let text = String::from_utf8(output.stdout)?;
            let (answer, code) = text.rsplit_once('\n').unwrap_or(("", &text));
            match code.parse::<u16>().unwrap_or(0) {
                200..300 => return Ok(serde_json::from_str(answer).unwrap_or(Value::Null)),
                409 => std::thread::sleep(Duration::from_secs(1)),
                other => return Err(format!("{method} {url}: {other} {answer}").into()),
            }
        }
        Err(format!("{method} {url}: the worker stays busy").into())
    }

    fn state(&self, name: &str) -> Result<Value> {
        self.call("GET", &format!("{name}/status"), None)
    }
}

impl Connector for Debezium<'_> {
    fn name(&self) -> &'static str {
        THEIRS
    }

    fn title(&self) -> &'static str {
        "Debezium 3.6.1.Final on Kafka Connect 4.3.1"
    }

    fn is_warmed(&self) -> bool {
        true
    }

    fn usage_before_start(&self) -> Result<Usage> {
        self.usage()
    }

    fn usage(&self) -> Result<Usage> {
        Usage::of(self.pid)
    }

    fn start(&mut self, config: &Config) -> Result<()> {
        let exists = self
            .call("GET", "", None)?
            .as_array()
            .is_some_and(|names| names.iter().any(|n| *n == *config.name));
        match exists {
            true => self.call("PUT", &format!("{}/resume", config.name), None)?,
            false => {
                self.call("PUT", &format!("{}/config", config.name), Some(&config.properties(self.servers)))?
            }
        };
        self.current = Some(config.name.clone());
        Ok(())
    }

    fn check(&mut self) -> Result<()> {
        let Some(name) = &self.current else { return Ok(()) };
        // The status is not there yet in the first moments.
        let Ok(status) = self.state(name) else { return Ok(()) };
        let tasks = status["tasks"].as_array().cloned().unwrap_or_default();
        match tasks.iter().find(|task| task["state"] == "FAILED") {
            Some(task) => Err(format!("Debezium's task failed: {}", task["trace"]).into()),
            None => Ok(()),
        }
    }

    fn stop(&mut self, config: &Config, forget: bool) -> Result<()> {
        self.current = None;
        match forget {
            true => self.call("DELETE", &config.name, None)?,
            false => self.call("PUT", &format!("{}/stop", config.name), None)?,
        };
        // The worker answers before the task has stopped.
        self.servers.end_streaming(Duration::from_secs(10))
    }
}
