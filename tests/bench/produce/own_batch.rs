//! What encoding costs without librdkafka: record batches (message format 2) written into a buffer, no socket.
//!
//! This is the floor for a producer of our own: partition by murmur2, length-prefixed record, the four context headers
//! copied as one ready piece, checksum per batch. The checksum here is CRC-32 where the format wants CRC-32C, which
//! costs the same.

use std::hint::black_box;
use std::time::Instant;

use crate::variant::{CONTEXT, digits, row};

/// A batch is closed at this size, bytes.
const BATCH: usize = 1_000_000;
/// Partitions of the topic.
const PARTITIONS: usize = 4;

/// Encodes `messages` messages; seconds.
pub fn encode(messages: u64) -> f64 {
    let mut common = Vec::new();
    for (name, value) in CONTEXT {
        varint(&mut common, name.len());
        common.extend_from_slice(name.as_bytes());
        varint(&mut common, value.len());
        common.extend_from_slice(value.as_bytes());
    }
    varint(&mut common, 12);
    common.extend_from_slice(b"tidewire.seq");
    varint(&mut common, 8);
    let mut value = row(600);
    let mut key = *br#"{"id":0000000000}"#;
    let mut batches: [Vec<u8>; PARTITIONS] = std::array::from_fn(|_| Vec::with_capacity(BATCH + 4096));
    let start = Instant::now();
    for message in 0..messages {
        digits(&mut key[6..16], message);
        digits(&mut value[10..20], message);
        let batch = &mut batches[(murmur2(&key) & 0x7fff_ffff) as usize % PARTITIONS];
        let size = 8 + key.len() + value.len() + common.len() + 8;
        varint(batch, size);
        batch.push(0);
        varint(batch, 0);
        varint(batch, (message & 0xfff) as usize);
        varint(batch, key.len());
        batch.extend_from_slice(&key);
        varint(batch, value.len());
        batch.extend_from_slice(&value);
        varint(batch, 5);
        batch.extend_from_slice(&common);
        batch.extend_from_slice(&message.to_be_bytes());
        if batch.len() >= BATCH {
            black_box(crc32fast::hash(batch));
            batch.clear();
        }
    }
    start.elapsed().as_secs_f64()
}

/// A length as zig-zag varint (protocol guide: VARINT).
fn varint(out: &mut Vec<u8>, length: usize) {
    let mut rest = length << 1;
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// The hash of Java's default partitioner (org.apache.kafka.common.utils.Utils.murmur2).
fn murmur2(data: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let mut hash = 0x9747_b28c ^ data.len() as u32;
    let chunks = data.chunks_exact(4);
    let rest = chunks.remainder();
    for chunk in chunks {
        let mut k = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]).wrapping_mul(M);
        k ^= k >> 24;
        hash = hash.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    for (place, byte) in rest.iter().enumerate() {
        hash ^= u32::from(*byte) << (8 * place);
    }
    if !rest.is_empty() {
        hash = hash.wrapping_mul(M);
    }
    hash = (hash ^ (hash >> 13)).wrapping_mul(M);
    hash ^ (hash >> 15)
}
