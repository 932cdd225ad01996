//! What can go wrong with Kafka.

use rdkafka::error::{KafkaError, RDKafkaErrorCode};

use crate::error::{Classify, ErrorClass};
use crate::event::record_origin::RecordOrigin;
use crate::kafka::protocol::error_code::ErrorCode;
use crate::kafka::size_limit::SizeLimit;

/// An error of the Kafka home.
#[derive(Debug, thiserror::Error)]
pub enum KafkaHomeError {
    /// A property that neither the Java clients' translation nor librdkafka knows.
    #[error("kafka client property {property} is not known")]
    UnknownProperty {
        /// As the user wrote it.
        property: String,
    },
    /// A property whose value has no counterpart here. The value is not shown: it may hold a password.
    #[error("kafka client property {property} cannot be used: {reason}")]
    UnusableProperty {
        /// As the user wrote it.
        property: String,
        /// What is wrong with the value.
        reason: String,
        /// What to do instead.
        remedy: Option<&'static str>,
    },
    /// librdkafka refused the settings as a whole.
    #[error("kafka client for {brokers} could not be made")]
    Client {
        /// The bootstrap servers.
        brokers: String,
        /// librdkafka's reason.
        #[source]
        source: KafkaError,
    },
    /// No broker answered while the home was being opened.
    #[error("no kafka broker of {brokers} answered within {seconds} s")]
    Unreachable {
        /// The bootstrap servers.
        brokers: String,
        /// How long was waited.
        seconds: u64,
        /// The last failure.
        #[source]
        source: KafkaError,
    },
    /// The brokers refused the credentials.
    #[error("kafka brokers {brokers} refused the authentication: {reason}")]
    Authentication {
        /// The bootstrap servers.
        brokers: String,
        /// The broker's words.
        reason: String,
    },
    /// A record is larger than the client or the broker takes.
    #[error("record of {size} bytes for topic {topic}{} is larger than allowed: {limit}", .origin.as_ref().map(|origin| format!(", {origin},")).unwrap_or_default())]
    RecordTooLarge {
        /// The topic.
        topic: String,
        /// Bytes of key and value, or, for the limits of requests, of the batch that has nothing else.
        size: usize,
        /// Table and position, where the record tells them.
        origin: Option<Box<RecordOrigin>>,
        /// The limit.
        limit: SizeLimit,
    },
    /// A broker refused a record.
    #[error("record of {size} bytes for topic {topic} was not delivered")]
    Delivery {
        /// The topic.
        topic: String,
        /// Key and value of the first record of its batch, bytes.
        size: usize,
        /// Why.
        #[source]
        source: ErrorCode,
    },
    /// Records were not acknowledged within `delivery.timeout.ms`.
    #[error("records for topic {topic} were not acknowledged within {seconds} s")]
    Expired {
        /// The topic.
        topic: String,
        /// The limit.
        seconds: f64,
    },
    /// The brokers refuse a topic.
    #[error("topic {topic} cannot be written")]
    Topic {
        /// The topic.
        topic: String,
        /// Why.
        #[source]
        source: ErrorCode,
    },
    /// A record names a partition that its topic does not have.
    #[error("topic {topic} has no partition {partition}, only {partitions}")]
    NoPartition {
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// How many it has.
        partitions: usize,
    },
    /// The brokers refuse an identity to the idempotent producer.
    #[error("kafka brokers {brokers} refused an identity for the producer")]
    Identity {
        /// The bootstrap servers.
        brokers: String,
        /// Why.
        #[source]
        source: ErrorCode,
    },
    /// The brokers lost track of the producer while answers were missing, so that it is not known what is written.
    #[error("it is not known which records partition {partition} of topic {topic} has")]
    SequenceLost {
        /// The topic.
        topic: String,
        /// The partition.
        partition: usize,
        /// What the broker answered.
        #[source]
        source: ErrorCode,
    },
    /// Another instance of the connector has taken over.
    #[error("another instance of the connector has taken over: it uses the same transactional.id {id}")]
    Fenced {
        /// `transactional.id`.
        id: String,
    },
    /// The coordinator gave a transaction up that was open for too long.
    #[error("a transaction of {id} was open for more than {seconds} s and was ended by its coordinator")]
    TransactionTimedOut {
        /// `transactional.id`.
        id: String,
        /// `transaction.timeout.ms`.
        seconds: f64,
    },
    /// The transaction coordinator refused something.
    #[error("the transaction coordinator of {id} refused")]
    Transaction {
        /// `transactional.id`.
        id: String,
        /// Why.
        #[source]
        source: ErrorCode,
    },
    /// Records could not be compressed.
    #[error("records for topic {topic} could not be compressed")]
    Compression {
        /// The topic.
        topic: String,
    },
    /// The operating system has no sockets for the producer.
    #[error("kafka client for {brokers} got no sockets")]
    Sockets {
        /// The bootstrap servers.
        brokers: String,
        /// The operating system's reason.
        #[source]
        source: std::io::Error,
    },
    /// A topic is missing and could not be created.
    #[error("topic {topic} could not be created")]
    CreateTopic {
        /// The topic.
        topic: String,
        /// Why.
        #[source]
        source: KafkaError,
    },
    /// A topic could not be deleted.
    #[error("topic {topic} could not be deleted")]
    DeleteTopic {
        /// The topic.
        topic: String,
        /// Why.
        #[source]
        source: KafkaError,
    },
    /// The name of a record's topic cannot be one.
    #[error("{topic:?} is no name of a topic")]
    TopicName {
        /// The name.
        topic: String,
    },
    /// The history topic has more than one partition, so that its order is lost.
    #[error("history topic {topic} has {partitions} partitions instead of 1")]
    HistoryPartitions {
        /// The topic.
        topic: String,
        /// How many it has.
        partitions: usize,
    },
    /// Reading a topic failed.
    #[error("topic {topic} could not be read")]
    Read {
        /// The topic.
        topic: String,
        /// Why.
        #[source]
        source: KafkaError,
    },
    /// Reading a topic came to a halt before its end.
    #[error(
        "topic {topic} gave nothing more within {seconds} s although {partitions} partitions are not at their end"
    )]
    ReadStalled {
        /// The topic.
        topic: String,
        /// How many partitions are unfinished.
        partitions: usize,
        /// How long was waited.
        seconds: u64,
    },
    /// A topic has fewer records than were read of it: it is another one of the same name.
    #[error("topic {topic} ends at offset {end} of partition {partition}, and {read} was read before")]
    Shorter {
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// One past the last record that was read.
        read: i64,
        /// One past the last that is there.
        end: i64,
    },
    /// The records of a topic have no sequence, and the brokers do not say which life of the topic it is.
    #[error(
        "topic {topic}: its records have no header tidewire.seq, and the brokers do not tell the topic's id"
    )]
    TopicId {
        /// The topic.
        topic: String,
    },
    /// Reading as a member of a consumer group failed.
    #[error("reading as a member of consumer group {group} failed")]
    Member {
        /// The group.
        group: String,
        /// Why.
        #[source]
        source: KafkaError,
    },
    /// The brokers refuse this instance in the group of the connector's instances.
    #[error(
        "kafka refused this instance in group {group}, by which one runs the connector and others stand by"
    )]
    Group {
        /// The group.
        group: String,
        /// Why.
        #[source]
        source: ErrorCode,
    },
    /// This instance has to leave the connector to another one.
    #[error("the lease of the connector is lost")]
    LeaseLost,
    /// The home was told to stop while it waited for the brokers.
    #[error("stopped while waiting for kafka")]
    Stopped,
}

impl Classify for KafkaHomeError {
    fn class(&self) -> ErrorClass {
        match self {
            KafkaHomeError::UnknownProperty { .. }
            | KafkaHomeError::UnusableProperty { .. }
            | KafkaHomeError::Client { .. }
            | KafkaHomeError::Authentication { .. }
            | KafkaHomeError::RecordTooLarge { .. }
            | KafkaHomeError::TopicName { .. }
            | KafkaHomeError::Compression { .. }
            | KafkaHomeError::Fenced { .. }
            | KafkaHomeError::HistoryPartitions { .. } => ErrorClass::Fatal,
            KafkaHomeError::Unreachable { .. }
            | KafkaHomeError::Expired { .. }
            | KafkaHomeError::NoPartition { .. }
            | KafkaHomeError::SequenceLost { .. }
            | KafkaHomeError::TransactionTimedOut { .. }
            | KafkaHomeError::Sockets { .. }
            | KafkaHomeError::ReadStalled { .. }
            | KafkaHomeError::Shorter { .. }
            | KafkaHomeError::LeaseLost
            | KafkaHomeError::Stopped => ErrorClass::Retriable,
            KafkaHomeError::TopicId { .. } => ErrorClass::Fatal,
            KafkaHomeError::Delivery { source, .. }
            | KafkaHomeError::Topic { source, .. }
            | KafkaHomeError::Transaction { source, .. }
            | KafkaHomeError::Group { source, .. }
            | KafkaHomeError::Identity { source, .. } => source.class(),
            KafkaHomeError::CreateTopic { source, .. }
            | KafkaHomeError::DeleteTopic { source, .. }
            | KafkaHomeError::Member { source, .. }
            | KafkaHomeError::Read { source, .. } => class_of(source),
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            KafkaHomeError::UnusableProperty { remedy, .. } => remedy.map(str::to_owned),
            KafkaHomeError::RecordTooLarge { limit, .. } => Some(limit.remedy().to_owned()),
            KafkaHomeError::Fenced { .. } => Some(
                "stop one of the two; connectors that are meant to run side by side need other names, or other workers' group.id"
                    .to_owned(),
            ),
            KafkaHomeError::Transaction { source: ErrorCode::INVALID_TRANSACTION_TIMEOUT, .. } => Some(
                "lower producer.transaction.timeout.ms here, or raise transaction.max.timeout.ms of the brokers".to_owned(),
            ),
            KafkaHomeError::Transaction { source: ErrorCode::COORDINATOR_NOT_AVAILABLE, .. } => Some(
                "see whether the brokers can create __transaction_state: transaction.state.log.replication.factor must not be above their number"
                    .to_owned(),
            ),
            KafkaHomeError::Group { source: ErrorCode::INVALID_SESSION_TIMEOUT, .. } => {
                Some("set session.timeout.ms to what the brokers allow".to_owned())
            }
            KafkaHomeError::Member { source, .. }
                if source.rdkafka_error_code() == Some(RDKafkaErrorCode::FencedInstanceId) =>
            {
                Some("give every consumer of the group a group.instance.id of its own".to_owned())
            }
            KafkaHomeError::Member { group, source }
                if source.rdkafka_error_code() == Some(RDKafkaErrorCode::GroupAuthorizationFailed) =>
            {
                Some(format!("allow Read on group {group}"))
            }
            KafkaHomeError::Group { group, .. } => Some(format!(
                "allow Read on group {group}, or set tidewire.standby.enabled=false where only one instance is ever started"
            )),
            KafkaHomeError::HistoryPartitions { .. } => {
                Some("name another schema.history.internal.kafka.topic, or create it anew with one partition".to_owned())
            }
            KafkaHomeError::CreateTopic { source, .. }
                if source.rdkafka_error_code() == Some(RDKafkaErrorCode::InvalidReplicationFactor) =>
            {
                Some("set a replication factor of at most the number of brokers, or -1 for the broker's default".to_owned())
            }
            _ => None,
        }
    }
}

/// Whether the brokers' answer may change by itself.
pub(super) fn class_of(error: &KafkaError) -> ErrorClass {
    match error.rdkafka_error_code() {
        Some(
            RDKafkaErrorCode::FencedInstanceId
            | RDKafkaErrorCode::InconsistentGroupProtocol
            | RDKafkaErrorCode::InvalidSessionTimeout
            | RDKafkaErrorCode::TopicAuthorizationFailed
            | RDKafkaErrorCode::ClusterAuthorizationFailed
            | RDKafkaErrorCode::GroupAuthorizationFailed
            | RDKafkaErrorCode::TransactionalIdAuthorizationFailed
            | RDKafkaErrorCode::SaslAuthenticationFailed
            | RDKafkaErrorCode::MessageSizeTooLarge
            | RDKafkaErrorCode::InvalidMessageSize
            | RDKafkaErrorCode::InvalidRecord
            | RDKafkaErrorCode::InvalidTimestamp
            | RDKafkaErrorCode::InvalidTopic
            | RDKafkaErrorCode::InvalidPartitions
            | RDKafkaErrorCode::InvalidReplicationFactor
            | RDKafkaErrorCode::InvalidRequiredAcks
            | RDKafkaErrorCode::InvalidConfig
            | RDKafkaErrorCode::PolicyViolation
            | RDKafkaErrorCode::UnsupportedVersion
            | RDKafkaErrorCode::UnsupportedForMessageFormat
            | RDKafkaErrorCode::InvalidArgument,
        ) => ErrorClass::Fatal,
        _ => ErrorClass::Retriable,
    }
}
