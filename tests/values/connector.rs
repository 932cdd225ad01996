//! `tidewire run` into files: one that streams, and one that takes a snapshot and ends.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Outcome;
use crate::modes::Modes;
use crate::server::{Server, shortened};

/// Server ids that no other connector of the tests has.
static SERVER_ID: AtomicU32 = AtomicU32::new(81_000);

/// How long anything may take that is not expected to take long.
const LIMIT: Duration = Duration::from_secs(120);

/// A connector's process with its files.
pub struct Connector {
    folder: TempDir,
    prefix: String,
    child: Child,
}

impl Connector {
    /// Starts it on one database.
    pub fn start(server: &Server, database: &str, modes: Modes, snapshot_mode: &str) -> Outcome<Self> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let at = |file: &str| folder.path().join(file).display().to_string();
        let mut properties = serde_json::json!({
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "database.hostname": server.host,
            "database.port": server.port.to_string(),
            "database.user": "dbz",
            "database.password": "dbz",
            "database.server.id": SERVER_ID.fetch_add(1, Ordering::Relaxed).to_string(),
            "topic.prefix": "v",
            "database.include.list": database,
            "snapshot.mode": snapshot_mode,
            "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory",
            "schema.history.internal.file.filename": at("history.jsonl"),
            "schema.history.internal.store.only.captured.databases.ddl": "true",
            "tombstones.on.delete": "false",
        });
        for (name, value) in modes.properties() {
            properties[name] = value.into();
        }
        let worker = format!(
            "tidewire.file.path={}\noffset.storage.file.filename={}\noffset.flush.interval.ms=1000\n",
            at("records"),
            at("offsets.dat")
        );
        fs::write(at("worker.properties"), worker).map_err(|error| error.to_string())?;
        let connector = serde_json::json!({"name": "values", "config": properties}).to_string();
        fs::write(at("connector.json"), connector).map_err(|error| error.to_string())?;
        let binary = std::env::var("TIDEWIRE_BIN").map_err(|_| "TIDEWIRE_BIN is not set".to_owned())?;
        let log = File::create(at("log")).map_err(|error| error.to_string())?;
        let child = Command::new(&binary)
            .args(["run", "--worker", &at("worker.properties"), &at("connector.json")])
            .stdin(Stdio::null())
            .stdout(log.try_clone().map_err(|error| error.to_string())?)
            .stderr(log)
            .spawn()
            .map_err(|error| format!("{binary}: {error}"))?;
        Ok(Connector { folder, prefix: format!("v.{database}."), child })
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// The file of a table's topic.
    pub fn topic(&self, table: &str) -> PathBuf {
        self.folder.path().join("records").join(format!("{}{table}.jsonl", self.prefix))
    }

    /// Until it reads the binlog.
    pub fn wait_for_streaming(&mut self) -> Outcome<()> {
        self.wait("the connector streams", |connector| connector.log().contains("streaming started"))
    }

    /// Until a table has a record.
    pub fn wait_for_record(&mut self, table: &str) -> Outcome<()> {
        let file = self.topic(table);
        self.wait(&format!("{table} is published"), |_| has_a_line(&file))
    }

    fn wait(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) -> Outcome<()> {
        let end = Instant::now() + LIMIT;
        while !is_so(self) {
            let ended = self.child.try_wait().map_err(|error| error.to_string())?;
            if ended.is_some() || Instant::now() > end {
                let state = if ended.is_some() { "ended" } else { "takes too long" };
                return Err(format!("the connector {state} before {what}:\n{}", last_of(&self.log())));
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        Ok(())
    }

    /// Until it ends by itself, or for SIGTERM; it must end well.
    pub fn end(&mut self, terminate: bool) -> Outcome<()> {
        if terminate {
            let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
            sent.map_err(|error| error.to_string())?;
        }
        let end = Instant::now() + LIMIT;
        loop {
            match self.child.try_wait().map_err(|error| error.to_string())? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => {
                    return Err(format!("the connector ended with {status}:\n{}", last_of(&self.log())));
                }
                None if Instant::now() > end => return Err("the connector does not end".to_owned()),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

impl Drop for Connector {
    fn drop(&mut self) {
        // Nothing to do for one that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn has_a_line(file: &Path) -> bool {
    fs::read(file).is_ok_and(|bytes| bytes.contains(&b'\n'))
}

fn last_of(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let from = lines.len().saturating_sub(8);
    lines[from..].iter().map(|line| format!("  {}\n", shortened(line, 600))).collect()
}
