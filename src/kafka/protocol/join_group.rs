//! JoinGroup: one comes into a group. The answer waits until all members have asked for the same, or are taken for dead.

use crate::kafka::protocol::wire::{Malformed, Reader, put_bytes, put_count, put_i32, put_string};

/// What a member says of itself.
#[derive(Clone, Copy, Debug)]
pub struct JoinGroup<'a> {
    /// `group.id`.
    pub group: &'a str,
    /// `session.timeout.ms`.
    pub session_timeout_ms: i32,
    /// `rebalance.timeout.ms`.
    pub rebalance_timeout_ms: i32,
    /// The name that the coordinator gave it; empty at first.
    pub member: &'a str,
    /// What the group is for.
    pub protocol_type: &'a str,
    /// The only way that it knows to divide what there is to be divided.
    pub protocol: &'a str,
    /// What the leader has to know of it.
    pub metadata: &'a [u8],
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// 0, or why it is not a member; with MEMBER_ID_REQUIRED the name is told all the same.
    pub error: i16,
    /// The number of this division.
    pub generation: i32,
    /// The member that divides.
    pub leader: String,
    /// The member's own name.
    pub member: String,
    /// Name and metadata of all members; only for the leader.
    pub members: Vec<(String, Vec<u8>)>,
}

/// Appends the body of a request.
pub fn put_request(out: &mut Vec<u8>, join: &JoinGroup<'_>) {
    put_string(out, join.group);
    put_i32(out, join.session_timeout_ms);
    put_i32(out, join.rebalance_timeout_ms);
    put_string(out, join.member);
    put_string(out, join.protocol_type);
    put_count(out, 1);
    put_string(out, join.protocol);
    put_bytes(out, join.metadata);
}

/// Reads the body of a response.
pub fn read_response(body: &mut Reader<'_>) -> Result<Joined, Malformed> {
    body.i32()?; // throttle time, ms
    let error = body.i16()?;
    let generation = body.i32()?;
    body.nullable_string()?; // the protocol, of which there is one
    let leader = body.string()?.to_owned();
    let member = body.string()?.to_owned();
    let mut members = Vec::new();
    for _ in 0..body.count()? {
        members.push((body.string()?.to_owned(), body.bytes()?.to_owned()));
    }
    Ok(Joined { error, generation, leader, member, members })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the layout of versions 2 to 4 in the protocol's documentation.
    #[test]
    fn a_member_that_leads() {
        let mut request = Vec::new();
        let join = JoinGroup {
            group: "g",
            session_timeout_ms: 10_000,
            rebalance_timeout_ms: 60_000,
            member: "m",
            protocol_type: "t",
            protocol: "p",
            metadata: b"xy",
        };
        put_request(&mut request, &join);
        assert_eq!(request, b"\0\x01g\0\0\x27\x10\0\0\xea\x60\0\x01m\0\x01t\0\0\0\x01\0\x01p\0\0\0\x02xy");
        let body = b"\0\0\0\0\0\0\0\0\0\x07\0\x01p\0\x01m\0\x01m\0\0\0\x02\0\x01m\0\0\0\x02xy\0\x01n\0\0\0\0";
        let joined = read_response(&mut Reader::new(body)).unwrap();
        let expected = Joined {
            error: 0,
            generation: 7,
            leader: "m".to_owned(),
            member: "m".to_owned(),
            members: vec![("m".to_owned(), b"xy".to_vec()), ("n".to_owned(), Vec::new())],
        };
        assert_eq!(joined, expected);
    }
}
