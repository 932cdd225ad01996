//! The figures of a snapshot as metrics.
//!
//! Those that Debezium has (its MBean `context=snapshot`) have the names and labels that its own configuration of the
//! Prometheus JMX exporter gives them (debezium-examples, monitoring), so that dashboards go on showing them. They are given to
//! whatever recorder the process has installed; where there is none they cost nothing.

use std::time::Instant;

use metrics::{Gauge, gauge};

use crate::schema::table_id::TableId;
use crate::source::snapshot::row_counts::RowCounts;

/// Tables that are read.
pub const TOTAL_TABLE_COUNT: &str = "debezium_metrics_TotalTableCount";
/// Tables of which rows are missing.
pub const REMAINING_TABLE_COUNT: &str = "debezium_metrics_RemainingTableCount";
/// Rows of a table that is read, label `table`.
pub const ROWS_SCANNED: &str = "debezium_metrics_RowsScanned";
/// 1 while rows are read.
pub const RUNNING: &str = "debezium_metrics_SnapshotRunning";
/// 1 when all rows are durable.
pub const COMPLETED: &str = "debezium_metrics_SnapshotCompleted";
/// 1 when it ended before that.
pub const ABORTED: &str = "debezium_metrics_SnapshotAborted";
/// Seconds from its start to now, or to its end.
pub const DURATION: &str = "debezium_metrics_SnapshotDurationInSeconds";
/// Rows done, of all tables.
pub const ROWS: &str = "tidewire_snapshot_rows";
/// Rows expected: counted where that is quick, else the server's estimate.
pub const ROWS_EXPECTED: &str = "tidewire_snapshot_rows_expected";

/// The gauges of one snapshot; dropped before it is completed, it was aborted.
pub struct SnapshotMetrics {
    /// `topic.prefix`.
    server: String,
    began: Instant,
    is_complete: bool,
    remaining: Gauge,
    running: Gauge,
    completed: Gauge,
    aborted: Gauge,
    duration: Gauge,
    rows: Gauge,
}

fn of_server(name: &'static str, server: &str) -> Gauge {
    gauge!(name, "plugin" => "mysql", "name" => server.to_owned(), "context" => "snapshot")
}

impl SnapshotMetrics {
    /// Of a snapshot that begins to read rows.
    pub fn new(server: &str, counts: &RowCounts) -> Self {
        let gauge = |name| of_server(name, server);
        let metrics = SnapshotMetrics {
            server: server.to_owned(),
            began: Instant::now(),
            is_complete: false,
            remaining: gauge(REMAINING_TABLE_COUNT),
            running: gauge(RUNNING),
            completed: gauge(COMPLETED),
            aborted: gauge(ABORTED),
            duration: gauge(DURATION),
            rows: gauge(ROWS),
        };
        gauge(TOTAL_TABLE_COUNT).set(counts.len() as f64);
        gauge(ROWS_EXPECTED).set(counts.values().sum::<u64>() as f64);
        metrics.remaining.set(counts.len() as f64);
        metrics.running.set(1.0);
        metrics.completed.set(0.0);
        metrics.aborted.set(0.0);
        metrics.rows.set(0.0);
        metrics
    }

    /// So many rows are done.
    pub fn rows(&self, done: u64) {
        self.rows.set(done as f64);
        self.duration.set(self.began.elapsed().as_secs_f64());
    }

    /// A table of so many rows is done.
    pub fn table_finished(&self, id: &TableId, rows: u64) {
        let labels = [
            ("plugin", "mysql".to_owned()),
            ("name", self.server.clone()),
            ("context", "snapshot".to_owned()),
            ("table", id.to_string()),
        ];
        gauge!(ROWS_SCANNED, &labels).set(rows as f64);
        self.remaining.decrement(1.0);
    }

    /// Everything is durable.
    pub fn complete(&mut self) {
        self.is_complete = true;
    }
}

impl Drop for SnapshotMetrics {
    fn drop(&mut self) {
        self.duration.set(self.began.elapsed().as_secs_f64());
        self.running.set(0.0);
        let end = if self.is_complete { &self.completed } else { &self.aborted };
        end.set(1.0);
    }
}
