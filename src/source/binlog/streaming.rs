//! The loop over a server's binlog.
//!
//! Frames are handled as they come. When the next one is not here yet, what has been made so far is handed over first,
//! so that nothing waits for a batch to fill. While the server is idle the loop looks after the heartbeat and the wish to
//! stop. Silence for three heartbeat periods of the server means that the connection is dead.
//!
//! Positions: a header has only the low 32 bits of the position behind its event, and a file may be larger (one huge
//! transaction), so the rest is kept here. A dump by GTID starts with an artificial ROTATE to position 4 and then jumps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::offset::gtid::GtidSet;
use crate::source::binlog::event_handler::{EventHandler, EventPlace};
use crate::source::binlog::network_client::{BinlogClient, DumpStart, Polled};
use crate::source::dispatcher::EventDispatcher;
use crate::source::error::SourceError;
use crate::source::gtid_sources::GtidSources;
use crate::source::heartbeat::Heartbeat;
use crate::wire::event::{EventKind, HEADER_LENGTH};

/// How long the loop waits at most before it looks at the time and at the wish to stop.
const TICK: Duration = Duration::from_millis(100);

/// Keeps the 64-bit position of the file that is being read.
#[derive(Debug, Default)]
pub struct FilePosition {
    next: u64,
}

impl FilePosition {
    /// Starts at a position of a file.
    pub fn at(position: u64) -> Self {
        FilePosition { next: position }
    }

    /// The place of an event, by its header; what is in no file (artificial events) stands where the reading is.
    pub fn place(&mut self, frame: &[u8]) -> EventPlace {
        let field = |at: usize| {
            let bytes = frame.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            u64::from(bytes.map_or(0, u32::from_le_bytes))
        };
        let (size, low) = (field(9), field(13));
        if low == 0 || frame.len() < HEADER_LENGTH {
            return EventPlace { start: self.next, end: self.next };
        }
        let mut end = (self.next & !0xFFFF_FFFF) | low;
        // The low bits wrap within a file; they never go back otherwise.
        if end < self.next {
            end += 1 << 32;
        }
        self.next = end;
        EventPlace { start: end.saturating_sub(size), end }
    }

    /// The log goes on in another file.
    pub fn rotated(&mut self) {
        self.next = 4;
    }
}

/// Streams until told to stop, or until something ends it. The server is not told of `unknown`: it takes a reader that has
/// more of its own transactions than itself for one of another server.
pub fn stream(
    dispatcher: EventDispatcher,
    sources: GtidSources,
    unknown: &GtidSet,
    stop: &AtomicBool,
) -> Result<(), SourceError> {
    let config = Arc::clone(&dispatcher.config);
    // Before the position that was reached, where prepared transactions have to be read again.
    let position = dispatcher.offset.read_from();
    let start = match dispatcher.offset.gtids() {
        Some(gtids) => DumpStart::Gtids(gtids.subtract(unknown).encode()),
        None => DumpStart::Position { file: position.file.clone(), position: position.pos.max(4) },
    };
    let period = config.connection.keep_alive_interval.mul_f64(0.8);
    let mut client = BinlogClient::open(&config.connection, &start, period)?;
    tracing::info!(
        server = config.topic_prefix.as_str(),
        binlog_file = position.file.as_str(),
        binlog_pos = position.pos,
        gtids = dispatcher.offset.gtids().map(ToString::to_string),
        connection = client.connection_id(),
        "streaming started"
    );
    let mut heartbeat = Heartbeat::new(&config);
    let mut handler = EventHandler::new(dispatcher).with_sources(sources);
    let mut place =
        FilePosition::at(if handler.dispatcher.offset.gtids().is_some() { 4 } else { position.pos });
    let silence = client.silence_limit();
    let mut heard = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        if !client.has_frame() {
            handler.dispatcher.hand_over()?;
            handler.reach_end_of_log()?;
            handler.look_after_prepared();
            // Inside a transaction its counts would be stored as if all of its records so far had been published.
            if !handler.transaction.open {
                heartbeat.beat_if_due(&mut handler.dispatcher)?;
            }
        }
        match client.poll_frame(TICK)? {
            Polled::Frame(frame) => {
                heard = Instant::now();
                let at = place.place(frame);
                let read = handler.read(frame, at);
                let header = match read.and_then(|header| handler.publish_committed(stop).map(|()| header)) {
                    Ok(header) => header,
                    Err(error) => {
                        if error.is_about_an_event() {
                            handler.dispatcher.hand_over()?;
                        }
                        return Err(error);
                    }
                };
                if header.kind == EventKind::ROTATE {
                    place.rotated();
                }
            }
            Polled::Idle => {
                handler.dispatcher.check_publisher()?;
                if silence.is_some_and(|limit| heard.elapsed() > limit) {
                    return Err(client.silent().into());
                }
            }
            Polled::End => return Err(SourceError::StreamEnded),
        }
    }
    handler.dispatcher.barrier()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(size: u32, next: u32) -> Vec<u8> {
        let mut frame = vec![0; HEADER_LENGTH];
        frame[9..13].copy_from_slice(&size.to_le_bytes());
        frame[13..17].copy_from_slice(&next.to_le_bytes());
        frame
    }

    #[test]
    fn positions_go_on_beyond_four_gigabytes() {
        let mut position = FilePosition::at(4);
        assert_eq!(position.place(&frame(100, 0)).start, 4);
        assert_eq!(position.place(&frame(100, 0xFFFF_FFF0)).start, 0xFFFF_FFF0 - 100);
        let at = position.place(&frame(100, 0x54));
        assert_eq!((at.start, at.end), (0xFFFF_FFF0, 0x1_0000_0054));
        position.rotated();
        assert_eq!(position.place(&frame(122, 126)).start, 4);
    }
}
