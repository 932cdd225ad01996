//! Transactions and rows that are far larger than what may be in memory: `tests/run large [MEGABYTES]`.
//!
//! One transaction after the other, each of so many megabytes, is read by three connectors at once: to files, to Kafka, and to
//! Kafka with exactly-once delivery. They have rows of a megabyte and rows of half a kilobyte, one is compressed by the server,
//! one is an XA transaction. Every row must have come once and in order, and no connector may ever have had more memory than
//! `MOST`, which does not depend on the size. Then a single row of a quarter of it goes to files, from the log and from a
//! snapshot, within the multiple of its size that the README tells.

// Here a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/mysql_server.rs"]
mod mysql_server;
mod records;
#[allow(dead_code, reason = "other tests ask for more")]
#[path = "../integration/support/mod.rs"]
mod support;

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use tidewire::source::mysql::Connection;

use mysql_server::root_config;
use records::{Came, delete_topic, in_file, in_topic};
use support::connector::Connector;
use support::database::{MYSQL97, variable};
use support::process::Process;

/// What can go wrong is for a person to read.
type Outcome<T> = Result<T, String>;

const DATABASE: &str = "large";
/// Peak memory of a connector whose rows are of a megabyte at most.
const MOST: u64 = 96 << 20;
/// Peak memory for a huge row, in sizes of its record in JSON, beside `MOST`.
const TIMES: u64 = 4;
/// How long a connector may take for a transaction.
const PATIENCE: Duration = Duration::from_secs(900);

/// A transaction.
struct Case {
    name: &'static str,
    /// Bytes of text in a row.
    width: u64,
    compressed: bool,
    xa: bool,
}

const CASES: [Case; 4] = [
    Case { name: "wide", width: 1_000_000, compressed: false, xa: false },
    Case { name: "narrow", width: 500, compressed: false, xa: false },
    Case { name: "compressed", width: 1_000_000, compressed: true, xa: false },
    Case { name: "xa", width: 500, compressed: false, xa: true },
];

fn main() -> ExitCode {
    let megabytes = std::env::args().nth(1).map_or(Ok(2_000), |text| text.parse());
    let outcome = megabytes.map_err(|_| "usage: large [MEGABYTES]".to_owned()).and_then(run);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(io::stderr(), "large: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn say(line: &str) -> Outcome<()> {
    writeln!(io::stdout().lock(), "{line}").map_err(|error| error.to_string())
}

fn session() -> Outcome<Connection> {
    let mut config = root_config(MYSQL97.variable());
    config.query_timeout = PATIENCE;
    Connection::connect(&config).map_err(|error| error.to_string())
}

fn execute(session: &mut Connection, statement: &str) -> Outcome<()> {
    session.execute(statement).map(|_| ()).map_err(|error| format!("{error}: {statement}"))
}

fn run(megabytes: u64) -> Outcome<()> {
    let mut session = session()?;
    for statement in [
        "SET GLOBAL max_allowed_packet = 1073741824, GLOBAL innodb_redo_log_capacity = 2147483648",
        "SET GLOBAL cte_max_recursion_depth = 4294967295",
        &format!("DROP DATABASE IF EXISTS {DATABASE}"),
        &format!("CREATE DATABASE {DATABASE}"),
    ] {
        execute(&mut session, statement)?;
    }
    let (mut rows, mut bytes, mut peak) = (0, 0, 0);
    for case in &CASES {
        let count = (megabytes * 1_000_000 / case.width).max(1);
        let most = transaction(case, count)?;
        rows += count * 3;
        bytes += count * case.width * 3;
        peak = peak.max(most);
    }
    let row = megabytes * 1_000_000 / 4;
    let of_row = huge_row(row)?;
    say(&format!(
        "large: {rows} rows, {bytes} bytes, peak {} MB; a row of {row} bytes, peak {} MB; 0 missing",
        peak >> 20,
        of_row >> 20
    ))
}

/// The connectors of a case, streaming.
fn connectors(case: &str) -> Vec<(Connector, Process)> {
    let broker = variable("TIDEWIRE_KAFKA");
    let named = |kind: &str| format!("{case}_{kind}");
    let mut all = vec![
        Connector::to_files(&MYSQL97, &named("files")),
        Connector::to_kafka(&MYSQL97, &named("kafka"), &broker),
        Connector::to_kafka(&MYSQL97, &named("once"), &broker),
    ];
    all[2]
        .set("exactly.once.support", "required")
        .set("producer.override.compression.type", "zstd")
        .set_worker("exactly.once.source.support", "enabled");
    let start = |mut connector: Connector| {
        connector.set("database.include.list", DATABASE).set("snapshot.mode", "no_data");
        let process = connector.start_streaming();
        (connector, process)
    };
    all.into_iter().map(start).collect()
}

/// Peak memory of the connectors in bytes.
fn transaction(case: &Case, count: u64) -> Outcome<u64> {
    let mut session = session()?;
    for statement in [
        format!("USE {DATABASE}"),
        "CREATE TABLE t (id INT PRIMARY KEY, v LONGTEXT) CHARACTER SET ascii".to_owned(),
        "CREATE TABLE mark (id INT PRIMARY KEY)".to_owned(),
        format!("SET SESSION binlog_transaction_compression = {}", u8::from(case.compressed)),
    ] {
        execute(&mut session, &statement)?;
    }
    let running = connectors(case.name);
    let began = Instant::now();
    let insert = format!(
        "INSERT INTO t WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < {count}) \
         SELECT id, LEFT(REPEAT(SHA2(id, 256), {0} DIV 64 + 1), {0}) FROM n",
        case.width
    );
    let (first, last): (&str, &[&str]) = match case.xa {
        true => ("XA START 'large'", &["XA END 'large'", "XA PREPARE 'large'", "XA COMMIT 'large'"]),
        false => ("BEGIN", &["COMMIT"]),
    };
    for statement in [first, &insert].into_iter().chain(last.iter().copied()) {
        execute(&mut session, statement)?;
    }
    execute(&mut session, "INSERT INTO mark VALUES (1)")?;
    let written = began.elapsed();
    let mut peak = 0;
    for (connector, mut process) in running {
        let marks = format!("{}.{DATABASE}.mark", connector.prefix);
        while connector.topic(&marks).is_empty() {
            if !process.is_running() || began.elapsed() > PATIENCE {
                return Err(format!("{} does not get to the end:\n{}", connector.name, process.log()));
            }
            thread::sleep(Duration::from_millis(500));
        }
        let seconds = (began.elapsed() - written).as_secs_f64();
        let most = peak_memory(&process)?;
        process.terminate().expect(0, &[]);
        let topic = format!("{}.{DATABASE}.t", connector.prefix);
        let came = match connector.name.ends_with("_files") {
            true => in_file(&connector.file("records").join(format!("{topic}.jsonl")))?,
            false => {
                let broker = variable("TIDEWIRE_KAFKA");
                let came = in_topic(&broker, &topic)?;
                delete_topic(&broker, &topic)?;
                came
            }
        };
        say(&format!("{}: {came}, at most {seconds:.1} s, peak {} MB", connector.name, most >> 20))?;
        if came != (Came { rows: count, first_wrong: None }) {
            return Err(format!("{}: {count} rows were written, {came}", connector.name));
        }
        if most > MOST {
            return Err(format!("{}: {most} bytes of memory are more than {MOST}", connector.name));
        }
        peak = peak.max(most);
    }
    execute(&mut session, "DROP TABLE t, mark")?;
    execute(&mut session, "FLUSH BINARY LOGS")?;
    execute(&mut session, "PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 MINUTE")?;
    Ok(peak)
}

/// A row of so many bytes goes to files: from the log, and from a snapshot. Peak memory.
fn huge_row(size: u64) -> Outcome<u64> {
    let mut session = session()?;
    execute(&mut session, &format!("USE {DATABASE}"))?;
    execute(&mut session, "CREATE TABLE t (id INT PRIMARY KEY, v LONGBLOB)")?;
    // BASE64 has four characters for three bytes.
    let printed = size / 3 * 4;
    let limit = TIMES * printed + MOST;
    let mut peak = 0;
    for mode in ["no_data", "initial"] {
        let mut connector = Connector::to_files(&MYSQL97, &format!("row_{mode}"));
        // A bound that is less than one row holds nothing up.
        connector
            .set("database.include.list", DATABASE)
            .set("snapshot.mode", mode)
            .set("max.queue.size.in.bytes", "1000000");
        let mut process = connector.start();
        if mode == "no_data" {
            process.wait_for(support::connector::STREAMING, 1);
            execute(&mut session, &format!("INSERT INTO t VALUES (1, REPEAT(X'00FF10', {}))", size / 3))?;
        }
        let file = connector.file("records").join(format!("{}.{DATABASE}.t.jsonl", connector.prefix));
        let began = Instant::now();
        // The line feed at its end is written with the rest of the record.
        while fs::metadata(&file).map_or(0, |file| file.len()) < printed {
            if !process.is_running() || began.elapsed() > PATIENCE {
                return Err(format!("the row does not come:\n{}", process.log()));
            }
            thread::sleep(Duration::from_millis(200));
        }
        let seconds = began.elapsed().as_secs_f64();
        let most = peak_memory(&process)?;
        process.terminate().expect(0, &[]);
        say(&format!("row of {size} bytes, {mode}: {seconds:.1} s, peak {} MB", most >> 20))?;
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let cells = text.matches(&"AP8Q".repeat(usize::try_from(size / 3).unwrap_or(0))).count();
        if (text.lines().count(), cells) != (1, 1) {
            return Err(format!("{mode}: {} records, {cells} whole cells", text.lines().count()));
        }
        if most > limit {
            return Err(format!("{mode}: {most} bytes of memory are more than {limit}"));
        }
        peak = peak.max(most);
    }
    execute(&mut session, &format!("DROP DATABASE {DATABASE}"))?;
    Ok(peak)
}

/// The most memory that a process has had so far (`VmHWM`).
fn peak_memory(process: &Process) -> Outcome<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id()));
    let status = status.map_err(|error| error.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    Ok(kilobytes.ok_or("no VmHWM")? << 10)
}
