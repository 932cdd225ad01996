//! What the applying task is given, and what it asks for: records, and the topics that they came from.
//!
//! The consumer lives in another layer. It hands records in, carries out [`Effect`]s, and answers through [`RecordStore`].

use std::sync::Arc;

use crate::error::StorageError;
use crate::sink::apply::batch::Origin;
use crate::sink::consumer::AssignmentId;
use crate::sink::record::headers::KnownHeaders;
use crate::sink::version::{Version, VersionError, VersionScheme};

/// A record of a table's topic.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Where it came from.
    pub origin: &'a Origin,
    /// Its offset.
    pub offset: i64,
    /// Its key.
    pub key: Option<&'a [u8]>,
    /// Its value.
    pub value: Option<&'a [u8]>,
    /// Its headers.
    pub headers: KnownHeaders<'a>,
    /// The version that it had when it was put aside; none for what is read from its topic.
    pub version: Option<Version>,
}

impl Record<'_> {
    /// Its version among those of its table.
    pub fn version_by(&self, scheme: VersionScheme) -> Result<Version, VersionError> {
        self.version.map_or_else(|| scheme.version(self.headers.sequence, self.offset), Ok)
    }
}

/// A record of the schema-change topic.
#[derive(Clone, Copy, Debug)]
pub struct SchemaRecord<'a> {
    /// Its offset.
    pub offset: i64,
    /// Its value.
    pub value: Option<&'a [u8]>,
    /// The header `tidewire.seq`.
    pub sequence: Option<&'a [u8]>,
}

/// A record that was read once more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnedRecord {
    /// Its key.
    pub key: Option<Vec<u8>>,
    /// Its value.
    pub value: Option<Vec<u8>>,
    /// The header `tidewire.seq`.
    pub sequence: Option<Vec<u8>>,
    /// The header `__debezium.oldkey`.
    pub old_key: Option<Vec<u8>>,
}

/// One life of a topic: a topic that is deleted and made again counts from 0 again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicLife {
    /// The cluster and the topic's id there.
    pub identity: String,
    /// Partitions.
    pub partitions: usize,
}

/// Where records are.
pub trait RecordStore {
    /// Gives what the schema-change topic has that was not given before, up to its end as it is now.
    fn schema_changes(&mut self, each: &mut dyn FnMut(SchemaRecord<'_>)) -> Result<(), StorageError>;

    /// The first offset that the schema-change topic still has; 0 where there is no such topic.
    fn schema_changes_begin(&mut self) -> Result<i64, StorageError>;

    /// Reads a record once more; none when it is not there any more.
    fn fetch(
        &mut self,
        topic: &str,
        partition: i32,
        offset: i64,
    ) -> Result<Option<OwnedRecord>, StorageError>;

    /// Partitions of a topic.
    fn partitions(&mut self, topic: &str) -> Result<usize, StorageError>;

    /// The life of a topic.
    fn life(&mut self, topic: &str) -> Result<TopicLife, StorageError>;
}

/// What the consumer has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Commit nothing from this offset on.
    Hold(AssignmentId, i64),
    /// It is stored.
    Release(AssignmentId, i64),
    /// Hand on nothing more for now.
    Pause(AssignmentId),
    /// Go on.
    Resume(AssignmentId),
}

/// A partition that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPartition {
    /// Its assignment.
    pub id: AssignmentId,
    /// The topic.
    pub topic: Arc<str>,
}
