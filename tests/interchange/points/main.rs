//! Debezium and Tidewire take turns at one connector under constant load: `tests/run interchange SEED POINTS`.
//!
//! At each point the one that runs is stopped or killed wherever it is, often inside a transaction of thousands of rows, and the
//! other one goes on from what it stored. Half of the points are on a server with GTIDs, half on one without. Tidewire delivers
//! exactly once. Debezium delivers at least once: what it had published behind the offset that it stored is published again,
//! and nothing else is (`checker`).

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod checker;
#[allow(dead_code, reason = "the check of the sink asks for more")]
#[path = "../debezium.rs"]
mod debezium;
#[path = "../../chaos/findings.rs"]
mod findings;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../../chaos/load.rs"]
mod load;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../../integration/mysql_server.rs"]
mod mysql_server;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../../values/random.rs"]
mod random;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../../chaos/reader.rs"]
mod reader;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../../chaos/sequence.rs"]
mod sequence;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../../integration/support/mod.rs"]
mod support;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use checker::{Checked, Turn, check};
use debezium::{Debezium, end_readers};
use load::Load;
use random::Random;
use support::broker::Broker;
use support::connector::{Connector, STREAMING};
use support::database::{Database, MYSQL97, MYSQL97_NOGTID, variable};
use support::process::Process;
use support::restarted::{self, Restarted};

/// What can go wrong is for a person to read.
type Outcome<T> = Result<T, String>;

const LIMIT: Duration = Duration::from_secs(180);
/// The offset topic of the Kafka Connect worker.
const OFFSETS: &str = "connect-offsets";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: u64| {
        arguments
            .get(place)
            .map_or(Ok(otherwise), |text| text.parse().map_err(|_| format!("{text} is no number")))
    };
    match number(0, 1).and_then(|seed| run(seed, number(1, 20)?)) {
        Ok(ended_well) => ExitCode::from(u8::from(!ended_well)),
        Err(problem) => {
            let _ = writeln!(io::stderr(), "interchange: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn run(seed: u64, points: u64) -> Outcome<bool> {
    let worker = restarted::connect();
    let mut all = Checked::default();
    for (part, server) in [&MYSQL97, &MYSQL97_NOGTID].into_iter().enumerate() {
        let random = Random::new(seed, part as u64);
        let name = ["points_gtid", "points_file"][part];
        all.add(take_turns(&worker, server, name, random, points.div_ceil(2))?);
    }
    for line in &all.findings.told {
        say(line);
    }
    let findings = &all.findings;
    say(&format!(
        "{} records; Debezium's restarts repeated {} and {} statements",
        findings.records, all.repeated, all.statements
    ));
    say(&format!(
        "interchange: {} points, {} lost, {} doubled, {} reordered",
        points.div_ceil(2) * 2,
        findings.lost,
        findings.doubled,
        findings.reordered
    ));
    Ok(findings.lost + findings.doubled + findings.reordered == 0 && findings.records > 0)
}

struct Ground<'a> {
    worker: &'a Restarted,
    server: &'static Database,
    connector: Connector,
    debezium: Debezium,
    brokers: String,
    /// The worker was killed, and does not run.
    killed: bool,
    turns: Vec<Turn>,
}

/// Stops the writers, whatever ends the turns.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// So many times one takes over from the other; Debezium begins.
fn take_turns(
    worker: &Restarted,
    server: &'static Database,
    name: &'static str,
    mut random: Random,
    points: u64,
) -> Outcome<Checked> {
    // Debezium publishes XA transactions before they are committed, so the order of the two differs.
    let load = Load { server, database: name, xa: 0 };
    load.create()?;
    let brokers = variable("TIDEWIRE_KAFKA");
    let mut connector = Connector::to_kafka(server, name, &brokers);
    connector
        .set("tasks.max", "1")
        .set("topic.creation.default.partitions", "3")
        .set("topic.creation.default.replication.factor", "1")
        .set("key.converter", "org.apache.kafka.connect.json.JsonConverter")
        .set("value.converter", "org.apache.kafka.connect.json.JsonConverter")
        .set_worker("group.id", "connect")
        .set_worker("exactly.once.source.support", "enabled")
        .set_worker("offset.storage.topic", OFFSETS);
    let debezium = Debezium::new(name, server);
    let mut ground =
        Ground { worker, server, connector, debezium, brokers, killed: false, turns: Vec::new() };
    // The server before may have ended with a killed one.
    ground.worker.start();
    ground.debezium.start(&ground.connector.properties);
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let taken = thread::scope(|scope| {
        for writer in 0..2 {
            let random = Random::new(random.next(), 10 + writer);
            let (load, stop, done) = (&load, &stop, &done);
            scope.spawn(move || load.write("", random, stop, done));
        }
        let altering = Random::new(random.next(), 20);
        scope.spawn(|| load.alter(altering, &stop));
        let _stop = Stop(&stop);
        ground.turns(&load, &mut random, points)
    });
    let mut process = taken?;
    ground.caught_up(process.as_mut())?;
    let debezium = process.is_none();
    match process {
        Some(process) => end(process)?,
        None => ground.debezium.stop(),
    }
    ground.remember(debezium)?;
    say(&format!("{name}: checking"));
    let mut session = mysql_server::root(server.variable());
    check(&ground.brokers, &ground.connector.prefix, &load, &ground.turns, &mut session)
}

fn end(process: Process) -> Outcome<()> {
    let ended = process.terminate();
    if ended.code == Some(0) { Ok(()) } else { Err(format!("ended with {:?}:\n{}", ended.code, ended.log)) }
}

impl Ground<'_> {
    /// The process of the last turn, if it is not Debezium's.
    fn turns(&mut self, load: &Load, random: &mut Random, points: u64) -> Outcome<Option<Process>> {
        let mut process: Option<Process> = None;
        // Before it has stored an offset, a start takes a snapshot, and tables are altered under it all the time.
        let began = Instant::now();
        while self.stored()?.is_null() {
            if began.elapsed() > LIMIT {
                return Err("Debezium stores no offset".to_owned());
            }
            thread::sleep(Duration::from_millis(100));
        }
        for point in 1..=points {
            let kill = random.chance(50);
            thread::sleep(Duration::from_millis(random.next() % 3_000));
            let inside = random.chance(60);
            if inside {
                load::large(load, 1_000 * (5 + random.next() % 20), random)?;
                // Tidewire is the faster one.
                let most = [700, 250][usize::from(process.is_some())];
                thread::sleep(Duration::from_millis(random.next() % most));
            }
            let who = if process.is_some() { "Tidewire" } else { "Debezium" };
            let how = if kill { "killed" } else { "stopped" };
            let place = if inside { ", perhaps inside a large transaction" } else { "" };
            say(&format!("{} point {point}: {who} is {how}{place}", self.connector.name));
            match process.take() {
                Some(process) if kill => drop(process.kill()),
                Some(process) => end(process)?,
                None if kill => {
                    self.worker.kill();
                    self.killed = true;
                }
                None => self.debezium.stop(),
            }
            end_readers(self.server);
            self.remember(who == "Debezium")?;
            if who == "Debezium" {
                let mut next = self.connector.start_instance(&format!("log.{point}"));
                streams(&mut next)?;
                process = Some(next);
            } else {
                if std::mem::take(&mut self.killed) {
                    self.worker.start();
                }
                self.debezium.go_on();
            }
        }
        Ok(process)
    }

    /// Where the turn that is over has ended in each topic, and the offset that it left.
    fn remember(&mut self, debezium: bool) -> Outcome<()> {
        let mut ends = Vec::new();
        for topic in checker::topics(&self.connector) {
            ends.push((topic.clone(), reader::ends(&self.brokers, &topic)?));
        }
        let stored = self.stored()?;
        self.turns.push(Turn { debezium, ends: ends.into_iter().collect(), stored });
        Ok(())
    }

    /// The offset that is stored.
    fn stored(&self) -> Outcome<Value> {
        let key = serde_json::json!([self.connector.name, {"server": self.connector.prefix}]);
        // Other connectors of the worker store there, too.
        let texts = Broker::new(&self.brokers).texts(OFFSETS);
        let of_key = |[stored_key, value]: [Option<String>; 2]| {
            let stored_key: Value = serde_json::from_str(&stored_key?).ok()?;
            if stored_key == key { serde_json::from_str(&value?).ok() } else { None }
        };
        Ok(texts.into_iter().rev().find_map(of_key).unwrap_or_default())
    }

    /// Until what is committed has the last transaction.
    fn caught_up(&self, mut process: Option<&mut Process>) -> Outcome<()> {
        let name = &self.connector.name;
        let last = self.server.sql(&format!("SELECT n FROM {name}.counter")).concat();
        let topic = format!("{}.{name}.counter", self.connector.prefix);
        let began = Instant::now();
        loop {
            let newest = reader::newest(&self.brokers, &topic)?;
            let newest = newest.iter().filter_map(|value| value["after"]["n"].as_i64()).max();
            if newest.map(|newest| newest.to_string()).as_deref() == Some(&last) {
                // What follows the last transaction, if anything does.
                thread::sleep(Duration::from_secs(1));
                return self.nothing_is_open();
            }
            let ended = process.as_mut().is_some_and(|process| !process.is_running());
            if ended || began.elapsed() > LIMIT {
                let log = process.map(|process| process.log()).unwrap_or_default();
                return Err(format!("{newest:?} of {last}:\n{log}"));
            }
            thread::sleep(Duration::from_millis(300));
        }
    }

    /// Until no transaction hides what is behind it: that of a killed Tidewire, where Debezium has gone on, stays open until the
    /// brokers end it after `transaction.timeout.ms`.
    fn nothing_is_open(&self) -> Outcome<()> {
        let began = Instant::now();
        for topic in checker::topics(&self.connector) {
            while reader::ends(&self.brokers, &topic)?
                != reader::ends_for(&self.brokers, &topic, reader::COMMITTED)?
            {
                if began.elapsed() > LIMIT {
                    return Err(format!("{topic}: a transaction is open and stays so"));
                }
                thread::sleep(Duration::from_millis(300));
            }
        }
        Ok(())
    }
}

/// Until it reads the binlog.
fn streams(process: &mut Process) -> Outcome<()> {
    let began = Instant::now();
    while !process.log().contains(STREAMING) {
        if !process.is_running() || began.elapsed() > LIMIT {
            return Err(format!("no streaming:\n{}", process.log()));
        }
        thread::sleep(Duration::from_millis(30));
    }
    Ok(())
}
