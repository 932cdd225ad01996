//! Snapshots of tables that are written to all the time: `tests/run snapshot SEED [ROUNDS]`.
//!
//! Fifty tables with keys of every kind, changed by three writers; three more that somebody alters and truncates. In each
//! round a new connector takes a snapshot of them with four readers, under a lock or none, and streams. Then the writers
//! rest, and what a consumer of its records believes must be what the tables have; no row may be read twice by one snapshot.
//! A snapshot that was given up and begun again (a table was altered before its turn) may leave rows that were deleted in
//! between, as any snapshot does that begins again.
//! The seed gives the same tables and settings again, though not the same moments.

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code, reason = "other tests ask for more")]
mod keys;
mod load;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/mysql_server.rs"]
mod mysql_server;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../values/random.rs"]
mod random;
mod replay;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tidewire::source::mysql::Connection;

use keys::KEYS;
use load::{Table, alter, run, write};
use mysql_server::root;
use random::Random;
use replay::{believed, differences, stored};
use support::connector::{Connector, STREAMING};
use support::database::MYSQL97;
use support::records::Record;

/// What can go wrong is for a person to read.
type Outcome<T> = Result<T, String>;

const DATABASE: &str = "changing";
const TABLES: usize = 50;
const WRITERS: usize = 3;
const READERS: &str = "4";
/// Differences that are shown of a table.
const SHOWN: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match start(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "snapshot: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing differs.
fn start(arguments: &[String]) -> Outcome<bool> {
    let number = |text: Option<&String>, otherwise: u64| match text {
        Some(text) => text.parse().map_err(|_| format!("{text} is no number")),
        None => Ok(otherwise),
    };
    let (seed, rounds) = (number(arguments.first(), 1)?, number(arguments.get(1), 30)?);
    let mut ground = Ground::new(seed)?;
    let mut out = io::stdout().lock();
    let (mut tables, mut rows, mut found) = (0, 0, 0);
    for round in 0..rounds {
        let began = Instant::now();
        let report = ground.round(&mut Random::new(seed, round + 1), round)?;
        for line in &report.differences {
            writeln!(out, "{line}").map_err(|error| error.to_string())?;
        }
        writeln!(
            out,
            "round {round}: {}, {} transactions, {} starts, {} rows, {} differences, {:.1} s",
            report.settings,
            report.transactions,
            report.starts,
            report.rows,
            report.differences.len(),
            began.elapsed().as_secs_f64()
        )
        .map_err(|error| error.to_string())?;
        tables += report.tables;
        rows += report.rows;
        found += report.differences.len();
    }
    writeln!(out, "snapshot: {tables} tables, {rows} rows, {found} differences")
        .map_err(|error| error.to_string())?;
    Ok(found == 0 && rows > 0)
}

/// What a round found.
struct Report {
    settings: String,
    transactions: u64,
    starts: usize,
    tables: usize,
    rows: i64,
    differences: Vec<String>,
}

/// The tables and their writers.
struct Ground {
    session: Connection,
    writers: Vec<(Connection, Vec<Table>)>,
    other: Connection,
}

fn session() -> Outcome<Connection> {
    let mut session = root(MYSQL97.variable());
    run(&mut session, &format!("USE {DATABASE}"))?;
    run(&mut session, "SET SESSION time_zone = '+00:00'")?;
    Ok(session)
}

impl Ground {
    fn new(seed: u64) -> Outcome<Self> {
        let mut random = Random::new(seed, 0);
        let mut root = root(MYSQL97.variable());
        for statement in [
            &format!("DROP DATABASE IF EXISTS {DATABASE}"),
            &format!("CREATE DATABASE {DATABASE}"),
            // Without RELOAD: the captured tables are locked one by one.
            "CREATE USER IF NOT EXISTS 'few'@'%' IDENTIFIED BY 'few'",
            "GRANT SELECT, LOCK TABLES, SHOW DATABASES, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO 'few'@'%'",
        ] {
            run(&mut root, statement)?;
        }
        let mut session = session()?;
        let mut writers: Vec<(Connection, Vec<Table>)> = Vec::new();
        for _ in 0..WRITERS {
            writers.push((self::session()?, Vec::new()));
        }
        for number in 0..TABLES {
            let key = &KEYS[number % KEYS.len()];
            let rows = 50 + random.below(700);
            let table = Table::create(&mut session, format!("t{number}_{}", key.name), key, rows)?;
            writers[number % WRITERS].1.push(table);
        }
        for number in 0..3 {
            run(&mut session, &format!("CREATE TABLE x{number} (id BIGINT PRIMARY KEY, v VARCHAR(100))"))?;
        }
        run(&mut session, "CREATE TABLE rest (round INT PRIMARY KEY)")?;
        Ok(Ground { session, writers, other: self::session()? })
    }

    fn round(&mut self, random: &mut Random, round: u64) -> Outcome<Report> {
        let locking = ["minimal", "minimal", "tables", "none"][random.below(4)];
        let multiplier = 1 + random.below(16);
        let alters = random.chance(50);
        let mut connector = Connector::to_files(&MYSQL97, DATABASE);
        connector
            .set("snapshot.max.threads", READERS)
            .set("snapshot.max.threads.multiplier", &multiplier.to_string())
            .set("skipped.operations", "none")
            .set("errors.max.retries", "-1");
        match locking {
            "tables" => connector.set("database.user", "few").set("database.password", "few"),
            mode => connector.set("snapshot.locking.mode", mode),
        };
        let (resting, steady) = (AtomicBool::new(false), AtomicBool::new(!alters));
        let before = Duration::from_millis(random.next() % 300);
        let after = Duration::from_millis(random.next() % 700);
        let mut seeds: Vec<Random> =
            (0..=WRITERS as u64).map(|part| Random::new(random.next(), part)).collect();
        let mut other_seed = seeds.pop().expect("one more than writers");
        let (process, transactions) = thread::scope(|scope| -> Outcome<_> {
            let (resting, steady) = (&resting, &steady);
            let writers = self.writers.iter_mut().zip(&mut seeds);
            let writing: Vec<_> = writers
                .map(|((session, tables), random)| {
                    scope.spawn(move || write(session, tables, random, resting))
                })
                .collect();
            let other = &mut self.other;
            let altering = scope.spawn(move || alter(other, &mut other_seed, steady));
            thread::sleep(before);
            let mut process = connector.start();
            let began = Instant::now();
            // Whoever alters all the time may not leave a snapshot the time to begin.
            while !process.log().contains(STREAMING) && process.is_running() {
                if began.elapsed() > Duration::from_secs(6) {
                    steady.store(true, Ordering::Relaxed);
                }
                if began.elapsed() > Duration::from_secs(60) {
                    break;
                }
                thread::sleep(Duration::from_millis(20));
            }
            thread::sleep(after);
            resting.store(true, Ordering::Relaxed);
            steady.store(true, Ordering::Relaxed);
            let mut transactions = 0;
            for writer in writing {
                transactions += writer.join().expect("a writer")?;
            }
            altering.join().expect("the one that alters")?;
            Ok((process, transactions))
        })?;
        run(&mut self.session, &format!("INSERT INTO rest VALUES ({round})"))?;
        let rounds = usize::try_from(round).unwrap_or(usize::MAX) + 1;
        let end = Instant::now() + Duration::from_secs(30);
        let rests = || {
            let mut seen: BTreeSet<i64> = BTreeSet::new();
            seen.extend(connector.records("rest").iter().filter_map(|record| record.key["round"].as_i64()));
            seen.len()
        };
        while rests() < rounds {
            if Instant::now() > end {
                return Err(format!("the last row did not come:\n{}", process.log()));
            }
            thread::sleep(Duration::from_millis(30));
        }
        let log = process.log();
        process.terminate().expect(0, &[]);
        let starts = log.matches("snapshot started").count();
        let mut report = Report {
            settings: format!("{locking}, multiplier {multiplier}{}", if alters { ", altered" } else { "" }),
            transactions,
            starts,
            tables: 0,
            rows: 0,
            differences: Vec::new(),
        };
        for table in self.writers.iter().flat_map(|(_, tables)| tables) {
            let records = connector.records(&table.name);
            let read: Vec<i64> = records
                .iter()
                .filter(|record| record.op() == "r")
                .filter_map(|record| record.cell("n").as_i64())
                .collect();
            if starts == 1 && read.iter().collect::<BTreeSet<_>>().len() != read.len() {
                report.differences.push(format!("{}: rows were read twice", table.name));
            }
            // Without a lock, and after another start, rows may come twice; only a key tells.
            if table.key.is_key || (starts == 1 && locking != "none") {
                compare(
                    &mut self.session,
                    &records,
                    &table.name,
                    (&["n", "v", "p"], table.key.is_key),
                    &mut report,
                )?;
            }
        }
        for number in 0..3 {
            let table = format!("x{number}");
            let records = connector.records(&table);
            compare(&mut self.session, &records, &table, (&["id", "v"], true), &mut report)?;
        }
        Ok(report)
    }
}

fn compare(
    session: &mut Connection,
    records: &[Record],
    table: &str,
    (columns, is_key): (&[&str], bool),
    report: &mut Report,
) -> Outcome<()> {
    let stored = stored(session, table, columns)?;
    let believed = believed(records, columns, is_key);
    report.tables += 1;
    report.rows += stored.values().sum::<i64>();
    let again = report.starts > 1;
    report.differences.extend(differences(table, &believed, &stored, again).into_iter().take(SHOWN));
    Ok(())
}
