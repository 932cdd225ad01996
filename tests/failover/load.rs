//! Writers that go over to the new primary as soon as the old one refuses them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tidewire::source::mysql::{Connection, MySqlError};

use crate::random::Random;
use crate::support::topology::Topology;

/// The database, whose name is also the connector's.
pub const DATABASE: &str = "failover";
/// Tables `t0` to `t3`; the even ones are the first writer's.
pub const TABLES: u64 = 4;
const MOST_ALTERED: u64 = 12;

/// Makes the tables. A row begins with version 0, each change of it adds one, and no number comes twice. `log` has one row
/// a transaction: how many rows that changed besides.
pub fn create(session: &mut Connection) {
    let mut run = |statement: &str| session.execute(statement).map(drop).expect("a table");
    run(&format!("CREATE DATABASE {DATABASE}"));
    for table in 0..TABLES {
        run(&format!(
            "CREATE TABLE {DATABASE}.t{table} (id BIGINT PRIMARY KEY, v INT NOT NULL, p VARCHAR(200) NOT NULL)"
        ));
    }
    run(&format!(
        "CREATE TABLE {DATABASE}.log (writer INT, n BIGINT, changes INT NOT NULL, PRIMARY KEY (writer, n))"
    ));
}

/// One of the two writers.
pub struct Writer {
    number: u64,
    random: Random,
    next_row: u64,
    next_transaction: u64,
    altered: u64,
}

impl Writer {
    pub fn new(number: u64, random: Random) -> Self {
        Writer { number, random, next_row: 1, next_transaction: 1, altered: 0 }
    }

    /// Changes tables of the primary until told to stop; the number of transactions that it knows to be committed.
    pub fn write(&mut self, topology: &Topology, primary: &AtomicUsize, enough: &AtomicBool) -> u64 {
        let mut committed = 0;
        let mut session: Option<Connection> = None;
        while !enough.load(Ordering::SeqCst) {
            let Some(open) = &mut session else {
                let config = crate::mysql_server::root_config(
                    topology.database(primary.load(Ordering::SeqCst)).variable(),
                );
                session = Connection::connect(&config).ok();
                if session.is_none() {
                    thread::sleep(Duration::from_millis(50));
                }
                continue;
            };
            match self.transaction(open) {
                Ok(()) => {
                    committed += 1;
                    thread::sleep(Duration::from_millis(self.random.below(50) as u64));
                }
                // Read-only, stopped or killed: perhaps there is another primary by now.
                Err(_) => {
                    session = None;
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
        committed
    }

    fn transaction(&mut self, session: &mut Connection) -> Result<(), MySqlError> {
        if self.altered < MOST_ALTERED && self.random.chance(1) {
            self.altered += 1;
            let table = self.table();
            let column = format!("c{}_{}", self.number, self.altered);
            session.execute(&format!("ALTER TABLE {table} ADD COLUMN {column} INT DEFAULT 1"))?;
            return Ok(());
        }
        session.execute("BEGIN")?;
        let mut changes = 0;
        for _ in 0..=self.random.below(4) {
            let table = self.table();
            let statement = match self.random.weighted(&[6, 1, 6, 2]) {
                0 => self.insert(&table, 1, 5),
                // Long enough to be killed in.
                1 => self.insert(&table, 300, 2_000),
                2 => format!("UPDATE {table} SET v = v + 1 WHERE {}", self.range(60)),
                _ => format!("DELETE FROM {table} WHERE {}", self.range(8)),
            };
            changes += session.execute(&statement)?;
        }
        let (writer, n) = (self.number, self.next_transaction);
        self.next_transaction += 1;
        session.execute(&format!("INSERT INTO {DATABASE}.log VALUES ({writer}, {n}, {changes})"))?;
        session.execute("COMMIT")?;
        Ok(())
    }

    fn table(&mut self) -> String {
        let table = self.number + 2 * self.random.below(2) as u64;
        format!("{DATABASE}.t{table}")
    }

    fn range(&mut self, most: usize) -> String {
        let from = self.random.below(usize::try_from(self.next_row).unwrap());
        format!("id BETWEEN {from} AND {}", from + self.random.below(most))
    }

    fn insert(&mut self, table: &str, least: usize, most: usize) -> String {
        let count = least + self.random.below(most - least);
        let padding = "p".repeat(self.random.below(150));
        let first = self.next_row;
        self.next_row += count as u64;
        let rows: Vec<String> = (first..self.next_row).map(|id| format!("({id}, 0, '{padding}')")).collect();
        // The columns that were added later have defaults.
        format!("INSERT INTO {table} (id, v, p) VALUES {}", rows.join(", "))
    }
}
