//! The load: transactions, some of them XA transactions of two phases, whose rows tell by themselves where they belong.
//!
//! Every transaction begins with a counter, which puts all of them into one order: its number is `tx` of all rows that it writes,
//! `ord` counts them. An update makes `v` one more. No key is used twice. So a reader sees what is missing, what came twice and
//! what came too early without knowing what the writers know, who lose their server as well.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tidewire::source::mysql::Connection;
use tidewire::source::mysql::error::MySqlError;

use crate::random::Random;
use crate::{DATABASE, Outcome, TABLES, connect};

/// Rows of the transactions that do not fit into one of Kafka's.
const MANY: u64 = 3_000;

/// Creates the tables.
pub fn create(session: &mut Connection) -> Outcome<()> {
    let tables = (0..TABLES).map(|table| {
        format!(
            "CREATE TABLE t{table} (id BIGINT PRIMARY KEY, v INT NOT NULL, tx BIGINT NOT NULL, ord INT NOT NULL, p VARCHAR(300))"
        )
    });
    let first = [
        format!("DROP DATABASE IF EXISTS {DATABASE}"),
        format!("CREATE DATABASE {DATABASE}"),
        format!("USE {DATABASE}"),
        "CREATE TABLE counter (id INT PRIMARY KEY, n BIGINT NOT NULL)".to_owned(),
        "INSERT INTO counter VALUES (1, 0)".to_owned(),
    ];
    for statement in first.into_iter().chain(tables) {
        session.execute(&statement).map_err(|error| format!("{error}: {statement}"))?;
    }
    Ok(())
}

/// Goes on until told to stop; a lost server is waited for. `name` is that of its XA transactions.
pub fn write(name: &str, mut random: Random, stop: &AtomicBool, done: &AtomicU64) {
    let mut live: Vec<(usize, u64)> = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let Some(mut session) = connect() else {
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        // What was prepared when the server was lost holds the counter.
        end_prepared(&mut session, name, random.chance(50));
        while !stop.load(Ordering::Relaxed) {
            let xa = random.chance(8).then_some(name);
            if transaction(&mut session, xa, &mut random, &mut live).is_err() {
                break;
            }
            done.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(random.next() % 20));
        }
    }
}

/// Commits or rolls back an XA transaction, if one of this name is prepared. A server that is lost again is asked again.
fn end_prepared(session: &mut Connection, name: &str, commit: bool) {
    let end = if commit { "COMMIT" } else { "ROLLBACK" };
    // Most of the time there is none, which is an error.
    let _ = session.execute(&format!("XA {end} '{name}'"));
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
    session.execute("UPDATE counter SET n = n + 1 WHERE id = 1")?;
    let number = session.query_value("SELECT n FROM counter WHERE id = 1")?;
    let tx: u64 = number.and_then(|number| number.parse().ok()).unwrap_or_default();
    if xa.is_none() && random.chance(1) {
        let table = random.below(TABLES);
        let rows: Vec<String> =
            (0..MANY).map(|ord| format!("({}, 1, {tx}, {ord}, NULL)", tx * 10_000 + ord)).collect();
        session.execute(&format!("INSERT INTO t{table} (id, v, tx, ord, p) VALUES {}", rows.join(", ")))?;
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
                let (table, id) = (random.below(TABLES), tx * 10_000 + ord);
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

/// Adds and drops columns until told to stop.
pub fn alter(mut random: Random, stop: &AtomicBool) {
    let mut column = 0;
    while !stop.load(Ordering::Relaxed) {
        let Some(mut session) = connect() else {
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
