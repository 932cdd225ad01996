//! A way to a server that can be cut, or fall silent as a network does that loses everything.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Listens on a port of its own for as long as the process runs.
pub struct Proxy {
    pub port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    is_silent: AtomicBool,
    connections: Mutex<Vec<TcpStream>>,
}

impl Proxy {
    /// In front of `address`, on any port.
    pub fn new(address: String) -> std::io::Result<Self> {
        Self::on(0, address)
    }

    /// On a port.
    pub fn on(port: u16, address: String) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::<Shared>::default();
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A server that is down refuses, and so does the proxy.
                let Ok(server) = TcpStream::connect(&address) else { continue };
                let pairs = [(client.try_clone(), server.try_clone()), (Ok(server), Ok(client))];
                for (from, to) in pairs {
                    if let (Ok(from), Ok(to)) = (from, to) {
                        let shared = Arc::clone(&accepting);
                        if let Ok(kept) = from.try_clone() {
                            shared.connections.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
                        }
                        thread::spawn(move || shared.carry(from, to));
                    }
                }
            }
        });
        Ok(Proxy { port, shared })
    }

    /// Ends all connections.
    pub fn cut(&self) {
        let mut connections = self.shared.connections.lock().unwrap_or_else(PoisonError::into_inner);
        for connection in connections.drain(..) {
            // It may have ended by itself.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    /// Carries nothing for a while, then ends all connections.
    pub fn fall_silent(&self, time: Duration) {
        self.set_silent(true);
        thread::sleep(time);
        self.cut();
        self.set_silent(false);
    }

    /// Whether nothing is carried. New connections are still accepted.
    pub fn set_silent(&self, is_silent: bool) {
        self.shared.is_silent.store(is_silent, Ordering::Relaxed);
    }
}

impl Shared {
    fn carry(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut bytes = vec![0; 64 << 10];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            while self.is_silent.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            if to.write_all(bytes.get(..count).unwrap_or_default()).is_err() {
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    }
}
