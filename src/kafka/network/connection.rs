//! An open connection that never blocks.
//!
//! What is to be sent waits in pieces: the small ones are owned, record batches are shared with their partition until
//! they are acknowledged. `write` hands the socket as much as it takes, many pieces a call. `read` gives one response
//! after the other.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use crate::kafka::network::transport::Transport;
use crate::kafka::protocol::api_versions::ApiVersions;

/// What announces itself as longer is no answer to what we ask: metadata of 10,000 topics is a few megabytes.
pub const LARGEST_RESPONSE: usize = 64 << 20;
/// Pieces in one call.
const PIECES: usize = 64;
/// One read.
const READ: usize = 16 << 10;

/// Bytes to be sent.
#[derive(Debug)]
pub enum Piece {
    /// Made for this request.
    Owned(Vec<u8>),
    /// A record batch.
    Shared(Arc<Vec<u8>>),
}

impl Piece {
    /// How many bytes.
    pub fn len(&self) -> usize {
        self.bytes().len()
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Piece::Owned(bytes) => bytes,
            Piece::Shared(bytes) => bytes,
        }
    }
}

/// A connection to a broker that has accepted us.
pub struct Connection {
    transport: Transport,
    versions: ApiVersions,
    output: VecDeque<Piece>,
    /// How much of the first piece is written.
    written: usize,
    input: Vec<u8>,
    correlation: i32,
}

impl Connection {
    pub(super) fn new(transport: Transport, versions: ApiVersions) -> Self {
        Connection {
            transport,
            versions,
            output: VecDeque::new(),
            written: 0,
            input: Vec::new(),
            correlation: 0,
        }
    }

    /// What the broker knows.
    pub fn versions(&self) -> &ApiVersions {
        &self.versions
    }

    /// The number of the next request.
    pub fn next_correlation(&mut self) -> i32 {
        self.correlation = self.correlation.wrapping_add(1);
        self.correlation
    }

    /// Queues a piece of a request.
    pub fn queue(&mut self, piece: Piece) {
        self.output.push_back(piece);
    }

    /// The socket, to wait for it.
    pub fn socket(&self) -> &TcpStream {
        self.transport.socket()
    }

    /// Whether something waits to be written.
    pub fn has_output(&self) -> bool {
        !self.output.is_empty() || self.transport.holds_back()
    }

    /// Writes as much as the socket takes.
    pub fn write(&mut self) -> io::Result<()> {
        while !self.output.is_empty() {
            let mut slices = [IoSlice::new(&[]); PIECES];
            let mut count = 0;
            for (slice, piece) in slices.iter_mut().zip(&self.output) {
                let skip = if count == 0 { self.written } else { 0 };
                *slice = IoSlice::new(piece.bytes().get(skip..).unwrap_or_default());
                count += 1;
            }
            match self.transport.write_vectored(slices.get(..count).unwrap_or_default()) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(mut sent) => {
                    while let Some(first) = self.output.front() {
                        let left = first.bytes().len() - self.written;
                        if sent < left {
                            self.written += sent;
                            break;
                        }
                        sent -= left;
                        self.written = 0;
                        self.output.pop_front();
                    }
                }
                Err(error) => return passes(error),
            }
        }
        if self.transport.holds_back() { self.transport.flush().or_else(passes) } else { Ok(()) }
    }

    /// The next whole response without its length; `None` when there is none yet.
    pub fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(frame) = self.take_frame()? {
                return Ok(Some(frame));
            }
            let had = self.input.len();
            self.input.resize(had + READ, 0);
            let read = self.transport.read(self.input.get_mut(had..).unwrap_or_default());
            self.input.truncate(had + read.as_ref().map_or(0, |count| *count));
            match read {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(error) => return passes(error).map(|()| None),
            }
        }
    }

    fn take_frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(length) = self.input.first_chunk::<4>() else { return Ok(None) };
        let length = usize::try_from(i32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        if length > LARGEST_RESPONSE {
            return Err(io::Error::new(ErrorKind::InvalidData, "the peer does not speak kafka's protocol"));
        }
        let Some(frame) = self.input.get(4..4 + length) else { return Ok(None) };
        let frame = frame.to_vec();
        self.input.drain(..4 + length);
        Ok(Some(frame))
    }
}

/// What only says that it is to be tried later is no error.
fn passes(error: io::Error) -> io::Result<()> {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::Interrupted => Ok(()),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn pieces_go_out_whole_and_in_order_and_answers_come_one_by_one() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut peer, _) = listener.accept().unwrap();
        socket.set_nonblocking(true).unwrap();
        let mut connection = Connection::new(Transport::Plain(socket), ApiVersions::default());
        let large = Arc::new((0..6_000_000_u32).map(|number| (number % 251) as u8).collect::<Vec<u8>>());
        connection.queue(Piece::Owned(b"head".to_vec()));
        connection.queue(Piece::Shared(Arc::clone(&large)));
        connection.queue(Piece::Owned(b"tail".to_vec()));
        connection.write().unwrap();
        assert!(connection.has_output(), "the socket does not take everything at once");
        let reader = thread::spawn(move || {
            let mut all = vec![0; 6_000_008];
            peer.read_exact(&mut all).unwrap();
            peer.write_all(b"\0\0\0\x02ab\0\0\0\x01c").unwrap();
            (all, peer)
        });
        while connection.has_output() {
            connection.write().unwrap();
            thread::yield_now();
        }
        let (all, peer) = reader.join().unwrap();
        assert!(all[..4] == *b"head" && all[4..6_000_004] == large[..] && all[6_000_004..] == *b"tail");
        let mut frames = Vec::new();
        while frames.len() < 2 {
            frames.extend(connection.read().unwrap());
        }
        assert_eq!(frames, [b"ab".to_vec(), b"c".to_vec()]);
        assert!(connection.read().unwrap().is_none());
        drop(peer);
        assert!(connection.read().is_err());
    }
}
