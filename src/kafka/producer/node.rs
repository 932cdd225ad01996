//! A broker as the producer sees it: where it is, the connection to it, and the requests that it has not answered.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::kafka::network::connection::Connection;
use crate::kafka::producer::request_limit::RequestLimit;

/// A partition: the places of topic and partition in the producer's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) topic: usize,
    pub(super) partition: usize,
}

/// A batch that a request carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) place: Place,
    pub(super) ticket: u64,
}

/// What was asked.
#[derive(Debug)]
pub(super) enum Asked {
    /// To take batches, in order of their places; with the version of the request.
    Produce(Vec<Entry>, i16),
    /// For metadata.
    Metadata,
    /// For an identity.
    Identity,
    /// Where the coordinator of our transactions is.
    Coordinator,
    /// The coordinator for an identity.
    TransactionalIdentity,
    /// The coordinator to take partitions into the transaction.
    Join(Vec<Place>),
    /// The coordinator to commit.
    End,
    /// The coordinator whose the transactional id is.
    Owner,
    /// The node of this place how large a request may be.
    RequestLimit(usize),
}

/// A request that awaits its response.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) correlation: i32,
    pub(super) asked: Asked,
    pub(super) since: Instant,
}

/// The connection.
pub(super) enum Link {
    /// None; a new attempt is made after this instant.
    Down(Instant),
    /// The attempt of this number is under way.
    Opening(u64),
    /// It stands.
    Up(Box<Connection>),
}

/// See the module.
pub(super) struct Node {
    /// `node.id`, negative for a bootstrap server.
    pub(super) id: i32,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) link: Link,
    pub(super) requests: VecDeque<Request>,
    /// Failures to connect in a row.
    pub(super) failures: u32,
    /// The cluster does not name it any more.
    pub(super) gone: bool,
    /// How large a request may be.
    pub(super) request_limit: RequestLimit,
    /// By its quota it reads nothing before this.
    pub(super) throttled_until: Instant,
}

impl Node {
    pub(super) fn new(id: i32, host: String, port: u16) -> Self {
        let now = Instant::now();
        let link = Link::Down(now);
        Node {
            id,
            host,
            port,
            link,
            requests: VecDeque::new(),
            failures: 0,
            gone: false,
            request_limit: RequestLimit::default(),
            throttled_until: now,
        }
    }

    pub(super) fn connection(&mut self) -> Option<&mut Connection> {
        match &mut self.link {
            Link::Up(connection) => Some(connection),
            Link::Down(_) | Link::Opening(_) => None,
        }
    }

    pub(super) fn is_up(&self) -> bool {
        matches!(self.link, Link::Up(_))
    }

    /// Unanswered requests that carry batches.
    pub(super) fn produce_requests(&self) -> usize {
        self.requests.iter().filter(|request| matches!(request.asked, Asked::Produce(..))).count()
    }
}

/// The wait before attempt `failures`: doubling from the first to the last, with a fifth of chance as Java has it.
pub(super) fn backoff((first, last): (Duration, Duration), failures: u32) -> Duration {
    use std::hash::{BuildHasher, RandomState};
    let whole = first.saturating_mul(1_u32.checked_shl(failures).unwrap_or(u32::MAX)).min(last);
    // The standard library seeds its hash maps with the operating system's randomness.
    let chance = (RandomState::new().hash_one(failures) % 1024) as f64 / 1024.0;
    whole.mul_f64(0.8 + 0.4 * chance)
}
