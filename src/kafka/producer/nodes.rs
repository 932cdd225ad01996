//! The brokers of the cluster and the connections to them.
//!
//! A connection is opened by a thread of its own, because looking up names, TLS and a login block; it hands the
//! connection over and writes a byte into a pair of sockets, so that whoever waits for sockets wakes up. What is lost is
//! opened again when it is needed, with a back-off that doubles.

use std::fmt::Display;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tracing::{debug, info, warn};

use crate::kafka::network::connect::{ConnectError, ConnectionSettings, connect};
use crate::kafka::network::connection::{Connection, Piece};
use crate::kafka::producer::node::{Asked, Link, Node, Request};
use crate::kafka::protocol::Api;
use crate::kafka::protocol::metadata::BrokerMetadata;
use crate::kafka::protocol::wire::{begin_request, end_request};

/// A standing trouble is told again after this.
const QUIET: Duration = Duration::from_secs(10);

/// What came of an attempt to connect: its number, and the connection or why there is none.
pub(super) type Opened = (u64, Result<Connection, ConnectError>);

/// See the module.
pub(super) struct Nodes {
    list: Vec<Node>,
    settings: Arc<ConnectionSettings>,
    attempts: u64,
    results: (Sender<Opened>, Receiver<Opened>),
    woken: UnixStream,
    waker: Arc<UnixStream>,
    told: Option<Instant>,
    throttled: Option<Instant>,
    troubled: bool,
}

impl Nodes {
    pub(super) fn new(bootstrap: &[(String, u16)], settings: Arc<ConnectionSettings>) -> io::Result<Self> {
        let (woken, waker) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        waker.set_nonblocking(true)?;
        let list = (1..).zip(bootstrap).map(|(number, (host, port))| Node::new(-number, host.clone(), *port));
        Ok(Nodes {
            list: list.collect(),
            settings,
            attempts: 0,
            results: channel(),
            woken,
            waker: Arc::new(waker),
            told: None,
            throttled: None,
            troubled: false,
        })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Node> {
        self.list.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&mut self, node: usize) -> Option<&mut Node> {
        self.list.get_mut(node)
    }

    /// The place of a broker.
    pub(super) fn position(&self, id: i32) -> Option<usize> {
        self.list.iter().position(|node| node.id == id)
    }

    /// The version of a request for a broker that is connected.
    pub(super) fn version(&mut self, node: usize, api: Api) -> i16 {
        let connection = self.get(node).and_then(Node::connection);
        connection.and_then(|connection| connection.versions().choose(api)).unwrap_or(api.oldest)
    }

    /// Whether a broker that is connected can be asked this.
    pub(super) fn knows(&mut self, node: usize, api: Api) -> bool {
        let connection = self.get(node).and_then(Node::connection);
        connection.is_some_and(|connection| connection.versions().choose(api).is_some())
    }

    /// Takes over the brokers of the cluster; gives those whose address is another now.
    pub(super) fn learn(&mut self, brokers: Vec<BrokerMetadata>) -> Vec<usize> {
        let mut moved = Vec::new();
        if brokers.is_empty() {
            return moved;
        }
        for node in self.list.iter_mut().filter(|node| node.id >= 0) {
            node.gone = !brokers.iter().any(|broker| broker.id == node.id);
        }
        moved.extend(brokers.into_iter().filter_map(|broker| self.know(broker)));
        moved
    }

    /// Enters one broker, or its new address; gives the place of one whose address is another now.
    pub(super) fn know(&mut self, broker: BrokerMetadata) -> Option<usize> {
        let Some(place) = self.position(broker.id) else {
            self.list.push(Node::new(broker.id, broker.host, broker.port));
            return None;
        };
        let node = self.list.get_mut(place)?;
        node.gone = false;
        if node.host == broker.host && node.port == broker.port {
            return None;
        }
        node.host = broker.host;
        node.port = broker.port;
        Some(place)
    }

    /// A broker that can be asked something now. Sees to it that there will be one.
    pub(super) fn any(&mut self, now: Instant) -> Option<usize> {
        let up = self.list.iter().enumerate().filter(|(_, node)| node.is_up());
        // The broker that owes least answers first.
        if let Some((place, _)) = up.min_by_key(|(_, node)| node.requests.len()) {
            return Some(place);
        }
        if !self.list.iter().any(|node| matches!(node.link, Link::Opening(_))) {
            let ready = self.list.iter().enumerate().filter(|(_, node)| !node.gone);
            let next = ready.min_by_key(|(_, node)| match node.link {
                Link::Down(until) => until,
                Link::Opening(_) | Link::Up(_) => now,
            });
            if let Some((place, _)) = next {
                self.open(place, now);
            }
        }
        None
    }

    /// Begins to connect, unless that is under way or it is too early.
    pub(super) fn open(&mut self, node: usize, now: Instant) {
        let Some(node) = self.list.get_mut(node) else { return };
        let Link::Down(until) = node.link else { return };
        if now < until {
            return;
        }
        self.attempts += 1;
        let attempt = self.attempts;
        node.link = Link::Opening(attempt);
        let (host, port, settings) = (node.host.clone(), node.port, Arc::clone(&self.settings));
        let (results, waker) = (self.results.0.clone(), Arc::clone(&self.waker));
        let spawned = thread::Builder::new().name("kafka-connect".to_owned()).spawn(move || {
            let result = connect(&settings, &host, port);
            // Nobody may be there any more to take it.
            if results.send((attempt, result)).is_ok() {
                let _ = (&*waker).write(&[1]);
            }
        });
        if let Err(source) = spawned {
            let error = ConnectError::Network { doing: "starting a thread", source };
            let _ = self.results.0.send((attempt, Err(error)));
        }
    }

    /// The next finished attempt to connect, with the node that it was for.
    pub(super) fn next_opened(&mut self) -> Option<(usize, Result<Connection, ConnectError>)> {
        while let Ok((attempt, result)) = self.results.1.try_recv() {
            let node =
                self.list.iter().position(|node| matches!(node.link, Link::Opening(own) if own == attempt));
            if let Some(node) = node {
                return Some((node, result));
            }
        }
        None
    }

    /// Queues a small request.
    pub(super) fn send(
        &mut self,
        node: usize,
        api: Api,
        version: i16,
        asked: Asked,
        now: Instant,
        body: impl FnOnce(&mut Vec<u8>),
    ) {
        let Some(node) = self.list.get_mut(node) else { return };
        let Link::Up(connection) = &mut node.link else { return };
        let correlation = connection.next_correlation();
        let mut frame = begin_request(api, version, correlation, &self.settings.client_id);
        body(&mut frame);
        end_request(&mut frame, 0);
        connection.queue(Piece::Owned(frame));
        node.requests.push_back(Request { correlation, asked, since: now });
    }

    /// Waits until a socket can be read, or written where something is to be written, or a connection is opened.
    pub(super) fn wait(&mut self, at_most: Duration) {
        let mut waiting = vec![PollFd::from_borrowed_fd(self.woken.as_fd(), PollFlags::IN)];
        for node in &self.list {
            if let Link::Up(connection) = &node.link {
                let output = if connection.has_output() { PollFlags::OUT } else { PollFlags::empty() };
                waiting.push(PollFd::from_borrowed_fd(connection.socket().as_fd(), PollFlags::IN | output));
            }
        }
        let timeout = Timespec {
            tv_sec: i64::try_from(at_most.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(at_most.subsec_nanos()),
        };
        // An interrupted wait is a short one.
        let _ = poll(&mut waiting, Some(&timeout));
        let mut bytes = [0; 64];
        while matches!((&self.woken).read(&mut bytes), Ok(count) if count == bytes.len()) {}
    }

    /// Warns of a trouble that is being waited out, unless that was done lately.
    pub(super) fn tell(&mut self, brokers: &str, reason: &dyn Display) {
        self.troubled = true;
        if self.told.is_none_or(|told| told.elapsed() >= QUIET) {
            self.told = Some(Instant::now());
            warn!(brokers, "kafka brokers are not reachable, trying on: {reason}");
        } else {
            debug!(brokers, "kafka brokers are not reachable, trying on: {reason}");
        }
    }

    /// A broker's quota is used up: it gets nothing for so long.
    pub(super) fn throttle(&mut self, node: usize, time: Duration, now: Instant) {
        let Some(node) = self.list.get_mut(node).filter(|_| !time.is_zero()) else { return };
        node.throttled_until = node.throttled_until.max(now + time);
        if self.throttled.is_none_or(|told| told.elapsed() >= QUIET) {
            self.throttled = Some(now);
            warn!(
                broker = %format_args!("{}:{}", node.host, node.port),
                throttle_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
                "a quota of the kafka broker (producer_byte_rate, request_percentage) holds records back"
            );
        }
    }

    /// Says that a trouble is over.
    pub(super) fn tell_success(&mut self, brokers: &str) {
        if self.troubled && self.told.is_some() {
            info!(brokers, "kafka brokers take records again");
        }
        self.troubled = false;
    }
}
