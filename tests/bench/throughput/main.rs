//! Ours and the real Debezium on one data set, one server, one broker, in one run.
//!
//! 1. A table of ROWS rows is made, and a table that a procedure will fill.
//! 2. Each connector starts once with `snapshot.mode=no_data` on the empty table, stores its offset and stops. Then INSERTS
//!    rows are inserted, one statement a row, 100 statements a transaction: one stretch of binlog that both will read.
//! 3. *Snapshot*: each in turn publishes the table of ROWS rows. *Streaming*: each in turn goes on from its stored
//!    offset and catches up with the INSERTS rows.
//!    Tidewire does it twice: at least once, and exactly once, in Kafka transactions.
//! 4. *Readers*: four tables with a quarter of the rows each, by Tidewire with one reader and with two.
//!
//! Both write Debezium's context headers, JSON without schemas, uncompressed, `acks=all`, one partition a topic.
//! A measurement runs from the start of the connector until its topic's end offset is the number of rows. It counts wall
//! time, the CPU time (user and system, all threads) of the connector's process, and that process's peak memory. Tidewire's
//! process is new each time and counted from its first instruction. Debezium's JVM stays up and is warmed before the first
//! measurement by a connector that snapshots and streams 50,000 rows each way, so that loading and most compiling of
//! classes are not counted: a difference in Debezium's favour.
//!
//! `cargo bench --bench throughput -- [ROWS] [INSERTS] [--only tidewire|debezium]`, with the servers that `tests/run bench`
//! starts. The last line is `ratio: streaming=X snapshot=Y rss_mb=Z`: our rows per CPU second over Debezium's, and our
//! peak memory over both.

mod connectors;
mod data;
mod process;
mod servers;

use connectors::{Connector, Debezium, ONCE, OURS, THEIRS, Tidewire};
use process::Usage;
use servers::Servers;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Rows each way that warm the JVM.
const WARM_UP: u64 = 50_000;
/// Rows that show what a second reader gives.
const MOST_READ: u64 = 1_000_000;
/// How often a connector is asked whether it has failed.
const CHECK_EVERY: Duration = Duration::from_secs(5);
/// No measurement takes longer.
const LIMIT: Duration = Duration::from_secs(600);

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

struct Arguments {
    rows: u64,
    inserts: u64,
    tidewire: bool,
    debezium: bool,
}

fn arguments() -> Result<Arguments> {
    let mut found = Arguments { rows: 1_000_000, inserts: 500_000, tidewire: true, debezium: true };
    let mut numbers = Vec::new();
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--bench" => {} // cargo adds it
            "--only" => match given.next().as_deref() {
                Some("tidewire") => found.debezium = false,
                Some("debezium") => found.tidewire = false,
                _ => return Err("--only tidewire or --only debezium".into()),
            },
            number => numbers.push(number.parse::<u64>().map_err(|e| format!("{number}: {e}"))?),
        }
    }
    match numbers[..] {
        [] => {}
        [rows] => found.rows = rows,
        [rows, inserts] => (found.rows, found.inserts) = (rows, inserts),
        _ => return Err("at most two numbers: rows and inserts".into()),
    }
    if found.rows == 0 || found.inserts == 0 {
        return Err("rows and inserts are at least 1".into());
    }
    Ok(found)
}

/// What one connector needed for one phase.
#[derive(Clone, Copy)]
struct Measured {
    rows: u64,
    wall: Duration,
    used: Usage,
}

impl Measured {
    fn rows_per_second(&self) -> f64 {
        self.rows as f64 / self.wall.as_secs_f64()
    }

    fn rows_per_cpu_second(&self) -> f64 {
        self.rows as f64 / self.used.cpu.as_secs_f64()
    }
}

/// Starts a connector and waits until `rows` rows are in its topic.
fn measure(
    servers: &Servers,
    connector: &mut dyn Connector,
    config: &data::Config,
    rows: u64,
) -> Result<Measured> {
    let before = connector.usage_before_start()?;
    let began = Instant::now();
    connector.start(config)?;
    let deadline = began + LIMIT;
    // Asking a worker costs it CPU time, so that is rare.
    let mut next_check = began + CHECK_EVERY;
    let topics = config.topics();
    let published = || topics.iter().map(|topic| servers.end_offset(topic)).sum::<Result<u64>>();
    while published()? < rows {
        if Instant::now() > next_check {
            connector.check()?;
            next_check += CHECK_EVERY;
        }
        if Instant::now() > deadline {
            let have = published()?;
            return Err(
                format!("{}: {have} of {rows} rows after {} s", connector.name(), LIMIT.as_secs()).into()
            );
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let wall = began.elapsed();
    let used = connector.usage()?.since(before);
    let have = published()?;
    // The markers of transactions count as well.
    if have < rows || have != rows && !connector.adds_markers() {
        return Err(format!("{}: {have} records for {rows} rows", connector.name()).into());
    }
    Ok(Measured { rows, wall, used })
}

fn say(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// What a connector, by its name, needed.
type Lines = Vec<(&'static str, &'static str, Measured)>;

fn of(lines: &Lines, name: &str) -> Option<Measured> {
    lines.iter().find(|(found, ..)| *found == name).map(|(.., measured)| *measured)
}

fn table(title: &str, lines: &Lines) -> Result<()> {
    say(&format!(
        "\n{title:<44}{:>8}{:>12}{:>9}{:>18}{:>13}",
        "wall s", "rows/s", "CPU s", "rows per CPU s", "peak RSS MB"
    ))?;
    for (_, title, m) in lines {
        say(&format!(
            "{title:<44}{:>8.1}{:>12.0}{:>9.2}{:>18.0}{:>13.1}",
            m.wall.as_secs_f64(),
            m.rows_per_second(),
            m.used.cpu.as_secs_f64(),
            m.rows_per_cpu_second(),
            m.used.peak_mb()
        ))?;
    }
    Ok(())
}

/// What a second reader gives: four tables, read by one connection and by two.
fn readers(servers: &Servers, rows: u64) -> Result<()> {
    data::create_quarters(servers, rows)?;
    let mut walls = Vec::new();
    for count in [1, 2] {
        let mut tidewire = Tidewire::new(servers, false)?;
        let config = data::Config::quarters(tidewire.name(), count);
        walls.push(measure(servers, &mut tidewire, &config, rows)?.wall.as_secs_f64());
        tidewire.stop(&config, true)?;
    }
    let cores = std::thread::available_parallelism()?;
    say(&format!(
        "readers: 4 tables in {:.1} s with one, {:.1} s with two, {:.2} times as fast; {cores} cores for connector, server and broker",
        walls[0],
        walls[1],
        walls[0] / walls[1]
    ))
}

fn run() -> Result<()> {
    let arguments = arguments()?;
    let servers = Servers::from_environment()?;
    let mut connectors: Vec<Box<dyn Connector>> = Vec::new();
    if arguments.tidewire {
        connectors.push(Box::new(Tidewire::new(&servers, false)?));
        connectors.push(Box::new(Tidewire::new(&servers, true)?));
    }
    if arguments.debezium {
        connectors.push(Box::new(Debezium::new(&servers)?));
    }
    say(&format!(
        "MySQL {}, {} rows to snapshot, {} inserts in transactions of {}",
        servers.version()?,
        arguments.rows,
        arguments.inserts,
        data::TRANSACTION
    ))?;
    let began = Instant::now();
    data::create(&servers, arguments.rows, WARM_UP.min(arguments.rows))?;
    say(&format!("tables made in {:.1} s", began.elapsed().as_secs_f64()))?;

    // The offsets from which streaming will go on. Debezium's JVM is warmed in the same breath.
    for connector in &mut connectors {
        if connector.is_warmed() {
            let config = data::Config::new(connector.name(), "warm", "initial");
            measure(&servers, connector.as_mut(), &config, WARM_UP.min(arguments.rows))?;
            data::insert(&servers, "warm", WARM_UP.min(arguments.rows) + 1, WARM_UP)?;
            for topic in config.topics() {
                servers.wait_for_end_offset(&topic, WARM_UP.min(arguments.rows) + WARM_UP, LIMIT)?;
            }
            connector.stop(&config, true)?;
        }
        let config = data::Config::new(connector.name(), "stream", "no_data");
        connector.start(&config)?;
        servers.wait_for_streaming(LIMIT)?;
        connector.check()?;
        connector.stop(&config, false)?;
    }
    let began = Instant::now();
    data::insert(&servers, "stream", 1, arguments.inserts)?;
    say(&format!("rows inserted in {:.1} s", began.elapsed().as_secs_f64()))?;

    let (mut snapshot, mut streaming) = (Lines::new(), Lines::new());
    for connector in &mut connectors {
        let config = data::Config::new(connector.name(), "snapshot", "initial");
        let measured = measure(&servers, connector.as_mut(), &config, arguments.rows)?;
        snapshot.push((connector.name(), connector.title(), measured));
        connector.stop(&config, true)?;
        let config = data::Config::new(connector.name(), "stream", "no_data");
        let measured = measure(&servers, connector.as_mut(), &config, arguments.inserts)?;
        streaming.push((connector.name(), connector.title(), measured));
        connector.stop(&config, true)?;
    }
    table(&format!("snapshot of {} rows", arguments.rows), &snapshot)?;
    table(&format!("catch-up of {} inserts", arguments.inserts), &streaming)?;
    say("")?;
    if arguments.tidewire {
        readers(&servers, arguments.rows.min(MOST_READ))?;
    }
    let compare = |lines: &Lines, one: &str, other: &str| -> Option<f64> {
        Some(of(lines, one)?.rows_per_cpu_second() / of(lines, other)?.rows_per_cpu_second())
    };
    if let (Some(stream), Some(rows)) = (compare(&streaming, OURS, ONCE), compare(&snapshot, OURS, ONCE)) {
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        say(&format!(
            "exactly once: {:+.0} % CPU time a row streaming, {:+.0} % in a snapshot",
            percent(stream),
            percent(rows)
        ))?;
    }
    let peak = |lines: &Lines| of(lines, OURS).map_or(0.0, |measured| measured.used.peak_mb());
    match (compare(&streaming, OURS, THEIRS), compare(&snapshot, OURS, THEIRS)) {
        (Some(stream), Some(rows)) => say(&format!(
            "ratio: streaming={stream:.1} snapshot={rows:.1} rss_mb={:.0}",
            peak(&snapshot).max(peak(&streaming))
        )),
        _ => say("ratio: none, only one connector was measured"),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A lost standard error leaves the exit code.
            let _ = writeln!(std::io::stderr(), "bench: {error}");
            ExitCode::FAILURE
        }
    }
}
