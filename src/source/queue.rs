//! The bounded queue between the thread that makes records and the thread that publishes them.
//!
//! It holds whole batches and is bounded by records (`max.queue.size`) and by bytes (`max.queue.size.in.bytes`): a home
//! that is slow or away stalls the reader, never memory. The bytes of the batch that is being published count until it comes
//! back. One batch is always accepted when there is no other, whatever its size, so that a row larger than the bound still
//! passes, but no second one beside it. Emptied batches come back to be filled again. A *barrier* is answered when everything
//! before it is durable: what DDL waits for.
//!
//! When either side goes away the other one is told: the writer by `QueueClosed`, the reader by `Received::Closed`
//! after it has seen all batches.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::config::source::QueueConfig;
use crate::connect::record::RecordBatch;

/// The bound on bytes when `max.queue.size.in.bytes` is 0.
const DEFAULT_BYTES: usize = 16 << 20;

/// The publishing side is gone; its own error says why.
#[derive(Debug, thiserror::Error)]
#[error("records can no longer be published")]
pub struct QueueClosed;

enum Item {
    Batch(RecordBatch),
    Barrier(SyncSender<()>),
}

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    records: usize,
    /// Of the batches in the queue and of those that are being published.
    bytes: usize,
    empty: Vec<RecordBatch>,
    writer_gone: bool,
    reader_gone: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    max_records: usize,
    max_bytes: usize,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves the state whole: every change to it is a single assignment or push.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, limit: Duration) -> MutexGuard<'a, State> {
        self.changed.wait_timeout(state, limit).unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The side that makes records.
pub struct QueueWriter(Arc<Shared>);

/// The side that publishes them.
pub struct QueueReader(Arc<Shared>);

/// What the reader got.
pub enum Received {
    /// A batch, to be given back with `recycle`.
    Batch(RecordBatch),
    /// Make everything durable, then drop or answer this.
    Barrier(Barrier),
    /// Nothing came in the given time.
    Idle,
    /// The writer is gone and all is read.
    Closed,
}

/// The writer waits for this to be answered.
pub struct Barrier(SyncSender<()>);

impl Barrier {
    /// Everything before the barrier is durable.
    pub fn reached(self) {
        // The writer may have given up waiting; then there is nobody to tell.
        let _ = self.0.send(());
    }
}

/// A queue with the bounds of a configuration.
pub fn change_event_queue(config: &QueueConfig) -> (QueueWriter, QueueReader) {
    let max_bytes = if config.max_queue_bytes == 0 { DEFAULT_BYTES } else { config.max_queue_bytes };
    let shared = Arc::new(Shared {
        state: Mutex::default(),
        changed: Condvar::new(),
        max_records: config.max_queue_size,
        max_bytes,
    });
    (QueueWriter(Arc::clone(&shared)), QueueReader(shared))
}

impl QueueWriter {
    /// Whether the reader is still there.
    pub fn check(&self) -> Result<(), QueueClosed> {
        if self.0.lock().reader_gone { Err(QueueClosed) } else { Ok(()) }
    }

    /// Hands a batch over, waiting for room, and gives an empty one back.
    pub fn push(&self, batch: RecordBatch) -> Result<RecordBatch, QueueClosed> {
        let mut state = self.0.lock();
        loop {
            if state.reader_gone {
                return Err(QueueClosed);
            }
            let few_records =
                state.items.is_empty() || state.records + batch.records.len() <= self.0.max_records;
            let few_bytes = state.bytes == 0 || state.bytes + batch.bytes.len() <= self.0.max_bytes;
            if few_records && few_bytes {
                break;
            }
            state = self.0.wait(state, Duration::from_secs(1));
        }
        state.records += batch.records.len();
        state.bytes += batch.bytes.len();
        state.items.push_back(Item::Batch(batch));
        self.0.changed.notify_all();
        Ok(state.empty.pop().unwrap_or_default())
    }

    /// Returns when everything pushed so far is durable.
    pub fn barrier(&self) -> Result<(), QueueClosed> {
        let (answer, reached): (SyncSender<()>, Receiver<()>) = sync_channel(1);
        {
            let mut state = self.0.lock();
            if state.reader_gone {
                return Err(QueueClosed);
            }
            state.items.push_back(Item::Barrier(answer));
            self.0.changed.notify_all();
        }
        // The reader drops unanswered barriers when it goes away.
        reached.recv().map_err(|_| QueueClosed)
    }
}

impl Drop for QueueWriter {
    fn drop(&mut self) {
        self.0.lock().writer_gone = true;
        self.0.changed.notify_all();
    }
}

impl QueueReader {
    /// Waits for the next batch or barrier, for at most `limit`.
    pub fn receive(&self, limit: Duration) -> Received {
        let end = Instant::now() + limit;
        let mut state = self.0.lock();
        loop {
            match state.items.pop_front() {
                Some(Item::Batch(batch)) => {
                    state.records -= batch.records.len();
                    self.0.changed.notify_all();
                    return Received::Batch(batch);
                }
                Some(Item::Barrier(answer)) => return Received::Barrier(Barrier(answer)),
                None if state.writer_gone => return Received::Closed,
                None => {
                    let now = Instant::now();
                    if now >= end {
                        return Received::Idle;
                    }
                    state = self.0.wait(state, end - now);
                }
            }
        }
    }

    /// Gives an emptied batch back for reuse.
    pub fn recycle(&self, mut batch: RecordBatch) {
        /// Batches kept for reuse.
        const KEPT: usize = 4;
        let bytes = batch.bytes.len();
        batch.clear();
        // A batch that held one huge row must not hold its memory for ever.
        if batch.bytes.capacity() > self.0.max_bytes {
            batch.bytes = Vec::new();
        }
        let mut state = self.0.lock();
        state.bytes = state.bytes.saturating_sub(bytes);
        if state.empty.len() < KEPT {
            state.empty.push(batch);
        }
        self.0.changed.notify_all();
    }
}

impl Drop for QueueReader {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.reader_gone = true;
        state.items.clear();
        drop(state);
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn config(records: usize, bytes: usize) -> QueueConfig {
        QueueConfig {
            max_queue_size: records,
            max_batch_size: 1,
            max_queue_bytes: bytes,
            poll_interval: Duration::from_millis(10),
            xa_spill_max_bytes: 1,
        }
    }

    fn batch(bytes: usize) -> RecordBatch {
        RecordBatch { bytes: vec![0; bytes], ..RecordBatch::default() }
    }

    #[test]
    fn a_full_queue_holds_the_writer_until_there_is_room() {
        let (writer, reader) = change_event_queue(&config(100, 10));
        let waiting = thread::spawn(move || {
            writer.push(batch(500)).unwrap(); // larger than the bound, but the queue is empty
            writer.push(batch(5)).unwrap(); // waits for the first one to be published
            writer.barrier().unwrap();
        });
        thread::sleep(Duration::from_millis(50));
        assert!(!waiting.is_finished());
        let limit = Duration::from_secs(5);
        let Received::Batch(large) = reader.receive(limit) else { panic!("no batch") };
        assert_eq!(large.bytes.len(), 500);
        assert!(matches!(reader.receive(Duration::from_millis(50)), Received::Idle), "two rows in memory");
        reader.recycle(large);
        assert!(matches!(reader.receive(limit), Received::Batch(b) if b.bytes.len() == 5));
        match reader.receive(limit) {
            Received::Barrier(barrier) => barrier.reached(),
            _ => panic!("no barrier"),
        }
        waiting.join().unwrap();
        assert!(matches!(reader.receive(limit), Received::Closed));
    }

    #[test]
    fn a_writer_learns_that_the_reader_is_gone() {
        let (writer, reader) = change_event_queue(&config(1, 1));
        assert!(writer.check().is_ok());
        drop(reader);
        assert!(writer.check().is_err());
        assert!(writer.push(batch(1)).is_err());
        assert!(writer.barrier().is_err());
    }
}
