//! What is still to be read, and which reader reads it.
//!
//! Whoever begins a table is its owner: it makes sure that the table is still the one that was listed, cuts it, and gives
//! each chunk out as soon as its boundary is known; the other readers take them while it cuts the next one. Tables are begun
//! in order, and a chunk that is there goes before a table that is not begun.
//!
//! Reading takes the table's metadata lock, which lasts as long as its transaction and would keep every ALTER TABLE
//! waiting until the snapshot ends. A reader therefore goes back to a savepoint, which ends these locks and not the view
//! (but on MariaDB, which keeps them), as soon as all tables that it has read from are done; until then the owner's lock
//! keeps the table what it is. Where somebody already waits to alter it, others cannot join in: they give their chunk
//! back, and the owner reads it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A part of a table, or all of it.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The table's number.
    pub table: usize,
    /// The statement that reads it.
    pub sql: String,
    /// The table's time: seconds since 1970 by the server's clock.
    pub seconds: i64,
    /// It begins with the table's first row.
    pub is_first: bool,
    /// It ends with the table's last row.
    pub is_last: bool,
    /// The rows that it must have, in the order of this key; none of a table that is not cut.
    pub expected: Option<Expected>,
}

/// What is known of a chunk before it is read.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The columns of the key.
    pub key: Vec<String>,
    /// The number of rows; of the last chunk it is not known.
    pub rows: Option<u64>,
}

/// What a reader does next.
#[derive(Debug)]
pub enum Task {
    /// Begin the table of this number.
    Begin(usize),
    /// Read a chunk.
    Read(Chunk),
    /// Nothing: all is read, or the others have given up.
    End,
}

#[derive(Default)]
struct State {
    next_table: usize,
    ready: VecDeque<Chunk>,
    /// Chunks of each table that are given out or ready, and one for an owner that still cuts.
    unfinished: Vec<usize>,
    rows: Vec<u64>,
    given_up: bool,
}

/// The work of all readers.
pub struct Work {
    state: Mutex<State>,
    changed: Condvar,
}

impl Work {
    /// Of so many tables.
    pub fn new(tables: usize) -> Self {
        let state = State { unfinished: vec![1; tables], rows: vec![0; tables], ..State::default() };
        Work { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change of the state is whole before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next task for a reader that does not read from the tables of `avoided`. Waits for chunks while another one cuts.
    pub fn next(&self, avoided: &[usize]) -> Task {
        let mut state = self.lock();
        loop {
            if state.given_up {
                return Task::End;
            }
            let place = state.ready.iter().position(|chunk| !avoided.contains(&chunk.table));
            if let Some(chunk) = place.and_then(|place| state.ready.remove(place)) {
                return Task::Read(chunk);
            }
            if state.next_table < state.unfinished.len() {
                let table = state.next_table;
                state.next_table += 1;
                return Task::Begin(table);
            }
            // A chunk that others gave out may still come back.
            if state.unfinished.iter().all(|count| *count == 0) {
                return Task::End;
            }
            let waited = self.changed.wait_timeout(state, Duration::from_millis(200));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The owner has cut a chunk off.
    pub fn add(&self, chunk: Chunk) {
        let mut state = self.lock();
        if let Some(count) = state.unfinished.get_mut(chunk.table) {
            *count += 1;
        }
        state.ready.push_back(chunk);
        self.changed.notify_all();
    }

    /// The owner has nothing more to cut off. Gives the rows of the table when all of it is read.
    pub fn all_cut(&self, table: usize) -> Option<u64> {
        self.finish(table, 0)
    }

    /// A chunk is for somebody else to read.
    pub fn give_back(&self, chunk: Chunk) {
        self.lock().ready.push_front(chunk);
        self.changed.notify_all();
    }

    /// A chunk of so many rows is read. When it was the table's last one to be read: the rows of the table.
    pub fn finish(&self, table: usize, rows: u64) -> Option<u64> {
        let mut state = self.lock();
        let total = state.rows.get_mut(table).map(|total| {
            *total += rows;
            *total
        });
        let count = state.unfinished.get_mut(table)?;
        *count = count.saturating_sub(1);
        let is_done = *count == 0;
        self.changed.notify_all();
        total.filter(|_| is_done)
    }

    /// Whether all of a table is read.
    pub fn is_done(&self, table: usize) -> bool {
        self.lock().unfinished.get(table).is_none_or(|count| *count == 0)
    }

    /// A reader cannot go on: no other one needs to.
    pub fn give_up(&self) {
        self.lock().given_up = true;
        self.changed.notify_all();
    }

    /// Whether it is in vain to go on.
    pub fn is_given_up(&self) -> bool {
        self.lock().given_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(table: usize) -> Chunk {
        Chunk { table, sql: String::new(), seconds: 0, is_first: true, is_last: true, expected: None }
    }

    #[test]
    fn chunks_go_before_tables_and_come_back() {
        let work = Work::new(2);
        assert!(matches!(work.next(&[]), Task::Begin(0)));
        // Another reader does not wait for the first one to cut.
        assert!(matches!(work.next(&[]), Task::Begin(1)));
        work.add(chunk(0));
        work.add(chunk(0));
        assert_eq!(work.all_cut(0), None);
        let Task::Read(given) = work.next(&[]) else { panic!("no chunk") };
        work.give_back(given);
        work.add(chunk(1));
        assert_eq!(work.all_cut(1), None);
        // Who cannot read table 0 gets what is of table 1.
        assert!(matches!(work.next(&[0]), Task::Read(Chunk { table: 1, .. })));
        assert_eq!(work.finish(1, 7), Some(7));
        assert!(work.is_done(1));
        assert!(matches!(work.next(&[]), Task::Read(Chunk { table: 0, .. })));
        assert!(matches!(work.next(&[]), Task::Read(Chunk { table: 0, .. })));
        assert_eq!(work.finish(0, 3), None);
        assert!(!work.is_done(0));
        assert_eq!(work.finish(0, 4), Some(7));
        assert!(matches!(work.next(&[]), Task::End));
    }

    #[test]
    fn one_that_gives_up_ends_all() {
        let work = Work::new(3);
        assert!(matches!(work.next(&[]), Task::Begin(0)));
        work.give_up();
        assert!(matches!(work.next(&[]), Task::End));
        assert!(work.is_given_up());
    }
}
