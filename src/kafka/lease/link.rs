//! A connection to a broker over which one thing is asked at a time. Nothing here blocks: connecting has a thread of its own.

use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::kafka::network::connect::{ConnectError, ConnectionSettings, connect};
use crate::kafka::network::connection::{Connection, Piece};
use crate::kafka::protocol::Api;
use crate::kafka::protocol::wire::{Malformed, Reader, begin_request, end_request};

/// A broker's host and port.
pub(super) type Address = (String, u16);

/// Why a link is closed.
#[derive(Debug)]
pub(super) enum LinkError {
    /// The credentials were refused.
    Authentication(String),
    /// Anything else, which may pass.
    Broken(String),
}

/// An answer.
pub(super) struct Answer {
    /// What was asked.
    pub(super) api: Api,
    /// When.
    pub(super) asked: Instant,
    frame: Vec<u8>,
}

impl Answer {
    /// Its body.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        let mut reader = Reader::new(&self.frame);
        reader.i32()?; // correlation, compared already
        read(&mut reader)
    }
}

struct Asked {
    api: Api,
    correlation: i32,
    at: Instant,
}

enum State {
    Closed,
    Opening(Receiver<Result<Connection, ConnectError>>),
    Open(Box<Connection>, Option<Asked>),
}

/// See the module.
pub(super) struct Link {
    settings: Arc<ConnectionSettings>,
    state: State,
}

impl Link {
    pub(super) fn new(settings: Arc<ConnectionSettings>) -> Self {
        Link { settings, state: State::Closed }
    }

    pub(super) fn close(&mut self) {
        self.state = State::Closed;
    }

    pub(super) fn is_closed(&self) -> bool {
        matches!(self.state, State::Closed)
    }

    pub(super) fn is_opening(&self) -> bool {
        matches!(self.state, State::Opening(_))
    }

    /// Whether something can be asked.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.state, State::Open(_, None))
    }

    /// How long something has been unanswered.
    pub(super) fn waits(&self) -> Option<(Api, Duration)> {
        match &self.state {
            State::Open(_, Some(asked)) => Some((asked.api, asked.at.elapsed())),
            _ => None,
        }
    }

    /// The socket, where there is one, and whether something waits to be written.
    pub(super) fn socket(&self) -> Option<(&TcpStream, bool)> {
        match &self.state {
            State::Open(connection, _) => Some((connection.socket(), connection.has_output())),
            _ => None,
        }
    }

    /// Begins to connect.
    pub(super) fn open(&mut self, (host, port): Address) {
        let (sender, receiver) = sync_channel(1);
        let settings = Arc::clone(&self.settings);
        let spawned = thread::Builder::new().name("kafka-connect".to_owned()).spawn(move || {
            // Nobody may be there any more to take it.
            let _ = sender.send(connect(&settings, &host, port));
        });
        // Without a thread nobody sends, which `hear` tells.
        drop(spawned);
        self.state = State::Opening(receiver);
    }

    /// Asks, on an idle link.
    pub(super) fn ask(&mut self, api: Api, body: impl FnOnce(&mut Vec<u8>)) -> Result<(), LinkError> {
        let State::Open(connection, asked) = &mut self.state else { return Ok(()) };
        let Some(version) = connection.versions().choose(api) else {
            return Err(LinkError::Broken(ConnectError::Unsupported { api: api.name }.to_string()));
        };
        let correlation = connection.next_correlation();
        let mut frame = begin_request(api, version, correlation, &self.settings.client_id);
        body(&mut frame);
        end_request(&mut frame, 0);
        connection.queue(Piece::Owned(frame));
        *asked = Some(Asked { api, correlation, at: Instant::now() });
        connection.write().map_err(|error| LinkError::Broken(error.to_string()))
    }

    /// Goes on connecting, writing and reading; gives the answer that has come.
    pub(super) fn hear(&mut self) -> Result<Option<Answer>, LinkError> {
        if let State::Opening(receiver) = &self.state {
            match receiver.try_recv() {
                Ok(Ok(connection)) => self.state = State::Open(Box::new(connection), None),
                Ok(Err(ConnectError::Authentication { reason })) => {
                    return Err(LinkError::Authentication(reason));
                }
                Ok(Err(error)) => return Err(LinkError::Broken(error.to_string())),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => {
                    return Err(LinkError::Broken("no thread could be started".to_owned()));
                }
            }
        }
        let State::Open(connection, asked) = &mut self.state else { return Ok(None) };
        let broken = |error: std::io::Error| LinkError::Broken(error.to_string());
        connection.write().map_err(broken)?;
        let Some(frame) = connection.read().map_err(broken)? else { return Ok(None) };
        let correlation = Reader::new(&frame).i32().map_err(|error| LinkError::Broken(error.to_string()))?;
        match asked.take() {
            Some(asked) if asked.correlation == correlation => {
                Ok(Some(Answer { api: asked.api, asked: asked.at, frame }))
            }
            _ => Err(LinkError::Broken("the broker answered what was not asked".to_owned())),
        }
    }
}
