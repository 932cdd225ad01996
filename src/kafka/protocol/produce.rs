//! Produce: record batches to the leaders of their partitions.
//!
//! A request is written in pieces: what stands before the first batch, the batch itself where it lies, what stands
//! before the next one, and so on; so a batch is never copied into a request. One request holds at most one batch of a
//! partition, and partitions of a topic stand together.

use std::time::Duration;

use crate::kafka::protocol::wire::{
    Malformed, Reader, put_count, put_i16, put_i32, put_nullable_string, put_string,
};

/// Appends what stands before the topics: `transactional.id` of records in a transaction, acks (-1 for all), the broker's
/// patience in milliseconds, and how many topics follow.
pub fn put_head(
    out: &mut Vec<u8>,
    transactional_id: Option<&str>,
    acks: i16,
    timeout_ms: i32,
    topics: usize,
) {
    put_nullable_string(out, transactional_id);
    put_i16(out, acks);
    put_i32(out, timeout_ms);
    put_count(out, topics);
}

/// Appends what stands before the partitions of a topic.
pub fn put_topic(out: &mut Vec<u8>, name: &str, partitions: usize) {
    put_string(out, name);
    put_count(out, partitions);
}

/// Appends what stands before a batch.
pub fn put_partition(out: &mut Vec<u8>, index: i32, batch_length: usize) {
    put_i32(out, index);
    put_count(out, batch_length);
}

/// What became of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionAnswer<'a> {
    /// The topic.
    pub topic: &'a str,
    /// The partition.
    pub partition: i32,
    /// 0 when the batch is acknowledged.
    pub error: i16,
    /// The broker's words, if it has any.
    pub message: Option<&'a str>,
}

/// Reads the body of a response and gives every partition's answer to `each`. Returns how long a quota has nothing more sent to
/// this broker: up to version 5 a broker keeps its answer back instead (KIP-219).
pub fn read_response<'a>(
    body: &mut Reader<'a>,
    version: i16,
    mut each: impl FnMut(PartitionAnswer<'a>),
) -> Result<Duration, Malformed> {
    for _ in 0..body.count()? {
        let topic = body.string()?;
        for _ in 0..body.count()? {
            let partition = body.i32()?;
            let error = body.i16()?;
            body.i64()?; // offset of the first record
            body.i64()?; // time of appending
            if version >= 5 {
                body.i64()?; // first offset of the log
            }
            let mut message = None;
            if version >= 8 {
                for _ in 0..body.count()? {
                    body.i32()?;
                    message = body.nullable_string()?;
                }
                message = body.nullable_string()?.or(message);
            }
            each(PartitionAnswer { topic, partition, error, message });
        }
    }
    let throttle_ms = body.i32()?;
    Ok(Duration::from_millis(if version < 6 { 0 } else { u64::try_from(throttle_ms).unwrap_or_default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_old_and_new_versions() {
        let old = b"\0\0\0\x01\0\x01t\0\0\0\x01\0\0\0\x02\0\x06\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\x04\0";
        let new = b"\0\0\0\x01\0\x01t\0\0\0\x01\0\0\0\x02\0\x57\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x03\0\0\0\x01\0\0\0\0\0\x03key\xff\xff\0\0\x04\0";
        for (body, version, error, message, throttle_ms) in
            [(old.as_slice(), 3, 6, None, 0), (new.as_slice(), 8, 87, Some("key"), 1024)]
        {
            let mut seen = Vec::new();
            let throttle =
                read_response(&mut Reader::new(body), version, |answer| seen.push(answer)).unwrap();
            assert_eq!(throttle, Duration::from_millis(throttle_ms));
            assert_eq!(seen, [PartitionAnswer { topic: "t", partition: 2, error, message }]);
        }
    }
}
