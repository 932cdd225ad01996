//! Which of several instances runs a connector: the one with the lease (`kafka::lease`); the others stand by.
//!
//! One that stands by has no connection to the server, no identity of a producer and nothing open but its place in the group. With
//! the lease it runs the connector as an instance that is alone does. When the lease is lost everything is dropped as by a kill, so
//! the tables of what is durable at a kill hold, and it stands by again.
//!
//! An end gives the lease up. A connector that is finished (`snapshot.mode=initial_only`) is found finished by the next instance,
//! which ends as well. One that failed for good is tried once by each instance: what failed may be the machine's (a file, a route,
//! a privilege by host), and it ends, since each one that failed is gone.
//!
//! An error counts only while the lease is held: to an instance that slept, its fence looks like a fault. One that is fenced
//! although it holds the lease was fenced by a straggler or by an instance outside of the group. In the first minute it takes the
//! identity back; later it fails, since whoever starts last publishes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use metrics::gauge;

use crate::config::source::SourceConfig;
use crate::config::worker::{HomeConfig, WorkerConfig};
use crate::error::chain;
use crate::file::shared_store::SharedFileStore;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::lease::{Lease, LeaseSettings};
use crate::task::error::TaskError;
use crate::task::retry::with_retries;
use crate::task::source_task::attempt;

/// 1 while this instance has the lease of a connector, 0 while it stands by; label `connector`.
pub const LEASE_HELD: &str = "tidewire_lease_held";

/// How long after it took over an instance may meet what was on its way from the one before.
const STRAGGLERS: Duration = Duration::from_secs(60);

/// Runs a connector with retries, as soon as and as long as it is this instance's to run.
pub fn run_or_stand_by(
    config: &Arc<SourceConfig>,
    worker: &WorkerConfig,
    files: &SharedFileStore,
    stop: &Arc<AtomicBool>,
) -> Result<(), TaskError> {
    let (HomeConfig::Kafka(kafka), Some(standby)) = (&worker.home, worker.standby) else {
        return with_retries(config.as_ref(), stop, || attempt(config, worker, files, None, stop));
    };
    let connector = &config.connector_name;
    let group = format!("{}-tidewire-{connector}", worker.group_id);
    let held = gauge!(LEASE_HELD, "connector" => connector.clone());
    held.set(0.0);
    let lease = Lease::seek(kafka, LeaseSettings { group, standby }, instance(), Arc::clone(stop));
    let lease = lease.map_err(TaskError::home)?;
    loop {
        let Some(holding) = lease.wait().map_err(TaskError::home)? else { return Ok(()) };
        held.set(1.0);
        let result = with_retries(config.as_ref(), holding.stop(), || {
            attempt(config, worker, files, Some(&holding), holding.stop())
        });
        held.set(0.0);
        match result {
            _ if stop.load(Ordering::Relaxed) => return result,
            Ok(()) if holding.is_lost() => {}
            Ok(()) => return Ok(()),
            Err(error) if !lease.is_held(&holding) && !stop.load(Ordering::Relaxed) => {
                tracing::warn!(
                    connector,
                    error = chain(&error),
                    "an error without the lease, which counts for nothing"
                );
            }
            Err(error) if is_fenced(&error) && holding.age() < STRAGGLERS => {
                tracing::warn!(
                    connector,
                    error = chain(&error),
                    "fenced with the lease, the connector starts again"
                );
            }
            Err(error) => return Err(error),
        }
    }
}

fn is_fenced(error: &TaskError) -> bool {
    let TaskError::Home(error) = error else { return false };
    matches!(error.as_error(), Some(KafkaHomeError::Fenced { .. }))
}

/// This instance's name for people: host and process.
fn instance() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    format!("{}:{}", host.trim(), std::process::id())
}
