//! `tidewire run` with a sink and nothing else.

use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::broker::{Broker, FULL, schema_topic, topic};
use crate::clickhouse::ClickHouse;
use crate::process::Usage;
use crate::records::Rows;
use crate::{LIMIT, Measured, Result, variable};

/// How long a sink may take to end.
const STOPPING: Duration = Duration::from_secs(30);

/// A sink, started or not.
pub struct Mirror {
    binary: String,
    folder: tempfile::TempDir,
    process: Option<Child>,
}

impl Mirror {
    /// Of the topics of a phase, with defaults for whatever has one.
    pub fn new(binary: &str, phase: &str, broker: &Broker) -> Result<Self> {
        Mirror::named(binary, phase, phase, broker)
    }

    fn named(binary: &str, name: &str, phase: &str, broker: &Broker) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let config = serde_json::json!({"name": format!("bench-{name}"), "config": {
            "connector.class": "tidewire.clickhouse.ClickHouseSinkConnector",
            "topics": topic(phase),
            "schema.changes.topic": schema_topic(phase),
            "clickhouse.url": format!("http://{}", variable("TIDEWIRE_CLICKHOUSE")?),
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
        }});
        let worker = format!("bootstrap.servers={}\ngroup.id=bench-sinks\n", broker.address);
        fs::write(folder.path().join("worker.properties"), worker)?;
        fs::write(folder.path().join("sink.json"), config.to_string())?;
        Ok(Mirror { binary: binary.to_owned(), folder, process: None })
    }

    pub fn start(&mut self) -> Result<()> {
        let log = File::create(self.folder.path().join("log"))?;
        let process = Command::new(&self.binary)
            .args(["run", "--worker"])
            .arg(self.folder.path().join("worker.properties"))
            .arg(self.folder.path().join("sink.json"))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        self.process = Some(process);
        Ok(())
    }

    /// What the process has used since its start.
    pub fn usage(&mut self) -> Result<Usage> {
        let process = self.process.as_mut().ok_or("the sink does not run")?;
        if let Some(status) = process.try_wait()? {
            return Err(format!("tidewire run ended with {status}:\n{}", self.last_words()).into());
        }
        Usage::of(process.id())
    }

    fn last_words(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let lines: Vec<&str> = log.trim().lines().collect();
        lines.get(lines.len().saturating_sub(8)..).unwrap_or_default().join("\n")
    }

    /// Waits until a table has so many rows.
    pub fn wait_for(&mut self, server: &ClickHouse, rows: u64) -> Result<()> {
        let deadline = Instant::now() + LIMIT;
        loop {
            let stored = server.stored("orders")?;
            if stored >= rows {
                return Ok(());
            }
            self.usage()?;
            if Instant::now() > deadline {
                let log = self.last_words();
                return Err(format!("{stored} of {rows} rows after {} s:\n{log}", LIMIT.as_secs()).into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it; it has to end well, without having warned of anything.
    pub fn stop(mut self) -> Result<()> {
        let Some(mut process) = self.process.take() else { return Ok(()) };
        Command::new("kill").arg(process.id().to_string()).status()?;
        let deadline = Instant::now() + STOPPING;
        let status = loop {
            match process.try_wait()? {
                Some(status) => break status,
                None if Instant::now() > deadline => {
                    process.kill()?;
                    break process.wait()?;
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        let log = fs::read_to_string(self.folder.path().join("log"))?;
        if !status.success() || log.contains(" WARN ") || log.contains(" ERROR ") {
            return Err(format!("tidewire run ended with {status}:\n{log}").into());
        }
        Ok(())
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // Already on the way out with an error of its own.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// All rows into an empty server, by a group that has read nothing.
pub fn measure(
    binary: &str,
    name: &str,
    broker: &Broker,
    server: &ClickHouse,
    rows: &Rows,
) -> Result<Measured> {
    server.clear()?;
    let mut mirror = Mirror::named(binary, name, FULL, broker)?;
    let (before, began) = (server.cpu()?, Instant::now());
    mirror.start()?;
    mirror.wait_for(server, rows.count)?;
    let (wall, used) = (began.elapsed(), mirror.usage()?);
    let server_cpu = server.cpu()?.saturating_sub(before);
    mirror.stop()?;
    server.compare("orders", rows)?;
    Ok(Measured { rows: rows.count, wall, used, server: server_cpu })
}
