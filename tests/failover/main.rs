//! Two servers take turns as primary under constant load: `tests/run failover [SEED [PROMOTIONS]]`.
//!
//! Two writers change four tables in transactions of one to two thousand rows, and alter them now and then. At random
//! moments the primary is closed for writing, stopped or killed as soon as its replica has everything, and the replica
//! promoted; the connector is killed before, while or after that, mostly inside a transaction, and started again with the other
//! server's address. The replica has other file names, writes its rows events in other sizes, and in every other turn commits in
//! another order (`replica_preserve_commit_order=OFF`).
//!
//! `check` reads the records by itself. What it compares with are the tables: the last state of each key, the versions of each
//! key one after the other, and how many changes each transaction says that it made; and it looks for two records of the same
//! transaction and row. The seed gives the same statements and choices again, though not the same moments.

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod check;
mod load;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/mysql_server.rs"]
mod mysql_server;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../values/random.rs"]
mod random;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/support/mod.rs"]
mod support;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use load::{DATABASE, Writer, create};
use random::Random;
use support::connector::{Connector, STREAMING};
use support::process::Process;
use support::topology::Topology;

/// Differences that are shown.
const SHOWN: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: u64| match arguments.get(place) {
        Some(text) => text.parse().unwrap_or_else(|_| panic!("{text} is no number")),
        None => otherwise,
    };
    if promotions(number(0, 1), number(1, 10)) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Sleeps for up to so long.
fn rest(random: &mut Random, most_ms: usize) {
    thread::sleep(Duration::from_millis(random.below(most_ms) as u64));
}

/// A connector that is killed and started again at will.
struct Runner {
    connector: Connector,
    process: Option<Process>,
    kills: u64,
}

impl Runner {
    fn start(&mut self) {
        if self.process.is_none() {
            self.process = Some(self.connector.start());
        }
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            assert!(process.is_running(), "the connector ended:\n{}", process.log());
            process.kill();
            self.kills += 1;
        }
    }

    /// The server to read from the next time.
    fn point_at(&mut self, topology: &Topology, number: usize, random: &mut Random) {
        let (host, port) = topology.database(number).address();
        let batch = random.pick(&["50", "200", "2048"]).to_owned();
        self.connector
            .set("database.hostname", &host)
            .set("database.port", &port.to_string())
            .set("max.batch.size", &batch);
    }
}

/// Whether nothing was lost and nothing doubled.
fn promotions(seed: u64, promotions: u64) -> bool {
    let topology = Topology::fresh(DATABASE);
    create(&mut topology.session(0));
    topology.replicate_from(0);
    topology.execute(1, &["FLUSH BINARY LOGS", "FLUSH BINARY LOGS"]);
    let mut random = Random::new(seed, 0);
    let mut connector = Connector::to_files(topology.database(0), DATABASE);
    connector
        .set("provide.transaction.metadata", "true")
        .set("max.queue.size", "4096")
        .set("retriable.restart.connector.wait.ms", "500")
        .set_worker("offset.flush.interval.ms", "20");
    let mut runner = Runner { connector, process: None, kills: 0 };
    runner.process = Some(runner.connector.start_streaming());
    let (primary, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
    let transactions: u64 = thread::scope(|scope| {
        let writing: Vec<_> = (0..2)
            .map(|number| {
                let (topology, primary, enough) = (&topology, &primary, &enough);
                let mut writer = Writer::new(number, Random::new(seed, number + 1));
                scope.spawn(move || writer.write(topology, primary, enough))
            })
            .collect();
        for round in 0..promotions {
            let began = Instant::now();
            let old = primary.load(Ordering::SeqCst);
            // A failed assertion must not leave the writers running.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                promote(&topology, &mut runner, old, &mut random, &primary);
            }));
            if let Err(panic) = done {
                enough.store(true, Ordering::SeqCst);
                std::panic::resume_unwind(panic);
            }
            let seconds = began.elapsed().as_secs_f64();
            say(&format!(
                "promotion {round}: server {} after {seconds:.1} s, {} kills",
                1 - old,
                runner.kills
            ));
        }
        rest(&mut random, 1_000);
        enough.store(true, Ordering::SeqCst);
        writing.into_iter().map(|writer| writer.join().expect("a writer")).sum()
    });
    let last = primary.load(Ordering::SeqCst);
    let mut session = topology.session(last);
    session.execute(&format!("INSERT INTO {DATABASE}.log VALUES (9, 0, 0)")).unwrap();
    // What is left is read in one go.
    runner.kill();
    runner.connector.set("max.batch.size", "2048").set_worker("offset.flush.interval.ms", "1000");
    runner.start();
    let records = runner.connector.file(&format!("records/{DATABASE}.{DATABASE}.log.jsonl"));
    let end = Instant::now() + Duration::from_secs(120);
    while !std::fs::read_to_string(&records).unwrap_or_default().contains("{\\\"writer\\\":9,") {
        assert!(
            Instant::now() < end,
            "the last row did not come:\n{}",
            runner.process.as_ref().map(Process::log).unwrap_or_default()
        );
        thread::sleep(Duration::from_millis(100));
    }
    if let Some(mut process) = runner.process.take() {
        // The last row may be there since before; a stop means something to who has begun.
        process.wait_for(STREAMING, 1);
        process.terminate().expect(0, &[]);
    }
    let report = check::check(&runner.connector, &mut session);
    for line in report.lost.iter().take(SHOWN) {
        say(&format!("lost: {line}"));
    }
    for line in report.doubled.iter().take(SHOWN) {
        say(&format!("doubled: {line}"));
    }
    say(&format!("{transactions} transactions, {} records, {} kills", report.records, runner.kills));
    say(&format!(
        "failover: {promotions} promotions, {} lost, {} doubled",
        report.lost.len(),
        report.doubled.len()
    ));
    report.lost.is_empty() && report.doubled.is_empty() && report.records > 0
}

fn say(text: &str) {
    writeln!(io::stdout(), "{text}").expect("standard output");
}

/// The other server becomes the primary.
fn promote(topology: &Topology, runner: &mut Runner, old: usize, random: &mut Random, primary: &AtomicUsize) {
    let new = 1 - old;
    rest(random, 1_500);
    if random.chance(40) {
        runner.kill();
        rest(random, 300);
        runner.start();
        rest(random, 300);
    }
    let before = random.chance(50);
    if before {
        runner.kill();
    }
    topology.execute(old, &["SET GLOBAL super_read_only = ON"]);
    topology.wait_for_replica_of(old);
    if random.chance(50) {
        topology.stop(old);
    } else {
        topology.kill(old);
    }
    topology.promote(new);
    primary.store(new, Ordering::SeqCst);
    rest(random, 300);
    if !before {
        runner.kill();
    }
    runner.point_at(topology, new, random);
    runner.start();
    for _ in 0..random.below(4) {
        rest(random, 700);
        runner.kill();
        runner.point_at(topology, new, random);
        runner.start();
    }
    topology.start(old);
    let (workers, order) = if random.chance(50) { (4, "OFF") } else { (4, "ON") };
    topology.execute(
        old,
        &[
            &format!("SET GLOBAL replica_parallel_workers = {workers}"),
            &format!("SET GLOBAL replica_preserve_commit_order = {order}"),
            "FLUSH BINARY LOGS",
        ],
    );
    topology.replicate_from(new);
}
