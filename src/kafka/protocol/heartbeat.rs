//! Heartbeat: a member of a group is there.

use crate::kafka::protocol::wire::{Malformed, Reader, put_i32, put_string};

/// Appends the body of a request.
pub fn put_request(out: &mut Vec<u8>, group: &str, generation: i32, member: &str) {
    put_string(out, group);
    put_i32(out, generation);
    put_string(out, member);
}

/// Reads the body of a response: the error code.
pub fn read_response(body: &mut Reader<'_>) -> Result<i16, Malformed> {
    body.i32()?; // throttle time, ms
    body.i16()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 1 and 2 in the protocol's documentation.
    #[test]
    fn a_heartbeat() {
        let mut request = Vec::new();
        put_request(&mut request, "g", 7, "m");
        assert_eq!(request, b"\0\x01g\0\0\0\x07\0\x01m");
        assert_eq!(read_response(&mut Reader::new(b"\0\0\0\0\0\x1b")).unwrap(), 27);
    }
}
