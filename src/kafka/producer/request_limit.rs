//! `socket.request.max.bytes` of the brokers.
//!
//! A broker hangs up on a request that is larger, without a word. So when a connection is lost while a large request is not
//! answered, the broker is asked for its limit (DescribeConfigs) before anything is sent again. What is larger is then split,
//! or, as a single record, fails the producer with the limit's name. A broker that does not tell, because the account may not
//! ask (DESCRIBE_CONFIGS on the cluster), gets the request again and again, with a warning.

use std::collections::VecDeque;
use std::time::Instant;

use tracing::warn;

use crate::kafka::producer::Producer;
use crate::kafka::producer::failure::Failure;
use crate::kafka::producer::node::{Asked, Place, Request};
use crate::kafka::protocol::DESCRIBE_CONFIGS;
use crate::kafka::protocol::describe_configs;
use crate::kafka::size_limit::SizeLimit;

const PROPERTY: &str = "socket.request.max.bytes";
/// No broker is set up to refuse less.
const LARGE: usize = 1 << 20;
/// Room for what a request has beside one batch: its head, the names of the client, the transaction and the topic.
const BESIDE: usize = 2048;

/// What is known of a broker's limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RequestLimit {
    /// Nothing, and there is no reason to ask.
    #[default]
    Unsuspected,
    /// It is to be asked for.
    Wanted,
    /// It is asked for.
    Asked,
    /// So many bytes.
    Told(usize),
    /// The broker does not tell.
    Untold,
}

impl RequestLimit {
    /// Whether nothing may be sent before the answer.
    pub(super) fn is_sought(self) -> bool {
        matches!(self, RequestLimit::Wanted | RequestLimit::Asked)
    }

    /// How large a batch may be in a request of its own, where that is known.
    pub(super) fn bytes(self) -> Option<usize> {
        match self {
            RequestLimit::Told(bytes) => Some(bytes.saturating_sub(BESIDE)),
            _ => None,
        }
    }
}

impl Producer {
    /// A connection is lost with these requests.
    pub(super) fn suspect_request_limit(&mut self, node: usize, requests: &VecDeque<Request>) {
        let is_large = requests.iter().any(|request| match &request.asked {
            Asked::Produce(entries, _) => {
                let sizes = entries.iter().filter_map(|entry| {
                    let partition = self.partition(entry.place)?;
                    let batch = partition.unacknowledged.get(partition.position(entry.ticket)?)?;
                    Some(batch.data.size())
                });
                sizes.sum::<usize>() > LARGE
            }
            // Lost once more before it was answered.
            Asked::RequestLimit(_) => true,
            _ => false,
        });
        if is_large && let Some(node) = self.nodes.get(node) {
            node.request_limit = RequestLimit::Wanted;
        }
    }

    /// Asks for the limit, unless that was done.
    pub(super) fn ask_request_limit(&mut self, node: usize, now: Instant) {
        let is_known = self.nodes.knows(node, DESCRIBE_CONFIGS);
        let version = self.nodes.version(node, DESCRIBE_CONFIGS);
        let Some(broker) = self.nodes.get(node) else { return };
        if broker.request_limit != RequestLimit::Wanted {
            return;
        }
        let id = broker.id;
        broker.request_limit = if is_known { RequestLimit::Asked } else { RequestLimit::Untold };
        if is_known {
            self.nodes.send(node, DESCRIBE_CONFIGS, version, Asked::RequestLimit(node), now, |body| {
                describe_configs::put_request(body, id, PROPERTY);
            });
        }
    }

    /// What the broker answers.
    pub(super) fn request_limit_told(&mut self, node: usize, error: i16, value: Option<String>) {
        let Some(node) = self.nodes.get(node) else { return };
        let value = value.filter(|_| error == 0).and_then(|value| value.trim().parse().ok());
        if value.is_none() {
            warn!(
                host = %node.host,
                port = node.port,
                "the connection was lost in a large request, and the broker does not tell {PROPERTY}, which may be the reason"
            );
        }
        node.request_limit = value.map_or(RequestLimit::Untold, RequestLimit::Told);
    }

    /// A batch is larger than its broker takes.
    pub(super) fn too_large_a_request(&mut self, place: Place, position: usize, node: usize) {
        let Some(partition) = self.partition(place) else { return };
        let Some(batch) = partition.unacknowledged.get(position) else { return };
        if batch.data.records > 1 {
            return self.split(place, position);
        }
        let size = batch.data.size();
        let origin = batch.data.first_record().and_then(|(_, origin)| origin).map(Box::new);
        let topic = self.topics.get(place.topic).map_or_else(String::new, |topic| topic.name.to_string());
        let Some(node) = self.nodes.get(node) else { return };
        let RequestLimit::Told(bytes) = node.request_limit else { return };
        let broker = format!("{}:{}", node.host, node.port);
        let limit = SizeLimit::SocketRequestMaxBytes { broker, bytes };
        self.failure.get_or_insert(Failure::TooLarge { topic, size, origin, limit });
    }
}
