//! The load: all tables change all the time, in small and larger transactions, and grow.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tidewire::source::mysql::Connection;
use tidewire::source::mysql::error::MySqlError;

use crate::mysql_server;
use crate::random::Random;
use crate::support::database::MYSQL97_RESTARTED;
use crate::table::Table;
use crate::{DATABASE, Outcome, Variant};

/// Rows that are there before anything is captured.
const BEFORE: usize = 200;

/// A session of the server, unless it is down.
pub fn connect() -> Option<Connection> {
    let mut session = Connection::connect(&mysql_server::root_config(MYSQL97_RESTARTED.variable())).ok()?;
    session.execute("SET SESSION time_zone = '+00:00', SESSION innodb_lock_wait_timeout = 5").ok()?;
    session.execute(&format!("USE {DATABASE}")).ok()?;
    Some(session)
}

/// Creates the database and its tables.
pub fn create(tables: &mut [Table], random: &mut Random) -> Outcome<()> {
    let mut session = mysql_server::root(MYSQL97_RESTARTED.variable());
    let first = [
        "SET SESSION time_zone = '+00:00'".to_owned(),
        format!("DROP DATABASE IF EXISTS {DATABASE}"),
        format!("CREATE DATABASE {DATABASE} CHARACTER SET utf8mb4"),
        format!("USE {DATABASE}"),
        "CREATE TABLE last (k INT PRIMARY KEY)".to_owned(),
    ];
    let told = |error: MySqlError, statement: &str| format!("{error}: {statement}");
    for statement in first {
        session.execute(&statement).map_err(|error| told(error, &statement))?;
    }
    for table in tables {
        for statement in [table.create(), table.insert(BEFORE, random)] {
            session.execute(&statement).map_err(|error| told(error, &statement))?;
        }
    }
    Ok(())
}

/// Goes on until told to stop; a lost server is waited for. Gives what the tables have become.
pub fn write(
    mut tables: Vec<Table>,
    variant: Variant,
    mut random: Random,
    stop: &AtomicBool,
    done: &AtomicU64,
) -> Vec<Table> {
    while !stop.load(Ordering::Relaxed) {
        let Some(mut session) = connect() else {
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        if drop_unknown(&mut session, &mut tables).is_err() {
            continue;
        }
        while !stop.load(Ordering::Relaxed) {
            let place = random.below(tables.len());
            let outcome = match random.chance(4) {
                true => alter(&mut session, &mut tables[place], variant, &mut random),
                false => transaction(&mut session, &mut tables, &mut random),
            };
            if outcome.is_err() && session.execute("DO 1").is_err() {
                break;
            }
            done.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(random.next() % 15));
        }
    }
    tables
}

/// A column whose ALTER TABLE did not reach the server is none.
pub fn drop_unknown(session: &mut Connection, tables: &mut [Table]) -> Result<(), MySqlError> {
    for table in tables {
        let known = session.query(&format!(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = '{DATABASE}' AND table_name = '{}'",
            table.name
        ))?;
        let known: Vec<&str> = known.rows.iter().filter_map(|row| row.first()?.as_deref()).collect();
        table.columns.retain(|column| known.contains(&column.name.as_str()));
    }
    Ok(())
}

/// A table is altered; what it is afterwards counts if the server did it, also where the answer was lost.
fn alter(
    session: &mut Connection,
    table: &mut Table,
    variant: Variant,
    random: &mut Random,
) -> Result<(), MySqlError> {
    if random.chance(10) && variant.is_ordered {
        return session.execute(&format!("TRUNCATE TABLE {}", table.name)).map(|_| ());
    }
    let Some((statement, after)) = table.alter(random) else { return Ok(()) };
    let outcome = session.execute(&statement);
    *table = after;
    outcome.map(|_| ())
}

fn transaction(
    session: &mut Connection,
    tables: &mut [Table],
    random: &mut Random,
) -> Result<(), MySqlError> {
    session.execute("BEGIN")?;
    for _ in 0..=random.below(6) {
        let table = &mut tables[random.below(tables.len())];
        let statement = match random.below(10) {
            0..=3 => {
                let rows = if random.chance(5) { 300 } else { 1 + random.below(5) };
                table.insert(rows, random)
            }
            _ => table.change(random),
        };
        // A key may be taken, a row out of range: the others of the transaction count.
        if let Err(error) = session.execute(&statement) {
            session.execute("DO 1").map_err(|_| error)?;
        }
    }
    session.execute(if random.chance(90) { "COMMIT" } else { "ROLLBACK" }).map(|_| ())
}
