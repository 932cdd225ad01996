//! What the delivery reports of the producer leave behind.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rdkafka::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{DeliveryResult, Message};
use rdkafka::producer::ProducerContext;

use crate::kafka::client_events::ClientEvents;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::in_flight::DeliveryCounters;

/// What a message that is no record carries instead of the number of a batch: an offset, or a history record.
pub(super) const NO_BATCH: usize = usize::MAX;

/// A record that was refused or given up.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) topic: String,
    pub(super) size: usize,
    pub(super) error: KafkaError,
}

impl Failure {
    pub(super) fn to_error(&self) -> KafkaHomeError {
        let Failure { topic, size, error } = self.clone();
        match error.rdkafka_error_code() {
            Some(RDKafkaErrorCode::MessageSizeTooLarge | RDKafkaErrorCode::InvalidMessageSize) => {
                KafkaHomeError::RecordTooLarge { topic, size }
            }
            _ => KafkaHomeError::Delivery { topic, size, source: error },
        }
    }
}

/// The producer's context: counts deliveries and keeps the first failure.
#[derive(Debug)]
pub(super) struct Deliveries {
    events: ClientEvents,
    counters: Option<Arc<DeliveryCounters>>,
    others: AtomicU32,
    reports: AtomicU64,
    failed: AtomicBool,
    failure: Mutex<Option<Failure>>,
}

impl Deliveries {
    /// `counters` is for producers that publish batches.
    pub(super) fn new(brokers: &str, counters: Option<Arc<DeliveryCounters>>) -> Self {
        Deliveries {
            events: ClientEvents::new(brokers),
            counters,
            others: AtomicU32::new(0),
            reports: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Keeps a failure, unless one came before it.
    pub(super) fn fail(&self, failure: Failure) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        self.failed.store(true, Ordering::Release);
    }

    /// The first failure, as often as it is asked for: nothing may be published after it.
    pub(super) fn check(&self) -> Result<(), KafkaHomeError> {
        if !self.failed.load(Ordering::Acquire) {
            return Ok(());
        }
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.as_ref().map_or(Ok(()), |failure| Err(failure.to_error()))
    }

    /// Reports taken so far, of any outcome: a poll that leaves it unchanged found none.
    pub(super) fn reports(&self) -> u64 {
        self.reports.load(Ordering::Relaxed)
    }

    /// Deliveries without a batch since the last call.
    pub(super) fn take_others(&self) -> u32 {
        self.others.swap(0, Ordering::Relaxed)
    }
}

impl ClientContext for Deliveries {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        self.events.log(level, facility, message);
    }

    fn stats_raw(&self, _: &[u8]) {}

    fn error(&self, error: KafkaError, reason: &str) {
        self.events.error(error, reason);
    }
}

impl ProducerContext for Deliveries {
    type DeliveryOpaque = usize;

    fn delivery(&self, result: &DeliveryResult<'_>, batch: usize) {
        self.reports.fetch_add(1, Ordering::Relaxed);
        match result {
            Ok(_) => match &self.counters {
                Some(counters) if batch != NO_BATCH => counters.delivered(batch),
                _ => {
                    self.others.fetch_add(1, Ordering::Relaxed);
                }
            },
            Err((error, message)) => self.fail(Failure {
                topic: message.topic().to_owned(),
                size: message.key().map_or(0, <[u8]>::len) + message.payload().map_or(0, <[u8]>::len),
                error: error.clone(),
            }),
        }
    }
}
