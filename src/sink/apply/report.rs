//! Figures of the applying task: metrics of each table, and a line in the log now and then.

use std::time::{Duration, Instant};

use metrics::{counter, gauge};

use crate::sink::apply::table::Table;

/// Rows that the server has confirmed; labels `connector` and `table`, as of all of these.
pub const ROWS: &str = "tidewire_sink_rows_total";
/// Their bytes in RowBinary.
pub const BYTES: &str = "tidewire_sink_bytes_total";
/// Inserts that the server has confirmed.
pub const INSERTS: &str = "tidewire_sink_inserts_total";
/// Inserts that failed.
pub const ERRORS: &str = "tidewire_sink_insert_errors_total";
/// Records that were put aside.
pub const QUARANTINED: &str = "tidewire_sink_quarantined_records_total";
/// 1 for a table that stopped.
pub const STOPPED: &str = "tidewire_sink_table_stopped";
/// Seconds from the last confirmed change in MySQL to its confirmation.
pub const LAG: &str = "tidewire_sink_lag_seconds";

/// Between two lines in the log.
const INTERVAL: Duration = Duration::from_secs(30);

/// What was counted since the last line.
pub struct Report {
    connector: String,
    rows: u64,
    bytes: u64,
    inserts: u64,
    since: Instant,
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl Report {
    /// Of a connector.
    pub fn new(connector: &str) -> Self {
        Report { connector: connector.to_owned(), rows: 0, bytes: 0, inserts: 0, since: Instant::now() }
    }

    fn count(&self, name: &'static str, table: &str, by: u64) {
        counter!(name, "connector" => self.connector.clone(), "table" => table.to_owned()).increment(by);
    }

    fn set(&self, name: &'static str, table: &str, value: f64) {
        gauge!(name, "connector" => self.connector.clone(), "table" => table.to_owned()).set(value);
    }

    /// An insert was confirmed.
    pub fn stored(&mut self, table: &str, rows: usize, bytes: usize, lag_ms: i64) {
        self.rows += number(rows);
        self.bytes += number(bytes);
        self.inserts += 1;
        self.count(ROWS, table, number(rows));
        self.count(BYTES, table, number(bytes));
        self.count(INSERTS, table, 1);
        // Milliseconds of a century are exact.
        self.set(LAG, table, lag_ms as f64 / 1000.0);
    }

    /// An insert failed.
    pub fn failed(&self, table: &str) {
        self.count(ERRORS, table, 1);
    }

    /// A record was put aside.
    pub fn put_aside(&self, table: &str) {
        self.count(QUARANTINED, table, 1);
    }

    /// A table stopped.
    pub fn stopped(&self, table: &str) {
        self.set(STOPPED, table, 1.0);
    }

    /// A line, if it is time for one and there is something to say.
    pub fn say(&mut self, tables: &[Table], fails: impl Fn(usize) -> bool) {
        if self.since.elapsed() < INTERVAL {
            return;
        }
        let waiting = (0..tables.len()).filter(|at| fails(*at)).count();
        if self.rows > 0 || waiting > 0 {
            self.line(tables, waiting);
        }
        self.since = Instant::now();
    }

    /// A line at the end.
    pub fn say_now(&mut self, tables: &[Table]) {
        self.line(tables, 0);
    }

    fn line(&mut self, tables: &[Table], waiting: usize) {
        let seconds = self.since.elapsed().as_secs_f64().max(0.001);
        let written = tables.iter().filter(|table| table.rows > 0);
        tracing::info!(
            connector = self.connector,
            rows = self.rows,
            // Rows of half a minute are exact.
            rows_per_second = (self.rows as f64 / seconds).round(),
            bytes = self.bytes,
            inserts = self.inserts,
            tables = tables.len(),
            waiting,
            stopped = tables.iter().filter(|table| table.is_stopped).count(),
            lag_ms = written.map(|table| table.lag_ms).max(),
            "clickhouse"
        );
        (self.rows, self.bytes, self.inserts) = (0, 0, 0);
    }
}
