//! InitProducerId: the identity by which brokers recognise what was sent twice.

use crate::kafka::protocol::wire::{Malformed, Reader, put_i32, put_null_string};

/// Producer id and epoch. What goes out without one has the id -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProducerIdentity {
    /// The id.
    pub id: i64,
    /// Its epoch.
    pub epoch: i16,
}

impl ProducerIdentity {
    /// That of a producer that is not idempotent.
    pub const NONE: ProducerIdentity = ProducerIdentity { id: -1, epoch: -1 };
}

/// Appends the body of a request for an identity outside of transactions.
pub fn put_request(out: &mut Vec<u8>) {
    put_null_string(out); // transactional.id
    put_i32(out, i32::MAX); // transaction timeout, without effect here
}

/// Reads the body of a response: error code and identity.
pub fn read_response(body: &mut Reader<'_>) -> Result<(i16, ProducerIdentity), Malformed> {
    body.i32()?; // throttle time, ms
    Ok((body.i16()?, ProducerIdentity { id: body.i64()?, epoch: body.i16()? }))
}
