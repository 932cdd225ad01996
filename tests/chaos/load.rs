//! The load: transactions, some of them XA transactions of two phases, whose rows tell by themselves where they belong.
//!
//! Every transaction begins with a counter, which puts all of them into one order: its number is `tx` of all rows that it writes,
//! `ord` counts them. An update makes `v` one more. No key is used twice. So a reader sees what is missing, what came twice and
//! what came too early without knowing what the writers know, who lose their server as well.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tidewire::source::mysql::Connection;
use tidewire::source::mysql::error::MySqlError;

use crate::mysql_server;
use crate::random::Random;
use crate::support::database::Database;
use crate::{LIMIT, Outcome};

/// The tables are `t0` to `t4`.
pub const TABLES: usize = 5;
/// Rows of the transactions that do not fit into one of Kafka's.
const MANY: u64 = 3_000;
/// Keys that a transaction has for itself.
const KEYS: u64 = 2_000_000;
/// Rows of one statement.
const ROWS: u64 = 5_000;

/// Where the writers write.
pub struct Load {
    pub server: &'static Database,
    pub database: &'static str,
    /// Of a hundred transactions so many are XA transactions.
    pub xa: usize,
}

impl Load {
    /// A session of the server, unless it is down.
    pub fn connect(&self) -> Option<Connection> {
        let mut session = Connection::connect(&mysql_server::root_config(self.server.variable())).ok()?;
        session.execute(&format!("USE {}", self.database)).ok()?;
        Some(session)
    }

    /// Creates the tables.
    pub fn create(&self) -> Outcome<()> {
        let mut session = mysql_server::root(self.server.variable());
        create(&mut session, self.database)
    }

    /// Goes on until told to stop; a lost server is waited for. `name` is that of its XA transactions.
    pub fn write(&self, name: &str, mut random: Random, stop: &AtomicBool, done: &AtomicU64) {
        let mut live: Vec<(usize, u64)> = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let Some(mut session) = self.connect() else {
                thread::sleep(Duration::from_millis(100));
                continue;
            };
            // What was prepared when the server was lost holds the counter.
            end_prepared(&mut session, name, random.chance(50));
            while !stop.load(Ordering::Relaxed) {
                let xa = random.chance(self.xa).then_some(name);
                if transaction(&mut session, xa, &mut random, &mut live).is_err() {
                    break;
                }
                done.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(random.next() % 20));
            }
        }
    }

    /// Adds and drops columns until told to stop.
    pub fn alter(&self, mut random: Random, stop: &AtomicBool) {
        let mut column = 0;
        while !stop.load(Ordering::Relaxed) {
            let Some(mut session) = self.connect() else {
                thread::sleep(Duration::from_millis(100));
                continue;
            };
            while !stop.load(Ordering::Relaxed) {
                column += 1;
                let table = random.below(TABLES);
                let add = format!("ALTER TABLE t{table} ADD COLUMN c{column} INT DEFAULT {column}");
                let drop = format!("ALTER TABLE t{table} DROP COLUMN c{column}");
                let altered = session.execute(&add).and_then(|_| {
                    thread::sleep(Duration::from_millis(random.next() % 700));
                    session.execute(&drop)
                });
                if altered.is_err() {
                    break;
                }
                thread::sleep(Duration::from_millis(random.next() % 700));
            }
        }
    }
}

fn create(session: &mut Connection, database: &str) -> Outcome<()> {
    let tables = (0..TABLES).map(|table| {
        format!(
            "CREATE TABLE t{table} (id BIGINT PRIMARY KEY, v INT NOT NULL, tx BIGINT NOT NULL, ord INT NOT NULL, p VARCHAR(300))"
        )
    });
    let first = [
        format!("DROP DATABASE IF EXISTS {database}"),
        format!("CREATE DATABASE {database}"),
        format!("USE {database}"),
        "CREATE TABLE counter (id INT PRIMARY KEY, n BIGINT NOT NULL)".to_owned(),
        "INSERT INTO counter VALUES (1, 0)".to_owned(),
    ];
    for statement in first.into_iter().chain(tables) {
        session.execute(&statement).map_err(|error| format!("{error}: {statement}"))?;
    }
    Ok(())
}

/// Commits or rolls back an XA transaction, if one of this name is prepared. A server that is lost again is asked again.
fn end_prepared(session: &mut Connection, name: &str, commit: bool) {
    let end = if commit { "COMMIT" } else { "ROLLBACK" };
    // Most of the time there is none, which is an error.
    let _ = session.execute(&format!("XA {end} '{name}'"));
}

/// The number of the running transaction.
fn count(session: &mut Connection) -> Result<u64, MySqlError> {
    session.execute("UPDATE counter SET n = n + 1 WHERE id = 1")?;
    let number = session.query_value("SELECT n FROM counter WHERE id = 1")?;
    Ok(number.and_then(|number| number.parse().ok()).unwrap_or_default())
}

/// A transaction of so many rows of one table, fewer than `KEYS`. The writers wait for its counter.
pub fn large(load: &Load, rows: u64, random: &mut Random) -> Outcome<()> {
    let began = Instant::now();
    while began.elapsed() < LIMIT {
        let done = load.connect().map(|mut session| insert_large(&mut session, random.below(TABLES), rows));
        if matches!(done, Some(Ok(()))) {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Err(format!("no transaction of {rows} rows after {} s", LIMIT.as_secs()))
}

fn insert_large(session: &mut Connection, table: usize, rows: u64) -> Result<(), MySqlError> {
    session.execute("BEGIN")?;
    let tx = count(session)?;
    insert_many(session, table, tx, rows)?;
    session.execute("COMMIT").map(|_| ())
}

fn insert_many(session: &mut Connection, table: usize, tx: u64, rows: u64) -> Result<(), MySqlError> {
    for first in (0..rows).step_by(ROWS as usize) {
        let rows: Vec<String> = (first..rows.min(first + ROWS))
            .map(|ord| format!("({}, 1, {tx}, {ord}, NULL)", tx * KEYS + ord))
            .collect();
        session.execute(&format!("INSERT INTO t{table} (id, v, tx, ord, p) VALUES {}", rows.join(", ")))?;
    }
    Ok(())
}

/// With a name it is an XA transaction of two phases.
fn transaction(
    session: &mut Connection,
    xa: Option<&str>,
    random: &mut Random,
    live: &mut Vec<(usize, u64)>,
) -> Result<(), MySqlError> {
    match xa {
        Some(name) => session.execute(&format!("XA START '{name}'"))?,
        None => session.execute("BEGIN")?,
    };
    let tx = count(session)?;
    if xa.is_none() && random.chance(1) {
        insert_many(session, random.below(TABLES), tx, MANY)?;
        return session.execute("COMMIT").map(|_| ());
    }
    for ord in 0..1 + random.next() % 6 {
        let place = random.below(live.len().max(1));
        match (random.below(6), live.get(place).copied()) {
            (3..=4, Some((table, id))) => {
                session.execute(&format!(
                    "UPDATE t{table} SET v = v + 1, tx = {tx}, ord = {ord} WHERE id = {id}"
                ))?;
            }
            (5, Some((table, id))) => {
                session.execute(&format!("DELETE FROM t{table} WHERE id = {id}"))?;
                live.swap_remove(place);
            }
            _ => {
                let (table, id) = (random.below(TABLES), tx * KEYS + ord);
                let text = "x".repeat(random.below(300));
                session.execute(&format!(
                    "INSERT INTO t{table} (id, v, tx, ord, p) VALUES ({id}, 1, {tx}, {ord}, '{text}')"
                ))?;
                live.push((table, id));
            }
        }
    }
    let end = if random.chance(5) { "ROLLBACK" } else { "COMMIT" };
    let Some(name) = xa else { return session.execute(end).map(|_| ()) };
    session.execute(&format!("XA END '{name}'"))?;
    session.execute(&format!("XA PREPARE '{name}'"))?;
    thread::sleep(Duration::from_millis(random.next() % 50));
    session.execute(&format!("XA {end} '{name}'")).map(|_| ())
}
