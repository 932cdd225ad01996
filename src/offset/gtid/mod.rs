//! GTIDs and GTID sets of MySQL (tagged ones too) and MariaDB.
//!
//! A MySQL GTID is `uuid:gno` or, since 8.3, `uuid:tag:gno`; the part before the number is the *TSID*. A `GtidSet`
//! maps each TSID to its sorted, disjoint, non-adjacent intervals, in the order in which the server prints them:
//! by UUID, the untagged first, then by tag. So two equal sets print alike, and an offset reads like
//! `@@global.gtid_executed` without its newlines. `encoding` is the binary form of the protocol and of
//! PREVIOUS_GTIDS events. MariaDB numbers transactions by domain and server instead: `mariadb`.
//!
//! Manual: "GTID Format and Storage" (MySQL), "Global Transaction ID" (MariaDB).

mod encoding;
mod interval;
mod mariadb;
mod set;
mod tsid;

pub use interval::Interval;
pub use mariadb::{MariaDbGtid, MariaDbGtidList};
pub use set::{Gtid, GtidSet};
pub use tsid::{Tag, Tsid};

use crate::error::{Classify, ErrorClass};

/// A GTID or GTID set that is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GtidError {
    /// Not a UUID, a tag or an interval where the format wants one.
    #[error("'{text}' is not a valid {expected}")]
    Syntax {
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        text: String,
    },
    /// A number outside of 1 to 2^63 - 2, or an interval that ends before it begins.
    #[error("gtid interval {start}-{end} is out of range")]
    Interval {
        /// First number.
        start: u64,
        /// Last number.
        end: u64,
    },
    /// The binary form ends too early or goes on too long.
    #[error("encoded gtid set is {0}")]
    Encoding(&'static str),
}

impl Classify for GtidError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Fatal
    }
}

impl GtidError {
    /// A piece of text that is not what it should be, cut to a readable length.
    fn syntax(expected: &'static str, text: &str) -> Self {
        GtidError::Syntax { expected, text: text.chars().take(80).collect() }
    }
}
