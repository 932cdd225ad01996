//! LeaveGroup: a member goes, and is not waited for.

use crate::kafka::protocol::wire::put_string;

/// Appends the body of a request. The response is an error code, which changes nothing for one that goes.
pub fn put_request(out: &mut Vec<u8>, group: &str, member: &str) {
    put_string(out, group);
    put_string(out, member);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 1 and 2 in the protocol's documentation.
    #[test]
    fn a_member_goes() {
        let mut request = Vec::new();
        put_request(&mut request, "g", "m");
        assert_eq!(request, b"\0\x01g\0\x01m");
    }
}
