//! Record batches (message format 2, <https://kafka.apache.org/documentation/#recordbatch>).
//!
//! A batch is open while records are appended to it; then it is closed (compressed, where that is wanted) and, when it
//! is sent for the first time, sealed: identity, sequence and checksum are filled in. The sequence counts the records of
//! a producer in a partition, so both halves of a split batch keep the numbers of their records.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use crate::event::record_origin::RecordOrigin;
use crate::kafka::producer::compression::Compression;
use crate::kafka::producer::record::{RecordBytes, put_varint, take_varint};
use crate::kafka::protocol::init_producer_id::ProducerIdentity;

/// What stands before the records of a batch.
pub const HEADER: usize = 61;
/// The checksum covers everything from here on.
const ATTRIBUTES: usize = 21;

/// The attribute of a batch in a transaction.
const TRANSACTIONAL: u8 = 0x10;

/// How many records of which published batch are in it, in order.
pub type Deliveries = Vec<(usize, u32)>;

/// A batch that takes records.
#[derive(Debug)]
pub struct OpenBatch {
    bytes: Vec<u8>,
    records: i32,
    times: (i64, i64),
    deliveries: Deliveries,
    /// When its first record came.
    pub opened: Instant,
}

impl OpenBatch {
    /// Begins a batch in a buffer, whose contents are dropped.
    pub fn new(mut buffer: Vec<u8>, timestamp: i64, opened: Instant) -> Self {
        buffer.clear();
        buffer.resize(HEADER, 0);
        OpenBatch { bytes: buffer, records: 0, times: (timestamp, timestamp), deliveries: Vec::new(), opened }
    }

    /// Bytes so far.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is room for so many bytes below the limit. An empty batch takes any record.
    pub fn has_room(&self, size: usize, limit: usize) -> bool {
        self.records == 0 || self.bytes.len() + size <= limit && self.records < i32::MAX
    }

    /// Appends a record made at `timestamp` (milliseconds since 1970) for a published batch.
    pub fn append(&mut self, record: &RecordBytes<'_>, timestamp: i64, delivery: usize) {
        record.put(&mut self.bytes, timestamp.wrapping_sub(self.times.0), self.records);
        self.times.1 = self.times.1.max(timestamp);
        self.records += 1;
        match self.deliveries.last_mut() {
            Some((last, count)) if *last == delivery => *count += 1,
            _ => self.deliveries.push((delivery, 1)),
        }
    }

    /// Ends the batch; gives the buffer back when the records moved into another one.
    pub fn close(
        self,
        compression: Compression,
        level: Option<i32>,
    ) -> io::Result<(ClosedBatch, Option<Vec<u8>>)> {
        let (bytes, buffer) = match compression {
            Compression::None => (self.bytes, None),
            _ => {
                let mut bytes = vec![0; HEADER];
                compression.compress(self.bytes.get(HEADER..).unwrap_or_default(), level, &mut bytes)?;
                (bytes, Some(self.bytes))
            }
        };
        let batch = ClosedBatch {
            bytes: Arc::new(bytes),
            records: self.records,
            times: self.times,
            deliveries: self.deliveries,
            created: self.opened,
            compression,
            sealed: None,
        };
        Ok((batch, buffer))
    }
}

/// A batch that takes no more records.
#[derive(Debug)]
pub struct ClosedBatch {
    bytes: Arc<Vec<u8>>,
    /// How many records.
    pub records: i32,
    times: (i64, i64),
    /// Whose records.
    pub deliveries: Deliveries,
    /// When its first record came.
    pub created: Instant,
    compression: Compression,
    sealed: Option<(ProducerIdentity, i32)>,
}

impl ClosedBatch {
    /// Bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes to be sent, with identity, the sequence of the first record (-1 without an identity) and whether they belong
    /// to a transaction.
    pub fn seal(&mut self, identity: ProducerIdentity, sequence: i32, transactional: bool) -> Arc<Vec<u8>> {
        if self.sealed != Some((identity, sequence)) {
            let header = self.header(identity, sequence, transactional);
            // Nobody else holds it: what is still being sent is never sealed anew.
            let bytes = Arc::make_mut(&mut self.bytes);
            if let Some(place) = bytes.get_mut(..HEADER) {
                place.copy_from_slice(&header);
            }
            let checksum = crc32c::crc32c(bytes.get(ATTRIBUTES..).unwrap_or_default());
            if let Some(place) = bytes.get_mut(17..ATTRIBUTES) {
                place.copy_from_slice(&checksum.to_be_bytes());
            }
            self.sealed = Some((identity, sequence));
        }
        Arc::clone(&self.bytes)
    }

    fn header(&self, identity: ProducerIdentity, sequence: i32, transactional: bool) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        let mut place = 0;
        let mut put = |bytes: &[u8]| {
            if let Some(room) = header.get_mut(place..place + bytes.len()) {
                room.copy_from_slice(bytes);
            }
            place += bytes.len();
        };
        put(&0_i64.to_be_bytes()); // offset of the first record, given by the broker
        put(&i32::try_from(self.bytes.len() - 12).unwrap_or(i32::MAX).to_be_bytes());
        put(&(-1_i32).to_be_bytes()); // epoch of the leader
        put(&[2]); // message format
        put(&[0; 4]); // checksum
        put(&[0, self.compression.attribute() | if transactional { TRANSACTIONAL } else { 0 }]);
        put(&(self.records - 1).to_be_bytes());
        put(&self.times.0.to_be_bytes());
        put(&self.times.1.to_be_bytes());
        put(&identity.id.to_be_bytes());
        put(&identity.epoch.to_be_bytes());
        put(&sequence.to_be_bytes());
        put(&self.records.to_be_bytes());
        header
    }

    /// The buffer, when nobody else holds it any more.
    pub fn into_buffer(self) -> Option<Vec<u8>> {
        Arc::into_inner(self.bytes)
    }

    fn plain_records(&self) -> Option<Vec<u8>> {
        self.compression.decompress(self.bytes.get(HEADER..)?).ok()
    }

    /// Of the first record: key and value, bytes together, and where it comes from.
    pub fn first_record(&self) -> Option<(usize, Option<RecordOrigin>)> {
        let records = self.plain_records()?;
        let mut rest = split_record(&mut records.as_slice())?.1;
        let mut payload = 0;
        let mut value = rest;
        for _ in 0..2 {
            let length = usize::try_from(take_varint(&mut rest)?).unwrap_or(0);
            (value, rest) = rest.split_at_checked(length)?;
            payload += length;
        }
        Some((payload, RecordOrigin::of(value)))
    }

    /// Both halves of a batch that has more than one record.
    pub fn split(&self, level: Option<i32>) -> Option<(ClosedBatch, ClosedBatch)> {
        let records = self.plain_records()?;
        let mut rest = records.as_slice();
        let first_count = self.records / 2;
        let mut halves = [(); 2].map(|()| OpenBatch::new(Vec::new(), self.times.0, self.created));
        for number in 0..self.records {
            let (timestamp, body) = split_record(&mut rest)?;
            let half = halves.get_mut(usize::from(number >= first_count))?;
            put_again(&mut half.bytes, timestamp, half.records, body);
            half.times.1 = half.times.1.max(half.times.0.wrapping_add(timestamp));
            half.records += 1;
        }
        let mut left = u32::try_from(first_count).ok()?;
        let [mut first, mut second] = halves;
        for (delivery, count) in &self.deliveries {
            let here = left.min(*count);
            left -= here;
            for (half, count) in [(&mut first, here), (&mut second, count - here)] {
                if count > 0 {
                    half.deliveries.push((*delivery, count));
                }
            }
        }
        let first = first.close(self.compression, level).ok()?.0;
        Some((first, second.close(self.compression, level).ok()?.0))
    }
}

/// Takes a record off the front: its time, and what follows the offset.
fn split_record<'a>(records: &mut &'a [u8]) -> Option<(i64, &'a [u8])> {
    let length = usize::try_from(take_varint(records)?).ok()?;
    let (record, rest) = records.split_at_checked(length)?;
    *records = rest;
    let mut body = record.get(1..)?;
    let timestamp = take_varint(&mut body)?;
    take_varint(&mut body)?;
    Some((timestamp, body))
}

/// Appends a record that was taken out of another batch.
fn put_again(out: &mut Vec<u8>, timestamp_delta: i64, offset_delta: i32, body: &[u8]) {
    let mut head = vec![0];
    put_varint(&mut head, timestamp_delta);
    put_varint(&mut head, offset_delta.into());
    put_varint(out, (head.len() + body.len()) as i64);
    out.extend_from_slice(&head);
    out.extend_from_slice(body);
}

#[cfg(test)]
mod tests;
