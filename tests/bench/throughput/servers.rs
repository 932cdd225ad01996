//! The servers that `tests/run bench` started, and how to ask them.

use crate::Result;
use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use std::cell::RefCell;
use std::collections::HashSet;
use std::env;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Addresses, and a client of the broker.
pub struct Servers {
    script: String,
    mysql_folder: String,
    /// `host:port` of MySQL.
    pub mysql: String,
    /// `host:port` of the broker.
    pub kafka: String,
    consumer: BaseConsumer,
    /// Topics that are known to exist.
    seen: RefCell<HashSet<String>>,
}

/// For one answer of the broker.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A variable that `tests/run` sets.
pub fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|_| format!("{name} is not set; run this as tests/run bench").into())
}

impl Servers {
    pub fn from_environment() -> Result<Self> {
        let kafka = variable("TIDEWIRE_KAFKA")?;
        let consumer =
            ClientConfig::new().set("bootstrap.servers", &kafka).set("group.id", "bench").create()?;
        Ok(Servers {
            script: variable("TIDEWIRE_SERVERS")?,
            mysql_folder: variable("TIDEWIRE_MYSQL97_DIR")?,
            mysql: variable("TIDEWIRE_MYSQL97")?,
            kafka,
            consumer,
            seen: RefCell::default(),
        })
    }

    /// Runs statements as root; what they print, tab-separated.
    pub fn sql(&self, statements: &str) -> Result<String> {
        let mut client = Command::new(&self.script)
            .args(["sql", &self.mysql_folder, "--batch", "--skip-column-names"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = client.stdin.take() {
            stdin.write_all(statements.as_bytes())?;
        }
        let output = client.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("a statement of the bench failed: {}", output.status).into());
        }
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    pub fn version(&self) -> Result<String> {
        self.sql("select version()")
    }

    /// The number of records ever written to a topic's only partition; 0 while there is no such topic.
    pub fn end_offset(&self, topic: &str) -> Result<u64> {
        // A client that has asked for the offsets of a topic before it exists may not see it later: so first whether it is there.
        if !self.seen.borrow().contains(topic) {
            let metadata = self.consumer.fetch_metadata(None, TIMEOUT)?;
            if !metadata
                .topics()
                .iter()
                .any(|t| t.name() == topic && t.partitions().iter().all(|p| p.error().is_none()))
            {
                return Ok(0);
            }
            self.seen.borrow_mut().insert(topic.to_owned());
        }
        let mut tries = 0;
        loop {
            match self.consumer.fetch_watermarks(topic, 0, TIMEOUT) {
                Ok((_, end)) => return Ok(u64::try_from(end)?),
                // A new topic's leader may not answer at once.
                Err(_) if tries < 5 => std::thread::sleep(Duration::from_millis(500)),
                Err(error) => return Err(format!("{topic}: {error}").into()),
            }
            tries += 1;
        }
    }

    pub fn wait_for_end_offset(&self, topic: &str, rows: u64, limit: Duration) -> Result<()> {
        wait(limit, &format!("{rows} records in {topic}"), || Ok(self.end_offset(topic)? >= rows))
    }

    /// Until a connector reads the binlog and has all of it.
    pub fn wait_for_streaming(&self, limit: Duration) -> Result<()> {
        let idle = "select count(*) from information_schema.processlist where command like 'Binlog Dump%' \
                    and state like '%has sent all binlog%'";
        wait(limit, "the start of streaming", || Ok(self.sql(idle)? != "0"))
    }

    /// Ends the server's side of binlog connections: it notices a client that has gone only when it next sends something.
    /// A connector that is on its way out gets `patience` to close its own.
    pub fn end_streaming(&self, patience: Duration) -> Result<()> {
        let readers = "select id from information_schema.processlist where command like 'Binlog Dump%'";
        if wait(patience, "the end of streaming", || Ok(self.sql(readers)?.is_empty())).is_err() {
            for id in self.sql(readers)?.lines() {
                // It may have ended in between.
                let _ = self.sql(&format!("kill {id}"));
            }
        }
        wait(Duration::from_secs(60), "the end of streaming", || Ok(self.sql(readers)?.is_empty()))
    }
}

fn wait(limit: Duration, what: &str, done: impl Fn() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + limit;
    while !done()? {
        if Instant::now() > deadline {
            return Err(format!("waited {} s for {what}", limit.as_secs()).into());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}
