//! The messages of Kafka's protocol that a producer and a member of a group need, as bytes.
//!
//! All numbers are big endian. A request is a frame: its length (4 bytes), header, body; a response likewise, and
//! responses come in the order of the requests of a connection. `wire` writes and reads the primitive types, `error_code`
//! names what a broker answers, and each message has its file. The versions used are those before the "flexible"
//! encoding: brokers from 2.1 to 4.3 all know them, so one encoding serves all but `describe_transactions` and `topic_id`
//! (<https://kafka.apache.org/protocol#protocol_messages>, KIP-896 for what 4.0 removed).

pub mod add_partitions_to_txn;
pub mod api_versions;
pub mod describe_configs;
pub mod describe_groups;
pub mod describe_transactions;
pub mod end_txn;
pub mod error_code;
pub mod find_coordinator;
mod flexible;
pub mod heartbeat;
pub mod init_producer_id;
pub mod join_group;
pub mod leave_group;
pub mod metadata;
pub mod produce;
pub mod sasl;
pub mod sync_group;
pub mod topic_id;
pub mod wire;

/// A kind of request, with the versions of it that are spoken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Api {
    /// Its name in the protocol's documentation.
    pub name: &'static str,
    /// Its number.
    pub key: i16,
    /// The oldest version spoken.
    pub oldest: i16,
    /// The newest version spoken.
    pub newest: i16,
}

/// Publishes record batches. From 7 on, zstd is allowed; 8 tells which record was refused.
pub const PRODUCE: Api = Api { name: "Produce", key: 0, oldest: 3, newest: 8 };
/// Tells brokers, topics and leaders. Version 4 says whether a topic may be created by asking.
pub const METADATA: Api = Api { name: "Metadata", key: 3, oldest: 4, newest: 4 };
/// The same with the ids of cluster and topic, in the flexible encoding.
pub const METADATA_WITH_IDS: Api = Api { name: "Metadata", key: 3, oldest: 10, newest: 10 };
/// Tells which broker keeps the transactions of a producer, or a group.
pub const FIND_COORDINATOR: Api = Api { name: "FindCoordinator", key: 10, oldest: 1, newest: 2 };
/// Makes a member of a group. From 4 on a member gets its name first, so that a lost answer leaves no member behind.
pub const JOIN_GROUP: Api = Api { name: "JoinGroup", key: 11, oldest: 2, newest: 4 };
/// Says that a member of a group is there.
pub const HEARTBEAT: Api = Api { name: "Heartbeat", key: 12, oldest: 1, newest: 2 };
/// Takes a member out of a group.
pub const LEAVE_GROUP: Api = Api { name: "LeaveGroup", key: 13, oldest: 1, newest: 2 };
/// Tells the members of a group what its leader has decided.
pub const SYNC_GROUP: Api = Api { name: "SyncGroup", key: 14, oldest: 1, newest: 2 };
/// Tells what the user may do with a group, from version 3 on.
pub const DESCRIBE_GROUPS: Api = Api { name: "DescribeGroups", key: 15, oldest: 3, newest: 3 };
/// Chooses the SASL mechanism; in version 1 the exchange goes on in frames of `SaslAuthenticate`.
pub const SASL_HANDSHAKE: Api = Api { name: "SaslHandshake", key: 17, oldest: 1, newest: 1 };
/// Tells which requests a broker knows. Version 0 is answered by every broker.
pub const API_VERSIONS: Api = Api { name: "ApiVersions", key: 18, oldest: 0, newest: 0 };
/// Gives an idempotent or transactional producer its identity.
pub const INIT_PRODUCER_ID: Api = Api { name: "InitProducerId", key: 22, oldest: 0, newest: 1 };
/// Adds partitions to a transaction. Version 2 may answer PRODUCER_FENCED.
pub const ADD_PARTITIONS_TO_TXN: Api = Api { name: "AddPartitionsToTxn", key: 24, oldest: 0, newest: 2 };
/// Ends a transaction. Version 2 may answer PRODUCER_FENCED.
pub const END_TXN: Api = Api { name: "EndTxn", key: 26, oldest: 0, newest: 2 };
/// Tells what a broker is configured with. Brokers from 4.0 on have no version 0.
pub const DESCRIBE_CONFIGS: Api = Api { name: "DescribeConfigs", key: 32, oldest: 1, newest: 2 };
/// Tells whose a transaction is; from Kafka 3.0 on.
pub const DESCRIBE_TRANSACTIONS: Api = Api { name: "DescribeTransactions", key: 65, oldest: 0, newest: 0 };
/// Carries the tokens of a SASL mechanism.
pub const SASL_AUTHENTICATE: Api = Api { name: "SaslAuthenticate", key: 36, oldest: 0, newest: 0 };
