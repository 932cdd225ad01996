//! MySQL through Kafka into ClickHouse, whatever ends on the way: `tests/run clickhouse SEED ROUNDS`.
//!
//! Tables with columns of every type change all the time and get new columns, while source, sink, broker and both servers are
//! killed, stopped or put to sleep. At the end `SELECT … FINAL` has to say of every cell what MySQL says. `compare` knows nothing
//! of how the sink works; `planted` proves each time that it finds what it is for.

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod column;
mod compare;
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
use support::connector::Connector;
use support::database::{MYSQL97_RESTARTED, variable};
use support::process::Process;
use support::restarted::{self, Restarted};
use table::Table;

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
    match number(0, 1).and_then(|seed| run(seed, number(1, 20)?)) {
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
    connector: Connector,
    sink: Sink,
    /// Source and sink.
    running: Option<(Process, Process)>,
    started: u32,
}

fn run(seed: u64, rounds: u64) -> Outcome<(usize, usize, usize)> {
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
    let mut connector = source(&brokers);
    if seed.is_multiple_of(2) {
        // What belongs together is visible in one topic before it is in another one.
        connector
            .set("exactly.once.support", "required")
            .set_worker("exactly.once.source.support", "enabled");
    }
    let sink = Sink::new(&connector.prefix, &brokers, &variable("TIDEWIRE_CLICKHOUSE_RESTARTED"));
    let mut ground = Ground { server, broker, clickhouse, connector, sink, running: None, started: 0 };
    ground.running = Some((ground.start_source(), ground.start_sink()));
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let tables = thread::scope(|scope| {
        let writing = scope.spawn(|| load::write(tables, Random::new(seed, 1), &stop, &done));
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
    let result = compare_all(&mut session, &there, &tables)?;
    if result.1 > 0 {
        let log = ground.running.as_ref().map(|(_, sink)| sink.log()).unwrap_or_default();
        let troubles = log.lines().filter(|line| line.contains(" WARN ") || line.contains(" ERROR "));
        let _ = writeln!(io::stdout(), "{}", troubles.collect::<Vec<_>>().join("\n"));
    }
    if let Some((source, sink)) = ground.running.take() {
        for process in [source, sink] {
            let ended = process.terminate();
            if ended.code != Some(0) {
                return Err(format!("stopped with {:?}:\n{}", ended.code, ended.log));
            }
        }
    }
    if result.1 == 0 {
        let mut faults = 0;
        for table in &tables {
            faults += planted::plant(&mut session, &there, table)?;
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

fn source(brokers: &str) -> Connector {
    let mut connector = Connector::to_kafka(&MYSQL97_RESTARTED, DATABASE, brokers);
    connector
        .set("topic.creation.default.partitions", "3")
        .set("topic.creation.default.replication.factor", "1")
        .set("skipped.operations", "none")
        .set("key.converter.replace.null.with.default", "false")
        .set("value.converter.replace.null.with.default", "false")
        .set("errors.max.retries", "-1")
        .set("retriable.restart.connector.wait.ms", "300");
    connector
}

impl Ground {
    fn start_source(&mut self) -> Process {
        self.started += 1;
        self.connector.start_instance(&format!("log.source.{}", self.started))
    }

    fn start_sink(&mut self) -> Process {
        self.started += 1;
        self.sink.start(&self.connector.file(&format!("log.sink.{}", self.started)))
    }

    /// None of both has ended by itself.
    fn check(&mut self) -> Outcome<()> {
        let Some((source, sink)) = &mut self.running else { return Ok(()) };
        for process in [source, sink] {
            if !process.is_running() {
                return Err(format!("ended by itself:\n{}", process.log()));
            }
        }
        Ok(())
    }

    fn fault(&mut self, fault: Fault, random: &mut Random) -> Outcome<()> {
        self.check()?;
        let (source, sink) = self.running.take().ok_or("nothing runs")?;
        let away = Duration::from_millis(random.next() % 2_500);
        let stopped = |process: Process| {
            let ended = process.terminate();
            let fine = ended.code == Some(0) && ended.after < Duration::from_secs(10);
            if fine {
                Ok(())
            } else {
                Err(format!("{:?} after {:?}:\n{}", ended.code, ended.after, ended.log))
            }
        };
        self.running = Some(match fault {
            Fault::KillSource => {
                source.kill();
                (self.start_source(), sink)
            }
            Fault::StopSource => {
                stopped(source)?;
                (self.start_source(), sink)
            }
            Fault::KillSink => {
                sink.kill();
                (source, self.start_sink())
            }
            Fault::StopSink => {
                stopped(sink)?;
                (source, self.start_sink())
            }
            Fault::SleepingSink => {
                sink.pause();
                thread::sleep(away);
                sink.go_on();
                (source, sink)
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
                (source, sink)
            }
            Fault::SilentClickHouse => {
                self.clickhouse.pause();
                thread::sleep(away);
                self.clickhouse.go_on();
                (source, sink)
            }
        });
        Ok(())
    }

    /// Until the row that was written last is there.
    fn caught_up(&mut self, there: &ClickHouse) -> Outcome<()> {
        let began = Instant::now();
        let sql = format!("SELECT concat('=', toString(count())) FROM {DATABASE}.last FINAL");
        while there.rows(&sql).ok().and_then(|rows| rows.first()?.first()?.clone()).as_deref() != Some("1") {
            self.check()?;
            if began.elapsed() > LIMIT {
                let logs =
                    self.running.as_ref().map(|(source, sink)| format!("{}\n\n{}", source.log(), sink.log()));
                return Err(format!(
                    "not caught up after {} s:\n{}",
                    LIMIT.as_secs(),
                    logs.unwrap_or_default()
                ));
            }
            thread::sleep(Duration::from_millis(300));
        }
        Ok(())
    }
}
