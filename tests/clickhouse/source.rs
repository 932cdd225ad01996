//! What publishes MySQL's changes: Tidewire in a process of its own, or the real Debezium on a Kafka Connect worker.
//!
//! Both take the same properties. A kill of Debezium is a kill of its worker. Debezium gives up at some losses of its server; then
//! its task is started again, as whoever operates it would do.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::debezium::{Debezium, end_readers};
use crate::support::connector::Connector;
use crate::support::database::MYSQL97_RESTARTED;
use crate::support::process::Process;
use crate::support::restarted::{self, Restarted};
use crate::{Outcome, goes_on, stopped};

/// How often the worker is asked whether the task has failed.
const ASK_EVERY: Duration = Duration::from_secs(2);

fn gave_up(trace: &str) {
    let cause = trace.lines().rfind(|line| line.starts_with("Caused by"));
    let cause = cause.or_else(|| trace.lines().next()).unwrap_or_default();
    let _ = writeln!(io::stdout(), "Debezium gave up and is started again: {cause}");
}

pub enum Source {
    Tidewire { connector: Connector, process: Option<Process>, started: u32 },
    Debezium { connector: Connector, debezium: Debezium, worker: Restarted, asked: Instant },
}

impl Source {
    pub fn tidewire(connector: Connector) -> Self {
        Source::Tidewire { connector, process: None, started: 0 }
    }

    pub fn debezium(connector: Connector) -> Self {
        let worker = restarted::connect_restarted();
        let debezium = Debezium::at("TIDEWIRE_CONNECT_RESTARTED", &connector.prefix, &MYSQL97_RESTARTED);
        Source::Debezium { connector, debezium, worker, asked: Instant::now() }
    }

    /// For the first time.
    pub fn start(&mut self) {
        match self {
            Source::Tidewire { .. } => self.start_again(),
            Source::Debezium { connector, debezium, .. } => debezium.start(&connector.properties),
        }
    }

    /// After it was killed or stopped.
    pub fn start_again(&mut self) {
        match self {
            Source::Tidewire { connector, process, started } => {
                *started += 1;
                *process = Some(connector.start_instance(&format!("log.source.{started}")));
            }
            Source::Debezium { debezium, worker, .. } => {
                worker.start();
                debezium.go_on_in_the_end(&gave_up);
            }
        }
    }

    pub fn kill(&mut self) {
        match self {
            Source::Tidewire { process, .. } => {
                let _ended = process.take().map(Process::kill);
            }
            Source::Debezium { worker, .. } => {
                worker.kill();
                end_readers(&MYSQL97_RESTARTED);
            }
        }
    }

    pub fn stop(&mut self) -> Outcome<()> {
        match self {
            Source::Tidewire { process, .. } => process.take().map_or(Ok(()), stopped),
            Source::Debezium { debezium, .. } => {
                debezium.stop();
                Ok(())
            }
        }
    }

    /// It has not ended by itself.
    pub fn check(&mut self) -> Outcome<()> {
        match self {
            Source::Tidewire { process, .. } => process.as_mut().map_or(Ok(()), goes_on),
            Source::Debezium { debezium, asked, .. } => {
                if asked.elapsed() > ASK_EVERY {
                    *asked = Instant::now();
                    if let Some(trace) = debezium.failure() {
                        gave_up(&trace);
                        debezium.start_failed();
                    }
                }
                Ok(())
            }
        }
    }

    pub fn log(&self) -> String {
        match self {
            Source::Tidewire { process, .. } => process.as_ref().map(Process::log).unwrap_or_default(),
            Source::Debezium { debezium, .. } => debezium.failure().unwrap_or_default(),
        }
    }
}
