//! The byte stream under the packets: TCP, and TLS once the handshake has switched to it.
//!
//! All of it is blocking. Time limits are the socket's own: a read that exceeds the limit fails with
//! `WouldBlock`, leaves everything buffered so far in place, and may be tried again.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use rustls::{ClientConnection, StreamOwned};
use socket2::{SockRef, TcpKeepalive};

use crate::source::mysql::error::MySqlError;

/// The longest that a write may hang before the connection counts as lost.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// TCP or TLS over TCP.
pub(crate) enum Transport {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Transport {
    /// Connects to the first address of the host that answers; `timeout` bounds all attempts together.
    pub(crate) fn connect(
        host: &str,
        port: u16,
        keep_alive: Duration,
        timeout: Duration,
    ) -> Result<Self, MySqlError> {
        let server = || format!("{host}:{port}");
        // IPv6 literals may be written in brackets, as in a URL.
        let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
        let addresses = (bare, port)
            .to_socket_addrs()
            .map_err(|source| MySqlError::UnknownHost { server: server(), source })?;
        let deadline = Instant::now() + timeout;
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the host name has no address");
        for address in addresses {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                last = io::ErrorKind::TimedOut.into();
                break;
            }
            match TcpStream::connect_timeout(&address, left).and_then(|socket| prepare(socket, keep_alive)) {
                Ok(socket) => return Ok(Transport::Plain(socket)),
                Err(error) => last = error,
            }
        }
        Err(MySqlError::Connect { server: server(), source: last })
    }

    /// The socket itself.
    pub(crate) fn socket(&self) -> &TcpStream {
        match self {
            Transport::Plain(socket) => socket,
            Transport::Tls(stream) => &stream.sock,
        }
    }

    /// Whether what is written is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        matches!(self, Transport::Tls(_))
    }
}

/// Small packets go out at once, and a peer that vanished is noticed by the operating system.
fn prepare(socket: TcpStream, keep_alive: Duration) -> io::Result<TcpStream> {
    socket.set_nodelay(true)?;
    socket.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let period = keep_alive.clamp(Duration::from_secs(1), Duration::from_secs(7200));
    let probes = TcpKeepalive::new().with_time(period).with_interval(Duration::from_secs(10));
    SockRef::from(&socket).set_tcp_keepalive(&probes)?;
    Ok(socket)
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

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Transport::Plain(socket) => socket.flush(),
            Transport::Tls(stream) => stream.flush(),
        }
    }
}

/// Shuts a connection's socket down from another thread: the reader then gets `ConnectionLost` at once.
#[derive(Debug)]
pub struct SocketCloser {
    socket: TcpStream,
}

impl SocketCloser {
    pub(crate) fn new(socket: &TcpStream) -> io::Result<Self> {
        Ok(SocketCloser { socket: socket.try_clone()? })
    }

    /// Ends both directions. A second call, or one after the server closed, does nothing.
    pub fn close(&self) {
        // The only failure is that the socket is closed already.
        let _ = self.socket.shutdown(Shutdown::Both);
    }
}
