//! DescribeConfigs: what a broker is configured with.

use crate::kafka::protocol::wire::{Malformed, Reader, put_count, put_string};

/// The kind of resource that a broker is.
const BROKER: u8 = 4;

/// Appends the body of a request for one property of a broker, which has to be asked itself.
pub fn put_request(out: &mut Vec<u8>, broker: i32, property: &str) {
    put_count(out, 1);
    out.push(BROKER);
    put_string(out, &broker.to_string());
    put_count(out, 1);
    put_string(out, property);
    out.push(0); // without synonyms
}

/// Reads the body of a response for one property: error code and value.
pub fn read_response(body: &mut Reader<'_>) -> Result<(i16, Option<String>), Malformed> {
    body.i32()?; // throttle time, ms
    if body.count()? == 0 {
        return Ok((0, None));
    }
    let error = body.i16()?;
    body.nullable_string()?; // the broker's words
    body.i8()?; // the kind of resource
    body.string()?; // its name
    if body.count()? == 0 {
        return Ok((error, None));
    }
    body.string()?; // the property
    Ok((error, body.nullable_string()?.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 1 and 2 in the protocol's documentation.
    #[test]
    fn one_property() {
        let mut request = Vec::new();
        put_request(&mut request, 12, "a.b");
        assert_eq!(request, b"\0\0\0\x01\x04\0\x0212\0\0\0\x01\0\x03a.b\0");
        let body = b"\0\0\0\0\0\0\0\x01\0\0\xff\xff\x04\0\x0212\0\0\0\x01\0\x03a.b\0\x0242\x01\x05\0\0\0\0\0";
        assert_eq!(read_response(&mut Reader::new(body)).unwrap(), (0, Some("42".to_owned())));
        // CLUSTER_AUTHORIZATION_FAILED
        let refused = b"\0\0\0\0\0\0\0\x01\0\x1f\0\x02no\x04\0\x0212\0\0\0\0";
        assert_eq!(read_response(&mut Reader::new(refused)).unwrap(), (31, None));
        assert!(read_response(&mut Reader::new(&body[..20])).is_err());
    }
}
