//! The statements of `tests/ddl` through the DDL layer, on the tables that the statements before them left.

use std::fs;
use std::path::Path;
use std::thread;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tidewire::schema::database_schema::{DatabaseSchema, Flavor, SchemaOptions, Statement};

use crate::mutation::{Mutation, mutate, mutations};
use crate::{Outcome, told, within};

/// What may be allocated for a statement, all in all: some tables, and a multiple of the text.
const MEMORY: usize = 4 << 20;
const MEMORY_A_BYTE: usize = 1024;
/// The least stack of the threads that carry out statements: what Rust gives a thread.
const STACK: usize = 2 << 20;
/// How deep things are nested.
const DEPTH: usize = 10_000;
/// How long a text becomes.
const LONG: usize = 1 << 20;

/// What opens something that has to be closed, or that takes an expression after it.
const NESTED: [(&str, &str); 10] = [
    ("(", ")"),
    ("(a,", ")"),
    ("(SELECT ", ")"),
    ("/*!", "*/"),
    ("/*!50700 ", "*/"),
    ("/*", "*/"),
    ("NOT ", ""),
    ("- ", ""),
    ("CASE WHEN ", " END"),
    ("SET STATEMENT a=1 FOR ", ""),
];
/// What opens something.
const OPEN: [&str; 14] =
    ["'", "\"", "`", "/*", "/*!", "/*!99999", "/*M!", "-- ", "#", "$$", "N'", "x'", "\\", "_utf8mb4'"];
/// What is repeated until the text is long.
const FILLING: [&str; 16] = [
    " ",
    "a",
    "9",
    "'",
    "`",
    "(",
    ")",
    ",",
    ";",
    "é\n",
    "/*!*/",
    "/*!*/use a;",
    "''",
    "x INT,",
    "DROP TABLE t;",
    "0.",
];

/// A change of a text. Places are a share of its length.
#[derive(Clone, Debug)]
enum Change {
    Bytes(Vec<Mutation>),
    Nest { place: u16, what: usize, depth: usize, closed: bool },
    Open { place: u16, what: usize },
    Fill { place: u16, what: usize },
    Double { with: char },
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let depth = prop_oneof![7 => 1..6usize, 1 => Just(DEPTH)];
    let change = prop_oneof![
        60 => mutations().prop_map(Change::Bytes),
        30 => (any::<u16>(), 0..NESTED.len(), depth, any::<bool>())
            .prop_map(|(place, what, depth, closed)| Change::Nest { place, what, depth, closed }),
        20 => (any::<u16>(), 0..OPEN.len()).prop_map(|(place, what)| Change::Open { place, what }),
        10 => prop_oneof![Just(' '), Just(';'), Just(',')].prop_map(|with| Change::Double { with }),
        2 => (any::<u16>(), 0..FILLING.len()).prop_map(|(place, what)| Change::Fill { place, what }),
    ];
    proptest::collection::vec(change, 1..3)
}

fn change(text: &mut String, change: &Change) {
    let length = text.len();
    let at = |text: &str, place: u16| {
        let mut at = (usize::from(place) * length) >> 16;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    match change {
        Change::Bytes(mutations) => {
            let mut bytes = std::mem::take(text).into_bytes();
            mutate(&mut bytes, mutations);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        Change::Nest { place, what, depth, closed } => {
            let (open, close) = NESTED[*what];
            let at = at(text, *place);
            // Around the next word, so that what is nested may still be an expression.
            let word = text[at..].find([' ', ',', ')']).map_or(length, |end| at + end);
            if *closed {
                text.insert_str(word, &close.repeat(*depth));
            }
            text.insert_str(at, &open.repeat(*depth));
        }
        Change::Open { place, what } => text.insert_str(at(text, *place), OPEN[*what]),
        Change::Fill { place, what } => {
            text.insert_str(at(text, *place), &FILLING[*what].repeat(LONG / FILLING[*what].len()));
        }
        Change::Double { with } => *text = format!("{text}{with}{text}"),
    }
}

/// Statements, each with the tables before it.
pub struct Statements {
    statements: Vec<(String, DatabaseSchema)>,
}

impl Statements {
    /// Reads the files; what this server would not take leaves the tables as they are.
    pub fn read() -> Outcome<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ddl");
        let mut files = fs::read_dir(folder)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()?;
        files.sort();
        let mut statements = Vec::new();
        for file in files {
            let mariadb = file.file_stem().is_some_and(|name| name == "mariadb");
            let (flavor, version) =
                if mariadb { (Flavor::MariaDb, 101_100) } else { (Flavor::MySql, 90_700) };
            let options = SchemaOptions { flavor, version, ..SchemaOptions::default() };
            let mut schema = DatabaseSchema::new(options);
            let text = fs::read_to_string(file)?;
            let lines = text.lines().filter(|line| !line.starts_with("-- "));
            for text in lines.collect::<Vec<_>>().join("\n").split(";\n") {
                let text = text.trim_start();
                if text.is_empty() {
                    continue;
                }
                statements.push((text.to_owned(), schema.clone()));
                let _ = schema.apply_ddl(&statement(text, 0));
            }
        }
        if statements.len() < 1000 {
            return Err(format!("tests/ddl has only {} statements", statements.len()).into());
        }
        Ok(Statements { statements })
    }

    pub fn statements(&self, runner: &mut TestRunner) -> Result<(), String> {
        thread::scope(|scope| {
            let run = || {
                let sql_mode =
                    prop_oneof![3 => Just(0u64), 1 => Just(4), 1 => Just(0x10_0000), 1 => any::<u64>()];
                let input = (0..self.statements.len(), changes(), sql_mode);
                told(runner.run(&input, |(index, changes, mode)| self.check(index, &changes, mode)))
            };
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            let result = thread.map_err(|error| error.to_string())?.join();
            result.map_err(|_| "the runner panicked".to_owned())?
        })
    }

    fn check(&self, index: usize, changes: &[Change], sql_mode: u64) -> Result<(), TestCaseError> {
        let (text, before) = &self.statements[index];
        let (mut text, mut after) = (text.clone(), before.clone());
        changes.iter().for_each(|one| change(&mut text, one));
        let statement = statement(&text, sql_mode);
        let mut result = Ok(Vec::new());
        within(MEMORY + text.len() * MEMORY_A_BYTE, text.len(), || {
            let _ = after.created_table(&statement);
            let _ = after.row_statement(&statement);
            result = after.apply_ddl(&statement);
        })?;
        if result.is_err() {
            prop_assert!(after.tables().eq(before.tables()), "an error changed tables");
            prop_assert!(after.databases().eq(before.databases()), "an error changed databases");
        }
        Ok(())
    }
}

fn statement(text: &str, sql_mode: u64) -> Statement<'_> {
    Statement { text, database: "ddl_a", sql_mode, ..Statement::default() }
}
