//! `tidewire run` in Kafka mode, as a process.

use crate::json::Json;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const STOP_LIMIT: Duration = Duration::from_secs(30);

/// Where a worker of these tests stores offsets.
pub const OFFSET_TOPIC: &str = "connect-offsets";

/// A running process.
pub struct Worker {
    process: Child,
    log: std::path::PathBuf,
}

impl Worker {
    /// Starts one connector with its files in `folder`.
    pub fn start(
        folder: &Path,
        kafka: &str,
        name: &str,
        properties: &[(String, String)],
    ) -> Result<Self, String> {
        let file = |name: &str| folder.join(name);
        let io = |e: std::io::Error| format!("{}: {e}", folder.display());
        let worker = format!(
            "bootstrap.servers={kafka}\ngroup.id=connect\ntidewire.standby.enabled=false\n\
             offset.storage.topic={OFFSET_TOPIC}\n\
             offset.storage.replication.factor=1\noffset.storage.partitions=1\noffset.flush.interval.ms=1000\n"
        );
        fs::write(file("worker.properties"), worker).map_err(io)?;
        let config: serde_json::Map<_, _> =
            properties.iter().map(|(k, v)| (k.clone(), v.clone().into())).collect();
        let connector = serde_json::json!({"name": name, "config": config});
        fs::write(file("connector.json"), connector.to_string()).map_err(io)?;
        let log = File::create(file("log")).map_err(io)?;
        let process = Command::new(env!("CARGO_BIN_EXE_tidewire"))
            .args(["run", "--worker"])
            .args([file("worker.properties"), file("connector.json")])
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(io)?)
            .stderr(log)
            .spawn()
            .map_err(|e| format!("tidewire run: {e}"))?;
        Ok(Worker { process, log: file("log") })
    }

    /// The end of what it logged.
    pub fn log(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.trim().lines().collect();
        lines[lines.len().saturating_sub(8)..].join("\n")
    }

    /// An error when the process has ended by itself.
    pub fn check(&mut self) -> Result<(), String> {
        match self.process.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(format!("tidewire run ended with {status}\n{}", self.log())),
            Err(error) => Err(error.to_string()),
        }
    }

    /// SIGTERM; it must end by itself with exit code 0.
    pub fn stop(self) -> Result<(), String> {
        let sent = Command::new("kill").arg(self.process.id().to_string()).status();
        sent.map_err(|e| format!("kill: {e}"))?;
        self.wait(STOP_LIMIT)
    }

    /// Waits until it has ended with exit code 0.
    pub fn wait(mut self, limit: Duration) -> Result<(), String> {
        let deadline = Instant::now() + limit;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => {
                    return Err(format!("tidewire run ended with {status}\n{}", self.log()));
                }
                Ok(None) if Instant::now() > deadline => {
                    return Err(format!("tidewire run does not end\n{}", self.log()));
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(50)),
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Nothing to do for one that has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A golden `config.json` for servers of our own: addresses in place of its placeholders.
pub fn properties(config: &Json, mysql: &str, kafka: &str) -> Result<Vec<(String, String)>, String> {
    let Json::Object(members) = config else { return Err("config.json is no object".to_owned()) };
    let (host, port) = mysql.split_once(':').ok_or("TIDEWIRE_MYSQL97 is host:port")?;
    let mut properties = Vec::new();
    for (name, value) in members {
        let value =
            value.text().ok_or_else(|| format!("config.json: {name} is no string"))?.replace("KAFKA", kafka);
        properties.push((name.clone(), if name == "database.hostname" { host.to_owned() } else { value }));
    }
    properties.push(("database.port".to_owned(), port.to_owned()));
    Ok(properties)
}
