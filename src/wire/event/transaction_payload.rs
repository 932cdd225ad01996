//! TRANSACTION_PAYLOAD: a whole transaction, compressed (`binlog_transaction_compression=ON`). Manual:
//! "TRANSACTION_PAYLOAD_EVENT"; libs/mysql/binlog/event/codecs/binary.cpp.
//!
//! Body: fields (number, length, value; all length-encoded) up to field 0, then the payload: the transaction's events
//! one after the other, without checksums and with next positions of 0, as zstd frames or as they are. It is
//! decompressed in a stream, one event at a time into the caller's buffer, so that memory is bounded by the largest
//! event and not by the transaction. The end of the stream must be the end of an event, and the sum must be the size
//! that the event states.

use std::io::{self, Read};

use zstd::stream::read::Decoder;
use zstd::zstd_safe::{DCtx, ResetDirective};

use crate::wire::error::WireError;
use crate::wire::event::header::HEADER_LENGTH;
use crate::wire::reader::Reader;

const READING: &str = "transaction payload event";

/// How a payload is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadCompression {
    /// Zstandard.
    Zstd,
    /// Not at all.
    None,
}

/// A compressed transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransactionPayloadEvent<'a> {
    /// How it is compressed.
    pub compression: PayloadCompression,
    /// The size of all its events in bytes, where it is stated.
    pub uncompressed_size: Option<u64>,
    /// The compressed events.
    pub payload: &'a [u8],
}

impl<'a> TransactionPayloadEvent<'a> {
    pub(super) fn read(mut body: Reader<'a>) -> Result<Self, WireError> {
        let (mut size, mut compression, mut uncompressed_size) = (None, None, None);
        loop {
            let field = body.lenenc_int(READING)?;
            if field == 0 {
                break;
            }
            let mut value = Reader::new(body.lenenc_bytes(READING)?);
            match field {
                1 => size = Some(value.lenenc_int(READING)?),
                2 => compression = Some(value.lenenc_int(READING)?),
                3 => uncompressed_size = Some(value.lenenc_int(READING)?),
                _ => {}
            }
        }
        let compression = match compression {
            Some(0) => PayloadCompression::Zstd,
            Some(255) => PayloadCompression::None,
            Some(_) => return Err(WireError::invalid(READING, "the compression is neither zstd nor none")),
            None => return Err(WireError::invalid(READING, "the compression is not stated")),
        };
        let payload = match size {
            Some(size) => body.take(usize::try_from(size).unwrap_or(usize::MAX), READING)?,
            None => body.rest(),
        };
        if !body.is_empty() {
            return Err(WireError::invalid(READING, "bytes behind the payload"));
        }
        Ok(TransactionPayloadEvent { compression, uncompressed_size, payload })
    }

    /// Its events, one at a time. An event of more than `max_event_size` bytes is an error.
    pub fn frames<'c>(
        &self,
        context: &'c mut PayloadContext,
        max_event_size: usize,
    ) -> Result<PayloadFrames<'c>, WireError>
    where
        'a: 'c,
    {
        let stream = match self.compression {
            PayloadCompression::Zstd => {
                // What an error or an early end has left behind.
                let reset = context.zstd.reset(ResetDirective::SessionOnly);
                reset.map_err(|_| WireError::invalid(READING, "the decompressor cannot be reset"))?;
                Stream::Zstd(Box::new(Decoder::with_context(self.payload, &mut context.zstd)))
            }
            PayloadCompression::None => Stream::Plain(self.payload),
        };
        Ok(PayloadFrames { stream, max_event_size, uncompressed_size: self.uncompressed_size, done: 0 })
    }
}

/// The memory of a decompressor, to be kept from one payload to the next.
pub struct PayloadContext {
    zstd: DCtx<'static>,
}

impl PayloadContext {
    /// A new one.
    pub fn new() -> Self {
        PayloadContext { zstd: DCtx::create() }
    }
}

impl Default for PayloadContext {
    fn default() -> Self {
        Self::new()
    }
}

enum Stream<'c> {
    Zstd(Box<Decoder<'c, &'c [u8]>>),
    Plain(&'c [u8]),
}

impl Read for Stream<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Zstd(decoder) => decoder.read(to),
            Stream::Plain(bytes) => bytes.read(to),
        }
    }
}

/// The events of a payload.
pub struct PayloadFrames<'c> {
    stream: Stream<'c>,
    max_event_size: usize,
    uncompressed_size: Option<u64>,
    /// Bytes of the events so far.
    done: u64,
}

impl PayloadFrames<'_> {
    /// Puts the next event, header included, in place of what is in `frame`; false at the end. Read it with
    /// `EventParser::parse_inner`.
    pub fn next_frame(&mut self, frame: &mut Vec<u8>) -> Result<bool, WireError> {
        frame.clear();
        self.fill(frame, HEADER_LENGTH)?;
        if frame.is_empty() {
            return match self.uncompressed_size {
                Some(size) if size != self.done => {
                    Err(WireError::invalid(READING, "the events are not as long as the event states"))
                }
                _ => Ok(false),
            };
        }
        let mut size_field = Reader::new(frame);
        size_field.take(9, READING)?;
        let size = size_field.u32("event header in transaction payload")?;
        let body = usize::try_from(size).ok().and_then(|size| size.checked_sub(HEADER_LENGTH));
        let body = body
            .ok_or(WireError::invalid("event header in transaction payload", "the event size is below 19"))?;
        if size as usize > self.max_event_size {
            return Err(WireError::EventTooLarge {
                size: u64::from(size),
                limit: self.max_event_size as u64,
            });
        }
        self.fill(frame, body)?;
        if frame.len() < size as usize {
            let left = frame.len();
            return Err(WireError::Truncated {
                reading: "event in transaction payload",
                wanted: u64::from(size),
                left,
            });
        }
        self.done += u64::from(size);
        Ok(true)
    }

    /// Appends `size` bytes, or what is left. Memory grows with what is there, not with what is announced.
    fn fill(&mut self, frame: &mut Vec<u8>, size: usize) -> Result<(), WireError> {
        const CHUNK: usize = 64 * 1024;
        let mut wanted = size;
        while wanted > 0 {
            let start = frame.len();
            frame.resize(start + wanted.min(CHUNK), 0);
            let room = frame.get_mut(start..).unwrap_or_default();
            let got = self.stream.read(room).map_err(WireError::Decompress)?;
            frame.truncate(start + got);
            if got == 0 {
                break;
            }
            wanted -= got;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
