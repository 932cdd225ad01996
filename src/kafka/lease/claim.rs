//! What members of a lease's group tell one another: whether one holds the lease, and who it is.
//!
//! A member's metadata says "I hold it" or not, and the member's name for people. The leader of the group answers each member
//! with its part: "it is yours" or not, and the holder's name. Both have the same bytes: a version (INT16, 0; what a later one adds
//! stands behind), BOOLEAN, STRING.
//!
//! The leader never takes the lease away: who holds it keeps it, and only where nobody does the leader takes it itself.

use crate::kafka::protocol::wire::{Malformed, Reader, put_i16, put_string};

/// The lease is with the one who says or is told this, or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claim {
    /// A member's own: it holds the lease. Its part: the lease is its.
    pub(super) holds: bool,
    /// A member's own: its name. Its part: the holder's.
    pub(super) name: String,
}

impl Claim {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(5 + self.name.len());
        put_i16(&mut bytes, 0);
        bytes.push(u8::from(self.holds));
        put_string(&mut bytes, &self.name);
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        reader.i16()?;
        Ok(Claim { holds: reader.i8()? != 0, name: reader.string()?.to_owned() })
    }
}

/// What each member gets; `leader` is the one that decides. What cannot be read claims nothing.
pub(super) fn divide(leader: &str, members: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    let claims: Vec<(&str, Claim)> = members
        .iter()
        .map(|(member, bytes)| (member.as_str(), Claim::from_bytes(bytes).unwrap_or_default()))
        .collect();
    let holder = claims.iter().find(|(_, claim)| claim.holds);
    let holder = holder.or_else(|| claims.iter().find(|(member, _)| *member == leader));
    let part = |member: &str| {
        let (own, name) = holder.map_or(("", ""), |(holder, claim)| (*holder, claim.name.as_str()));
        Claim { holds: member == own, name: name.to_owned() }.to_bytes()
    };
    members.iter().map(|(member, _)| (member.clone(), part(member))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(holds: bool, name: &str) -> Claim {
        Claim { holds, name: name.to_owned() }
    }

    #[test]
    fn bytes_of_a_claim() {
        assert_eq!(claim(true, "h:1").to_bytes(), b"\0\0\x01\0\x03h:1");
        assert_eq!(Claim::from_bytes(b"\0\0\x01\0\x03h:1more"), Ok(claim(true, "h:1")));
        assert!(Claim::from_bytes(b"\0\0\x01\0\x03h").is_err());
    }

    #[test]
    fn who_holds_it_keeps_it() {
        // Leader, members and whether they claim it (each is named by a letter), who gets it.
        type Members = &'static [(&'static str, bool)];
        let cases: [(&str, Members, &str); 5] = [
            ("a", &[("a", false)], "a"),
            ("b", &[("a", false), ("b", false)], "b"),
            ("b", &[("a", true), ("b", false), ("c", false)], "a"),
            ("a", &[("a", true), ("b", false)], "a"),
            ("c", &[("a", false), ("b", true), ("c", true)], "b"),
        ];
        for (leader, members, holder) in cases {
            let members: Vec<(String, Vec<u8>)> = members
                .iter()
                .map(|(member, holds)| {
                    ((*member).to_owned(), claim(*holds, &format!("host {member}")).to_bytes())
                })
                .collect();
            for (member, part) in divide(leader, &members) {
                let expected = claim(member == holder, &format!("host {holder}"));
                assert_eq!(Claim::from_bytes(&part), Ok(expected), "{members:?}");
            }
        }
    }

    #[test]
    fn a_member_that_cannot_be_read_claims_nothing() {
        let members = [("a".to_owned(), b"\0".to_vec()), ("b".to_owned(), claim(false, "b").to_bytes())];
        let parts = divide("b", &members);
        assert_eq!(Claim::from_bytes(&parts[0].1), Ok(claim(false, "b")));
        assert_eq!(Claim::from_bytes(&parts[1].1), Ok(claim(true, "b")));
    }
}
