//! What the user sees of a snapshot: bars where there is a terminal, else a log line every ten seconds, and a summary; the
//! same figures as metrics.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::schema::table_id::TableId;
use crate::source::snapshot::metrics::SnapshotMetrics;
use crate::source::snapshot::row_counts::RowCounts;

const LOG_EVERY: Duration = Duration::from_secs(10);

/// Rows done of rows expected.
pub struct Progress {
    bar: Option<ProgressBar>,
    metrics: SnapshotMetrics,
    expected: u64,
    done: u64,
    tables: usize,
    tables_done: usize,
    began: Instant,
    logged: Instant,
}

impl Progress {
    /// Of tables with so many rows each; `server` is `topic.prefix`.
    pub fn new(server: &str, counts: &RowCounts) -> Self {
        let expected = counts.values().sum();
        let bar = (std::io::stderr().is_terminal() && !counts.is_empty()).then(|| bar(expected));
        let (now, metrics) = (Instant::now(), SnapshotMetrics::new(server, counts));
        let tables = counts.len();
        Progress { bar, metrics, expected, done: 0, tables, tables_done: 0, began: now, logged: now }
    }

    /// A table is begun.
    pub fn table_started(&mut self, id: &TableId) {
        if let Some(bar) = &self.bar {
            bar.set_message(id.to_string());
        }
        tracing::debug!(table = %id, "snapshot of a table started");
    }

    /// So many more rows are done.
    pub fn rows(&mut self, rows: usize) {
        self.done += u64::try_from(rows).unwrap_or(u64::MAX);
        self.metrics.rows(self.done);
        if let Some(bar) = &self.bar {
            bar.set_length(self.expected.max(self.done));
            bar.set_position(self.done);
        }
        if self.logged.elapsed() >= LOG_EVERY {
            self.logged = Instant::now();
            self.log("snapshot goes on");
        }
    }

    /// A table of so many rows is done.
    pub fn table_finished(&mut self, id: &TableId, rows: u64) {
        self.tables_done += 1;
        self.metrics.table_finished(id, rows);
        tracing::info!(table = %id, rows, "snapshot of a table finished");
    }

    /// Everything is durable.
    pub fn finish(&mut self, elapsed: Duration) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.metrics.complete();
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let rows_per_second = self.done.saturating_mul(1_000).checked_div(elapsed_ms).unwrap_or_default();
        let (tables, rows) = (self.tables, self.done);
        tracing::info!(tables, rows, elapsed_ms, rows_per_second, "snapshot finished");
    }

    fn log(&self, what: &'static str) {
        let seconds = self.began.elapsed().as_secs().max(1);
        let rate = self.done / seconds;
        let left = self.expected.saturating_sub(self.done);
        let seconds_left = left.checked_div(rate).unwrap_or_default();
        tracing::info!(
            rows = self.done,
            expected = self.expected,
            tables = self.tables_done,
            of_tables = self.tables,
            rows_per_second = rate,
            seconds_left,
            "{what}"
        );
    }
}

fn bar(expected: u64) -> ProgressBar {
    let bar = ProgressBar::new(expected);
    let style = "{wide_bar} {human_pos}/{human_len} rows  {per_sec}  {eta} left  {msg}";
    // The template is a constant; without it the default style shows.
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use metrics_util::debugging::{DebugValue, DebuggingRecorder};

    use super::*;
    use crate::source::snapshot::metrics;

    /// Every gauge with its table, if it is of one.
    fn figures(recorder: &DebuggingRecorder) -> BTreeMap<String, f64> {
        let mut figures = BTreeMap::new();
        for (key, _, _, value) in recorder.snapshotter().snapshot().into_vec() {
            let labels: BTreeMap<&str, &str> =
                key.key().labels().map(|label| (label.key(), label.value())).collect();
            assert_eq!([labels["plugin"], labels["name"], labels["context"]], ["mysql", "shop", "snapshot"]);
            let DebugValue::Gauge(value) = value else { panic!("{key:?} is no gauge") };
            let table = labels.get("table").map(|table| format!(" {table}")).unwrap_or_default();
            figures.insert(format!("{}{table}", key.key().name()), value.into_inner());
        }
        figures
    }

    #[test]
    fn metrics_tell_how_far_it_is() {
        let (orders, items) = (TableId::new("shop", "orders"), TableId::new("shop", "items"));
        let counts: RowCounts = [(orders.clone(), 3), (items, 7)].into_iter().collect();
        let recorder = DebuggingRecorder::new();
        ::metrics::with_local_recorder(&recorder, || {
            let mut progress = Progress::new("shop", &counts);
            progress.rows(2);
            progress.rows(2);
            progress.table_finished(&orders, 4);
            let half_way = figures(&recorder);
            for (name, value) in [
                (metrics::TOTAL_TABLE_COUNT, 2.0),
                (metrics::REMAINING_TABLE_COUNT, 1.0),
                (metrics::ROWS_EXPECTED, 10.0),
                (metrics::ROWS, 4.0),
                ("debezium_metrics_RowsScanned shop.orders", 4.0),
                (metrics::RUNNING, 1.0),
                (metrics::COMPLETED, 0.0),
                (metrics::ABORTED, 0.0),
            ] {
                assert_eq!(half_way[name], value, "{name}");
            }
            assert!(half_way[metrics::DURATION] > 0.0);
            drop(progress);
            let end = figures(&recorder);
            let states = [metrics::RUNNING, metrics::COMPLETED, metrics::ABORTED];
            assert_eq!(states.map(|name| end[name]), [0.0, 0.0, 1.0]);

            Progress::new("shop", &counts).finish(Duration::from_secs(1));
            let end = figures(&recorder);
            assert_eq!(states.map(|name| end[name]), [0.0, 1.0, 0.0]);
        });
    }
}
