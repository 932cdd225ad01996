//! Packets: a three-byte length, a sequence number, and a payload.
//!
//! A payload of 0xFFFFFF bytes says that the next packet continues it; the last part is shorter, if need be empty
//! (<https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html>).
//!
//! Reading is made for the binlog, where one event is one packet and most are small: the socket is read in large
//! pieces into one buffer, and `read` lends the payload out of it without copying. A packet that does not fit makes
//! the buffer grow; payloads of several parts are joined in a second buffer. Both shrink again once enough small
//! packets have followed, a very large one with the next packet, so that one large row does not cost its memory for ever.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::source::mysql::error::{CONNECTING, MySqlError};
use crate::source::mysql::transport::Transport;

/// The longest payload of one packet; exactly this length means "to be continued".
pub const MAX_PART: usize = 0xFF_FFFF;
/// What the buffers hold while packets are small.
const USUAL_BUFFER: usize = 256 * 1024;
/// So many small packets in a row let the buffers shrink.
const SHRINK_AFTER: u32 = 256;
/// What was joined in more than this is given back with the next packet: after a row of half a gigabyte the server may be
/// idle for hours.
const KEPT_JOINED: usize = 64 << 20;
const HEADER: usize = 4;
/// The first byte of an error packet.
const ERR: u8 = 0xFF;

/// Where the payload received last is.
enum Current {
    Input(Range<usize>),
    Joined,
}

/// The packets of one connection, in both directions.
pub(crate) struct PacketStream {
    transport: Transport,
    server: Arc<str>,
    /// `input[start..end]` was received and not yet lent out.
    input: Vec<u8>,
    start: usize,
    end: usize,
    /// Payloads of several parts.
    joined: Vec<u8>,
    current: Current,
    small_in_a_row: u32,
    output: Vec<u8>,
    sequence: u8,
    /// The read limit of `read`; None waits for ever.
    limit: Option<Duration>,
    /// The limit that the socket has now.
    applied: Option<Duration>,
    /// For the texts of errors.
    doing: &'static str,
}

impl PacketStream {
    pub(crate) fn new(transport: Transport, server: Arc<str>) -> Self {
        PacketStream {
            transport,
            server,
            input: vec![0; USUAL_BUFFER],
            start: 0,
            end: 0,
            joined: Vec::new(),
            current: Current::Joined,
            small_in_a_row: 0,
            output: Vec::new(),
            sequence: 0,
            limit: None,
            applied: None,
            doing: CONNECTING,
        }
    }

    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    pub(crate) fn doing(&self) -> &'static str {
        self.doing
    }

    pub(crate) fn transport(&self) -> &Transport {
        &self.transport
    }

    /// How long one `read` may wait for bytes; None is for ever.
    pub(crate) fn set_limit(&mut self, limit: Option<Duration>) {
        // The socket refuses a limit of zero.
        self.limit = limit.filter(|limit| !limit.is_zero());
    }

    /// A new command: its packets count from zero.
    pub(crate) fn begin(&mut self, doing: &'static str) {
        self.sequence = 0;
        self.doing = doing;
    }

    /// The same command goes on with another thing to do, for the texts of errors.
    pub(crate) fn begin_reading(&mut self, doing: &'static str) {
        self.doing = doing;
    }

    /// Puts another transport in place of this one, which is handed to `change`. Bytes that arrived before it are an
    /// error: a man in the middle could have sent them ahead of the encryption.
    pub(crate) fn change_transport(
        self,
        change: impl FnOnce(Transport) -> Result<Transport, MySqlError>,
    ) -> Result<Self, MySqlError> {
        if self.start != self.end {
            return Err(self.malformed("bytes before the TLS handshake"));
        }
        let PacketStream { transport, server, input, sequence, limit, doing, .. } = self;
        let mut changed = PacketStream::new(change(transport)?, server);
        changed.input = input;
        changed.sequence = sequence;
        changed.limit = limit;
        changed.doing = doing;
        Ok(changed)
    }

    /// Sends one payload, in parts if need be.
    pub(crate) fn write(&mut self, payload: &[u8]) -> Result<(), MySqlError> {
        let mut rest = payload;
        loop {
            let (part, after) = rest.split_at(rest.len().min(MAX_PART));
            let length = u32::try_from(part.len()).unwrap_or_default().to_le_bytes();
            self.output.clear();
            self.output.extend_from_slice(&length[..3]);
            self.output.push(self.sequence);
            self.output.extend_from_slice(part);
            self.sequence = self.sequence.wrapping_add(1);
            let sent = self.transport.write_all(&self.output).and_then(|()| self.transport.flush());
            if let Err(source) = sent {
                return Err(self.broken(source));
            }
            if part.len() < MAX_PART {
                break;
            }
            rest = after;
        }
        if self.output.capacity() > USUAL_BUFFER {
            self.output = Vec::new();
        }
        Ok(())
    }

    /// The next payload, borrowed until the next call.
    ///
    /// # Errors
    /// As `receive`.
    pub(crate) fn read(&mut self) -> Result<&[u8], MySqlError> {
        self.receive()?;
        Ok(self.payload())
    }

    /// Receives the next payload, to be looked at with `payload`.
    ///
    /// # Errors
    /// `Timeout` when nothing arrives within the limit, `ConnectionLost` when the connection ends, `Protocol` when
    /// packets are out of order. The connection has then lost its place and is shut down.
    pub(crate) fn receive(&mut self) -> Result<(), MySqlError> {
        let result = self.receive_parts();
        if result.is_err() {
            // The only failure is that the socket is closed already.
            let _ = self.transport.socket().shutdown(Shutdown::Both);
        }
        result
    }

    fn receive_parts(&mut self) -> Result<(), MySqlError> {
        self.apply(self.limit)?;
        let first = self.read_part()?;
        if first.len() < MAX_PART {
            self.current = Current::Input(first);
            if self.joined.capacity() > KEPT_JOINED {
                self.joined = Vec::new();
            }
            return Ok(());
        }
        self.current = Current::Joined;
        self.joined.clear();
        let mut part = first;
        loop {
            let length = part.len();
            self.joined.extend_from_slice(self.input.get(part).unwrap_or_default());
            if length < MAX_PART {
                return Ok(());
            }
            part = self.read_part()?;
        }
    }

    /// The payload that was received last.
    #[inline]
    pub(crate) fn payload(&self) -> &[u8] {
        match &self.current {
            Current::Input(place) => self.input.get(place.clone()).unwrap_or_default(),
            Current::Joined => &self.joined,
        }
    }

    /// Waits at most `wait` for a packet; true when `read` will find one (or the first part of a long one).
    pub(crate) fn wait(&mut self, wait: Duration) -> Result<bool, MySqlError> {
        if self.has_packet() {
            return Ok(true);
        }
        let deadline = Instant::now() + wait;
        let mut left = wait.max(Duration::from_millis(1));
        loop {
            self.apply(Some(left))?;
            if let Some(length) = self.pending_length() {
                self.make_room(HEADER + length);
            } else {
                self.make_room(HEADER);
            }
            match self.fill() {
                Ok(()) => {}
                Err(error) if is_timeout(&error) => return Ok(false),
                Err(error) => return Err(self.broken(error)),
            }
            if self.has_packet() {
                return Ok(true);
            }
            left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
        }
    }

    /// Whether a whole packet is in the buffer already, so that `read` needs no system call.
    pub(crate) fn has_packet(&self) -> bool {
        self.pending_length().is_some_and(|length| self.end - self.start >= HEADER + length)
    }

    /// The length that the header at the front of the buffer announces.
    fn pending_length(&self) -> Option<usize> {
        match self.input.get(self.start..self.end) {
            Some([a, b, c, _, ..]) => Some(usize::from(*a) | usize::from(*b) << 8 | usize::from(*c) << 16),
            _ => None,
        }
    }

    /// The place of the next packet's payload in `input`.
    fn read_part(&mut self) -> Result<Range<usize>, MySqlError> {
        self.require(HEADER)?;
        let length = self.pending_length().unwrap_or_default();
        self.shrink(length);
        self.require(HEADER + length)?;
        let sequence = self.input.get(self.start + 3).copied().unwrap_or_default();
        let payload = self.start + HEADER..self.start + HEADER + length;
        self.start = payload.end;
        // A server that gives up on a connection says so out of turn.
        let is_error = self.input.get(payload.start).is_some_and(|first| *first == ERR) && length > 0;
        if sequence != self.sequence && !is_error {
            return Err(self.malformed("packets out of order"));
        }
        self.sequence = sequence.wrapping_add(1);
        Ok(payload)
    }

    /// Reads until `count` bytes are in the buffer.
    fn require(&mut self, count: usize) -> Result<(), MySqlError> {
        if self.end - self.start >= count {
            return Ok(());
        }
        self.make_room(count);
        while self.end - self.start < count {
            if let Err(error) = self.fill() {
                return Err(if is_timeout(&error) { self.late() } else { self.broken(error) });
            }
        }
        Ok(())
    }

    /// Sees to it that `count` bytes from `start` fit into the buffer, and that something can be read.
    fn make_room(&mut self, count: usize) {
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
        }
        if self.start + count > self.input.len() || self.end == self.input.len() {
            self.input.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if count > self.input.len() {
            self.input.resize(count, 0);
        }
    }

    /// One read from the transport.
    fn fill(&mut self) -> io::Result<()> {
        loop {
            let space = self.input.get_mut(self.end..).unwrap_or_default();
            match self.transport.read(space) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    self.end += count;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Gives memory back after large packets.
    fn shrink(&mut self, next: usize) {
        if self.input.len() <= USUAL_BUFFER && self.joined.capacity() <= USUAL_BUFFER {
            return;
        }
        let held = self.end - self.start;
        if next + HEADER > USUAL_BUFFER || held > USUAL_BUFFER {
            self.small_in_a_row = 0;
            return;
        }
        self.small_in_a_row += 1;
        if self.small_in_a_row >= SHRINK_AFTER {
            self.small_in_a_row = 0;
            self.joined = Vec::new();
            let mut smaller = vec![0; USUAL_BUFFER];
            if let (Some(to), Some(from)) = (smaller.get_mut(..held), self.input.get(self.start..self.end)) {
                to.copy_from_slice(from);
            }
            self.input = smaller;
            self.start = 0;
            self.end = held;
        }
    }

    /// Tells the socket its limit, if that is another one than before.
    fn apply(&mut self, limit: Option<Duration>) -> Result<(), MySqlError> {
        if self.applied != limit {
            if let Err(source) = self.transport.socket().set_read_timeout(limit) {
                return Err(self.broken(source));
            }
            self.applied = limit;
        }
        Ok(())
    }

    /// A packet that is not what the protocol says.
    pub(crate) fn malformed(&self, what: &'static str) -> MySqlError {
        MySqlError::Protocol { server: self.server.to_string(), doing: self.doing, what }
    }

    fn broken(&self, source: io::Error) -> MySqlError {
        MySqlError::ConnectionLost { server: self.server.to_string(), doing: self.doing, source }
    }

    fn late(&self) -> MySqlError {
        let after = self.limit.unwrap_or_default();
        MySqlError::Timeout { server: self.server.to_string(), doing: self.doing, after }
    }
}

/// How the two families of operating systems say that the socket's limit ran out.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests;
