//! MySQL through Kafka into ClickHouse, whatever ends on the way: `tests/run clickhouse SEED ROUNDS [debezium]`.
//!
//! Tables with columns of every type change all the time and get new columns, while source, sink, broker and both servers are
//! killed, stopped or put to sleep. At the end `SELECT … FINAL` has to say of every cell what MySQL says. `compare` knows nothing
//! of how the sink works; `planted` proves each time that it finds what it is for.
//!
//! With `debezium` the real one writes the topics, whose rows are ordered by nothing but their offsets. What it does differently
//! from seed to seed stands at `Variant`.

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod column;
mod compare;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../interchange/debezium.rs"]
mod debezium;
mod load;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/mysql_server.rs"]
mod mysql_server;
mod planted;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../values/random.rs"]
mod random;
mod server;
mod sink;
mod source;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/support/mod.rs"]
mod support;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use compare::compare;
use random::Random;
use server::ClickHouse;
use sink::Sink;
use source::Source;
use support::connector::Connector;
use support::database::{MYSQL97_RESTARTED, variable};
use support::process::Process;
use support::restarted::{self, Restarted};
use table::Table;
use tempfile::TempDir;

/// What can go wrong is for a person to read.
type Outcome<T> = Result<T, String>;

const DATABASE: &str = "mirrored";
/// How long the sink may take to catch up at the end.
const LIMIT: Duration = Duration::from_secs(240);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: u64| {
        arguments
            .get(place)
            .map_or(Ok(otherwise), |text| text.parse().map_err(|_| format!("{text} is no number")))
    };
    let variant = |seed: u64| match arguments.get(2).map(String::as_str) {
        None => Ok(Variant::of_tidewire(seed)),
        Some("debezium") => Ok(Variant::of_debezium(seed)),
        Some(other) => Err(format!("{other} is not `debezium`")),
    };
    match number(0, 1).and_then(|seed| run(seed, number(1, 20)?, variant(seed)?)) {
        Ok((tables, rows, differences)) => {
            let line =
                format!("clickhouse: {tables} tables, {rows} rows compared, {differences} differences");
            let _ = writeln!(io::stdout(), "{line}");
            ExitCode::from(u8::from(differences > 0 || rows == 0))
        }
        Err(problem) => {
            let _ = writeln!(io::stderr(), "clickhouse: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// How topics are written; seeds differ, so that a few have all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    debezium: bool,
    /// What belongs together is visible in one topic before it is in another one.
    exactly_once: bool,
    /// Records tell their schema.
    schemas: bool,
    partitions: u8,
    /// What records without a key mean has its place among the others. Where offsets of several partitions are all there is, nothing
    /// says which rows a truncate is behind, and a table without a key has to be refused by name.
    is_ordered: bool,
}

impl Variant {
    fn of_tidewire(seed: u64) -> Self {
        let exactly_once = seed.is_multiple_of(2);
        Variant { debezium: false, exactly_once, schemas: seed % 4 > 1, partitions: 3, is_ordered: true }
    }

    fn of_debezium(seed: u64) -> Self {
        let single = !seed.is_multiple_of(2);
        let partitions = if single { 1 } else { 3 };
        Variant { debezium: true, exactly_once: false, schemas: seed % 4 > 1, partitions, is_ordered: single }
    }
}

/// Stops the load when it is dropped.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What a round does.
#[derive(Clone, Copy, Debug)]
enum Fault {
    KillSource,
    StopSource,
    KillSink,
    StopSink,
    SleepingSink,
    KillClickHouse,
    SilentClickHouse,
    KillBroker,
    KillServer,
}

const FAULTS: [Fault; 9] = [
    Fault::KillSink,
    Fault::KillClickHouse,
    Fault::StopSink,
    Fault::KillSource,
    Fault::SilentClickHouse,
    Fault::KillBroker,
    Fault::SleepingSink,
    Fault::StopSource,
    Fault::KillServer,
];

struct Ground {
    server: Restarted,
    broker: Restarted,
    clickhouse: Restarted,
    source: Source,
    sink: Sink,
    mirroring: Option<Process>,
    /// Where logs are.
    folder: TempDir,
    started: u32,
}

fn run(seed: u64, rounds: u64, variant: Variant) -> Outcome<(usize, usize, usize)> {
    let mut random = Random::new(seed, 0);
    let (server, broker, clickhouse) = (restarted::mysql(), restarted::kafka(), restarted::clickhouse());
    let mut tables: Vec<Table> = (0..6)
        .map(|place| Table::new(format!("t{place}"), place * 7 + random.below(3), &mut random))
        .collect();
    tables.push(Table::keyless("keyless".to_owned()));
    load::create(&mut tables, &mut random)?;
    let there = ClickHouse::new(&variable("TIDEWIRE_CLICKHOUSE_RESTARTED"));
    there.run(&format!("DROP DATABASE IF EXISTS {DATABASE} SYNC"))?;
    there.run("DROP DATABASE IF EXISTS _tidewire SYNC")?;
    let brokers = variable("TIDEWIRE_KAFKA_RESTARTED");
    let connector = connector(&brokers, variant);
    let sink =
        Sink::new(&connector.prefix, &brokers, &variable("TIDEWIRE_CLICKHOUSE_RESTARTED"), variant.schemas);
    let source = if variant.debezium { Source::debezium(connector) } else { Source::tidewire(connector) };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut ground = Ground { server, broker, clickhouse, source, sink, mirroring: None, folder, started: 0 };
    ground.source.start();
    ground.mirroring = Some(ground.start_sink());
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let tables = thread::scope(|scope| {
        // Whatever ends this, the writer does not go on for ever.
        let _stopped = StopAtEnd(&stop);
        let writing = scope.spawn(|| load::write(tables, variant, Random::new(seed, 1), &stop, &done));
        let mut out = io::stdout().lock();
        let rounds = (1..=rounds).try_for_each(|round| {
            thread::sleep(Duration::from_millis(500 + random.next() % 2_500));
            // The first ones come each, in turn.
            let first = FAULTS.get(round as usize - 1).copied().filter(|_| rounds >= 9);
            let fault = first.unwrap_or(FAULTS[random.below(FAULTS.len())]);
            let told =
                writeln!(out, "round {round}: {fault:?}, {} transactions", done.load(Ordering::Relaxed));
            told.map_err(|error| error.to_string())?;
            ground.fault(fault, &mut random)
        });
        stop.store(true, Ordering::Relaxed);
        let tables = writing.join().map_err(|_| "the writer".to_owned())?;
        rounds.map(|()| tables)
    });
    let mut tables = tables?;
    for server in [&ground.server, &ground.broker, &ground.clickhouse] {
        server.start();
    }
    let mut session = load::connect().ok_or("MySQL is not there")?;
    load::drop_unknown(&mut session, &mut tables).map_err(|error| error.to_string())?;
    session.execute("INSERT INTO last VALUES (1)").map_err(|error| error.to_string())?;
    ground.caught_up(&there)?;
    if !variant.is_ordered {
        ground.refused("table mirrored.keyless: its rows have no key")?;
        tables.retain(|table| !table.is_keyless);
    }
    let result = compare_all(&mut session, &there, &tables)?;
    if result.1 > 0 {
        let log = ground.mirroring.as_ref().map(Process::log).unwrap_or_default();
        let troubles = log.lines().filter(|line| line.contains(" WARN ") || line.contains(" ERROR "));
        let _ = writeln!(io::stdout(), "{}", troubles.collect::<Vec<_>>().join("\n"));
    }
    ground.source.stop()?;
    ground.mirroring.take().map_or(Ok(()), stopped)?;
    if result.1 == 0 {
        let mut faults = 0;
        for table in &tables {
            faults += planted::plant(&mut session, &there, table)?;
        }
        if faults == 0 {
            return Err("all tables are empty: no fault could be planted".to_owned());
        }
        let _ = writeln!(io::stdout(), "{faults} faults were planted, and found");
    }
    Ok((tables.len(), result.0, result.1))
}

/// Rows and differences. Tables do not catch up at the same time, so a difference is looked at again for a while.
fn compare_all(
    session: &mut tidewire::source::mysql::Connection,
    there: &ClickHouse,
    tables: &[Table],
) -> Outcome<(usize, usize)> {
    let began = Instant::now();
    loop {
        let (mut rows, mut differences, mut told) = (0, 0, Vec::new());
        for table in tables {
            match compare(session, there, table, &table.name) {
                Ok(found) => {
                    rows += found.rows;
                    differences += found.differences;
                    told.extend(found.told);
                }
                Err(error) => {
                    differences += 1;
                    told.push(error);
                }
            }
        }
        if differences == 0 || began.elapsed() > Duration::from_secs(30) {
            for line in &told {
                let _ = writeln!(io::stdout(), "{line}");
            }
            return Ok((rows, differences));
        }
        thread::sleep(Duration::from_secs(1));
    }
}

fn connector(brokers: &str, variant: Variant) -> Connector {
    let mut connector = Connector::to_kafka(&MYSQL97_RESTARTED, DATABASE, brokers);
    let schemas = variant.schemas.to_string();
    let json = "org.apache.kafka.connect.json.JsonConverter";
    connector
        .set("tasks.max", "1")
        .set("topic.creation.default.partitions", &variant.partitions.to_string())
        .set("topic.creation.default.replication.factor", "1")
        .set("skipped.operations", "none")
        .set("errors.max.retries", "-1")
        .set("retriable.restart.connector.wait.ms", "300");
    for part in ["key", "value"] {
        connector
            .set(&format!("{part}.converter"), json)
            .set(&format!("{part}.converter.schemas.enable"), &schemas)
            .set(&format!("{part}.converter.replace.null.with.default"), "false");
    }
    if variant.exactly_once {
        connector
            .set("exactly.once.support", "required")
            .set_worker("exactly.once.source.support", "enabled");
    }
    connector
}

/// Ends a process in an orderly way.
fn stopped(process: Process) -> Outcome<()> {
    let ended = process.terminate();
    if ended.code == Some(0) && ended.after < Duration::from_secs(10) {
        Ok(())
    } else {
        Err(format!("stopped with {:?} after {:?}:\n{}", ended.code, ended.after, ended.log))
    }
}

/// A process that has not ended by itself.
fn goes_on(process: &mut Process) -> Outcome<()> {
    if process.is_running() { Ok(()) } else { Err(format!("ended by itself:\n{}", process.log())) }
}

impl Ground {
    fn start_sink(&mut self) -> Process {
        self.started += 1;
        self.sink.start(&self.folder.path().join(format!("log.sink.{}", self.started)))
    }

    /// None of both has ended by itself.
    fn check(&mut self) -> Outcome<()> {
        self.source.check()?;
        self.mirroring.as_mut().map_or(Ok(()), goes_on)
    }

    fn fault(&mut self, fault: Fault, random: &mut Random) -> Outcome<()> {
        self.check()?;
        let away = Duration::from_millis(random.next() % 2_500);
        match fault {
            Fault::KillSource => {
                self.source.kill();
                self.source.start_again();
            }
            Fault::StopSource => {
                self.source.stop()?;
                self.source.start_again();
            }
            Fault::KillSink => {
                let _ended = self.mirroring.take().map(Process::kill);
                self.mirroring = Some(self.start_sink());
            }
            Fault::StopSink => {
                self.mirroring.take().map_or(Ok(()), stopped)?;
                self.mirroring = Some(self.start_sink());
            }
            Fault::SleepingSink => {
                let sink = self.mirroring.as_ref().ok_or("no sink runs")?;
                sink.pause();
                thread::sleep(away);
                sink.go_on();
            }
            Fault::KillClickHouse | Fault::KillBroker | Fault::KillServer => {
                let server = match fault {
                    Fault::KillClickHouse => &self.clickhouse,
                    Fault::KillBroker => &self.broker,
                    _ => &self.server,
                };
                server.kill();
                thread::sleep(away);
                server.start();
            }
            Fault::SilentClickHouse => {
                self.clickhouse.pause();
                thread::sleep(away);
                self.clickhouse.go_on();
            }
        }
        Ok(())
    }

    /// The sink has stopped a table over this, or does so soon.
    fn refused(&self, text: &str) -> Outcome<()> {
        let sink = self.mirroring.as_ref().ok_or("no sink runs")?;
        let began = Instant::now();
        while !sink.log().contains(text) {
            if began.elapsed() > LIMIT {
                return Err(format!("the sink never said {text:?}:\n{}", sink.log()));
            }
            thread::sleep(Duration::from_millis(300));
        }
        Ok(())
    }

    /// Until the row that was written last is there.
    fn caught_up(&mut self, there: &ClickHouse) -> Outcome<()> {
        let began = Instant::now();
        let sql = format!("SELECT concat('=', toString(count())) FROM {DATABASE}.last FINAL");
        while there.rows(&sql).ok().and_then(|rows| rows.first()?.first()?.clone()).as_deref() != Some("1") {
            self.check()?;
            if began.elapsed() > LIMIT {
                let sink = self.mirroring.as_ref().map(Process::log).unwrap_or_default();
                let logs = format!("{}\n\n{sink}", self.source.log());
                return Err(format!("not caught up after {} s:\n{}", LIMIT.as_secs(), logs));
            }
            thread::sleep(Duration::from_millis(300));
        }
        Ok(())
    }
}
