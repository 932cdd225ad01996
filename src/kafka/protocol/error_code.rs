//! What brokers answer instead of success (<https://kafka.apache.org/protocol#protocol_error_codes>).

use std::fmt;

use crate::error::ErrorClass;

/// An error code of the protocol; 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ErrorCode(pub i16);

macro_rules! codes {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        impl ErrorCode {
            $(#[doc = $text] pub const $name: ErrorCode = ErrorCode($code);)*

            fn name_and_text(self) -> Option<(&'static str, &'static str)> {
                match self {
                    $(ErrorCode::$name => Some((stringify!($name), $text)),)*
                    _ => None,
                }
            }
        }
    };
}

codes! {
    UNKNOWN_SERVER_ERROR = -1, "the broker met an error that it does not name";
    CORRUPT_MESSAGE = 2, "the checksum of the records is wrong";
    UNKNOWN_TOPIC_OR_PARTITION = 3, "the broker does not host this partition";
    LEADER_NOT_AVAILABLE = 5, "the partition has no leader now";
    NOT_LEADER_OR_FOLLOWER = 6, "the broker does not lead the partition any more";
    REQUEST_TIMED_OUT = 7, "the replicas did not acknowledge in time";
    BROKER_NOT_AVAILABLE = 8, "the broker is not available";
    REPLICA_NOT_AVAILABLE = 9, "the replica is not available";
    MESSAGE_TOO_LARGE = 10, "it is larger than the broker takes";
    NETWORK_EXCEPTION = 13, "the broker lost a connection";
    COORDINATOR_LOAD_IN_PROGRESS = 14, "the coordinator is loading";
    COORDINATOR_NOT_AVAILABLE = 15, "the coordinator is not available";
    NOT_COORDINATOR = 16, "the broker is not the coordinator";
    INVALID_TOPIC_EXCEPTION = 17, "it is no name of a topic, or an internal one";
    RECORD_LIST_TOO_LARGE = 18, "it is larger than a segment of the partition";
    NOT_ENOUGH_REPLICAS = 19, "fewer replicas are in sync than min.insync.replicas";
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20, "it is written, but to fewer replicas than min.insync.replicas";
    INVALID_REQUIRED_ACKS = 21, "the broker does not take this value of acks";
    ILLEGAL_GENERATION = 22, "the group has gone on without this member";
    INCONSISTENT_GROUP_PROTOCOL = 23, "the group is used for something else";
    INVALID_GROUP_ID = 24, "it is no name of a group";
    UNKNOWN_MEMBER_ID = 25, "the group does not have this member";
    INVALID_SESSION_TIMEOUT = 26, "session.timeout.ms is not between the brokers' group.min.session.timeout.ms and group.max.session.timeout.ms";
    REBALANCE_IN_PROGRESS = 27, "members are coming or going";
    TOPIC_AUTHORIZATION_FAILED = 29, "not authorized to write to the topic";
    GROUP_AUTHORIZATION_FAILED = 30, "not authorized to be in the group";
    CLUSTER_AUTHORIZATION_FAILED = 31, "not authorized on the cluster (an idempotent producer needs IdempotentWrite)";
    INVALID_TIMESTAMP = 32, "the broker does not take the records' timestamps";
    UNSUPPORTED_SASL_MECHANISM = 33, "the broker does not have the SASL mechanism";
    ILLEGAL_SASL_STATE = 34, "the broker did not expect the SASL message";
    UNSUPPORTED_VERSION = 35, "the broker does not know this version of the request";
    NOT_CONTROLLER = 41, "the broker is not the controller";
    INVALID_REQUEST = 42, "the broker cannot read the request";
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43, "the topic's message format is too old";
    POLICY_VIOLATION = 44, "a policy of the brokers forbids it";
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45, "the broker misses records that came before";
    DUPLICATE_SEQUENCE_NUMBER = 46, "the broker has the records already";
    INVALID_PRODUCER_EPOCH = 47, "another producer has taken over the identity";
    INVALID_TXN_STATE = 48, "the transaction is not in a state for this";
    INVALID_PRODUCER_ID_MAPPING = 49, "the broker does not know the producer";
    INVALID_TRANSACTION_TIMEOUT = 50, "transaction.timeout.ms is above the brokers' transaction.max.timeout.ms";
    CONCURRENT_TRANSACTIONS = 51, "the transaction before is still being ended";
    TRANSACTION_COORDINATOR_FENCED = 52, "the transaction coordinator changed";
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53, "not authorized to use the transactional id";
    OPERATION_NOT_ATTEMPTED = 55, "another partition was refused";
    KAFKA_STORAGE_ERROR = 56, "the broker's disk failed";
    SASL_AUTHENTICATION_FAILED = 58, "the credentials are refused";
    UNKNOWN_PRODUCER_ID = 59, "the broker does not know the producer any more";
    FENCED_LEADER_EPOCH = 74, "the leader changed";
    UNKNOWN_LEADER_EPOCH = 75, "the leader changed";
    UNSUPPORTED_COMPRESSION_TYPE = 76, "the broker does not know the compression";
    MEMBER_ID_REQUIRED = 79, "the member has its name now";
    GROUP_MAX_SIZE_REACHED = 81, "the group has as many members as the brokers' group.max.size allows";
    INVALID_RECORD = 87, "the broker refuses the record (a compacted topic needs keys)";
    THROTTLING_QUOTA_EXCEEDED = 89, "a quota is used up";
    PRODUCER_FENCED = 90, "another producer has taken over the identity";
    TRANSACTION_ABORTABLE = 120, "the transaction has to be given up";
}

impl ErrorCode {
    /// The code as an error; none for 0.
    pub fn check(code: i16) -> Result<(), ErrorCode> {
        if code == 0 { Ok(()) } else { Err(ErrorCode(code)) }
    }

    /// Whether sending the same again may succeed, as Java's `RetriableException` says.
    pub fn passes(self) -> bool {
        matches!(
            self,
            ErrorCode::CORRUPT_MESSAGE
                | ErrorCode::UNKNOWN_TOPIC_OR_PARTITION
                | ErrorCode::LEADER_NOT_AVAILABLE
                | ErrorCode::NOT_LEADER_OR_FOLLOWER
                | ErrorCode::REQUEST_TIMED_OUT
                | ErrorCode::BROKER_NOT_AVAILABLE
                | ErrorCode::REPLICA_NOT_AVAILABLE
                | ErrorCode::NETWORK_EXCEPTION
                | ErrorCode::COORDINATOR_LOAD_IN_PROGRESS
                | ErrorCode::COORDINATOR_NOT_AVAILABLE
                | ErrorCode::NOT_COORDINATOR
                | ErrorCode::NOT_ENOUGH_REPLICAS
                | ErrorCode::NOT_ENOUGH_REPLICAS_AFTER_APPEND
                | ErrorCode::NOT_CONTROLLER
                | ErrorCode::KAFKA_STORAGE_ERROR
                | ErrorCode::FENCED_LEADER_EPOCH
                | ErrorCode::UNKNOWN_LEADER_EPOCH
                | ErrorCode::THROTTLING_QUOTA_EXCEEDED
        )
    }

    /// Whether the records may be written although the answer is an error.
    pub fn leaves_doubt(self) -> bool {
        matches!(
            self,
            ErrorCode::UNKNOWN_SERVER_ERROR
                | ErrorCode::REQUEST_TIMED_OUT
                | ErrorCode::NETWORK_EXCEPTION
                | ErrorCode::NOT_ENOUGH_REPLICAS_AFTER_APPEND
                | ErrorCode::KAFKA_STORAGE_ERROR
        )
    }

    /// Whether somebody must change something before it can succeed.
    pub fn class(self) -> ErrorClass {
        match self {
            ErrorCode::MESSAGE_TOO_LARGE
            | ErrorCode::INVALID_TOPIC_EXCEPTION
            | ErrorCode::RECORD_LIST_TOO_LARGE
            | ErrorCode::INVALID_REQUIRED_ACKS
            | ErrorCode::INCONSISTENT_GROUP_PROTOCOL
            | ErrorCode::INVALID_GROUP_ID
            | ErrorCode::INVALID_SESSION_TIMEOUT
            | ErrorCode::GROUP_AUTHORIZATION_FAILED
            | ErrorCode::TOPIC_AUTHORIZATION_FAILED
            | ErrorCode::CLUSTER_AUTHORIZATION_FAILED
            | ErrorCode::TRANSACTIONAL_ID_AUTHORIZATION_FAILED
            | ErrorCode::INVALID_TIMESTAMP
            | ErrorCode::UNSUPPORTED_SASL_MECHANISM
            | ErrorCode::UNSUPPORTED_VERSION
            | ErrorCode::UNSUPPORTED_FOR_MESSAGE_FORMAT
            | ErrorCode::POLICY_VIOLATION
            | ErrorCode::INVALID_TRANSACTION_TIMEOUT
            | ErrorCode::SASL_AUTHENTICATION_FAILED
            | ErrorCode::UNSUPPORTED_COMPRESSION_TYPE
            | ErrorCode::INVALID_RECORD => ErrorClass::Fatal,
            _ => ErrorClass::Retriable,
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name_and_text() {
            Some((name, text)) => write!(out, "{text} ({name})"),
            None => write!(out, "the broker answered with error {}", self.0),
        }
    }
}

impl std::error::Error for ErrorCode {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_with_their_name() {
        assert_eq!(
            ErrorCode(6).to_string(),
            "the broker does not lead the partition any more (NOT_LEADER_OR_FOLLOWER)"
        );
        assert_eq!(ErrorCode(1234).to_string(), "the broker answered with error 1234");
        assert_eq!((ErrorCode::check(0), ErrorCode::check(3)), (Ok(()), Err(ErrorCode(3))));
    }
}
