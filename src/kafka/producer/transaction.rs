//! Kafka transactions: what is published between two commits becomes visible at once, or never.
//!
//! ```text
//! FindCoordinator ─▶ InitProducerId ─▶ (AddPartitionsToTxn ─▶ Produce)… ─▶ all acknowledged ─▶ EndTxn ─▶ …
//! ```
//!
//! A transaction begins with the first batch that waits: its partition joins, which the coordinator has to know before the
//! leader gets records. `commit` waits until everything is acknowledged and then ends it. There is no giving up: whatever
//! cannot be committed fails the producer, and the next one of the same `transactional.id` ends what this one had begun when it
//! asks for its identity. From then on the brokers take nothing from this one: it is *fenced*, however long it slept.
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

use std::time::{Duration, Instant};

use crate::kafka::error::KafkaHomeError;
use crate::kafka::producer::Producer;
use crate::kafka::producer::failure::Failure;
use crate::kafka::producer::node::{Asked, Place, backoff};
use crate::kafka::producer::partition::Membership;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::protocol::init_producer_id::ProducerIdentity;
use crate::kafka::protocol::metadata::BrokerMetadata;
use crate::kafka::protocol::{
    ADD_PARTITIONS_TO_TXN, DESCRIBE_TRANSACTIONS, END_TXN, FIND_COORDINATOR, INIT_PRODUCER_ID,
    add_partitions_to_txn, describe_transactions, end_txn, find_coordinator, init_producer_id,
};

/// The transaction before is ended within this; Java waits as long.
const SHORTLY: Duration = Duration::from_millis(20);

/// What a transactional producer keeps beside its identity.
pub(super) struct Transaction {
    /// `transactional.id`.
    pub(super) id: String,
    timeout: Duration,
    /// `node.id` of the coordinator.
    coordinator: Option<i32>,
    /// Nothing is asked before this.
    not_before: Option<Instant>,
    /// Failures in a row.
    failures: u32,
    /// Partitions that have to join.
    joining: Vec<Place>,
    /// Partitions that have joined.
    joined: Vec<Place>,
    /// When the first partition was asked for.
    since: Option<Instant>,
    /// Everything is acknowledged: it is to be ended.
    ending: bool,
    /// It is over, and to be seen whether somebody has taken over.
    is_over: bool,
}

impl Transaction {
    pub(super) fn new(id: String, timeout: Duration) -> Self {
        Transaction {
            id,
            timeout,
            coordinator: None,
            not_before: None,
            failures: 0,
            joining: Vec::new(),
            joined: Vec::new(),
            since: None,
            ending: false,
            is_over: false,
        }
    }

    /// Whether the coordinator has something to do, or will have.
    pub(super) fn is_busy(&self) -> bool {
        self.ending || self.is_over || !self.joining.is_empty()
    }

    /// A partition has a batch and is not in the transaction yet.
    pub(super) fn join(&mut self, place: Place, now: Instant) {
        self.since.get_or_insert(now);
        self.joining.push(place);
    }

    fn postpone(&mut self, now: Instant, (first, last): (Duration, Duration), code: ErrorCode) {
        let wait = match code {
            ErrorCode::CONCURRENT_TRANSACTIONS => SHORTLY,
            _ => backoff((first, last), self.failures),
        };
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(now + wait);
        if matches!(
            code,
            ErrorCode::NOT_COORDINATOR | ErrorCode::COORDINATOR_NOT_AVAILABLE | ErrorCode::NETWORK_EXCEPTION
        ) {
            self.coordinator = None;
        }
    }

    fn succeeded(&mut self) {
        self.failures = 0;
        self.not_before = None;
    }

    /// What a refusal for good means; none yet where that is still to be asked.
    pub(super) fn refused(&mut self, code: ErrorCode) -> Option<Failure> {
        let id = self.id.clone();
        if !matches!(code, ErrorCode::PRODUCER_FENCED | ErrorCode::INVALID_PRODUCER_EPOCH) {
            return Some(Failure::Transaction { id, code });
        }
        self.is_over = self.since.is_some_and(|since| since.elapsed() >= self.timeout);
        (!self.is_over).then_some(Failure::Fenced { id })
    }

    fn timed_out(&self) -> Failure {
        Failure::TransactionTimedOut { id: self.id.clone(), timeout: self.timeout }
    }
}

/// What passes here though Java does not call it retriable.
fn passes(code: ErrorCode) -> bool {
    code.passes() || matches!(code, ErrorCode::CONCURRENT_TRANSACTIONS | ErrorCode::OPERATION_NOT_ATTEMPTED)
}

impl Producer {
    /// Takes over from whoever had the `transactional.id` before: what that one had not committed is gone when this returns,
    /// and it can commit nothing any more. Gives up after `patience`.
    pub fn take_over(&mut self, patience: Duration) -> Result<(), KafkaHomeError> {
        let began = Instant::now();
        self.serve(true)?;
        while self.transaction.is_some() && self.identity.is_none() {
            if began.elapsed() > patience {
                let transaction = self.transaction.as_mut();
                let failure = transaction.and_then(|one| one.refused(ErrorCode::COORDINATOR_NOT_AVAILABLE));
                return failure.map_or(Ok(()), |failure| self.fail(failure));
            }
            self.wait()?;
        }
        Ok(())
    }

    /// Returns when everything that was appended is durable and visible to readers of what is committed.
    pub fn commit(&mut self) -> Result<(), KafkaHomeError> {
        self.serve(true)?;
        while !self.is_empty() {
            self.wait()?;
            self.serve(true)?;
        }
        let Some(transaction) = &mut self.transaction else { return Ok(()) };
        transaction.ending = !transaction.joined.is_empty();
        self.serve(true)?;
        while self.transaction.as_ref().is_some_and(|transaction| transaction.ending) {
            self.wait()?;
        }
        Ok(())
    }

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
        if transaction.is_over {
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

    fn ask_for_owner(&mut self, node: usize, now: Instant) {
        let Some(transaction) = &self.transaction else { return };
        if self.nodes.knows(node, DESCRIBE_TRANSACTIONS) {
            self.nodes.send(node, DESCRIBE_TRANSACTIONS, 0, Asked::Owner, now, |body| {
                describe_transactions::put_request(body, &transaction.id);
            });
        } else {
            self.failure.get_or_insert(transaction.timed_out());
        }
    }

    /// Whose the transactional id is now.
    pub(super) fn owner_told(&mut self, error: i16, owner: ProducerIdentity, now: Instant) {
        if !self.judged(ErrorCode::check(error), now) {
            return;
        }
        let Some(transaction) = &self.transaction else { return };
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
            find_coordinator::put_request(body, &transaction.id);
        });
    }

    /// The coordinator is found, or not.
    pub(super) fn coordinator_found(&mut self, error: i16, broker: BrokerMetadata, now: Instant) {
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
    pub(super) fn joined(&mut self, places: &[Place], answers: &[(Place, i16)], now: Instant) {
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
    pub(super) fn ended(&mut self, error: i16, now: Instant) {
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
