//! What is asked of the coordinator of transactions, one thing at a time, and what its answers mean.
//!
//! | answer of the coordinator | what is done |
//! |---|---|
//! | NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE, or the connection is lost | it is looked for again |
//! | CONCURRENT_TRANSACTIONS, COORDINATOR_LOAD_IN_PROGRESS, what passes | asked again after a while |
//! | PRODUCER_FENCED, INVALID_PRODUCER_EPOCH | the producer fails for good; but where its transaction was open for longer than `transaction.timeout.ms`, the coordinator may have ended it by itself: see below |
//! | anything else | the producer fails |
//!
//! A coordinator that ends a transaction for its age takes the next epoch for that, and so does one that ends it for a new
//! producer, which then gets an epoch of its own, the one after. So the epoch that DescribeTransactions tells says whether
//! somebody has taken over: then it stays so; else the owner starts again. Brokers before 3.0 do not tell, and the owner starts.
//!
//! The requests are those of before KIP-890, which brokers from 2.1 to 4.3 take.

use std::time::Instant;

use crate::kafka::producer::Producer;
use crate::kafka::producer::failure::Failure;
use crate::kafka::producer::node::{Asked, Place};
use crate::kafka::producer::partition::Membership;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::init_producer_id::ProducerIdentity;
use crate::kafka::protocol::metadata::BrokerMetadata;
use crate::kafka::protocol::wire::{Malformed, Reader};
use crate::kafka::protocol::{
    ADD_PARTITIONS_TO_TXN, DESCRIBE_TRANSACTIONS, END_TXN, FIND_COORDINATOR, INIT_PRODUCER_ID,
    add_partitions_to_txn, describe_transactions, end_txn, find_coordinator, init_producer_id,
};

/// What passes here though Java does not call it retriable.
fn passes(code: ErrorCode) -> bool {
    code.passes() || matches!(code, ErrorCode::CONCURRENT_TRANSACTIONS | ErrorCode::OPERATION_NOT_ATTEMPTED)
}

impl Producer {
    /// Asks the coordinator for what is missing, one thing at a time.
    pub(super) fn ask_coordinator(&mut self, now: Instant) {
        let Some(transaction) = &self.transaction else { return };
        let is_missing = self.identity.is_none() || transaction.is_busy();
        let is_asked = self.nodes.all().flat_map(|node| &node.requests).any(|request| {
            matches!(
                request.asked,
                Asked::Coordinator
                    | Asked::TransactionalIdentity
                    | Asked::Join(_)
                    | Asked::End
                    | Asked::Owner
            )
        });
        if !is_missing || is_asked || transaction.not_before.is_some_and(|instant| now < instant) {
            return;
        }
        let Some(coordinator) = transaction.coordinator else { return self.look_for_coordinator(now) };
        let Some(node) = self.nodes.position(coordinator) else { return self.look_for_coordinator(now) };
        if self.nodes.get(node).is_none_or(|node| !node.is_up()) {
            // A coordinator that does not come back has a successor.
            let gone = self.nodes.get(node).is_some_and(|node| node.failures > 0);
            self.nodes.open(node, now);
            if gone && let Some(transaction) = &mut self.transaction {
                transaction.coordinator = None;
            }
            return;
        }
        let Some(transaction) = &mut self.transaction else { return };
        let id = transaction.id.clone();
        let Some(identity) = self.identity else {
            let timeout = i32::try_from(transaction.timeout.as_millis()).unwrap_or(i32::MAX);
            let version = self.nodes.version(node, INIT_PRODUCER_ID);
            self.nodes.send(node, INIT_PRODUCER_ID, version, Asked::TransactionalIdentity, now, |body| {
                init_producer_id::put_request(body, Some(&id), timeout);
            });
            return;
        };
        if transaction.is_over || transaction.is_unsure {
            return self.ask_for_owner(node, now);
        }
        if transaction.joining.is_empty() {
            let version = self.nodes.version(node, END_TXN);
            self.nodes.send(node, END_TXN, version, Asked::End, now, |body| {
                end_txn::put_commit(body, &id, identity);
            });
            return;
        }
        let mut places = std::mem::take(&mut transaction.joining);
        places.sort_unstable();
        let topics: Vec<(&str, Vec<i32>)> = places
            .chunk_by(|one, other| one.topic == other.topic)
            .filter_map(|places| {
                let topic = self.topics.get(places.first()?.topic)?;
                let partitions = places.iter().filter_map(|place| i32::try_from(place.partition).ok());
                Some((&*topic.name, partitions.collect()))
            })
            .collect();
        let version = self.nodes.version(node, ADD_PARTITIONS_TO_TXN);
        self.nodes.send(node, ADD_PARTITIONS_TO_TXN, version, Asked::Join(places), now, |body| {
            add_partitions_to_txn::put_request(body, &id, identity, &topics);
        });
    }

    /// Takes an answer of the coordinator, or about who it is.
    pub(super) fn take_of_coordinator(
        &mut self,
        asked: &Asked,
        body: &mut Reader<'_>,
        now: Instant,
    ) -> Result<(), Malformed> {
        match asked {
            Asked::Coordinator => {
                let (error, broker) = find_coordinator::read_response(body)?;
                self.coordinator_found(error, broker, now);
            }
            Asked::TransactionalIdentity => {
                let (error, identity) = init_producer_id::read_response(body)?;
                if self.judged(ErrorCode::check(error), now) {
                    self.identity = Some(identity);
                }
            }
            Asked::Join(places) => {
                let mut answers = Vec::with_capacity(places.len());
                add_partitions_to_txn::read_response(body, |topic, partition, error| {
                    let topic = self.names.get(topic).copied();
                    if let (Some(topic), Ok(partition)) = (topic, usize::try_from(partition)) {
                        answers.push((Place { topic, partition }, error));
                    }
                })?;
                self.joined(places, &answers, now);
            }
            Asked::Owner => {
                let (error, owner) = describe_transactions::read_response(body)?;
                self.owner_told(error, owner, now);
            }
            Asked::End => self.ended(end_txn::read_response(body)?, now),
            Asked::Produce(..) | Asked::Metadata | Asked::Identity | Asked::RequestLimit(_) => {}
        }
        Ok(())
    }

    fn ask_for_owner(&mut self, node: usize, now: Instant) {
        let Some(transaction) = &mut self.transaction else { return };
        if self.nodes.knows(node, DESCRIBE_TRANSACTIONS) {
            self.nodes.send(node, DESCRIBE_TRANSACTIONS, 0, Asked::Owner, now, |body| {
                describe_transactions::put_request(body, &transaction.id);
            });
        } else if !transaction.is_over {
            transaction.is_unsure = false;
        } else {
            self.failure.get_or_insert(transaction.timed_out());
        }
    }

    /// Whose the transactional id is now.
    fn owner_told(&mut self, error: i16, owner: ProducerIdentity, now: Instant) {
        if !self.judged(ErrorCode::check(error), now) {
            return;
        }
        let Some(transaction) = &mut self.transaction else { return };
        if self.identity == Some(owner) && !transaction.is_over {
            transaction.is_unsure = false;
            return;
        }
        let ended_for_its_age = self
            .identity
            .is_some_and(|own| own.id == owner.id && own.epoch.checked_add(1) == Some(owner.epoch));
        let failure = match ended_for_its_age {
            true => transaction.timed_out(),
            false => Failure::Fenced { id: transaction.id.clone() },
        };
        self.failure.get_or_insert(failure);
    }

    fn look_for_coordinator(&mut self, now: Instant) {
        let Some(transaction) = &self.transaction else { return };
        let Some(node) = self.nodes.any(now) else { return };
        let version = self.nodes.version(node, FIND_COORDINATOR);
        self.nodes.send(node, FIND_COORDINATOR, version, Asked::Coordinator, now, |body| {
            find_coordinator::put_request(body, find_coordinator::TRANSACTION, &transaction.id);
        });
    }

    /// The coordinator is found, or not.
    fn coordinator_found(&mut self, error: i16, broker: BrokerMetadata, now: Instant) {
        if self.judged(ErrorCode::check(error), now) {
            let id = broker.id;
            if let Some(moved) = self.nodes.know(broker) {
                self.lose(moved, &"the broker has another address now", now);
            }
            if let Some(transaction) = &mut self.transaction {
                transaction.coordinator = Some(id);
            }
        }
    }

    /// What the coordinator says about partitions that were to join.
    fn joined(&mut self, places: &[Place], answers: &[(Place, i16)], now: Instant) {
        let mut worst = None;
        for place in places {
            let answer = answers.iter().find(|(answered, _)| answered == place);
            let code = answer.map_or(Err(ErrorCode::NETWORK_EXCEPTION), |(_, code)| ErrorCode::check(*code));
            match (code, &mut self.transaction) {
                (Ok(()), Some(transaction)) => {
                    transaction.joined.push(*place);
                    if let Some(partition) = self.partition(*place) {
                        partition.membership = Membership::Inside;
                    }
                }
                (Err(code), Some(transaction)) => {
                    transaction.joining.push(*place);
                    let other = |code| code == ErrorCode::OPERATION_NOT_ATTEMPTED;
                    worst = worst.filter(|worst| !other(*worst)).or(Some(code));
                    if code == ErrorCode::UNKNOWN_TOPIC_OR_PARTITION {
                        self.metadata.want();
                    }
                }
                (_, None) => {}
            }
        }
        self.judged(worst.map_or(Ok(()), Err), now);
    }

    /// Partitions have to be asked for again: nobody has answered.
    pub(super) fn join_again(&mut self, places: Vec<Place>, now: Instant) {
        if let Some(transaction) = &mut self.transaction {
            transaction.joining.extend(places);
        }
        self.judged(Err(ErrorCode::NETWORK_EXCEPTION), now);
    }

    /// The transaction is ended, or not.
    fn ended(&mut self, error: i16, now: Instant) {
        if !self.judged(ErrorCode::check(error), now) {
            return;
        }
        let Some(transaction) = &mut self.transaction else { return };
        transaction.ending = false;
        transaction.since = None;
        for place in std::mem::take(&mut transaction.joined) {
            if let Some(partition) = self.partition(place) {
                partition.membership = Membership::Outside;
            }
        }
    }

    /// Whether an answer is a success; else it is asked again, or the producer fails.
    pub(super) fn judged(&mut self, outcome: Result<(), ErrorCode>, now: Instant) -> bool {
        let limits = self.settings.retry_backoff;
        let Some(transaction) = &mut self.transaction else { return false };
        match outcome {
            Ok(()) => {
                transaction.succeeded();
                return true;
            }
            Err(code) if passes(code) => {
                transaction.postpone(now, limits, code);
                // The transaction before takes its moment to end, without a word.
                if transaction.failures > 10 {
                    let reason = format!("transaction coordinator of {}: {code}", transaction.id);
                    self.nodes.tell(&self.settings.brokers, &reason);
                }
            }
            Err(code) => self.refused(code),
        }
        false
    }

    /// A transaction cannot go on.
    pub(super) fn refused(&mut self, code: ErrorCode) {
        if let Some(failure) = self.transaction.as_mut().and_then(|transaction| transaction.refused(code)) {
            self.failure.get_or_insert(failure);
        }
    }
}
