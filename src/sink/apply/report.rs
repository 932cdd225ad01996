//! Figures of the applying task: metrics of each table, and a line in the log now and then.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use metrics::{counter, gauge};

use crate::error::chain;
use crate::sink::apply::server::Server;
use crate::sink::apply::table::Table;
use crate::sink::clickhouse::system_tables::active_parts;

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

/// Active parts, as they were counted last.
pub const PARTS: &str = "tidewire_sink_active_parts";

/// Between two lines in the log.
const INTERVAL: Duration = Duration::from_secs(30);

/// What was counted since the last line.
pub struct Report {
    connector: String,
    rows: u64,
    bytes: u64,
    inserts: u64,
    since: Instant,
    most_parts: u64,
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl Report {
    /// Of a connector.
    pub fn new(connector: &str) -> Self {
        Report {
            connector: connector.to_owned(),
            rows: 0,
            bytes: 0,
            inserts: 0,
            since: Instant::now(),
            most_parts: 0,
        }
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

    /// A table is there.
    pub fn opened(&self, table: &str) {
        self.set(STOPPED, table, 0.0);
    }

    /// A table stopped.
    pub fn stopped(&self, table: &str) {
        self.set(STOPPED, table, 1.0);
    }

    /// Takes the parts of the tables in.
    fn count_parts(&mut self, server: &Server, tables: &[Table]) {
        let written = tables.iter().filter_map(|table| Some(table.target.as_ref()?.definition()));
        let mut databases: Vec<&str> = written.map(|definition| definition.database.as_str()).collect();
        databases.sort_unstable();
        databases.dedup();
        if databases.is_empty() {
            return;
        }
        match active_parts(&server.client, &databases) {
            Ok(counts) => self.parts(tables, &counts.into_iter().collect()),
            Err(error) => tracing::debug!(error = chain(&error), "parts are not counted"),
        }
    }

    fn parts(&mut self, tables: &[Table], counts: &HashMap<String, u64>) {
        self.most_parts = 0;
        for table in tables {
            let parts = counts.get(&table.name).copied().unwrap_or_default();
            self.most_parts = self.most_parts.max(parts);
            // No table has 2^53 parts.
            self.set(PARTS, &table.name, parts as f64);
        }
    }

    /// A line, if it is time for one and there is something to say.
    pub fn say(&mut self, server: &Server, tables: &[Table], fails: impl Fn(usize) -> bool) {
        if self.since.elapsed() < INTERVAL {
            return;
        }
        if self.rows > 0 {
            self.count_parts(server, tables);
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
            most_parts = self.most_parts,
            stopped = tables.iter().filter(|table| table.is_stopped).count(),
            lag_ms = written.map(|table| table.lag_ms).max(),
            "clickhouse"
        );
        (self.rows, self.bytes, self.inserts) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use metrics_util::debugging::{DebugValue, DebuggingRecorder};

    use super::*;
    use crate::sink::version::VersionScheme;

    #[test]
    fn each_table_has_its_figures() {
        let recorder = DebuggingRecorder::new();
        ::metrics::with_local_recorder(&recorder, || {
            let mut report = Report::new("mirror");
            report.opened("shop.orders");
            report.opened("shop.items");
            report.stored("shop.orders", 3, 60, 1500);
            report.stored("shop.orders", 2, 40, 250);
            report.failed("shop.orders");
            report.put_aside("shop.items");
            report.stopped("shop.items");
            let name = ("shop".to_owned(), "orders".to_owned());
            let table = Table::new(name, "shop.orders".to_owned(), VersionScheme::Sequence, INTERVAL);
            report.parts(&[table], &[("shop.orders".to_owned(), 7), ("shop.other".to_owned(), 9)].into());
            assert_eq!(report.most_parts, 7);
        });
        let mut figures = BTreeMap::new();
        for (key, _, _, value) in recorder.snapshotter().snapshot().into_vec() {
            let labels: BTreeMap<&str, &str> =
                key.key().labels().map(|label| (label.key(), label.value())).collect();
            assert_eq!(labels["connector"], "mirror");
            let value = match value {
                DebugValue::Counter(count) => count as f64,
                DebugValue::Gauge(value) => value.into_inner(),
                DebugValue::Histogram(_) => panic!("{key:?} is a histogram"),
            };
            figures.insert(format!("{} {}", key.key().name(), labels["table"]), value);
        }
        let wanted = [
            ("tidewire_sink_active_parts shop.orders", 7.0),
            ("tidewire_sink_bytes_total shop.orders", 100.0),
            ("tidewire_sink_insert_errors_total shop.orders", 1.0),
            ("tidewire_sink_inserts_total shop.orders", 2.0),
            ("tidewire_sink_lag_seconds shop.orders", 0.25),
            ("tidewire_sink_quarantined_records_total shop.items", 1.0),
            ("tidewire_sink_rows_total shop.orders", 5.0),
            ("tidewire_sink_table_stopped shop.items", 1.0),
            ("tidewire_sink_table_stopped shop.orders", 0.0),
        ];
        assert_eq!(figures, wanted.map(|(name, value)| (name.to_owned(), value)).into());
    }
}
