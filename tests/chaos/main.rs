//! Exactly-once under everything that ends: `tests/run chaos SEED KILLS`.
//!
//! Three writers and one who alters tables never rest, while the connector is killed, stopped or put to sleep beside a second
//! instance, broker and server are killed or fall silent, and connections are cut. At the end `checker` reads what is committed
//! and compares it with the tables. The seed gives the same order of faults again, though not the same moments.

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod checker;
mod findings;
mod load;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/mysql_server.rs"]
mod mysql_server;
mod proxy;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../values/random.rs"]
mod random;
#[allow(dead_code, reason = "other tests ask for more")]
mod reader;
mod sequence;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/support/mod.rs"]
mod support;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use checker::check;
use findings::Findings;
use load::Load;
use proxy::Proxy;
use random::Random;
use support::connector::Connector;
use support::database::{MYSQL97_RESTARTED, variable};
use support::process::Process;
use support::restarted::{self, Restarted};

/// What can go wrong is for a person to read.
type Outcome<T> = Result<T, String>;

const DATABASE: &str = "chaos";
/// Rows of the largest transactions.
const LARGE: u64 = 1_000_000;
/// How long the connector may take to come up again, and at the end to catch up.
const LIMIT: Duration = Duration::from_secs(180);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: u64| {
        arguments
            .get(place)
            .map_or(Ok(otherwise), |text| text.parse().map_err(|_| format!("{text} is no number")))
    };
    let outcome = number(0, 1).and_then(|seed| run(seed, number(1, 200)?));
    match outcome {
        Ok((kills, findings)) => {
            let Findings { lost, doubled, reordered, records, told } = &findings;
            let told: String = told.iter().map(|line| format!("{line}\n")).collect();
            let _ = writeln!(
                io::stdout(),
                "{told}{records} records\nchaos: {kills} kills, {lost} lost, {doubled} doubled, {reordered} reordered"
            );
            ExitCode::from(u8::from(lost + doubled + reordered > 0 || *records == 0))
        }
        Err(problem) => {
            let _ = writeln!(io::stderr(), "chaos: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// What is killed, and whether a second instance has to look on.
#[derive(Clone, Copy, Debug)]
enum Fault {
    KillConnector,
    StopConnector,
    SleepingConnector,
    KillBroker,
    SilentBroker,
    KillServer,
    CutServer,
    SilentServer,
}

const FAULTS: [Fault; 8] = [
    Fault::KillConnector,
    Fault::StopConnector,
    Fault::SleepingConnector,
    Fault::KillBroker,
    Fault::SilentBroker,
    Fault::KillServer,
    Fault::CutServer,
    Fault::SilentServer,
];

struct Ground {
    server: Restarted,
    broker: Restarted,
    proxy: Proxy,
    connector: Connector,
    /// None only while another one is started.
    process: Option<Process>,
    instances: u32,
}

fn run(seed: u64, kills: u64) -> Outcome<(u64, Findings)> {
    let mut random = Random::new(seed, 0);
    let (server, broker) = (restarted::mysql(), restarted::kafka());
    let load = Load { server: &MYSQL97_RESTARTED, database: DATABASE, xa: 8 };
    load.create()?;
    let (host, port) = MYSQL97_RESTARTED.address();
    let proxy = Proxy::new(format!("{host}:{port}")).map_err(|error| error.to_string())?;
    let brokers = variable("TIDEWIRE_KAFKA_RESTARTED");
    let connector = connector(&brokers, proxy.port);
    let prefix = connector.prefix.clone();
    let mut process = connector.start();
    streams(&mut process)?;
    let mut ground = Ground { server, broker, proxy, connector, process: Some(process), instances: 0 };
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let began = Instant::now();
    let killed = thread::scope(|scope| {
        for writer in 0..3 {
            let random = Random::new(seed, 10 + writer);
            let (load, stop, done) = (&load, &stop, &done);
            scope.spawn(move || load.write(&format!("writer{writer}"), random, stop, done));
        }
        let altering = Random::new(seed, 20);
        scope.spawn(|| load.alter(altering, &stop));
        let mut out = io::stdout().lock();
        let killed = (1..=kills).try_for_each(|kill| {
            thread::sleep(Duration::from_millis(200 + random.next() % 2_000));
            // The connector itself more often than anything else.
            let fault = FAULTS[[0, random.below(FAULTS.len())][usize::from(random.chance(60))]];
            if kill % 100 == 50 {
                load::large(&load, LARGE, &mut random)?;
                // Somewhere in it.
                thread::sleep(Duration::from_secs(1 + random.next() % 5));
            }
            let told = writeln!(out, "kill {kill}: {fault:?}, {} transactions", done.load(Ordering::Relaxed));
            told.map_err(|error| error.to_string())?;
            ground.fault(fault, &mut random)
        });
        stop.store(true, Ordering::Relaxed);
        killed
    });
    killed?;
    let mut process = ground.up()?;
    caught_up(&brokers, &prefix, &mut process)?;
    let ended = process.terminate();
    if ended.code != Some(0) {
        return Err(format!("stopped with {:?}:\n{}", ended.code, ended.log));
    }
    let mut session = mysql_server::root(MYSQL97_RESTARTED.variable());
    let findings = check(&brokers, &prefix, &mut session)?;
    let _ = writeln!(
        io::stdout(),
        "{} transactions in {:.0} s",
        done.load(Ordering::Relaxed),
        began.elapsed().as_secs_f64()
    );
    Ok((kills, findings))
}

fn connector(brokers: &str, port: u16) -> Connector {
    let mut connector = Connector::to_kafka(&MYSQL97_RESTARTED, DATABASE, brokers);
    connector
        .set("database.port", &port.to_string())
        .set("exactly.once.support", "required")
        .set("provide.transaction.metadata", "true")
        .set("topic.creation.default.partitions", "3")
        .set("topic.creation.default.replication.factor", "1")
        .set("errors.max.retries", "-1")
        .set("retriable.restart.connector.wait.ms", "300")
        .set_worker("exactly.once.source.support", "enabled");
    connector
}

fn ended_by_itself(process: &Process) -> String {
    format!("the connector ended by itself:\n{}", process.log())
}

/// Until the connector reads the binlog.
fn streams(process: &mut Process) -> Outcome<()> {
    let began = Instant::now();
    while !process.log().contains(support::connector::STREAMING) {
        if !process.is_running() {
            return Err(ended_by_itself(process));
        }
        if began.elapsed() > LIMIT {
            return Err(format!("no streaming after {} s:\n{}", LIMIT.as_secs(), process.log()));
        }
        thread::sleep(Duration::from_millis(30));
    }
    Ok(())
}

impl Ground {
    fn start_connector(&mut self) {
        self.instances += 1;
        self.process = Some(self.connector.start_instance(&format!("log.{}", self.instances)));
    }

    /// The connector, which must not have ended by itself; another one has to be started then.
    fn take_connector(&mut self) -> Outcome<Process> {
        let mut process = self.process.take().ok_or("no connector")?;
        if process.is_running() { Ok(process) } else { Err(ended_by_itself(&process)) }
    }

    fn fault(&mut self, fault: Fault, random: &mut Random) -> Outcome<()> {
        let while_down = Duration::from_millis(random.next() % 2_500);
        match fault {
            Fault::KillConnector => {
                self.take_connector()?.kill();
                thread::sleep(while_down / 4);
                self.start_connector();
            }
            Fault::StopConnector => {
                let stopped = self.take_connector()?.terminate();
                if stopped.after > Duration::from_secs(9) {
                    return Err(format!("it took {:?} to stop:\n{}", stopped.after, stopped.log));
                }
                self.start_connector();
            }
            Fault::SleepingConnector => {
                let older = self.take_connector()?;
                older.pause();
                self.start_connector();
                let took_over = self.process.as_mut().map_or(Ok(()), streams);
                older.go_on();
                took_over?;
                let ended = older.wait(LIMIT);
                if ended.code == Some(0) {
                    return Err(format!("an older instance is not fenced:\n{}", ended.log));
                }
            }
            Fault::KillBroker => {
                self.broker.kill();
                thread::sleep(while_down);
                self.broker.start();
            }
            Fault::SilentBroker => {
                self.broker.signal("-STOP");
                thread::sleep(while_down);
                self.broker.signal("-CONT");
            }
            Fault::KillServer => {
                self.server.kill();
                thread::sleep(while_down);
                self.server.start();
            }
            Fault::CutServer => self.proxy.cut(),
            Fault::SilentServer => self.proxy.fall_silent(while_down),
        }
        Ok(())
    }

    /// Everything runs.
    fn up(&mut self) -> Outcome<Process> {
        self.server.start();
        self.broker.start();
        let mut process = self.take_connector()?;
        streams(&mut process)?;
        Ok(process)
    }
}

/// Until what is committed has the last transaction.
fn caught_up(brokers: &str, prefix: &str, process: &mut Process) -> Outcome<()> {
    let mut session = mysql_server::root(MYSQL97_RESTARTED.variable());
    let last = session.query_value(&format!("SELECT n FROM {DATABASE}.counter"));
    let last: i64 = last.map_err(|error| error.to_string())?.and_then(|text| text.parse().ok()).unwrap_or(0);
    let topic = format!("{prefix}.{DATABASE}.counter");
    let began = Instant::now();
    loop {
        let values = reader::values(brokers, &topic)?;
        let newest = values.iter().flatten().flatten().filter_map(|value| value["after"]["n"].as_i64()).max();
        if newest == Some(last) {
            // What follows the last transaction, if anything does.
            thread::sleep(Duration::from_secs(1));
            return Ok(());
        }
        if !process.is_running() {
            return Err(ended_by_itself(process));
        }
        if began.elapsed() > LIMIT {
            return Err(format!("{newest:?} of {last} after {} s:\n{}", LIMIT.as_secs(), process.log()));
        }
        thread::sleep(Duration::from_millis(300));
    }
}
