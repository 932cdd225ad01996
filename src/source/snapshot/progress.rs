//! What the user sees of a snapshot: bars where there is a terminal, else a log line every ten seconds, and a summary.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::schema::table_id::TableId;
use crate::source::snapshot::row_counts::RowCounts;

const LOG_EVERY: Duration = Duration::from_secs(10);

/// Rows done of rows expected.
pub struct Progress {
    bar: Option<ProgressBar>,
    expected: u64,
    done: u64,
    tables: usize,
    tables_done: usize,
    began: Instant,
    logged: Instant,
}

impl Progress {
    /// Of tables with so many rows each.
    pub fn new(counts: &RowCounts) -> Self {
        let expected = counts.values().sum();
        let bar = (std::io::stderr().is_terminal() && !counts.is_empty()).then(|| bar(expected));
        let now = Instant::now();
        Progress { bar, expected, done: 0, tables: counts.len(), tables_done: 0, began: now, logged: now }
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
        tracing::info!(table = %id, rows, "snapshot of a table finished");
    }

    /// Everything is durable.
    pub fn finish(&mut self, elapsed: Duration) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
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
