//! SyncGroup: the leader of a group says what each member gets, and each member is told its part.

use crate::kafka::protocol::wire::{Malformed, Reader, put_bytes, put_count, put_i32, put_string};

/// Appends the body of a request. Members that do not lead give no `parts`.
pub fn put_request(
    out: &mut Vec<u8>,
    group: &str,
    generation: i32,
    member: &str,
    parts: &[(String, Vec<u8>)],
) {
    put_string(out, group);
    put_i32(out, generation);
    put_string(out, member);
    put_count(out, parts.len());
    for (member, part) in parts {
        put_string(out, member);
        put_bytes(out, part);
    }
}

/// Reads the body of a response: the error code, and the member's own part.
pub fn read_response<'a>(body: &mut Reader<'a>) -> Result<(i16, &'a [u8]), Malformed> {
    body.i32()?; // throttle time, ms
    Ok((body.i16()?, body.bytes()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 1 and 2 in the protocol's documentation.
    #[test]
    fn a_leader_and_its_part() {
        let mut request = Vec::new();
        put_request(&mut request, "g", 7, "m", &[("n".to_owned(), b"xy".to_vec())]);
        assert_eq!(request, b"\0\x01g\0\0\0\x07\0\x01m\0\0\0\x01\0\x01n\0\0\0\x02xy");
        let answer = read_response(&mut Reader::new(b"\0\0\0\0\0\x1b\0\0\0\x01z")).unwrap();
        assert_eq!(answer, (27, b"z".as_slice()));
    }
}
