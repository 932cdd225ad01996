//! What a start costs that has a long schema history: `cargo bench --bench recovery -- HOST:PORT [RECORDS] [TABLES]`.
//!
//! The history is made here: tables of 20 to 45 columns that were altered again and again, 15 kB a record as Debezium
//! writes it to Kafka. It is recovered from a topic and from a file, each in a process of its own: CPU seconds of all
//! its threads (user and system, the median of five) and its peak memory are the figures, and what was recovered must be
//! what was recorded. Debezium 3.6.1 takes 9.5 CPU seconds for as much. A second history has 1,000 tables: its memory is
//! that of a connector with so many.

mod generate;
#[allow(dead_code, reason = "the other bench asks for more of a process")]
#[path = "../throughput/process.rs"]
mod process;

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tidewire::error::Classify;
use tidewire::file::schema_history::FileSchemaHistory;
use tidewire::kafka::schema_history::KafkaSchemaHistory;
use tidewire::schema::database_schema::DatabaseSchema;
use tidewire::schema::history::SchemaHistory;
use tidewire::schema::history::recover::{RecoverOptions, Replay, UpTo, recover};

use crate::generate::{SERVER, generate, position};
use crate::process::Usage;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const RECORDS: u64 = 10_000;
const TABLES: u64 = 200;
/// The tables of the second history; each is made and altered once.
const MANY_TABLES: u64 = 1_000;
/// Processes that recover the same history; the middle one counts.
const RUNS: u32 = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "recovery: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    if let [first, kind, place, records] = arguments
        && first == "--one"
    {
        return one(kind, place, records.parse()?);
    }
    let (brokers, counts) = arguments
        .split_first()
        .ok_or("usage: cargo bench --bench recovery -- HOST:PORT [RECORDS] [TABLES]")?;
    let count = |at: usize, usual: u64| counts.get(at).map_or(Ok(usual), |count| count.parse());
    let (records, tables) = (count(0, RECORDS)?, count(1, TABLES)?);
    if tables == 0 || records <= tables {
        return Err("more records than tables are wanted, and a table".into());
    }
    let folder = tempfile::tempdir()?;
    let mut out = io::stdout().lock();
    let many = measure(&mut out, brokers, folder.path(), MANY_TABLES * 2 + 1, MANY_TABLES)?;
    let long = measure(&mut out, brokers, folder.path(), records, tables)?;
    writeln!(
        out,
        "recovery: {records} records of {tables} tables, {:.0} MB: kafka {:.2} CPU s, file {:.2} CPU s, peak {:.0} MB (Debezium: 9.5 CPU s); {MANY_TABLES} tables: peak {:.0} MB",
        long.megabytes,
        long.kafka.cpu.as_secs_f64(),
        long.file.cpu.as_secs_f64(),
        long.kafka.peak_mb().max(long.file.peak_mb()),
        many.kafka.peak_mb().max(many.file.peak_mb()),
    )?;
    Ok(())
}

struct Measured {
    /// As Debezium writes the records to Kafka.
    megabytes: f64,
    kafka: Usage,
    file: Usage,
}

fn measure(
    out: &mut impl Write,
    brokers: &str,
    folder: &Path,
    records: u64,
    tables: u64,
) -> Result<Measured> {
    let topic = format!("recovery-{tables}-{records}-{}", std::process::id());
    let path = folder.join(&topic);
    let (mut in_kafka, mut in_file) = (open_topic(brokers, &topic)?, FileSchemaHistory::new(&path));
    in_kafka.initialize_storage()?;
    let (mut batch, mut bytes) = (Vec::new(), 0);
    let expected = generate(records, tables, |record| {
        bytes += record.to_pretty().len();
        batch.push(record);
        if batch.len() >= 1_000 {
            in_kafka.record(&batch)?;
            in_file.record(&batch)?;
            batch.clear();
        }
        Ok(())
    })?;
    in_kafka.record(&batch)?;
    in_file.record(&batch)?;
    let fingerprint = fingerprint(&expected);
    let mut usages = Vec::new();
    for (kind, place) in [("kafka", format!("{brokers}/{topic}")), ("file", path.display().to_string())] {
        let began = Instant::now();
        let mut runs = (0..RUNS)
            .map(|_| one_process(kind, &place, records, &fingerprint))
            .collect::<Result<Vec<_>>>()?;
        let wall = began.elapsed() / RUNS;
        runs.sort_by_key(|run| run.cpu);
        let cpu = runs.get(runs.len() / 2).map(|run| run.cpu).unwrap_or_default();
        let peak_kib = runs.iter().map(|run| run.peak_kib).max().unwrap_or_default();
        let usage = Usage { cpu, peak_kib };
        writeln!(
            out,
            "{kind:<6} {records:>6} records {tables:>5} tables {:>6.1} MB {:>6.2} CPU s {:>6.2} s {:>6.1} MB peak",
            bytes as f64 / 1e6,
            usage.cpu.as_secs_f64(),
            wall.as_secs_f64(),
            usage.peak_mb(),
        )?;
        usages.push(usage);
    }
    let [kafka, file] = usages.as_slice() else { return Err("two homes are measured".into()) };
    Ok(Measured { megabytes: bytes as f64 / 1e6, kafka: *kafka, file: *file })
}

/// Recovers in a process of its own.
fn one_process(kind: &str, place: &str, records: u64, fingerprint: &str) -> Result<Usage> {
    let child = Command::new(std::env::current_exe()?)
        .args(["--one", kind, place, &records.to_string()])
        .stderr(std::process::Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&child.stdout);
    let mut words = text.split_ascii_whitespace();
    let mut next = || words.next().ok_or("the recovering process failed");
    let (cpu, peak, found) = (next()?, next()?, next()?);
    if found != fingerprint {
        return Err(format!("{kind}: other tables were recovered than were recorded").into());
    }
    Ok(Usage { cpu: Duration::from_secs_f64(cpu.parse()?), peak_kib: peak.parse()? })
}

fn open_topic(brokers: &str, topic: &str) -> Result<KafkaSchemaHistory> {
    let stop = Arc::new(AtomicBool::new(false));
    Ok(KafkaSchemaHistory::open(topic, brokers, &[], &[], Duration::from_secs(30), stop)?)
}

/// The recovering process: prints its CPU seconds, its peak memory in KiB, and what it recovered.
fn one(kind: &str, place: &str, records: u64) -> Result<()> {
    let schema = match kind {
        "kafka" => {
            let (brokers, topic) = place.split_once('/').ok_or("HOST:PORT/TOPIC is wanted")?;
            recovered(&mut open_topic(brokers, topic)?, records)?
        }
        _ => recovered(&mut FileSchemaHistory::new(place), records)?,
    };
    let usage = Usage::of(std::process::id())?;
    writeln!(io::stdout(), "{} {} {}", usage.cpu.as_secs_f64(), usage.peak_kib, fingerprint(&schema))?;
    Ok(())
}

fn recovered<H>(history: &mut H, records: u64) -> Result<DatabaseSchema>
where
    H: SchemaHistory,
    H::Error: Classify + 'static,
{
    let offset = position(records);
    let up_to = UpTo::Offset { offset: &offset, gtid_sources: None };
    let options = RecoverOptions { server: SERVER, up_to, replay: Replay::default() };
    let mut schema = DatabaseSchema::default();
    let done = recover(history, &mut schema, &options)?;
    if done.applied != records {
        return Err(format!("{} of {records} records were applied", done.applied).into());
    }
    Ok(schema)
}

/// A checksum over everything that is known of every table.
fn fingerprint(schema: &DatabaseSchema) -> String {
    let mut hash = crc32fast::Hasher::new();
    for table in schema.tables() {
        hash.update(format!("{table:?}").as_bytes());
    }
    format!("{:08x}", hash.finalize())
}
