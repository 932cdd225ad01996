//! What the sink knows of the partitions that it consumes: up to where they are stored.
//!
//! The consumer itself is `kafka::consumer`, which the sink does not see. It hands records on and commits a partition's offset
//! up to the first record that is *held*. A batch of a table holds, for every partition that it has records of, the first of
//! them ([`held::HeldRecords`]), from the moment in which it takes this record until the server has confirmed the rows:
//! ```text
//! offsets of a partition   0  1  2  3  4  5  6  7  8
//! handed on                ─────────────────────▶ (7 is next)
//! batch A holds 0          ╟────────┐
//! batch B holds 3                   ╟────────┐          only A confirmed: 3 may be committed; only B: 0; both: 7
//! ```
//! So batches may be confirmed in any order, a record that makes no row needs nothing, a table that waits or was stopped keeps
//! its partitions where they are, and whoever takes a partition over begins with the first record that is not stored. What is
//! delivered twice then has the same versions, so it changes nothing.

pub mod held;
pub mod progress;

/// One assignment of one partition to this consumer. Its number is never used again: an insert that is confirmed after the
/// partition went elsewhere and came back says nothing about the new assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssignmentId(pub u64);
