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
//! What is asked of the coordinator, and what its answers mean, is in `coordinator`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rdkafka::config::ClientConfig;

use crate::fail_point::fail_point;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::producer::Producer;
use crate::kafka::producer::failure::Failure;
use crate::kafka::producer::node::{Place, backoff};
use crate::kafka::protocol::error_code::ErrorCode;

/// The transaction before is ended within this; Java waits as long.
const SHORTLY: Duration = Duration::from_millis(20);

/// What a transactional producer keeps beside its identity.
pub(super) struct Transaction {
    /// `transactional.id`.
    pub(super) id: String,
    pub(super) timeout: Duration,
    /// `node.id` of the coordinator.
    pub(super) coordinator: Option<i32>,
    /// Nothing is asked before this.
    pub(super) not_before: Option<Instant>,
    /// Failures in a row.
    pub(super) failures: u32,
    /// Partitions that have to join.
    pub(super) joining: Vec<Place>,
    /// Partitions that have joined.
    pub(super) joined: Vec<Place>,
    /// When the first partition was asked for.
    pub(super) since: Option<Instant>,
    /// Everything is acknowledged: it is to be ended.
    pub(super) ending: bool,
    /// It is over, and to be seen whether somebody has taken over.
    pub(super) is_over: bool,
    /// None is open, and to be seen whether somebody has taken over.
    pub(super) is_unsure: bool,
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
            is_unsure: false,
        }
    }

    /// Whether the coordinator has something to do, or will have.
    pub(super) fn is_busy(&self) -> bool {
        self.ending || self.is_over || self.is_unsure || !self.joining.is_empty()
    }

    /// A partition has a batch and is not in the transaction yet.
    pub(super) fn join(&mut self, place: Place, now: Instant) {
        self.since.get_or_insert(now);
        self.joining.push(place);
    }

    pub(super) fn postpone(&mut self, now: Instant, (first, last): (Duration, Duration), code: ErrorCode) {
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

    pub(super) fn succeeded(&mut self) {
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

    pub(super) fn timed_out(&self) -> Failure {
        Failure::TransactionTimedOut { id: self.id.clone(), timeout: self.timeout }
    }
}

impl Producer {
    /// A producer with a `transactional.id`: what is appended belongs to a transaction that `commit` ends. `take_over` has to
    /// be called first.
    pub fn transactional(
        client: &ClientConfig,
        transactional_id: &str,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, KafkaHomeError> {
        let mut producer = Self::new(client, stop)?;
        if !producer.settings.idempotent {
            return Err(KafkaHomeError::UnusableProperty {
                property: "enable.idempotence".to_owned(),
                reason: "transactions need an idempotent producer".to_owned(),
                remedy: Some("remove the property"),
            });
        }
        let timeout = producer.settings.transaction_timeout;
        producer.transaction = Some(Transaction::new(transactional_id.to_owned(), timeout));
        Ok(producer)
    }

    /// `transaction.timeout.ms`.
    pub fn transaction_timeout(&self) -> Duration {
        self.settings.transaction_timeout
    }

    /// Takes over from whoever had the `transactional.id` before: what that one had not committed is gone when this returns,
    /// and it can commit nothing any more. Gives up after `patience`.
    pub fn take_over(&mut self, patience: Duration) -> Result<(), KafkaHomeError> {
        let began = Instant::now();
        self.serve(true)?;
        while self.transaction.is_some() && self.identity.is_none() {
            if began.elapsed() > patience {
                self.refused(ErrorCode::COORDINATOR_NOT_AVAILABLE);
                return self.check();
            }
            self.wait()?;
        }
        Ok(())
    }

    /// Returns when everything that was appended is durable and visible to readers of what is committed.
    pub fn commit(&mut self) -> Result<(), KafkaHomeError> {
        self.flush()?;
        fail_point("all-acknowledged");
        let Some(transaction) = &mut self.transaction else { return Ok(()) };
        transaction.ending = !transaction.joined.is_empty();
        self.serve(true)?;
        fail_point("commit-asked");
        while self.transaction.as_ref().is_some_and(|transaction| transaction.ending) {
            self.wait()?;
        }
        Ok(())
    }

    /// Fails where somebody has taken over, though nothing is to be committed. Brokers before 3.0 cannot be asked.
    pub fn assure_ownership(&mut self) -> Result<(), KafkaHomeError> {
        let Some(transaction) = &mut self.transaction else { return Ok(()) };
        transaction.is_unsure = transaction.joined.is_empty() && transaction.joining.is_empty();
        self.serve(true)?;
        while self.transaction.as_ref().is_some_and(|transaction| transaction.is_unsure) {
            self.wait()?;
        }
        Ok(())
    }
}
