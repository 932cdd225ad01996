//! Transactions on a table, and what must come of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tidewire::source::mysql::Connection;

use crate::support::records::Record;

/// Tells what runs beside a test that it is enough when the test goes on no further, also because it has failed: nobody else
/// would, and its threads are waited for.
pub struct EnoughAtEnd<'a>(pub &'a AtomicBool);

impl Drop for EnoughAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Writes transactions of five inserts, an update and a delete; knows the records that they are to give.
pub struct Writer {
    session: Connection,
    next: i64,
    expected: Vec<String>,
}

impl Writer {
    /// Makes table `t (id, v)` in the session's database.
    pub fn new(mut session: Connection) -> Self {
        session.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(100))").unwrap();
        Writer { session, next: 1, expected: Vec::new() }
    }

    /// One transaction; false when the server is not there, and then nothing of it must ever be seen.
    pub fn transaction(&mut self) -> bool {
        let first = self.next;
        let rows: Vec<String> = (first..first + 5).map(|id| format!("({id}, 'value {id}')")).collect();
        let statements = [
            "BEGIN".to_owned(),
            format!("INSERT INTO t VALUES {}", rows.join(", ")),
            format!("UPDATE t SET v = 'changed' WHERE id = {first}"),
            format!("DELETE FROM t WHERE id = {}", first + 1),
            "COMMIT".to_owned(),
        ];
        for statement in &statements {
            if self.session.execute(statement).is_err() {
                return false;
            }
        }
        self.next += 5;
        self.expected.extend((first..first + 5).map(|id| format!("c{id}")));
        self.expected.extend([format!("u{first}"), format!("d{}", first + 1), format!("-{}", first + 1)]);
        true
    }

    /// Transactions until told to stop, with a pause behind each.
    pub fn write_until(&mut self, enough: &AtomicBool, pause: Duration) {
        while !enough.load(Ordering::Relaxed) {
            assert!(self.transaction(), "the server does not take a transaction");
            std::thread::sleep(pause);
        }
    }

    /// The session, for other statements.
    pub fn session(&mut self) -> &mut Connection {
        &mut self.session
    }

    /// Goes on in another session.
    pub fn reconnect(&mut self, session: Connection) {
        self.session = session;
    }

    /// What must have come, in order.
    pub fn expected(&self) -> &[String] {
        &self.expected
    }
}

/// Each record as the writer writes it.
pub fn written(records: &[Record]) -> Vec<String> {
    let operation =
        |record: &Record| if record.value.is_null() { "-".to_owned() } else { record.op().to_owned() };
    records.iter().map(|record| format!("{}{}", operation(record), record.id())).collect()
}

/// Every change came, in order; after a restart the stream may only have gone back and come again.
pub fn assert_at_least_once(expected: &[String], came: &[String]) {
    let mut next = 0;
    for (place, change) in came.iter().enumerate() {
        if expected.get(next) == Some(change) {
            next += 1;
            continue;
        }
        let earlier = expected[..next].iter().rposition(|earlier| earlier == change);
        let earlier =
            earlier.unwrap_or_else(|| panic!("record {place} is {change}, not {:?}", expected.get(next)));
        next = earlier + 1;
    }
    assert_eq!(next, expected.len(), "the last changes are missing");
}
