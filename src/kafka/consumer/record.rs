//! A record where the client has it: nothing is copied.

use std::panic::{self, AssertUnwindSafe};

use rdkafka::message::{BorrowedHeaders, BorrowedMessage, Headers, Message};

use crate::sink::consumer::AssignmentId;

/// A record that was handed on. It lives until the next poll.
pub struct ConsumedRecord<'a> {
    pub(super) assignment: AssignmentId,
    pub(super) message: BorrowedMessage<'a>,
}

impl ConsumedRecord<'_> {
    /// The assignment of its partition.
    pub const fn assignment(&self) -> AssignmentId {
        self.assignment
    }

    /// Its topic.
    pub fn topic(&self) -> &str {
        self.message.topic()
    }

    /// Its partition.
    pub fn partition(&self) -> i32 {
        self.message.partition()
    }

    /// Its offset.
    pub fn offset(&self) -> i64 {
        self.message.offset()
    }

    /// Its timestamp, milliseconds since 1970 (UTC).
    pub fn timestamp(&self) -> Option<i64> {
        self.message.timestamp().to_millis()
    }

    /// Its key.
    pub fn key(&self) -> Option<&[u8]> {
        self.message.key()
    }

    /// Its value; none in a tombstone.
    pub fn value(&self) -> Option<&[u8]> {
        self.message.payload()
    }

    /// Its headers in their order, name and value. Without those whose names are no UTF-8, which nobody here looks for.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Option<&[u8]>)> {
        let headers = self.message.headers();
        let count = headers.map_or(0, Headers::count);
        (0..count).filter_map(move |at| header(headers?, at))
    }
}

/// A header by its place. The library panics over a name that is no UTF-8; a record from outside must not end the consumer.
pub(super) fn header(headers: &BorrowedHeaders, at: usize) -> Option<(&str, Option<&[u8]>)> {
    let read = panic::catch_unwind(AssertUnwindSafe(|| headers.try_get(at)));
    let header = read.ok().flatten()?;
    Some((header.key, header.value))
}

/// The value of the header of this name; of two the last.
pub(in crate::kafka) fn named_header<'a>(headers: &'a BorrowedHeaders, name: &str) -> Option<&'a [u8]> {
    let named = (0..headers.count()).rev().filter_map(|at| header(headers, at));
    named.filter(|(found, _)| *found == name).find_map(|(_, value)| value)
}

impl std::fmt::Debug for ConsumedRecord<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}[{}]@{}", self.topic(), self.partition(), self.offset())
    }
}
