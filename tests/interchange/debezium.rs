//! The real Debezium: a connector of the Kafka Connect worker that `tests/run interchange` started.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::support::database::{Database, variable};
use crate::support::process::wait_until;

/// Java starts slowly where others compile.
const LIMIT: Duration = Duration::from_secs(120);
const READERS: &str = "select id from information_schema.processlist where command like 'Binlog Dump%'";
const IDLE_READERS: &str = "select id from information_schema.processlist where command like 'Binlog Dump%' \
                            and state like '%has sent all binlog%'";

/// Its REST interface.
pub struct Debezium {
    name: String,
    server: &'static Database,
    rest: String,
}

impl Debezium {
    /// The connector of this name, which reads this server.
    pub fn new(name: &str, server: &'static Database) -> Self {
        Debezium::at("TIDEWIRE_CONNECT", name, server)
    }

    /// The same of another worker, whose address is in a variable.
    pub fn at(worker: &str, name: &str, server: &'static Database) -> Self {
        Debezium { name: name.to_owned(), server, rest: variable(worker) }
    }

    /// One call; none while the worker is busy or does not know the connector yet.
    fn call(&self, method: &str, path: &str, body: Option<String>) -> Option<Value> {
        let url = format!("http://{}/connectors/{}{path}", self.rest, self.name);
        let body = body.unwrap_or_default();
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
            .output()
            .expect("curl");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let (answer, code) = text.rsplit_once('\n').unwrap_or(("", &text));
        match code {
            "409" | "404" => None,
            code if code.starts_with('2') => Some(serde_json::from_str(answer).unwrap_or(Value::Null)),
            _ => panic!("{method} {url}: {text}"),
        }
    }

    /// Starts it with these properties, or goes on with them; returns when it has read all of the binlog.
    pub fn start(&self, properties: &BTreeMap<String, String>) {
        let properties = serde_json::to_string(properties).expect("JSON");
        wait_until("the worker takes the connector", LIMIT, || {
            self.call("PUT", "/config", Some(properties.clone())).is_some()
        });
        self.resume();
        self.streams(IDLE_READERS, &|trace| panic!("{trace}"));
    }

    /// Goes on with what it was started with, also on a worker that was killed; returns when it reads the binlog.
    pub fn go_on(&self) {
        self.resume();
        self.streams(READERS, &|trace| panic!("{trace}"));
    }

    /// The same under load, where a snapshot may fail over an ALTER: whoever operates it starts it again.
    pub fn go_on_in_the_end(&self, told: &dyn Fn(&str)) {
        self.resume();
        self.streams(READERS, &|trace| {
            told(trace);
            self.start_failed();
        });
    }

    fn resume(&self) {
        wait_until("the connector goes on", LIMIT, || self.call("PUT", "/resume", None).is_some());
    }

    fn streams(&self, readers: &str, failed: &dyn Fn(&str)) {
        wait_until("Debezium streams", LIMIT, || {
            if let Some(trace) = self.failure() {
                failed(&trace);
            }
            !self.server.sql(readers).is_empty()
        });
    }

    /// Why its task has failed, if it has.
    pub fn failure(&self) -> Option<String> {
        let status = self.call("GET", "/status", None)?;
        let task = status["tasks"].as_array()?.iter().find(|task| task["state"] == "FAILED")?;
        Some(task["trace"].as_str().unwrap_or("it does not say why").to_owned())
    }

    /// Starts a failed task again.
    pub fn start_failed(&self) {
        wait_until("the worker starts the task again", LIMIT, || {
            self.call("POST", "/restart?includeTasks=true&onlyFailed=true", None).is_some()
        });
    }

    /// Stops it; its offset is stored.
    pub fn stop(&self) {
        wait_until("the worker stops the connector", LIMIT, || self.call("PUT", "/stop", None).is_some());
        wait_until("the task is gone", LIMIT, || {
            let status = self.call("GET", "/status", None).unwrap_or(Value::Null);
            status["connector"]["state"] == "STOPPED" && status["tasks"].as_array().is_some_and(Vec::is_empty)
        });
        end_readers(self.server);
    }
}

/// Ends the server's side of binlog connections: it notices a client that has gone only when it next sends something.
pub fn end_readers(server: &Database) {
    for id in server.sql(READERS) {
        // It may have noticed meanwhile.
        let _ = server.try_sql(&format!("kill {id}"));
    }
    wait_until("nobody reads the binlog", LIMIT, || server.sql(READERS).is_empty());
}
