//! What the brokers answer, and what is done when they do not.
//!
//! | answer | batch |
//! |---|---|
//! | success, DUPLICATE_SEQUENCE_NUMBER | durable |
//! | what passes (no leader, too few replicas, timeouts), or the connection is lost | again, after a back-off, with new metadata |
//! | OUT_OF_ORDER_SEQUENCE_NUMBER behind a batch that failed | again, behind that one |
//! | OUT_OF_ORDER_SEQUENCE_NUMBER, UNKNOWN_PRODUCER_ID, INVALID_PRODUCER_EPOCH otherwise | again under a new identity when no batch is in doubt; else the producer fails, and its owner starts again from what is durable |
//! | MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE | both halves again; a single record fails the producer |
//! | success with a throttle time (a quota of the broker) | durable; the broker gets no more for that long |
//! | the broker hangs up on a large request | its limit is asked for (`request_limit`) |
//! | anything else | the producer fails |
//!
//! A batch is in doubt when it was sent and the answer was lost or leaves open whether it is written.

use std::fmt::Display;
use std::time::{Duration, Instant};

use tracing::{debug, warn};

use crate::kafka::network::connect::ConnectError;
use crate::kafka::producer::Producer;
use crate::kafka::producer::failure::Failure;
use crate::kafka::producer::node::{Asked, Entry, Link, Place, Request, backoff};
use crate::kafka::producer::partition::Partition;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::wire::{Malformed, Reader};
use crate::kafka::protocol::{describe_configs, init_producer_id, metadata, produce};
use crate::kafka::size_limit::SizeLimit;

/// A broker answers a little after its own patience is over.
const MARGIN: Duration = Duration::from_secs(2);

impl Producer {
    pub(super) fn partition(&mut self, place: Place) -> Option<&mut Partition> {
        self.topics.get_mut(place.topic)?.partitions.get_mut(place.partition)
    }

    /// Takes the connections that were opened.
    pub(super) fn take_connected(&mut self, now: Instant) {
        while let Some((place, result)) = self.nodes.next_opened() {
            let Some(node) = self.nodes.get(place) else { continue };
            match result {
                Ok(connection) => {
                    debug!(host = %node.host, port = node.port, "connected to a kafka broker");
                    node.failures = 0;
                    node.link = Link::Up(Box::new(connection));
                }
                Err(ConnectError::Authentication { reason }) => {
                    let brokers = self.settings.brokers.clone();
                    self.failure.get_or_insert(Failure::Authentication { brokers, reason });
                }
                Err(error) => {
                    let reason = format!("{}:{}: {error}", node.host, node.port);
                    self.lose(place, &reason, now);
                }
            }
        }
    }

    /// Takes the answers that have come.
    pub(super) fn read(&mut self, now: Instant) {
        for place in 0..self.nodes.len() {
            while let Some(node) = self.nodes.get(place) {
                let Some(connection) = node.connection() else { break };
                let frame = match connection.read() {
                    Ok(Some(frame)) => frame,
                    Ok(None) => break,
                    Err(error) => {
                        self.lose_connection(place, &error, now);
                        break;
                    }
                };
                let mut body = Reader::new(&frame);
                let request = match (body.i32(), node.requests.pop_front()) {
                    (Ok(correlation), Some(request)) if correlation == request.correlation => request,
                    (_, request) => {
                        node.requests.extend(request);
                        self.lose_connection(place, &"the broker answers what was not asked", now);
                        break;
                    }
                };
                // The broker takes up the next one now.
                if let Some(next) = node.requests.front_mut() {
                    next.since = now;
                }
                if let Err((request, error)) = self.take(place, request, body, now) {
                    if let Some(node) = self.nodes.get(place) {
                        node.requests.push_front(request);
                    }
                    self.lose_connection(place, &error, now);
                    break;
                }
            }
        }
    }

    /// Takes an answer; the request comes back when it cannot be read.
    fn take(
        &mut self,
        node: usize,
        request: Request,
        mut body: Reader<'_>,
        now: Instant,
    ) -> Result<(), (Request, Malformed)> {
        match &request.asked {
            Asked::Metadata => match metadata::read_response(&mut body) {
                Ok(metadata) => self.learn(metadata, now),
                Err(error) => return Err((request, error)),
            },
            Asked::Identity => match init_producer_id::read_response(&mut body) {
                Ok((error, identity)) => match ErrorCode::check(error) {
                    Ok(()) => self.identity = Some(identity),
                    Err(code) if code.passes() => {
                        self.nodes.tell(&self.settings.brokers, &code);
                        self.identity_not_before = Some(now + self.settings.retry_backoff.1);
                    }
                    Err(code) => {
                        let brokers = self.settings.brokers.clone();
                        self.failure.get_or_insert(Failure::Identity { brokers, code });
                    }
                },
                Err(error) => return Err((request, error)),
            },
            Asked::RequestLimit(asked) => match describe_configs::read_response(&mut body) {
                Ok((error, value)) => self.request_limit_told(*asked, error, value),
                Err(error) => return Err((request, error)),
            },
            Asked::Coordinator
            | Asked::TransactionalIdentity
            | Asked::Join(_)
            | Asked::End
            | Asked::Owner => {
                if let Err(error) = self.take_of_coordinator(&request.asked, &mut body, now) {
                    return Err((request, error));
                }
            }
            Asked::Produce(entries, version) => {
                let mut answers = Vec::with_capacity(entries.len());
                match produce::read_response(&mut body, *version, |answer| answers.push(answer)) {
                    Ok(throttle) => self.nodes.throttle(node, throttle, now),
                    Err(error) => return Err((request, error)),
                }
                let mut answered = vec![false; entries.len()];
                for answer in answers {
                    let Some(topic) = self.names.get(answer.topic).copied() else { continue };
                    let Ok(partition) = usize::try_from(answer.partition) else { continue };
                    let place = Place { topic, partition };
                    let Ok(found) = entries.binary_search_by_key(&place, |entry| entry.place) else {
                        continue;
                    };
                    let (Some(entry), Some(done)) = (entries.get(found), answered.get_mut(found)) else {
                        continue;
                    };
                    *done = true;
                    self.answered(*entry, ErrorCode::check(answer.error), answer.message, now);
                }
                for (entry, _) in entries.iter().zip(answered).filter(|(_, done)| !done) {
                    self.answered(*entry, Err(ErrorCode::NETWORK_EXCEPTION), None, now);
                }
            }
        }
        Ok(())
    }

    /// What became of a batch.
    fn answered(
        &mut self,
        entry: Entry,
        outcome: Result<(), ErrorCode>,
        message: Option<&str>,
        now: Instant,
    ) {
        let place = entry.place;
        let idempotent = self.settings.idempotent;
        let Some(partition) = self.partition(place) else { return };
        let Some(position) = partition.position(entry.ticket) else { return };
        let Some(batch) = partition.unacknowledged.get_mut(position) else { return };
        batch.in_flight = false;
        let code = match outcome {
            Ok(()) | Err(ErrorCode::DUPLICATE_SEQUENCE_NUMBER) => return self.delivered(place, position),
            Err(code) => code,
        };
        batch.in_doubt |= code.leaves_doubt();
        let (attempts, records, first) = (batch.attempts, batch.data.records, position == 0);
        let size = batch.data.size();
        let identity_lost = matches!(
            code,
            ErrorCode::OUT_OF_ORDER_SEQUENCE_NUMBER
                | ErrorCode::UNKNOWN_PRODUCER_ID
                | ErrorCode::INVALID_PRODUCER_EPOCH
                | ErrorCode::INVALID_PRODUCER_ID_MAPPING
        );
        let too_large = matches!(code, ErrorCode::MESSAGE_TOO_LARGE | ErrorCode::RECORD_LIST_TOO_LARGE);
        let is_fenced = matches!(code, ErrorCode::INVALID_PRODUCER_EPOCH | ErrorCode::PRODUCER_FENCED);
        if is_fenced && self.transaction.is_some() {
            self.refused(code);
        } else if identity_lost && idempotent {
            if first {
                self.renewal.get_or_insert((place, code));
            }
            self.wait_again(place);
        } else if too_large && records > 1 {
            self.split(place, position);
        } else if code.passes() && attempts <= self.settings.retries {
            self.retry(place, now);
            let topic = self.topics.get(place.topic).map_or("", |topic| &topic.name);
            let reason = format!("partition {} of {topic}: {code}", place.partition);
            // A leader that moved is found without a word.
            if attempts > 2 {
                self.nodes.tell(&self.settings.brokers, &reason);
            } else {
                debug!("{reason}");
            }
        } else {
            let topic = self.topics.get(place.topic).map_or_else(String::new, |topic| topic.name.to_string());
            if let Some(message) = message {
                warn!(topic, partition = place.partition, "the broker refuses records: {message}");
            }
            let partition = self.partition(place);
            let first =
                partition.and_then(|partition| partition.unacknowledged.get(position)?.data.first_record());
            let (size, origin) = first.unwrap_or((size, None));
            self.failure.get_or_insert(if too_large {
                let limit = SizeLimit::MaxMessageBytes(message.map(str::to_owned));
                Failure::TooLarge { topic, size, origin: origin.map(Box::new), limit }
            } else {
                Failure::Refused { topic, size, code }
            });
        }
    }

    fn delivered(&mut self, place: Place, position: usize) {
        let Some(partition) = self.partition(place) else { return };
        let Some(batch) = partition.unacknowledged.remove(position) else { return };
        partition.proven = true;
        partition.failures = 0;
        partition.not_before = None;
        self.used -= batch.data.size();
        self.open_batches -= 1;
        self.deliveries.extend_from_slice(&batch.data.deliveries);
        let buffer = batch.data.into_buffer();
        self.keep(buffer);
        self.nodes.tell_success(&self.settings.brokers);
    }

    /// Lists a partition among those that wait to send.
    fn wait_again(&mut self, place: Place) {
        if let Some(partition) = self.partition(place)
            && !std::mem::replace(&mut partition.queued, true)
        {
            self.waiting.push_back(place);
        }
    }

    /// Sends a partition's batches again after a while.
    fn retry(&mut self, place: Place, now: Instant) {
        let limits = self.settings.retry_backoff;
        if let Some(partition) = self.partition(place) {
            partition.not_before = Some(now + backoff(limits, partition.failures));
            partition.failures = partition.failures.saturating_add(1);
        }
        self.metadata.want();
        self.wait_again(place);
    }

    pub(super) fn split(&mut self, place: Place, position: usize) {
        let level = self.settings.compression_level;
        let tickets = (self.tickets + 1, self.tickets + 2);
        self.tickets += 2;
        let Some(partition) = self.partition(place) else { return };
        let Some(batch) = partition.unacknowledged.get(position) else { return };
        let before = batch.data.size();
        match batch.data.split(level) {
            Some(halves) => {
                let after = halves.0.size() + halves.1.size();
                partition.replace(position, halves, tickets);
                self.used = self.used - before + after;
                self.open_batches += 1;
                self.wait_again(place);
            }
            None => {
                let topic =
                    self.topics.get(place.topic).map_or_else(String::new, |topic| topic.name.to_string());
                let limit = SizeLimit::MaxMessageBytes(None);
                self.failure.get_or_insert(Failure::TooLarge { topic, size: before, origin: None, limit });
            }
        }
    }

    /// The same for a connection that stood; one without unanswered requests is let go without a word, since brokers
    /// close what is idle.
    fn lose_connection(&mut self, place: usize, reason: &dyn Display, now: Instant) {
        let Some(node) = self.nodes.get(place) else { return };
        if node.requests.is_empty() {
            node.link = Link::Down(now);
            return;
        }
        let reason = format!("{}:{}: {reason}", node.host, node.port);
        self.lose(place, &reason, now);
    }

    /// Gives up a connection: everything that it carried is sent again.
    pub(super) fn lose(&mut self, place: usize, reason: &dyn Display, now: Instant) {
        let limits = self.settings.reconnect_backoff;
        let Some(node) = self.nodes.get(place) else { return };
        node.link = Link::Down(now + backoff(limits, node.failures));
        node.failures = node.failures.saturating_add(1);
        let requests = std::mem::take(&mut node.requests);
        self.suspect_request_limit(place, &requests);
        self.nodes.tell(&self.settings.brokers, reason);
        self.metadata.want();
        for request in requests {
            match request.asked {
                Asked::Metadata => self.metadata.lost(),
                Asked::Identity | Asked::RequestLimit(_) => {}
                Asked::Coordinator | Asked::TransactionalIdentity | Asked::End | Asked::Owner => {
                    self.judged(Err(ErrorCode::NETWORK_EXCEPTION), now);
                }
                Asked::Join(places) => self.join_again(places, now),
                Asked::Produce(entries, _) => {
                    for entry in entries {
                        self.answered(entry, Err(ErrorCode::NETWORK_EXCEPTION), None, now);
                    }
                }
            }
        }
    }

    /// Gives up what takes too long.
    pub(super) fn expire(&mut self, now: Instant) {
        let limit = self.settings.request_timeout + MARGIN;
        for place in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(place) else { continue };
            let oldest = node.requests.front().map(|request| request.since.max(node.throttled_until));
            if oldest.is_some_and(|since| now.saturating_duration_since(since) > limit) {
                let reason = format!("{}:{}: no answer within {} s", node.host, node.port, limit.as_secs());
                self.lose(place, &reason, now);
            }
        }
        let Some(timeout) = self.settings.delivery_timeout else { return };
        for topic in &self.topics {
            let late = topic.partitions.iter().any(|partition| {
                let oldest = partition.unacknowledged.front();
                oldest.is_some_and(|batch| now.saturating_duration_since(batch.data.created) > timeout)
            });
            if late {
                self.failure.get_or_insert(Failure::Expired { topic: topic.name.to_string(), timeout });
            }
        }
    }

    /// Once nothing is in flight under an identity that is of no use any more, asks for another, or fails when it is
    /// not known what was written under the old one.
    pub(super) fn renew_identity(&mut self) {
        let Some((place, code)) = self.renewal else { return };
        let mut batches =
            self.topics.iter().flat_map(|topic| &topic.partitions).flat_map(|one| &one.unacknowledged);
        if batches.clone().any(|batch| batch.in_flight) {
            return;
        }
        let topic = self.topics.get(place.topic).map_or_else(String::new, |topic| topic.name.to_string());
        // In a transaction nothing can be sent anew: the next producer begins another one.
        if self.transaction.is_some() || batches.any(|batch| batch.in_doubt) {
            self.failure.get_or_insert(Failure::SequenceLost { topic, partition: place.partition, code });
            return;
        }
        warn!(topic, partition = place.partition, "the producer takes another identity: {code}");
        self.renewal = None;
        self.identity = None;
        for partition in self.topics.iter_mut().flat_map(|topic| &mut topic.partitions) {
            partition.restart_sequence();
        }
    }

    /// Writes what the sockets take.
    pub(super) fn write(&mut self, now: Instant) {
        for place in 0..self.nodes.len() {
            let Some(connection) = self.nodes.get(place).and_then(|node| node.connection()) else { continue };
            if connection.has_output()
                && let Err(error) = connection.write()
            {
                self.lose_connection(place, &error, now);
            }
        }
    }
}
