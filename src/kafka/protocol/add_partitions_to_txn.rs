//! AddPartitionsToTxn: the coordinator learns which partitions get records of a transaction, before they do.

use crate::kafka::protocol::init_producer_id::ProducerIdentity;
use crate::kafka::protocol::wire::{Malformed, Reader, put_count, put_i16, put_i32, put_i64, put_string};

/// Appends the body of a request: for each topic the numbers of its partitions.
pub fn put_request(
    out: &mut Vec<u8>,
    transactional_id: &str,
    identity: ProducerIdentity,
    topics: &[(&str, Vec<i32>)],
) {
    put_string(out, transactional_id);
    put_i64(out, identity.id);
    put_i16(out, identity.epoch);
    put_count(out, topics.len());
    for (topic, partitions) in topics {
        put_string(out, topic);
        put_count(out, partitions.len());
        partitions.iter().for_each(|partition| put_i32(out, *partition));
    }
}

/// Reads the body of a response and gives topic, partition and error code to `each`.
pub fn read_response<'a>(
    body: &mut Reader<'a>,
    mut each: impl FnMut(&'a str, i32, i16),
) -> Result<(), Malformed> {
    body.i32()?; // throttle time, ms
    for _ in 0..body.count()? {
        let topic = body.string()?;
        for _ in 0..body.count()? {
            each(topic, body.i32()?, body.i16()?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 0 to 2 in the protocol's documentation.
    #[test]
    fn partitions_join() {
        let mut request = Vec::new();
        put_request(&mut request, "x", ProducerIdentity { id: 7, epoch: 2 }, &[("t", vec![0, 5])]);
        let expected = b"\0\x01x\0\0\0\0\0\0\0\x07\0\x02\0\0\0\x01\0\x01t\0\0\0\x02\0\0\0\0\0\0\0\x05";
        assert_eq!(request, expected);
        let body = b"\0\0\0\0\0\0\0\x01\0\x01t\0\0\0\x02\0\0\0\0\0\0\0\0\0\x05\0\x33";
        let mut seen = Vec::new();
        read_response(&mut Reader::new(body), |topic, partition, error| seen.push((topic, partition, error)))
            .unwrap();
        assert_eq!(seen, [("t", 0, 0), ("t", 5, 51)]);
    }
}
