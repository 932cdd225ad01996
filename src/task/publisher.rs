//! The publishing thread: batches from the queue into the home.

use std::time::Duration;

use crate::connect::record::RecordHome;
use crate::source::queue::{QueueReader, Received};

/// How often an idle home looks after its offsets.
const IDLE: Duration = Duration::from_millis(100);
/// How long records wait for more behind them before the home is idle: what it holds back is sent then.
const LINGER: Duration = Duration::from_millis(5);

/// Publishes until the writer is gone, then makes everything durable.
pub fn publish<H: RecordHome>(queue: &QueueReader, home: &mut H) -> Result<(), H::Error> {
    let mut wait = IDLE;
    loop {
        let received = queue.receive(wait);
        wait = if matches!(received, Received::Batch(_)) { LINGER } else { IDLE };
        match received {
            Received::Batch(batch) => {
                home.publish(&batch)?;
                queue.recycle(batch);
            }
            Received::Barrier(barrier) => {
                home.flush()?;
                barrier.reached();
            }
            Received::Idle => home.idle()?,
            Received::Closed => return home.flush(),
        }
    }
}
