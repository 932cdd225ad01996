//! FindCoordinator: which broker keeps the transactions of a `transactional.id`, or the members of a group.

use crate::kafka::protocol::metadata::BrokerMetadata;
use crate::kafka::protocol::wire::{Malformed, Reader, put_string};

/// The kind of name that is asked for: a group's.
pub const GROUP: u8 = 0;
/// The same: a transaction's.
pub const TRANSACTION: u8 = 1;

/// Appends the body of a request: a `group.id` or a `transactional.id`.
pub fn put_request(out: &mut Vec<u8>, kind: u8, name: &str) {
    put_string(out, name);
    out.push(kind);
}

/// Reads the body of a response: error code and broker.
pub fn read_response(body: &mut Reader<'_>) -> Result<(i16, BrokerMetadata), Malformed> {
    body.i32()?; // throttle time, ms
    let error = body.i16()?;
    body.nullable_string()?; // the broker's words
    let id = body.i32()?;
    let host = body.string()?.to_owned();
    let port = u16::try_from(body.i32()?).unwrap_or_default();
    Ok((error, BrokerMetadata { id, host, port }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 1 and 2 in the protocol's documentation.
    #[test]
    fn a_coordinator() {
        let mut request = Vec::new();
        put_request(&mut request, TRANSACTION, "g-c-0");
        assert_eq!(request, b"\0\x05g-c-0\x01");
        let body = b"\0\0\0\0\0\0\xff\xff\0\0\0\x02\0\x01h\0\0\x23\x84";
        let (error, broker) = read_response(&mut Reader::new(body)).unwrap();
        assert_eq!((error, broker.id, broker.host.as_str(), broker.port), (0, 2, "h", 9092));
    }
}
