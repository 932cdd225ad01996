//! EndTxn: a transaction is committed or given up.

use crate::kafka::protocol::init_producer_id::ProducerIdentity;
use crate::kafka::protocol::wire::{Malformed, Reader, put_i16, put_i64, put_string};

/// Appends the body of a request that commits.
pub fn put_commit(out: &mut Vec<u8>, transactional_id: &str, identity: ProducerIdentity) {
    put_string(out, transactional_id);
    put_i64(out, identity.id);
    put_i16(out, identity.epoch);
    out.push(1);
}

/// Reads the body of a response: the error code.
pub fn read_response(body: &mut Reader<'_>) -> Result<i16, Malformed> {
    body.i32()?; // throttle time, ms
    body.i16()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 0 to 2 in the protocol's documentation.
    #[test]
    fn a_commit() {
        let mut request = Vec::new();
        put_commit(&mut request, "x", ProducerIdentity { id: 7, epoch: 2 });
        assert_eq!(request, b"\0\x01x\0\0\0\0\0\0\0\x07\0\x02\x01");
        assert_eq!(read_response(&mut Reader::new(b"\0\0\0\0\0\x33")).unwrap(), 51);
    }
}
