//! DescribeTransactions: which producer a `transactional.id` belongs to now.
//!
//! All its versions are of the "flexible" encoding.

use crate::kafka::protocol::flexible::{NO_TAGS, length, put_length, skip_tags};
use crate::kafka::protocol::init_producer_id::ProducerIdentity;
use crate::kafka::protocol::wire::{Malformed, Reader};

/// Appends what is left of the header, and the body of a request for one id.
pub fn put_request(out: &mut Vec<u8>, transactional_id: &str) {
    out.push(NO_TAGS);
    put_length(out, 1);
    put_length(out, transactional_id.len());
    out.extend_from_slice(transactional_id.as_bytes());
    out.push(NO_TAGS);
}

/// Reads what is left of the header, and the body of a response for one id: error code and identity.
pub fn read_response(body: &mut Reader<'_>) -> Result<(i16, ProducerIdentity), Malformed> {
    skip_tags(body)?;
    body.i32()?; // throttle time, ms
    if length(body)? == 0 {
        return Ok((-1, ProducerIdentity::NONE));
    }
    let error = body.i16()?;
    let id = length(body)?;
    body.take(id)?;
    let state = length(body)?;
    body.take(state)?;
    body.i32()?; // timeout, ms
    body.i64()?; // when it began
    Ok((error, ProducerIdentity { id: body.i64()?, epoch: body.i16()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of version 0 in the protocol's documentation.
    #[test]
    fn one_transaction() {
        let mut request = Vec::new();
        put_request(&mut request, "g-c-0");
        assert_eq!(request, b"\0\x02\x06g-c-0\0");
        let mut long = Vec::new();
        put_length(&mut long, 200);
        assert_eq!(long, [0xc9, 0x01]);
        assert_eq!(length(&mut Reader::new(&long)).unwrap(), 200);
        let body = b"\0\0\0\0\0\x02\0\0\x06g-c-0\x06Empty\0\0\xea\x60\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\x07\0\x03\x01\0\0";
        let (error, identity) = read_response(&mut Reader::new(body)).unwrap();
        assert_eq!((error, identity), (0, ProducerIdentity { id: 7, epoch: 3 }));
    }
}
