//! Changes of bytes: what damages formats most are other numbers, other lengths, and pieces in other places.

use proptest::prelude::*;

/// One change. Places are given as a share of the input's length, so that they fit every input.
#[derive(Clone, Debug)]
pub enum Mutation {
    Flip { place: u16, bit: u8 },
    Number { place: u16, width: u8, value: u64 },
    Cut { place: u16 },
    Remove { place: u16, count: u8 },
    Insert { place: u16, bytes: Vec<u8> },
    Copy { from: u16, to: u16, count: u8 },
}

/// Numbers at the edges of their types.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(0x7f),
        Just(0x80),
        Just(0xff),
        Just(0x7fff),
        Just(0xffff),
        Just(0x7fff_ffff),
        Just(0xffff_ffff),
        Just(u64::MAX >> 1),
        Just(u64::MAX),
        any::<u64>(),
    ]
}

/// One to six changes.
pub fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let mutation = prop_oneof![
        4 => (any::<u16>(), 0u8..8).prop_map(|(place, bit)| Mutation::Flip { place, bit }),
        4 => (any::<u16>(), prop_oneof![Just(1u8), Just(2), Just(3), Just(4), Just(8)], number())
            .prop_map(|(place, width, value)| Mutation::Number { place, width, value }),
        1 => any::<u16>().prop_map(|place| Mutation::Cut { place }),
        1 => (any::<u16>(), any::<u8>()).prop_map(|(place, count)| Mutation::Remove { place, count }),
        1 => (any::<u16>(), proptest::collection::vec(any::<u8>(), 1..20))
            .prop_map(|(place, bytes)| Mutation::Insert { place, bytes }),
        1 => (any::<u16>(), any::<u16>(), any::<u8>())
            .prop_map(|(from, to, count)| Mutation::Copy { from, to, count }),
    ];
    proptest::collection::vec(mutation, 1..7)
}

/// Changes bytes.
pub fn mutate(bytes: &mut Vec<u8>, mutations: &[Mutation]) {
    for mutation in mutations {
        let length = bytes.len();
        let at = |place: u16| (usize::from(place) * length) >> 16;
        match mutation {
            Mutation::Flip { place, bit } => {
                if let Some(byte) = bytes.get_mut(at(*place)) {
                    *byte ^= 1 << bit;
                }
            }
            Mutation::Number { place, width, value } => {
                let at = at(*place);
                let places = bytes.iter_mut().skip(at).take(usize::from(*width));
                places.zip(value.to_le_bytes()).for_each(|(to, from)| *to = from);
            }
            Mutation::Cut { place } => bytes.truncate(at(*place)),
            Mutation::Remove { place, count } => {
                let start = at(*place);
                bytes.drain(start..(start + usize::from(*count)).min(length));
            }
            Mutation::Insert { place, bytes: new } => {
                let at = at(*place);
                bytes.splice(at..at, new.iter().copied());
            }
            Mutation::Copy { from, to, count } => {
                let (from, to) = (at(*from), at(*to));
                let piece: Vec<u8> = bytes.iter().skip(from).take(usize::from(*count)).copied().collect();
                bytes.splice(to..to, piece);
            }
        }
    }
}
