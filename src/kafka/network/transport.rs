//! TCP, or TLS over it.

use std::io::{self, IoSlice, Read, Write};
use std::net::TcpStream;

use rustls::{ClientConnection, StreamOwned};

/// The byte stream of a connection.
pub(super) enum Transport {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Transport {
    pub(super) fn socket(&self) -> &TcpStream {
        match self {
            Transport::Plain(socket) => socket,
            Transport::Tls(stream) => &stream.sock,
        }
    }

    /// Whether encrypted bytes wait for the socket.
    pub(super) fn holds_back(&self) -> bool {
        match self {
            Transport::Plain(_) => false,
            Transport::Tls(stream) => stream.conn.wants_write(),
        }
    }
}

impl Read for Transport {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Transport::Plain(socket) => socket.read(into),
            Transport::Tls(stream) => stream.read(into),
        }
    }
}

impl Write for Transport {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Transport::Plain(socket) => socket.write(bytes),
            Transport::Tls(stream) => stream.write(bytes),
        }
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Transport::Plain(socket) => socket.write_vectored(pieces),
            Transport::Tls(stream) => stream.write_vectored(pieces),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Transport::Plain(socket) => socket.flush(),
            Transport::Tls(stream) => stream.flush(),
        }
    }
}
