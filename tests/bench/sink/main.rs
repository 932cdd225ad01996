//! The sink on a topic that is full, beside a client that sends the same rows as text; and how far it is behind a source.
//!
//! 1. ROWS records are put into Kafka: inserts into a table of nine columns as Debezium publishes them, JSON without schemas,
//!    uncompressed, one partition, with the header `tidewire.seq`; and the schema change that describes the table.
//! 2. *Mirror*: `tidewire run` with nothing but the sink, a new process and a new group each time, until ClickHouse has all rows.
//!    Counted are wall time from the process's start, CPU time (user and system, all threads) and peak memory.
//! 3. *Text*: a client that has the rows already as text sends them with `INSERT … FORMAT JSONEachRow`, a hundred thousand a request,
//!    into a table of the same definition. Counted are the wall time of its requests, and the CPU time of its thread in them.
//!    It reads no Kafka and no envelope, so its CPU time is only what sending costs. Beside both stands the server's CPU time.
//! 4. *Lag*: 20,000 records a second for half a minute. The lag of a record is the time from its timestamp until a SELECT has seen
//!    it and all before it: the watcher asks again and again, so up to one query's time is counted too much.
//!
//! 2 and 3 take turns, three times, and medians are told. After each the sums of all columns are compared with those of the rows
//! that were made.
//!
//! `cargo bench --bench sink -- [ROWS] [--context] [--beside BINARY]`, with the servers that `tests/run bench clickhouse` starts.
//! With `--context` records have Debezium's four context headers, too. Another build of tidewire mirrors in turn with this one, for
//! comparison. The last line is `sink: …` and says whether the bounds hold.

mod broker;
mod clickhouse;
mod lag;
mod mirror;
#[path = "../throughput/process.rs"]
mod process;
mod records;
mod text;

use std::env;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use broker::Broker;
use clickhouse::ClickHouse;
use mirror::Mirror;
use process::Usage;
use records::Rows;

/// How often each is measured.
const RUNS: usize = 3;
/// No measurement takes longer.
const LIMIT: Duration = Duration::from_secs(600);
/// The bounds.
const ROWS_PER_CPU_SECOND: f64 = 300_000.0;
const PEAK_MB: f64 = 300.0;
const LAG: Duration = Duration::from_secs(2);

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

struct Arguments {
    rows: u64,
    context: bool,
    beside: Option<String>,
}

fn arguments() -> Result<Arguments> {
    let mut found = Arguments { rows: 1_000_000, context: false, beside: None };
    let mut given = env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--context" => found.context = true,
            "--beside" => found.beside = Some(given.next().ok_or("--beside BINARY")?),
            rows => found.rows = rows.parse().map_err(|error| format!("{rows}: {error}"))?,
        }
    }
    if found.rows == 0 {
        return Err("rows are at least 1".into());
    }
    Ok(found)
}

/// A variable that `tests/run` sets.
fn variable(name: &str) -> Result<String> {
    env::var(name).map_err(|_| format!("{name} is not set; run this as tests/run bench clickhouse").into())
}

fn say(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// What storing all rows once took.
#[derive(Clone, Copy)]
struct Measured {
    rows: u64,
    wall: Duration,
    /// Of the client.
    used: Usage,
    /// Of the server.
    server: Duration,
}

impl Measured {
    fn rows_per_second(&self) -> f64 {
        self.rows as f64 / self.wall.as_secs_f64()
    }

    fn rows_per_cpu_second(&self) -> f64 {
        self.rows as f64 / self.used.cpu.as_secs_f64()
    }
}

/// What one of those that are compared needed, each time.
struct Line {
    title: String,
    runs: Vec<Measured>,
}

impl Line {
    fn new(title: &str) -> Self {
        Line { title: title.to_owned(), runs: Vec::new() }
    }

    fn median(&self, of: impl Fn(&Measured) -> f64) -> f64 {
        let mut all: Vec<f64> = self.runs.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or_default()
    }

    fn peak_mb(&self) -> f64 {
        self.runs.iter().map(|run| run.used.peak_mb()).fold(0.0, f64::max)
    }

    fn tell(&self) -> Result<()> {
        let peak = if self.peak_mb() > 0.0 { format!("{:.0}", self.peak_mb()) } else { "-".to_owned() };
        let each: Vec<String> =
            self.runs.iter().map(|run| format!("{:.0}", run.rows_per_cpu_second())).collect();
        say(&format!(
            "{:<24}{:>8.2}{:>10.0}{:>8.2}{:>16.0}{:>9}{:>14.2}   {}",
            self.title,
            self.median(|run| run.wall.as_secs_f64()),
            self.median(Measured::rows_per_second),
            self.median(|run| run.used.cpu.as_secs_f64()),
            self.median(Measured::rows_per_cpu_second),
            peak,
            self.median(|run| run.server.as_secs_f64()),
            each.join(" ")
        ))
    }
}

/// Whether the bounds hold.
fn run() -> Result<bool> {
    let arguments = arguments()?;
    let broker = Broker::new(&variable("TIDEWIRE_KAFKA")?, arguments.context)?;
    let server = ClickHouse::from_environment()?;
    let rows = Rows::new(arguments.rows);
    say(&format!(
        "ClickHouse {}, {} records of {} bytes, {}",
        server.run("SELECT version()")?,
        arguments.rows,
        rows.record(arguments.rows / 2).value.len(),
        if arguments.context { "five headers" } else { "one header" }
    ))?;
    let began = Instant::now();
    broker.fill(&rows)?;
    say(&format!("records published in {:.1} s", began.elapsed().as_secs_f64()))?;

    let mut builds = vec![(env!("CARGO_BIN_EXE_tidewire").to_owned(), Line::new("Tidewire"))];
    builds.extend(arguments.beside.map(|binary| (binary, Line::new("the other build"))));
    let mut text = Line::new("JSONEachRow by HTTP");
    for number in 0..RUNS {
        for (binary, line) in &mut builds {
            let name = format!("{}-{number}", line.title.replace(' ', "-"));
            line.runs.push(mirror::measure(binary, &name, &broker, &server, &rows)?);
        }
        text.runs.push(text::measure(&server, &rows)?);
    }
    say(&format!(
        "\n{:<24}{:>8}{:>10}{:>8}{:>16}{:>9}{:>14}   each run's rows per CPU s",
        "medians of three runs", "wall s", "rows/s", "CPU s", "rows per CPU s", "peak MB", "server CPU s"
    ))?;
    for (_, line) in &builds {
        line.tell()?;
    }
    text.tell()?;

    let Some((binary, line)) = builds.first() else { return Ok(false) };
    let mirror = Mirror::new(binary, "lag", &broker)?;
    let lag = lag::measure(mirror, &broker, &server)?;
    say(&format!(
        "lag at {} rows/s: p50 {:.2} s, p99 {:.2} s, max {:.2} s; the sink used {:.0} % of a core",
        lag::PER_SECOND,
        lag.at(0.5).as_secs_f64(),
        lag.at(0.99).as_secs_f64(),
        lag.at(1.0).as_secs_f64(),
        lag.share * 100.0
    ))?;
    let per_cpu_second = line.median(Measured::rows_per_cpu_second);
    let peak_mb = line.peak_mb().max(lag.peak_mb);
    let holds = per_cpu_second >= ROWS_PER_CPU_SECOND && peak_mb <= PEAK_MB && lag.at(1.0) <= LAG;
    say(&format!(
        "sink: rows_per_cpu_s={per_cpu_second:.0} rss_mb={peak_mb:.0} lag_max_s={:.2}, bounds {} ({ROWS_PER_CPU_SECOND:.0}, {PEAK_MB:.0}, {})",
        lag.at(1.0).as_secs_f64(),
        if holds { "hold" } else { "do not hold" },
        LAG.as_secs()
    ))?;
    Ok(holds)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // A lost standard error leaves the exit code.
            let _ = writeln!(std::io::stderr(), "bench: {error}");
            ExitCode::FAILURE
        }
    }
}
