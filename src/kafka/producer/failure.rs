//! What a producer fails with for good, kept so that every later call tells the same.

use std::time::Duration;

use crate::event::record_origin::RecordOrigin;
use crate::kafka::error::KafkaHomeError;
use crate::kafka::lease::Holding;
use crate::kafka::producer::Producer;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::size_limit::SizeLimit;

/// See `KafkaHomeError` for each.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    TooLarge { topic: String, size: usize, origin: Option<Box<RecordOrigin>>, limit: SizeLimit },
    Refused { topic: String, size: usize, code: ErrorCode },
    Expired { topic: String, timeout: Duration },
    Topic { topic: String, code: ErrorCode },
    NoPartition { topic: String, partition: i32, partitions: usize },
    Identity { brokers: String, code: ErrorCode },
    SequenceLost { topic: String, partition: usize, code: ErrorCode },
    Authentication { brokers: String, reason: String },
    Compression { topic: String },
    Fenced { id: String },
    TransactionTimedOut { id: String, timeout: Duration },
    Transaction { id: String, code: ErrorCode },
}

impl Failure {
    pub(super) fn to_error(&self) -> KafkaHomeError {
        match self.clone() {
            Failure::TooLarge { topic, size, origin, limit } => {
                KafkaHomeError::RecordTooLarge { topic, size, origin, limit }
            }
            Failure::Refused { topic, size, code } => KafkaHomeError::Delivery { topic, size, source: code },
            Failure::Expired { topic, timeout } => {
                KafkaHomeError::Expired { topic, seconds: timeout.as_secs_f64() }
            }
            Failure::Topic { topic, code } => KafkaHomeError::Topic { topic, source: code },
            Failure::NoPartition { topic, partition, partitions } => {
                KafkaHomeError::NoPartition { topic, partition, partitions }
            }
            Failure::Identity { brokers, code } => KafkaHomeError::Identity { brokers, source: code },
            Failure::SequenceLost { topic, partition, code } => {
                KafkaHomeError::SequenceLost { topic, partition, source: code }
            }
            Failure::Authentication { brokers, reason } => KafkaHomeError::Authentication { brokers, reason },
            Failure::Compression { topic } => KafkaHomeError::Compression { topic },
            Failure::Fenced { id } => KafkaHomeError::Fenced { id },
            Failure::TransactionTimedOut { id, timeout } => {
                KafkaHomeError::TransactionTimedOut { id, seconds: timeout.as_secs_f64() }
            }
            Failure::Transaction { id, code } => KafkaHomeError::Transaction { id, source: code },
        }
    }
}

impl Producer {
    /// Nothing is published, and no identity asked for, once the lease is lost.
    pub fn publish_under(&mut self, lease: Option<Holding>) {
        self.lease = lease;
    }

    /// Keeps a failure, unless one came before it, and tells it.
    pub(super) fn fail(&mut self, failure: Failure) -> Result<(), KafkaHomeError> {
        self.failure.get_or_insert(failure);
        self.check()
    }

    pub(super) fn check(&self) -> Result<(), KafkaHomeError> {
        if self.lease.as_ref().is_some_and(Holding::is_lost) {
            return Err(KafkaHomeError::LeaseLost);
        }
        self.failure.as_ref().map_or(Ok(()), |failure| Err(failure.to_error()))
    }
}
