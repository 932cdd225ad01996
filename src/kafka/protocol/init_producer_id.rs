//! InitProducerId: the identity by which brokers recognise what was sent twice.

use crate::kafka::protocol::wire::{Malformed, Reader, put_i32, put_nullable_string};

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

/// Appends the body of a request. For a `transactional.id` the coordinator ends what an earlier producer of that name had
/// begun and takes nothing from it any more; a transaction that is open for longer than the timeout is ended by the
/// coordinator. Without a name the timeout has no effect.
pub fn put_request(out: &mut Vec<u8>, transactional_id: Option<&str>, timeout_ms: i32) {
    put_nullable_string(out, transactional_id);
    put_i32(out, timeout_ms);
}

/// Reads the body of a response: error code and identity.
pub fn read_response(body: &mut Reader<'_>) -> Result<(i16, ProducerIdentity), Malformed> {
    body.i32()?; // throttle time, ms
    Ok((body.i16()?, ProducerIdentity { id: body.i64()?, epoch: body.i16()? }))
}
