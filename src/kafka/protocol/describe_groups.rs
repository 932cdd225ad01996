//! DescribeGroups: who is in a group, of which only is wanted what the user may do with it (KIP-430, brokers from 2.3 on).

use crate::kafka::protocol::wire::{Malformed, Reader, put_count, put_string};

/// What brokers say that do not tell.
const NOT_TOLD: i32 = i32::MIN;
/// The bit of an operation is its number in ACLs: Read is 3.
const READ: i32 = 1 << 3;

/// Appends the body of a request for one group.
pub fn put_request(out: &mut Vec<u8>, group: &str) {
    put_count(out, 1);
    put_string(out, group);
    out.push(1); // tell the authorized operations
}

/// Reads the body of a response for one group: error code, and whether it may be joined and committed to (the right Read); none
/// where that is not told.
pub fn read_response(body: &mut Reader<'_>) -> Result<(i16, Option<bool>), Malformed> {
    body.i32()?; // throttle time, ms
    if body.count()? != 1 {
        return Err(body.malformed());
    }
    let error = body.i16()?;
    for _ in ["group", "state", "kind of protocol", "protocol"] {
        body.string()?;
    }
    for _ in 0..body.count()? {
        for _ in ["member", "client", "host"] {
            body.string()?;
        }
        body.bytes()?; // metadata
        body.bytes()?; // assignment
    }
    let operations = body.i32()?;
    Ok((error, (operations != NOT_TOLD).then_some(operations & READ != 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of version 3 in the protocol's documentation.
    #[test]
    fn the_rights_on_a_group() {
        let mut request = Vec::new();
        put_request(&mut request, "g");
        assert_eq!(request, b"\0\0\0\x01\0\x01g\x01");
        let answer = |operations: &[u8; 4], members: &[u8]| {
            [&b"\0\0\0\0\0\0\0\x01\0\0\0\x01g\0\x06Stable\0\x08consumer\0\x05range"[..], members, operations]
                .concat()
        };
        let member = b"\0\0\0\x01\0\x01m\0\x01c\0\x02/h\0\0\0\x02ab\0\0\0\0";
        let read = |bytes: &[u8]| read_response(&mut Reader::new(bytes));
        // Read 3, Delete 6, Describe 8.
        assert_eq!(read(&answer(b"\0\0\x01\x48", b"\0\0\0\0")), Ok((0, Some(true))));
        assert_eq!(read(&answer(b"\0\0\x01\0", member)), Ok((0, Some(false))));
        let not_told = answer(b"\x80\0\0\0", member);
        assert_eq!(read(&not_told), Ok((0, None)));
        for length in 0..not_told.len() {
            assert!(read(&not_told[..length]).is_err(), "{length}");
        }
    }
}
