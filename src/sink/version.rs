//! The number that orders all changes of a row: `_version`.
//!
//! ReplacingMergeTree keeps the row with the highest version, and of equal ones the row that was inserted last. So a version
//! must be a function of the record alone, or a repeated delivery would bring old rows back. There are two, in one range of
//! numbers below 2^63 (readers take a UInt64 for signed), and a table has one of them:
//! - *the change sequence* of our own source, in the header `tidewire.seq`: `microseconds << 11` and counting, unique for each
//!   row image, also within a transaction; snapshot rows carry the number of their read point, below all that comes later;
//! - *incarnation and offset* for topics of the real Debezium: `incarnation << 47 | offset`. Kafka's order of the records
//!   of a key is Debezium's, so it is right for snapshots, key changes and failover alike. A topic that was made anew
//!   counts from 0 again, therefore each (cluster, topic id, number of partitions) is an incarnation of its own:
//!   `max(the one before + 1, now in microseconds >> 36)`, a tick in 19 hours.
//!
//! As both are `microseconds << 11`, more or less, a change from Debezium to Tidewire makes versions grow by itself, and the way
//! back takes an incarnation above all that is in the table. Whatever a table's comment says, a writer with another scheme is
//! let in only when the highest version in the table is below its first one.
//!
//! A truncated table has a *floor*: rows at or below it are dropped for ever, since a replay would insert them again.

use std::fmt;

use crate::error::{Classify, ErrorClass};

/// Bits of the offset.
const OFFSET_BITS: u32 = 47;
/// An incarnation has the bits between the offset's and the sign.
const INCARNATION_BITS: u32 = 63 - OFFSET_BITS;
/// Microseconds since 1970 shifted by this are an incarnation: 47 - 11 bits.
const INCARNATION_SHIFT: u32 = 36;
/// Bits below the microsecond of a change sequence.
const SEQUENCE_SHIFT: u32 = 11;

/// A version: 63 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u64);

impl Version {
    /// Below all others.
    pub const ZERO: Version = Version(0);

    /// The one before; none before the first.
    pub const fn previous(self) -> Option<Version> {
        match self.0.checked_sub(1) {
            Some(number) => Some(Version(number)),
            None => None,
        }
    }

    /// A version that was stored; none from 2^63 on.
    pub const fn new(number: u64) -> Option<Version> {
        if number >> 63 == 0 { Some(Version(number)) } else { None }
    }

    /// The number, as it goes into the column.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Microseconds since 1970: of the commit for a change sequence, of the incarnation's begin for an offset.
    pub const fn micros(self) -> u64 {
        self.0 >> SEQUENCE_SHIFT
    }

    /// The version of the same moment so much earlier, of a change sequence; none before 1970.
    pub fn before(self, time: std::time::Duration) -> Option<Version> {
        let micros = u64::try_from(time.as_micros()).ok()?;
        Some(Version(self.0.checked_sub(micros.checked_mul(1 << SEQUENCE_SHIFT)?)?))
    }

    /// The value of `tidewire.seq`: 8 bytes, big endian, below 2^63.
    pub fn from_sequence_header(bytes: &[u8]) -> Result<Version, VersionError> {
        let bytes: [u8; 8] =
            bytes.try_into().map_err(|_| VersionError::HeaderLength { length: bytes.len() })?;
        Version::new(u64::from_be_bytes(bytes)).ok_or(VersionError::HeaderRange)
    }

    /// The record at an offset.
    pub fn from_offset(incarnation: Incarnation, offset: i64) -> Result<Version, VersionError> {
        match u64::try_from(offset) {
            Ok(offset) if offset >> OFFSET_BITS == 0 => {
                Ok(Version(u64::from(incarnation.0) << OFFSET_BITS | offset))
            }
            _ => Err(VersionError::OffsetRange { offset }),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The number of one life of a topic: of a cluster, a topic id and a number of partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Incarnation(u16);

impl Incarnation {
    /// A stored one; none beyond 16 bits.
    pub fn new(number: u64) -> Option<Incarnation> {
        u16::try_from(number).ok().map(Incarnation)
    }

    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The next one: above the one before, above every version that the table holds, and no earlier than now. It must be
    /// stored before the first insert.
    pub fn allot(
        previous: Option<Incarnation>,
        highest: Option<Version>,
        now_micros: u64,
    ) -> Result<Incarnation, VersionError> {
        let after_previous = previous.map_or(0, |previous| u64::from(previous.0) + 1);
        let after_highest = highest.map_or(0, |highest| (highest.0 >> OFFSET_BITS) + 1);
        let number = after_previous.max(after_highest).max(now_micros >> INCARNATION_SHIFT);
        if number >> INCARNATION_BITS == 0 {
            Incarnation::new(number).ok_or(VersionError::Exhausted)
        } else {
            Err(VersionError::Exhausted)
        }
    }
}

/// Where the versions of a table come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionScheme {
    /// The header `tidewire.seq`.
    Sequence,
    /// The offset, in an incarnation.
    Offset(Incarnation),
}

impl VersionScheme {
    /// The version of a record, by its header and its offset.
    #[inline]
    pub fn version(self, header: Option<&[u8]>, offset: i64) -> Result<Version, VersionError> {
        match (self, header) {
            (VersionScheme::Sequence, Some(bytes)) => Version::from_sequence_header(bytes),
            (VersionScheme::Offset(incarnation), None) => Version::from_offset(incarnation, offset),
            (VersionScheme::Sequence, None) => Err(VersionError::NoHeader),
            (VersionScheme::Offset(_), Some(_)) => Err(VersionError::UnexpectedHeader),
        }
    }

    /// Whether a writer with this scheme may write into a table that another one wrote. `stored` is what the table's comment
    /// says, `highest` the highest version in it, `first` the first one to come.
    pub fn may_follow(
        self,
        stored: Option<VersionScheme>,
        highest: Option<Version>,
        first: Version,
    ) -> Result<(), VersionError> {
        if stored == Some(self) {
            return Ok(());
        }
        match highest {
            Some(highest) if highest >= first => Err(VersionError::Domain { highest, first }),
            _ => Ok(()),
        }
    }
}

/// Why a record has no version, or a table may not be written with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// The header is not of 8 bytes.
    #[error("header tidewire.seq has {length} bytes, not 8")]
    HeaderLength {
        /// What it has.
        length: usize,
    },
    /// The header is 2^63 or more.
    #[error("header tidewire.seq is beyond 2^63")]
    HeaderRange,
    /// A record without the header in a topic whose others have it.
    #[error("no header tidewire.seq, which the records of this table had before")]
    NoHeader,
    /// A record with the header in a topic that is ordered by offsets.
    #[error("header tidewire.seq in a topic whose records had none before")]
    UnexpectedHeader,
    /// The offset is negative or beyond 2^47.
    #[error("offset {offset} is outside of 0 to 2^47")]
    OffsetRange {
        /// The offset.
        offset: i64,
    },
    /// No incarnation is left.
    #[error("no incarnation is left below 2^16")]
    Exhausted,
    /// Rows in the table would win against all that is to come.
    #[error("the table holds version {highest}, and the first one to come is {first}")]
    Domain {
        /// The highest version in the table.
        highest: Version,
        /// The first one to come.
        first: Version,
    },
}

impl Classify for VersionError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }

    fn remedy(&self) -> Option<String> {
        Some(match self {
            VersionError::NoHeader => {
                "set tidewire.sequence.header=true at the source, or rebase the table to versions from offsets".to_owned()
            }
            VersionError::UnexpectedHeader => "rebase the table to versions from tidewire.seq".to_owned(),
            VersionError::Domain { .. } => {
                "rebase the table, or let the sink make it anew and read a fresh snapshot".to_owned()
            }
            _ => return None,
        })
    }
}

/// The version below which a table has no rows any more (TRUNCATE, DROP and CREATE).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TruncateFloor(Option<Version>);

impl TruncateFloor {
    /// A stored floor.
    pub const fn at(version: Version) -> Self {
        TruncateFloor(Some(version))
    }

    /// The table was emptied by the record of this version. A replayed record never lowers the floor.
    pub fn raise(&mut self, version: Version) {
        self.0 = self.0.max(Some(version));
    }

    /// Whether emptying the table by the record of this version is still to be done: not for one that is replayed.
    pub fn is_below(self, version: Version) -> bool {
        self.0.is_none_or(|floor| floor < version)
    }

    /// Whether a row of this version is to be written.
    #[inline]
    pub fn admits(self, version: Version) -> bool {
        self.is_below(version)
    }

    /// What is to be stored.
    pub const fn version(self) -> Option<Version> {
        self.0
    }
}

#[cfg(test)]
mod tests;
