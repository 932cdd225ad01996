//! Random statements, followed: after every fifty the believed tables are compared with those of the server, and with those
//! that a snapshot would find.

use std::fmt::Write as _;

use tidewire::schema::database_schema::{DatabaseSchema, Statement};
use tidewire::source::mysql::Connection;

use crate::believed;
use crate::facts::{Tables, differences};
use crate::follower::{Follower, schema_options};
use crate::ground::Server;
use crate::information_schema::{self, literal, quoted, rows};
use crate::statements::{DATABASES, Maker};

/// Statements between two comparisons.
const GROUP: usize = 50;
/// The sessions' `sql_mode`s.
const MODES: [&str; 8] = [
    "STRICT_TRANS_TABLES",
    "STRICT_TRANS_TABLES",
    "STRICT_TRANS_TABLES,ANSI_QUOTES",
    "STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES",
    "ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES",
    "REAL_AS_FLOAT,ANSI_QUOTES,STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY",
    "STRICT_TRANS_TABLES,PIPES_AS_CONCAT,IGNORE_SPACE,HIGH_NOT_PRECEDENCE",
    "TRADITIONAL",
];

/// What a run found.
pub struct Outcome {
    /// Statements that the server carried out.
    pub statements: usize,
    /// How many it refused.
    pub refused: usize,
    /// Each with seed, statement, table, what is believed and what is.
    pub differences: Vec<String>,
}

/// Runs `count` statements that `server` accepts.
pub fn run(server: Server, seed: u64, count: usize) -> Result<Outcome, String> {
    let mut session = server.connect()?;
    clear(&mut session)?;
    let mut follower = Follower::start(server)?;
    let mut maker = Maker::new(server, seed);
    let mut outcome = Outcome { statements: 0, refused: 0, differences: Vec::new() };
    let mut since: Vec<String> = Vec::new();
    begin_session(&mut maker, &mut session)?;
    while outcome.statements < count {
        if maker.chance.once_in(25) {
            begin_session(&mut maker, &mut session)?;
        }
        let text = maker.next(&mut session)?;
        if let Err(error) = carry_out(&mut maker, &mut session, &text) {
            outcome.refused += 1;
            if error.contains("connection") && !error.contains("ERROR") && session.ping().is_err() {
                return Err(format!("{error}\n{text}"));
            }
            if outcome.refused > 20 * (outcome.statements + 50) {
                return Err(format!(
                    "the server refuses nearly everything, the last time with {error}\n{text}"
                ));
            }
            continue;
        }
        outcome.statements += 1;
        since.push(text);
        if since.len() == GROUP || outcome.statements == count {
            let found = compare(server, &mut follower, &mut session, &since).unwrap_or_else(|error| {
                vec![format!("{error}\n  statements:\n    {}", since.join("\n    "))]
            });
            if !found.is_empty() {
                let found = found.into_iter().map(|text| format!("seed {seed}, {}: {text}", server.name()));
                outcome.differences.extend(found);
                break;
            }
            since.clear();
        }
    }
    if outcome.differences.is_empty() {
        clear(&mut session)?;
    }
    Ok(outcome)
}

fn clear(session: &mut Connection) -> Result<(), String> {
    let statement = |session: &mut Connection, sql: &str| {
        session.execute(sql).map_err(|error| format!("{error}: {sql}")).map(drop)
    };
    statement(session, "SET sql_mode = DEFAULT")?;
    for database in DATABASES {
        statement(session, &format!("DROP DATABASE IF EXISTS {}", quoted(database)))?;
    }
    statement(session, "DROP USER IF EXISTS 'follow'@'localhost'")
}

/// Another database, another way of reading.
fn begin_session(maker: &mut Maker, session: &mut Connection) -> Result<(), String> {
    let mode = maker.chance.pick(&MODES);
    let collation =
        maker.chance.pick(&["utf8mb4_bin", "latin1_swedish_ci", "greek_bin", "utf8mb4_general_ci"]);
    maker.ansi_quotes = mode.contains("ANSI");
    maker.no_backslash_escapes = mode.contains("NO_BACKSLASH_ESCAPES");
    maker.current = maker.chance.pick(&DATABASES).to_owned();
    let current = quoted(&maker.current);
    for sql in [
        format!("SET SESSION sql_mode = '{mode}', collation_server = {collation}"),
        format!("CREATE DATABASE IF NOT EXISTS {current}"),
        format!("USE {current}"),
    ] {
        session.execute(&sql).map_err(|error| format!("{error}: {sql}"))?;
    }
    Ok(())
}

/// Runs a statement, now and then as a prepared one of a session with another character set.
fn carry_out(maker: &mut Maker, session: &mut Connection, text: &str) -> Result<(), String> {
    if !maker.chance.once_in(8) {
        return session.execute(text).map(drop).map_err(|error| error.to_string());
    }
    let charset = maker.chance.pick(&["latin1", "utf8mb4", "utf8"]);
    // What the set cannot say becomes question marks, and that differently in what runs and in what is logged.
    let charset = if text.chars().all(|character| u32::from(character) < 256) { charset } else { "utf8mb4" };
    let text =
        if maker.no_backslash_escapes { format!("'{}'", text.replace('\'', "''")) } else { literal(text) };
    let run = |session: &mut Connection| {
        session.execute(&format!("SET @statement = {text}"))?;
        session.execute(&format!("SET NAMES {charset}"))?;
        session.execute("PREPARE p FROM @statement")?;
        session.execute("EXECUTE p")
    };
    let result = run(session);
    session.execute("SET NAMES utf8mb4").map_err(|error| error.to_string())?;
    result.map(drop).map_err(|error| error.to_string())
}

/// Compares what is believed, and what a snapshot finds, with what is.
fn compare(
    server: Server,
    follower: &mut Follower,
    session: &mut Connection,
    since: &[String],
) -> Result<Vec<String>, String> {
    let mut asking = server.connect()?;
    follower.catch_up(&mut asking)?;
    let databases: Vec<String> = DATABASES.iter().map(|name| server.stored(name)).collect();
    let is = information_schema::tables(&mut asking, server, &databases)?;
    let ours = |name: &str| databases.iter().any(|database| database == name);
    let believed = believed::tables(follower.schema(), server, ours);
    let mut found = Vec::new();
    for (table, text) in differences(&believed, &is) {
        found.push(format!("table {table}{text}{}", concerning(&table, since)));
    }
    let (mut captured, mut is) = (captured(server, &mut asking, &is)?, is);
    if server != Server::MySql97 {
        information_schema::forget_unprintable(&mut captured, &mut is);
    }
    for (table, text) in differences(&captured, &is) {
        found.push(format!("table {table} as captured again{text}"));
    }
    let _ = session;
    Ok(found)
}

/// The statements that may have done it: those that say the table's name, or that of a database; all of them where tables
/// changed their names.
fn concerning(table: &str, since: &[String]) -> String {
    let (_, name) = table.split_once('.').unwrap_or(("", table));
    let name = name.replace('`', "``");
    let concerns =
        |text: &&String| text.contains(&name) || text.contains("DATABASE") || text.contains("SCHEMA");
    let renamed = since.iter().filter(concerns).any(|text| text.contains("RENAME"));
    let mut out = String::from("\n    after");
    for text in since.iter().filter(|text| renamed || concerns(text)) {
        // Writing to a String cannot fail.
        let _ = write!(out, "\n      {text}");
    }
    out
}

/// The tables as a snapshot takes them: from what the server prints.
fn captured(server: Server, session: &mut Connection, is: &Tables) -> Result<Tables, String> {
    let mut schema = DatabaseSchema::new(schema_options(server, session)?);
    for row in rows(
        session,
        "SELECT schema_name, default_character_set_name, default_collation_name FROM information_schema.schemata",
    )? {
        let [name, charset, collation] = row.as_slice() else { continue };
        if !DATABASES.iter().any(|database| server.stored(database) == *name) {
            continue;
        }
        apply(
            &mut schema,
            name,
            &format!("CREATE DATABASE {} CHARSET {charset} COLLATE {collation}", quoted(name)),
        )?;
        for table in is.keys().filter_map(|full| full.strip_prefix(&format!("{name}."))) {
            let shown = rows(session, &format!("SHOW CREATE TABLE {}.{}", quoted(name), quoted(table)))?;
            let text = shown.first().and_then(|row| row.get(1)).cloned().unwrap_or_default();
            apply(&mut schema, name, &text)?;
        }
    }
    Ok(believed::tables(&schema, server, |_| true))
}

fn apply(schema: &mut DatabaseSchema, database: &str, text: &str) -> Result<(), String> {
    let explicit_defaults_for_timestamp = Some(true);
    let statement = Statement { text, database, explicit_defaults_for_timestamp, ..Statement::default() };
    schema.apply_ddl(&statement).map(drop).map_err(|error| format!("{error}\n{text}"))
}
