//! The order in which Java's `HashMap<String, …>` and `HashSet<String>` give their members.
//!
//! Debezium keeps stored offsets and the tables of a transaction in such maps and writes them in iteration order, so
//! the order is part of the bytes. Java (java.util.HashMap): `h = s.hashCode(); h ^ (h >>> 16)`, bucket
//! `hash & (capacity - 1)`, capacity 16 doubled whenever more than three quarters are in use, members of one bucket
//! in the order of their arrival (a resize keeps it).

/// `String.hashCode`: over UTF-16 units, wrapping.
fn hash_code(text: &str) -> u32 {
    text.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
}

/// Sorts members, given in order of insertion, into Java's iteration order. `key` names a member.
pub fn sort_as_java<T>(members: &mut [T], key: impl Fn(&T) -> &str) {
    let mut capacity: usize = 16;
    while members.len() * 4 > capacity * 3 {
        capacity *= 2;
    }
    let mask = u32::try_from(capacity - 1).unwrap_or(u32::MAX);
    members.sort_by_key(|member| {
        let hash = hash_code(key(member));
        (hash ^ (hash >> 16)) & mask
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of a stored offset that the real connector wrote.
    #[test]
    fn offset_keys_come_as_debezium_wrote_them() {
        let mut keys = vec!["file", "pos", "server_id", "event", "row", "gtids", "ts_sec", "transaction_id"];
        sort_as_java(&mut keys, |key| key);
        assert_eq!(keys, ["transaction_id", "ts_sec", "file", "pos", "gtids", "row", "server_id", "event"]);
    }
}
