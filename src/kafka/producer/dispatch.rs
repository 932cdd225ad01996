//! Waiting batches into requests.
//!
//! The partitions that wait are gone through in turn. Each gives at most one batch to the request of its leader, until
//! that is as large as `max.request.size` allows or the broker owes as many answers as it may; then the next round. So a
//! request holds one large batch, or many small ones.

use std::sync::Arc;
use std::time::Instant;

use crate::kafka::network::connection::Piece;
use crate::kafka::producer::Producer;
use crate::kafka::producer::node::{Asked, Entry, Place, Request};
use crate::kafka::producer::partition::Membership;
use crate::kafka::protocol::PRODUCE;
use crate::kafka::protocol::init_producer_id::ProducerIdentity;
use crate::kafka::protocol::produce::{put_head, put_partition, put_topic};
use crate::kafka::protocol::wire::{begin_request, end_request};

/// Smaller batches are copied into the request: a piece of its own would cost more.
const COPIED: usize = 8 << 10;

/// A request that is being put together.
#[derive(Default)]
struct Draft {
    entries: Vec<Load>,
    size: usize,
}

/// A batch in a request.
type Load = (Entry, Arc<Vec<u8>>);

impl Producer {
    /// Sends what may be sent now.
    pub(super) fn dispatch(&mut self, now: Instant) {
        if self.waiting.is_empty() || self.renewal.is_some() {
            return;
        }
        let identity = match (self.settings.idempotent, self.identity) {
            (true, None) => return,
            (true, Some(identity)) => identity,
            (false, _) => ProducerIdentity::NONE,
        };
        loop {
            let mut drafts: Vec<Draft> = (0..self.nodes.len()).map(|_| Draft::default()).collect();
            for _ in 0..self.waiting.len() {
                let Some(place) = self.waiting.pop_front() else { break };
                self.offer(place, identity, now, &mut drafts);
                if let Some(partition) = self.partition(place) {
                    partition.queued = partition.has_waiting();
                    if partition.queued {
                        self.waiting.push_back(place);
                    }
                }
            }
            let mut sent = false;
            for (node, draft) in drafts.into_iter().enumerate().filter(|(_, draft)| draft.size > 0) {
                sent = true;
                self.send_batches(node, draft, now);
            }
            if !sent {
                return;
            }
        }
    }

    /// Puts the next batch of a partition into the request of its leader, if it may go now.
    fn offer(&mut self, place: Place, identity: ProducerIdentity, now: Instant, drafts: &mut [Draft]) {
        let Some(leader) = self.partition(place).and_then(|partition| partition.leader) else {
            self.metadata.want();
            return;
        };
        let Some(node) = self.nodes.position(leader) else {
            self.metadata.want();
            return;
        };
        let settings = &self.settings;
        match self.nodes.get(node) {
            Some(broker) if broker.is_up() => {
                if broker.throttled_until > now || broker.produce_requests() >= settings.max_in_flight {
                    return;
                }
                if broker.request_limit.is_sought() {
                    self.ask_request_limit(node, now);
                    return;
                }
            }
            _ => {
                self.nodes.open(node, now);
                return;
            }
        }
        let at_most = if settings.idempotent { settings.max_in_flight } else { 1 };
        let allowed = self.nodes.get(node).and_then(|node| node.request_limit.bytes());
        let limit = settings.max_request_size.min(allowed.unwrap_or(usize::MAX));
        let Some(draft) = drafts.get_mut(node) else { return };
        let Some(partition) =
            self.topics.get_mut(place.topic).and_then(|topic| topic.partitions.get_mut(place.partition))
        else {
            return;
        };
        if let Some(transaction) = &mut self.transaction
            && partition.membership != Membership::Inside
        {
            if partition.membership == Membership::Outside {
                partition.membership = Membership::Joining;
                transaction.join(place, now);
            }
            return;
        }
        let Some(next) = partition.next_to_send(now, node, at_most) else { return };
        let Some(batch) = partition.unacknowledged.get_mut(next) else { return };
        if allowed.is_some_and(|allowed| batch.data.size() > allowed) {
            self.too_large_a_request(place, next, node);
            return;
        }
        if draft.size > 0 && draft.size + batch.data.size() > limit {
            return;
        }
        let sequence = if settings.idempotent { batch.sequence } else { -1 };
        let bytes = batch.data.seal(identity, sequence, self.transaction.is_some());
        batch.in_flight = true;
        batch.attempts = batch.attempts.saturating_add(1);
        partition.asked = Some(node);
        draft.size += bytes.len();
        draft.entries.push((Entry { place, ticket: batch.ticket }, bytes));
    }

    fn send_batches(&mut self, node: usize, mut draft: Draft, now: Instant) {
        // Partitions of a topic stand together, and answers find theirs by searching.
        draft.entries.sort_unstable_by_key(|(entry, _)| entry.place);
        let Some(node) = self.nodes.get(node) else { return };
        let Some(connection) = node.connection() else { return };
        let version = connection.versions().produce();
        let correlation = connection.next_correlation();
        let groups: Vec<&[Load]> =
            draft.entries.chunk_by(|(one, _), (other, _)| one.place.topic == other.place.topic).collect();
        let mut pieces = Vec::new();
        let mut piece = begin_request(PRODUCE, version, correlation, &self.settings.connection.client_id);
        let patience = i32::try_from(self.settings.request_timeout.as_millis()).unwrap_or(i32::MAX);
        let transaction = self.transaction.as_ref().map(|transaction| transaction.id.as_str());
        put_head(&mut piece, transaction, self.settings.acks, patience, groups.len());
        for group in groups {
            let topic = group.first().and_then(|(entry, _)| self.topics.get(entry.place.topic));
            put_topic(&mut piece, topic.map_or("", |topic| &topic.name), group.len());
            for (entry, bytes) in group {
                put_partition(&mut piece, i32::try_from(entry.place.partition).unwrap_or(-1), bytes.len());
                if bytes.len() <= COPIED {
                    piece.extend_from_slice(bytes);
                } else {
                    pieces.push(Piece::Owned(std::mem::take(&mut piece)));
                    pieces.push(Piece::Shared(Arc::clone(bytes)));
                }
            }
        }
        if !piece.is_empty() {
            pieces.push(Piece::Owned(piece));
        }
        let (first, rest) = pieces.split_at_mut(1);
        if let Some(Piece::Owned(frame)) = first.first_mut() {
            end_request(frame, rest.iter().map(Piece::size).sum());
        }
        for piece in pieces {
            connection.queue(piece);
        }
        let entries = draft.entries.into_iter().map(|(entry, _)| entry).collect();
        node.requests.push_back(Request { correlation, asked: Asked::Produce(entries, version), since: now });
    }
}
