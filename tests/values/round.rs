//! One round: random tables and statements under one set of modes, streamed by one connector and read by another's
//! snapshot, judged by what the server says.
//!
//! Half of the tables are there before the first connector starts, so that it knows them from SHOW CREATE TABLE; the others
//! are made while it streams, and it knows them from the statement.

use std::fmt::Write as _;

use crate::Outcome;
use crate::connector::Connector;
use crate::generate::Generator;
use crate::judge::{self, Difference};
use crate::modes::Modes;
use crate::oracle;
use crate::published::Reader;
use crate::random::Random;
use crate::server::{Server, Session, shortened};
use crate::table::Table;
use crate::workload::{self, History};

/// Makes the last record: when it is there, so is everything before it.
const END: &str = "the_end";

/// How often a table that the server refuses is made anew.
const ATTEMPTS: usize = 20;

/// What a round is made of.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub tables: usize,
    pub columns: usize,
    pub rows: usize,
}

/// What came of it.
#[derive(Default)]
pub struct Report {
    pub cells: usize,
    pub differences: usize,
    /// Statements that the server refused, of all.
    pub refused: usize,
    /// What the differences are, for a person.
    pub text: String,
}

/// Runs a round.
pub fn run(server: &Server, name: &str, seed: u64, round: u64, size: Size) -> Outcome<Report> {
    let mut random = Random::new(seed, round);
    let modes = Modes::random(round, &mut random);
    let mut generator = Generator { server, modes, random, streamed: false };
    let database = format!("values_{round}");
    let mut session = Session::open(server)?;
    session.run(&format!("DROP DATABASE IF EXISTS {database}"))?;
    session.run(&format!("CREATE DATABASE {database}"))?;
    session.run(&format!("USE {database}"))?;
    let mut report = Report::default();
    let (early, late) = (size.tables.div_ceil(2), size.tables / 2);
    let mut tables = make(&mut session, &mut generator, &database, size, 0..early, false, &mut report)?;
    let mut streaming = Connector::start(server, &database, modes, "no_data")?;
    streaming.wait_for_streaming()?;
    tables.extend(make(
        &mut session,
        &mut generator,
        &database,
        size,
        early..early + late,
        true,
        &mut report,
    )?);
    let mut histories = Vec::new();
    for table in &tables {
        let history = workload::write(&mut session, &mut generator, table, size.rows)?;
        report.refused += history.refused;
        histories.push(history);
    }
    session.run("SET SESSION sql_mode = ''")?;
    session.run(&format!("CREATE TABLE {END} (id INT PRIMARY KEY)"))?;
    session.run(&format!("INSERT INTO {END} VALUES (1)"))?;
    let mut snapshot = Connector::start(server, &database, modes, "initial_only")?;
    let mut both = || {
        streaming.wait_for_record(END)?;
        streaming.end(true)?;
        snapshot.end(false)
    };
    both().map_err(|why| with_tables(why, &database, &tables))?;
    let mut reader = Reader::default();
    for (table, history) in tables.iter().zip(&histories) {
        let truth = oracle::ask(&mut session, table)?;
        let from_snapshot = reader.records(&snapshot.topic(&table.name))?;
        let from_stream = reader.records(&streaming.topic(&table.name))?;
        let verdict = judge::judge(table, &truth, server.version, modes, &from_snapshot, &from_stream)
            .map_err(|why| format!("{}: {why}\n{}", table.name, table.ddl))?;
        report.cells += verdict.cells;
        report.differences += verdict.differences.len();
        describe(&mut report.text, table, history, &verdict.differences);
    }
    if report.differences > 0 {
        let heading = format!("{name}, seed {seed}, round {round}: {modes:?}\n");
        report.text.insert_str(0, &heading);
    } else {
        session.run(&format!("DROP DATABASE {database}"))?;
    }
    Ok(report)
}

/// What a connector said, and the tables that it named.
fn with_tables(why: String, database: &str, tables: &[Table]) -> String {
    let named = tables.iter().filter(|table| {
        [".", ":", " ", ";"].iter().any(|end| why.contains(&format!("{database}.{}{end}", table.name)))
    });
    named.fold(why.clone(), |text, table| format!("{text}\n{}", table.ddl))
}

fn make(
    session: &mut Session,
    generator: &mut Generator<'_>,
    database: &str,
    size: Size,
    numbers: std::ops::Range<usize>,
    streamed: bool,
    report: &mut Report,
) -> Outcome<Vec<Table>> {
    session.run("SET SESSION sql_mode = 'ALLOW_INVALID_DATES', SESSION time_zone = '+00:00'")?;
    generator.streamed = streamed;
    let mut tables = Vec::new();
    for number in numbers {
        let mut refusal = String::new();
        let made = (0..ATTEMPTS).find_map(|_| {
            let columns = size.columns / 2 + generator.random.below(size.columns);
            let table = generator.table(&format!("t{number}"), columns, streamed);
            match session.attempt(&table.ddl) {
                Ok(()) => Some(table),
                Err(error) => {
                    report.refused += 1;
                    refusal = format!("{error}: {}", table.ddl);
                    None
                }
            }
        });
        let mut table = made.ok_or_else(|| format!("no table that the server takes: {refusal}"))?;
        oracle::complete(session, database, &mut table)?;
        tables.push(table);
    }
    Ok(tables)
}

/// Prints the first difference of each column with all that is needed to look at it again.
fn describe(text: &mut String, table: &Table, history: &History, differences: &[Difference]) {
    let mut named: Vec<&str> = Vec::new();
    for difference in differences {
        if named.contains(&difference.column.as_str()) {
            continue;
        }
        named.push(&difference.column);
        let more = differences.iter().filter(|other| other.column == difference.column).count() - 1;
        let place = difference.row.map_or_else(|| "its schema".to_owned(), |row| format!("rn = {row}"));
        let definition = table.columns.iter().find(|column| column.name == difference.column);
        let statement =
            difference.row.and_then(|row| history.last.get(&row)).map_or("none", |statement| statement);
        let _ = writeln!(
            text,
            "  {}.`{}` ({}), {place}, and {more} more: {}\n    server   {}\n    snapshot {}\n    stream   {}\n    statement {}",
            table.name,
            difference.column,
            definition.map_or("", |column| &column.definition),
            difference.what,
            difference.server,
            difference.snapshot,
            difference.stream,
            shortened(statement, 3000),
        );
    }
    if !differences.is_empty() {
        let streamed = if table.streamed { "made while streaming" } else { "there before" };
        let _ = writeln!(text, "    table ({streamed}) {}", shortened(&table.ddl, 6000));
    }
}
