//! Exactly-once under everything that ends: `tests/run chaos SEED KILLS`.
//!
//! Three writers and one who alters tables never rest, while the instance that runs the connector is killed, stopped or put to
//! sleep and another one, which stood by, takes over; broker and server are killed or fall silent, and connections are cut. At the end `checker` reads what is committed
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
/// What an instance says that runs the connector from now on.
const HAS_LEASE: &str = "this instance has the lease";
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

/// What is killed. The connector is the instance that runs it.
#[derive(Clone, Copy, Debug)]
enum Fault {
    KillConnector,
    StopConnector,
    SleepingConnector,
    KillStandby,
    KillBroker,
    SilentBroker,
    CutBroker,
    LostBroker,
    KillServer,
    CutServer,
    SilentServer,
}

const FAULTS: [Fault; 11] = [
    Fault::KillConnector,
    Fault::StopConnector,
    Fault::SleepingConnector,
    Fault::KillStandby,
    Fault::KillBroker,
    Fault::SilentBroker,
    Fault::CutBroker,
    Fault::LostBroker,
    Fault::KillServer,
    Fault::CutServer,
    Fault::SilentServer,
];

struct Ground {
    server: Restarted,
    broker: Restarted,
    proxy: Proxy,
    broker_proxy: Proxy,
    connector: Connector,
    /// One runs the connector, the other one stands by. None of them may end by itself.
    instances: Vec<Process>,
    started: u32,
}

fn run(seed: u64, kills: u64) -> Outcome<(u64, Findings)> {
    let mut random = Random::new(seed, 0);
    let (server, broker) = (restarted::mysql(), restarted::kafka());
    let load = Load { server: &MYSQL97_RESTARTED, database: DATABASE, xa: 8 };
    load.create()?;
    let (host, port) = MYSQL97_RESTARTED.address();
    let proxy = Proxy::new(format!("{host}:{port}")).map_err(|error| error.to_string())?;
    let brokers = variable("TIDEWIRE_KAFKA_RESTARTED");
    let (broker_proxy, proxied) = before_broker()?;
    let connector = connector(&proxied, proxy.port);
    let prefix = connector.prefix.clone();
    let mut ground =
        Ground { server, broker, proxy, broker_proxy, connector, instances: Vec::new(), started: 0 };
    ground.start_instance();
    ground.streaming()?;
    ground.start_instance();
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
    ground.server.start();
    ground.broker.start();
    caught_up(&brokers, &prefix, &mut ground)?;
    for process in std::mem::take(&mut ground.instances) {
        let ended = process.terminate();
        if ended.code != Some(0) {
            return Err(format!("stopped with {:?}:\n{}", ended.code, ended.log));
        }
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

/// A proxy in front of the broker, which advertises it to who comes by it, and its address.
fn before_broker() -> Outcome<(Proxy, String)> {
    let ports = variable("TIDEWIRE_KAFKA_RESTARTED_PROXIED");
    let (port, advertised) = ports.split_once(':').ok_or("no two ports")?;
    let on = advertised.parse().map_err(|_| "no port")?;
    let proxy = Proxy::on(on, format!("127.0.0.1:{port}")).map_err(|error| error.to_string())?;
    Ok((proxy, format!("127.0.0.1:{advertised}")))
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
        .set_worker("tidewire.standby.enabled", "true")
        .set_worker("session.timeout.ms", "2000")
        .set_worker("heartbeat.interval.ms", "500")
        .set_worker("exactly.once.source.support", "enabled");
    connector
}

fn ended_by_itself(process: &Process) -> String {
    format!("the connector ended by itself:\n{}", process.log())
}

/// Whether an instance has the lease, by what it said last.
fn has_lease(log: &str) -> bool {
    log.rfind(HAS_LEASE) > log.rfind("the lease is lost")
}

/// Whether it reads the binlog, too.
fn streams(log: &str) -> bool {
    has_lease(log) && log.rfind(support::connector::STREAMING) > log.rfind(HAS_LEASE)
}

impl Ground {
    fn start_instance(&mut self) {
        self.started += 1;
        self.instances.push(self.connector.start_instance(&format!("log.{}", self.started)));
    }

    /// None of the instances has ended by itself.
    fn check(&mut self) -> Outcome<()> {
        match self.instances.iter_mut().find_map(|process| (!process.is_running()).then_some(process)) {
            Some(process) => Err(ended_by_itself(process)),
            None => Ok(()),
        }
    }

    /// The place of the instance that runs the connector; waited for.
    fn streaming(&mut self) -> Outcome<usize> {
        let began = Instant::now();
        loop {
            self.check()?;
            if let Some(place) = self.instances.iter().position(|process| streams(&process.log())) {
                return Ok(place);
            }
            if began.elapsed() > LIMIT {
                let logs: String = self.instances.iter().map(|process| process.log() + "\n").collect();
                return Err(format!("nobody streams after {} s:\n{logs}", LIMIT.as_secs()));
            }
            thread::sleep(Duration::from_millis(30));
        }
    }

    fn fault(&mut self, fault: Fault, random: &mut Random) -> Outcome<()> {
        let while_down = Duration::from_millis(random.next() % 2_500);
        match fault {
            Fault::KillConnector => {
                // Also while it starts.
                let place = match random.chance(50) {
                    true => self.instances.iter().position(|process| has_lease(&process.log())).unwrap_or(0),
                    false => self.streaming()?,
                };
                self.check()?;
                self.instances.remove(place).kill();
                thread::sleep(while_down / 4);
                self.start_instance();
            }
            Fault::StopConnector => {
                let place = self.streaming()?;
                let stopped = self.instances.remove(place).terminate();
                if stopped.after > Duration::from_secs(9) {
                    return Err(format!("it took {:?} to stop:\n{}", stopped.after, stopped.log));
                }
                self.start_instance();
            }
            Fault::SleepingConnector => {
                let place = self.streaming()?;
                let sleeping = self.instances.remove(place);
                sleeping.pause();
                let took_over = self.streaming();
                sleeping.go_on();
                self.instances.push(sleeping);
                took_over?;
            }
            Fault::KillStandby => {
                let place = self.streaming()?;
                self.instances.remove((place + 1) % 2).kill();
                self.start_instance();
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
            Fault::CutBroker => self.broker_proxy.cut(),
            Fault::LostBroker => self.broker_proxy.fall_silent(while_down),
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
}

/// Until what is committed has the last transaction.
fn caught_up(brokers: &str, prefix: &str, ground: &mut Ground) -> Outcome<()> {
    let mut session = mysql_server::root(MYSQL97_RESTARTED.variable());
    let last = session.query_value(&format!("SELECT n FROM {DATABASE}.counter"));
    let last: i64 = last.map_err(|error| error.to_string())?.and_then(|text| text.parse().ok()).unwrap_or(0);
    let topic = format!("{prefix}.{DATABASE}.counter");
    // It may have far to go, but must not stand still.
    let (mut began, mut before) = (Instant::now(), None);
    loop {
        let newest = reader::newest(brokers, &topic)?;
        let newest = newest.iter().filter_map(|value| value["after"]["n"].as_i64()).max();
        if newest > before {
            (began, before) = (Instant::now(), newest);
        }
        if newest == Some(last) {
            // What follows the last transaction, if anything does.
            thread::sleep(Duration::from_secs(1));
            return Ok(());
        }
        ground.check()?;
        if began.elapsed() > LIMIT {
            let logs: String = ground.instances.iter().map(|process| process.log() + "\n").collect();
            return Err(format!("{newest:?} of {last} after {} s:\n{logs}", LIMIT.as_secs()));
        }
        thread::sleep(Duration::from_millis(300));
    }
}
