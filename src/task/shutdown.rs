//! SIGTERM and SIGINT: a flag that every loop looks at, and an end that is in time all the same.
//!
//! Reading from a server waits for the server, for up to `database.query.timeout.ms`; a network that swallows everything, or
//! a process that is stopped, answers nothing. What still waits when `PATIENCE` is over is left behind and the process ends:
//! that is a kill, of which the tables in `task` and `kafka::exactly_once` tell what is durable, so nothing is lost or doubled
//! by it that would not be by a kill.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

/// From the signal to the end at the latest. A home that cannot be reached needs five seconds of it (`kafka::producer`);
/// Kubernetes kills after thirty, and `docker stop` after ten.
const PATIENCE: Duration = Duration::from_secs(8);
/// Between two looks at the flag.
const LOOK: Duration = Duration::from_millis(100);

/// A flag that is set by the first SIGTERM or SIGINT. A second one ends the process at once.
pub fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// Ends the process with exit code 0 when it is still there `PATIENCE` after the flag was set, unless what is given back is
/// dropped before.
pub fn end_in_time(stop: &Arc<AtomicBool>) -> io::Result<Sender<()>> {
    let (ended, watched) = channel();
    let stop = Arc::clone(stop);
    thread::Builder::new().name("shutdown".to_owned()).spawn(move || {
        let mut since: Option<Instant> = None;
        while watched.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if !stop.load(Ordering::Relaxed) {
                continue;
            }
            if since.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
                tracing::warn!("a server does not answer: stopped without waiting for it");
                process::exit(0);
            }
        }
    })?;
    Ok(ended)
}
