//! The publishing thread: batches from the queue into the home.

use std::time::Duration;

use crate::connect::record::RecordHome;
use crate::source::queue::{QueueReader, Received};

/// How often an idle home looks after its offsets.
const IDLE: Duration = Duration::from_millis(100);

/// Publishes until the writer is gone, then makes everything durable.
pub fn publish<H: RecordHome>(queue: &QueueReader, home: &mut H) -> Result<(), H::Error> {
    loop {
        match queue.receive(IDLE) {
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
