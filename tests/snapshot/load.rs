//! Writers that never rest: inserts, updates, deletes, changes of keys and multi-table transactions.

use std::sync::atomic::{AtomicBool, Ordering};

use tidewire::source::mysql::Connection;

use crate::Outcome;
use crate::keys::Key;
use crate::random::Random;

/// Keys of a table: `Key::value` is different for each below this.
const MOST_ROWS: u32 = 2_900;

/// One table and the rows that it has.
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its kind of key.
    pub key: &'static Key,
    /// The numbers of its rows.
    live: Vec<u32>,
    free: Vec<u32>,
    version: u32,
}

impl Table {
    /// Creates it with so many rows.
    pub fn create(session: &mut Connection, name: String, key: &'static Key, rows: usize) -> Outcome<Self> {
        let definition = key.definition;
        run(
            session,
            &format!(
                "CREATE TABLE {name} ({definition}, n INT NOT NULL, v INT NOT NULL, p VARCHAR(200), KEY n (n))"
            ),
        )?;
        let mut table =
            Table { name, key, live: Vec::new(), free: (1..MOST_ROWS).rev().collect(), version: 0 };
        let mut left = rows;
        while left > 0 {
            let some = left.min(300);
            left -= some;
            let rows: Vec<String> = (0..some).filter_map(|_| table.new_row()).collect();
            run(session, &format!("INSERT INTO {} VALUES {}", table.name, rows.join(", ")))?;
        }
        Ok(table)
    }

    fn new_row(&mut self) -> Option<String> {
        let n = self.free.pop()?;
        self.live.push(n);
        Some(format!(
            "({}, {n}, {}, '{}')",
            (self.key.value)(n),
            self.version,
            "p".repeat((n % 150) as usize)
        ))
    }

    /// A statement that changes it.
    fn change(&mut self, random: &mut Random) -> Option<String> {
        self.version += 1;
        let (name, version) = (&self.name, self.version);
        let place = random.below(self.live.len());
        match random.weighted(&[3, 6, 2, 2]) {
            1 if !self.live.is_empty() => {
                let low = self.live[place];
                let high = low + random.below(4) as u32;
                Some(format!("UPDATE {name} SET v = {version} WHERE n BETWEEN {low} AND {high}"))
            }
            2 if !self.live.is_empty() => {
                let n = self.live.swap_remove(place);
                self.free.insert(random.below(self.free.len()), n);
                Some(format!("DELETE FROM {name} WHERE n = {n}"))
            }
            3 if !self.live.is_empty() => {
                let to = self.free.pop()?;
                let from = std::mem::replace(&mut self.live[place], to);
                self.free.insert(random.below(self.free.len()), from);
                let values = (self.key.value)(to);
                let columns = self.key.columns();
                let set: Vec<String> = columns
                    .iter()
                    .zip(values.splitn(columns.len(), ", "))
                    .map(|(column, value)| format!("{column} = {value}"))
                    .collect();
                Some(format!(
                    "UPDATE {name} SET {}, n = {to}, v = {version} WHERE n = {from}",
                    set.join(", ")
                ))
            }
            _ => {
                let name = name.clone();
                self.new_row().map(|row| format!("INSERT INTO {name} VALUES {row}"))
            }
        }
    }
}

/// Runs a statement, and names it where it fails.
pub fn run(session: &mut Connection, statement: &str) -> Outcome<()> {
    session.execute(statement).map(|_| ()).map_err(|error| format!("{error}: {statement}"))
}

/// Changes tables until it is told to stop; gives the number of transactions.
pub fn write(
    session: &mut Connection,
    tables: &mut [Table],
    random: &mut Random,
    stop: &AtomicBool,
) -> Outcome<u64> {
    let mut transactions = 0;
    while !stop.load(Ordering::Relaxed) {
        let mut statements = Vec::new();
        for _ in 0..=random.below(5) {
            let place = random.below(tables.len());
            statements.extend(tables.get_mut(place).and_then(|table| table.change(random)));
        }
        while !transaction(session, &statements)? {}
        transactions += 1;
    }
    Ok(transactions)
}

/// False when the server chose it as the victim of a deadlock, as it does when a snapshot locks tables one after the other.
fn transaction(session: &mut Connection, statements: &[String]) -> Outcome<bool> {
    /// `ER_LOCK_DEADLOCK`.
    const DEADLOCK: Option<u16> = Some(1213);
    run(session, "BEGIN")?;
    for statement in statements {
        match session.execute(statement) {
            Err(error) if error.code() == DEADLOCK => {
                run(session, "ROLLBACK")?;
                return Ok(false);
            }
            Err(error) => return Err(format!("{error}: {statement}")),
            Ok(_) => {}
        }
    }
    run(session, "COMMIT")?;
    Ok(true)
}

/// Alters, truncates and fills tables `x0` to `x2` until it is told to stop.
pub fn alter(session: &mut Connection, random: &mut Random, stop: &AtomicBool) -> Outcome<()> {
    let mut column = 0;
    while !stop.load(Ordering::Relaxed) {
        let table = format!("x{}", random.below(3));
        let statement = match random.below(4) {
            0 => {
                column += 1;
                format!(
                    "ALTER TABLE {table} ADD COLUMN c{column}_{} INT DEFAULT {column}",
                    random.next() % 1_000_000
                )
            }
            1 => format!("TRUNCATE TABLE {table}"),
            2 => format!(
                "ALTER TABLE {table} MODIFY v VARCHAR({}) CHARACTER SET utf8mb4",
                100 + random.below(100)
            ),
            _ => format!("ALTER TABLE {table} FORCE"),
        };
        run(session, &statement)?;
        for _ in 0..3 {
            let id = random.next() >> 33;
            run(session, &format!("REPLACE INTO {table} (id, v) VALUES ({id}, 'v{id}')"))?;
        }
        std::thread::sleep(std::time::Duration::from_millis(random.next() % 700));
    }
    Ok(())
}
